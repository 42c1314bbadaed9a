"""Compares two wrapped texts word by word.

It takes and gives plain text; drawing and gating are `content.py`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final

_WORD: Final = re.compile(r"\n|[^\S\n]+|\w+|[^\w\s]")
_TOO_MANY: Final = 4_000
"""Words a side; beyond that a comparison would hold up a frame, and whole lines say enough."""


class Kind(StrEnum):
    """What happened to a piece of text."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"


def word_diff(old: str, new: str) -> list[tuple[Kind, str]]:
    """Return the pieces of both texts in reading order, what went before what came.

    All pieces but the added ones give `old`, all but the removed ones give `new`. A space between
    two changed words counts as changed, so that a changed phrase is one piece.
    """
    before, after = _WORD.findall(old), _WORD.findall(new)
    if len(before) > _TOO_MANY or len(after) > _TOO_MANY:
        whole = [(Kind.REMOVED, old), (Kind.ADDED, new)] if old != new else [(Kind.SAME, old)]
        return [(kind, text) for kind, text in whole if text]
    return list(_joined(_pieces(before, after)))


def likeness(pieces: list[tuple[Kind, str]]) -> float:
    """Return how much of both texts is the same, from 0 to 1."""
    same = sum(len(text) for kind, text in pieces if kind is Kind.SAME)
    changed = sum(len(text) for kind, text in pieces if kind is not Kind.SAME)
    return 2 * same / (2 * same + changed) if same or changed else 1.0


def _pieces(before: list[str], after: list[str]) -> Iterator[tuple[Kind, str]]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    held_old, held_new = "", ""
    for tag, a, b, c, d in matcher.get_opcodes():
        old, new = "".join(before[a:b]), "".join(after[c:d])
        if tag != "equal":
            held_old, held_new = held_old + old, held_new + new
            continue
        if (held_old or held_new) and old.isspace() and "\n" not in old and b < len(before):
            held_old, held_new = held_old + old, held_new + old
            continue
        yield Kind.REMOVED, held_old
        yield Kind.ADDED, held_new
        held_old = held_new = ""
        yield Kind.SAME, old
    yield Kind.REMOVED, held_old
    yield Kind.ADDED, held_new


def _joined(pieces: Iterator[tuple[Kind, str]]) -> Iterator[tuple[Kind, str]]:
    last: tuple[Kind, str] | None = None
    for kind, text in pieces:
        if not text:
            continue
        if last and last[0] is kind:
            last = (kind, last[1] + text)
            continue
        if last:
            yield last
        last = (kind, text)
    if last:
        yield last
