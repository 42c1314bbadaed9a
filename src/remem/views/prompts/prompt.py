"""From a prompt to lines on the Prompt screen: what is in, the waterline, what is out and why.

Pure: it reads a prompt and the library's titles, and knows nothing of widgets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from rich.cells import cell_len, set_cell_size

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.library import Library
from remem.core.prompt.budget import amount
from remem.core.prompt.why import Explanation
from remem.model.entry import Ref
from remem.model.prompt import BETWEEN_LAYERS, Layer, Line, Prompt, Reason, Unit, Verdict
from remem.views.glyphs import Glyphs
from remem.views.long_text import TextLine, span_line, text_line, waterline
from remem.views.prompts.choices import at_start, joins_line, moment_of
from remem.views.spans import (
    LAYER_TONES,
    Span,
    Spans,
    Tone,
    clip,
    number,
    span,
    token_bar,
    width_of,
)

_REASONS = {
    Reason.ROLE: "other roles",
    Reason.STATUS: "not in force",
    Reason.CONFIDENCE: "confidence",
    Reason.SCOPE: "scope",
    Reason.EXPIRED: "expired",
    Reason.OVERRIDDEN: "overridden",
    Reason.LIMIT: "limit",
    Reason.BUDGET: "budget",
    Reason.DISABLED: "switched off",
    Reason.NOT_LOADED: "not loaded",
    Reason.REJECTED: "rejected",
}
_NEAREST = (
    Reason.BUDGET,
    Reason.LIMIT,
    Reason.NOT_LOADED,
    Reason.CONFIDENCE,
    Reason.STATUS,
    Reason.OVERRIDDEN,
    Reason.EXPIRED,
    Reason.DISABLED,
    Reason.SCOPE,
    Reason.ROLE,
    Reason.REJECTED,
)
"""What stands right below the water first: there was no room for it, or a word would let it in."""
_CALLED: Final = 20
"""Cells that the name of a layer may take beside its bar."""
_SHORTEST_BAR: Final = 6
_LONGEST_BAR: Final = 24


def prompt_lines(prompt: Prompt, library: Library) -> list[TextLine]:
    """Return all of the prompt, then the waterline, then every entry that is out.

    None where nothing is in and nothing out: nobody's memory was found.
    """
    if not (prompt.layers or prompt.verdicts or prompt.left or prompt.unseen):
        return []
    lines: list[TextLine] = []
    letters = _letters(prompt.layers)
    for place, layer in enumerate(prompt.layers, 1):
        lines += [TextLine("", layer=place) for _ in range(layer.gap)]
        if layer.joins is not None:
            lines.append(text_line(_joins(layer, prompt), Tone.DIM))
        lines += [_line(line, letters[layer.name], place) for line in layer.lines]
    out = [verdict for verdict in prompt.verdicts if not verdict.is_in]
    lines.append(waterline(_water(prompt, out)))
    lines += _files_left(prompt, out, library)
    named = {left.name for left in prompt.left}
    units = {layer.name: layer.unit for layer in prompt.layers}
    lines += _outsiders([each for each in out if each.layer not in named], library, units)
    lines += [text_line(f"not shown: {unseen}", Tone.DIM) for unseen in prompt.unseen]
    return lines


def layer_lines(prompt: Prompt, width: int, glyphs: Glyphs) -> list[TextLine]:
    """Return the sum of a moment, one bar per layer and the notes, `width` cells wide."""
    lines = [text_line(_sum(prompt), Tone.STRONG)] if prompt.joined else []
    lines += _bars(prompt, width, glyphs)
    lines += [text_line(note, Tone.WARN) for note in prompt.notes]
    return lines


def _letters(layers: Sequence[Layer]) -> Mapping[str, str]:
    """Return a letter for each layer: the first of its name that no other has, budgets first."""
    given: dict[str, str] = {}
    for name in dict.fromkeys(each.name for each in sorted(layers, key=lambda one: not one.budget)):
        own = [each for each in name.upper() if each.isalnum()]
        free = (each for each in own if each not in given.values())
        given[name] = next(free, own[0] if own else "·")
    return given


def first_joined(prompt: Prompt, lines: Sequence[TextLine]) -> int:
    """Return the place of the line that heads what joined last; 0 = nothing did."""
    files = [layer.joins.file for layer in prompt.joined if layer.joins is not None]
    last = max(files, key=prompt.ask.files.index, default="")
    heads = {_joins(x, prompt) for x in prompt.joined if x.joins and x.joins.file == last}
    return next((at for at, line in enumerate(lines) if line.text in heads), 0)


def _joins(layer: Layer, prompt: Prompt) -> str:
    sign = "" if prompt.exact else "≈"
    return f"+ {joins_line(layer)} · {sign}{count(layer.tokens, 'token')}"


def _sum(prompt: Prompt) -> str:
    sign = "" if prompt.exact else "≈"
    first = at_start(prompt)
    more = prompt.tokens - first
    return f"{sign}{first:,} at the start + {sign}{more:,} {moment_of(prompt.ask)}"


def why_lines(explanation: Explanation, library: Library) -> list[TextLine]:
    """Return why an entry is in or out, and what would change that."""
    entry = library.entry(explanation.ref)
    head = span_line(
        (
            Span(
                "in  " if explanation.is_in else "out ",
                Tone.GOOD if explanation.is_in else Tone.WARN,
            ),
            span(library.short(explanation.ref), Tone.STRONG),
        )
    )
    because = explanation.because if explanation.is_in else ""
    body = [text_line(sentence) for sentence in explanation.sentences if sentence not in because]
    body += [text_line(f"Reason: {because}")] if because else []
    room = [
        span_line(
            (
                Span("  remove ", Tone.DIM),
                span(library.short(ref)),
                span(f"  {_title(library, ref)}", Tone.DIM),
            )
        )
        for ref in explanation.makes_room
    ]
    return [head, text_line(entry.title), TextLine(""), *body, *room]


def gain(prompt: Prompt, without: Prompt, library: Library, gone: Ref, own: int) -> str:
    """Say what archiving the selected entry would free, let in and push out.

    Args:
        prompt: As it is.
        without: Without the entry.
        library: Names what comes in.
        gone: The entry.
        own: Tokens of the entry's own text; its line end and a heading of its own come on top.
    """
    before = dict.fromkeys(verdict.ref for verdict in prompt.verdicts if verdict.is_in)
    after = dict.fromkeys(verdict.ref for verdict in without.verdicts if verdict.is_in)
    came = [ref for ref in after if ref not in before]
    went = [ref for ref in before if ref not in after and ref != gone]
    freed = prompt.tokens - without.tokens
    sign = "" if prompt.exact and without.exact else "≈"
    room = f"frees {sign}{freed:,} tokens" if freed >= 0 else f"costs {sign}{-freed:,} more tokens"
    if not came and not went:
        around = freed - own
        of = f" ({sign}{own:,} of its text, {around:,} around it)" if around > 0 else ""
        # Only what was kept out for want of room could come in.
        is_full = any(verdict.reason is Reason.BUDGET for verdict in prompt.verdicts)
        return f"{room}; nothing else would fit" if is_full else f"{room}{of}"
    moves = (("adds", came), ("drops", went))
    return "; ".join([room, *(f"{does} {_names(library, refs)}" for does, refs in moves if refs)])


def _names(library: Library, refs: Sequence[Ref]) -> str:
    more = f" and {len(refs) - 3} more" if len(refs) > 3 else ""
    return f"{', '.join(map(library.short, refs[:3]))}{more}"


def difference(composed: Prompt, loaded: Prompt) -> str:
    """Say what both ways cost, each with the sign of its own count, and how they differ."""
    ways = [number(each.tokens, exact=each.exact) for each in (composed, loaded)]
    more = loaded.tokens - composed.tokens
    apart = number(abs(more), exact=composed.exact and loaded.exact)
    told = f"{apart} tokens {'more' if more > 0 else 'fewer'}" if more else "no difference"
    return f"composed {ways[0]} tokens · as loaded {ways[1]}: {told}"


def _line(line: Line, letter: str, place: int) -> TextLine:
    made = text_line(
        line.text.removesuffix("\r"),  # of CRLF it tells nothing
        Tone.HEADING if line.text.startswith("#") else Tone.PLAIN,
        ref=line.ref,
        number=line.number,
        tokens=line.tokens if line.text else None,
        layer=place,
        letter=letter,
    )
    table = line.text.lstrip().startswith(("|", "```"))
    return replace(made, wraps=False) if table else made


def _water(prompt: Prompt, out: Sequence[Verdict]) -> str:
    measured = [each for each in prompt.layers if each.budget and each.unit is Unit.TOKENS]
    budgets = [layer.budget for layer in measured if layer.budget]
    used = sum(layer.tokens for layer in measured)
    sign = "" if prompt.exact else "≈"
    below = _below(prompt, out)
    if not budgets:
        return f"{below} out"
    return f"{sign}{used:,} of {sum(budgets):,} tokens · {below} out"


def _below(prompt: Prompt, out: Sequence[Verdict]) -> str:
    """Return what is below the water: entries of files that are left out, and all others."""
    if not prompt.left:
        return count(out, "entry", "entries")
    names = {each.name for each in prompt.left}
    inside = sum(verdict.layer in names for verdict in out)
    others = len(out) - inside
    told = count({each.path for each in prompt.left}, "file")
    if inside:
        told = f"{count(inside, 'entry', 'entries')} in {told}"
    return f"{told}, {count(others, 'other entry', 'other entries')}" if others else told


def _files_left(prompt: Prompt, out: Sequence[Verdict], library: Library) -> Iterator[TextLine]:
    """Yield files that are not loaded, or not whole, each with the reason and what is in it."""
    inside: dict[str, list[Verdict]] = {}
    for verdict in out:
        inside.setdefault(verdict.layer, []).append(verdict)
    sign = "" if prompt.exact else "≈"
    for left in prompt.left:
        part = f" {left.part}" if left.part else ""
        size = f"{sign}{left.tokens:,} tokens · " if left.tokens else ""
        yield span_line(
            (span(f"{left.name}{part}", Tone.STRONG), span(f"  {size}{left.why}", Tone.DIM))
        )
        for verdict in inside.get(left.name, ()):
            title = span(f"  {_title(library, verdict.ref)}", Tone.DIM)
            yield span_line((title,), ref=verdict.ref, wraps=False)


def _outsiders(
    out: Sequence[Verdict], library: Library, units: Mapping[str, Unit]
) -> Iterator[TextLine]:
    """Yield those that are out, by reason, the nearest to the water first."""
    groups: dict[Reason, list[Verdict]] = {}
    for verdict in out:
        if verdict.reason is not None:
            groups.setdefault(verdict.reason, []).append(verdict)
    for reason in sorted(groups, key=_NEAREST.index):
        members = sorted(groups[reason], key=lambda verdict: verdict.lacked)
        yield span_line((Span(_REASONS[reason], Tone.HEADING), Span(f" {len(members)}", Tone.DIM)))
        for verdict in members:
            yield _outsider(verdict, library, units.get(verdict.layer, Unit.TOKENS))


def _outsider(verdict: Verdict, library: Library, unit: Unit) -> TextLine:
    """Return one entry that is out in one line: what it lacked, what it says, why."""
    over = f"{amount(verdict.lacked, unit)} over budget  "
    lacked = (Span(over),) if verdict.lacked else ()
    said = "" if verdict.lacked else verdict.detail
    parts = (
        *lacked,
        span(_title(library, verdict.ref)),
        span(f"  {said}" if said else "", Tone.DIM),
    )
    line = span_line(parts, ref=verdict.ref, wraps=False)
    return replace(line, tokens=verdict.tokens or None)


@dataclass(frozen=True, slots=True)
class _Stack:
    """All layers of one name, as the pane sums them up."""

    place: int | None
    """Of the first of them, which gives the colour; `None` = it is no layer."""
    tokens: int = 0
    budget: int = 0
    limit: str = ""
    """What it holds at most, where that is counted in tokens."""
    note: str = ""
    """What it holds at most, where that is counted in something else."""


def _stacks(prompt: Prompt) -> Mapping[str, _Stack]:
    """Return the layers of each name, and what stands between them: together the whole prompt."""
    named: dict[str, _Stack] = {}
    for place, layer in enumerate(prompt.layers):
        held = named.get(layer.name, _Stack(place))
        budget, limit, note = held.budget, held.limit, held.note
        if layer.budget and layer.unit is Unit.TOKENS:
            budget += layer.budget
            limit = f" / {budget:,}"
        elif layer.budget:
            note = f"at most {layer.budget:,} {layer.unit}"
        named[layer.name] = _Stack(held.place, held.tokens + layer.tokens, budget, limit, note)
    if prompt.between:
        named[BETWEEN_LAYERS] = _Stack(None, prompt.between)
    return named


def _bars(prompt: Prompt, width: int, glyphs: Glyphs) -> Iterator[TextLine]:
    """Yield a line for each layer: its tokens, and its share of its budget where it has one."""
    letters = _letters(prompt.layers)
    stacks = _stacks(prompt)
    tokens = [number(each.tokens, exact=prompt.exact, glyphs=glyphs) for each in stacks.values()]
    digits = max(map(cell_len, tokens), default=0)
    figures = {
        name: f"{has:>{digits}}{each.limit}"
        for (name, each), has in zip(stacks.items(), tokens, strict=True)
    }
    names = max(map(cell_len, stacks), default=0)
    has_bars = any(each.budget for each in stacks.values())
    noted = {name: f"{figures[name]} · {each.note}" for name, each in stacks.items() if each.note}
    # Its letter and two blanks stand beside the name, the bar and the figures.
    room = width - max(map(cell_len, {**figures, **noted}.values()), default=0) - 4
    are_beside = room >= (min(names, _CALLED) if has_bars else names)
    if are_beside:
        figures |= noted
    left = width - max(map(cell_len, figures.values()), default=0) - 4
    called = min(names, _CALLED if has_bars else left)
    room = min(left - called, _LONGEST_BAR)
    has_bars = has_bars and room >= _SHORTEST_BAR
    for name, each in stacks.items():
        tone = Tone.DIM if each.place is None else LAYER_TONES[each.place % len(LAYER_TONES)]
        bar = _bar(each, room, glyphs) if has_bars else ()
        label = clip((span(name),), called, glyphs)
        pad = Span(" " * (called - width_of(label) + 1))
        head = Span(set_cell_size(letters.get(name, ""), 2), tone)
        yield span_line((head, *label, pad, *bar, Span(f" {figures[name]}")))
        if each.note and not are_beside:
            # A note of one layer must not take the names of all.
            yield span_line((Span("  "), Span(each.note, Tone.DIM)), hang=2)


def _bar(stack: _Stack, width: int, glyphs: Glyphs) -> Spans:
    if stack.budget:
        return token_bar(stack.tokens, stack.budget, width, glyphs)
    return (Span(" " * width),)  # the figures of all stand in one column


def _title(library: Library, ref: Ref) -> str:
    return library.entry(ref).title if library.has(ref) else str(ref)
