"""How sure Shaktra's entries are and how that came about: told by the observations of stories.

An entry keeps no history. What is shown is reckoned from the observations that name it: forward
from where entries begin, or back from the confidence of now where that does not meet (FORMATS 5.2).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final
from weakref import WeakKeyDictionary

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.library import Library
from remem.model.confidence_history import Row, Threshold, Trajectory
from remem.model.entry import Entry, Status
from remem.systems.shaktra.brief.rank import Held as Briefable
from remem.systems.shaktra.consolidation.outcome import store_of
from remem.systems.shaktra.consolidation.similarity import best_match, does_to
from remem.systems.shaktra.consolidation.terms import Held, Noted, held, noted
from remem.systems.shaktra.documents import settings_of
from remem.systems.shaktra.layer import held_in
from remem.systems.shaktra.lists import read_of
from remem.systems.shaktra.mentions import Mention, Observed, mentions
from remem.systems.shaktra.records import (
    CHECK,
    CONTRADICT,
    REINFORCE,
    SHAKTRA,
    WEAKEN,
    AntiPattern,
    MemorySettings,
    Principle,
    Procedure,
    Settings,
    Stored,
)

PLACES: Final = 4
NEAR: Final = 0.35
"""Below it an entry is marked as near the archive."""
_MIGRATED: Final = {"migrated:DC": 0.7, "migrated:LS": 0.5}


@dataclass(frozen=True, slots=True)
class Step:
    """What one observation does to a confidence, before it is clamped."""

    mention: Mention
    delta: float
    known: tuple[float, float] | None = None
    """The confidence before and after, where it was kept."""


def of_stored(library: Library, entry: Entry) -> Trajectory | None:
    """Return the history of an entry's confidence; `None` for what has no confidence."""
    record = read_of(library.source_of(entry), entry).record
    if not isinstance(record, Principle | AntiPattern | Procedure):
        return None
    settings = settings_of(library.of_format(SHAKTRA))
    named = [step for each in mentions(library).of(record.id) if (step := step_of(each, settings))]
    waiting = [step for step in named if not step.mention.seen.is_counted]
    counted = _counted(library, entry, record, settings, named)
    in_force = entry.status is Status.ACTIVE
    memory, now = settings.memory, record.confidence
    told = ledger_of(now, start_of(record, memory), counted)
    return Trajectory(
        now=now,
        approximate=any(p.field == "confidence" for p in entry.problems),
        status=record.status or entry.status.value,
        rows=(_created(record, counted, memory), *told),
        up=_up(now, memory) if in_force else None,
        down=_down(now, memory) if in_force else None,
        what_if=(*_what_if(now, memory, waiting), *_briefed(library, record)) if in_force else (),
    )


def _counted(
    library: Library, entry: Entry, record: Stored, settings: Settings, named: Sequence[Step]
) -> list[Step]:
    """Return what led to the confidence of now: what names the entry, and what says the same.

    What says the same is left out again where the steps without it lead there and with it do not.
    """
    kept = _kept(library, record.id, settings)
    seen = (step for step in named if step.mention.seen.is_counted)
    checks = [*kept, *(step for step in seen if step.mention.seen.moved is None)]
    same = matched(library, held(entry.ref, record, entry.status))
    loose = (each for each in same if each.seen.moved is None)
    steps = [step for each in loose if (step := step_of(each, settings))]
    every = sorted((*checks, *steps), key=lambda step: step.mention.seen.place)
    checks.sort(key=lambda step: step.mention.seen.place)
    start, now = start_of(record, settings.memory), round(record.confidence, PLACES)
    if forward(start, every)[-1] != now and forward(start, checks)[-1] == now:
        return checks
    return every


def _kept(library: Library, name: str, settings: Settings) -> list[Step]:
    """Return what was kept of an entry's confidence when observations were counted."""
    found: list[Step] = []
    for seen in mentions(library).observed:
        moved = (seen.moved or {}).get(name)
        if moved is None:
            continue
        checked = seen.record.principle_id == name
        did = CONTRADICT if moved[1] < moved[0] else REINFORCE
        mention = Mention(seen, (seen.record.relationship or "") if checked else did)
        usual = step_of(mention, settings)
        # At the ends less happened than was asked for.
        is_clamped = moved[1] in (0.0, 1.0) and usual is not None
        delta = usual.delta if usual and is_clamped else round(moved[1] - moved[0], PLACES)
        found.append(Step(mention, delta, moved))
    return found


