"""Asks the C library to give back what the screens have let go of.

Every change that is seen reads and parses megabytes for a moment. glibc keeps such blocks: it makes
a heap for each thread that asks, and raises with every freed block the size from which a block is
mapped for itself. So a process that watches would grow by what it has long forgotten.
"""

from __future__ import annotations

import sys
from typing import Final

_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
_MAPPED_FROM: Final = 128 * 1024
"""Bytes from which a block is mapped for itself, and so given back at once; said aloud it stays."""


def give_back_memory() -> bool:
    """Let freed blocks go back to the system; tell whether that was taken.

    Only glibc has these settings; anywhere else nothing is done. Called before threads are started,
    as a heap that a thread has is not taken from it.
    """
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    library = ctypes.CDLL(None)
    if not hasattr(library, "gnu_get_libc_version"):
        return False
    settings = ((_M_ARENA_MAX, 1), (_M_MMAP_THRESHOLD, _MAPPED_FROM))
    return all(library.mallopt(name, value) == 1 for name, value in settings)
