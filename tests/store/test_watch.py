import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.store.committing import World

from remem.store.io import Disk
from remem.store.own_writes import OwnWrites
from remem.store.watch import Watcher

LIMIT = 10.0
"""Seconds after which a change that nobody told counts as lost."""
OFTEN = 0.02
"""Seconds between two looks of one that polls."""


class Seen:
    """Collects what a watcher tells until everything expected was told."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        self.paths: set[Path] = set()
        self.news = asyncio.Event()

    async def collect(self) -> None:
        async for paths in self.watcher.changes():
            self.paths |= paths
            self.news.set()

    async def until(self, *paths: Path) -> set[Path]:
        """Wait until all these paths were told, and return what was told besides."""
        async with asyncio.timeout(LIMIT):
            while not self.paths.issuperset(paths):
                self.news.clear()
                await self.news.wait()
        return self.paths - set(paths)


@asynccontextmanager
async def watching(watcher: Watcher, sentinel: Path) -> AsyncIterator[Seen]:
    """Watch; given is that the watcher stands, which a first file of ours tells."""
    seen = Seen(watcher)
    task = asyncio.create_task(seen.collect())
    writing = asyncio.create_task(write_until_seen(seen, sentinel))
    await seen.until(sentinel)
    writing.cancel()
    seen.paths.clear()
    try:
        yield seen
    finally:
        watcher.stop()
        async with asyncio.timeout(LIMIT):
            await task


async def write_until_seen(seen: Seen, sentinel: Path) -> None:
    for number in range(1_000):
        sentinel.write_text(str(number))
        try:
            await asyncio.wait_for(seen.until(sentinel), 0.1)
        except TimeoutError:
            continue
        return


@pytest.fixture(params=[False, True], ids=["inotify", "polling"])
def polling(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def watcher_of(*trees: Path, polling: bool = False, own: OwnWrites | None = None) -> Watcher:
    return Watcher(trees, Disk(), own or OwnWrites(), polling=polling, every=OFTEN)


def replaced(path: Path, text: str) -> None:
    beside = path.with_name(path.name + ".tmp")
    beside.write_text(text)
    beside.replace(path)


def deleted_and_made_again(path: Path, text: str) -> None:
    path.unlink()
    path.write_text(text)


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(Path.write_text, id="in-place"),
        pytest.param(replaced, id="atomic-replace"),
        pytest.param(deleted_and_made_again, id="delete-and-make"),
    ],
)
async def test_every_way_to_write_a_file_is_seen(
    tmp_path: Path, polling: bool, write: Callable[[Path, str], object]
) -> None:
    store = tmp_path / "store.yaml"
    store.write_text("a: 1\n")

    async with watching(watcher_of(tmp_path, polling=polling), tmp_path / "first") as seen:
        write(store, "a: 2\n")
        others = await seen.until(store)

    assert others <= {tmp_path / "first", tmp_path}


async def test_a_file_that_goes_is_seen(tmp_path: Path, polling: bool) -> None:
    store = tmp_path / "store.yaml"
    store.write_text("a: 1\n")

    async with watching(watcher_of(tmp_path, polling=polling), tmp_path / "first") as seen:
        store.unlink()
        await seen.until(store)


async def test_a_file_in_a_new_folder_in_a_new_folder_is_seen(
    tmp_path: Path, polling: bool
) -> None:
    async with watching(watcher_of(tmp_path, polling=polling), tmp_path / "first") as seen:
        new = tmp_path / "a" / "b" / "memory.md"
        new.parent.mkdir(parents=True)
        new.write_text("one\n")
        await seen.until(new)
        seen.paths.clear()

        new.write_text("one and more\n")
        await seen.until(new)


async def test_a_tree_that_is_missing_at_first_is_seen_when_it_comes(
    tmp_path: Path, polling: bool
) -> None:
    here, late = tmp_path / "here", tmp_path / "up" / "late"
    here.mkdir()

    async with watching(watcher_of(here, late, polling=polling), here / "first") as seen:
        late.mkdir(parents=True)
        (late / "memory.md").write_text("one\n")
        others = await seen.until(late / "memory.md")

    assert tmp_path / "up" not in others


async def test_a_folder_that_is_moved_away_and_made_again_is_still_watched(
    tmp_path: Path, polling: bool
) -> None:
    folder = tmp_path / "hill"
    folder.mkdir()
    (folder / "memory.md").write_text("one\n")

    async with watching(watcher_of(tmp_path, polling=polling), tmp_path / "first") as seen:
        folder.rename(tmp_path / "mara")
        await seen.until(tmp_path / "mara" / "memory.md", folder / "memory.md")
        folder.mkdir()
        await seen.until(folder)
        (folder / "again.md").write_text("two\n")
        await seen.until(folder / "again.md")


async def test_our_own_commits_are_not_told_and_the_next_write_of_others_is(
    tmp_path: Path, polling: bool
) -> None:
    own = OwnWrites()
    with World(tmp_path, own=own).build() as world:
        watcher = watcher_of(world.root, polling=polling, own=own)

        async with watching(watcher, world.root / "first") as seen:
            await asyncio.to_thread(world.commit, world.splice(b"candidate", b"confirmed"))
            (world.root / "old.md").write_text("theirs\n")
            others = await seen.until(world.root / "old.md")
            seen.paths.clear()

            with world.store.open("ab") as file:
                file.write(b"# theirs\n")
            await seen.until(world.store)

    assert world.store not in others
    assert not [path for path in others if path.name.startswith(".remem-")]


async def test_a_write_of_others_right_after_ours_is_told(tmp_path: Path, polling: bool) -> None:
    own = OwnWrites()
    with World(tmp_path, own=own).build() as world:
        watcher = watcher_of(world.root, polling=polling, own=own)

        async with watching(watcher, world.root / "first") as seen:
            world.commit(world.splice(b"candidate", b"confirmed"))
            with world.store.open("ab") as file:
                file.write(b"# theirs\n")
            await seen.until(world.store)


async def test_two_writes_within_one_second_are_both_seen(tmp_path: Path, polling: bool) -> None:
    store = tmp_path / "store.yaml"
    store.write_text("a: 1\n")

    async with watching(watcher_of(tmp_path, polling=polling), tmp_path / "first") as seen:
        for number in range(2, 5):
            seen.paths.clear()
            store.write_text(f"a: {number}\n")
            await seen.until(store)


async def test_what_editors_and_version_control_leave_is_not_told(
    tmp_path: Path, polling: bool
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "node_modules").mkdir()
    noise = ["a.md~", ".#a.md", "a.orig", "4913", "a (conflicted copy).md", ".a.md.swp"]

    async with watching(watcher_of(tmp_path, polling=polling), tmp_path / "first") as seen:
        for name in [*noise, ".git/HEAD", "node_modules/x.md", ".remem-1-0.new"]:
            (tmp_path / name).write_text("noise\n")
        (tmp_path / "last.md").write_text("real\n")
        others = await seen.until(tmp_path / "last.md")

    assert {path.name for path in others} <= {"first", tmp_path.name}


async def test_folders_that_are_to_be_ignored_are_not_told(tmp_path: Path, polling: bool) -> None:
    state = tmp_path / "state"
    state.mkdir()
    own = OwnWrites()
    watcher = Watcher([tmp_path], Disk(), own, polling=polling, ignored=[state], every=OFTEN)

    async with watching(watcher, tmp_path / "first") as seen:
        (state / "journal.db").write_text("x")
        (tmp_path / "last.md").write_text("real\n")
        others = await seen.until(tmp_path / "last.md")

    assert others <= {tmp_path / "first", tmp_path}


async def test_too_many_folders_are_watched_in_part_and_it_says_so(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / str(number)).mkdir()
    watcher = Watcher([tmp_path], Disk(), OwnWrites(), most=3)

    async with watching(watcher, tmp_path / "first"):
        pass

    assert watcher.is_partial


async def test_a_burst_of_files_is_told_whole(tmp_path: Path, polling: bool) -> None:
    files = [tmp_path / f"{number}.md" for number in range(300)]

    async with watching(watcher_of(tmp_path, polling=polling), tmp_path / "first") as seen:
        for path in files:
            path.write_text("x")
        await seen.until(*files)


async def test_a_watcher_that_nobody_listens_to_any_more_ends(tmp_path: Path) -> None:
    watcher = watcher_of(tmp_path)
    changes = watcher.changes()
    first: Awaitable[frozenset[Path]] = anext(changes)
    task = asyncio.ensure_future(first)
    await asyncio.sleep(0)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    with pytest.raises(StopAsyncIteration):
        await anext(changes)


def test_the_watching_library_is_not_loaded_before_it_is_needed() -> None:
    code = "import sys, remem.store.watch; sys.exit('watchfiles' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], check=False, env=os.environ)

    assert done.returncode == 0
