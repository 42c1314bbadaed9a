"""Files that were replaced are looked after until nobody can write to them any more."""

import errno
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.store.committing import STORE, World, next_id

from remem.base.clock import Clock
from remem.model.change import Change, Committed, Delete, Intent
from remem.model.entry import digest_of
from remem.store.changes.commit import Committer
from remem.store.history.journal_records import Origin
from remem.store.io import Disk

pytestmark = pytest.mark.slow

LATE = b"  - id: conv-900\n"


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = datetime.now(UTC)

    def now(self) -> datetime:
        return self.time


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path).build() as world:
        yield world


@pytest.fixture
def watch(world: World) -> Watch:
    watch = Watch()
    clock = Clock(now=watch.now, new_id=next_id)
    world.committer = Committer(Disk(), world.journal, clock, world.state)
    return watch


def settle(world: World, *, sound: bool = True, leaving: bool = False) -> tuple[Committed, ...]:
    return world.committer.settle(
        world.render, Origin(world.root), lambda _, __: sound, leaving=leaving
    )


def parked(world: World) -> list[str]:
    return sorted(path.name for path in (world.state / "parked").iterdir())


def test_a_line_from_a_handle_that_was_open_all_the_time_comes_to_the_live_file(
    world: World, watch: Watch
) -> None:
    with world.store.open("ab", buffering=0) as held:
        made = world.commit(world.splice(b"candidate", b"confirmed"))
        held.write(LATE)

    (kept,) = settle(world)

    confirmed = STORE.replace(b"candidate", b"confirmed")
    assert world.store.read_bytes() == confirmed + LATE
    assert kept.change.intent.verb == "late"
    assert settle(world) == ()
    world.undo(made)
    assert world.store.read_bytes() == STORE + LATE


