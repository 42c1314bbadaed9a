"""Draws how starts grew: a line of bars for a list, a chart for the detail, and who made it more.

Pure: it takes what was found in the history and returns spans and lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from remem.model.trend import Grown, Growth
from remem.views.confidence_history import sparkline
from remem.views.glyphs import ASCII, Glyphs
from remem.views.long_text import TextLine, span_line, text_line
from remem.views.spans import Span, Spans, Tone, short_number, span, tail_of

_BARS: Final = " ▁▂▃▄▅▆▇█"
_ROWS: Final = 5
"""Lines of the chart."""
_COLUMNS: Final = 32
"""Of the chart where there is room."""
_LEAST_COLUMNS: Final = 10
"""Of the chart in a pane however narrow: those of a day below it."""
_LABEL: Final = 6
"""Cells of the number beside the chart, and of its noun, before the line that parts them."""
_LEAST_NAME: Final = 12
"""Cells that the name of a file keeps in however narrow a pane."""

Series = Sequence[tuple[date, int]]
"""Days with tokens, oldest first."""


def bars(series: Series, columns: int, glyphs: Glyphs) -> Spans:
    """Return a history in one line, as wide as asked for; blanks where nothing of it changed.

    The tallest bar is the most there ever was. What never changed, or lies where no history is
    kept, is no growth to be drawn.
    """
    values = columned(series, columns)
    if not _changes(values):
        return (Span(" " * columns),)
    top = max(values)
    points = [value / top if top else 0.0 for value in values]
    return (Span(f"{sparkline(points, columns, glyphs):>{columns}}", Tone.DIM),)


def _changes(values: Sequence[int]) -> bool:
    return len(set(values)) > 1


def columned(series: Series, columns: int) -> list[int]:
    """Return what stood at the end of equal stretches of time, from the first day to the last.

    What stood on a day stands until another is known; a life of fewer days has fewer stretches.
    """
    if not series:
        return []
    first, last = series[0][0], series[-1][0]
    days = (last - first).days
    if days < len(series) - 1:
        # More was looked at than there are days: one after the other tells more than none.
        return [value for _, value in series][-columns:]
    wide = min(columns, days + 1)
    values, at = [], 0
    for column in range(wide):
        end = first.toordinal() + round(days * (column + 1) / wide)
        while at + 1 < len(series) and series[at + 1][0].toordinal() <= end:
            at += 1
        values.append(series[at][1])
    return values


def chart_lines(series: Series, glyphs: Glyphs, columns: int = 0, *, exact: bool) -> list[TextLine]:
    """Return a chart with its highest number, first day and last day; empty if nothing changed.

    Args:
        series: What is drawn.
        glyphs: Of the terminal.
        columns: Cells of a line, in which the last day has its place; 0 = as many as it takes.
        exact: Tokens are those of a vocabulary.
    """
    room = min(max(columns - _LABEL - 2, _LEAST_COLUMNS), _COLUMNS) if columns else _COLUMNS
    values = columned(series, room)
    if not _changes(values):
        return []
    top = max(values)
    width = room // len(values)
    lines = [
        span_line((*_axis(row, top, glyphs, exact=exact), Span(cells)), wraps=False)
        for row, cells in _cells(values, top, width, glyphs)
    ]
    days = _days(series, width * len(values), room)
    lines.append(text_line(f"{'tokens':>{_LABEL}}  {days}", Tone.DIM, wraps=False))
    return lines


def _days(series: Series, drawn: int, room: int) -> str:
    """Return the first day and the last below a chart; the last alone where both have no room."""
    first, last = (series[place][0].isoformat() for place in (0, -1))
    if len(first) + len(last) < room:
        return f"{first}{'':{max(drawn - len(first) - len(last), 1)}}{last}"
    return f"{last:>{drawn}}"


def _cells(
    values: Sequence[int], top: int, width: int, glyphs: Glyphs
) -> Iterator[tuple[int, str]]:
    """Yield the rows of the chart from above: the row from 0, and its cells."""
    steps = len(_BARS) - 1
    heights = [max(round(value * _ROWS * steps / top), 1 if value else 0) for value in values]
    for row in range(_ROWS):
        below = (_ROWS - 1 - row) * steps
        parts = [min(max(height - below, 0), steps) for height in heights]
        signs = [_sign(part, steps, glyphs) for part in parts]
        yield row, "".join(sign * width for sign in signs)


def _sign(part: int, steps: int, glyphs: Glyphs) -> str:
    if glyphs is ASCII:
        return glyphs.bar_full if part * 2 >= steps else " "
    return _BARS[part]


def _axis(row: int, top: int, glyphs: Glyphs, *, exact: bool) -> Spans:
    told = short_number(top, exact=exact, glyphs=glyphs) if row == 0 else ""
    told = "0" if row == _ROWS - 1 else told
    return (Span(f"{told:>{_LABEL}} {glyphs.separator}", Tone.DIM),)


def since_lines(growth: Growth, glyphs: Glyphs, columns: int = 0) -> list[TextLine]:
    """Return what grew since a month by file and by writer, and what is not known.

    Args:
        growth: What the history tells.
        glyphs: Of the terminal.
        columns: Cells of a line, in which a name keeps its end; 0 = as many as it takes.
    """
    lines: list[TextLine] = []
    if growth.since is not None:
        lines.append(text_line(f"token growth of all memory since {growth.since}", Tone.HEADING))
        lines += _table(growth.files, "no file grew", glyphs, columns, exact=growth.exact)
        if growth.writers:
            lines += [TextLine(""), text_line("token growth by author", Tone.HEADING)]
            lines += _table(growth.writers, "", glyphs, columns, exact=False)
    if growth.note:
        lines += [TextLine("")] if lines else []
        lines.append(text_line(growth.note, Tone.DIM))
    return lines


def _table(
    grown: Sequence[Grown], none: str, glyphs: Glyphs, columns: int, *, exact: bool
) -> Iterator[TextLine]:
    if not grown:
        yield text_line(none, Tone.DIM)
    told = [_change(each.tokens, glyphs, exact=exact) for each in grown]
    width = max(map(len, told), default=0)
    for each, tokens in zip(grown, told, strict=True):
        tone = Tone.PLAIN if each.tokens > 0 else Tone.GOOD
        name = span(each.name)
        if columns:
            name = Span(tail_of(name.text, max(columns - width - 2, _LEAST_NAME), glyphs))
        yield span_line((Span(f"{tokens:>{width}}  ", tone), name))


def _change(tokens: int, glyphs: Glyphs, *, exact: bool) -> str:
    about = "" if exact else glyphs.about
    return f"{about}{tokens:+,}"
