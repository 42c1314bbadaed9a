"""Plans merging: entries into another one, as the system that keeps it does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.model.change import Change, Intent
from remem.model.entry import Entry

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Merge


def plan_merge(library: Library, intent: Intent, args: Merge) -> Change:
    """Plan to put entries into another entry.

    Raises:
        NotPossible: Nothing can be merged into that one, or not these.
        UnknownRef: There is no such entry.
    """
    into = taking(library, args)
    merge = library.format_of(into).facets.merge
    assert merge is not None
    return merge(library, intent, into)


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
            f"nothing can be merged into `{library.short(into.ref)}`",
            hint="name a convention, an anti-pattern or a decision",
        )
    return into
