"""The lines of one store in `summary.md`, in blocks that outlive the snapshot they were made for.

A summary of ten thousand lines is made anew with every decision; all but the block around the entry
that was decided on are taken over as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from remem.base.frozen import dataclass
from remem.model.entry import Status

GROUPS: Final = 3
"""In force, waiting, no longer in force: in this order they stand below a store's heading."""
_WAITING: Final = 1
_GROUP_OF: Final = {
    Status.ACTIVE: 0,
    Status.CANDIDATE: _WAITING,
    Status.SUPERSEDED: 2,
    Status.ARCHIVED: 2,
    Status.INVALID: 2,
    Status.FINDING: 2,
    Status.IGNORED: 2,
}
_LENGTH: Final = 32
"""Entries of a block at most: few enough to print them all with a decision on one of them."""


@dataclass(frozen=True, slots=True)
class Block:
    """A run of entries."""

    length: int
    candidates: int = 0
    texts: tuple[bytes, ...] = ()
    """The lines of each group, joined; empty for a group without any. None at all: not made yet."""


def block_of(lines: Sequence[tuple[Status, str]]) -> Block:
    """Return a block of lines, each with the status of its entry."""
    groups: list[list[str]] = [[] for _ in range(GROUPS)]
    for status, line in lines:
        groups[_GROUP_OF[status]].append(line)
    texts = tuple("\n".join(group).encode("utf-8", "replace") for group in groups)
    return Block(len(lines), len(groups[_WAITING]), texts)


def carried(blocks: Sequence[Block], head: int, tail: int, length: int) -> list[Block]:
    """Return the blocks of a store that became another one, with a gap for what has to be made.

    Args:
        blocks: Of the store before.
        head: How many entries at its start are still there.
        tail: How many at its end.
        length: How many entries there are now.
    """
    first, above = _within(blocks, head)
    last, below = _within(blocks[first:][::-1], tail)
    gap = length - above - below
    kept = blocks[len(blocks) - last :] if last else ()
    return [*blocks[:first], *([Block(gap)] if gap else []), *kept]


def _within(blocks: Sequence[Block], entries: int) -> tuple[int, int]:
    """Return how many blocks lie within so many entries, and how many entries they hold."""
    held = 0
    for number, block in enumerate(blocks):
        if held + block.length > entries:
            return number, held
        held += block.length
    return len(blocks), held


def filled(blocks: Sequence[Block], make: Callable[[int, int], Block]) -> list[Block]:
    """Return blocks without gaps; `make` gives the block of a range of entries."""
    found: list[Block] = []
    at = 0
    for block in blocks:
        end = at + block.length
        if block.texts:
            found.append(block)
        else:
            found += [make(start, min(start + _LENGTH, end)) for start in range(at, end, _LENGTH)]
        at = end
    return found
