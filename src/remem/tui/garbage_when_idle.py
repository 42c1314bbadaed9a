"""Keeps the screen steady while threads work: whose turn it is, and when garbage is looked for.

The garbage collector walks over all that was ever made, and no key is heard meanwhile. What is made
in bulk here stays as long as its snapshot and goes without the collector's help.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from time import monotonic
from typing import Any, Final

_MANY: Final = 10_000
"""Objects that are put where the collector does not look: to look through them takes 5 ms."""
_SWITCH_SECONDS: Final = 0.0005
"""How long a thread that counts or parses may keep a key or a frame waiting, each time it is asked
for the interpreter; as the interpreter comes it is ten times as long."""
_COMES_WITH: Final = sys.getswitchinterval()
_LITTER: Final = 100_000
"""Objects put aside after which it is worth some tenths of a second to look what of it is garbage,
when nobody is there. No key is heard and no frame drawn meanwhile.

What is not looked for takes place beside what is used, and a place once taken is given back late:
the more of it there ever was at a time, the more a process that watches for long has grown.
"""
_SHARE: Final = 8
"""Of so many objects that are kept, one that is put aside: to look takes as long as they are many.
"""
_IN_USE: Final = 3
"""How many times as many there may be while somebody is at the screen."""
_LONG_SECONDS: Final = 0.25


def take_turns(*, short: bool) -> None:
    """Let threads take short turns while there is a screen, so that it never waits for long."""
    sys.setswitchinterval(_SWITCH_SECONDS if short else _COMES_WITH)


class Aside:
    """What was put where the collector does not look, and when it looks there all the same."""

    def __init__(
        self,
        *,
        litter: int = _LITTER,
        aside: int = 0,
        kept: int = 0,
        long: float = _LONG_SECONDS,
    ) -> None:
        """Begin to count.

        Args:
            litter: Objects put aside after which it is worth to look, however few are kept.
            aside: Objects that were put there since the collector last looked.
            kept: Objects that were left when it last looked.
            long: Seconds after which a block has made many, whatever the count says.
        """
        self._lock = Lock()
        self._litter = litter
        self._aside = aside
        self._kept = kept
        self._at_work = 0
        self._long = long
        self._since = 0.0
        """When the first of the blocks that are at work began."""

    @contextmanager
    def steady(self) -> Iterator[None]:
        """Let no collection stop the screen until the block is done; blocks may overlap."""
        with self._lock:
            self._since = self._since if self._at_work else monotonic()
            self._at_work += 1
            gc.disable()
        try:
            yield
        finally:
            with self._lock:
                self._at_work -= 1
                if not self._at_work:
                    # Not by `gc.get_objects`: it takes hold of what other threads are in the middle
                    # of making, and a tuple that somebody holds cannot be finished.
                    made = gc.get_count()[0]
                    # What was made and what went meanwhile count against each other.
                    if made > _MANY or monotonic() - self._since > self._long:
                        gc.freeze()
                        self._aside += max(made, 0)
                        _trim()
                    gc.enable()

    def sweep(self, *, is_idle: bool) -> bool:
        """Take away the garbage among what was put aside, if that is worth it; tell whether.

        With what is made in bulk, all else is put aside that is there at the time: workers that are
        done, screens that were left. They hold each other, and nothing else would ever find them.

        Args:
            is_idle: Nobody has touched a key for long.
        """
        with self._lock:
            worth = max(self._litter, self._kept // _SHARE) * (1 if is_idle else _IN_USE)
            # While a thread makes much, it would all be walked over; its end asks again.
            if self._at_work or self._aside < worth:
                return False
            self._aside = 0
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._kept = gc.get_freeze_count()
        return True


_OURS: Final = Aside()
"""Of this process, which has one collector."""
steady: Final = _OURS.steady
sweep: Final = _OURS.sweep


_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
_MAPPED_FROM: Final = 4 * 1024 * 1024
"""Bytes from which a block is mapped for itself, and so given back at once; said aloud it stays.

Each page of such a block is asked of the system anew. A decision copies its store some times, and
of a store of 3 MiB that took longer than all else that it did.
"""


def give_back_memory() -> bool:
    """Let freed blocks go back to the system; tell whether that was taken.

    Only glibc has these settings; anywhere else nothing is done. Called before threads are started,
    as a heap that a thread has is not taken from it.
    """
    library = _glibc()
    if library is None:
        return False
    settings = ((_M_ARENA_MAX, 1), (_M_MMAP_THRESHOLD, _MAPPED_FROM))
    return all(library.mallopt(name, value) == 1 for name, value in settings)


def _trim() -> None:
    """Give pages back that hold nothing any more, wherever they lie: it takes a millisecond."""
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)


@cache
def _glibc() -> Any:
    """Return the C library where it is the one that these settings are of."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    library = ctypes.CDLL(None)
    return library if hasattr(library, "gnu_get_libc_version") else None
