"""What SNIPER's memory is, told without loading it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from remem.core.system import Arriving, Facets, Obeyed, System
from remem.model.change import Change, Effect, Intent, Json
from remem.model.entry import Entry, Problem
from remem.model.source import Source

if TYPE_CHECKING:
    from remem.core.library import Library

_TEXTS: Final = {"convention": "rule", "anti_pattern": "description", "decision": "title"}


def _met_in(fields: Mapping[str, Json]) -> frozenset[str]:
    from remem.systems.sniper.retro.retro_rules import met_in

    return met_in(fields)


def _note(
    each: System, source: Source, entry: Entry, seen: Mapping[str, Json], says: str
) -> tuple[Effect, ...]:
    from remem.systems.sniper.seen import noted

    return noted(each, source, entry, seen, says)


def _confirm(
    each: System, source: Source, entry: Entry, seen: Mapping[str, Json], says: str
) -> tuple[Effect, ...]:
    from remem.systems.sniper.seen import noted

    return noted(each, source, entry, seen, says, {"status": "confirmed"})


def _merge(library: Library, intent: Intent, into: Entry) -> Change:
    from remem.systems.sniper.merge_into_older import plan_merge_entries

    return plan_merge_entries(library, intent, into)


def _supersede(library: Library, old: Entry, new: Entry) -> tuple[Effect, ...] | None:
    source = library.source_of(old)
    if old.kind != "decision" or library.source_of(new).path != source.path:
        return None
    return library.format_of(old).keeper.edit(source, old, {"superseded_by": new.ref.id})


def _unread(sources: Sequence[Source]) -> tuple[Problem, ...]:
    from remem.systems.sniper.config import unread_among

    return unread_among(sources)


def _faults(library: Library) -> Iterable[tuple[Entry, Problem]]:
    from remem.systems.sniper.checklist import faults

    return faults(library)


def _arriving() -> Arriving:
    from remem.systems.sniper.retro.arriving import ArrivingRetros

    return ArrivingRetros()


def _origin(kind: str, by: str, day: str) -> Mapping[str, Json]:
    from remem.systems.sniper.records import DEFAULTS

    if "source" not in DEFAULTS.get(kind, {}):
        return {}
    return {"source": {"type": "manual", "ref": f"proposed by {by}", "date": day}}


FACETS: Final = Facets(
    finds=("finding",),
    arriving=_arriving,
    origin=_origin,
    derives=True,
    called="project memory",
    places=(".sniper",),
    fixed={"finding": "a finding cannot be changed in its retro; approve or reject it"},
    merges=tuple(_TEXTS),
    merge=_merge,
    supersede=_supersede,
    settles=("finding",),
    pairs=tuple(_TEXTS),
    warns=("anti_pattern",),
    text_fields=_TEXTS,
    options_of_add={
        "convention": {"role": "applies_to", "rationale": "rationale", "forbid": "detect"},
        "anti_pattern": {
            "role": "applies_to",
            "rationale": "why_bad",
            "severity": "severity",
            "forbid": "detect",
        },
        "decision": {"role": "applies_to", "rationale": "context", "forbid": "detect"},
    },
    obeyed={
        "convention": Obeyed("Convention Checks", "conventions", "violations", "follow"),
        "anti_pattern": Obeyed("Anti-Pattern Checks", "anti-patterns", "matches found", "avoid"),
        "decision": Obeyed("Decision Consistency", "decisions", "contradictions", "decided"),
    },
    lesson_becomes={"convention": "for the whole project; a candidate to review"},
    met_in=_met_in,
    note=_note,
    confirm=_confirm,
    faults=_faults,
    unread=_unread,
)
