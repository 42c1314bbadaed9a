"""Plans merging: what waits goes into an entry that says the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from remem.base.errors import NotPossible
from remem.core.draft import Draft, change, chosen, nothing_left
from remem.core.library import Library
from remem.core.waiting.approve import note_met, said_in
from remem.core.waiting.kinds import coming_of, decided, need_waiting
from remem.model.change import Change, Intent
from remem.model.entry import Entry, Ref

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Merge


def plan_merge_met(library: Library, intent: Intent, args: Merge) -> Change:
    """Plan to note findings in an entry that says the same.

    Raises:
        NotPossible: One of them does not wait, or the entry does not say where it was seen.
        UnknownRef: There is no such entry.
    """
    into = taking(library, args)
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    entries, notes = chosen(library, intent), list[str]()
    for entry in [*entries]:
        found = decided(library, entry)
        if found is not None and found.state == "merged" and found.entry == into:
            notes.append(f"`{library.short(entry.ref)}` is already decided: {found.told(library)}")
            entries.remove(entry)
    if not entries:
        return nothing_left(library, intent, "Merge", notes)
    for entry in entries:
        need_waiting(library, entry)
        note_met(draft, entry, coming_of(library, entry), draft.find(into.ref))
        touched[entry.ref] = into.ref
    ends = {**touched, into.ref: into.ref}
    return change(library, intent, "Merge", draft, ends, notes=tuple(notes))


def taking(library: Library, args: Merge) -> Entry:
    """Return the entry that takes in what is merged.

    Raises:
        NotPossible: Nothing can be merged into it.
        UnknownRef: There is no such entry.
    """
    into = library.resolve(args.into)
    facets = library.format_of(into).facets
    if facets.merge is None or into.kind not in facets.merges:
        raise NotPossible(
            f"cannot merge into `{library.short(into.ref)}`",
            hint="name a convention, an anti-pattern or a decision",
        )
    return into


def need_no_conflict(library: Library, entries: Iterable[Entry], into: Entry) -> None:
    """Let no text be merged into one that it conflicts with: it would bear out its opposite.

    Raises:
        NotPossible: One of them conflicts.
    """
    from remem.core.relation.in_force import conflict

    says = said_in(library, into)
    for entry in entries:
        kind, text = said_in(library, entry)
        if entry.ref != into.ref and conflict(library, kind, text, *says):
            name, other = library.short(entry.ref), library.short(into.ref)
            raise NotPossible(
                f"`{name}` was not merged: possible conflict with `{other}`, which says: "
                f"{into.title}",
                hint="`remem supersede` replaces one, `remem scope` limits them, `remem keep-both` "
                f"keeps both; edit `{name}` if it is none",
            )


def plan_merge(library: Library, intent: Intent, args: Merge) -> Change:
    """Plan to put entries into another entry.

    Raises:
        NotPossible: Nothing can be merged into that one, or not these.
        UnknownRef: There is no such entry.
    """
    into = taking(library, args)
    for entry in chosen(library, intent):
        if entry.kind not in library.format_of(entry).facets.merges:
            need_waiting(library, entry)
    merge = library.format_of(into).facets.merge
    assert merge is not None
    return merge(library, intent, into)
