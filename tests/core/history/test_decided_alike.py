"""When two decide: which decision was made already, from the text that the other was shown?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from remem.base.errors import RememError
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import APPROVE, EDIT, REJECT, REMOVE
from remem.core.waiting.item import item_ids, kinds_drawn
from remem.model.change import Intent, Json

STORE = """\
conventions:
  - id: conv-001
    rule: "Queues are drained before a deploy"
  - id: conv-002
    rule: "Clocks are passed in"
    status: candidate
  - id: conv-003
    rule: "Flags have an owner"
    status: candidate
"""


class Two:
    """Two doors at one root, of which the first was shown it before the second decided."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "harbour"
        self.store = self.root / ".sniper" / "memory" / "conventions.yaml"
        self.store.parent.mkdir(parents=True)
        self.store.write_text(STORE)
        self.one, self.other = (
            Session.open(self.root, Places.of(folder / "home"), door="cli") for _ in range(2)
        )
        self.shown = {e.ref: e.digest for e in self.one.library.entries()}
        self.one.seen.note(self.one.library, self.shown)
        self.waits = self.one.queue()

    def asks(self, verb: Verb, *names: str, **arguments: Json) -> Intent:
        """Return what the first is about to ask."""
        refs = [ref for ref in self.shown if ref.id in names]
        cards = [each for ref in refs for each in self.waits if each.ref == ref]
        shown = {ref: self.shown[ref] for ref in refs}
        return Intent(verb.id, shown, arguments, item_ids(cards), kinds_drawn(cards))

    def decided(self, verb: Verb, *names: str, **arguments: Json) -> None:
        """Let the second decide."""
        refs = [each for each in self.other.library.entries() if each.ref.id in names]
        self.other.apply(self.other.intend(verb.id, refs, **arguments))

    def alike(self, intent: Intent) -> set[str]:
        """Let the first try it, and return what is told to be decided so already."""
        with pytest.raises(RememError):
            self.one.apply(intent)
        return {ref.id for ref in self.one.decided_alike(intent)}


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    made = Two(tmp_path)
    yield made
    made.one.close()
    made.other.close()


@pytest.mark.parametrize("verb", [APPROVE, REJECT], ids=["approve", "reject"])
def test_the_same_decision_on_the_same_text_is_told(two: Two, verb: Verb) -> None:
    two.decided(verb, "conv-002")

    assert two.alike(two.asks(verb, "conv-002")) == {"conv-002"}


def test_another_reason_is_no_other_decision(two: Two) -> None:
    two.decided(REJECT, "conv-002", reason="too vague")

    assert two.alike(two.asks(REJECT, "conv-002", reason="not ours")) == {"conv-002"}


def test_what_others_write_beside_it_does_not_hide_it(two: Two) -> None:
    two.decided(APPROVE, "conv-002")
    two.store.write_text(
        f"# kept by hand\n{two.store.read_text()}  - id: conv-009\n    rule: New\n"
    )

    assert two.alike(two.asks(APPROVE, "conv-002")) == {"conv-002"}


def test_of_several_those_are_told_that_were_decided(two: Two) -> None:
    two.decided(APPROVE, "conv-002")

    assert two.alike(two.asks(APPROVE, "conv-002", "conv-003")) == {"conv-002"}


def test_one_of_several_that_were_decided_at_once_is_told(two: Two) -> None:
    two.decided(APPROVE, "conv-002", "conv-003")

    assert two.alike(two.asks(APPROVE, "conv-003")) == {"conv-003"}


def test_another_verb_is_another_decision(two: Two) -> None:
    two.decided(REJECT, "conv-002")

    assert not two.alike(two.asks(APPROVE, "conv-002"))


def test_other_words_in_its_place_are_another_decision(two: Two) -> None:
    two.decided(APPROVE, "conv-002", fields={"rule": "Clocks and dice are passed in"})

    assert not two.alike(two.asks(APPROVE, "conv-002"))


def test_a_text_that_was_rewritten_afterwards_is_another_one(two: Two) -> None:
    two.decided(APPROVE, "conv-002")
    two.store.write_text(two.store.read_text().replace("are passed in", "are global"))

    assert not two.alike(two.asks(APPROVE, "conv-002"))


def test_a_text_that_was_rewritten_before_it_is_another_one(two: Two) -> None:
    two.store.write_text(two.store.read_text().replace("are passed in", "are global"))
    two.other.refresh([two.store])
    two.decided(APPROVE, "conv-002")

    assert not two.alike(two.asks(APPROVE, "conv-002"))


def test_what_was_decided_otherwise_since_is_not_told_as_it_was_before(two: Two) -> None:
    two.decided(APPROVE, "conv-002")
    two.decided(REMOVE, "conv-002")

    assert not two.alike(two.asks(APPROVE, "conv-002"))


def test_what_was_taken_back_is_not_decided(two: Two) -> None:
    two.decided(APPROVE, "conv-002")
    two.other.undo()

    assert not two.one.decided_alike(two.asks(APPROVE, "conv-002"))


def test_a_decision_of_another_program_is_not_taken_for_one(two: Two) -> None:
    two.store.write_text(two.store.read_text().replace("status: candidate", "status: confirmed", 1))

    assert not two.alike(two.asks(APPROVE, "conv-002"))


def test_an_edit_to_the_same_words_is_told_and_to_others_is_not(two: Two) -> None:
    two.decided(EDIT, "conv-001", fields={"rule": "Queues are empty before a deploy"})
    same = two.asks(EDIT, "conv-001", fields={"rule": "Queues are empty before a deploy"})
    other = two.asks(EDIT, "conv-001", fields={"rule": "Queues are full before a deploy"})

    assert two.alike(same) == {"conv-001"}
    assert not two.alike(other)
