"""A late line is there when it stands there as a line, as often as it was written."""

import os
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests.racing_disk import RacingDisk
from tests.store.committing import World, next_id

from remem.base.clock import Clock
from remem.edit.lines import goes_on, missing_lines
from remem.store.changes.commit import Committer
from remem.store.changes.parked import added
from remem.store.changes.replace_live_file import Swapper
from remem.store.changes.without_step import joined
from remem.store.history.external_changes import Kept
from remem.store.history.journal import Journal
from remem.store.history.journal_records import Origin
from remem.store.io import Disk, Settled
from remem.store.own_writes import OwnWrites

pytestmark = pytest.mark.slow

PIECES: Final = st.sampled_from(
    [
        b"- foo bar baz\n",
        b"  - foo bar baz\n",
        b"- foo bar baz and more\n",
        b"bar baz\n",
        b"- foo bar baz\r\n",
        b"x\n",
        b"- ends with x\n",
        b"\xef\xbb\xbfx\n",
        b"\n",
        b"  \n",
    ]
)
TEXTS: Final = st.builds(
    lambda lines, cut: b"".join(lines).removesuffix(b"\n" if cut else b""),
    st.lists(PIECES, max_size=6),
    st.booleans(),
)
MEMORY: Final = b"# Hill\n\n- old\n  - foo bar baz\n- ends with x\n- said once\n"
LATE: Final = {
    "deeper": b"- foo bar baz\n",
    "end of another": b"x\n",
    "start of another": b"- ends\n",
    "said again": b"- said once\n",
    "as another line end": b"- said once\r\n",
    "unlike any other": b"- something else\n",
}


def counted(data: bytes) -> Counter[bytes]:
    """Count whole lines that hold something; the last one may lack its end."""
    return Counter(line for line in data.split(b"\n") if line.strip())


@given(TEXTS, TEXTS, TEXTS)
@example(b"", b"  - foo bar baz\n", b"- foo bar baz\n")
@example(b"", b"- ends with x\n", b"x\n")
@example(b"x\n", b"x\n", b"x\n")
@example(b"- foo", b"  - foo", b" bar baz\n")
@example(b"- foo", b"- foo\nx\n", b" bar baz")
@example(b"x", b"x", b"\nx")
def test_each_late_line_stands_in_the_live_file_as_often_as_it_was_written(
    before: bytes, live: bytes, tail: bytes
) -> None:
    late = before + tail

    wanted = added(live, before, late, live)

    half = before[before.rfind(b"\n") + 1 :]
    begun = Counter([half] if half.strip() and tail.partition(b"\n")[0] else [])
    fresh = counted(late) - (counted(before) - begun)
    assert not (counted(live) - begun + fresh) - counted(wanted)
    assert not counted(live) - begun - counted(wanted)
    assert sum(counted(wanted).values()) <= sum((counted(live) + fresh).values())


@given(TEXTS, TEXTS, TEXTS)
def test_a_late_line_that_somebody_put_there_since_is_not_put_there_again(
    before: bytes, made: bytes, tail: bytes
) -> None:
    whole = made if made.endswith(b"\n") or not made else made + b"\n"
    late = before + tail
    assume(not goes_on(before, late))

    live = added(whole, before, late, whole)

    assert missing_lines(before, live, late, whole) == []
    assert added(live, before, late, whole) == live


@given(TEXTS, TEXTS, TEXTS)
def test_what_two_made_of_a_text_has_every_line_that_one_of_them_added(
    base: bytes, one: bytes, two: bytes
) -> None:
    wanted = added(joined(base, one, two), base, two)

    assert not (counted(two) - counted(base)) - (counted(wanted) - counted(base))


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = datetime.now(UTC)

    def now(self) -> datetime:
        return self.time


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def world(tmp_path: Path, watch: Watch) -> Iterator[World]:
    with World(tmp_path).build() as world:
        world.store.write_bytes(MEMORY)
        take_over(world, Disk(), watch)
        yield world


def take_over(world: World, disk: Disk, watch: Watch) -> None:
    clock = Clock(now=watch.now, new_id=next_id)
    world.committer = Committer(disk, world.journal, clock, world.state)


def settle(world: World) -> None:
    world.committer.settle(world.render, Origin(world.root))


@pytest.mark.parametrize("after", [None, 0.0, 1.5, 61.0], ids=lambda s: f"{s} s")
@pytest.mark.parametrize("line", LATE.values(), ids=LATE.keys())
def test_a_line_that_comes_late_is_one_more_line_of_the_live_file(
    world: World, watch: Watch, line: bytes, after: float | None
) -> None:
    """`None`: at the last moment before the file is swapped out."""
    with world.store.open("ab", buffering=0) as held:
        if after is None:
            take_over(world, RacingDisk("exchange", lambda: held.write(line)), watch)
        world.commit(world.splice(b"old", b"new"))
        if after is not None:
            held.write(line)
            watch.time += timedelta(seconds=after)
    settle(world)
    watch.time += timedelta(seconds=61)
    settle(world)

    assert world.store.read_bytes() == MEMORY.replace(b"old", b"new") + line
    assert [*(world.state / "parked").iterdir()] == []


