"""What a change would write: hunks with the words that differ, signs always shown.

It draws hunks; computing them is `edit/hunks.py`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from remem.base.frozen import dataclass
from remem.edit.hunks import NO_LAST_NEWLINE, Hunk
from remem.views.document import TextLine, safe_line, span_line, text_line
from remem.views.spans import Span, Spans, Tone
from remem.views.word_diff import Kind, likeness, word_diff

_LEAST_LIKENESS = 0.35
"""Below it both sides are other texts, and marked words would be noise."""


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
    added = sum(len([line for line in hunk.after if line != NO_LAST_NEWLINE]) for hunk in hunks)
    where = "at the end" if all(not hunk.below for hunk in hunks) else f"at line {hunks[0].line}"
    return f"+{added} {'line' if added == 1 else 'lines'} {where}, nothing changed"


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
        yield replace(span_line(parts), sign="-", number=number)
    for parts in new:
        yield replace(span_line(parts), sign="+")
    for number, line in enumerate(hunk.below, hunk.line + len(hunk.before)):
        yield text_line(line, Tone.DIM, number=number)


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
