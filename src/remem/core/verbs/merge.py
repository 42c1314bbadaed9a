"""Plans merging: entries into another one, as the system that keeps it does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remem.core.library import Library
from remem.core.waiting.decide import chosen, need_waiting, taking
from remem.model.change import Change, Intent

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Merge


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
