"""From the members of a team to the cells of its table, for the command line and Start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from remem.base.text import count
from remem.systems.personas.moving.several_places import places_of
from remem.systems.personas.team.team_table import Decisions, Line, Member, alike_in
from remem.views import signs
from remem.views.glyphs import Glyphs
from remem.views.list_rows import Choice, Row, Rows, label
from remem.views.long_text import TextLine, span_line, text_line
from remem.views.spans import Span, Tone, number, span

if TYPE_CHECKING:
    from remem.core.session import Session

HEADINGS: Final = (
    "PERSONA",
    "UNREVIEWED",
    "TOKENS",
    "UNITS",
    "WRITTEN",
    "+/WEEK",
    "OVER",
    "SIMILAR",
    "UNLOADED",
    "STATUS",
    "ROLE",
    "PLACES",
)
NOTHING: Final = "–"
_ORDERS: Final = {
    "name": ("name", "from A to Z"),
    "tokens": ("tokens", "at startup, the most first"),
    "units": ("units", "lessons and decisions, the most first"),
    "written": ("written", "the newest first"),
    "growth": ("+/week", "tokens a week, the most first"),
    "over": ("over", "files that are too long, the most first"),
    "similar": ("similar", "lessons that another persona has too, the most first"),
    "unloaded": ("unloaded", "tokens that are cut off at startup, the most first"),
}
"""Ways to order the table: the heading of the column, and what of it comes first."""
_WIDTHS: Final = (8, 5, 10, 7, 4, 7, 8)
"""Of the columns of numbers, on a screen."""
_NEEDED: Final = 2
"""Of these, how many are there at any width: tokens and units."""
_NAME: Final = 14
"""Cells of a name at least."""
_LONGEST: Final = 16
_ALONE: Final = 24
"""Cells of a name at most: beside a role, and where nobody has one."""
_STATUS: Final = "status"
_ROLE: Final = 6
"""Cells of a role at least; where there are fewer, nobody's is shown."""
_LEAD: Final = 4
"""Cells by which a list's rows begin behind its headings: cursor, mark, change, sign."""
NOBODY: Final = "no personas"
_WIDE: Final = 120
"""Cells of a list where nobody says how wide it is."""


def order_choices(now: str) -> list[Choice]:
    """Return the ways to order the table by the names of their columns, and what each does.

    A column that has no room, or nothing to tell, is not drawn; its order can be chosen all the
    same.
    """
    return [
        Choice(each, name, told, "now" if each == now else "")
        for each, (name, told) in _ORDERS.items()
    ]


def team_cells(line: Line) -> tuple[str, ...]:
    """Return what the table says of somebody, in the order of `HEADINGS`."""
    if isinstance(line, Decisions):
        whole = "read by the whole team"
        return (line.name, "", *_numbers(line), _state(line), whole, line.source.layout)
    persona = line.persona
    layouts = dict.fromkeys(source.layout for source in persona.sources)
    places = tuple(where.name for where in places_of(persona)) or tuple(layouts)
    return (
        line.name,
        unreviewed(line) or ("*" if line.is_new else ""),
        *_numbers(line),
        _state(line),
        persona.title or ", ".join(persona.roles) or NOTHING,
        ", ".join(places) or NOTHING,
    )


def unreviewed(member: Member) -> str:
    """Return what was done to somebody's entries that nobody reviewed: `2 new, 1 changed`."""
    waits = member.waits
    kinds = ((waits.new, "new"), (waits.changed, "changed"), (waits.removed, "removed"))
    return ", ".join(f"{many:,} {what}" for many, what in kinds if many)


def until(members: Iterable[Member]) -> str:
    """Return up to which day growth is told, where that is not today; empty = it is."""
    return max((each.until for each in members), default="")


def _state(line: Line) -> str:
    if isinstance(line, Decisions):
        return f"{line.old:,} old" if line.old else ""
    return "" if line.persona.state == "active" else line.persona.state


def _numbers(line: Line) -> tuple[str, ...]:
    about = "" if line.exact else "≈"
    growth = f"≈{line.growth:+,}" if line.growth else NOTHING if line.growth is None else "0"
    return (
        f"{about}{line.tokens:,}",
        f"{line.units:,}",
        line.written or NOTHING,
        growth,
        f"{line.over:,}" if line.over else "",
        f"{line.twins:,}" if line.twins else "",
        f"{about}{line.never:,}" if line.never else "",
    )


def start_lines(session: Session, member: Member, glyphs: Glyphs) -> list[TextLine]:
    """Return what somebody starts with beside their own files, and who has like lessons."""
    lines: list[TextLine] = []
    agent = member.start
    if agent is not None and not member.archived:
        own = {source.path for source in member.persona.sources}
        besides = [(label(session, each.path), each.tokens) for each in agent.files]
        besides = [
            each for each, file in zip(besides, agent.files, strict=True) if file.path not in own
        ]
        besides += [("its profile", agent.around)] if agent.around else []
        lines += [TextLine(""), text_line("loaded besides", Tone.HEADING)] if besides else []
        for name, tokens in besides:
            told = number(tokens, exact=agent.exact, glyphs=glyphs)
            lines.append(span_line((span(name), Span(f"  {told} tokens", Tone.DIM))))
        total = number(agent.tokens, exact=agent.exact, glyphs=glyphs)
        lines += [TextLine(""), text_line(f"{total} tokens at startup in all")]
    if member.twins:
        alike = alike_in(session.library, member.persona)
        named = ", ".join(f"{name} {many:,}" for name, many in alike.items())
        lessons = count(member.twins, "lesson")
        told = f"{lessons} similar to those of others, as Health lists: {named}"
        lines += [TextLine(""), text_line(told)]
    return lines


