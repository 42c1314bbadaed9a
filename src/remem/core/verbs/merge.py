"""Plans merging: a finding into an entry, or two SNIPER entries into one (FORMATS 1.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from remem.base.errors import NotPossible
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.relation.similar import exact
from remem.core.verbs.verbs import Merge
from remem.core.waiting.decide import change, chosen, need_waiting, note_occurrence
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Ref, Status
from remem.model.origin import Origin, origin_of
from remem.systems.learnings.records import LEARNING
from remem.systems.learnings.upkeep import plan_merge_into
from remem.systems.personas.lesson_merge import plan_merge_lessons
from remem.systems.personas.lesson_verbs import is_lesson
from remem.systems.shaktra.merge import plan_merge_shaktra, takes_in
from remem.systems.sniper.marks import SAID, looked_at
from remem.systems.sniper.records import FINDING, RECORDS
from remem.systems.workspace.records import WORKSPACE

_NUMBER: Final = re.compile(r"-(\d+)$")


def plan_merge(library: Library, intent: Intent, args: Merge) -> Change:
    """Plan to put findings or entries into another entry.

    Args:
        library: Where they stand.
        intent: Names them.
        args: Which entry takes them.

    Raises:
        NotPossible: They are of different kinds, or not SNIPER's.
        UnknownRef: There is no such entry.
    """
    into = library.resolve(args.into)
    if into.kind == LEARNING:
        return plan_merge_into(library, intent, into)
    if is_lesson(into):
        return plan_merge_lessons(library, intent, into)
    if takes_in(into):
        return plan_merge_shaktra(library, intent, into)
    if into.ref.format not in ("sniper", WORKSPACE) or into.kind not in RECORDS:
        raise NotPossible(
            f"nothing can be merged into `{library.short(into.ref)}`",
            hint="name a convention, an anti-pattern or a decision",
        )
    draft, touched = Draft(library), dict[Ref, Ref]()
    notes: list[str] = []
    for entry in chosen(library, intent):
        if entry.kind == FINDING:
            need_waiting(library, entry)
            note_occurrence(library, draft, entry, into)
            touched[entry.ref] = into.ref
        else:
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
        notes.append(f"`{library.short(staying.ref)}` stays, because its id is the older one")
    each = library.format_of(staying)
    source, current = draft.find(staying.ref)
    elsewhere, other = draft.find(leaving.ref)
    mine = each.fields(source, current)
    theirs = each.fields(elsewhere, other)
    said = "" if exact(current.title, other.title) else other.title
    united = {**united_seen(mine, theirs, said), **_united_roles(current, other)}
    if united:
        draft.take(each.edit(source, current, united))
    if other.status is Status.ACTIVE and current.status is Status.CANDIDATE:
        draft.take(each.set_status(*draft.find(staying.ref), Status.ACTIVE))
    draft.take(each.remove(*draft.find(leaving.ref)))
    return staying


def _age(entry: Entry) -> tuple[int, str, int]:
    match = _NUMBER.search(entry.ref.id)
    return (int(match[1]) if match else 1 << 62, entry.ref.id, entry.ref.twin)


def united_seen(mine: Mapping[str, Json], theirs: Mapping[str, Json], said: str) -> dict[str, Json]:
    """Return `seen` with where the other entry was met, where it came from and why.

    Args:
        mine: Fields of the entry that stays.
        theirs: Of the one that goes.
        said: The text of that, where it is another one; else empty.
    """
    known: list[Json] = [*(looked_at(mine) or ())]
    for one in (*_origin_as_seen(mine, theirs, said), *(looked_at(theirs) or ())):
        if one not in known:
            known.append(one)
    return {} if known == mine.get("seen", []) else {"seen": known or None}


_REASONS: Final = ("rationale", "why_bad", "context")
"""Fields that say what an entry rests on."""


def _origin_as_seen(
    mine: Mapping[str, Json], theirs: Mapping[str, Json], said: str
) -> Iterator[dict[str, Json]]:
    origin = origin_of(theirs) or Origin()
    reasons = [str(theirs.get(name) or "") for name in _REASONS]
    known = {str(mine.get(name) or "") for name in _REASONS}
    new = "; ".join(each for each in reasons if each.strip() and each not in known)
    mine_from = origin_of(mine) or Origin()
    if not (new or said) and origin.ref in ("", mine_from.ref):
        return
    item: dict[str, Json] = {"ref": origin.ref, "date": origin.date}
    if origin.story:
        item["stories"] = [origin.story]
    item |= {name: each for name, each in ((SAID, said), ("evidence", new)) if each}
    yield item


def _united_roles(current: Entry, other: Entry) -> dict[str, Json]:
    """An entry without roles is for everyone, and so is what it is united with."""
    if current.roles is None:
        return {}
    if other.roles is None:
        return {"applies_to": []}
    roles = list(dict.fromkeys((*current.roles, *other.roles)))
    return {"applies_to": list(roles)} if len(roles) > len(current.roles) else {}
