"""What verified memory is, told without loading it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from remem.core.system import Facets
from remem.model.fact import FACT

if TYPE_CHECKING:
    from remem.core.checks.problem import Worry
    from remem.core.library import Library


def _worries(library: Library) -> Iterator[Worry]:
    from remem.systems.facts.problems import upkeep_worries
    from remem.systems.facts.stale import stale_worries

    yield from stale_worries(library)
    yield from upkeep_worries(library)


FACETS: Final = Facets(
    worries=_worries,
    fixed={FACT: "a memory is superseded or invalidated, and nothing of it is changed"},
)
