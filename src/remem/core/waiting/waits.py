"""Whether an entry waits for a person: what every deciding verb asks first.

Why it waits is told by the queue.
"""

from __future__ import annotations

from remem.core.library import Library
from remem.core.waiting.decided import decided
from remem.model.entry import Entry, Status
from remem.systems.learnings.waiting import waits
from remem.systems.shaktra.records import SHAKTRA
from remem.systems.sniper.marks import mark_of
from remem.systems.sniper.stores import StoreEntries


def is_waiting(library: Library, entry: Entry) -> bool:
    """Tell whether an entry is a candidate, or is in force without anyone having decided that.

    A finding waits until it is decided on, whatever stands in its retro.
    """
    return (
        (entry.status is Status.CANDIDATE and decided(library, entry) is None)
        or waits(library, entry) is not None
        or added_by(library, entry) != ""
        or _is_to_count(library, entry)
    )


def _is_to_count(library: Library, entry: Entry) -> bool:
    """Tell whether a consolidation would change the entry; it is loaded for Shaktra alone."""
    if entry.ref.format != SHAKTRA:
        return False
    from remem.systems.shaktra.consolidation_parts import part_at

    return part_at(library, entry) is not None


def added_by(library: Library, entry: Entry) -> str:
    """Return the retro whose ingestion put an entry into force by itself; empty = none did."""
    entries = library.source_of(entry).entries
    if entry.status is not Status.ACTIVE or not isinstance(entries, StoreEntries):
        return ""
    return mark_of(entries.parsed(entries.number(entry)).value)
