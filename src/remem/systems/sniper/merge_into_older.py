"""Plans that two entries of a store become one, under the older id (FORMATS 1.4)."""

from __future__ import annotations

import re
from typing import Final

from remem.base.errors import NotPossible
from remem.core.draft import Draft, change, chosen
from remem.core.library import Library
from remem.core.relation.normal_form import exact
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Ref, Status
from remem.systems.sniper.seen import united_seen

_NUMBER: Final = re.compile(r"-(\d+)$")


def plan_merge_entries(library: Library, intent: Intent, into: Entry) -> Change:
    """Plan to put entries into another one: the one with the older id stays.

    Raises:
        NotPossible: They are of different kinds, or of different stores.
    """
    draft, touched = Draft(library), dict[Ref, Ref]()
    notes: list[str] = []
    for entry in chosen(library, intent):
        staying = _merge_entries(library, draft, entry, into, notes)
        touched |= {entry.ref: staying.ref, into.ref: staying.ref}
        into = staying
    # What went into an entry that then left is in the one that stayed.
    ends = dict.fromkeys((*touched, into.ref), into.ref)
    return change(library, intent, "Merge", draft, ends, notes=tuple(notes))


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
        notes.append(f"`{library.short(staying.ref)}` stays because it is older")
    each = library.format_of(staying)
    source, current = draft.find(staying.ref)
    elsewhere, other = draft.find(leaving.ref)
    mine = each.reader.fields(source, current)
    theirs = each.reader.fields(elsewhere, other)
    said = "" if exact(current.title, other.title) else other.title
    united = {**united_seen(mine, theirs, said), **_united_roles(current, other)}
    if united:
        draft.take(each.keeper.edit(source, current, united))
    if other.status is Status.ACTIVE and current.status is Status.CANDIDATE:
        draft.take(each.keeper.set_status(*draft.find(staying.ref), Status.ACTIVE))
    draft.take(each.keeper.remove(*draft.find(leaving.ref)))
    return staying


def _age(entry: Entry) -> tuple[int, str, int]:
    match = _NUMBER.search(entry.ref.id)
    return (int(match[1]) if match else 1 << 62, entry.ref.id, entry.ref.twin)


def _united_roles(current: Entry, other: Entry) -> dict[str, Json]:
    """An entry without roles is for everyone, and so is what it is united with."""
    if current.roles is None:
        return {}
    if other.roles is None:
        return {"applies_to": []}
    roles = list(dict.fromkeys((*current.roles, *other.roles)))
    return {"applies_to": list(roles)} if len(roles) > len(current.roles) else {}
