"""Takes a Markdown file apart again, reading little more than what changed in it.

Owns how what was found before and behind a change is kept; it knows no edit and no meaning.

Invariant: the result is what `parse` finds in these bytes. What a line is depends on nothing but
what is open when it is read, and the line that begins a unit closes all that was. So reading may
begin at the last unit whose first line both texts have, with what stands above it kept. And it may
end as soon as a unit of the same kind opens at the same place of the common end: from there on both
readings have the same open and the same bytes to come, so they find the same, only moved.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from remem.base.frozen import dataclass
from remem.edit.lines import common_prefix, common_suffix
from remem.edit.markdown import (
    Document,
    Heading,
    Scanner,
    Unit,
    front_matter_end,
    parent_of,
    parse,
    text_start,
)

_LINE: Final = re.compile(rb"[^\r\n]*")
_END: Final = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Again:
    """A file, and how much of it was found as it was."""

    document: Document
    head: int
    """So many units at the beginning are those that were there."""
    tail: int
    """So many units at the end are those that were there, moved at most."""
    same_headings: bool
    """Levels and titles are those that were there."""


@lru_cache(maxsize=1)  # an edit is tried on the bytes that are read soon after
def parse_again(before: Document, data: bytes) -> Again:
    """Take apart what may have come of `before` by one change."""
    end = front_matter_end(data)
    head = common_prefix(before.data, data)
    if end != front_matter_end(before.data) or head < end:
        document = parse(data)
        return Again(document, 0, 0, _are_alike(before.headings, document.headings))
    tail = len(before.data) - common_suffix(before.data, data, head, head)
    first = _last_begun(before, head)
    if first < 0:
        return _begun(before, Scanner(end), 0, data, text_start(data), tail)
    unit = before.units[first]
    above = before.headings[: unit.heading + 1]
    scanner = Scanner(end, above, before.units[:first], unit.line - 1)
    return _begun(before, scanner, first, data, unit.start, tail)


def _last_begun(before: Document, head: int) -> int:
    """Return the last unit whose first line, with its end, lies in the first `head` bytes.

    That line alone decides how what follows is read, so that reading can begin there.
    """
    first = bisect_left(before.units, head, key=_start) - 1
    while first >= 0:
        line_end = _END.search(before.data, before.units[first].start, head)
        if line_end is not None:
            return first
        first -= 1
    return -1


def _begun(
    before: Document, scanner: Scanner, first: int, data: bytes, at: int, tail: int
) -> Again:
    """Read on from `at` until a unit opens as it did before, in the bytes from `tail` on.

    Args:
        before: The file as it was.
        scanner: With what stands above `at`, where no unit is open.
        first: How many units that is.
        data: The file now.
        at: Where a line starts in it.
        tail: From here on `before.data` is the end of `data`.
    """
    moved = len(data) - len(before.data)
    # The line end above it must be part of the common end too.
    place = bisect_left(before.units, tail + 1, key=_start)
    place = max(place, first)
    for start, text in _lines_from(data, at):
        scanner.feed(start, text)
        while place < len(before.units) and before.units[place].start + moved < start:
            place += 1
        if place == len(before.units):
            continue
        kind, opened, line = scanner.opened
        known = before.units[place]
        if kind is known.kind and opened == start == known.start + moved:
            return _joined(before, scanner, first, data, place, line - known.line)
    scanner.close()
    document = Document(data, tuple(scanner.headings), tuple(scanner.units))
    return Again(document, first, 0, _are_alike(before.headings, document.headings))


def _joined(
    before: Document, scanner: Scanner, first: int, data: bytes, place: int, lines: int
) -> Again:
    """Return what was read with all that stood from the unit at `place` on."""
    moved = len(data) - len(before.data)
    kept = before.units[place].heading + 1
    units = len(scanner.units) - place
    headings = [*scanner.headings]
    below = len(headings) - kept
    same = not below and _are_alike(before.headings[:kept], headings)
    for heading in before.headings[kept:]:
        is_within = heading.parent >= kept
        parent = heading.parent + below if is_within else parent_of(headings, heading.level)
        headings.append(
            Heading(
                heading.start + moved,
                heading.end + moved,
                heading.level,
                heading.title,
                heading.line + lines,
                parent,
                heading.first_unit + units,
            )
        )
    tail: Sequence[Unit] = before.units[place:]
    if moved or lines or below:
        tail = [
            Unit(u.kind, u.start + moved, u.end + moved, u.content + moved, u.line + lines, heading)
            for u in tail
            for heading in (u.heading + below,)
        ]
    document = Document(data, tuple(headings), (*scanner.units, *tail))
    return Again(document, first, len(tail), same)


def _are_alike(before: Sequence[Heading], after: Sequence[Heading]) -> bool:
    return [(h.level, h.title) for h in before] == [(h.level, h.title) for h in after]


def _start(unit: Unit) -> int:
    return unit.start


def _lines_from(data: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    """Yield each line without its end, and where it starts."""
    while at < len(data):
        line = _LINE.match(data, at)
        end = _END.match(data, line.end()) if line is not None else None
        if line is not None:
            yield at, line[0]
        at = end.end() if end is not None else len(data)
