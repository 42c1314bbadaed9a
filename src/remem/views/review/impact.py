"""What each verb on offer would do to the prompts: tokens per role, now and after.

It draws figures that somebody else counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.prompt.impact import Measure
from remem.views.glyphs import Glyphs
from remem.views.spans import Span, Spans, Tone, change, clip, number, span, token_bar, width_of

DROPS: Final = "drops"
"""What is said before entries that leave a prompt for want of room, at every door."""
ADDS: Final = "adds"
"""Before those that get room in it."""
NO_ROOM: Final = "over budget:"
"""Before those that come into force and get none."""
OTHER_WORDS: Final = "other words, tokens unchanged"
"""Of who is given the same entries in as many tokens."""

_COLUMN: Final = 16
_LEAST_COLUMN: Final = 12
"""Cells of one verb's column."""
_LABEL: Final = 26
_LEAST_LABEL: Final = 14
"""Cells of a role's name and the gap after it."""
_LEAST_NAME: Final = 8
_NOW: Final = 8
_LIMIT: Final = 10
"""Cells for the budget at the end of a line."""
_BAR: Final = 12
_NAMED: Final = 4
"""Entries that are named for each role as pushed out, and as let in."""


@dataclass(frozen=True, slots=True)
class RoleImpact:
    """What one verb does to what one role is given."""

    role: str
    now: int
    after: int
    budget: int
    """0 = none."""
    exact: bool = True
    pushed_out: tuple[str, ...] = ()
    """Titles of entries that go for want of room."""
    let_in: tuple[str, ...] = ()
    no_room: tuple[str, ...] = ()
    """Titles of entries that the verb brings into force, and that are out all the same."""


@dataclass(frozen=True, slots=True)
class VerbImpact:
    """One column: a verb, and its roles in the order of the table."""

    key: str
    title: str
    roles: tuple[RoleImpact, ...]
    note: str = ""
    """What stands in place of figures: `no prompt changes`."""


def measured(impacts: Sequence[VerbImpact]) -> str:
    """Return what the tokens of a table are of; with a budget they are of what is held to it."""
    has_budget = any(role.budget for impact in impacts for role in impact.roles)
    return Measure.MEMORY if has_budget else Measure.PROMPT