def step_of(mention: Mention, settings: Settings) -> Step | None:
    """Return what an observation does to the entry that it names; `None` = nothing is known."""
    memory = settings.memory
    delta = {
        REINFORCE: memory.confidence_reinforce,
        WEAKEN: -memory.confidence_weaken,
        CONTRADICT: -memory.confidence_contradict,
    }.get(mention.relationship)
    if delta is None:
        return None
    if delta > 0 and mention.seen.is_incident:
        delta *= settings.incident.incident_confidence_multiplier
    return Step(mention, round(delta, PLACES))


def start_of(record: Stored, memory: MemorySettings) -> float:
    """Return where an entry of that origin begins."""
    known = (at for prefix, at in _MIGRATED.items() if record.source.startswith(prefix))
    return next(known, memory.confidence_start)


def ledger_of(now: float, start: float, steps: Sequence[Step]) -> tuple[Row, ...]:
    """Return a row for each step, oldest first.

    Args:
        now: The confidence that the file has.
        start: Where such an entry begins. Where the steps lead from there to `now`, that is how it
            was; otherwise it is reckoned back from `now`. Before a step that may have ended at 0
            or 1 the figures are about what they were, unless they were kept.
        steps: In the order in which they were counted.
    """
    values = forward(start, steps)
    pairs = zip(steps, pairwise(values), strict=True)
    kept = all(step.known in (None, pair) for step, pair in pairs)
    if values[-1] != round(now, PLACES) or not kept:
        return tuple(reversed([*_backward(now, steps)]))
    return tuple(
        _row(step, before, after)
        for step, before, after in zip(steps, values, values[1:], strict=False)
    )


def forward(start: float, steps: Sequence[Step]) -> list[float]:
    """Return the confidence before the first step and after each one."""
    values = [round(start, PLACES)]
    for step in steps:
        values.append(moved(values[-1], step.delta))
    return values


def moved(confidence: float, delta: float) -> float:
    """Return a confidence after one event, from 0 to 1."""
    return round(min(1.0, max(0.0, confidence + delta)), PLACES)


def _backward(now: float, steps: Sequence[Step]) -> Iterator[Row]:
    after: float | None = round(now, PLACES)
    is_about = False
    for step in reversed(steps):
        if step.known is not None:
            yield _row(step, *step.known)
            after, is_about = step.known[0], False
            continue
        may_be_clamped = after == (1.0 if step.delta > 0 else 0.0)
        before = None if after is None else round(after - step.delta, PLACES)
        if before is not None and not 0 <= before <= 1:
            before = None
        row = _row(step, before, after)
        yield replace(row, about_before=is_about or may_be_clamped, about_after=is_about)
        after, is_about = before, is_about or may_be_clamped


def _row(step: Step, before: float | None, after: float | None) -> Row:
    seen = step.mention.seen
    return Row(
        time=seen.day,
        event=step.mention.relationship,
        delta=step.delta,
        before=before,
        after=after,
        by=seen.record.agent,
        detail=f"{seen.record.id}: {seen.record.text}",
        story=seen.story,
    )


def _created(record: Stored, steps: Sequence[Step], memory: MemorySettings) -> Row:
    start = start_of(record, memory)
    is_kept = bool(steps) and all(step.known for step in steps)
    is_whole = forward(start, steps)[-1] == round(record.confidence, PLACES) or (
        is_kept and steps[0].known is not None and steps[0].known[0] == round(start, PLACES)
    )
    count_told = getattr(record, "source_count", None)
    told = "" if is_whole else "earlier history is unknown"
    if not is_whole and isinstance(count_told, int):
        told = f"{count(count_told, 'observation')} support it; not all are listed here"
    return Row(record.created, "created", None, None, start if is_whole else None, "", told)


