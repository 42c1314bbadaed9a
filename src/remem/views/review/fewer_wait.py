"""Says what else a decision settled, so that a count that falls by more than one is no riddle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from remem.base.text import QUOTED, quoted
from remem.core.waiting.item import Item

_NAMED: Final = 2
"""Items that are named by their words; the rest is counted."""


def settled_line(decided: int, settled: Sequence[Item]) -> str:
    """Return how many items fewer wait, and which of them nobody decided on; empty = none.

    Args:
        decided: Items that were decided on by name.
        settled: What was settled by that besides.
    """
    if not settled:
        return ""
    most = QUOTED // min(len(settled), _NAMED)
    names = [quoted(each.title, most) for each in settled[:_NAMED]]
    rest = len(settled) - len(names)
    named = f"{', '.join(names)} and {rest:,} more" if rest else " and ".join(names)
    is_one = len(settled) == 1
    return (
        f"{decided + len(settled):,} fewer wait: {named} {'is' if is_one else 'are'} settled by it"
    )
