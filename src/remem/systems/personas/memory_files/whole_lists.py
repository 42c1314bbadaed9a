"""Which units of a memory stand and fall together: a label with its bullets, a numbered list.

A paragraph that only introduces the list below it says nothing without it, and a number out of a
list leaves a gap in the others.
"""

from __future__ import annotations

import re
from typing import Final

from remem.edit.markdown import Document, Kind

_LABEL: Final = re.compile(r"[^\n]{1,160}:[*_ \t]*")
_NUMBERED: Final = re.compile(rb"[ \t]*\d{1,9}[.)][ \t]")


def whole_list(document: Document, unit: int) -> range:
    """Return the units that go where one of them goes, in order; it alone in most cases.

    A label takes the list below it along, and goes with the last bullet of it; of a numbered list
    each item takes all others along.
    """
    if is_label(document, unit):
        return range(unit, _list_end(document, unit + 1))
    if document.units[unit].kind is not Kind.ITEM:
        return range(unit, unit + 1)
    first, end = unit, unit + 1
    if _is_numbered(document, unit):
        while first and _is_numbered(document, first - 1) and _is_beside(document, first - 1):
            first -= 1
        while _is_beside(document, end - 1) and _is_numbered(document, end):
            end += 1
    label = first - 1
    is_all = label >= 0 and is_label(document, label) and _list_end(document, first) == end
    return range(label if is_all else first, end)


def is_label(document: Document, unit: int) -> bool:
    """Tell whether a unit is a line that only introduces the list below it: `**Key files:**`."""
    if document.units[unit].kind is not Kind.PARAGRAPH or not _is_beside(document, unit):
        return False
    is_list = document.units[unit + 1].kind is Kind.ITEM
    return is_list and _LABEL.fullmatch(document.text(document.units[unit]).strip()) is not None


def stands_alone(document: Document, unit: int) -> bool:
    """Tell whether a unit says something by itself, and can go without others."""
    return not is_label(document, unit) and not (
        _is_numbered(document, unit) and len(whole_list(document, unit)) > 1
    )


def _list_end(document: Document, first: int) -> int:
    """Return where a list ends: at another kind of unit, or at an item with another sign."""
    end, sign = first + 1, _sign(document, first)
    while _is_beside(document, end - 1) and _sign(document, end) == sign:
        end += 1
    return end


def _sign(document: Document, unit: int) -> bytes:
    """Return what an item begins with, `1` for any number; empty for what is none."""
    found = document.units[unit]
    if found.kind is not Kind.ITEM:
        return b""
    return b"1" if _is_numbered(document, unit) else document.raw(found).lstrip()[:1]


def _is_numbered(document: Document, unit: int) -> bool:
    found = document.units[unit]
    return found.kind is Kind.ITEM and _NUMBERED.match(document.raw(found)) is not None


def _is_beside(document: Document, unit: int) -> bool:
    """Tell whether another unit follows below the same heading."""
    units = document.units
    return unit + 1 < len(units) and units[unit].heading == units[unit + 1].heading
