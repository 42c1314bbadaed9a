"""Disks that fail or end at the N-th call, for tests of everything that writes.

They know no order of calls: which there are comes from a run that was counted.
"""

import errno
import os
import sqlite3
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

from remem.store.io import Disk

P = ParamSpec("P")
R = TypeVar("R")

LOOKS: Final = {
    *("kind", "stamp", "names", "mode", "inode", "links", "owner", "device", "is_locked")
}
"""Calls that only look and answer `None` or no when they fail; they are not counted."""

HARMLESS: Final = {"open", "read", "lease", "let_go", "append", "open_folder", "close", "lock"}
"""Counted calls that leave nothing behind: to end before one is to end after the one before it."""

OPENING: Final = {"open", "create", "append", "open_folder", "open_lock"}
"""Calls that give a handle."""

ALLOWED_WHEN_FULL: Final = HARMLESS | {"unlink", "rmdir", "replace", "rename", "exchange"}
"""Calls that need no room."""


class Killed(BaseException):
    """The process ended here; nobody may catch it."""


class HastyDisk(Disk):
    """Waits for nobody."""

    def pause(self, seconds: float) -> None:
        pass


class CountingDisk(Disk):
    """Remembers the names of its calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.writes: list[int] = []
        """Which of the calls, from 1, hand bytes to a file."""

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if name not in LOOKS:
            self.calls.append(name)
            if hands_over_bytes(*args):
                self.writes.append(len(self.calls))
        return call(*args, **kwargs)

    @property
    def effects(self) -> tuple[int, ...]:
        """Which of the calls, from 1, may leave something behind."""
        return tuple(n for n, name in enumerate(self.calls, 1) if name not in HARMLESS)


class DyingDisk(CountingDisk):
    """Ends the process at the N-th call: before it, after it, or in the middle of a write."""

    def __init__(self, at: int, how: str) -> None:
        super().__init__()
        self.at = at
        self.how = how

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if name in LOOKS:
            return call(*args, **kwargs)
        self.calls.append(name)
        if len(self.calls) < self.at:
            return call(*args, **kwargs)
        is_after = len(self.calls) == self.at and self.how == "after"
        # The system closes what the dead had open; the tests' own process would keep it.
        if is_after or name == "close":
            handle = call(*args, **kwargs)
            if name in OPENING and isinstance(handle, int):
                os.close(handle)
        if len(self.calls) == self.at and self.how == "torn":
            write_half(*args)
        raise Killed


class ShortDisk(CountingDisk):
    """Takes half of what it is handed, each time, without an error."""

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if not hands_over_bytes(*args):
            return super().perform(name, call, *args, **kwargs)
        handle, data, *_ = args
        assert isinstance(data, bytes | memoryview)
        half = data[: max(1, len(data) // 2)]
        return super().perform(name, call, handle, half, **kwargs)  # type: ignore[arg-type]


class DiskWithoutLinks(Disk):
    """Gives no file a second name, as some file systems do; it counts how often it was asked."""

    def __init__(self) -> None:
        self.refused = 0

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if name != "link":
            return super().perform(name, call, *args, **kwargs)
        self.refused += 1
        raise OSError(errno.EPERM, "no links here")


class RefusingDisk(CountingDisk):
    """Raises an `OSError` at the N-th call, and at all later ones if `from_then_on`.

    It also watches whether a handle whose `fsync` failed is asked again, which may answer that all
    is well though the bytes are lost.
    """

    def __init__(self, at: int, number: int, *, from_then_on: bool = False) -> None:
        super().__init__()
        self.at = at
        self.number = number
        self.from_then_on = from_then_on
        self.doubtful: set[object] = set()
        """Handles whose `fsync` failed and that were not opened again since."""
        self.asked_again: list[str] = []
        """Calls on a doubtful handle that trusted it."""

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if name in LOOKS:
            return call(*args, **kwargs)
        handle = args[0] if args and isinstance(args[0], int) else None
        if name == "close":
            self.doubtful.discard(handle)
            return call(*args, **kwargs)
        self.calls.append(name)
        if handle in self.doubtful and ("sync" in name or hands_over_bytes(*args)):
            self.asked_again.append(f"{len(self.calls)} {name}")
        if self._refuses(name):
            if "sync" in name:
                self.doubtful.add(handle)
            raise self._error(name)
        result = call(*args, **kwargs)
        if isinstance(result, int):
            self.doubtful.discard(result)
        return result

    def _error(self, name: str) -> Exception:
        """Return what the system would raise, and for its COMMIT what SQLite makes of that."""
        if name == "journal":
            full = self.number in {errno.ENOSPC, errno.EDQUOT}
            words = "database or disk is full" if full else "disk I/O error"
            return sqlite3.OperationalError(words)
        return OSError(self.number, os.strerror(self.number))

    def _refuses(self, name: str) -> bool:
        count = len(self.calls)
        later = self.from_then_on and count > self.at and name not in ALLOWED_WHEN_FULL
        return count == self.at or later


def hands_over_bytes(*args: object) -> bool:
    """Tell whether a call with these arguments writes bytes to a handle."""
    return len(args) > 1 and isinstance(args[0], int) and isinstance(args[1], bytes | memoryview)


def write_half(*args: object) -> None:
    """Write the first half of what a call would have written."""
    if hands_over_bytes(*args):
        handle, data, *_ = args
        assert isinstance(handle, int)
        assert isinstance(data, bytes | memoryview)
        os.write(handle, data[: len(data) // 2])
