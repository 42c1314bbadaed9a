"""What Health shows of how verified memories serve: too many of them, and those that nobody uses.

Whether they hold is another matter (`stale.py`). Nothing is retired by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from remem.base.text import count
from remem.core.checks.problem import Issue
from remem.core.library import Library
from remem.model.entry import Problem
from remem.model.fact import RETIRE
from remem.systems.facts.fact_verbs import MemoryRetire
from remem.systems.facts.records import SOFT_LIMIT, Memory
from remem.systems.facts.retire import OLD, of_repository, surplus, unused
from remem.systems.facts.source import FORMAT, VerifiedSource, verified_sources

_HINT: Final = "F shows what would be retired; so does `remem memory retire`"


def upkeep_issues(library: Library) -> Iterator[Issue]:
    """Yield an issue for each repository with too many memories, and one for those never used."""
    now = library.ground.given.clock.now()
    for source in verified_sources(library.of_format(FORMAT)):
        for repository in dict.fromkeys(memory.repository for memory in source.active):
            memories = of_repository(source.active, repository)
            if len(memories) > SOFT_LIMIT:
                yield _too_many(source, repository, memories)
        idle = unused(source.active, now)
        if idle:
            yield _unused(source, len(idle))


def _too_many(source: VerifiedSource, repository: str, memories: Sequence[Memory]) -> Issue:
    """Name the one to retire first: never used, and the longest not refreshed."""
    idle = surplus(memories)
    served = "never used" if not idle[0].applied else "long idle"
    message = (
        f"`{repository}` has {len(memories):,} active facts (recommended: {SOFT_LIMIT:,}); "
        f"{served}: `{idle[0].subject}`"
    )
    problem = Problem("memory-limit", message, _HINT, source.path)
    return Issue(problem, None, RETIRE, MemoryRetire(repository=repository).to_json())


def _unused(source: VerifiedSource, number: int) -> Issue:
    message = f"{count(number, 'fact', 'facts')} older than {OLD.days} days and never used"
    problem = Problem("memory-unused", message, _HINT, source.path)
    return Issue(problem, None, RETIRE, MemoryRetire(unused=True).to_json())
