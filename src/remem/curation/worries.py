"""What is worth a look though no file is broken: what rots, costs too much, or is not borne out.

Each part that finds such things adds a line to `FINDERS`; Health and `status` show what all find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from remem.curation.briefing_worries import briefing_worries
from remem.curation.compact import long_memories
from remem.curation.consolidation_worries import unknown_ids
from remem.curation.gone_worries import gone_worries, root_worries
from remem.curation.hidden_worries import hidden_worries
from remem.curation.learning_worries import learning_worries
from remem.curation.memory_upkeep import upkeep_worries
from remem.curation.persona_budget import over_budget, said_twice
from remem.curation.reanchor import stale_worries
from remem.curation.told_twice import told_worries
from remem.curation.unknown_memory import unknown_memories
from remem.curation.workspace_levels import level_worries
from remem.curation.workspace_queue import worries_of_all
from remem.curation.worry import Worry as Worry
from remem.library import Library

FINDERS: Final[tuple[Callable[[Library], Iterable[Worry]], ...]] = (
    root_worries,
    briefing_worries,
    long_memories,
    gone_worries,
    hidden_worries,
    learning_worries,
    over_budget,
    said_twice,
    stale_worries,
    told_worries,
    unknown_ids,
    unknown_memories,
    upkeep_worries,
    level_worries,
)
"""Pure, and quick enough for every snapshot: below 50 ms among 10,000 entries."""


def worries(library: Library) -> Iterator[Worry]:
    """Yield all that is worth a look in this snapshot."""
    return worries_of_all(library, _found)


def _found(library: Library) -> Iterator[Worry]:
    return (worry for find in FINDERS for worry in find(library))
