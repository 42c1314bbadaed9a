"""What each event does to a learning: status, confidence, lists, and its item in the history.

Every number of FORMATS 2.3 and 2.4 is here. Nothing is written: each function returns the fields
that change, under the published names, with `history` and `updated_at` as they will be.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final, TypeAlias

from remem.base.clock import time_text
from remem.base.errors import Already, NotPossible
from remem.base.frozen import dataclass
from remem.model.change import Json
from remem.systems.learnings.read_any_shape import Reading
from remem.systems.learnings.records import (
    ACTIVE,
    DEPRECATED,
    DRAFT,
    HIGH_FROM,
    HUMAN,
    IN_FORCE,
    VALIDATED,
    Event,
    Learning,
    time_of,
)

Fields: TypeAlias = dict[str, Json]

REINFORCED: Final = 0.15
CONFIRMED: Final = 0.9
INVALIDATED: Final = 0.0
ABSENT: Final = 0.05
RECURRED: Final = -0.2
CONTRADICTED: Final = -0.1
IDLE_STEP: Final = -0.05
VALIDATED_FROM: Final = 0.8
REINFORCEMENTS: Final = 2
"""Distinct ids in `reinforced_by` that a validated learning needs."""
DEPRECATED_BELOW: Final = 0.2
IDLE_GRACE: Final = 90
IDLE_EVERY: Final = 30
ADJUSTED: Final = "confidence_adjusted"
IDLE_DECAY: Final = "idle decay to"
RE_ANCHORED: Final = "re-anchored"
PLACES: Final = 4

_DECIDED: Final = ("approved:", "restored:", "kept:")
"""How details begin of what a person decided."""
_SAID_IN: Final = re.compile(r"by (?P<protocol>\S+) \((?P<where>[^)]*)\)")
_DATE_IN_ID: Final = re.compile(r"(?<!\d)(\d{4})(\d{2})(\d{2})(?!\d)")


@dataclass(frozen=True, slots=True)
class Told:
    """When an event happens, and who says so."""

    time: str
    """As files carry it: `2026-05-06T08:00:00Z`."""
    actor: str = HUMAN
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Decay:
    """What idleness takes off a learning as of a day."""

    anchor: datetime
    """When something happened to it last."""
    idle: int
    """Whole days from there to the day that was asked about."""
    steps: int
    """Not yet in its history."""
    after: float
    deprecates: bool


class _Turn:
    """One change of a record in the making."""

    def __init__(self, reading: Reading, told: Told) -> None:
        self.record = reading.record
        self.told = told
        self.confidence = reading.record.confidence
        self.status: str = reading.record.status
        held = reading.plain.get("history")
        self.history: list[Any] = list(held) if isinstance(held, list) else []
        self._fields: Fields = {}

    def note(
        self,
        event: str,
        *,
        add: float = 0.0,
        to: float | None = None,
        status: str | None = None,
        detail: str = "",
        time: str = "",
    ) -> None:
        """Append an event with what it does to confidence and status."""
        before = self.confidence
        if to is not None or add:
            wanted = before + add if to is None else to
            self.confidence = round(min(1.0, max(0.0, wanted)), PLACES)
        item: Fields = {"timestamp": time or self.told.time, "event": event}
        item["actor"] = self.told.actor
        if detail or self.told.detail:
            item["detail"] = ": ".join(filter(None, (detail, self.told.detail)))
        delta = round(self.confidence - before, PLACES)
        item["confidence_delta"] = delta or 0
        self.history.append(item)
        self.status = status or self.status

    def set(self, name: str, value: Json) -> None:
        self._fields[name] = value

    def sink(self, *, spares: bool) -> None:
        """Take it out of force below the threshold; `spares` what a person is sure of."""
        if self.status == DEPRECATED or self.confidence >= DEPRECATED_BELOW:
            return
        if spares and is_sure(self.record):
            return
        detail = f"confidence is below {DEPRECATED_BELOW:g}"
        self.told = Told(self.told.time, self.told.actor)
        self.note("deprecated", status=DEPRECATED, detail=detail)

    def done(self) -> Fields:
        """Return the fields that change, in the order of the schema."""
        fields: Fields = {}
        if self.status != self.record.status:
            fields["status"] = self.status
        if self.confidence != self.record.confidence:
            fields["confidence"] = self.confidence
        history: list[Json] = self.history
        return {**fields, "updated_at": self.told.time, **self._fields, "history": history}


def is_doubted(record: Learning) -> bool:
    """Tell whether something spoke against a record since a person decided on it last."""
    for each in reversed(record.history):
        if each.event in ("recurrence_detected", "contradicted"):
            return True
        if each.event == "human_confirmed" or (
            each.event == ADJUSTED and each.detail.startswith(_DECIDED)
        ):
            return False
    return False


def is_sure(record: Learning) -> bool:
    """Tell whether a person said it and is sure: only people and recurrences end such a record."""
    return record.source.type == HUMAN and record.confidence >= CONFIRMED


def approved(reading: Reading, told: Told) -> Fields:
    """A person puts a draft into force."""
    turn = _Turn(reading, told)
    turn.note(ADJUSTED, status=ACTIVE, detail=f"approved: {DRAFT} -> {ACTIVE}")
    return turn.done()


def restored(reading: Reading, told: Told) -> Fields:
    """A person brings a deprecated record back; its confidence stays what it was."""
    turn = _Turn(reading, told)
    turn.note(ADJUSTED, status=ACTIVE, detail=f"restored: {DEPRECATED} -> {ACTIVE}")
    if reading.record.superseded_by:
        turn.set("superseded_by", None)
    return turn.done()


def kept(reading: Reading, told: Told) -> Fields:
    """A person keeps a record whose time is over."""
    turn = _Turn(reading, told)
    turn.note(ADJUSTED, detail=f"kept: expired on {reading.record.expires_at[:10]}")
    turn.set("expires_at", None)
    return turn.done()


def edited(reading: Reading, told: Told, fields: Mapping[str, Json]) -> Fields:
    """A person changes what it says; several fields are one event."""
    turn = _Turn(reading, told)
    turn.note(ADJUSTED, detail=f"edited: {', '.join(fields)}")
    for name, value in fields.items():
        turn.set(name, value)
    return turn.done()


def confirmed(reading: Reading, told: Told) -> Fields:
    """A person says that it is right; that never lowers it."""
    turn = _Turn(reading, told)
    best = max(reading.record.confidence, CONFIRMED)
    turn.note("human_confirmed", to=best, status=VALIDATED)
    if reading.record.superseded_by:
        turn.set("superseded_by", None)
    return turn.done()


def invalidated(reading: Reading, told: Told) -> Fields:
    """A person says that it is wrong."""
    turn = _Turn(reading, told)
    turn.note("human_invalidated", to=INVALIDATED, status=DEPRECATED)
    return turn.done()


def deprecated(reading: Reading, told: Told) -> Fields:
    """It is taken out of force; its confidence stays."""
    turn = _Turn(reading, told)
    turn.note("deprecated", status=DEPRECATED)
    return turn.done()


def superseded(reading: Reading, told: Told, by: str) -> Fields:
    """Another learning takes its place."""
    turn = _Turn(reading, told)
    turn.note("deprecated", status=DEPRECATED, detail=f"superseded by {by}")
    turn.set("superseded_by", by)
    return turn.done()


def reinforced(reading: Reading, told: Told, by: str, *, where: str = "") -> Fields:
    """An event or another learning bears it out; enough of them validate it.

    Args:
        reading: The learning.
        told: Who and when.
        by: The id of the event, the learning, or the protocol.
        where: Where a protocol's retro says so, as `said_in` finds it again.

    Raises:
        NotPossible: That one did already.
    """
    record = reading.record
    if by in record.reinforced_by:
        raise Already(f"`{by}` already reinforced `{record.id}`", hint="an event counts only once")
    turn = _Turn(reading, told)
    by_now = [*record.reinforced_by, by]
    after = round(min(1.0, record.confidence + REINFORCED), PLACES)
    ripe = after >= VALIDATED_FROM and len(set(by_now)) >= REINFORCEMENTS
    rises = record.status == ACTIVE and ripe
    turn.note(
        "reinforced",
        add=REINFORCED,
        status=VALIDATED if rises else None,
        detail=f"by {by}"
        + (f" ({where})" if where else "")
        + (f", {ACTIVE} -> {VALIDATED}" if rises else ""),
    )
    listed: list[Json] = [*by_now]
    turn.set("reinforced_by", listed)
    return turn.done()


def said_in(history: Iterable[Event]) -> Iterator[tuple[str, str]]:
    """Yield what reinforced a learning, by its log: protocols, each with the place in its retro."""
    for each in history:
        found = _SAID_IN.match(each.detail) if each.event == "reinforced" else None
        if found is not None:
            yield found["protocol"], found["where"]


def absent(reading: Reading, told: Told, protocol: str) -> Fields:
    """It was applied in a protocol, and the problem did not come back.

    Raises:
        NotPossible: It was not applied there, or this was counted already.
    """
    record = reading.record
    if protocol not in record.applied_in:
        raise NotPossible(
            f"`{record.id}` was not applied in `{protocol}`",
            hint=f"`remem compose --record {protocol}` notes what a protocol was given",
        )
    if _is_told("validated_by_absence", protocol, record.history):
        raise Already(
            f"the absence in `{protocol}` was counted already", hint="a protocol counts only once"
        )
    turn = _Turn(reading, told)
    turn.note("validated_by_absence", add=ABSENT, detail=f"no recurrence in {protocol}")
    return turn.done()


def recurred(reading: Reading, told: Told, protocol: str = "") -> Fields:
    """The problem came back although it was known; even what people are sure of may fall.

    Raises:
        NotPossible: This was counted already.
    """
    if protocol and _is_told("recurrence_detected", protocol, reading.record.history):
        raise Already(
            f"the recurrence in `{protocol}` was counted already",
            hint="a protocol counts only once",
        )
    turn = _Turn(reading, told)
    turn.note("recurrence_detected", add=RECURRED, detail=f"in {protocol}" if protocol else "")
    turn.sink(spares=False)
    return turn.done()


def _is_told(event: str, name: str, history: Iterable[Event]) -> bool:
    """Tell whether an event of that kind names a protocol; ids do not run on into each other."""
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    return any(each.event == event and word.search(each.detail) for each in history)


def contradicted(one: Reading, other: Reading, told: Told) -> tuple[Fields, Fields]:
    """Two learnings say opposite things: the older one loses, unless both are strong.

    Returns:
        What changes in `one`, then in `other`.

    Raises:
        NotPossible: Each knows the other already.
    """
    a, b = one.record, other.record
    if a.id in b.contradicted_by and b.id in a.contradicted_by:
        raise Already(
            f"`{a.id}` and `{b.id}` already contradict each other",
            hint="confirm the one that is right, or invalidate the other",
        )
    both_strong = min(a.confidence, b.confidence) >= HIGH_FROM
    older = min((a, b), key=age)
    return (
        _contradicted(one, b.id, told, loses=a is older and not both_strong),
        _contradicted(other, a.id, told, loses=b is older and not both_strong),
    )


def _contradicted(reading: Reading, by: str, told: Told, *, loses: bool) -> Fields:
    turn = _Turn(reading, told)
    turn.note("contradicted", add=CONTRADICTED if loses else 0.0, detail=f"by {by}")
    known = reading.record.contradicted_by
    listed: list[Json] = [*known] if by in known else [*known, by]
    turn.set("contradicted_by", listed)
    if loses:
        turn.sink(spares=True)
    return turn.done()


def age(record: Learning) -> tuple[str, str]:
    """Return what orders records by age; of two from one moment the smaller id is the older."""
    created = time_of(record.created_at)
    return (created.isoformat() if created else "9", record.id)


def winner(readings: Collection[Reading]) -> Reading:
    """Return which of several stays when they are merged (FORMATS 2.4)."""
    return min(readings, key=lambda each: (-each.record.confidence, *age(each.record)))


def merged(winning: Reading, losing: Collection[Reading], told: Told) -> tuple[Fields, ...]:
    """Several learnings become one: the winner takes over what bears out the others.

    Returns:
        What changes in the winner, then in each of the others.
    """
    record, ids = winning.record, {each.record.id for each in (winning, *losing)}
    turn = _Turn(winning, told)
    names = ", ".join(each.record.id for each in losing)
    best = max(each.record.confidence for each in (winning, *losing))
    # One of them was in force, so that what merges them is too.
    rank = (DRAFT, ACTIVE, VALIDATED)
    status = max((each.record.status for each in (winning, *losing)), key=rank.index)
    turn.note("merged", to=best, status=status, detail=f"with {names}")
    for name in ("applied_in", "reinforced_by", "contradicted_by"):
        held: tuple[str, ...] = getattr(record, name)
        more = (each for other in losing for each in getattr(other.record, name))
        united = [each for each in dict.fromkeys((*held, *more)) if each not in ids]
        if united != list(held):
            listed: list[Json] = [*united]
            turn.set(name, listed)
    return (turn.done(), *(_merged_into(each, record.id, told) for each in losing))


def _merged_into(reading: Reading, into: str, told: Told) -> Fields:
    turn = _Turn(reading, told)
    turn.note("merged", status=DEPRECATED, detail=f"into {into}")
    turn.set("superseded_by", into)
    return turn.done()


def decay(reading: Reading, as_of: date) -> Decay | None:
    """Return what idleness takes off as of a day; `None` where it takes nothing, now or ever."""
    record = reading.record
    anchor = anchor_of(record)
    if record.status not in IN_FORCE or is_sure(record) or anchor is None:
        return None
    idle = (as_of - anchor.date()).days
    due = max(0, (idle - IDLE_GRACE) // IDLE_EVERY)
    taken = sum(is_decay(each) and _is_after(each, anchor) for each in record.history)
    after, steps = record.confidence, 0
    while steps < due - taken and after >= DEPRECATED_BELOW:
        steps += 1
        after = round(max(0.0, after + IDLE_STEP), PLACES)
    if not steps:
        return None
    return Decay(anchor, idle, steps, after, after < DEPRECATED_BELOW)


def decayed(reading: Reading, told: Told, as_of: date) -> Fields | None:
    """Take off what is due as of a day; `None` where nothing is, so that twice is once.

    A record without a history is anchored first: its `updated_at` is about to change.
    """
    found = decay(reading, as_of)
    if found is None:
        return None
    turn = _Turn(reading, told)
    if not any(not is_decay(each) for each in reading.record.history):
        turn.note(ADJUSTED, detail=RE_ANCHORED, time=time_text(found.anchor))
    for _ in range(found.steps):
        turn.note(ADJUSTED, add=IDLE_STEP, detail=f"{IDLE_DECAY} {as_of.isoformat()}")
    turn.sink(spares=False)
    return turn.done()


def anchor_of(record: Learning) -> datetime | None:
    """Return when something happened to a record last, decay apart."""
    told = [each.timestamp for each in record.history if not is_decay(each)]
    texts = [record.created_at, *told]
    if not record.history and record.updated_at:
        texts.append(record.updated_at)
    found = [when for when in map(time_of, filter(None, texts)) if when is not None]
    return max([*found, *_dates_in(record.applied_in)], default=None)


def _dates_in(names: Iterable[str]) -> Iterable[datetime]:
    """Yield the days that ids of protocols carry."""
    for name in names:
        found = time_of(day_in(name))
        if found is not None:
            yield found


def day_in(name: str) -> str:
    """Return the day that the id of a protocol carries, `YYYY-MM-DD`; empty where it has none."""
    match = _DATE_IN_ID.search(name)
    return "-".join(match.groups()) if match else ""


def is_decay(event: Event) -> bool:
    """Tell whether an event is what idleness took off."""
    return event.event == ADJUSTED and event.detail.startswith(IDLE_DECAY)


def _is_after(event: Event, anchor: datetime) -> bool:
    when = time_of(event.timestamp)
    return when is not None and when >= anchor
