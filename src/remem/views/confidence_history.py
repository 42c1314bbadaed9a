"""Draws the history of a confidence: a sparkline, the next thresholds, and a line for each event.

How sure an entry is, and how that came about, its system tells; here are lines of spans for a
screen to show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from remem.base.text import count
from remem.core.library import Library
from remem.model.confidence_history import Row, Threshold, Trajectory
from remem.model.entry import Entry
from remem.views.glyphs import ASCII, UNICODE, Glyphs
from remem.views.spans import Span, Spans, Tone, span


def trajectory(library: Library, entry: Entry) -> Trajectory | None:
    """Return the history of an entry's confidence; `None` for what has none."""
    read = library.format_of(entry).facets.confidence.get(entry.kind)
    return read(library, entry) if read is not None else None


_BARS: Final = "▁▂▃▄▅▆▇█"
_ASCII_BARS: Final = "_.-=#"
"""Where only ASCII is drawn: no digits, which would be read as a number beside the others."""
MOST_POINTS: Final = 40
"""Of a sparkline; the newest are kept."""
_DATE: Final = 10
_WIDEST: Final = 24
"""Columns that the name of a story may take."""


def sparkline(points: Sequence[float], most: int = MOST_POINTS, glyphs: Glyphs = UNICODE) -> str:
    """Return one sign a point, from 0 at the bottom to 1 at the top."""
    signs = _ASCII_BARS if glyphs is ASCII else _BARS
    top = len(signs) - 1
    return "".join(signs[round(min(1.0, max(0.0, p)) * top)] for p in points[-most:])


def summary(found: Trajectory, glyphs: Glyphs = UNICODE) -> Spans:
    """Return the one line that stands wherever the confidence does."""
    about = glyphs.about if found.approximate else ""
    events = count(found.rows, "event")
    return (
        Span("confidence ", Tone.DIM),
        span(f"{about}{found.now:g}", Tone.STRONG),
        span(f" {sparkline(found.points, glyphs=glyphs)} "),
        span(f"{found.status} · {events}", Tone.DIM),
    )


def lines(found: Trajectory, glyphs: Glyphs = UNICODE) -> tuple[Spans, ...]:
    """Return the whole ledger, newest event first, below its summary and thresholds."""
    marks = [_threshold(glyphs.up, found.up)] if found.up else []
    marks += [_threshold(glyphs.down, found.down)] if found.down else []
    what_if = [(span(sentence, Tone.DIM),) for sentence in found.what_if]
    return (summary(found, glyphs), *marks, *what_if, (), *_ledger(found.rows[::-1], glyphs))


def _threshold(sign: str, found: Threshold) -> Spans:
    return (
        span(f"{sign} {found.at:g} ", Tone.STRONG),
        span(found.means, Tone.PLAIN),
        span(f" · {found.away}", Tone.DIM),
    )


def _ledger(rows: Sequence[Row], glyphs: Glyphs) -> Iterator[Spans]:
    """Yield an event and below it who and why; columns are as wide as what stands in them."""
    events = [row.event.replace("_", " ") for row in rows]
    deltas = ["" if row.delta is None else f"{row.delta:+g}" for row in rows]
    sides = [
        f"{_figure(row.before, about=row.about_before, glyphs=glyphs)} {glyphs.arrow} "
        f"{_figure(row.after, about=row.about_after, glyphs=glyphs)}"
        for row in rows
    ]
    whens = [row.story or row.time[:_DATE] for row in rows]
    event, delta, when = (max(map(len, each), default=0) for each in (events, deltas, whens))
    when = min(max(when, _DATE), _WIDEST)
    for place, row in enumerate(rows):
        yield (
            span(f"{whens[place][:when]:<{when}}  ", Tone.DIM),
            span(f"{events[place]:<{event}}  ", Tone.PLAIN),
            span(f"{deltas[place]:>{delta}}  ", _tone(row)),
            span(sides[place], Tone.PLAIN),
        )
        told = " · ".join(part for part in (row.by, row.detail) if part)
        if told:
            yield (span(f"{'':{when}}  {told}", Tone.DIM),)


def _figure(value: float | None, *, about: bool, glyphs: Glyphs) -> str:
    return "?" if value is None else f"{glyphs.about if about else ''}{value:g}"


def _tone(row: Row) -> Tone:
    if not row.delta:
        return Tone.DIM
    return Tone.GOOD if row.delta > 0 else Tone.BAD