def test_late_lines_that_cannot_be_written_now_hold_up_no_decision(
    world: World, watch: Watch
) -> None:
    with world.store.open("ab", buffering=0) as held:
        world.commit(world.splice(b"candidate", b"confirmed"))
        held.write(LATE)

    class Full(Disk):
        def perform(self, name, call, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            if name == "append":
                raise OSError(errno.ENOSPC, "no room")
            return super().perform(name, call, *args, **kwargs)

    other = world.after(Full())

    assert other.committer.settle(other.render, Origin(other.root)) == ()
    (kept,) = settle(world)

    assert kept.change.intent.verb == "late"
    assert world.store.read_bytes().endswith(LATE)


def test_each_further_line_of_an_open_handle_comes_once(world: World, watch: Watch) -> None:
    with world.store.open("ab", buffering=0) as held:
        world.commit(world.splice(b"candidate", b"confirmed"))
        for number in range(3):
            held.write(b"# late %d\n" % number)
            settle(world)

    late = world.store.read_bytes().removeprefix(STORE.replace(b"candidate", b"confirmed"))
    assert late == b"# late 0\n# late 1\n# late 2\n"


def test_half_a_line_gets_its_other_half(world: World, watch: Watch) -> None:
    with world.store.open("ab", buffering=0) as held:
        held.write(b"# one ")
        world.commit(world.splice(b"candidate", b"confirmed"))
        with world.store.open("ab") as other:
            other.write(b"\n# two\n")
        held.write(b"line\n# three\n")

    settle(world)

    late = world.store.read_bytes().removeprefix(STORE.replace(b"candidate", b"confirmed"))
    assert late == b"# one line\n# two\n# three\n"


def test_a_rewrite_through_an_open_handle_is_merged(world: World, watch: Watch) -> None:
    with world.store.open("r+b", buffering=0) as held:
        world.commit(world.splice(b"candidate", b"confirmed"))
        held.truncate(0)
        held.write(STORE.replace(b"conv-002", b"conv-002\n    rule: theirs"))

    settle(world)

    assert b"confirmed" in world.store.read_bytes()
    assert b"rule: theirs" in world.store.read_bytes()


def test_late_bytes_that_would_break_the_file_are_kept_in_the_history(
    world: World, watch: Watch
) -> None:
    with world.store.open("ab", buffering=0) as held:
        world.commit(world.splice(b"candidate", b"confirmed"))
        held.write(b"\t: broken\n")

    assert settle(world, sound=False) == ()

    assert b"broken" not in world.store.read_bytes()
    (noted,) = world.journal.outside(world.root)
    assert noted.cause == "late"
    assert any(b"broken" in str(hunk).encode() for hunk in noted.hunks)
    assert settle(world, sound=False) == ()


def test_late_lines_that_a_stale_writer_took_out_at_once_come_back(
    world: World, watch: Watch
) -> None:
    with world.store.open("ab", buffering=0) as held:
        world.commit(world.splice(b"candidate", b"confirmed"))
        held.write(LATE)
    settle(world)
    without = world.store.read_bytes().removesuffix(LATE)
    world.store.write_bytes(without + b"# stale writer\n")

    world.committer.settle(world.render, Origin(world.root), fresh=True)

    assert world.store.read_bytes() == without + b"# stale writer\n" + LATE


def test_late_lines_that_are_taken_out_later_stay_out(world: World, watch: Watch) -> None:
    with world.store.open("ab", buffering=0) as held:
        world.commit(world.splice(b"candidate", b"confirmed"))
        held.write(LATE)
    settle(world)
    without = world.store.read_bytes().removesuffix(LATE)
    world.store.write_bytes(without)
    later = (watch.time + timedelta(seconds=30)).timestamp()
    os.utime(world.store, (later, later))

    assert settle(world) == ()
    assert world.store.read_bytes() == without


def test_a_removed_file_that_is_still_written_to_comes_back(world: World, watch: Watch) -> None:
    old = world.root / "old.md"
    with old.open("ab", buffering=0) as held:
        world.commit(Delete(old, b"going\n", digest_of(b"going\n")))
        held.write(b"not yet\n")

    settle(world)

    assert old.read_bytes() == b"going\nnot yet\n"


def test_a_parked_file_goes_after_a_minute_and_not_while_it_is_open(
    world: World, watch: Watch
) -> None:
    held = world.store.open("ab", buffering=0)
    world.commit(world.splice(b"candidate", b"confirmed"))
    settle(world)
    assert len(parked(world)) == 1

    watch.time += timedelta(seconds=61)
    settle(world)
    while_open = parked(world)
    held.close()
    settle(world)

    assert len(while_open) == 1
    assert parked(world) == []
    assert world.journal.parked() == ()


def test_what_lies_beside_a_file_goes_when_the_last_one_leaves(world: World, watch: Watch) -> None:
    state = world.state

    class Apart(Disk):
        """As if the state folder lay on another file system."""

        def device(self, path: Path) -> int | None:
            return 0 if path == state else super().device(path)

    clock = Clock(now=watch.now, new_id=next_id)
    world.committer = Committer(Apart(), world.journal, clock, world.state)
    world.commit(world.splice(b"candidate", b"confirmed"))
    beside = world.litter()

    settle(world)
    assert world.litter() == beside != []
    settle(world, leaving=True)

    assert world.litter() == []
    assert world.journal.parked() == ()


def test_late_lines_and_the_note_of_them_are_one_step(world: World, watch: Watch) -> None:
    with world.store.open("ab", buffering=0) as held:
        world.commit(world.splice(b"candidate", b"confirmed"))
        held.write(LATE)

    settle(world)

    assert [logged.origin.actor for logged in world.journal.changes(world.root)] == [
        "auto",
        "person",
    ]
    (row,) = world.journal.parked()
    assert row.tail == len(LATE)


def test_a_change_that_is_held_stays_one_change(world: World, watch: Watch) -> None:
    made = world.commit(world.splice(b"candidate", b"confirmed"))
    world.store.write_bytes(STORE + b"# stale writer\n")
    again = Change(Intent("test"), "Change", (world.splice(b"candidate", b"confirmed"),))

    world.committer.hold(made, again, world.render)

    confirmed = STORE.replace(b"candidate", b"confirmed")
    assert world.store.read_bytes() == confirmed + b"# stale writer\n"
    assert [logged.id for logged in world.journal.changes(world.root)] == [made]
    world.undo(made)
    assert world.store.read_bytes() == STORE + b"# stale writer\n"
