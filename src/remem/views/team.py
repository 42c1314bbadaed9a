"""From the members of a team to the cells of its table, for the command line and Start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from remem.systems.personas.places import places_of
from remem.systems.personas.team import Member
from remem.views.rows import Row, Rows
from remem.views.spans import Span, Tone, span

HEADINGS: Final = (
    "PERSONA",
    "NEW",
    "TOKENS",
    "UNITS",
    "WRITTEN",
    "A WEEK",
    "OVER",
    "TWINS",
    "NEVER",
    "ROLE",
    "PLACES",
)
NOTHING: Final = "–"
_WIDTHS: Final = (8, 6, 10, 7, 4, 5, 7)
"""Of the columns of numbers, on a screen."""
_NAME: Final = 18


def team_cells(member: Member) -> tuple[str, ...]:
    """Return what the table says of somebody, in the order of `HEADINGS`."""
    persona = member.persona
    layouts = dict.fromkeys(source.layout for source in persona.sources)
    places = tuple(where.name for where in places_of(persona)) or tuple(layouts)
    return (
        member.name,
        "*" if member.is_new else "",
        *_numbers(member),
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


def team_rows(members: Sequence[Member], sort: str) -> Rows:
    """Return the table as rows of a list: a heading, then one for each persona.

    Args:
        members: In the order that they are shown in.
        sort: What they are ordered by, which the heading says.
    """
    heads = [each.lower() for each in HEADINGS]
    right = " ".join(f"{text:>{width}}" for text, width in zip(heads[2:], _WIDTHS, strict=False))
    head = Row(
        ("head", "team"),
        (span(f"team · by {sort}"),),
        right=(span(right, Tone.DIM),),
        is_header=True,
    )
    return Rows.of([head, *map(_row, members)])


def _row(member: Member) -> Row:
    persona = member.persona
    tone = Tone.DIM if persona.archived else Tone.PLAIN
    title = (span(f" {persona.title}", Tone.DIM),) if persona.title else ()
    cells = zip(_numbers(member), _WIDTHS, strict=True)
    right = " ".join(f"{text:>{width}}" for text, width in cells)
    return Row(
        ("persona", persona.name, persona.folder),
        (span(f"{member.name:{_NAME}}", tone), *title),
        Span("*", Tone.ACCENT) if member.is_new else Span("-" if persona.archived else " "),
        (span(right, tone),),
        f"{member.tokens}·{persona.units}·{member.written}",
    )
