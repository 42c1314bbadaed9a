"""What is under way or was left by a crash, seen at the cost of one look into a folder.

Invariant: nobody who reads through `Unfinished.read` is given half of a change. Every change has a
file in `running/` from before its first effect until after its last, so a reader who finds the same
names and the same last number of that folder before and after has read while nothing was under way.
Otherwise it reads again: first what a crash left is settled, for a change whose writer is dead
would never end by itself. After four reads it takes what it has; by then somebody writes all the
time, and each later change brings the reader a new snapshot anyway.

It knows nothing of how that is done, so that a door which only reads loads nothing else: what a
crash left is settled by `recovery.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from remem.base.errors import RememError
from remem.store.io import Disk

if TYPE_CHECKING:
    from remem.store.changes.recovery import Recovered

RUNNING: Final = "running"
"""The folder, in the state folder."""

READERS_WAIT: Final = 0.5
"""Seconds that somebody who only looks waits for a change that another process is making."""

_READS: Final = 4
"""How often the same is read when others change it each time; then it is taken as it is."""
T = TypeVar("T")


class Unfinished:
    """Settles for readers what others began."""

    def __init__(self, disk: Disk, state: Path, recover: Callable[[], Sequence[Recovered]]) -> None:
        """Say where to look, and what finishes or takes back what a crash left.

        Args:
            disk: Asked for one folder, and nothing else while nothing is under way.
            state: Where the journal lies.
            recover: Waits for whoever is at work, then settles; raises what keeps it from it.
        """
        self._disk = disk
        self._folder = state / RUNNING
        self._recover = recover
        self.settled: list[Recovered] = []
        """All that was settled so far."""
        self._told: list[str] = []
        self._left: tuple[str, ...] = ()
        """What could not be settled: it is not waited for again."""

    def read(self, read: Callable[[], T]) -> T:
        """Return what `read` gives when no change is in the middle of being made."""
        found = self._read(read)
        for _ in range(_READS - 1):
            if found[1]:
                break
            found = self._read(read)
        return found[0]

    def tell(self, settled: Sequence[Recovered]) -> None:
        """Keep what was settled until somebody asks for it."""
        self.settled += settled
        for recovered in settled:
            title, why = recovered.logged.title, "; ".join(recovered.details)
            told = f"{recovered.outcome} after a crash: {title}"
            self._told.append(f"{told} ({why})" if why else told)

    def told(self) -> tuple[str, ...]:
        """Return, once, what was settled and what could not be, in sentences."""
        told, self._told = tuple(self._told), []
        return told

    def _read(self, read: Callable[[], T]) -> tuple[T, bool]:
        # Settled before the mark is taken: settling moves it.
        self.settle()
        before = self._mark()
        found = read()
        return found, before == self._mark()

    def _mark(self) -> tuple[int, tuple[str, ...]]:
        """Return what is another value once a change began or ended: each has a file there."""
        return self._disk.last_named(self._folder), self._disk.names(self._folder)

    def settle(self) -> None:
        """Finish or take back what a crash left, once; wait for nobody twice."""
        names = self._disk.names(self._folder)
        # What could not be settled a moment ago is not waited for by every later read.
        if not names or names == self._left:
            return
        try:
            self.tell(self._recover())
        except RememError as error:
            self._told.append(f"a change is unfinished and may be partly visible: {error}")
        self._left = self._disk.names(self._folder)
