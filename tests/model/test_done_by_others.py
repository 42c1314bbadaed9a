"""What lies beside a snapshot says which changes may have answered some of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from remem.model.change import Intent
from remem.model.done_by_others import Aside, RecreatedFolder, Reverted, Unreviewed, Vanished
from remem.model.entry import Ref

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
HERE, ELSEWHERE = Path("/harbour/CLAUDE.md"), Path("/harbour/AGENTS.md")
RULE, OTHER = Ref.parse("sniper:conv-002"), Ref.parse("sniper:conv-003")
APPROVE = Intent("approve", {RULE: "1"})
WRITTEN = Unreviewed("new", RULE, "rule", "Nets dry.", HERE, "CLAUDE.md", "1", "a", "", NOON, 1)


@pytest.mark.parametrize(
    "aside",
    [
        Aside(reverted=(Reverted("1", "Approve", NOON, RULE, "rule", "Nets dry.", APPROVE, HERE),)),
        Aside(vanished=(Vanished(RULE, "rule", "Nets dry.", HERE, NOON, b"- Nets dry.\n", 0),)),
        Aside(recreated=(RecreatedFolder("1", "hill", "squad", HERE.parent, HERE.parent, NOON),)),
    ],
)
def test_what_was_taken_back_or_made_again_may_be_answered_in_any_file(aside: Aside) -> None:
    assert aside.concerns({ELSEWHERE}, {OTHER})


def test_what_waits_to_be_reviewed_is_answered_in_its_file_by_its_name_or_by_a_mark() -> None:
    aside = Aside(unreviewed={RULE: WRITTEN}, reviewed=Path("/state/inbox/reviewed"))

    assert aside.concerns({HERE}, {OTHER})
    assert aside.concerns({ELSEWHERE}, {RULE})
    assert aside.concerns({Path("/state/inbox/reviewed/7c1e")}, {OTHER})
    assert not aside.concerns({ELSEWHERE}, {OTHER})
