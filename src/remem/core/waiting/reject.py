"""Plans rejecting: what waits leaves its store, and the reason is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.core.draft import Draft, change, chosen, nothing_left, take_out
from remem.core.library import Library
from remem.core.relation.already_said import whole_text
from remem.core.system import Keeper
from remem.core.waiting.decision_records import record
from remem.core.waiting.kinds import kind_of, may_come_of, need_waiting, undecided
from remem.core.waiting.rejected import Sent
from remem.model.change import Change, Effect, Intent
from remem.model.entry import Entry, Ref, Status
from remem.model.origin import origin_of
from remem.model.source import Source

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Reject

_REJECTED: Final = ("rejected",)


def plan_reject(library: Library, intent: Intent, args: Reject) -> Change:
    """Plan to send candidates away: they leave their store, and the reason is kept.

    Raises:
        NotPossible: One of them does not wait.
    """
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    entries, notes = undecided(library, chosen(library, intent), _REJECTED)
    if not entries:
        return nothing_left(library, intent, "Reject", notes)
    for entry in entries:
        need_waiting(library, entry)
        kind = kind_of(library, entry)
        touched[entry.ref] = entry.ref if kind is not None and kind.stays else None
    take_out(draft, [entry for entry in entries if not _is_noted(library, entry)], leave)
    record(draft, [sent_of(library, entry) for entry in entries], args.reason)
    return change(library, intent, "Reject", draft, touched, reason=args.reason, notes=tuple(notes))


def leave(each: Keeper, source: Source, entry: Entry) -> tuple[Effect, ...]:
    """Take an entry out of what waits, by the word its format has for that or out of its file."""
    try:
        return each.set_status(source, entry, Status.INVALID)
    except NotPossible:
        return each.remove(source, entry)


def _is_noted(library: Library, entry: Entry) -> bool:
    """Tell whether it stays where it was found, and entries note that: a finding does."""
    coming = may_come_of(library, entry)
    return coming is not None and coming.seen is not None


def sent_of(library: Library, entry: Entry) -> Sent:
    """Return what a rejection keeps of an entry."""
    source, coming = library.source_of(entry), may_come_of(library, entry)
    if coming is not None:
        return Sent(coming.kind, coming.text, coming.whence or source.path.stem, coming.whose)
    origin = origin_of(library.format_of(entry).reader.fields(source, entry))
    return Sent(
        entry.kind, whole_text(source, entry), (origin.ref if origin else "") or source.path.stem
    )
