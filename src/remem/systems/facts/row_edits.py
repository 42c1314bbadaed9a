"""What verbs write to the tables of verified memory: edits of rows, each with what it was before.

Nothing is deleted: a memory is superseded or found invalid, and every step is told as an event
(FORMATS 6.2). They are planned from the rows that they concern alone. The tables are the store's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.model.change import Intent, Json, RowEdit
from remem.model.citation import Citation
from remem.model.entry import Status
from remem.systems.facts.database.row_records import (
    JUDGEMENT,
    BadMemory,
    json_text,
    memory_of,
    stamp_text,
)
from remem.systems.facts.records import (
    LONGEST_KEY,
    NOBODY,
    Actor,
    EventName,
    Memory,
    NewMemory,
    id_from,
)
from remem.systems.facts.source import EVENTS, TABLE

if TYPE_CHECKING:
    from remem.core.library import Library

_WATCHED: Final = ("status", "citations")
"""Columns that must be as they were shown, beside those that a verb writes anew."""
_LOOSE: Final = frozenset({"refreshed_at", "last_verified_at", "last_verified_by"})
"""Columns that only tell who looked last; many may look at once."""


@dataclass(frozen=True, slots=True)
class Told:
    """By whom and when something is decided."""

    by: str
    now: datetime
    seed: str
    """What nobody else has; the ids of new rows come from it."""
    actor: Actor = NOBODY
    """For the events; without a name it is who decides."""


def planned(library: Library, intent: Intent) -> Told:
    """Return who does it and when, with ids that are the same where it is planned again."""
    now = library.ground.given.clock.now()
    shown = (part for ref, digest in intent.shown.items() for part in (str(ref), digest))
    return Told(library.by, now, id_from(stamp_text(now), intent.verb, *shown))


def store(place: Path, new: NewMemory, told: Told, tenant: str) -> tuple[str, tuple[RowEdit, ...]]:
    """Plan a memory that nobody keeps yet; return its id, and the edits.

    Raises:
        BadMemory: It has no citations, or a text that cannot be kept.
    """
    require(new)
    made = id_from(told.seed, "new")
    row = _row(new, told, tenant)
    return made, (
        RowEdit(place, TABLE, {"id": made}, {}, row),
        _event(place, tenant, made, EventName.CREATED, told),
    )


def renew(place: Path, memory: Memory, new: NewMemory, told: Told) -> tuple[RowEdit, ...]:
    """Plan to take over the proofs of a memory that says the same as one that is kept.

    Raises:
        BadMemory: It has no citations, or a text that cannot be kept.
    """
    require(new)
    after: dict[str, Json] = {
        "refreshed_at": stamp_text(told.now),
        "citations": _cited(new.citations),
    }
    if new.reason is not None:
        after["reason"] = new.reason or None
    event = _event(place, memory.tenant, memory.id, EventName.REFRESHED, told)
    return (_change(place, memory, after), event)


def refresh(
    place: Path,
    memory: Memory,
    told: Told,
    citations: Sequence[Citation] | None,
    result: Mapping[str, Any],
) -> tuple[RowEdit, ...]:
    """Plan to note that a memory held.

    Args:
        place: Where it is.
        memory: What held.
        told: By whom and when.
        citations: What proves it from now on; `None` = as before.
        result: `valid_citations`, `invalid_citations` and `reason`.

    Raises:
        NotPossible: It is not in force.
    """
    _need_active(memory)
    at = stamp_text(told.now)
    after: dict[str, Json] = {
        "refreshed_at": at,
        "last_verified_at": at,
        "last_verified_by": told.by or None,
    }
    if citations is not None and tuple(citations) != memory.citations:
        after["citations"] = _cited(citations)
    event = _event(place, memory.tenant, memory.id, EventName.REFRESHED, told, result)
    return (_change(place, memory, after, {"verification_count": 1}), event)


def supersede(
    place: Path,
    memory: Memory,
    citations: Sequence[Citation],
    told: Told,
    *,
    keepers: Iterable[str] = (),
    fact: str = "",
    reason: str | None = None,
) -> tuple[str, tuple[RowEdit, ...]]:
    """Plan a memory that takes the place of another one; return its id, and the edits.

    Args:
        place: Where they are.
        memory: The one that goes.
        citations: What proves the new one.
        told: By whom and when.
        keepers: Ids of those in force that say what the new one says.
        fact: Empty = the same.
        reason: `None` = the same.

    Raises:
        NotPossible: It is not in force, or another one has that fact.
        BadMemory: Nothing proves it, or it has a text that cannot be kept.
    """
    _need_active(memory)
    kept = reason if reason is not None else memory.reason
    anew = NewMemory(
        memory.repository, memory.subject, fact or memory.fact, tuple(citations), kept, told.by
    )
    require(anew)
    if any(other != memory.id for other in keepers):
        raise NotPossible(
            "another active entry already states this fact", hint="invalidate this one instead"
        )
    new = id_from(told.seed, memory.id, "new")
    row = {**_row(anew, told, memory.tenant), "supersedes_id": memory.id}
    # First out of the unique index, so that the same fact can take the place.
    gone: dict[str, Json] = {"status": Status.SUPERSEDED.value}
    nobody: dict[str, Json] = {"superseded_by_id": _cell(memory.row.get("superseded_by_id"))}
    pointing: dict[str, Json] = {"superseded_by_id": new}
    return new, (
        _change(place, memory, gone),
        RowEdit(place, TABLE, {"id": new}, {}, row),
        # Not before there is a row to point to: PostgreSQL looks at every step.
        RowEdit(place, TABLE, {"id": memory.id}, nobody, pointing),
        _event(place, memory.tenant, memory.id, EventName.SUPERSEDED, told),
        _event(place, memory.tenant, new, EventName.CORRECTED, told),
    )


def invalidate(
    place: Path, memory: Memory, told: Told, result: Mapping[str, Any]
) -> tuple[RowEdit, ...]:
    """Plan to call a memory wrong.

    Args:
        place: Where it is.
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
    event = _event(place, memory.tenant, memory.id, EventName.VERIFIED_INVALID, told, result)
    return (_change(place, memory, after), event)


