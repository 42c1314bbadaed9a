"""What learnings are, told without loading them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remem.core.system import Facets
from remem.model.change import Change, Intent
from remem.model.entry import Entry

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.model.trajectory import Trajectory


def _merge(library: Library, intent: Intent, into: Entry) -> Change:
    from remem.systems.learnings.upkeep import plan_merge_into

    return plan_merge_into(library, intent, into)


def _confidence(library: Library, entry: Entry) -> Trajectory | None:
    from remem.systems.learnings.confidence import of_learning

    return of_learning(library, entry)


FACETS: Final = Facets(
    called="learnings",
    settles=("finding",),  # the retro of a protocol asks for learnings
    pairs=("learning",),
    files_apart=("learning",),
    confidence={"learning": _confidence},
    merges=("learning",),
    merge=_merge,
    text_fields={"learning": "learning"},
)
