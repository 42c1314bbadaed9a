"""What Shaktra's memory is, told without loading it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from remem.core.system import Facets
from remem.model.change import Change, Effect, Intent
from remem.model.entry import Entry, Problem
from remem.model.source import Source

if TYPE_CHECKING:
    from remem.core.checks.issue import Issue
    from remem.core.library import Library
    from remem.model.confidence_history import Trajectory


def _unread(sources: Sequence[Source]) -> tuple[Problem, ...]:
    from remem.systems.shaktra.documents import unread_among

    return unread_among(sources)


def _merge(library: Library, intent: Intent, into: Entry) -> Change:
    from remem.systems.shaktra.merge_by_hand import plan_merge_shaktra

    return plan_merge_shaktra(library, intent, into)


def _supersede(library: Library, old: Entry, new: Entry) -> tuple[Effect, ...] | None:
    from remem.systems.shaktra.merge_by_hand import superseded_by

    return superseded_by(library, old, new)


def _confidence(library: Library, entry: Entry) -> Trajectory | None:
    from remem.systems.shaktra.confidence import of_stored

    return of_stored(library, entry)


def _issues(library: Library) -> Iterator[Issue]:
    from remem.systems.shaktra.problems import briefing_issues, unknown_ids

    yield from briefing_issues(library)
    yield from unknown_ids(library)


_STORED: Final = ("principle", "anti_pattern", "procedure")
FACETS: Final = Facets(
    finds=("observation",),
    learns_with="remem consolidate STORY",
    warns=("anti_pattern",),
    unfollowed=("observation",),
    options_of_add={"principle": {"role": "roles"}, "procedure": {"role": "roles"}},
    roles_field={"anti_pattern": "roles"},
    pairs=("principle", "procedure"),
    confidence=dict.fromkeys(_STORED, _confidence),
    merges=_STORED,
    merge=_merge,
    supersede=_supersede,
    unread=_unread,
    problems=_issues,
)
