"""Gathers what a consolidation goes by: a story's observations, those around it, and memory.

It reads one snapshot; what comes of it is decided in `outcome.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.library import Library
from remem.core.own_folder import OWN
from remem.core.relation.in_force import against, decided, opposes, unread_settings
from remem.core.relation.normal_form import norm
from remem.core.waiting.rejected import suppressed
from remem.edit.yaml_read import line_of
from remem.model.entry import FileSpan
from remem.model.memo import kept
from remem.model.proposals_and_rejections import PROPOSAL
from remem.systems.shaktra.consolidation.counted_observations import consumed, sha_of
from remem.systems.shaktra.consolidation.outcome import consolidate
from remem.systems.shaktra.consolidation.terms import (
    Doubt,
    Dropped,
    Held,
    Memory,
    Noted,
    Outcome,
    Story,
    held,
    noted,
)
from remem.systems.shaktra.documents import (
    handoff_among,
    settings_of,
    story_among,
    story_names,
    value_of,
)
from remem.systems.shaktra.lists import observed_in
from remem.systems.shaktra.records import (
    GAP,
    INCIDENT,
    SHAKTRA,
    AntiPattern,
    Observation,
    Principle,
    Procedure,
)
from remem.systems.shaktra.source import ListSource, stores_among

WINDOW: Final = 3
"""Stories within which failures of one pattern count together."""
_DIGITS: Final = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Case:
    """A story that is consolidated, with all that its outcome rests on."""

    story: Story
    memory: Memory
    outcome: Outcome
    is_captured: bool
    """Its hand-off says that memory was made of it."""
    over_cap: tuple[Noted, ...] = ()
    """Observations beyond what one story may bring."""
    changed: tuple[Noted, ...] = ()
    """Counted before under the same id, when they said something else."""

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing is left to count."""
        return not self.counted

    @property
    def counted(self) -> tuple[Noted, ...]:
        """What this would count, in the order of ids."""
        return counted_by(self.story, self.outcome)


def counted_by(story: Story, outcome: Outcome) -> tuple[Noted, ...]:
    """Return the observations of a story that an outcome counts, in the order of their ids."""
    left = {each.by.ref for each in outcome.left_out}
    used = {share.by.ref for each in outcome.changed for share in each.shares}
    used |= {by.ref for each in outcome.made for by in each.by}
    used |= {each.by.ref for each in outcome.dropped}
    return tuple(each for each in story.fresh if each.ref in used - left)


@lru_cache(maxsize=8)
def case_of(library: Library, name: str, *, is_incident: bool = False) -> Case:
    """Return what consolidating a story would do.

    Raises:
        NotPossible: There is no such story.
        Refused: What was counted before cannot be read.
    """
    sources = library.of_format(SHAKTRA)
    names = story_names(sources)
    if name not in names:
        known = ", ".join(f"`{each}`" for each in names[:5])
        folder = library.ground.root / ".shaktra" / "stories"
        hint = f"the stories are {known}" if known else f"stories lie in `{folder}`"
        raise NotPossible(f"there is no story `{name}`", hint=hint)
    everywhere = _everywhere(library)
    own = [each for each in everywhere if each.story == name]
    fresh, over, changed = _fresh(library, name, own)
    window = _window(library, names, name)
    story = Story(
        name,
        fresh,
        tuple(each for each in everywhere if each.story in window),
        everywhere,
        is_incident or _is_incident(library, name),
    )
    memory = _memory(library)
    outcome = consolidate(memory, story)
    faulty = _faulty(sources, name)
    outcome = replace(outcome, left_out=(*faulty, *outcome.left_out))
    return Case(story, memory, outcome, is_captured(library, name), over, changed)


def is_captured(library: Library, name: str) -> bool:
    """Tell whether a story's hand-off says that memory was made of it."""
    source = handoff_among(library.of_format(SHAKTRA), name)
    return source is not None and value_of(source).get("memory_captured") is True


def open_stories(library: Library) -> tuple[str, ...]:
    """Return the stories with observations of which memory was not made yet, sorted."""
    sources = library.of_format(SHAKTRA)
    names = {s.story for s in sources if isinstance(s, ListSource) and s.story and s.items}
    return tuple(sorted(name for name in names if not is_captured(library, name)))


def _fresh(
    library: Library, name: str, own: Sequence[Noted]
) -> tuple[tuple[Noted, ...], tuple[Noted, ...], tuple[Noted, ...]]:
    """Return what counts now, what is beyond the cap, and what said something else before."""
    known = consumed(library)
    fresh = [each for each in own if (name, each.name, each.sha) not in known]
    most = settings_of(library.of_format(SHAKTRA)).memory.max_observations_per_story
    slots = max(0, most - (len(own) - len(fresh)))
    weighed = sorted(fresh, key=lambda each: each.weight)
    taken = {each.ref for each in weighed[:slots]}
    named = {(story, observation) for story, observation, _ in known}
    turn = sorted(fresh, key=lambda each: each.turn)
    return (
        tuple(each for each in turn if each.ref in taken),
        tuple(weighed[slots:]),
        tuple(each for each in turn if (name, each.name) in named),
    )


