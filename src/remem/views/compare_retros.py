"""Two retros beside each other, and what one of them did to memory, as lines.

What recurs and what got worse is found by `systems/sniper/retro_view.py`; here it is put into
words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from remem.base.errors import RememError
from remem.base.text import count
from remem.core.session import Workbench
from remem.model.source import Source
from remem.systems.sniper.retro_record import Finding
from remem.systems.sniper.retro_view import Pair, retro_diff, retro_effect
from remem.views.diff import FileDiff, diff_lines
from remem.views.document import TextLine, span_line, text_line, waterline
from remem.views.glyphs import Glyphs
from remem.views.paths import label
from remem.views.retro import section_name
from remem.views.spans import Span, Tone, span

_INDENT: Final = "    "


def compare_lines(
    bench: Workbench, before: Source, after: Source, glyphs: Glyphs
) -> list[TextLine]:
    """Return what changed between two retros, and the whole effect of the later one on memory.

    Reads the history, so it takes a moment.
    """
    found = retro_diff(before, after)
    same = [pair for pair in found.recurring if pair not in found.worse]
    counts = (
        f"{len(found.worse)} got worse",
        f"{len(same)} recurring",
        f"{len(found.new)} new",
        f"{len(found.gone)} gone",
    )
    return [
        text_line(" · ".join(counts), Tone.STRONG),
        *_part("got worse", [_pair_lines("!", Tone.WARN, p, glyphs) for p in found.worse]),
        *_part("recurring", [_pair_lines("=", Tone.DIM, p, glyphs) for p in same]),
        *_part("new", [[_line("+", Tone.GOOD, each)] for each in found.new]),
        *_part("gone", [[_line("-", Tone.DIM, each)] for each in found.gone]),
        TextLine(""),
        waterline(f"what {after.path.stem} did to memory"),
        *effect_lines(bench, after),
    ]


def effect_lines(bench: Workbench, source: Source) -> list[TextLine]:
    """Return all that a retro did to memory as one diff."""
    try:
        history = [(logged, bench.journal.steps(logged.id)) for logged in bench.history()]
        effect = retro_effect(bench.library, source, history)
    except RememError as error:
        return [text_line(str(error), Tone.WARN), text_line(error.hint, Tone.DIM)]
    if not effect:
        return [text_line("nothing yet: none of its findings was decided here", Tone.DIM)]
    return diff_lines([FileDiff(label(bench, each.path), each.hunks) for each in effect])


def _part(title: str, members: Sequence[Sequence[TextLine]]) -> Iterator[TextLine]:
    if not members:
        return
    yield TextLine("")
    yield text_line(title, Tone.HEADING)
    for lines in members:
        yield from lines


def _pair_lines(sign: str, tone: Tone, pair: Pair, glyphs: Glyphs) -> list[TextLine]:
    before, after = pair.before, pair.after
    lines = [_line(sign, tone, after)]
    told = []
    if before.occurrences != after.occurrences:
        met = f"met {before.occurrences} {glyphs.arrow} {count(after.occurrences, 'time')}"
        told.append(met)
    if before.recommendation != after.recommendation:
        was, now = before.recommendation or "nothing", after.recommendation or "nothing"
        told.append(f"recommended: {was} {glyphs.arrow} {now}")
    if told:
        lines.append(text_line(_INDENT + " · ".join(told), tone))
    if before.text != after.text:
        lines.append(text_line(f"{_INDENT}before: {before.text}", Tone.DIM))
    return lines


def _line(sign: str, tone: Tone, finding: Finding) -> TextLine:
    where = section_name(finding.section)
    return span_line((Span(f"  {sign} ", tone), span(finding.text), span(f"  {where}", Tone.DIM)))
