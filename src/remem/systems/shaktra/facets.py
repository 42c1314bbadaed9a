"""What Shaktra's memory is, told without loading it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from remem.core.system import Facets
from remem.model.change import Change, Intent
from remem.model.entry import Entry, Problem
from remem.model.source import Source

if TYPE_CHECKING:
    from remem.core.library import Library


def _unread(sources: Sequence[Source]) -> tuple[Problem, ...]:
    from remem.systems.shaktra.documents import unread_among

    return unread_among(sources)


def _merge(library: Library, intent: Intent, into: Entry) -> Change:
    from remem.systems.shaktra.merge import plan_merge_shaktra

    return plan_merge_shaktra(library, intent, into)


FACETS: Final = Facets(
    warns=("anti_pattern",),
    unfollowed=("observation",),
    merges=("principle", "anti_pattern", "procedure"),
    merge=_merge,
    unread=_unread,
)
