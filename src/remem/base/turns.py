"""Whose turn it is, the screen's or that of a thread that works behind it.

Only one thread of a program runs Python at a time, and one that is asked for its turn keeps it for
a while. So what works through very many things asks in between whether a key was pressed or a
change on disk was seen, and lets that have its frame first. Threads that somebody waits for never
stand back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import local
from time import monotonic, sleep
from typing import Final, TypeVar

T = TypeVar("T")

_MOST: Final = 0.05
"""Seconds that a key is given at the most: not every key draws something."""
_STEP: Final = 0.002
"""Seconds after which a thread that stands back looks again."""
_MORE: Final = 0.015
"""Seconds that a frame stands before it counts as the last one of a key: a typed line may come
first, and the list that it narrows after it."""
_CHANGE: Final = 0.15
"""Seconds that a change on disk is given at the most: it is read first, and then drawn."""
_APART: Final = 1.0
"""Seconds between two such changes: where agents write all the time, work still goes on."""
_until = 0.0
_latest = 0.0
_next_change = 0.0


class _Place(local):
    is_behind = False


_PLACE: Final = _Place()


def key_pressed() -> None:
    """Let threads behind the screen stand back until its frame was drawn, or for 50 ms."""
    global _until, _latest
    _until = _latest = monotonic() + _MOST


def change_seen() -> None:
    """Let threads behind the screen stand back until a change on disk was drawn, as for a key."""
    global _until, _latest, _next_change
    now = monotonic()
    if now >= _next_change:
        _next_change = now + _APART
        _until = _latest = max(_until, now + _CHANGE)


def frame_drawn() -> None:
    """Let them go on soon, unless another frame follows."""
    global _until
    _until = min(_latest, monotonic() + _MORE)


@contextmanager
def behind_the_screen() -> Iterator[None]:
    """Let this thread stand back for keys in the block: nobody waits for what it does."""
    was, _PLACE.is_behind = _PLACE.is_behind, True
    try:
        yield
    finally:
        _PLACE.is_behind = was


def give_way() -> None:
    """Wait, in a thread behind the screen, while a key has no frame yet; else return at once."""
    if _until and _PLACE.is_behind:
        while monotonic() < _until:
            sleep(_STEP)


def in_turns(things: Iterable[T]) -> Iterator[T]:
    """Yield all of them, giving way before each."""
    for thing in things:
        give_way()
        yield thing
