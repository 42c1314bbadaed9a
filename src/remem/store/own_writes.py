"""What remem itself wrote last, so that the watcher can tell its own writes from those of others.

A path is compared by its bytes, not by time: someone else's write in the same moment is still seen.
"""

from pathlib import Path
from threading import Lock
from typing import Final

from remem.store.io import Disk, Unreadable

_ROOM: Final = 32 * 1024 * 1024
"""Bytes kept; the oldest go first, and then a write of ours costs one needless refresh."""


class OwnWrites:
    """The bytes that the last commits left; told by the committer, asked by the watcher."""

    def __init__(self) -> None:
        self._files: dict[Path, bytes | None] = {}
        self._lock = Lock()

    def remember(self, path: Path, data: bytes | None) -> None:
        """Note what is about to stand at `path`; `None` = nothing."""
        with self._lock:
            self._files.pop(path, None)
            self._files[path] = data
            held = sum(len(kept) for kept in self._files.values() if kept is not None)
            while held > _ROOM:
                oldest = next(iter(self._files))
                held -= len(self._files.pop(oldest) or b"")

    def forget(self, path: Path) -> None:
        """Let every event about `path` through again."""
        with self._lock:
            self._files.pop(path, None)

    def is_own(self, disk: Disk, path: Path) -> bool:
        """Tell whether `path` stands as we left it; once it does not, it is forgotten."""
        with self._lock:
            if path not in self._files:
                return False
            data = self._files[path]
        try:
            stands = disk.read(path) == data
        except Unreadable as error:
            stands = data is None and error.why == "missing"
        if not stands:
            self.forget(path)
        return stands
