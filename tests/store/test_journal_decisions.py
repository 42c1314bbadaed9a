"""Decisions of several changes: they are found, taken back and forgotten as one.

A change says who speaks, who set it off and what it followed from. Whatever is recorded, taken
back, settled and pruned in whatever order, that stays true, and nothing follows from what is gone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule
from tests.hostile.crashing import memory_folder
from tests.store.committing import World
from tests.store.test_journal import ROOT, ids, journal_at, logged
from tests.store.test_journal_keeping import NOW, fill

from remem.base.errors import NotPossible
from remem.core.settings import Keep
from remem.model.change import Change, Intent
from remem.store.changes.steps import Made
from remem.store.history.journal import Journal
from remem.store.history.journal_records import Actor, Logged, Origin, SetOff
from remem.store.history.journal_retention import NEWEST

LONG_AGO: Final = NOW - timedelta(days=500)


@contextmanager
def database(state: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(state / "journal.db", isolation_level=None)) as sql:
        yield sql


def record(journal: Journal, name: str, follows: str = "", days: int = 0) -> None:
    told = replace(logged(name, follows=follows), time=LONG_AGO + timedelta(days=days))
    journal.record(name, told, [Made(ROOT / f"{name}.md", b"x")])


def test_a_decision_is_kept_whole_as_long_as_its_last_part_is(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    record(journal, "alone")
    record(journal, "head")
    fill(journal, NEWEST - 1, time=LONG_AGO)
    record(journal, "part", follows="head")

    journal.prune(Keep(days=10), NOW)

    kept = {each.id: each for each in journal.changes(ROOT, 1_000)}
    assert "alone" not in kept
    assert (kept["head"].pruned, kept["part"].pruned) == (False, False)
    last = journal.last_to_undo(ROOT)
    assert last is not None
    assert last.id == "head"
    assert ids(journal.followers("head")) == ["part"]


def test_a_decision_is_forgotten_whole(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    record(journal, "head")
    record(journal, "part", follows="head", days=495)
    fill(journal, NEWEST)

    journal.prune(Keep(days=10), NOW)
    half = {each.id: each.pruned for each in journal.changes(ROOT, 1_000)}
    journal.prune(Keep(days=10), NOW + timedelta(days=10))
    lines = {each.id: each.pruned for each in journal.changes(ROOT, 1_000)}
    journal.prune(Keep(days=10), NOW + timedelta(days=20))

    assert (half["head"], half["part"]) == (False, False)
    assert (lines["head"], lines["part"]) == (True, True)
    assert not {"head", "part"} & {*ids(journal.changes(ROOT, 1_000))}


def decided_in_two(world: World) -> tuple[str, str]:
    """Commit a change and one that followed from it; return their ids."""
    head = world.commit(world.splice(b"candidate", b"confirmed"))
    more = Change(Intent("test"), "More", (world.splice(b"conv-002", b"conv-003"),))
    origin = Origin(world.root, follows=head)
    return head, world.committer.commit(more, world.render, origin).id


@pytest.mark.parametrize("gone", ["head", "part"])
def test_a_decision_of_which_a_part_is_not_kept_says_which_and_stays_as_it_is(
    tmp_path: Path, gone: str
) -> None:
    with World(tmp_path).build() as world:
        head, part = decided_in_two(world)
        name = head if gone == "head" else part
        with database(world.state) as sql:
            query = "DELETE FROM done WHERE seq = (SELECT seq FROM changes WHERE id = ?)"
            assert sql.execute(query, (name,)).rowcount == 1
        before = world.picture()

        with pytest.raises(NotPossible, match=f"{name}.* no longer kept") as raised:
            world.undo(head)

        assert (head in str(raised.value), world.picture()) == (True, before)
        assert [each.undone for each in world.journal.changes(world.root)] == [False, False]


def test_what_followed_from_a_change_that_is_gone_stands_for_itself(tmp_path: Path) -> None:
    with World(tmp_path).build() as world:
        first = world.picture()
        head, part = decided_in_two(world)
        world.undo(head)
        with database(world.state) as sql:
            sql.execute("DELETE FROM changes WHERE id = ?", (head,))

        world.journal.prune(Keep(), NOW)
        last = world.journal.last_to_redo(world.root)
        found = world.journal.get(part)

        assert last == found
        assert (found.origin.follows, world.journal.damage()) == ("", None)
        assert world.picture() == first


ACTORS: Final[Sequence[tuple[Actor, SetOff]]] = (
    ("person", "person"),
    ("agent", "agent"),
    ("auto", "person"),
    ("auto", ""),
)
PLACES: Final = (ROOT, ROOT / "service")
FEW: Final = 3
"""Changes that pruning keeps here whatever their age."""


@dataclass
class Known:
    """What a change is known to be, without the history."""

    name: str
    root: Path
    set_off: SetOff
    follows: str
    undone: int = 0
    undone_as: str = ""
    superseded: bool = False
    settled: str = ""


class Histories(RuleBasedStateMachine):
    """A history and a list of what was done to it, side by side."""

    names = Bundle("names")

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory(dir=memory_folder())
        self.journal = journal_at(Path(self.folder.name))
        self.journal.prepare()
        self.known: dict[str, Known] = {}
        self.number = 0
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr("remem.store.history.journal_retention.NEWEST", FEW)

    def teardown(self) -> None:
        self.patch.undo()
        self.journal.close()
        self.folder.cleanup()

    @property
    def now(self) -> timedelta:
        return timedelta(days=self.number)

    def at(self, root: Path) -> list[Known]:
        """Return the changes at a root or below it, oldest first."""
        return [each for each in self.known.values() if each.root.is_relative_to(root)]

    def below(self, each: Known) -> Path:
        return each.root / f"{each.name}.md"

    @rule(
        target=names, who=st.sampled_from(ACTORS), root=st.sampled_from(PLACES), again=st.booleans()
    )
    def record(self, who: tuple[Actor, SetOff], root: Path, again: bool) -> str:
        """Record a change; it may follow from the newest one that follows from none."""
        self.number += 1
        heads = [each for each in self.known.values() if not each.follows and not each.undone]
        follows = heads[-1].name if again and heads else ""
        made = Known(f"c{self.number:04}", root, who[1], follows)
        told = replace(logged(made.name, root, *who, follows), time=LONG_AGO + self.now)
        self.journal.record(made.name, told, [Made(self.below(made), b"x")])
        if made.set_off == "person":
            for each in self.at(root):
                each.superseded = each.superseded or each.undone > 0
        self.known[made.name] = made
        return made.name

    @rule(root=st.sampled_from(PLACES))
    def undo(self, root: Path) -> None:
        last = self.journal.last_to_undo(root)
        wanted = [e for e in self.at(root) if e.set_off == "person" and not e.undone]
        if not wanted:
            assert last is None
            return
        head = self.known.get(wanted[-1].follows, wanted[-1])
        head = wanted[-1] if head.undone else head
        assert last is not None
        assert last.id == head.name
        parts = [e for e in self.known.values() if e.follows == head.name and not e.undone]
        assert ids(self.journal.followers(head.name)) == [e.name for e in reversed(parts)]
        for each in (*reversed(parts), head):
            self.number += 1
            most = max((e.undone for e in self.known.values()), default=0)
            each.undone, each.undone_as, each.superseded = most + 1, head.name, False
            op = f"u{self.number:04}"
            self.journal.mark_undone(op, each.name, [Made(self.below(each), b"x")], (), head.name)

    @rule(root=st.sampled_from(PLACES))
    def redo(self, root: Path) -> None:
        last = self.journal.last_to_redo(root)
        heads = [
            e for e in self.at(root) if e.undone and not e.superseded and e.undone_as == e.name
        ]
        if not heads:
            assert last is None
            return
        head = max(heads, key=lambda e: e.undone)
        assert last is not None
        assert last.id == head.name
        with_it = [
            e
            for e in self.known.values()
            if e.undone_as == head.name and e is not head and e.undone
        ]
        assert ids(self.journal.undone_with(head.name)) == [e.name for e in with_it]
        for each in (head, *with_it):
            self.number += 1
            each.undone, each.undone_as = 0, ""
            self.journal.mark_redone(f"r{self.number:04}", each.name, [])

    @rule(name=names, why=st.sampled_from(["git", "late"]))
    def settle(self, name: str, why: str) -> None:
        if name in self.known:
            self.known[name].settled = why
            self.journal.settle(name, "git" if why == "git" else "late")

    @rule(days=st.integers(1, 30))
    def prune(self, days: int) -> None:
        before = {each.id: each for each in self.journal.changes(ROOT, 10_000)}

        self.journal.prune(Keep(days=days), LONG_AGO + self.now)

        left = {each.id: each for each in self.journal.changes(ROOT, 10_000)}
        gone = before.keys() - left.keys()
        steps = [name for name, each in sorted(before.items()) if not each.pruned]
        assert all(not left[name].pruned for name in steps[-FEW:])
        assert all(before[n].time < LONG_AGO + self.now - timedelta(days=2 * days) for n in gone)
        for name in gone:
            del self.known[name]
        for each in self.known.values():
            decision = [e for e in left.values() if each.name in (e.id, e.origin.follows)]
            assert len({part.pruned for part in decision}) == 1

    @rule()
    def open_again(self) -> None:
        self.journal.close()
        self.journal = journal_at(Path(self.folder.name))

    @invariant()
    def all_is_told_as_it_was_done(self) -> None:
        for root in PLACES:
            told = self.journal.changes(root, 10_000)
            assert [self.seen(each) for each in reversed(told)] == self.at(root)
            stands = [e.name for e in self.at(root) if not e.undone and not e.settled]
            assert ids(self.journal.standing(root, 10_000)) == stands[::-1]

    @invariant()
    def nothing_follows_from_what_is_gone(self) -> None:
        assert {each.follows for each in self.known.values()} <= {"", *self.known}
        assert self.journal.damage() is None

    def seen(self, told: Logged) -> Known:
        """Return what the history says, with what only the list knows."""
        known, origin = self.known[told.id], told.origin
        undone = known.undone if told.undone else 0
        return Known(
            *(told.id, origin.root, origin.set_off, origin.follows),
            *(undone, known.undone_as, told.superseded, told.settled),
        )


Histories.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestHistories = Histories.TestCase
