"""What is worth a look though no file is broken: what rots, costs too much, or is not borne out.

What is true of any memory is found by `FINDERS`, and what one system knows by its own facet;
Health and `status` show what all find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from remem.core.checks.broken_references import gone_worries, root_worries
from remem.core.checks.hidden_text_problems import hidden_worries
from remem.core.checks.problem import Worry as Worry
from remem.core.checks.secret_problems import secret_worries
from remem.core.checks.unknown_memory import unknown_memories
from remem.core.library import Library
from remem.core.relation.duplicates import told_worries
from remem.core.waiting.repositories import worries_of_all

FINDERS: Final[tuple[Callable[[Library], Iterable[Worry]], ...]] = (
    root_worries,
    gone_worries,
    hidden_worries,
    secret_worries,
    told_worries,
    unknown_memories,
)
"""Pure, and quick enough for every snapshot: below 50 ms among 10,000 entries."""


def worries(library: Library) -> Iterator[Worry]:
    """Yield all that is worth a look in this snapshot."""
    return worries_of_all(library, _found)


def _found(library: Library) -> Iterator[Worry]:
    own = (each.facets.worries for each in library.formats)
    finders = (*FINDERS, *(find for find in own if find is not None))
    return (worry for find in finders for worry in find(library))