def decisions_lines(found: Decisions) -> list[TextLine]:
    """Return how old a team's decisions are, for the pane beside the table."""
    log = found.source
    about = "" if found.exact else "≈"
    lines = [
        text_line(f"Decisions of the team · {log.rules.tool}", Tone.STRONG),
        text_line(f"{log.name} · {about}{count(found.tokens, 'token')}", Tone.DIM),
        text_line("everybody on the team is given all of them", Tone.DIM),
        TextLine(""),
        text_line(f"{count(found.many, 'decision')}, {found.undated:,} without a date"),
        text_line(f"{found.old:,} dated before {found.old_before}", _tone(found)),
        TextLine(""),
    ]
    months: dict[str, int] = {}
    for day, many in found.dated:
        months[day[:7]] = months.get(day[:7], 0) + many
    lines += [text_line("by month", Tone.HEADING)] if months else []
    lines += [text_line(f"{month}  {many:>5,}") for month, many in months.items()]
    for problem in log.problems:
        lines += [TextLine(""), text_line(problem.message, Tone.WARN)]
    return lines


def _tone(found: Decisions) -> Tone:
    return Tone.WARN if found.old else Tone.PLAIN


def team_rows(
    lines: Sequence[Line], sort: str, width: int = _WIDE, *, is_read: bool = True
) -> Rows:
    """Return the table as rows of a list: a heading, then one for each persona and log.

    A column that would say nothing of anybody leaves its room to the roles, and one that does not
    fit is left out with its heading.

    Args:
        lines: In the order that they are shown in.
        sort: What they are ordered by, which the heading says.
        width: Cells that a row has.
        is_read: False while nobody is known yet.
    """
    title = f"by {_ORDERS[sort][0]}" if lines else NOBODY if is_read else "reading …"
    has_roles = any(isinstance(each, Member) and each.persona.title for each in lines)
    most = _LONGEST if has_roles else _ALONE
    wide = min(max((len(m.name) for m in lines if not m.archived), default=0), most)
    wide = max(wide, _NAME)
    states = [_told(each) for each in lines]
    status = max((len(each) for each in states), default=0)
    status = max(status, len(_STATUS)) if status else 0
    numbers = [_numbers(each) for each in lines]
    columns = [at for at, each in enumerate(zip(*numbers, strict=True)) if {*each} - {"", NOTHING}]
    room = width - wide - (status + 2 if status else 0)
    columns = [at for at in columns if at < _NEEDED or _cells_to(columns, at) <= room]
    has_roles = has_roles and room - _cells_to(columns, columns[-1]) >= _ROLE + 2
    heads = _aligned([each.lower() for each in HEADINGS[2 : 2 + len(_WIDTHS)]], columns)
    ends = (f"  {_STATUS:{status}}" if status else "", "  role" if has_roles else "")
    label = (span(f"{'':{_LEAD}}{_cut(title, wide)} {heads}{''.join(ends)}"),)
    heading = Row(("head", "team"), label, is_header=True, stays=True)
    rows = (
        _row(
            line,
            (_cut(line.name, wide), _aligned(told, columns), state),
            status,
            roles=has_roles,
        )
        for line, told, state in zip(lines, numbers, states, strict=True)
    )
    return Rows.of([heading, *rows])


def _cells_to(columns: Sequence[int], last: int) -> int:
    """Return how many cells the columns up to one take, with what is between them."""
    return sum(_WIDTHS[at] + 1 for at in columns if at <= last)


def _told(line: Line) -> str:
    """Return the status on a screen: what awaits a review, else what is out of the ordinary."""
    if isinstance(line, Decisions):
        return _state(line)
    told = unreviewed(line) or ("new" if line.is_new else "")
    return " · ".join(filter(None, (told, _state(line))))


def _aligned(cells: Sequence[str], columns: Sequence[int]) -> str:
    return " ".join(f"{cells[at]:>{_WIDTHS[at]}}" for at in columns)


def _row(line: Line, cells: tuple[str, str, str], wide: int, *, roles: bool) -> Row:
    """Return somebody's row.

    Args:
        line: Whose.
        cells: Name and numbers as wide as their columns, and the status.
        wide: Cells of the status; 0 = nobody has one.
        roles: They are shown.
    """
    name, numbers, state = cells
    status = f"  {state:{wide}}" if wide else ""
    if isinstance(line, Decisions):
        whose = (span("  the whole team", Tone.DIM),) if roles else ()
        label = (span(f"{name} ", Tone.HEADING), span(numbers), span(status, Tone.DIM), *whose)
        return Row(line.key, label, version=f"{line.tokens}·{line.units}·{line.old}")
    persona = line.persona
    tone = Tone.DIM if persona.archived else Tone.PLAIN
    told = Tone.ACCENT if line.is_new or line.unreviewed else Tone.DIM
    is_titled = roles and persona.title
    title = (span(f"  {persona.title}", Tone.DIM),) if is_titled else ()
    return Row(
        ("persona", persona.name, persona.folder),
        (span(f"{name} ", tone), span(numbers, tone), span(status, told), *title),
        _sign(line),
        version=f"{line.tokens}·{line.units}·{line.written}·{line.unreviewed}",
    )


def _sign(member: Member) -> Span:
    if member.is_new or member.unreviewed:
        return signs.REWRITTEN.drawn
    return signs.OUT.drawn if member.persona.archived else Span(" ")


def _cut(name: str, wide: int) -> str:
    """Return a name as wide as its column."""
    return f"{name[: wide - 1]}…" if len(name) > wide else f"{name:{wide}}"
