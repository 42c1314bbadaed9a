"""Plans merging: a finding into an entry, or two SNIPER entries into one (FORMATS 1.4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from remem.curation.decide import change, chosen, note_occurrence
from remem.curation.draft import Draft
from remem.errors import NotPossible
from remem.library import Library
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Ref, Status
from remem.model.retro import FINDING

_NUMBER: Final = re.compile(r"-(\d+)$")


def plan_merge(library: Library, intent: Intent) -> Change:
    """Plan to put findings or entries into another entry.

    Args:
        library: Where they stand.
        intent: `into` is the ref of the entry that takes them.

    Raises:
        NotPossible: They are of different kinds, or not SNIPER's.
        UnknownRef: There is no such entry.
    """
    into = library.resolve(intent.text("into"))
    if into.ref.format != "sniper" or into.kind == FINDING:
        raise NotPossible(
            f"nothing can be merged into `{library.short(into.ref)}`",
            hint="name a convention, an anti-pattern or a decision",
        )
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    notes: list[str] = []
    for entry in chosen(library, intent):
        if entry.kind == FINDING:
            note_occurrence(library, draft, entry, into, {})
            touched[entry.ref] = into.ref
        else:
            into = _merge_entries(library, draft, entry, into, notes)
            touched[entry.ref] = into.ref
    return change(library, intent, "Merge", draft, touched, notes=tuple(notes))


def _merge_entries(
    library: Library, draft: Draft, entry: Entry, into: Entry, notes: list[str]
) -> Entry:
    """Unite two entries under the older id and return the one that stays."""
    if entry.ref == into.ref or entry.kind != into.kind or entry.ref.format != into.ref.format:
        raise NotPossible(
            f"`{library.short(entry.ref)}` cannot be merged into `{library.short(into.ref)}`",
            hint="merge two entries of one kind",
        )
    staying, leaving = sorted((entry, into), key=_age)
    if staying.ref != into.ref:
        notes.append(f"`{library.short(staying.ref)}` stays, because its id is the older one")
    each = library.format_of(staying)
    source, current = draft.find(staying.ref)
    elsewhere, other = draft.find(leaving.ref)
    mine = each.fields(source, current)
    theirs = each.fields(elsewhere, other)
    united = {**_united_seen(mine, theirs), **_united_roles(current, other)}
    if united:
        draft.take(each.edit(source, current, united))
    if other.status is Status.ACTIVE and current.status is Status.CANDIDATE:
        draft.take(each.set_status(*draft.find(staying.ref), Status.ACTIVE))
    draft.take(each.remove(*draft.find(leaving.ref)))
    return staying


def _age(entry: Entry) -> tuple[int, str, int]:
    match = _NUMBER.search(entry.ref.id)
    return (int(match[1]) if match else 1 << 62, entry.ref.id, entry.ref.twin)


def _united_seen(mine: Mapping[str, Json], theirs: Mapping[str, Json]) -> dict[str, Json]:
    own, more = mine.get("seen"), theirs.get("seen")
    known = list(own) if isinstance(own, list) else []
    new = [one for one in more if one not in known] if isinstance(more, list) else []
    return {"seen": [*known, *new]} if new else {}


def _united_roles(current: Entry, other: Entry) -> dict[str, Json]:
    """An entry without roles is for everyone, and so is what it is united with."""
    if current.roles is None:
        return {}
    if other.roles is None:
        return {"applies_to": []}
    roles = list(dict.fromkeys((*current.roles, *other.roles)))
    return {"applies_to": list(roles)} if len(roles) > len(current.roles) else {}
