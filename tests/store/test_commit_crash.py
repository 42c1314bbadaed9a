"""Whatever call of a commit, an undo or a recovery is the last one, nothing is half done after."""

import errno
import shutil
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.failing_disk import HARMLESS, CountingDisk, DyingDisk, Killed, RefusingDisk
from tests.hostile.crashing import memory_folder
from tests.store.committing import World

from remem.base.errors import WriteFailed
from remem.model.change import Create
from remem.store.changes.effects_to_steps import BaseMoved
from remem.store.changes.recovery import Recovered
from remem.store.io import Disk

pytestmark = pytest.mark.slow

Act = Callable[[World], object]


@pytest.fixture(autouse=True)
def quick_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Death of a process loses nothing that was written, so durability may be skipped here."""
    monkeypatch.setattr("os.fsync", lambda _: None)


class Worlds:
    """Makes worlds at one place, for the journal holds absolute paths; one stands at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept: dict[tuple[Act, ...], Path] = {}

    def __call__(self, given: Sequence[Act] = ()) -> World:
        """Return a new world in which that was done; it is done once and copied then."""
        live, made = self.folder / "live", tuple(given)
        shutil.rmtree(live, ignore_errors=True)
        if made not in self.kept:
            with World(live).build() as world:
                for earlier in made:
                    earlier(world)
            self.kept[made] = live.rename(self.folder / str(len(self.kept)))
        shutil.copytree(self.kept[made], live)
        return World(live)


@pytest.fixture
def fresh() -> Iterator[Worlds]:
    """Build worlds in memory where there is such a folder: SQLite's own syncs cost minutes."""
    with TemporaryDirectory(dir=memory_folder()) as folder:
        yield Worlds(Path(folder))


def commit_everything(world: World) -> None:
    world.commit(*world.everything())


def undo_last(world: World) -> None:
    world.undo(world.journal.changes(world.root)[0].id)


def redo_last(world: World) -> None:
    world.redo(world.journal.changes(world.root)[0].id)


CASES = [
    pytest.param([], commit_everything, id="commit"),
    pytest.param([commit_everything], undo_last, id="undo"),
    pytest.param([commit_everything, undo_last], redo_last, id="redo", marks=pytest.mark.slow),
]


def calls_of(fresh: Worlds, given: list[Act], act: Act) -> list[str]:
    with fresh(given) as world:
        disk = CountingDisk()
        act(world.after(disk))
        return disk.calls


def ends_apart(calls: Sequence[str]) -> list[int]:
    """Return the calls, from 1, before which an end may leave another state than before others.

    From one that leaves nothing behind to the next call nothing changes; after one that does, rows
    of a database may be written before the next one.
    """
    return [
        at
        for at, name in enumerate(calls, 1)
        if at == 1 or name not in HARMLESS or calls[at - 2] not in HARMLESS
    ]


def calls_of_recovery(world: World) -> list[int]:
    """Recover, and return the calls before which an end would have left something else."""
    disk = CountingDisk()
    world.after(disk).committer.recovery.run()
    return ends_apart(disk.calls)


def dying(world: World, act: Act, at: int, how: str) -> None:
    with pytest.raises(Killed):
        act(world.after(DyingDisk(at, how)))


def goes_live(fresh: Worlds) -> int:
    """Return the call of a commit after which the live file has its new bytes."""
    for at in count(1):
        with fresh() as world:
            before = world.store.read_bytes()
            with pytest.raises(Killed):
                world.after(DyingDisk(at, "after")).commit(world.splice(b"candidate", b"confirmed"))
            if world.store.read_bytes() != before:
                return at
    raise AssertionError


def standing(world: World) -> list[bool]:
    """Return for every change in the history whether it stands."""
    return [not logged.undone for logged in world.journal.changes(world.root)]


def recover(world: World) -> tuple[Recovered, ...]:
    return world.after(Disk()).committer.recovery.run()


