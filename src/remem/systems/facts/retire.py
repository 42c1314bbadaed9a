"""Retiring verified memories: those beyond the soft limit, those that nobody uses, those marked.

What is retired is called invalid with that reason, stays on record, and can be brought back by
undo. Nothing is retired by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, ChangedOnDisk, NotPossible
from remem.base.text import count
from remem.code.choose_reader import repository_of
from remem.core.library import Library
from remem.model.change import Change, Intent, Json, RowEdit
from remem.model.entry import Ref, Status
from remem.systems.facts.records import SOFT_LIMIT, Memory
from remem.systems.facts.row_edits import invalidate, planned
from remem.systems.facts.source import FORMAT, VerifiedSource, verified_sources

if TYPE_CHECKING:
    from remem.systems.facts.fact_verbs import MemoryRetire

OLD: Final = timedelta(days=90)
"""After so long without a use a memory is called unused."""
_NEVER: Final = datetime.min.replace(tzinfo=UTC)
_LISTED: Final = 12
Chosen = tuple[VerifiedSource, Memory]


def surplus(memories: Sequence[Memory], limit: int) -> list[Memory]:
    """Return those beyond the limit: never used before used, then the longest not refreshed."""
    idle = sorted(
        memories, key=lambda each: (each.applied > 0, each.refreshed_at or _NEVER, each.id)
    )
    return idle[: max(0, len(memories) - limit)]


def unused(memories: Sequence[Memory], now: datetime) -> list[Memory]:
    """Return those that are old and were never used."""
    return [
        each
        for each in memories
        if not each.applied and each.created_at is not None and now - each.created_at > OLD
    ]


def of_repository(memories: Sequence[Memory], repository: str) -> list[Memory]:
    """Return those about one repository."""
    return [each for each in memories if each.repository == repository]


def plan_retire(
    library: Library, intent: Intent, args: MemoryRetire, limit: int = SOFT_LIMIT
) -> Change:
    """Plan to retire the memories that are marked, or those that the arguments ask for.

    Args:
        library: Where they stand.
        intent: Names them, or none.
        args: Which else.
        limit: Memories of a repository that are not too many.

    Raises:
        NotPossible: There are none, or one is not in force.
        ChangedOnDisk: A marked one says something else by now.
    """
    found = [*(_marked(library, intent) if intent.shown else _proposed(library, args, limit))]
    if not found:
        raise Already("nothing to retire", hint="name facts by id")
    told = planned(library, intent)
    why = args.reason or "retired: unused"
    result: dict[str, Json] = {"valid_citations": None, "invalid_citations": None, "reason": why}
    edits = [invalidate(source.path, memory, told, result) for source, memory in found]
    # All of one kind together: a server takes those in one go.
    effects: list[RowEdit] = [edit for pair in zip(*edits, strict=True) for edit in pair]
    refs = [Ref(FORMAT, memory.id, source.place) for source, memory in found]
    return Change(
        intent,
        f"Retire {count(len(found), 'fact', 'facts')}",
        tuple(effects),
        why,
        {ref: ref for ref in refs},
        notes=tuple(_notes(found)),
    )


def _marked(library: Library, intent: Intent) -> Iterator[Chosen]:
    for ref, digest in intent.shown.items():
        entry, source = library.entry(ref), library.source_of(ref)
        memory = source.memories.named(ref.id) if isinstance(source, VerifiedSource) else None
        if memory is None or not isinstance(source, VerifiedSource):
            raise NotPossible(f"`{library.short(ref)}` is not a verified memory")
        if memory.status is Status.INVALID:
            raise Already(f"`{library.short(ref)}` is already invalid", hint="nothing was written")
        if memory.status is not Status.ACTIVE:
            raise NotPossible(f"`{library.short(ref)}` is {memory.status}")
        if digest and entry.digest != digest:
            raise ChangedOnDisk(
                f"`{library.short(ref)}` changed after it was shown", hint="look at it again"
            )
        yield source, memory


def _proposed(library: Library, args: MemoryRetire, limit: int) -> Iterator[Chosen]:
    ground, now = library.ground, library.ground.given.clock.now()
    about = "" if args.unused else args.repository or repository_of(ground.disk, ground.root)
    for source in verified_sources(library.of_format(FORMAT)):
        if args.unused:
            found = unused(source.active, now)
        else:
            found = surplus(of_repository(source.active, about), limit)
        yield from ((source, memory) for memory in found)


def _notes(found: Sequence[Chosen]) -> Iterator[str]:
    for _, memory in found[:_LISTED]:
        used = count(memory.applied, "time") if memory.applied else "never"
        day = f"{memory.refreshed_at:%Y-%m-%d}" if memory.refreshed_at else "an unknown day"
        yield f"{memory.subject}: {memory.fact} (used {used}, refreshed {day})"
    if len(found) > _LISTED:
        yield f"and {len(found) - _LISTED:,} more"
