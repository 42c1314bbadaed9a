"""Keeps the screen steady while a thread makes very much at once.

The garbage collector walks over all that was ever made, and no key is heard meanwhile. What is made
in bulk here stays as long as its snapshot and goes without the collector's help.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

_MANY: Final = 50_000
"""Objects that are put where the collector does not look; fewer cost it nothing that is felt."""
_LOCK: Final = Lock()
_at_work = 0


@contextmanager
def steady() -> Iterator[None]:
    """Let no collection stop the screen until the block is done; blocks may overlap."""
    global _at_work
    with _LOCK:
        _at_work += 1
        gc.disable()
    try:
        yield
    finally:
        with _LOCK:
            _at_work -= 1
            if not _at_work:
                # Not by `gc.get_objects`: it takes hold of what other threads are in the middle of
                # making, and a tuple that somebody holds cannot be finished.
                if gc.get_count()[0] > _MANY:
                    gc.freeze()
                gc.enable()
