"""Plans to unite two of Shaktra's entries by hand: one stays, the other one is out of force.

Consolidation does the same by rule (FORMATS 5.2, step 7); here a person says which one stays.
"""

from __future__ import annotations

from remem.base.errors import NotPossible
from remem.core.draft import Draft, change, chosen
from remem.core.library import Library
from remem.model.change import Change, Effect, Intent, Json
from remem.model.entry import Entry, Ref, Status
from remem.systems.shaktra.lists import read_of
from remem.systems.shaktra.records import (
    PRINCIPLE,
    SHAKTRA,
    AntiPattern,
    Principle,
    Procedure,
    Stored,
)


def takes_in(entry: Entry) -> bool:
    """Tell whether an entry is of Shaktra's stores, so that another one can be put into it."""
    return entry.ref.format == SHAKTRA and entry.kind != "observation"


def plan_merge_shaktra(library: Library, intent: Intent, into: Entry) -> Change:
    """Plan to put entries into another one of their kind.

    Raises:
        NotPossible: They are of different kinds, or one of them is not in force.
    """
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    for entry in chosen(library, intent):
        if entry.ref == into.ref or entry.kind != into.kind or not takes_in(entry):
            raise NotPossible(
                f"`{library.short(entry.ref)}` cannot be merged into `{library.short(into.ref)}`",
                hint="merge two of Shaktra's entries of one kind",
            )
        for each in (entry, into):
            if each.status is not Status.ACTIVE:
                raise NotPossible(
                    f"`{library.short(each.ref)}` is {each.status}", hint="restore it first"
                )
        _unite(library, draft, entry, into)
        touched[entry.ref] = into.ref
    return change(library, intent, "Merge", draft, {**touched, into.ref: into.ref})


def _unite(library: Library, draft: Draft, entry: Entry, into: Entry) -> None:
    each = library.format(SHAKTRA)
    source, current = draft.find(into.ref)
    elsewhere, other = draft.find(entry.ref)
    mine, theirs = (
        _record(read_of(source, current).record),
        _record(read_of(elsewhere, other).record),
    )
    draft.take(each.keeper.edit(source, current, united(mine, theirs)))
    word = "superseded" if entry.kind == PRINCIPLE else "archived"
    source, current = draft.find(entry.ref)
    draft.take(each.keeper.edit(source, current, {"status": word}))


def superseded_by(library: Library, old: Entry, new: Entry) -> tuple[Effect, ...] | None:
    """Plan what two principles note of each other; `None` where another kind is concerned.

    The status stands on the old one, and the new one names it (FORMATS 5).
    """
    if old.kind != PRINCIPLE or new.kind != PRINCIPLE:
        return None
    draft, each = Draft(library), library.format(SHAKTRA)
    source, current = draft.find(new.ref)
    record = _record(read_of(source, current).record)
    assert isinstance(record, Principle)
    gone = _record(read_of(*draft.find(old.ref)).record).id
    draft.take(each.keeper.edit(source, current, {"supersedes": _naming(record, gone)}))
    draft.take(each.keeper.edit(*draft.find(old.ref), {"status": "superseded"}))
    return draft.effects()


def _naming(mine: Principle, gone: str) -> Json:
    """Return the ids that an entry took the place of, with one more."""
    before = mine.supersedes or ()
    names = [*((before,) if isinstance(before, str) else before), gone]
    return names[0] if len(names) == 1 else [*names]


def _record(found: object) -> Stored:
    assert isinstance(found, Principle | AntiPattern | Procedure)
    return found


def united(mine: Stored, theirs: Stored) -> dict[str, Json]:
    """Return what the entry that stays takes over: sureness, sources, roles, tags."""
    fields: dict[str, Json] = {}
    if theirs.confidence > mine.confidence:
        fields["confidence"] = theirs.confidence
    for name in ("roles", "tags"):
        before, more = getattr(mine, name), getattr(theirs, name)
        both = [*dict.fromkeys((*before, *more))]
        if len(both) > len(before):
            fields[name] = [*both]
    if isinstance(mine, Principle | Procedure) and isinstance(theirs, Principle | Procedure):
        fields["source_count"] = mine.source_count + theirs.source_count
        if theirs.reinforced > mine.reinforced:
            fields["last_reinforced"] = theirs.reinforced
    if isinstance(mine, Principle):
        fields["supersedes"] = _naming(mine, theirs.id)
    return fields
