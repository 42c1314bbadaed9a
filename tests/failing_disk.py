"""Disks that fail or end at the N-th call, for tests of everything that writes."""

import os
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

from remem.disk.io import Disk

P = ParamSpec("P")
R = TypeVar("R")

LOOKS: Final = {"kind", "stamp", "names", "mode", "inode"}
"""Calls that only look and answer `None` when they fail; they are not counted."""


class Killed(BaseException):
    """The process ended here; nobody may catch it."""


class CountingDisk(Disk):
    """Remembers the names of its calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if name not in LOOKS:
            self.calls.append(name)
        return call(*args, **kwargs)


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
        if len(self.calls) == self.at and self.how == "after":
            call(*args, **kwargs)
        if len(self.calls) == self.at and self.how == "torn" and name == "write":
            self._write_half(*args)
        raise Killed

    @staticmethod
    def _write_half(*args: object) -> None:
        handle, data = args
        if isinstance(handle, int) and isinstance(data, bytes | memoryview):
            os.write(handle, data[: len(data) // 2])


class RefusingDisk(CountingDisk):
    """Raises an `OSError` at the N-th call, and at all later ones if `from_then_on`."""

    def __init__(self, at: int, number: int, *, from_then_on: bool = False) -> None:
        super().__init__()
        self.at = at
        self.number = number
        self.from_then_on = from_then_on

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if name in LOOKS or name == "close":
            return call(*args, **kwargs)
        self.calls.append(name)
        count = len(self.calls)
        # A full disk refuses what needs room; taking names away it still allows.
        needs_room = name not in {"unlink", "rmdir", "replace", "rename", "open", "read"}
        if count == self.at or (self.from_then_on and count > self.at and needs_room):
            raise OSError(self.number, "injected")
        return call(*args, **kwargs)
