"""Where lines break on a screen of some width: offsets only, no text is copied.

Bullets hang their continuation under their text. Which lines may
break at all is the caller's to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rich.cells import cell_len, get_character_cell_size

from remem.base.lazy_pattern import lazy_pattern

_HANG: Final = lazy_pattern(r"\s*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+|>\s*)?")
_LEAST: Final = 8
"""Cells that a continuation keeps at least, however deep its bullet stands."""


class Piece(NamedTuple):
    """One drawn row of a line: characters `[start, end)` behind `indent` empty cells."""

    start: int
    end: int
    indent: int


def hanging(text: str) -> int:
    """Return how many cells a continuation of `text` is moved in: to where its words begin."""
    match = _HANG.match(text)
    return cell_len(match[0]) if match else 0


def wrap(text: str, width: int, hang: int = 0) -> Iterator[Piece]:
    """Yield the rows of one line, at least one; breaks fall on spaces where there are any.

    The spaces at a break are in no row. A word longer than a row is cut.

    Args:
        text: The line.
        width: Cells of a row.
        hang: Cells that a continuation is moved in; 0 = to where the words of a bullet begin.
    """
    if len(text) <= width and text.isascii():
        yield Piece(0, len(text), 0)
        return
    width = max(width, 2)
    hang = min(hang or hanging(text), max(width - _LEAST, 0))
    fits = _ascii_end if text.isascii() else _wide_end
    start, indent = 0, 0
    while True:
        end = fits(text, start, width - indent)
        if end >= len(text):
            yield Piece(start, len(text), indent)
            return
        cut = text.rfind(" ", start, end + 1)
        if cut <= start or not text[start:cut].strip():
            cut = end
        yield Piece(start, cut, indent)
        start = cut
        while start < len(text) and text[start] == " ":
            start += 1
        if start >= len(text):
            return
        indent = hang


def _ascii_end(text: str, start: int, room: int) -> int:
    return start + room


def _wide_end(text: str, start: int, room: int) -> int:
    """Return the end of what fits into `room` cells, at least one character further."""
    used = 0
    for index in range(start, len(text)):
        used += get_character_cell_size(text[index])
        if used > room and index > start:
            return index
    return len(text)
