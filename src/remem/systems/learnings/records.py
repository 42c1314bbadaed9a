"""What a learning record holds, as the published schema has it (FORMATS 2.2).

Only shapes and words. Files that were written otherwise are read by `read_any_shape.py`; what an
event does to a record is told in `events.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Annotated, Any, ClassVar, Final, Literal, get_args

from remem.base.frozen import dataclass
from remem.model.entry import LEARNING as LEARNING
from remem.model.entry import Status
from remem.model.record import Record, Shaped

ID_SHAPE: Final = r"^L-\d{8}-[a-f0-9]{4}$"
ID: Final = re.compile(ID_SHAPE)

DRAFT: Final = "draft"
ACTIVE: Final = "active"
VALIDATED: Final = "validated"
DEPRECATED: Final = "deprecated"
WORDS: Final[Mapping[str, Status]] = {
    DRAFT: Status.CANDIDATE,
    ACTIVE: Status.ACTIVE,
    VALIDATED: Status.ACTIVE,
    DEPRECATED: Status.ARCHIVED,
}
IN_FORCE: Final = (ACTIVE, VALIDATED)

HIGH_FROM: Final = 0.7
"""Confidence from which a learning is printed as HIGH."""
HUMAN: Final = "human"
STARTS: Final[Mapping[str, float]] = {
    HUMAN: 0.9,
    "gate_failure": 0.6,
    "retro": 0.5,
    "ci_failure": 0.4,
    "pr_review": 0.4,
}
"""Type of source → confidence of a new record (FORMATS 2.3)."""
OVERRIDE_START: Final = 0.85
"""Where a person decided otherwise than was recommended."""
IMPROVEMENT_START: Final = 0.4
"""What a retro says needs improvement, without an action item."""

_TIME: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})"
)


@dataclass(frozen=True, slots=True)
class DateTime:
    """Marks a text that is a time; reading takes any, and tells what does not fit."""

    def __get_pydantic_json_schema__(
        self, schema: Any, handler: Callable[[Any], dict[str, Any]]
    ) -> dict[str, Any]:
        return {**handler(schema), "format": "date-time"}


@dataclass(frozen=True, slots=True)
class Share:
    """Marks a number from 0 to 1."""

    def __get_pydantic_json_schema__(
        self, schema: Any, handler: Callable[[Any], dict[str, Any]]
    ) -> dict[str, Any]:
        return {**handler(schema), "minimum": 0, "maximum": 1}


def _closed(*required: str) -> Mapping[str, Any]:
    """Return the settings of a record that allows no other keys, and needs these."""

    def publish(schema: dict[str, Any]) -> None:
        schema["additionalProperties"] = False
        schema.pop("required", None)
        if required:
            schema["required"] = list(required)
        for about in schema.get("properties", {}).values():
            about.pop("default", None)

    return {"extra": "ignore", "json_schema_extra": publish}


Time = Annotated[str, DateTime()]
Names = tuple[str, ...]
SourceType = Literal["retro", "human", "ci_failure", "pr_review", "gate_failure"]
EventName = Literal[
    "created",
    "reinforced",
    "contradicted",
    "deprecated",
    "validated_by_absence",
    "recurrence_detected",
    "confidence_adjusted",
    "merged",
    "human_confirmed",
    "human_invalidated",
]


EVENTS: Final = frozenset(get_args(EventName))


class Origin(Record):
    """How a learning came about."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = _closed("type")

    type: SourceType = "human"
    protocol_id: str = ""
    detail: str = ""


class Scope(Record):
    """Where a learning applies; a list that is empty or absent leaves nothing out."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = _closed()

    agents: Names = ()
    phases: Names = ()
    files: Names = ()
    """Globs."""


class Event(Record):
    """One thing that happened to a learning."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = _closed("timestamp", "event")

    timestamp: Time = ""
    event: EventName = "confidence_adjusted"
    actor: str = ""
    """`human`, or the agent's name."""
    detail: str = ""
    confidence_delta: float = 0.0


class Learning(Record):
    """One learning, in a file of its own."""

    REQUIRED: ClassVar[tuple[str, ...]] = (
        "id",
        "status",
        "confidence",
        "created_at",
        "source",
        "learning",
    )
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _closed(*REQUIRED)

    id: Annotated[str, Shaped(ID_SHAPE)] = ""
    """`L-`, the UTC date, four hexadecimal digits; the file has the same name."""
    status: Literal["draft", "active", "validated", "deprecated"] = "active"
    confidence: Annotated[float, Share()] = 0.5
    created_at: Time = ""
    updated_at: Time = ""
    expires_at: Time = ""
    """From then on it reaches no prompt and waits for a person."""
    source: Origin = Origin()
    learning: str = ""
    """What agents are told."""
    anti_pattern: str = ""
    """What to avoid."""
    correction: str = ""
    """What to do instead."""
    scope: Scope = Scope()
    applied_in: Names = ()
    """Protocols whose prompts it was in."""
    reinforced_by: Names = ()
    """Events or learnings that support it."""
    contradicted_by: Names = ()
    """Learnings that say otherwise."""
    superseded_by: str = ""
    """The learning that took its place."""
    history: tuple[Event, ...] = ()


def status_of(record: Learning, *, archived: bool) -> Status:
    """Return which of the five words a record's own status means (FORMATS 0.3)."""
    status = WORDS[record.status]
    if status is not Status.ARCHIVED:
        return Status.ARCHIVED if archived else status
    if record.superseded_by:
        return Status.SUPERSEDED
    last = record.history[-1].event if record.history else ""
    return Status.INVALID if last == "human_invalidated" else status


def time_of(text: str) -> datetime | None:
    """Return a time, or the midnight that begins a bare date, in UTC; `None` = it is neither."""
    try:
        found = datetime.fromisoformat(text.strip().upper())
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def is_time(text: str) -> bool:
    """Tell whether a text is what the schema calls a date-time."""
    return _TIME.fullmatch(text) is not None and time_of(text) is not None


def is_expired(record: Learning, today: date) -> bool:
    """Tell whether a learning's time is over on a day."""
    end = time_of(record.expires_at) if record.expires_at else None
    return end is not None and end.date() <= today
