"""Where lines break on a screen of some width: offsets only, no text is copied.

Bullets hang their continuation under their text. Which lines may
break at all is the caller's to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rich.cells import cell_len, get_character_cell_size

from remem.base.lazy_pattern import lazy_pattern

_HANG: Final = lazy_pattern(r"\s*(?:[-*+•·]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+|>\s*)?")
_NUMBER: Final = lazy_pattern(r"[≈~+-]?\d(?:[\d,.]*\d)?")
_SIGNS: Final = " -*+•·>"
"""What a row does not consist of alone."""
_MORE: Final = " more"
"""Stands between a number and its noun."""
_LEAST: Final = 8
"""Cells that a continuation keeps at least, however deep its bullet stands, and a path's begin."""


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

    The spaces at a break are in no row. A word longer than a row is cut,
    behind a `/` where it has one.

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
    start, indent, length = 0, 0, len(text)
    has_marks = "⟦" in text
    while True:
        end = fits(text, start, width - indent)
        if end >= length:
            yield Piece(start, length, indent)
            return
        cut = text.rfind(" ", start, end + 1)
        if cut <= start or not text[start:cut].strip():
            cut = _in_word(text, start, end)
        elif text[cut - 1] in "·0123456789":
            cut = _before_what_leads(text, start, cut)
        elif text.endswith(_MORE, start, cut):
            cut = _before_more(text, start, cut)
        if has_marks:
            cut = _beside_mark(text, start, cut, end)
        yield Piece(start, cut, indent)
        start = cut
        while start < length and text[start] == " ":
            start += 1
        if start >= length:
            return
        indent = hang


def _before_what_leads(text: str, start: int, cut: int) -> int:
    """Return where to break so that a number stays with its noun, and `·` with what follows it."""
    before = cut
    if text[cut - 1] != "·":
        before = text.rfind(" ", start, cut)
        is_counted = before > start and text[cut + 1 : cut + 2].isalpha()
        if not is_counted or _NUMBER.fullmatch(text, before + 1, cut) is None:
            return cut
    if text.endswith(" ·", start, before):
        before -= len(" ·")
    return before if text[start:before].strip(_SIGNS) else cut


def _before_more(text: str, start: int, cut: int) -> int:
    """Return where to break so that `and 3 more files` stays in one row."""
    counted = cut - len(_MORE)
    before = text.rfind(" ", start, counted)
    if before <= start or _NUMBER.fullmatch(text, before + 1, counted) is None:
        return cut
    if text.endswith(" and", start, before):
        before -= len(" and")
    return before if text[start:before].strip(_SIGNS) else cut


def _beside_mark(text: str, start: int, cut: int, end: int) -> int:
    """Return where to break so that the sign of a hidden character, `⟦tag: ⟧`, stays whole."""
    opens = text.rfind("⟦", start, cut)
    if opens < 0 or "⟧" in text[opens:cut]:
        return cut
    return opens if opens > start else text.find("⟧", start, end) + 1 or cut


def _in_word(text: str, start: int, end: int) -> int:
    """Return where to break a word that is longer than a row: a path behind a folder."""
    behind = text.rfind("/", start, end) + 1
    return behind if behind - start >= _LEAST else end


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
