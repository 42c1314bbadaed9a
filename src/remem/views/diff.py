"""What a change would write: hunks with the words that differ, signs always shown.

It draws hunks; computing them is `store/changes/hunks.py`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import zip_longest
from typing import Final

from remem.base.frozen import dataclass
from remem.store.changes.hunks import NO_LAST_NEWLINE, Hunk
from remem.views.long_text import TextLine, safe_line, span_line, text_line
from remem.views.spans import Span, Spans, Tone, plain, slice_of, width_of
from remem.views.wrapping import wrap

_LEAST_LIKENESS = 0.35
"""Below it both sides are other texts, and marked words would be noise."""
_GAP = " │ "
_LEAST_ROOM = 20
"""Columns that a side needs to be read beside the other."""


@dataclass(frozen=True, slots=True)
class FileDiff:
    """The hunks of one file under its name."""

    label: str
    hunks: tuple[Hunk, ...]
    note: str = ""
    """What hunks do not say: `new file`, `moved from …`."""


def diff_lines(diffs: Sequence[FileDiff]) -> list[TextLine]:
    """Return the diffs as lines with signs and the old text's line numbers."""
    return [line for diff in diffs for line in _file_lines(diff)]


def one_line(diffs: Sequence[FileDiff]) -> str:
    """Return the diff of a pure addition in words, empty for any other: `+9 lines at the end`.

    It says where they go, because nothing else would be seen.
    """
    hunks = [hunk for diff in diffs for hunk in diff.hunks]
    if not hunks or any(hunk.before for hunk in hunks):
        return ""
    added = sum(hunk.came for hunk in hunks)
    where = "at the end" if all(not hunk.below for hunk in hunks) else f"at line {hunks[0].line}"
    return f"+{added} {'line' if added == 1 else 'lines'} {where}, nothing else"


def _file_lines(diff: FileDiff) -> Iterator[TextLine]:
    note = (Span(f"  {diff.note}", Tone.DIM),) if diff.note else ()
    yield span_line((Span(diff.label, Tone.HEADING), *note))
    for place, hunk in enumerate(diff.hunks):
        if place:
            yield text_line("⋯", Tone.DIM)
        yield from _hunk_lines(_without_returns(hunk))


def _hunk_lines(hunk: Hunk) -> Iterator[TextLine]:
    above = hunk.line - len(hunk.above)
    for number, line in enumerate(hunk.above, above):
        yield text_line(line, Tone.DIM, number=number)
    old, new = _sides(hunk)
    for number, parts in enumerate(old, hunk.line):
        yield _signed(replace(span_line(parts), sign="-", number=number))
    for parts in new:
        yield _signed(replace(span_line(parts), sign="+"))
    for number, line in enumerate(hunk.below, hunk.line + hunk.gone):
        yield _signed(text_line(line, Tone.DIM, number=number))


def _signed(line: TextLine) -> TextLine:
    """Return a line as it is; what tells of a missing last newline is none, and has no number."""
    return text_line(NO_LAST_NEWLINE, Tone.DIM) if line.text == NO_LAST_NEWLINE else line


def _sides(hunk: Hunk) -> tuple[list[Spans], list[Spans]]:
    """Return the lines of both sides, with the words that differ told apart."""
    before, after = map(safe_line, hunk.before), map(safe_line, hunk.after)
    old, new = "\n".join(before), "\n".join(after)
    if hunk.before and hunk.after:
        pieces = word_diff(old, new)
        if likeness(pieces) >= _LEAST_LIKENESS:
            return (
                one_side(pieces, Kind.REMOVED, Tone.REMOVED, Tone.REMOVED_WORD),
                one_side(pieces, Kind.ADDED, Tone.ADDED, Tone.ADDED_WORD),
            )
    return (
        [(Span(line, Tone.REMOVED),) for line in old.split("\n") if hunk.before],
        [(Span(line, Tone.ADDED),) for line in new.split("\n") if hunk.after],
    )


def old_and_new(old: str, new: str, width: int = 0) -> list[TextLine]:
    """Return two texts with the words that only one of them has told apart.

    Args:
        old: What stands.
        new: What would.
        width: Columns in which both stand side by side; 0 = one below the other, with signs.
    """
    pieces = word_diff(safe_line(old), safe_line(new))
    (before,) = one_side(pieces, Kind.REMOVED, Tone.PLAIN, Tone.REMOVED_WORD)
    (after,) = one_side(pieces, Kind.ADDED, Tone.PLAIN, Tone.ADDED_WORD)
    room = (width - len(_GAP)) // 2
    if room < _LEAST_ROOM:
        return [replace(span_line(before), sign="-"), replace(span_line(after), sign="+")]
    sides = zip_longest(_rows(before, "- ", room), _rows(after, "+ ", room), fillvalue=())
    return [_beside(left, right, room) for left, right in sides]


def _rows(parts: Spans, sign: str, room: int) -> Iterator[Spans]:
    for nth, piece in enumerate(wrap(plain(parts), room - len(sign))):
        lead = Span(" " * len(sign) if nth else sign, Tone.DIM)
        yield (lead, *slice_of(parts, piece.start, piece.end))


def _beside(left: Spans, right: Spans, room: int) -> TextLine:
    padding = Span(" " * max(room - width_of(left), 0))
    return span_line((*left, padding, Span(_GAP, Tone.DIM), *right), wraps=False)


def one_side(pieces: list[tuple[Kind, str]], own: Kind, same: Tone, word: Tone) -> list[Spans]:
    """Return the lines of one of two compared texts, the words that only it has in a tone."""
    lines: list[Spans] = [()]
    for kind, text in pieces:
        if kind not in (Kind.SAME, own):
            continue
        tone = word if kind is own else same
        for place, part in enumerate(text.split("\n")):
            if place:
                lines.append(())
            if part:
                lines[-1] = (*lines[-1], Span(part, tone))
    return lines


def _without_returns(hunk: Hunk) -> Hunk:
    """Take the carriage returns away where every line has one: they tell nothing there."""
    lines = (*hunk.above, *hunk.before, *hunk.after, *hunk.below)
    if not all(line.endswith("\r") or line == NO_LAST_NEWLINE for line in lines):
        return hunk

    def stripped(side: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(line.removesuffix("\r") for line in side)

    return Hunk(
        hunk.line,
        stripped(hunk.before),
        stripped(hunk.after),
        stripped(hunk.above),
        stripped(hunk.below),
    )


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
