"""What Health shows of how verified memories serve: too many of them, and those that nobody uses.

Whether they hold is another matter (`stale.py`). Nothing is retired by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from remem.base.text import count
from remem.core.checks.contradictions import BESIDE, CONTRADICTION
from remem.core.checks.issue import Issue
from remem.core.library import Library
from remem.model.entry import Problem, Ref
from remem.systems.facts import RETIRE
from remem.systems.facts.fact_verbs import MemoryRetire
from remem.systems.facts.records import SOFT_LIMIT, Memory
from remem.systems.facts.retire import OLD, of_repository, surplus, unused
from remem.systems.facts.source import FORMAT, VerifiedSource, verified_sources

_OFTEN: Final = 3
"""Times that a memory did not hold, after which it is no accident."""
_MONTH: Final = timedelta(days=30)
_COMPARED: Final = SOFT_LIMIT
"""Facts that are held against each other; of more than are recommended nothing is told."""
_MANY: Final = 200
"""Memories of a month that are worth a word."""
_HINT: Final = "F shows what would be retired; so does `remem memory retire`"


def upkeep_issues(
    library: Library, *, limit: int = SOFT_LIMIT, many: int = _MANY
) -> Iterator[Issue]:
    """Yield an issue for each repository with too many memories, and one for those never used.

    Args:
        library: Where they stand.
        limit: Memories of a repository that are not too many.
        many: Memories of a month that are worth a word.
    """
    now = library.ground.given.clock.now()
    for source in verified_sources(library.of_format(FORMAT)):
        for repository in dict.fromkeys(memory.repository for memory in source.active):
            memories = of_repository(source.active, repository)
            if len(memories) > limit:
                yield _too_many(source, repository, memories, limit)
        idle = unused(source.active, now)
        if idle:
            yield _unused(source, len(idle))
        wrong = [each for each in source.active if each.failed >= _OFTEN > each.applied]
        if wrong:
            yield _often_wrong(source, max(wrong, key=lambda each: each.failed), len(wrong))
        yield from _growing(source, now, many)
        yield from _opposed(library, source)


def _opposed(library: Library, source: VerifiedSource) -> Iterator[Issue]:
    """Yield each fact that may conflict with another one; both stay until somebody decides."""
    from remem.core.relation.normal_form import Alike
    from remem.core.relation.pairs import alike_among
    from remem.core.waiting.rejected import kept_both

    active = source.active
    if not 1 < len(active) <= _COMPARED:
        return
    is_kept = kept_both(library.sources)
    texts = [f"{each.subject}: {each.fact}" for each in active]
    found = alike_among((FORMAT, source.path), texts)
    told: set[int] = set()
    for (one, other), likeness in found.items():
        first, second = active[one], active[other]
        if likeness.alike is not Alike.CONTRADICTION or other in told:
            continue
        if first.repository != second.repository or (is_kept and is_kept(first.fact, second.fact)):
            continue
        told.add(other)
        refs = [Ref(FORMAT, each.id, source.place) for each in (first, second)]
        message = f"possible conflict with `{first.id[:8]}` ({likeness.because}): {second.fact}"
        hint = f"supersede or invalidate the wrong one; `{first.id[:8]}`: {first.fact}"
        problem = Problem(CONTRADICTION, message, hint, source.path)
        yield Issue(problem, refs[1], arguments={BESIDE: str(refs[0])})


def _often_wrong(source: VerifiedSource, worst: Memory, number: int) -> Issue:
    message = (
        f"{count(number, 'memory', 'memories')} did not hold {_OFTEN} times or more when somebody "
        f"looked; most often `{worst.subject}`, {worst.failed} times"
    )
    hint = f"`remem memory history {worst.id[:8]}` says when; supersede it or invalidate it"
    return Issue(Problem("memory-often-wrong", message, hint, source.path))


def _growing(source: VerifiedSource, now: datetime, many: int) -> Iterator[Issue]:
    """Say that more came within a month than were there before, where that is many."""
    ages = [now - each.created_at for each in source.active if each.created_at is not None]
    new = sum(age < _MONTH for age in ages)
    before = len(ages) - new
    if new >= many and new > before:
        message = f"{new:,} memories came within {_MONTH.days} days, after {before:,} before"
        hint = "see who stores them: `remem memory recent`; what serves nobody can be retired"
        yield Issue(Problem("memory-growing", message, hint, source.path))


def _too_many(
    source: VerifiedSource, repository: str, memories: Sequence[Memory], limit: int
) -> Issue:
    """Name the one to retire first: never used, and the longest not refreshed."""
    idle = surplus(memories, limit)
    served = "never used" if not idle[0].applied else "long idle"
    message = (
        f"`{repository}` has {len(memories):,} active facts (recommended: {limit:,}); "
        f"{served}: `{idle[0].subject}`"
    )
    problem = Problem("memory-limit", message, _HINT, source.path)
    return Issue(problem, None, RETIRE, MemoryRetire(repository=repository).to_json())


def _unused(source: VerifiedSource, number: int) -> Issue:
    message = f"{count(number, 'fact', 'facts')} older than {OLD.days} days and never used"
    problem = Problem("memory-unused", message, _HINT, source.path)
    return Issue(problem, None, RETIRE, MemoryRetire(unused=True).to_json())
