"""Keeps the screen steady while threads work: whose turn it is, and when garbage is looked for.

The garbage collector walks over all that was ever made, and no key is heard meanwhile. What is made
in bulk here stays as long as its snapshot and goes without the collector's help.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

_MANY: Final = 10_000
"""Objects that are put where the collector does not look: to look through them takes 5 ms."""
_SWITCH_SECONDS: Final = 0.0005
"""How long a thread that counts or parses may keep a key or a frame waiting, each time it is asked
for the interpreter; as the interpreter comes it is ten times as long."""
_COMES_WITH: Final = sys.getswitchinterval()
_LOCK: Final = Lock()
_at_work = 0


def take_turns(*, short: bool) -> None:
    """Let threads take short turns while there is a screen, so that it never waits for long."""
    sys.setswitchinterval(_SWITCH_SECONDS if short else _COMES_WITH)


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
