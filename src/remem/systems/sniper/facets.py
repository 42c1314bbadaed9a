"""What SNIPER's memory is, told without loading it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from remem.core.system import Facets, Format
from remem.model.change import Effect, Json
from remem.model.entry import Entry, Problem
from remem.model.source import Source

_TEXTS: Final = {"convention": "rule", "anti_pattern": "description", "decision": "title"}


def _met_in(fields: Mapping[str, Json]) -> frozenset[str]:
    from remem.systems.sniper.retro_rules import met_in

    return met_in(fields)


def _note(
    each: Format, source: Source, entry: Entry, seen: Mapping[str, Json], says: str
) -> tuple[Effect, ...]:
    from remem.systems.sniper.marks import noted

    return noted(each, source, entry, seen, says)


def _confirm(
    each: Format, source: Source, entry: Entry, seen: Mapping[str, Json], says: str
) -> tuple[Effect, ...]:
    from remem.systems.sniper.marks import noted

    return noted(each, source, entry, seen, says, {"status": "confirmed"})


def _unread(sources: Sequence[Source]) -> tuple[Problem, ...]:
    from remem.systems.sniper.config import unread_among

    return unread_among(sources)


FACETS: Final = Facets(
    settles=("finding",),
    pairs=tuple(_TEXTS),
    warns=("anti_pattern",),
    text_fields=_TEXTS,
    met_in=_met_in,
    note=_note,
    confirm=_confirm,
    unread=_unread,
)
