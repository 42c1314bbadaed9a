"""What the overlay of a compaction shows: the lines of the answer, what is dropped, each trace.

Pure: rows and lines from what was proposed. What is accepted is the overlay's to keep.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, Literal, TypeAlias

from remem.base.text import count
from remem.systems.personas.compact import Proposed
from remem.systems.personas.compact_trace import Traced, Verdict
from remem.views import signs
from remem.views.long_text import TextLine, text_line, text_lines
from remem.views.rows import Row, Rows
from remem.views.spans import Span, Tone, span

Key: TypeAlias = tuple[Literal["line", "old"], int]
"""A line of the answer, or an old unit that no line stands for."""

_SIGNS: Final = {
    Verdict.KEPT: signs.SAME.drawn,
    Verdict.TRACED: signs.NEW.drawn,
    Verdict.DOUBTFUL: signs.UNCONFIRMED.drawn,
    Verdict.INVENTED: signs.PROBLEM.drawn,
}
_SAYS: Final = {
    Verdict.KEPT: "already in the memory, word for word",
    Verdict.TRACED: "replaces these old lines",
    Verdict.DOUBTFUL: "adds something the old lines do not say",
    Verdict.INVENTED: "not based on any old line",
}


def compact_rows(proposed: Proposed) -> Rows:
    """Return the lines of the answer, then the old units that would go to the archive alone."""
    return Rows.of([*_line_rows(proposed), *_dropped_rows(proposed)])


def marks_of(proposed: Proposed) -> list[Key]:
    """Return the rows that are marked at first: every sound line."""
    return [("line", number) for number in proposed.chosen()]


def chosen_in(marks: Collection[object], kind: str) -> list[int]:
    """Return the numbers of the marked rows of one kind, in order."""
    return sorted(mark[1] for mark in marks if isinstance(mark, tuple) and mark[0] == kind)


def detail_lines(proposed: Proposed, key: object) -> list[TextLine]:
    """Return what there is to know of the row under the cursor."""
    match key:
        case ("line", int(number)):
            return [*_of_line(proposed, proposed.lines[number])]
        case ("old", int(unit)):
            head = text_line("goes to the archive; mark it to keep it", Tone.DIM)
            return [head, *_of_unit(proposed, unit)]
        case _:
            return []


def _line_rows(proposed: Proposed) -> Iterator[Row]:
    right = (span("marked lines are used", Tone.DIM),)
    title = f"{count(proposed.lines, 'line')} of the answer"
    yield Row("lines", (span(title),), right=right, is_header=True)
    for number, line in enumerate(proposed.lines):
        stands = "same" if line.verdict is Verdict.KEPT else f"for {len(line.units)}"
        told = "invented" if line.verdict is Verdict.INVENTED else stands
        yield Row(
            ("line", number), (span(line.text),), _SIGNS[line.verdict], (span(told, Tone.DIM),)
        )


def _dropped_rows(proposed: Proposed) -> Iterator[Row]:
    if not proposed.dropped:
        return
    title = f"{count(proposed.dropped, 'old line')} dropped"
    right = (span("marked lines stay", Tone.DIM),)
    yield Row("dropped", (span(title),), right=right, is_header=True)
    region = proposed.region
    for unit in proposed.dropped:
        first = (region.texts[unit].splitlines() or [""])[0]
        section = (span(region.section_of(unit), Tone.DIM),)
        yield Row(("old", unit), (span(first),), Span("-", Tone.REMOVED), section)


def _of_line(proposed: Proposed, line: Traced) -> Iterator[TextLine]:
    yield text_line(line.text, Tone.STRONG)
    tone = Tone.DIM if line.verdict.is_taken else Tone.WARN
    yield text_line(line.doubt or _SAYS[line.verdict], tone)
    if line.new and line.verdict is not Verdict.KEPT:
        yield text_line(f"new words: {', '.join(line.new[:20])}", Tone.DIM)
    for unit in line.units:
        yield TextLine("")
        yield from _of_unit(proposed, unit)


def _of_unit(proposed: Proposed, unit: int) -> Iterator[TextLine]:
    section = proposed.region.section_of(unit)
    if section:
        yield text_line(section, Tone.HEADING)
    yield from text_lines(proposed.region.texts[unit])
