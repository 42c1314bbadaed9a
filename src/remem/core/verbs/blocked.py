"""Why a verb cannot act on what is under the cursor, in words for the footer.

The declarations name these rules; they are loaded when a screen first asks one.
"""

from __future__ import annotations

from remem.core.library import Library
from remem.core.verbs.verb import WhyNot, read_only
from remem.core.waiting.item import Item
from remem.core.waiting.kinds import UNREVIEWED, act_on, decided
from remem.model.entry import RESTING, Entry, Status


def _decides(verb: str) -> WhyNot:
    """Return the rule of a verb that decides on what waits, whatever the reason."""

    def why_not(library: Library, what: Item | Entry | None) -> str | None:
        if what is None:
            return "nothing selected"
        waiting = what.waiting if isinstance(what, Item) else ""
        act = act_on(library, what.ref, verb, waiting)
        if act is not None:
            return act.why_not()
        if not library.has(what.ref):
            return "nothing selected"
        found = decided(library, library.entry(what.ref))
        if found is None and isinstance(what, Item) and what.verbs:
            return "settle what it conflicts with instead"
        return "it needs no decision" if found is None else found.told(library)

    return why_not


cannot_approve = _decides("approve")
cannot_reject = _decides("reject")


def is_no_finding(library: Library, entry: Entry) -> str | None:
    """Let it act on what waits and can stay a candidate: findings, and candidates of a store."""
    act = act_on(library, entry.ref, "keep")
    if act is not None:
        return act.why_not()
    found = decided(library, entry)
    return "only findings and candidates can be kept" if found is None else found.told(library)


def is_no_store_entry(library: Library, entry: Entry) -> str | None:
    """Let it act on what stands in a store."""
    fixed = library.format_of(entry).facets.fixed.get(entry.kind)
    return fixed or read_only(library, entry)


def cannot_edit(library: Library, entry: Entry) -> str | None:
    """Let it act on what stands in a store, and on what waits and can be worded anew."""
    if entry.kind in library.format_of(entry).facets.edited:
        return read_only(library, entry)
    return is_no_store_entry(library, entry)


def cannot_merge(library: Library, entry: Entry) -> str | None:
    """Let it act on what can say the same as another entry."""
    act = act_on(library, entry.ref, "merge")
    if act is not None:
        return act.why_not()
    if entry.kind in library.format_of(entry).facets.merges:
        return read_only(library, entry)
    found = decided(library, entry)
    none = "only SNIPER entries, learnings, lessons and findings can be merged"
    return none if found is None else found.told(library)


def cannot_supersede(library: Library, entry: Entry) -> str | None:
    """Let it act on what can be put into force, and on what is."""
    act = act_on(library, entry.ref, "approve")
    if act is not None:
        return act.why_not()
    if entry.status is Status.ACTIVE:
        return is_no_store_entry(library, entry)
    found = decided(library, entry)
    return "it needs no decision" if found is None else found.told(library)


def cannot_promote(library: Library, what: Item | Entry | None) -> str | None:
    """Let it act on what has a level above it, or another place."""
    if isinstance(what, Item) and what.waiting == UNREVIEWED:
        act = act_on(library, what.ref, "promote", what.waiting)
        if act is not None:
            return act.why_not()
    if what is None or not library.has(what.ref):
        return "nothing selected"
    entry = library.entry(what.ref)
    facets = library.format_of(entry).facets
    if entry.kind in facets.promoted_as_copy or is_below(library, entry):
        return None
    if entry.status is Status.CANDIDATE and cannot_approve(library, entry) is None:
        return "there is no wider level; approve it instead"
    if isinstance(what, Item) and what.verbs:
        instead = "; approve it instead" if "approve" in what.verbs else ""
        return f"there is no wider level{instead}"
    found = decided(library, entry)
    return "it needs no decision" if found is None else found.told(library)


def cannot_archive(library: Library, entry: Entry) -> str | None:
    """Let it act on what is not archived."""
    if entry.status in RESTING:
        return "already archived"
    return is_no_store_entry(library, entry)


def cannot_restore(library: Library, entry: Entry) -> str | None:
    """Let it act on what is archived."""
    if entry.status not in RESTING:
        return "it is not archived"
    facets = library.format_of(entry).facets
    if entry.kind in facets.restored_from_page and entry.status is Status.ARCHIVED:
        return None
    return is_no_store_entry(library, entry)


def is_below(library: Library, entry: Entry) -> bool:
    """Tell whether promoting an entry leads to another system."""
    levels = (each.facets.rises for each in library.formats)
    return any(rises(library, entry) for rises in levels if rises is not None)
