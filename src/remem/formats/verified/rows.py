"""What verbs write to the tables of verified memory: edits of rows, each with what it was before.

Nothing is deleted: a memory is superseded or found invalid, and every step is told as an event
(FORMATS 6.2). The tables themselves, and writing without a journal, are the store's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from remem.disk.memory_rows import json_text, stamp_text
from remem.errors import NotPossible
from remem.formats.verified.source import EVENTS, TABLE, VerifiedSource
from remem.model.change import Json, RowEdit
from remem.model.citation import Citation
from remem.model.entry import Status
from remem.model.verified import EventName, Memory, id_from

_WATCHED: Final = ("status", "citations")
"""Columns that must be as they were shown; others only tell how often it was verified."""


@dataclass(frozen=True, slots=True)
class Told:
    """By whom and when something is decided."""

    by: str
    now: datetime
    seed: str
    """What nobody else has; the ids of new rows come from it."""


def supersede(
    source: VerifiedSource,
    memory: Memory,
    citations: Sequence[Citation],
    told: Told,
    *,
    fact: str = "",
    reason: str | None = None,
) -> tuple[str, tuple[RowEdit, ...]]:
    """Plan a memory that takes the place of another one; return its id, and the edits.

    Args:
        source: Where they are.
        memory: The one that goes.
        citations: What proves the new one.
        told: By whom and when.
        fact: Empty = the same.
        reason: `None` = the same.

    Raises:
        NotPossible: It is not in force, another one has that fact, or nothing proves it.
    """
    _need_active(memory)
    fact = fact or memory.fact
    if not citations:
        raise NotPossible("a memory needs citations", hint="cite the lines that prove it")
    keepers = source.active.keeps(memory.repository, memory.subject, fact)
    if any(other != memory.id for other in keepers):
        raise NotPossible(
            "another memory in force has that fact already", hint="invalidate this one instead"
        )
    new = id_from(told.seed, memory.id, "new")
    at = stamp_text(told.now)
    row: dict[str, Json] = {
        "repo": memory.repository,
        "subject": memory.subject,
        "fact": fact,
        "reason": (memory.reason if reason is None else reason) or None,
        "citations": json_text([each.to_json() for each in citations]),
        "created_by": told.by or None,
        "created_at": at,
        "refreshed_at": at,
        "status": Status.ACTIVE.value,
        "supersedes_id": memory.id,
        "verification_count": 0,
        "tenant_id": memory.tenant,
    }
    # First out of the unique index, so that the same fact can take the place.
    gone: dict[str, Json] = {"status": Status.SUPERSEDED.value}
    nobody: dict[str, Json] = {"superseded_by_id": _cell(memory.row.get("superseded_by_id"))}
    pointing: dict[str, Json] = {"superseded_by_id": new}
    return new, (
        _change(source, memory, gone),
        RowEdit(source.path, TABLE, {"id": new}, {}, row),
        # Not before there is a row to point to: PostgreSQL looks at every step.
        RowEdit(source.path, TABLE, {"id": memory.id}, nobody, pointing),
        _event(source, memory, memory.id, EventName.SUPERSEDED, told),
        _event(source, memory, new, EventName.CORRECTED, told),
    )


def invalidate(
    source: VerifiedSource, memory: Memory, told: Told, result: dict[str, Json]
) -> tuple[RowEdit, ...]:
    """Plan to call a memory wrong.

    Args:
        source: Where it is.
        memory: What is wrong.
        told: By whom and when.
        result: `valid_citations`, `invalid_citations` and `reason`.

    Raises:
        NotPossible: It is not in force.
    """
    _need_active(memory)
    after: dict[str, Json] = {
        "status": Status.INVALID.value,
        "last_verified_at": stamp_text(told.now),
        "last_verified_by": told.by or None,
    }
    event = _event(source, memory, memory.id, EventName.VERIFIED_INVALID, told, result)
    return (_change(source, memory, after), event)


def _need_active(memory: Memory) -> None:
    if memory.status is not Status.ACTIVE:
        raise NotPossible(
            f"`verified:{memory.id}` is {memory.status}", hint="only a memory in force can change"
        )


def _change(source: VerifiedSource, memory: Memory, after: dict[str, Json]) -> RowEdit:
    row = memory.row
    watched = {name: _cell(row[name]) for name in {*_WATCHED, *after} if name in row}
    key: dict[str, Json] = {"id": memory.id}
    return RowEdit(source.path, TABLE, key, watched, {**watched, **after})


def _cell(value: object) -> Json:
    return value if isinstance(value, int | float | str) else None


def _event(
    source: VerifiedSource,
    memory: Memory,
    about: str,
    name: EventName,
    told: Told,
    result: dict[str, Json] | None = None,
) -> RowEdit:
    row: dict[str, Json] = {
        "memory_id": about,
        "event": name.value,
        "agent_id": told.by or None,
        "verification_result": None if result is None else json_text(result),
        "created_at": stamp_text(told.now),
        "tenant_id": memory.tenant,
    }
    key: dict[str, Json] = {"id": id_from(told.seed, about, name.value)}
    return RowEdit(source.path, EVENTS, key, {}, row)
