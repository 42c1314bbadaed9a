"""A decision is planned again while it means the same; where it may not, nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from remem.config import Places
from remem.errors import Conflict
from remem.model.change import Intent
from remem.workbench import Workbench

STORE = b"""conventions:
  - id: conv-001
    rule: "Clocks are passed in"
    status: candidate
  - id: conv-002
    rule: "Queues are drained"
    status: candidate
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "harbour" / ".sniper" / "memory" / "conventions.yaml"
    path.parent.mkdir(parents=True)
    path.write_bytes(STORE)
    return path


@pytest.fixture
def bench(store: Path) -> Workbench:
    return Workbench(store.parents[2], Places.of(store.parents[3] / "home"), door="cli")


def approve(bench: Workbench, *names: str) -> Intent:
    return bench.intend("approve", [bench.library.resolve(name) for name in names])


def test_a_comment_between_look_and_commit_does_not_stop_it(store: Path, bench: Workbench) -> None:
    intent = approve(bench, "conv-001")
    theirs = STORE.replace(b'passed in"\n', b'passed in"   # always\n    evidence: 4 stories\n')
    store.write_bytes(theirs)

    done = bench.apply(intent)

    assert store.read_bytes() == theirs.replace(b"candidate", b"confirmed", 1)
    (before,) = done.change.intent.shown.values()
    assert before not in intent.shown.values()
    bench.undo()
    assert store.read_bytes() == theirs


def test_another_meaning_between_look_and_commit_writes_nothing(
    store: Path, bench: Workbench
) -> None:
    intent = approve(bench, "conv-001")
    theirs = STORE.replace(b"passed in", b"global")
    store.write_bytes(theirs)

    with pytest.raises(Conflict) as raised:
        bench.apply(intent)

    sides = raised.value.sides
    assert "passed in" in (sides.base or "")
    assert "global" in (sides.theirs or "")
    assert "confirmed" in (sides.yours or "")
    assert store.read_bytes() == theirs
    assert bench.history() == ()


def test_what_was_shown_is_remembered_over_later_snapshots(store: Path, bench: Workbench) -> None:
    intent = approve(bench, "conv-001")
    bench.seen.note(bench.library, intent.shown)
    for word in (b"global", b"local", b"passed  in"):
        store.write_bytes(STORE.replace(b"passed in", word))
        bench.refresh([store])

    bench.apply(intent)

    assert b"passed  in" in store.read_bytes()
    assert b"confirmed" in store.read_bytes()


def test_one_of_many_that_reads_otherwise_holds_all_of_them_back(
    store: Path, bench: Workbench
) -> None:
    intent = approve(bench, "conv-001", "conv-002")
    theirs = STORE.replace(b"drained", b"filled")
    store.write_bytes(theirs)

    with pytest.raises(Conflict, match="conv-002"):
        bench.apply(intent)

    assert store.read_bytes() == theirs