def test_a_line_that_the_change_itself_wrote_is_not_taken_for_the_late_one(
    world: World, watch: Watch
) -> None:
    with world.store.open("ab", buffering=0) as held:
        world.commit(world.splice(b"- old\n", b"- the same\n"))
        held.write(b"- the same\n")

    settle(world)

    assert world.store.read_bytes().splitlines().count(b"- the same") == 2


def test_the_same_line_each_time_comes_each_time(world: World, watch: Watch) -> None:
    with world.store.open("ab", buffering=0) as held:
        world.commit(world.splice(b"old", b"new"))
        for _ in range(3):
            held.write(b"- again\n")
            settle(world)

    assert world.store.read_bytes() == MEMORY.replace(b"old", b"new") + b"- again\n" * 3


def test_a_late_line_that_stood_inside_another_comes_back_when_a_stale_writer_takes_it_out(
    world: World, watch: Watch
) -> None:
    with world.store.open("ab", buffering=0) as held:
        world.commit(world.splice(b"old", b"new"))
        held.write(b"- foo bar baz\n")
    settle(world)
    stale = MEMORY.replace(b"old", b"new") + b"- stale writer\n"
    world.store.write_bytes(stale)
    soon_after = watch.time.timestamp() + 1
    os.utime(world.store, (soon_after, soon_after))

    world.committer.settle(world.render, Origin(world.root), fresh=True)

    assert world.store.read_bytes() == stale + b"- foo bar baz\n"


def test_half_a_late_line_is_not_put_where_others_would_tear_it(world: World, watch: Watch) -> None:
    with world.store.open("ab", buffering=0) as held:
        world.commit(world.splice(b"old", b"new"))
        held.write(b"- whole\n- ha")
        settle(world)
        with world.store.open("ab") as other:
            other.write(b"- other\n")
        held.write(b"lf\n")
    settle(world)

    after = world.store.read_bytes().removeprefix(MEMORY.replace(b"old", b"new"))
    assert after == b"- whole\n- other\n- half\n"


def test_half_a_late_line_that_is_never_ended_is_kept(world: World, watch: Watch) -> None:
    with world.store.open("ab", buffering=0) as held:
        world.commit(world.splice(b"old", b"new"))
        held.write(b"- ha")
        settle(world)
    settle(world)

    assert world.store.read_bytes() == MEMORY.replace(b"old", b"new") + b"- ha"


def test_lines_that_were_added_to_a_file_which_was_then_replaced_are_added_again(
    tmp_path: Path,
) -> None:
    path, other = tmp_path / "main.md", tmp_path / "other.md"
    path.write_bytes(b"  - late\n")
    other.write_bytes(b"  - late\n- theirs\n")

    disk = RacingDisk("fsync", lambda: other.replace(path))
    Swapper(disk, OwnWrites()).add_late(path, b"- late\n")

    assert path.read_bytes() == b"  - late\n- theirs\n- late\n"


def test_lines_that_whoever_replaced_the_file_had_read_are_not_added_again(
    tmp_path: Path,
) -> None:
    path, other = tmp_path / "main.md", tmp_path / "other.md"
    path.write_bytes(b"- one\n")
    other.write_bytes(b"- one\n- late\n- theirs\n")

    disk = RacingDisk("fsync", lambda: other.replace(path))
    Swapper(disk, OwnWrites()).add_late(path, b"- late\n")

    assert path.read_bytes() == b"- one\n- late\n- theirs\n"


def test_lines_that_cannot_wait_end_half_a_line_of_others_before_they_begin(
    tmp_path: Path,
) -> None:
    path = tmp_path / "main.md"
    path.write_bytes(b"- one\n- tw")

    Swapper(Disk(), OwnWrites()).add_late(path, b"- late\n")

    assert path.read_bytes() == b"- one\n- tw\n- late\n"


def test_what_could_not_be_parked_is_not_swept_away(
    world: World, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    parked = world.state / "parked"
    world.commit(world.splice(b"- said once", b"- said twice"))
    (astray,) = world.journal.parked()
    lies = next(parked.iterdir())
    beside = world.root / f".remem-{astray.op}-{astray.number}.old"
    lies.rename(beside)
    beside.write_bytes(beside.read_bytes() + b"- late\n")
    take_over(world, Disk(), watch)

    settle(world)

    assert world.store.read_bytes().endswith(b"- said twice\n- late\n")


def test_late_lines_too_big_for_the_history_stay_where_they_are(world: World, watch: Watch) -> None:
    world.journal.close()
    world.journal = Journal(Disk(), world.state, outside=Kept(each=8))
    take_over(world, Disk(), watch)
    with world.store.open("ab", buffering=0) as held:
        world.commit(world.splice(b"old", b"new"))
        held.write(b"\t: broken\n")
    origin = Origin(world.root)

    for _ in range(2):
        world.committer.settle(world.render, origin, lambda _, __: False)
        watch.time += timedelta(seconds=61)

    (kept,) = (world.state / "parked").iterdir()
    assert kept.read_bytes().endswith(b"\t: broken\n")
    assert isinstance(Disk().read_settled(kept, 0), Settled)