def _up(now: float, memory: MemorySettings) -> Threshold | None:
    steps = (
        (NEAR, "it is no longer close to being archived"),
        (memory.briefing_confidence_threshold, "it is in briefings"),
    )
    ahead = [(at, means) for at, means in steps if at > now]
    if not ahead or memory.confidence_reinforce <= 0:
        return None
    at, means = min(ahead)
    needed = math.ceil(round((at - now) / memory.confidence_reinforce, PLACES))
    return Threshold(at, means, count(needed, "reinforcement"))


def _down(now: float, memory: MemorySettings) -> Threshold | None:
    steps = (
        (memory.briefing_confidence_threshold, "in no briefing"),
        (NEAR, "close to being archived"),
        (memory.confidence_archive, "archived"),
    )
    below = [(at, means) for at, means in steps if at <= now]
    if not below or memory.confidence_contradict <= 0:
        return None
    at, means = max(below)
    needed = math.floor(round((now - at) / memory.confidence_contradict, PLACES)) + 1
    return Threshold(at, f"below that {means}", count(needed, "contradiction"))


def _what_if(now: float, memory: MemorySettings, waiting: Sequence[Step]) -> Iterator[str]:
    yield contradicted(now, memory)
    after = moved(now, memory.confidence_reinforce)
    if after != now:
        yield f"one more reinforcement takes it from {now:g} to {after:g}"
    if waiting:
        then = forward(now, waiting)[-1]
        fate = ", and it is archived" if then < memory.confidence_archive else ""
        stories = ", ".join(dict.fromkeys(step.mention.seen.story for step in waiting))
        verb = "waits" if len(waiting) == 1 else "wait"
        yield (
            f"{count(waiting, 'check')} of {stories} {verb} to be consolidated, "
            f"from {now:g} to {then:g}{fate}"
        )


def _briefed(library: Library, record: Stored) -> Iterator[str]:
    """Say how often it was briefed, and whether anybody speaks of it."""
    said = mentions(library)
    stories = len(said.briefed.get(record.id, ()))
    if not stories:
        return
    named = len(said.of(record.id))
    verb = "names" if named == 1 else "name"
    told = f"{count(named, 'observation')} {verb} it" if named else "no observation mentions it"
    yield f"briefed in {count(stories, 'story', 'stories')}, and {told}"


def contradicted(now: float, memory: MemorySettings) -> str:
    """Say what one contradiction more would do."""
    after = moved(now, -memory.confidence_contradict)
    fate = "it is archived" if after < memory.confidence_archive else "it stays active"
    return f"one more contradiction takes it from {now:g} to {after:g}, and {fate}"


MOST: Final = 500
"""Observations that are asked, the newest: more would hold up the screen."""
MOST_RIVALS: Final = 1_000
"""Entries above which nothing is told of matches: memory is capped far below."""

_noted: Final[WeakKeyDictionary[Library, Sequence[tuple[Observed, Noted]]]] = WeakKeyDictionary()


def matched(library: Library, own: Held) -> Iterator[Mention]:
    """Yield the counted observations that match an entry better than any other, as they happened.

    The one that an entry was made of is not among them.
    """
    rivals = _rivals(library, own)
    if len(rivals) > MOST_RIVALS:
        return
    for seen, asked in _asked(library):
        if store_of(asked) != own.kind or best_match(asked, (own,)) is None:
            continue
        if seen.story == own.record.source and asked.title == own.title:
            continue
        best = best_match(asked, (held(e.entry.ref, e.record, e.entry.status) for e in rivals))
        if best is not None and best.entry.ref == own.ref:
            yield Mention(seen, does_to(asked, own))


def _asked(library: Library) -> Sequence[tuple[Observed, Noted]]:
    found = _noted.get(library)
    if found is None:
        seen = [s for s in mentions(library).observed if s.is_counted and s.record.type != CHECK]
        found = _noted[library] = [
            (each, noted(each.ref, each.story, each.record, "", "")) for each in seen[-MOST:]
        ]
    return found


def _rivals(library: Library, own: Held) -> list[Briefable]:
    """Return the entries in force of the same kind, the entry itself among them."""
    return [
        each
        for each in held_in(library.of_format(SHAKTRA))
        if each.record.kind == own.kind
        and (each.entry.status is Status.ACTIVE or each.entry.ref == own.ref)
    ]