@lru_cache(maxsize=2)
def _everywhere(library: Library) -> tuple[Noted, ...]:
    """Return every observation that can be made sense of, story by story."""
    sources = library.of_format(SHAKTRA)
    return tuple(
        each
        for source in sources
        if isinstance(source, ListSource) and source.story
        for each in _noted_in(source)
    )


@kept
def _noted_in(source: ListSource) -> tuple[Noted, ...]:
    return tuple(
        noted(entry.ref, source.story, item.record, sha_of(item.value), _place(source, number))
        for number, (entry, item) in enumerate(zip(source.entries, source.items, strict=True))
        if item.counts and isinstance(item.record, Observation)
    )


def _place(source: ListSource, number: int) -> str:
    line = line_of(source.data, source.index.items[number].start)
    return f"{source.name}:{line}"


def _faulty(sources: Sequence[object], name: str) -> tuple[Dropped, ...]:
    """Return the observations that cannot count until somebody mends them, with what is wrong."""
    found: list[Dropped] = []
    for source in sources:
        if not isinstance(source, ListSource) or source.story != name:
            continue
        pairs = zip(source.entries, source.items, strict=True)
        for number, (entry, item) in enumerate(pairs):
            if item.counts or not isinstance(item.record, Observation):
                continue
            by = noted(entry.ref, name, item.record, "", _place(source, number))
            why = "; ".join(problem.message for problem in item.problems)
            found.append(Dropped(by, why))
    return tuple(found)


def _window(library: Library, names: Sequence[str], name: str) -> frozenset[str]:
    """Return this story and the two before it, by the day they were made, else by id."""
    made = {each: _created(library, each) for each in names}
    by_day = all(made.values())
    order = sorted(names, key=lambda each: (made[each] if by_day else "", _natural(each)))
    place = order.index(name)
    return frozenset(order[max(0, place - WINDOW + 1) : place + 1])


def _created(library: Library, name: str) -> str:
    source = story_among(library.of_format(SHAKTRA), name)
    found = value_of(source).get("created") if source is not None else None
    return found if isinstance(found, str) else ""


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """Return what puts `ST-9` before `ST-10`."""
    parts = _DIGITS.split(name)
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)


def _is_incident(library: Library, name: str) -> bool:
    """Tell whether a story mends a bug and observed what it was about."""
    source = story_among(library.of_format(SHAKTRA), name)
    if source is None or not value_of(source).get("bug_id"):
        return False
    observed = observed_in(library.of_format(SHAKTRA), name)
    types = {
        item.record.type
        for each in observed
        for item in each.items
        if isinstance(item.record, Observation)
    }
    return bool(types & {INCIDENT, GAP})


@lru_cache(maxsize=2)
def _memory(library: Library) -> Memory:
    sources = library.of_format(SHAKTRA)
    entries = (each for source in stores_among(sources) for each in _held_in(source))
    waiting = (entry for source in library.of_format(OWN) for entry in source.entries)

    def rejected(kind: str, text: str) -> str:
        found = suppressed(library, kind, text)
        return found.reason if found is not None else ""

    def elsewhere(kind: str, text: str) -> tuple[Doubt, ...]:
        own = (each.ref for source in stores_among(sources) for each in source.entries)
        found = against(library, kind, text, apart=frozenset(own))
        return tuple(
            Doubt(
                library.short(e.key.ref), e.text, e.words, opposes(library, e), decided(library, e)
            )
            for e in found
        )

    return Memory(
        tuple(entries),
        settings_of(sources),
        rejected,
        frozenset(norm(entry.title) for entry in waiting if entry.kind == PROPOSAL),
        library.ground.given.clock.today().isoformat(),
        elsewhere,
        has_limits=not unread_settings(library),
    )


@kept
def _held_in(source: ListSource) -> tuple[Held, ...]:
    pairs = zip(source.entries, source.items, strict=True)
    return tuple(
        held(entry.ref, item.record, item.status)
        for entry, item in pairs
        if isinstance(item.record, Principle | AntiPattern | Procedure)
        and isinstance(entry.at, FileSpan)
    )


def over_cap_note(case: Case) -> str:
    """Return what is said of observations beyond the cap; empty = there are none."""
    if not case.over_cap:
        return ""
    names = ", ".join(f"`{each.name}`" for each in case.over_cap[:5])
    return f"{count(case.over_cap, 'observation')} over the story's limit: {names}"
