"""How sure a learning is and how that came about: a ledger read from its history (FORMATS 2.3).

It plans nothing and draws nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from remem.base.text import count
from remem.core.library import Library
from remem.model.confidence_history import Row, Threshold, Trajectory
from remem.model.entry import Entry
from remem.systems.learnings.events import (
    DEPRECATED_BELOW,
    IDLE_STEP,
    PLACES,
    REINFORCED,
    REINFORCEMENTS,
    VALIDATED_FROM,
)
from remem.systems.learnings.read import reading_of
from remem.systems.learnings.read_any_shape import Reading
from remem.systems.learnings.records import ACTIVE, DEPRECATED, EVENTS, HIGH_FROM, Event, Learning
from remem.systems.learnings.source import LearningSource
from remem.systems.sniper.config import settings_of

_CREATED: Final = "created"


def of_learning(library: Library, entry: Entry) -> Trajectory | None:
    """Return the history of a learning's confidence; `None` for what has none."""
    source = library.source_of(entry)
    reading = reading_of(source) if isinstance(source, LearningSource) else None
    if reading is None:
        return None
    record = reading.record
    least = settings_of(library.of_format("sniper")).learning.min_confidence
    return Trajectory(
        now=record.confidence,
        approximate="confidence" in reading.assumed,
        status=record.status,
        rows=rows_of(reading),
        up=_up(record, least),
        down=_down(record, least),
    )


def rows_of(reading: Reading) -> tuple[Row, ...]:
    """Return a record's history as a ledger, reckoned back from the confidence of now."""
    record = reading.record
    if not record.history:
        told = "the file keeps no history"
        return (Row(record.created_at, _CREATED, None, None, record.confidence, "", told),)
    return tuple(reversed([*_backwards(reading)]))


def _backwards(reading: Reading) -> Iterator[Row]:
    after: float | None = reading.record.confidence
    held = reading.plain["history"]
    for number, event in reversed([*enumerate(reading.record.history)]):
        said = isinstance(held[number], Mapping) and "confidence_delta" in held[number]
        delta = event.confidence_delta if said else _unsaid(event)
        before = None if after is None or delta is None else round(after - delta, PLACES)
        name = _event_name(held[number], event)
        yield Row(event.timestamp, name, delta, before, after, event.actor, event.detail)
        after = before


def _event_name(held: object, event: Event) -> str:
    """Return what the file calls an event; one that the schema does not know is called so."""
    said = held.get("event") if isinstance(held, Mapping) else None
    known = said is None or str(said) in EVENTS
    return event.event if known else f"unknown: {said}"


def _unsaid(event: Event) -> float | None:
    """Return what an event without a number did: nothing, or nobody knows."""
    return 0.0 if event.event in ("deprecated", "merged") else None


def _up(record: Learning, least: float) -> Threshold | None:
    now = record.confidence
    steps = (
        (least, "it is in prompts"),
        (HIGH_FROM, "printed as HIGH, with the anti-pattern and the correction"),
        (VALIDATED_FROM, _validated(record)),
    )
    ahead = [(at, means) for at, means in steps if at > now and means]
    if not ahead or record.status == DEPRECATED:
        return None
    at, means = min(ahead)
    needed = math.ceil(round((at - now) / REINFORCED, PLACES))
    return Threshold(at, means, count(needed, "reinforcement"))


def _validated(record: Learning) -> str:
    if record.status != ACTIVE:
        return ""
    lacks = REINFORCEMENTS - len(set(record.reinforced_by))
    more = f", once {count(lacks, 'more id')} support it" if lacks > 0 else ""
    return f"it is validated{more}"


def _down(record: Learning, least: float) -> Threshold | None:
    now = record.confidence
    steps = (
        (HIGH_FROM, "printed as MEDIUM, text only"),
        (least, "in no prompt"),
        (DEPRECATED_BELOW, "archived"),
    )
    below = [(at, means) for at, means in steps if at <= now]
    if not below or record.status == DEPRECATED:
        return None
    at, means = max(below)
    needed = math.floor(round((now - at) / -IDLE_STEP, PLACES)) + 1
    return Threshold(at, f"below that {means}", count(needed, "idle step"))
