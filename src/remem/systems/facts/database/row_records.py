"""Rows of verified memory as records: the columns, their values, and what can be wrong with them.

It does not import SQLAlchemy, which takes longer to load than a prompt takes to compose; writing,
and PostgreSQL, are the business of `memory_store.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from remem.base.errors import RememError
from remem.core.system import (
    SHARED,
)
from remem.model.citation import BadCitation, Citation, citation_of
from remem.model.entry import Problem, Status
from remem.systems.facts.records import EventName, Memory

DATABASE: Final = ".remem/memory.db"
"""Where a root's own store lies, from the root."""
KEPT: Final = (
    "id",
    "repo",
    "subject",
    "fact",
    "reason",
    "citations",
    "created_by",
    "created_at",
    "refreshed_at",
    "status",
    "supersedes_id",
    "superseded_by_id",
    "verification_count",
    "last_verified_at",
    "last_verified_by",
    "tenant_id",
)
"""The columns of `agent_memory`."""
CHANGED: Final = (
    "reason",
    "citations",
    "refreshed_at",
    "status",
    "superseded_by_id",
    "verification_count",
    "last_verified_at",
    "last_verified_by",
)
"""Those of them that verbs change."""
JUDGEMENT: Final = "judged"
"""The column that a query adds: the last event that says whether the memory held."""

APPLIED: Final = "applied"
"""The column that a query adds: how often the memory was used."""
FAILED: Final = "failed"
"""The column that a query adds: how often it did not hold when it was looked at."""

_STATUS: Final[Mapping[Any, Status]] = {
    each.value: each for each in (Status.ACTIVE, Status.SUPERSEDED, Status.INVALID)
}
_HELD: Final = (EventName.VERIFIED_VALID.value, EventName.REFRESHED.value)


class StoreUnavailable(RememError):
    """The database cannot be used now: it is locked, gone, read only or out of reach."""

    code = "store-unavailable"
    exit_code = 4


class StoreReadOnly(StoreUnavailable):
    """The database can be read and not written."""

    code = "store-read-only"


class BadStore(RememError):
    """What was opened is no store of verified memory, or one that this remem cannot use."""

    code = "bad-store"


class BadMemory(RememError):
    """A memory that cannot be kept as it was given; the message says which part."""

    code = "bad-memory"


def memory_of(row: Mapping[str, Any], kept: Mapping[str, Any] | None = None) -> Memory:
    """Read a row, tolerantly: what does not fit is a problem of that memory alone.

    Args:
        row: Columns of `agent_memory` by name, and what a query of this module adds to them.
        kept: Columns that the memory keeps as they are.
    """
    problems: list[Problem] = []
    status = _STATUS.get(row["status"])
    if status is None:
        problems.append(_problem("status", f"`{row['status']}` is not a status", "write `active`"))
    return Memory(
        id=str(row["id"]),
        repository=_text(row["repo"]),
        subject=_text(row["subject"]),
        fact=_text(row["fact"]),
        citations=_citations(row["citations"], problems),
        reason=_text(row["reason"]),
        status=status or Status.INVALID,
        supersedes=_text(row["supersedes_id"]),
        superseded_by=_text(row["superseded_by_id"]),
        created_by=_text(row["created_by"]),
        created_at=read_stamp(row["created_at"]),
        refreshed_at=read_stamp(row["refreshed_at"]),
        last_verified_at=read_stamp(row["last_verified_at"]),
        last_verified_by=_text(row["last_verified_by"]),
        verification_count=_number(row["verification_count"]),
        tenant=_text(row["tenant_id"]) or SHARED,
        has_held=row.get(JUDGEMENT) in _HELD,
        applied=_number(row.get(APPLIED)),
        failed=_number(row.get(FAILED)),
        problems=tuple(problems),
        row=kept or {},
    )


def stamp_text(value: datetime) -> str:
    """Return a time as SQLite keeps it: `2026-05-04T09:30:00.000000Z`."""
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def read_stamp(value: object) -> datetime | None:
    """Read a time as either database gives it; one without a zone is UTC."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def json_text(value: object) -> str:
    """Return JSON as SQLite keeps it."""
    return json.dumps(value, ensure_ascii=False)


def read_json(value: object) -> Any:
    """Read JSON as either database gives it; a text that is none stays a text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _citations(value: object, problems: list[Problem]) -> tuple[Citation, ...]:
    found = read_json(value)
    if not isinstance(found, list):
        problems.append(_problem("citations", "the citations are not a list", _RENEW))
        return ()
    citations: list[Citation] = []
    for number, each in enumerate(found, 1):
        try:
            citations.append(citation_of(each))
        except BadCitation as error:
            problems.append(_problem("citations", f"citation {number}: {error}", _RENEW))
    return tuple(citations)


_RENEW: Final = "supersede it with citations that can be read, or invalidate it"


def _problem(field: str, message: str, hint: str) -> Problem:
    return Problem(f"verified-{field}", message, hint, field=field)


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
