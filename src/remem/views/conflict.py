"""From the three texts of a conflict to lines: each beside the others, and all that differs.

It compares and tones; which of them counts is the person's to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from remem.base.errors import Sides
from remem.base.frozen import dataclass
from remem.store.hunks import file_diff
from remem.views.diff import FileDiff, Kind, diff_lines, one_side, word_diff
from remem.views.long_text import TextLine, safe_line, span_line, text_line
from remem.views.spans import Spans, Tone

_CHANGED: tuple[Tone, ...] = (Tone.ADDED_WORD, Tone.REMOVED_WORD)


@dataclass(frozen=True, slots=True)
class Columns:
    """The three texts, each with the words that only it has."""

    base: list[TextLine]
    theirs: list[TextLine]
    yours: list[TextLine]


def columns(sides: Sides) -> Columns:
    """Return the three texts for columns: what went from the first, what came to the others."""
    base, theirs = _pair(sides.base, sides.theirs)
    _, yours = _pair(sides.theirs, sides.yours)
    return Columns(
        base or [text_line("the text you saw is not known to this session", Tone.DIM)],
        theirs or [text_line(sides.changed, Tone.WARN)],
        yours or [_nothing_left(sides)],
    )


def whole_lines(sides: Sides, writes: Sequence[TextLine]) -> list[TextLine]:
    """Return every line that differs, and what the decision would write."""
    lines = [
        *_between("as shown → now", sides.base, sides.theirs),
        *_between("now → yours", sides.theirs, sides.yours),
    ]
    if writes:
        lines += [text_line("what would be written", Tone.STRONG), *writes]
    return lines or [text_line(sides.changed, Tone.WARN)]


def _nothing_left(sides: Sides) -> TextLine:
    if not sides.blocked:
        return text_line("the decision removes it", Tone.WARN)
    return text_line(f"not possible on the current text: {sides.blocked}", Tone.WARN)


def _pair(old: str | None, new: str | None) -> tuple[list[TextLine], list[TextLine]]:
    before, after = _gated(old), _gated(new)
    if old is None or new is None:
        return _plain(before), _plain(after)
    pieces = word_diff(before, after)
    return (
        _signed(one_side(pieces, Kind.REMOVED, Tone.PLAIN, Tone.REMOVED_WORD), "-"),
        _signed(one_side(pieces, Kind.ADDED, Tone.PLAIN, Tone.ADDED_WORD), "+"),
    )


def _gated(text: str | None) -> str:
    """Return a text whose lines are safe, so that what is compared is what is drawn."""
    lines = (text or "").replace("\r\n", "\n").rstrip("\n").split("\n")
    return "\n".join(map(safe_line, lines))


def _plain(text: str) -> list[TextLine]:
    return [text_line(line) for line in text.split("\n")] if text else []


def _signed(lines: Sequence[Spans], sign: str) -> list[TextLine]:
    """Give lines with words of their own a sign, for those who see no colour."""
    return [
        replace(span_line(parts), sign=sign if any(p.tone in _CHANGED for p in parts) else " ")
        for parts in lines
    ]


def _between(label: str, old: str | None, new: str | None) -> list[TextLine]:
    if old is None or new is None:
        return []
    before, after = ((text.rstrip("\n") + "\n").encode("utf-8", "replace") for text in (old, new))
    hunks = file_diff(before, after)
    note = "" if hunks else "no differences"
    return [*diff_lines([FileDiff(label, hunks, note)]), TextLine("")]