def left(memory: Memory, edits: Sequence[RowEdit]) -> Memory:
    """Return a memory as edits leave it: of its own row, and what is told of it last."""
    change, event = edits
    fixed = {
        "id": memory.id,
        "repo": memory.repository,
        "subject": memory.subject,
        "fact": memory.fact,
        "created_by": memory.created_by,
        "created_at": memory.created_at,
        "supersedes_id": memory.supersedes,
        "tenant_id": memory.tenant,
    }
    counted = {name: _counted(memory.row.get(name)) + n for name, n in change.adds.items()}
    row = {**memory.row, **change.after, **counted}
    return memory_of({**fixed, **row, JUDGEMENT: event.after["event"]}, row)


def require(new: NewMemory) -> None:
    """Insist on what every database can hold, so that none keeps what another refuses.

    Raises:
        BadMemory: It has no citations, or a text that cannot be kept.
    """
    key = {"repo": new.repository, "subject": new.subject, "fact": new.fact}
    for name, value in key.items():
        if not value.strip():
            raise BadMemory(f"a fact needs a `{name}`", hint=f"give its `{name}`")
    texts = {
        **key,
        "reason": new.reason or "",
        "created_by": new.created_by,
        "citations": _cited(new.citations),
    }
    for name, value in texts.items():
        if "\0" in value or "\\u0000" in value or any("\ud800" <= c <= "\udfff" for c in value):
            raise BadMemory(f"the `{name}` contains characters that no database can store")
    size = sum(len(value.encode()) for value in key.values())
    if size > LONGEST_KEY:
        raise BadMemory(
            f"repo, subject and fact have {size:,} bytes together (limit {LONGEST_KEY:,})",
            hint="shorten the fact, and move the rest to the reason",
        )
    if not new.citations:
        raise BadMemory(
            "a fact needs citations",
            hint="cite the lines that prove it: `--cite src/app.py:3-9`",
        )


def _row(new: NewMemory, told: Told, tenant: str) -> dict[str, Json]:
    """Return every column of a new row, so that undo sees whichever somebody changed since."""
    at = stamp_text(told.now)
    return {
        "repo": new.repository,
        "subject": new.subject,
        "fact": new.fact,
        "reason": new.reason or None,
        "citations": _cited(new.citations),
        "created_by": new.created_by or None,
        "created_at": at,
        "refreshed_at": at,
        "status": Status.ACTIVE.value,
        "supersedes_id": None,
        "superseded_by_id": None,
        "verification_count": 0,
        "last_verified_at": None,
        "last_verified_by": None,
        "tenant_id": tenant,
    }


def _cited(citations: Sequence[Citation]) -> str:
    return json_text([each.to_json() for each in citations])


def _need_active(memory: Memory) -> None:
    if memory.status is not Status.ACTIVE:
        after = memory.superseded_by
        hint = f"`{after}` superseded it" if after else "see `remem memory recent`"
        raise NotPossible(f"the fact `{memory.id}` is {memory.status}, not active", hint=hint)


def _change(
    place: Path, memory: Memory, after: dict[str, Json], adds: Mapping[str, int] | None = None
) -> RowEdit:
    row = memory.row
    # What changes first: it is told in this order.
    names = dict.fromkeys((*after, *_WATCHED))
    before = {name: _cell(row[name]) for name in names if name in row}
    key: dict[str, Json] = {"id": memory.id}
    loose = tuple(name for name in before if name in _LOOSE)
    return RowEdit(place, TABLE, key, before, {**before, **after}, adds or {}, loose)


def _counted(value: object) -> int:
    return value if isinstance(value, int) else 0


def _cell(value: object) -> Json:
    return value if isinstance(value, int | float | str) else None


def _event(
    place: Path,
    tenant: str,
    about: str,
    name: EventName,
    told: Told,
    result: Mapping[str, Any] | None = None,
) -> RowEdit:
    row: dict[str, Json] = {
        "memory_id": about,
        "event": name.value,
        "agent_id": told.actor.agent or told.by or None,
        "session_id": told.actor.session or None,
        "verification_result": json_text(dict(result)) if result else None,
        "duration_ms": told.actor.duration_ms,
        "created_at": stamp_text(told.now),
        "tenant_id": tenant,
    }
    key: dict[str, Json] = {"id": id_from(told.seed, about, name.value)}
    return RowEdit(place, EVENTS, key, {}, row)
