"""Keeps Python's collector out of the way of a command that makes much and is done."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_PYTHONS: Final = gc.get_threshold()
_RARE: Final = (100_000, 50, 50)
"""What a command makes is kept to its end; to look through it took a sixth of its time."""


def sweep_rarely() -> None:
    """Look for garbage rarely: for a command that answers and is done."""
    gc.set_threshold(*_RARE)
    gc.enable()


def sweep_as_usual() -> None:
    """Look for garbage as Python does: for what stays."""
    gc.set_threshold(*_PYTHONS)


@contextmanager
def unswept() -> Iterator[None]:
    """Look for no garbage until the block is done: nearly all that is made is kept to its end."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
