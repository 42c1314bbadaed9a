"""Whatever waits can be decided on together: each by the reason why it waits, as one change."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.retro_files import path_of, retro, rule
from tests.sniper_files import CONVENTIONS
from tests.workspace_files import conventions, files, workspace

from remem.base.errors import NotPossible
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.waiting.item import Item, Why, item_ids, kinds_drawn
from remem.model.change import Committed, Intent

SPACES = "Indent every source file of the service with four spaces"
CHECKED = {"rule": "Errors have names", "detection_hint": "no bare except"}
CANDIDATE = {"rule": "Queues are drained", "status": "candidate"}
CLOCKS = "Clocks are passed in"


def opened(root: Path, base: Path) -> Session:
    return Session.open(root, Places.of(base / "home"), door="cli")


def by_reason(bench: Session) -> dict[Why, Item]:
    return {item.reason: item for item in bench.queue()}


def decide(bench: Session, verb: str, *items: Item) -> Committed:
    shown = {item.ref: item.digest for item in items}
    return bench.apply(Intent(verb, shown, {}, item_ids(items), kinds_drawn(items)))


@pytest.fixture
def api(tmp_path: Path) -> Path:
    """A repository where a check, an override, a candidate and a finding wait."""
    own = [{"rule": f"Do not {SPACES.lower()}"}, CHECKED, CANDIDATE]
    root = workspace(tmp_path, [SPACES], {"api": own}) / "repositories" / "api"
    return files(root, {path_of(7): retro(7, new_conventions=[rule("Count every gull")]).decode()})


def test_what_waits_for_four_reasons_is_approved_as_one_change(api: Path, tmp_path: Path) -> None:
    bench = opened(api, tmp_path)
    waiting = by_reason(bench)
    before = (api / CONVENTIONS).read_bytes()

    done = decide(bench, "approve", *waiting.values())

    text = (api / CONVENTIONS).read_text("utf-8")
    assert set(waiting) == {Why.DETECT, Why.OVERRIDE, Why.CANDIDATE, Why.FINDING}
    assert done.change.title == "Decide on 4 entries: approve 3, override 1"
    assert ("detect:" in text, "overrides:" in text, "Count every gull" in text) == (True,) * 3
    assert bench.queue() == ()
    bench.undo()
    assert (api / CONVENTIONS).read_bytes() == before


def test_what_waits_for_four_reasons_is_rejected_as_one_change(api: Path, tmp_path: Path) -> None:
    bench = opened(api, tmp_path)

    decide(bench, "reject", *bench.queue())

    text = (api / CONVENTIONS).read_text("utf-8")
    assert "Queues are drained" not in text
    assert ("detect:" in text, "overrides:" in text) == (False, False)
    assert bench.queue() == ()


def test_what_repositories_share_is_decided_with_what_one_of_them_has(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {"api": [CLOCKS, CANDIDATE], "web": [CLOCKS]})
    bench = opened(root, tmp_path)
    waiting = by_reason(bench)

    decide(bench, "approve", waiting[Why.SHARED], waiting[Why.CANDIDATE])

    own = (root / "repositories" / "api" / CONVENTIONS).read_text("utf-8")
    assert CLOCKS in (root / "memory" / "conventions.yaml").read_text("utf-8")
    assert (CLOCKS in own, "confirmed" in own) == (False, True)
    assert bench.queue() == ()


def test_the_card_tells_which_of_two_reasons_is_meant(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {"api": [CHECKED], "web": [CHECKED["rule"]]})
    bench = opened(root, tmp_path)
    waiting = by_reason(bench)

    decide(bench, "reject", waiting[Why.SHARED])

    assert waiting[Why.SHARED].ref == waiting[Why.DETECT].ref
    assert [item.reason for item in bench.queue()] == [Why.DETECT]


def test_one_that_does_not_wait_holds_all_of_them_back(tmp_path: Path) -> None:
    root = files(tmp_path / "api", {CONVENTIONS: conventions([CLOCKS, CANDIDATE, CHECKED])})
    bench = opened(root, tmp_path)
    before = (root / CONVENTIONS).read_bytes()

    with pytest.raises(NotPossible, match="does not wait"):
        bench.apply(bench.intend("reject", bench.library.entries(), reason="no"))

    assert (root / CONVENTIONS).read_bytes() == before