def impact_lines(impacts: Sequence[VerbImpact], width: int, glyphs: Glyphs) -> list[Spans]:
    """Return the table as lines for `width` cells."""
    if not any(impact.roles or impact.note for impact in impacts):
        return []
    named = list(dict.fromkeys(role.role for impact in impacts for role in impact.roles))
    felt = {role.role for impact in impacts for role in impact.roles if _matters(role)}
    roles = [role for role in named if role in felt]
    measure = measured(impacts)
    if not roles:
        return [line for impact in impacts for line in _stacked(impact, measure, width, glyphs)]
    quiet = [(Span(f"{count(len(named) - len(roles), 'other role')} unchanged", Tone.DIM),)]
    quiet = quiet if len(named) > len(roles) else []
    label = min(max(map(cell_len, (measure, *roles))) + 2, _LABEL)
    room = width - _NOW - _LIMIT
    column = min((room - label) // len(impacts), _COLUMN)
    if column < _LEAST_COLUMN:
        column = _LEAST_COLUMN
        label = min(label, room - column * len(impacts))
    if roles and label >= min(_LEAST_LABEL, max(map(cell_len, roles)) + 2):
        cells = label, column, width
        return [*_table(impacts, roles, cells, glyphs), *quiet, *_moves(impacts, glyphs)]
    stacked = [line for impact in impacts for line in _stacked(impact, measure, width, glyphs)]
    return [*stacked, *quiet]


def _table(
    impacts: Sequence[VerbImpact], roles: list[str], cells: tuple[int, int, int], glyphs: Glyphs
) -> Iterator[Spans]:
    """Yield the head and one line a role; `cells` are those of label, column and line."""
    label, column, width = cells
    told = clip((span(measured(impacts)),), label - 2, glyphs)
    head = [Span(f"{''.join(part.text for part in told):{label}}{'now':>{_NOW}}", Tone.DIM)]
    for impact in impacts:
        title = (span(_whole_words(impact.title, column - 4, glyphs), Tone.STRONG),)
        pad = column - width_of(title) - cell_len(impact.key) - 1
        head += [Span(" " * pad), Span(impact.key, Tone.KEY), Span(" "), *title]
    yield (*head, Span(f"{'tokens':>{_LIMIT}}", Tone.DIM))
    has_bar = width >= label + _NOW + column * len(impacts) + _LIMIT + _BAR + 1
    for role in roles:
        found = [next((r for r in impact.roles if r.role == role), None) for impact in impacts]
        first = next(r for r in found if r is not None)
        shown = clip((span(role),), label - 2, glyphs)
        line = [*shown, Span(" " * (label - width_of(shown)))]
        line.append(Span(f"{number(first.now, exact=first.exact, glyphs=glyphs):>{_NOW}}"))
        for cell in found:
            line += _cell(cell, column, glyphs)
        if first.budget:
            line.append(Span(f"{f' / {first.budget:,}':>{_LIMIT}}", Tone.DIM))
            if has_bar:
                line += [Span(" "), *token_bar(first.after, first.budget, _BAR, glyphs)]
        yield tuple(line)


def felt(roles: Sequence[RoleImpact]) -> Spans:
    """Return in one line what a verb does to prompts: what leaves one first; empty = nothing."""
    told = sorted(filter(_matters, roles), key=lambda role: not (role.pushed_out or role.no_room))
    if not told:
        return ()
    first = told[0]
    more = f", {len(told) - 1} more" if len(told) > 1 else ""
    figures = f"{first.role} {change(first.now, first.after)} tokens{more}"
    line: Spans = (Span("in prompts: ", Tone.DIM), span(figures))
    for titles, what in ((first.pushed_out, DROPS), (first.no_room, NO_ROOM)):
        if titles:
            others = f" and {len(titles) - 1} more" if len(titles) > 1 else ""
            line = (*line, Span(f" · {what} ", Tone.WARN), span(f"{titles[0]}{others}"))
    return line


def _whole_words(title: str, width: int, glyphs: Glyphs) -> str:
    """Return as many of the first words as fit; a key is never told with half a verb."""
    shown = title
    while cell_len(shown) > width and " " in shown:
        shown = shown.rpartition(" ")[0]
    return "".join(part.text for part in clip((span(shown),), width, glyphs))


def _cell(cell: RoleImpact | None, column: int, glyphs: Glyphs) -> Spans:
    if cell is None:
        return (Span(f"{glyphs.separator:>{column}}", Tone.DIM),)
    after = number(cell.after, exact=cell.exact, glyphs=glyphs)
    over = "!" if cell.budget and cell.after > cell.budget else " "
    delta = change(cell.now, cell.after)
    tone = Tone.BAD if over == "!" else Tone.PLAIN
    pad = " " * max(column - len(after) - len(delta) - 1, 1)
    return (Span(pad + after + over, tone), Span(delta, _delta_tone(cell)))


def _delta_tone(cell: RoleImpact) -> Tone:
    if cell.after == cell.now:
        return Tone.DIM
    return Tone.PLAIN if cell.after > cell.now else Tone.GOOD


def _moves(impacts: Sequence[VerbImpact], glyphs: Glyphs) -> Iterator[Spans]:
    for impact in impacts:
        for role in impact.roles:
            for line in _moves_of(role, glyphs):
                yield (Span(f"{impact.key} ", Tone.KEY), span(f"{role.role} ", Tone.DIM), *line)


def _moves_of(role: RoleImpact, glyphs: Glyphs) -> Iterator[Spans]:
    moves = (
        (role.no_room, Span(f"{NO_ROOM} ", Tone.WARN)),
        (role.pushed_out, Span(f"{glyphs.down} {DROPS} ", Tone.REMOVED)),
        (role.let_in, Span(f"{glyphs.up} {ADDS} ", Tone.GOOD)),
    )
    for titles, what in moves:
        for title in titles[:_NAMED]:
            yield (what, span(title))
        if len(titles) > _NAMED:
            yield (what, Span(f"{len(titles) - _NAMED} more", Tone.DIM))


def _matters(role: RoleImpact) -> bool:
    return role.after != role.now or bool(role.pushed_out or role.let_in or role.no_room)


def _stacked(impact: VerbImpact, measure: str, width: int, glyphs: Glyphs) -> Iterator[Spans]:
    head = (Span(impact.key, Tone.KEY), span(f" {impact.title}", Tone.STRONG))
    note = impact.note or ("" if any(map(_matters, impact.roles)) else "no prompt changes")
    yield (*head, span(f"  {note or f'{measure}, in tokens'}", Tone.DIM))
    if note:
        return
    felt = [*filter(_matters, impact.roles)]
    sign = " " if any(map(_is_over, felt)) else ""
    told = [_figures(role, sign, glyphs) for role in felt]
    before, behind, ends, signs = (
        max(map(cell_len, each), default=0) for each in zip(*told, strict=True)
    )
    # What stands beside a name: two blanks before it, one behind, an arrow and a blank.
    room = width - (before + behind + ends + signs + 7)
    called = min(max((cell_len(role.role) for role in felt), default=0), max(room, _LEAST_NAME))
    for role, (now, after, limit, delta) in zip(felt, told, strict=True):
        name = clip((span(role.role),), called, glyphs)
        line = [
            Span("  "),
            *name,
            Span(" " * (called - width_of(name) + 1)),
            Span(f"{now:>{before}} {glyphs.arrow} ", Tone.DIM),
            Span(f"{after:>{behind}}", Tone.BAD if _is_over(role) else Tone.PLAIN),
            Span(f"{limit:{ends}} ", Tone.DIM),
            Span(f"{delta:>{signs}}", _delta_tone(role)),
        ]
        if width - sum(cell_len(part.text) for part in line) > _BAR + 1 and role.budget:
            line += [Span(" "), *token_bar(role.after, role.budget, _BAR, glyphs)]
        yield tuple(line)
        for move in _moves_of(role, glyphs):
            yield (Span("    "), *move)


def _is_over(role: RoleImpact) -> bool:
    return bool(role.budget) and role.after > role.budget


def _figures(role: RoleImpact, within: str, glyphs: Glyphs) -> tuple[str, str, str, str]:
    """Return a role's tokens now and after, its budget and the difference.

    Args:
        role: Whose.
        within: What stands in place of `!` behind tokens that are within the budget.
        glyphs: Of the terminal.
    """
    now, after = (number(n, exact=role.exact, glyphs=glyphs) for n in (role.now, role.after))
    limit = f" / {role.budget:,}" if role.budget else " tokens"
    return now, after + ("!" if _is_over(role) else within), limit, change(role.now, role.after)
