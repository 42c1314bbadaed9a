"""Watching: which paths changed on disk, as sets, until it is stopped.

It watches folders, never files: an atomic replace takes the file that was watched away. Events only
say where to look; what changed is told by stamps, and what remem wrote itself is left out.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Iterable, Iterator
from contextlib import aclosing
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

from remem.store.io import Disk, Stamp
from remem.store.own_writes import OwnWrites

STEP_MS: Final = 5
"""Between two looks for news, of which it takes two: a change is told of 5 to 10 ms after it. Where
nothing changes the looks take 0.6 % of a processor; each 10 ms it would be 0.3, each 1 ms 2.0."""
DEBOUNCE_MS: Final = 50
"""What goes on to change is told of all the same after so long."""
POLL_SECONDS: Final = 0.3
MAX_FOLDERS: Final = 5_000
"""Folders watched at most, the upper ones first: the system gives a user a bounded number."""

_SKIPPED: Final = frozenset(
    {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".nox"}
    | {".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"}
)
_NOISE: Final = (
    ".remem-*",
    "*.sync-conflict-*",
    "*conflicted copy*",
    "*.orig",
    "*.tmp",
    "*~",
    ".#*",
    ".*.sw?",
    "4913",
)


class Watcher:
    """Tells which paths below some folders changed; a folder that is missing may come later."""

    def __init__(
        self,
        trees: Iterable[Path],
        disk: Disk,
        own: OwnWrites,
        *,
        polling: bool = False,
        ignored: Collection[Path] = (),
        files: Callable[[], Collection[Path]] = tuple,
        every: float = POLL_SECONDS,
        most: int = MAX_FOLDERS,
    ) -> None:
        """Say what to watch; nothing is opened before `changes`.

        Args:
            trees: Folders to watch with all below them. Where one is missing, the nearest folder
                above it is watched until it appears.
            disk: For looking at what is there.
            own: Writes that are not reported while the file still has exactly those bytes.
            polling: Look again and again instead of asking the system: for network drives.
            ignored: Folders that are left out, our own state for one.
            files: Asked again and again for files elsewhere that are watched by themselves.
            every: Seconds between two looks while polling.
            most: Folders that are watched.
        """
        self._trees = tuple(trees)
        self._disk = disk
        self._own = own
        self._ignored = frozenset(ignored)
        self._files = files
        self._every = every
        self._most = most
        self._single = frozenset[Path]()
        self._on_the_way = frozenset[Path]()
        """Folders of those files, which may come later."""
        self._stop = asyncio.Event()
        self._seen: dict[Path, Stamp | None] = {}
        self.is_polling = polling
        """Also set when the system refuses to tell of changes."""
        self.is_partial = False
        """There are more folders than are watched."""

    def stop(self) -> None:
        """End `changes`; to be called where it runs."""
        self._stop.set()

    async def changes(self) -> AsyncIterator[frozenset[Path]]:
        """Yield sets of files and folders that were made, changed or removed, never empty ones.

        A path in a set may have been written more than once, and may be gone again. What happened
        before the first step is not told: begin to watch, then read.
        """
        self._seen = dict(await asyncio.to_thread(self._look))
        while not self._stop.is_set():
            rounds = self._polled() if self.is_polling else self._told()
            async with aclosing(rounds) as dirty_sets:
                async for dirty in dirty_sets:
                    if dirty:
                        yield dirty

    async def _polled(self) -> AsyncGenerator[frozenset[Path], None]:
        while not self._stop.is_set():
            try:
                await asyncio.wait_for(self._stop.wait(), self._every)
            except TimeoutError:
                yield await asyncio.to_thread(self._differences)

    async def _told(self) -> AsyncGenerator[frozenset[Path], None]:
        """Listen until the folders to listen to are others, or the system refuses."""
        # 48 ms that a first frame need not wait for.
        from watchfiles import awatch

        self._single = frozenset(self._files())
        self._on_the_way = frozenset(path.parent for path in self._single)
        folders = frozenset(await asyncio.to_thread(lambda: tuple(self._folders())))
        ended = _Ended(self._stop)
        rounds = awatch(
            *folders,
            watch_filter=None,
            step=STEP_MS,
            debounce=DEBOUNCE_MS,
            stop_event=ended,
            recursive=False,
            ignore_permission_denied=True,
        )
        waiting = asyncio.ensure_future(anext(rounds, None))
        try:
            # The watch stands once its first step has run; then what came before it is looked up.
            await asyncio.sleep(0)
            yield await asyncio.to_thread(self._differences)
            while (events := await waiting) is not None:
                paths = {Path(path) for _, path in events}
                moved_on, news = await asyncio.to_thread(self._heard, paths, folders)
                if not moved_on:
                    waiting = asyncio.ensure_future(anext(rounds, None))
                yield news
                # What was told may have named other files to watch.
                if moved_on or self._single != frozenset(self._files()):
                    return
        except FileNotFoundError:
            return  # a folder went just before it was to be watched: look which are there now
        except OSError:
            self.is_polling = True
        finally:
            ended.set()
            # What it raises was raised above, or concerns nobody any more.
            await asyncio.gather(waiting, return_exceptions=True)

    def _heard(self, paths: set[Path], folders: frozenset[Path]) -> tuple[bool, frozenset[Path]]:
        """Return whether to listen to other folders from now on, and the events that are news."""
        return self._calls_for_new_folders(paths, folders), self._settled(paths)

    def _calls_for_new_folders(self, paths: set[Path], folders: frozenset[Path]) -> bool:
        """Tell whether a folder came or went; then everything below is looked at again."""
        return any(
            path in folders or self._disk.kind(path) == "folder"
            for path in paths
            if self._matters(path)
        )

    def _settled(self, paths: set[Path]) -> frozenset[Path]:
        """Return the events that are news, and remember how those files stand now."""
        news = {
            path
            for path in paths
            if path in self._single or (self._tree_of(path) and self._matters(path))
        }
        for path in news:
            stamp = self._disk.stamp(path)
            if stamp is None:
                self._seen.pop(path, None)
            else:
                self._seen[path] = stamp
        return frozenset(path for path in news if not self._own.is_own(self._disk, path))

    def _differences(self) -> frozenset[Path]:
        """Return what is not as it was seen last."""
        now, before = dict(self._look()), self._seen
        self._seen = now
        changed = {
            path for path, stamp in now.items() if path not in before or before[path] != stamp
        }
        gone = before.keys() - now.keys()
        return frozenset(p for p in changed | gone if not self._own.is_own(self._disk, p))

    def _look(self) -> Iterator[tuple[Path, Stamp | None]]:
        """Yield every folder below the trees, and every file with its stamp."""
        for folder in self._existing():
            yield folder, None
            for name in self._disk.names(folder):
                stamp = self._disk.stamp(folder / name)
                if stamp is not None and not _is_noise(name):
                    yield folder / name, stamp
        for path in self._files():
            stamp = self._disk.stamp(path)
            if stamp is not None:
                yield path, stamp

    def _folders(self) -> Iterator[Path]:
        """Yield the folders to listen to: those of the trees, the nearest above a missing one."""
        yield from self._existing()
        for tree in self._trees:
            if self._disk.kind(tree) != "folder":
                yield next(up for up in tree.parents if self._disk.kind(up) == "folder")
        around = sorted({path.parent for path in self._single})[: self._most]
        yield from (folder for folder in around if self._disk.kind(folder) == "folder")

    def _existing(self) -> Iterator[Path]:
        """Yield the folders of all trees level by level, each once, up to the limit."""
        level = [tree for tree in self._trees if self._disk.kind(tree) == "folder"]
        done: set[Path] = set()
        while level:
            below: list[Path] = []
            for folder in level:
                if folder in done:
                    continue
                if len(done) >= self._most:
                    self.is_partial = True
                    return
                done.add(folder)
                yield folder
                below += [
                    path
                    for name in self._disk.names(folder)
                    if name not in _SKIPPED
                    and (path := folder / name) not in self._ignored
                    and self._disk.kind(path) == "folder"
                ]
            level = below

    def _matters(self, path: Path) -> bool:
        """Tell whether an event may be about memory, or about a folder on the way to it."""
        if _is_noise(path.name):
            return False
        tree = self._tree_of(path)
        if tree is None:
            is_above = any(other.is_relative_to(path) for other in self._trees)
            return is_above or path in self._on_the_way
        inner = path.relative_to(tree).parts
        return _SKIPPED.isdisjoint(inner) and self._ignored.isdisjoint([path, *path.parents])

    def _tree_of(self, path: Path) -> Path | None:
        return next((tree for tree in self._trees if path.is_relative_to(tree)), None)


class _Ended:
    """The event that ends one round of listening: its own, or that of the whole watcher."""

    def __init__(self, stop: asyncio.Event) -> None:
        self._stop = stop
        self._ended = False

    def is_set(self) -> bool:
        return self._ended or self._stop.is_set()

    def set(self) -> None:
        self._ended = True


def _is_noise(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in _NOISE)
