"""What learnings are, told without loading them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from remem.core.system import Facets
from remem.model.change import Change, Effect, Intent
from remem.model.entry import Entry

if TYPE_CHECKING:
    from remem.core.checks.issue import Issue
    from remem.core.library import Library
    from remem.model.confidence_history import Trajectory


def _merge(library: Library, intent: Intent, into: Entry) -> Change:
    from remem.systems.learnings.upkeep import plan_merge_into

    return plan_merge_into(library, intent, into)


def _supersede(library: Library, old: Entry, new: Entry) -> tuple[Effect, ...]:
    from remem.systems.learnings.plan_events import superseded_by

    return superseded_by(library, old, new)


def _confidence(library: Library, entry: Entry) -> Trajectory | None:
    from remem.systems.learnings.confidence import of_learning

    return of_learning(library, entry)


def _issues(library: Library) -> Iterable[Issue]:
    from remem.systems.learnings.problems import learning_issues

    return learning_issues(library)


FACETS: Final = Facets(
    finds=("signal",),
    called="learnings",
    settles=("finding",),  # the retro of a protocol asks for learnings
    pairs=("learning",),
    files_apart=("learning",),
    confidence={"learning": _confidence},
    merges=("learning",),
    merge=_merge,
    supersede=_supersede,
    text_fields={"learning": "learning"},
    files_field={"learning": "scope.files"},
    options_of_add={"learning": {"role": "scope.agents", "rationale": "source.detail"}},
    lesson_becomes={"learning": "a record with a confidence; a draft to review"},
    problems=_issues,
)
