"""A finding that was decided says so everywhere, and is not decided a second time."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.retro_files import bytes_below, memory_of, mistake, path_of, retro, rule
from tests.retro_files import decided as done
from tests.sniper_files import CONVENTIONS, carry_out, project

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.core.verbs.verbs import APPROVE, KEEP, REJECT, plan
from remem.core.waiting.item import Why
from remem.core.waiting.kinds import decided, state_of
from remem.core.waiting.queue import queue
from remem.model.change import Intent
from remem.model.entry import Entry, Status

RULE = "Every queue consumer is idempotent"


def shop_with(root: Path, *sprints: int) -> Library:
    found = {path_of(s): retro(s, new_conventions=[rule(RULE, "medium")]) for s in sprints}
    return project(root, found)


def finding(library: Library, sprint: int = 5) -> Entry:
    stem = f"sprint-{sprint}-retro/"
    return next(e for e in library.of_kind("finding") if e.ref.id.startswith(stem))


def asked(verb: str, *entries: Entry, **arguments: str) -> Intent:
    return Intent(verb, {each.ref: each.digest for each in entries}, arguments)


def test_a_second_approve_names_the_entry_it_became_and_writes_nothing(tmp_path: Path) -> None:
    library = done(shop_with(tmp_path, 5), "approve", finding(shop_with(tmp_path, 5)))
    before = bytes_below(tmp_path)

    again = plan(library, asked("approve", finding(library)))

    assert again.effects == ()
    assert "became `sniper:conv-001`" in again.notes[0]
    assert bytes_below(tmp_path) == before
    assert (queue(library), state_of(library, finding(library))) == ((), "confirmed")


@pytest.mark.parametrize("verb", [APPROVE, KEEP, REJECT], ids=lambda verb: verb.id)
def test_no_key_is_offered_on_a_finding_that_became_an_entry(tmp_path: Path, verb: object) -> None:
    library = shop_with(tmp_path, 5)
    library = done(library, "approve", finding(library))

    assert verb.why_not(library, finding(library)) == "became `sniper:conv-001`"  # type: ignore[attr-defined]


def test_a_kept_finding_is_approved_as_the_candidate_that_it_became(tmp_path: Path) -> None:
    library = shop_with(tmp_path, 5)
    library = done(library, "keep", finding(library))

    with pytest.raises(NotPossible, match="conv-001`, a candidate") as error:
        plan(library, asked("approve", finding(library)))

    assert error.value.hint == "decide on `sniper:conv-001`"
    assert plan(library, asked("keep", finding(library))).effects == ()


def test_a_rejected_finding_says_who_rejected_it_and_why(tmp_path: Path) -> None:
    library = shop_with(tmp_path, 5)
    library = done(library, "reject", finding(library), reason="too specific")

    assert decided(library, finding(library)).state == "rejected"  # type: ignore[union-attr]
    assert "too specific" in plan(library, asked("reject", finding(library))).notes[0]
    with pytest.raises(NotPossible, match="too specific"):
        plan(library, asked("approve", finding(library)))


def test_marked_together_what_was_decided_is_noted_and_the_rest_is_done(tmp_path: Path) -> None:
    found = [rule(RULE, "medium"), rule("Never trust the client clock", "medium")]
    library = project(tmp_path, {path_of(5): retro(5, new_conventions=found)})
    first, second = library.of_kind("finding")
    library = done(library, "approve", first)

    library = carry_out(library, plan(library, asked("approve", first, second)))

    assert len(list(library.of_kind("convention"))) == 2


def test_two_retros_that_found_the_same_become_one_entry(tmp_path: Path) -> None:
    library = shop_with(tmp_path, 5, 6)

    change = plan(library, asked("approve", finding(library, 5), finding(library, 6)))
    library = carry_out(library, change)

    (entry,) = library.of_kind("convention")
    text = (tmp_path / "shop" / CONVENTIONS).read_text()
    assert entry.status is Status.ACTIVE
    assert ("sprint-5-retro" in text, "sprint-6-retro" in text) == (True, True)
    assert queue(library) == ()


def test_approving_what_a_candidate_says_lifts_the_candidate(tmp_path: Path) -> None:
    library = shop_with(tmp_path, 5, 6)
    library = done(library, "keep", finding(library, 5))
    assert Why.RECURRENCE in {item.reason for item in queue(library)}

    library = done(library, "approve", finding(library, 6))

    assert [(kind, status) for kind, _, status in memory_of(library)] == [("convention", "active")]
    assert queue(library) == ()


def test_undoing_an_approval_lets_the_finding_wait_again(tmp_path: Path) -> None:
    library = shop_with(tmp_path, 5)
    after = done(library, "approve", finding(library))
    (tmp_path / "shop" / CONVENTIONS).unlink()

    assert decided(after, finding(after)) is not None
    assert decided(after.refresh(), finding(library)) is None


def test_a_retro_shows_what_each_finding_became(tmp_path: Path) -> None:
    found = {"new_conventions": [rule(RULE, "medium")], "new_anti_patterns": [mistake("Sleeping")]}
    library = project(tmp_path, {path_of(5): retro(5, **found)})
    library = done(library, "approve", finding(library))

    states = {each.title: state_of(library, each) for each in library.of_kind("finding")}

    assert states == {RULE: "confirmed", "Sleeping": "candidate"}
