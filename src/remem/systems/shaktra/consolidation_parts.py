"""The parts of a consolidation that a person may decide on one by one.

Each observation goes into one part, which the queue shows under that observation's ref; what is
merged or archived beside that stands under the entry's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.relation.opposed import may_oppose
from remem.model.entry import Entry, Ref, Status
from remem.systems.shaktra.consolidation_story import Case, case_of, open_stories
from remem.systems.shaktra.consolidation_terms import (
    Changed,
    Doubt,
    Held,
    Made,
    Merged,
    Noted,
    Share,
)
from remem.systems.shaktra.records import PRINCIPLE, SHAKTRA, Principle


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that consolidating a story would do."""

    ref: Ref
    story: str
    does: Changed | Made
    observations: tuple[Noted, ...]
    """Of the story; none where only what follows from the rest is done."""
    touches: frozenset[str]
    """Ids of entries that may be merged or archived with it."""
    doubts: tuple[Doubt, ...] = ()
    """What in force may say otherwise."""


def waiting_parts(library: Library) -> tuple[Part, ...]:
    """Return all that waits, story by story; a story that cannot be read is left out."""
    # Where there is no Shaktra, no snapshot is kept for it either.
    return _waiting_parts(library) if library.of_format(SHAKTRA) else ()


@lru_cache(maxsize=2)
def _waiting_parts(library: Library) -> tuple[Part, ...]:
    found: dict[Ref, Part] = {}
    for name in open_stories(library):
        try:
            case = case_of(library, name)
        except RememError:
            continue
        for part in parts_of(case):
            found.setdefault(part.ref, part)
    return tuple(found.values())


def part_at(library: Library, entry: Entry) -> Part | None:
    """Return the part that stands under an entry's ref."""
    if entry.ref.format != SHAKTRA:
        return None
    return next((part for part in waiting_parts(library) if part.ref == entry.ref), None)


def parts_of(case: Case) -> Iterator[Part]:
    """Yield the parts of one story, in the order of their observations."""
    if case.is_empty and not case.outcome.waiting:
        return
    own = {each.ref for each in case.story.fresh}
    parts = [
        Part(each.shares[0].by.ref, case.story.id, each, _noted(each.shares), frozenset())
        for each in case.outcome.changed
        if each.shares
    ]
    for each in case.outcome.waiting:
        would = Changed(each.entry, each.share.after, (each.share,), {})
        parts.append(Part(each.by.ref, case.story.id, would, (each.by,), frozenset(), each.doubts))
    for made in case.outcome.made:
        by = tuple(each for each in made.by if each.ref in own)
        parts.append(Part(by[0].ref, case.story.id, made, by, frozenset(), made.doubts))
    yield from sorted(parts, key=lambda part: part.observations[0].turn)
    yield from _upkeep(case)


def said(entry: Held) -> str:
    """Return all that an entry says, on one line: its text, then each of its guidance."""
    guidance = entry.record.guidance if isinstance(entry.record, Principle) else ()
    return " · ".join(dict.fromkeys((entry.record.says, *guidance)))


def _noted(shares: tuple[Share, ...]) -> tuple[Noted, ...]:
    return tuple(share.by for share in shares)


def _upkeep(case: Case) -> Iterator[Part]:
    """Yield what is merged or archived though no observation is about it."""
    touched = {each.entry.ref for each in case.outcome.changed if each.shares}
    for each in case.outcome.changed:
        if each.shares or not each.fate:
            continue
        merged = [found for found in case.outcome.merged if found.leaves.ref == each.entry.ref]
        if any(found.stays.ref in touched for found in merged):
            continue
        names = {each.entry.record.id, *(found.stays.record.id for found in merged)}
        yield Part(each.entry.ref, case.story.id, each, (), frozenset(names))
    for found in case.outcome.alike:
        yield _merge(case, found)


def _merge(case: Case, found: Merged) -> Part:
    """Return the part of two entries that only a person merges."""
    stays, leaves = found.stays.record, found.leaves.record
    fate = Status.SUPERSEDED if found.leaves.kind == PRINCIPLE else Status.ARCHIVED
    why = f"`{stays.id}` says much the same, or the opposite (overlap {found.overlap:.2f})"
    would = Changed(found.leaves, leaves.confidence, (), {}, str(fate), why)
    opposes = may_oppose(said(found.leaves), said(found.stays))
    doubt = Doubt(stays.id, said(found.stays), "much the same", opposes)
    names = frozenset({stays.id, leaves.id})
    return Part(found.leaves.ref, case.story.id, would, (), names, (doubt,))
