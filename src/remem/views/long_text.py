"""Lines of a long text as a view draws them, and how Markdown becomes such lines.

Markdown is shown as its source, with tones: nothing is rendered away, so that what is read is what
an agent reads.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Final

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.base.text import safe_text
from remem.views.spans import Span, Spans, Tone

_FENCE: Final = lazy_pattern(r"\s{0,3}(?:[-*+]\s+)?(```+|~~~+)")
_HEADING: Final = lazy_pattern(r"\s{0,3}#{1,6}\s")
_TABLE: Final = lazy_pattern(r"\s*\|")
_TAB: Final = 4
_REACH: Final = 200
"""Lines either way in which a place is looked for again."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of a text; the view breaks it into rows."""

    text: str
    """Gated and without tabs or newlines; see `text_line`."""
    tone: Tone = Tone.PLAIN
    spans: Spans = ()
    """The same text in several tones; empty = all of it in `tone`."""
    ref: Hashable = None
    """The entry it came from; lines with one are where a cursor stops."""
    number: int = 0
    """In its file, from 1; 0 = none."""
    tokens: int | None = None
    layer: int = 0
    """Number of its layer, from 1; 0 = none."""
    letter: str = ""
    """The layer in one letter, for those who see no colour."""
    sign: str = ""
    """`+` or `-` of a diff."""
    wraps: bool = True
    """False for tables and fences: they are cut and scroll sideways."""
    hang: int = 0
    """Cells that a continuation is moved in; 0 = as a bullet is."""
    rule: bool = False
    """A waterline: drawn across the pane with `text` in it."""
    mark: str = ""
    """What a screen finds it by, for others may have written the same text: the name of a fact."""


def text_line(
    text: str,
    tone: Tone = Tone.PLAIN,
    *,
    ref: Hashable = None,
    number: int = 0,
    tokens: int | None = None,
    layer: int = 0,
    letter: str = "",
    wraps: bool = True,
) -> TextLine:
    """Return one line of a text from disk, gated."""
    return TextLine(safe_line(text), tone, (), ref, number, tokens, layer, letter, "", wraps)


def span_line(
    parts: Iterable[Span],
    *,
    ref: Hashable = None,
    wraps: bool = True,
    hang: int = 0,
    mark: str = "",
) -> TextLine:
    """Return one line in several tones, gated."""
    whole = tuple(Span(safe_line(part.text), part.tone) for part in parts)
    text = "".join(part.text for part in whole)
    return TextLine(text, spans=whole, ref=ref, wraps=wraps, hang=hang, mark=mark)


WRITES: Final = "writes"
"""The mark of the heading above what a decision would write, or what was written."""


def writes_head(text: str) -> TextLine:
    """Return the heading above what would be written, or was."""
    return TextLine(safe_line(text), Tone.HEADING, mark=WRITES)


def waterline(text: str) -> TextLine:
    """Return the line across the pane that parts what is in from what is out."""
    return TextLine(safe_line(text), Tone.WARN, rule=True)


def safe_line(text: str) -> str:
    """Return one gated line; tabs become spaces, so that cells can be counted."""
    if "\t" in text:
        text = text.expandtabs(_TAB)
    return safe_text(text, one_line=True)


def text_lines(text: str, *, first: int = 1) -> list[TextLine]:
    """Return `text` line by line as it stands, numbered from `first`."""
    return [text_line(line, number=number) for number, line in enumerate(_split(text), first)]


def markdown_lines(text: str, *, first: int = 1, ref: Hashable = None) -> list[TextLine]:
    """Return Markdown source line by line; headings and fences have tones, tables do not wrap.

    Args:
        text: The source; a file's line ends may be of either kind.
        first: Number of its first line.
        ref: The entry that all of it belongs to.
    """
    return [
        text_line(line, tone, ref=ref, number=number, wraps=wraps)
        for number, (line, tone, wraps) in enumerate(_markdown(_split(text)), first)
    ]


def same_line(before: Sequence[TextLine], index: int, after: Sequence[TextLine]) -> int:
    """Return where line `index` of `before` stands in `after`: by its ref, else by its text."""
    if not 0 <= index < len(before) or not after:
        return 0
    line = before[index]
    here = min(index, len(after) - 1)
    around = range(max(here - _REACH, 0), min(here + _REACH + 1, len(after)))
    by_distance = sorted(around, key=lambda other: abs(other - here))
    if line.ref is not None:
        nth = sum(1 for other in before[max(index - _REACH, 0) : index] if other.ref == line.ref)
        same = [i for i in around if after[i].ref == line.ref]
        if same:
            return same[min(nth, len(same) - 1)]
    return next((i for i in by_distance if after[i].text == line.text), here)


def _split(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def _markdown(lines: Iterable[str]) -> Iterator[tuple[str, Tone, bool]]:
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if fence:
            yield line, Tone.CODE, False
            # A fence ends at one of its own kind that is at least as long and stands alone.
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif mark:
            fence = mark[1]
            yield line, Tone.CODE, False
        elif _HEADING.match(line):
            yield line, Tone.HEADING, True
        else:
            yield line, Tone.PLAIN, _TABLE.match(line) is None