@pytest.mark.parametrize("how", ["before", "torn"])
@pytest.mark.parametrize(("given", "act"), CASES)
def test_killed_at_any_call_leaves_all_or_nothing_after_recovery(
    fresh: Worlds, given: list[Act], act: Act, how: str
) -> None:
    calls = calls_of(fresh, given, act)
    writes = [at for at, name in enumerate(calls, 1) if name == "write"]
    places = ends_apart(calls) if how == "before" else writes
    seen: set[bool] = set()

    for at in places:
        with fresh(given) as world:
            before, stood = world.picture(), standing(world)
            dying(world, act, at, how)

            recover(world)
            recover(world)

            done = standing(world) != stood
            seen.add(done)
            if done:
                (redo_last if act is undo_last else undo_last)(world.after(Disk()))
            assert world.picture() == before, f"killed {how} call {at}"
            assert world.litter() == []
    assert False in seen
    assert (True in seen) == (how == "before")


def test_killed_at_any_call_where_a_file_cannot_have_two_names(
    fresh: Worlds, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr("os.link", refuse)
    calls = calls_of(fresh, [], commit_everything)

    for at in ends_apart(calls):
        with fresh() as world:
            before = world.picture()
            for _ in kills_inside_recovery(world, commit_everything, at):
                pass

            recover(world)

            if standing(world):
                undo_last(world.after(Disk()))
            assert world.picture() == before, f"killed at call {at}"
            assert world.litter() == []


def kills_inside_recovery(world: World, act: Act, at: int) -> Iterator[int]:
    """Kill recovery at its first call, then the next one at its second, until one lives."""
    dying(world, act, at, "before")
    last = 1
    while True:
        try:
            world.after(DyingDisk(last, "before" if last % 2 else "after")).committer.recovery.run()
        except Killed:
            yield last
            last += 1
        else:
            return


@pytest.mark.parametrize(("given", "act"), CASES)
def test_recovery_killed_again_and_again_still_ends_whole(
    fresh: Worlds, given: list[Act], act: Act
) -> None:
    calls = calls_of(fresh, given, act)

    for at in ends_apart(calls)[1::2]:
        with fresh(given) as world:
            before, stood = world.picture(), standing(world)
            for _ in kills_inside_recovery(world, act, at):
                pass

            recover(world)

            if standing(world) == stood:
                assert world.picture() == before, f"killed at call {at}"
            assert world.litter() == []


@pytest.mark.parametrize(("given", "act"), CASES)
def test_a_kill_in_every_second_place_and_of_its_recovery_too(
    fresh: Worlds, given: list[Act], act: Act
) -> None:
    for at in ends_apart(calls_of(fresh, given, act))[::2]:
        with fresh(given) as world:
            dying(world, act, at, "before")
            recovering = calls_of_recovery(world)
        for again in recovering[at % 3 :: 3]:
            with fresh(given) as world:
                before, stood = world.picture(), standing(world)
                dying(world, act, at, "before")
                with pytest.raises(Killed):
                    world.after(DyingDisk(again, "before")).committer.recovery.run()

                recover(world)

                if standing(world) == stood:
                    assert world.picture() == before, f"killed at {at}, in recovery at {again}"
                assert world.litter() == []


@pytest.mark.parametrize(
    ("number", "from_then_on", "step"),
    [
        pytest.param(errno.ENOSPC, True, 1, id="full from then on"),
        pytest.param(errno.EIO, False, 1, id="EIO"),
        pytest.param(errno.ENOSPC, False, 3, id="ENOSPC"),
        pytest.param(errno.EACCES, False, 3, id="EACCES"),
        pytest.param(errno.EROFS, True, 3, id="EROFS from then on"),
        pytest.param(errno.EDQUOT, False, 4, id="EDQUOT"),
        pytest.param(errno.EMFILE, False, 4, id="EMFILE"),
    ],
)
def test_an_error_at_any_call_leaves_all_or_nothing_and_says_so(
    fresh: Worlds, number: int, from_then_on: bool, step: int
) -> None:
    calls = calls_of(fresh, [], commit_everything)

    for at in range(1, len(calls) + 1, step):
        with fresh() as world:
            before = world.picture()
            failing = world.after(RefusingDisk(at, number, from_then_on=from_then_on))

            failed = ""
            try:
                commit_everything(failing)
            except WriteFailed as error:
                failed = str(error)

            assert bool(failed) == (standing(world) == []), f"call {at}: {failed}"
            if failed and "on the next start" not in failed:
                assert world.picture() == before, f"call {at}: {failed}"
            recover(world)
            if failed:
                assert world.picture() == before, f"call {at}: {failed}"
            assert world.litter() == []


def test_what_others_wrote_after_a_crash_survives_the_recovery(
    fresh: Worlds,
) -> None:
    replaced = goes_live(fresh)
    with fresh() as world:
        before = world.store.read_bytes()
        with pytest.raises(Killed):
            world.after(DyingDisk(replaced, "after")).commit(
                world.splice(b"candidate", b"confirmed")
            )
        with world.store.open("ab") as file:
            file.write(b"  - id: conv-003\n")

        outcome = recover(world)

        assert [found.outcome for found in outcome] == ["rolled back"]
        assert world.store.read_bytes() == before + b"  - id: conv-003\n"
        assert world.litter() == []


def test_what_cannot_be_taken_back_after_a_crash_goes_on_record(
    fresh: Worlds,
) -> None:
    replaced = goes_live(fresh)
    with fresh() as world:
        with pytest.raises(Killed):
            world.after(DyingDisk(replaced, "after")).commit(
                world.splice(b"candidate", b"confirmed"), title="Approve it"
            )
        theirs = world.store.read_bytes().replace(b"confirmed", b"rewritten")
        world.store.write_bytes(theirs)

        (outcome,) = recover(world)

        assert outcome.outcome == "partly applied"
        assert "changed by another program" in outcome.details[0]
        assert world.store.read_bytes() == theirs
        assert [logged.title for logged in world.journal.changes(world.root)] == [
            "Approve it (in part)"
        ]
        assert world.litter() == []


def test_what_a_crash_left_is_reported_without_being_touched(
    fresh: Worlds,
) -> None:
    half = len(calls_of(fresh, [], commit_everything)) // 2
    with fresh() as world:
        dying(world, commit_everything, half, "before")
        before = world.picture()

        pending = world.after(Disk()).committer.recovery.pending()

        assert [logged.title for logged in pending] == ["Change"]
        assert world.picture() == before


def test_what_a_crash_left_and_cannot_be_read_is_told_each_time_and_kept(fresh: Worlds) -> None:
    """Nobody knows how far it came: the former bytes beside the files are not cleared away."""
    half = len(calls_of(fresh, [], commit_everything)) // 2
    with fresh() as world:
        dying(world, commit_everything, half, "before")
        (intent,) = (world.state / "running").iterdir()
        data = bytearray(intent.read_bytes())
        data[len(data) // 2] ^= 1
        intent.write_bytes(data)
        beside = world.litter()

        for name in ("one.md", "two.md"):
            later = world.after(Disk())
            (told,) = later.committer.recovery.run()
            later.commit(Create(world.root / name, b"goes on\n"))
            assert told.outcome == "pending"
            assert str(intent) in told.details[0]
            assert [each.id for each in later.committer.recovery.pending()] == [intent.stem]

        assert len(beside) > 1
        assert world.litter() == beside


def test_the_next_commit_takes_back_what_a_crash_left_and_then_asks_for_a_new_plan(
    fresh: Worlds,
) -> None:
    half = len(calls_of(fresh, [], commit_everything)) // 2
    with fresh() as world:
        before = world.picture()
        dying(world, commit_everything, half, "before")

        with pytest.raises(BaseMoved):
            world.commit(world.splice(b"conv-002", b"conv-009"))

        assert world.litter() == []
        assert world.picture() == before
