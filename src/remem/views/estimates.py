"""Draws what sprints teach about estimates: the factor and the misses, sprint by sprint.

Pure: it takes what `systems/sniper/estimates.py` tells and returns lines; taking over is a verb's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from remem.base.text import count
from remem.systems.sniper.estimates import EstimatesView, SprintPoint
from remem.views.glyphs import Glyphs
from remem.views.long_text import TextLine, span_line, text_line
from remem.views.spans import Span, Spans, Tone, span

_BAR: Final = 15
"""Cells of the factor's bar; as estimated ends at two thirds of it."""
_WHOLE: Final = 10
"""Cells of a factor of 1."""
_FIGURE: Final = 6
"""Cells of the factor in figures."""
_MOST_SIGNS: Final = 8
"""Misses that are drawn one by one; more are counted."""
_POINTS: Final = 5


def estimate_lines(found: EstimatesView, glyphs: Glyphs) -> list[TextLine]:
    """Return the factor, what it means, a row for each sprint, and what is proposed."""
    lines = [span_line(_factor(found)), text_line(_meaning(found), Tone.DIM), TextLine("")]
    if found.sprints:
        lines += [span_line(parts, wraps=False) for parts in _chart(found, glyphs)]
        lines.append(TextLine(""))
    if found.proposed is not None:
        told = (Span("proposed  ", Tone.DIM), span(f"{found.proposed.factor:g}", Tone.STRONG))
        lines += [span_line(told), text_line(found.proposed.arithmetic)]
    elif found.too_few:
        lines.append(text_line(found.too_few, Tone.DIM))
    return lines


def _factor(found: EstimatesView) -> Spans:
    since = f"  as of {found.updated}" if found.updated else ""
    sprints = f" · {count(found.analyzed, 'sprint')}" if found.analyzed else ""
    return (
        Span("velocity factor ", Tone.DIM),
        span(f"{found.factor:g}", Tone.STRONG),
        span(f"{since}{sprints}", Tone.DIM),
    )


def _meaning(found: EstimatesView) -> str:
    if found.factor <= 0:
        return "the factor must be above 0"
    takes = round(_POINTS / found.factor, 1)
    if takes == _POINTS:
        return "stories take as long as estimated"
    return f"a story of {_POINTS} points takes about {takes:g} points"


def _chart(found: EstimatesView, glyphs: Glyphs) -> Iterator[Spans]:
    name = max(len(_name(point)) for point in found.sprints)
    # The figure of 1 stands above its mark in the bars, where there are any.
    mark = "1.0" if any(point.factor is not None for point in found.sprints) else ""
    above = f"factor{mark:>{_WHOLE + 2}}"
    yield (Span(f"{'':{name}}  {above:{_FIGURE + _BAR + 3}}misses", Tone.HEADING),)
    for point in found.sprints:
        yield (
            span(f"{_name(point):{name}}  "),
            *_bar(point, glyphs),
            Span("  "),
            *_misses(point, glyphs),
        )
    yield (
        Span(f"{glyphs.up} "),
        Span("took longer than estimated  ", Tone.DIM),
        Span(f"{glyphs.down} ", Tone.GOOD),
        Span("took less", Tone.DIM),
    )


def _name(point: SprintPoint) -> str:
    return f"sprint {point.sprint}" if point.sprint is not None else point.name


def _bar(point: SprintPoint, glyphs: Glyphs) -> Spans:
    """Return the factor in figures and as a bar with a mark at 1, always as wide."""
    factor = point.factor
    if factor is None:
        return (Span(f"{'not measured':{_FIGURE + _BAR + 1}}", Tone.DIM),)
    full = min(max(round(factor * _WHOLE), 1), _BAR)
    tone = Tone.PLAIN if factor < 1 else Tone.GOOD
    cells = glyphs.bar_full * full + glyphs.bar_rest * (_BAR - full)
    return (
        Span(f"{factor:>{_FIGURE - 1}.2f} ", Tone.PLAIN),
        Span(cells[: min(full, _WHOLE)], tone),
        Span(cells[min(full, _WHOLE) : _WHOLE], Tone.DIM),
        Span(glyphs.separator, Tone.PLAIN),
        Span(cells[_WHOLE : max(full, _WHOLE)], tone),
        Span(cells[max(full, _WHOLE) :], Tone.DIM),
    )


def _misses(point: SprintPoint, glyphs: Glyphs) -> Spans:
    if not point.under and not point.over:
        return (Span("none", Tone.DIM),)
    under, over = _signs(glyphs.up, point.under), _signs(glyphs.down, point.over)
    gap = " " if under and over else ""
    return (Span(under + gap), Span(over, Tone.GOOD))


def _signs(sign: str, number: int) -> str:
    return sign * number if number <= _MOST_SIGNS else f"{sign}{number}"
