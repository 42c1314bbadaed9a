"""A reason for which entries wait is asked only about those that it can be about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.sniper_files import CONVENTIONS, project

from remem.core.library import Library
from remem.core.waiting.item import Item
from remem.core.waiting.kinds import Act, OfEntries, usual
from remem.model.change import INTO_SHOWN, Intent
from remem.model.entry import Entry, Ref, Status

STORE = """\
conventions:
  - {id: conv-001, rule: Tea, status: confirmed}
  - {id: conv-002, rule: Milk, status: candidate}
"""


class Thirst(OfEntries):
    id = "thirst"
    order = 1
    system = "sniper"
    kind = "convention"
    status = Status.CANDIDATE

    def items(self, library: Library) -> Iterable[Item]:
        return ()

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        return usual(library, entry)


class OfOthers(Thirst):
    system = "learning"


class OfDecisions(Thirst):
    kind = "decision"


def test_a_reason_is_asked_about_entries_of_its_system_kind_and_status_alone(
    tmp_path: Path,
) -> None:
    library = project(tmp_path, {CONVENTIONS: STORE})
    tea, milk = (entry.ref for entry in library.of_kind("convention"))

    assert [*Thirst().acts(library, milk)] == ["approve", "reject"]
    assert Thirst().acts(library, tea) == {}
    assert OfOthers().acts(library, milk) == {}
    assert OfDecisions().acts(library, milk) == {}
    assert Thirst().acts(library, Ref("sniper", "conv-404", milk.place)) == {}


def test_what_was_drawn_stands_until_one_of_two_merged_entries_changes(tmp_path: Path) -> None:
    library = project(tmp_path, {CONVENTIONS: STORE})
    tea, milk = library.of_kind("convention")
    into = {"into": str(tea.ref), INTO_SHOWN: tea.digest}

    assert library.has_as_drawn(Intent("merge", {milk.ref: milk.digest}, into).drawn())
    assert not library.has_as_drawn(Intent("merge", {milk.ref: ""}, into).drawn())
    other = {**into, INTO_SHOWN: milk.digest}
    assert not library.has_as_drawn(Intent("merge", {milk.ref: milk.digest}, other).drawn())
