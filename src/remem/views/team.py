"""From the members of a team to the cells of its table, for the command line and Start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from remem.base.text import count
from remem.systems.personas.places import places_of
from remem.systems.personas.team import Decisions, Member
from remem.views import signs
from remem.views.document import TextLine, text_line
from remem.views.rows import Row, Rows
from remem.views.spans import Span, Tone, span

HEADINGS: Final = (
    "PERSONA",
    "NEW",
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
DECISIONS: Final = "decisions"
"""Stands where the others have their names."""
_WIDTHS: Final = (8, 5, 10, 6, 4, 7, 8)
"""Of the columns of numbers, on a screen."""
_NAME: Final = 14
"""Cells of a name at least."""
_LONGEST: Final = 16
_ALONE: Final = 24
"""Cells of a name at most: beside a role, and where nobody has one."""


def team_cells(member: Member) -> tuple[str, ...]:
    """Return what the table says of somebody, in the order of `HEADINGS`."""
    persona = member.persona
    layouts = dict.fromkeys(source.layout for source in persona.sources)
    places = tuple(where.name for where in places_of(persona)) or tuple(layouts)
    return (
        member.name,
        f"{member.unreviewed:,}" if member.unreviewed else "*" if member.is_new else "",
        *_numbers(member),
        "" if persona.state == "active" else persona.state,
        persona.title or ", ".join(persona.roles) or NOTHING,
        ", ".join(places) or NOTHING,
    )


def _numbers(member: Member) -> tuple[str, ...]:
    about = "" if member.exact else "≈"
    growth = NOTHING if member.growth is None else f"≈{member.growth:+,}"
    return (
        f"{about}{member.tokens:,}",
        f"{member.persona.units:,}",
        member.written or NOTHING,
        growth if member.growth else NOTHING if member.growth is None else "0",
        f"{member.over:,}" if member.over else "",
        f"{member.twins:,}" if member.twins else "",
        f"{about}{member.never:,}" if member.never else "",
    )


def decisions_cells(found: Decisions) -> tuple[str, ...]:
    """Return what the table says of a team's decisions, in the order of `HEADINGS`."""
    state = f"{found.old:,} old" if found.old else ""
    return (
        DECISIONS,
        "",
        *_log_numbers(found),
        state,
        "read by the whole team",
        found.source.layout,
    )


def _log_numbers(found: Decisions) -> tuple[str, ...]:
    about = "" if found.exact else "≈"
    return (
        f"{about}{found.tokens:,}",
        f"{found.units:,}",
        found.written or NOTHING,
        NOTHING,
        "1" if found.over else "",
        "",
        "",
    )


def decisions_lines(found: Decisions) -> list[TextLine]:
    """Return how old a team's decisions are, for the pane beside the table."""
    log = found.source
    about = "" if found.exact else "≈"
    lines = [
        text_line(f"Decisions of the team · {log.rules.tool}", Tone.STRONG),
        text_line(f"{log.name} · {about}{count(found.tokens, 'token')}", Tone.DIM),
        text_line("everybody on the team is given all of them", Tone.DIM),
        TextLine(""),
        text_line(f"{count(found.units, 'decision')}, {found.undated:,} without a date"),
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


def team_rows(members: Sequence[Member], sort: str, logs: Sequence[Decisions] = ()) -> Rows:
    """Return the table as rows of a list: a heading, the decisions, then one for each persona.

    A column that would say nothing of anybody leaves its room to the roles.

    Args:
        members: In the order that they are shown in.
        sort: What they are ordered by, which the heading says.
        logs: The teams' decisions.
    """
    numbers = [_numbers(each) for each in members]
    of_logs = [_log_numbers(each) for each in logs]
    columns = [
        at
        for at, each in enumerate(zip(*numbers, *of_logs, strict=True))
        if {*each} - {"", NOTHING}
    ]
    heads = [each.lower() for each in HEADINGS[2 : 2 + len(_WIDTHS)]]
    title = f"by {sort}" if members else "reading …"
    most = _LONGEST if any(each.persona.title for each in members) else _ALONE
    wide = min(max((len(m.name) for m in members if not m.persona.archived), default=0), most)
    wide = max(wide, _NAME)
    label = (span(f"{_cut(title, wide)} {_aligned(heads, columns)}"),)
    heading = Row(("head", "team"), label, is_header=True, stays=True)
    rows = (
        _row(member, _aligned(told, columns), wide)
        for member, told in zip(members, numbers, strict=True)
    )
    above = (
        Row(
            each.key,
            (
                span(f"{_cut(DECISIONS, wide)} "),
                span(_aligned(told, columns)),
                span(f"  {each.old:,} old" if each.old else "", Tone.DIM),
            ),
            version=f"{each.tokens}·{each.units}·{each.old}",
        )
        for each, told in zip(logs, of_logs, strict=True)
    )
    return Rows.of([heading, *above, *rows])


def _aligned(cells: Sequence[str], columns: Sequence[int]) -> str:
    return " ".join(f"{cells[at]:>{_WIDTHS[at]}}" for at in columns)


def _row(member: Member, numbers: str, wide: int) -> Row:
    persona = member.persona
    tone = Tone.DIM if persona.archived else Tone.PLAIN
    state = "" if persona.state == "active" else f" {persona.state}"
    many = f" {member.unreviewed:,} new" if member.unreviewed else " new" if member.is_new else ""
    is_new = (span(many, Tone.ACCENT),) if many else ()
    rest = (*is_new, span(state, Tone.DIM))
    title = (span(f"  {persona.title}", Tone.DIM),) if persona.title else ()
    return Row(
        ("persona", persona.name, persona.folder),
        (span(f"{_cut(member.name, wide)} ", tone), span(numbers, tone), *rest, *title),
        _sign(member),
        version=f"{member.tokens}·{persona.units}·{member.written}·{member.unreviewed}",
    )


def _sign(member: Member) -> Span:
    if member.is_new or member.unreviewed:
        return signs.REWRITTEN.drawn
    return signs.OUT.drawn if member.persona.archived else Span(" ")


def _cut(name: str, wide: int) -> str:
    """Return a name as wide as its column."""
    return f"{name[: wide - 1]}…" if len(name) > wide else f"{name:{wide}}"
