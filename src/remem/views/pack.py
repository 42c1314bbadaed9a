"""From a pack that was looked at to the lines of its preview.

Pure: what becomes of the entries was decided elsewhere, and every text goes through the gate that
`document` is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from remem.core.library import Library
from remem.core.prompt.impact import Impact, measure_of
from remem.systems.sniper.pack_effects import PackEffects, places_said
from remem.systems.sniper.pack_plan import Arrival, Arriving, summary_of
from remem.systems.sniper.packs import Pack
from remem.views.long_text import TextLine, span_line, text_line
from remem.views.spans import Span, Tone, span

_TONES: Final = {
    Arrival.ADDED: Tone.GOOD,
    Arrival.HELD: Tone.BAD,
    Arrival.UNREADABLE: Tone.WARN,
}
_INDENT: Final = " " * 12


def pack_lines(
    library: Library, pack: Pack, judged: Sequence[Arriving], effects: PackEffects
) -> list[TextLine]:
    """Return what becomes of each entry, and what approving all would do to each role."""
    from_ = f"from {pack.exported_from}" if pack.exported_from else "of unknown origin"
    at = f", {pack.exported_at}" if pack.exported_at else ""
    lines = [text_line(f"{from_}{at}: {summary_of(judged)}", Tone.STRONG), TextLine("")]
    places = iter(effects.places[ref] for ref in effects.refs)
    for each in judged:
        lines.append(_head(each))
        lines += [_below(each.why, Tone.WARN if each.known else Tone.DIM)] if each.why else []
        lines += [
            _below(f"risky: {suspect.message}", Tone.WARN)
            for suspect in each.suspects
            if not suspect.is_kept_out
        ]
        if each.arrival is Arrival.ADDED:
            lines.append(_below(places_said(next(places)), Tone.DIM))
    if effects.impacts:
        lines += [TextLine(""), text_line("once all of it is approved", Tone.HEADING)]
        lines += _roles(library, effects.impacts)
    return [*lines, TextLine("")]


def held_lines(held: Sequence[Arriving]) -> list[TextLine]:
    """Return what was held back, with what hides in it."""
    lines: list[TextLine] = []
    for each in held:
        lines += [_head(each), _below(each.why, Tone.BAD)]
    return lines


def _head(each: Arriving) -> TextLine:
    word = Span(f"{each.arrival:<12}", _TONES.get(each.arrival, Tone.DIM))
    return span_line((word, span(each.packed.text or f"{each.packed.kind} {each.packed.number}")))


def _below(text: str, tone: Tone) -> TextLine:
    return text_line(f"{_INDENT}{text}", tone)


def _roles(library: Library, impacts: Sequence[Impact]) -> Iterator[TextLine]:
    measure = measure_of(impacts)
    for found in impacts:
        of = found.figures(measure)
        budget = f" of {of.budget:,}" if of.budget else ""
        line = f"{found.role}  {measure} {of.before:,} → {of.after:,}{budget} tokens"
        yield text_line(line, Tone.WARN if found.pushed_out else Tone.PLAIN)
        if found.pushed_out:
            names = ", ".join(library.short(ref) for ref in found.pushed_out)
            yield _below(f"drops: {names}", Tone.WARN)
