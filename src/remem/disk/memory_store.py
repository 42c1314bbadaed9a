"""The store of verified memory: one transaction for each verb, with its events (FORMATS 6).

It keeps what it is given. Whether citations hold is found out before, by `checks/`; nothing is ever
deleted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NoReturn

from sqlalchemy import Connection, Update, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from remem.disk.memory_reader import IS_ACTIVE, MemoryReader, as_memory, unknown
from remem.disk.memory_rows import BadMemory, json_text
from remem.disk.memory_tables import EVENTS, MEMORY
from remem.errors import NotPossible, Refused
from remem.model.citation import Citation
from remem.model.entry import Status
from remem.model.verified import (
    LONGEST_KEY,
    NOBODY,
    Actor,
    Event,
    EventName,
    Memory,
    NewMemory,
    Stored,
    id_from,
)

_RACES: Final = 3


class MemoryStore(MemoryReader):
    """A store that is written as well as read."""

    def store(self, new: NewMemory, actor: Actor = NOBODY) -> Stored:
        """Keep a memory, or refresh the active one with that repository, subject and fact.

        Raises:
            BadMemory: It has no citations, or a text that cannot be kept.
            Refused: Another tenant keeps the same fact.
            StoreUnavailable: It cannot be written now; nothing was.
        """
        _require(new)
        with self.base.writing() as connection:
            for _ in range(_RACES):
                made = self._insert(connection, new)
                if made:
                    self._log(connection, made, EventName.CREATED, actor)
                    return Stored(made, "created")
                again = self._renew(connection, new, actor)
                if again:
                    return Stored(again, "refreshed")
        raise Refused(
            f"`{new.subject}` is kept by another tenant",
            hint="word it otherwise, or ask for the memory to be shared",
        )

    def refresh(self, memory: str, by: str = "", actor: Actor = NOBODY, **result: Any) -> Memory:
        """Note that an active memory held when it was looked at just now.

        Raises:
            UnknownRef: There is none.
            NotPossible: It is not active.
        """
        now = self._clock.now()
        values = {
            "refreshed_at": now,
            "last_verified_at": now,
            "last_verified_by": by or None,
            "verification_count": MEMORY.c.verification_count + 1,
        }
        with self.base.writing() as connection:
            self._change(connection, memory, values)
            self._log(connection, memory, EventName.REFRESHED, actor, result)
        return self.get(memory)

    def invalidate(
        self, memory: str, reason: str = "", by: str = "", actor: Actor = NOBODY
    ) -> Memory:
        """Take an active memory out of use; it stays in the store.

        Raises:
            UnknownRef: There is none.
            NotPossible: It is not active.
        """
        values = {
            "status": Status.INVALID.value,
            "last_verified_at": self._clock.now(),
            "last_verified_by": by or None,
        }
        with self.base.writing() as connection:
            self._change(connection, memory, values)
            self._log(
                connection, memory, EventName.VERIFIED_INVALID, actor, {"reason": reason or None}
            )
        return self.get(memory)

    def supersede(
        self,
        memory: str,
        fact: str,
        citations: Sequence[Citation] | None = None,
        reason: str | None = None,
        created_by: str = "",
        actor: Actor = NOBODY,
    ) -> str:
        """Put a corrected memory in the place of an active one; return the id of the new one.

        Args:
            memory: The id of the one that goes.
            fact: What holds now; it may be the same where only the citations moved.
            citations: `None` = those of the old one.
            reason: `None` = that of the old one.
            created_by: Who corrects it.
            actor: For the events.

        Raises:
            UnknownRef: There is none.
            NotPossible: It is not active, or another active one has that fact.
            BadMemory: The new one has no citations, or a text that cannot be kept.
        """
        with self.base.writing() as connection:
            old = self._locked(connection, memory)
            new = NewMemory(
                old.repository,
                old.subject,
                fact,
                tuple(citations) if citations is not None else old.citations,
                reason if reason is not None else old.reason,
                created_by,
            )
            _require(new)
            # First out of the unique index, so that the same fact can take the place.
            self._change(connection, old.id, {"status": Status.SUPERSEDED.value})
            made = self._insert(connection, new, supersedes=old)
            if not made:
                raise NotPossible(
                    "another active memory has that fact already",
                    hint="invalidate the old one instead",
                )
            pointing = update(MEMORY).where(MEMORY.c.id == old.id).values(superseded_by_id=made)
            connection.execute(pointing)
            self._log(connection, old.id, EventName.SUPERSEDED, actor)
            self._log(connection, made, EventName.CORRECTED, actor)
        return made

    def log(self, events: Iterable[Event], *, known: bool = False) -> int:
        """Log what happened to memories, in one transaction; return how many.

        Args:
            events: In the order in which they happened.
            known: The memories were read just now, so that they are there; and it is no harm if
                a power failure takes back that they were.

        Raises:
            UnknownRef: One of the memories is not there; nothing was logged.
        """
        told = [*events]
        if not told:
            return 0
        with self.base.writing(lightly=known) as connection:
            if not known:
                self._need_known(connection, told)
            connection.execute(insert(EVENTS), [self._event(each) for each in told])
        return len(told)

    def _need_known(self, connection: Connection, told: Sequence[Event]) -> None:
        wanted = {self._known_id(each.memory): each.memory for each in told}
        for part in _parts([*wanted]):
            query = select(MEMORY.c.id).where(MEMORY.c.id.in_(part), self._is_seen())
            missing = set(part) - set(connection.execute(query).scalars())
            if missing:
                raise unknown(wanted[min(missing)])

    def _insert(
        self, connection: Connection, new: NewMemory, *, supersedes: Memory | None = None
    ) -> str:
        """Add a row; return its id, or an empty text where an active one has that fact."""
        now = self._clock.now()
        values = {
            "id": self._new_id(),
            "repo": new.repository,
            "subject": new.subject,
            "fact": new.fact,
            "reason": new.reason or None,
            "citations": [each.to_json() for each in new.citations],
            "created_by": new.created_by or None,
            "created_at": now,
            "refreshed_at": now,
            "status": Status.ACTIVE.value,
            "verification_count": 0,
            "supersedes_id": supersedes.id if supersedes else None,
            "tenant_id": supersedes.tenant if supersedes else self.tenant,
        }
        dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
        adding = dialect.insert(MEMORY).values(values)
        found = connection.execute(adding.on_conflict_do_nothing().returning(MEMORY.c.id))
        return str(found.scalar() or "")

    def _renew(self, connection: Connection, new: NewMemory, actor: Actor) -> str:
        values: dict[str, Any] = {
            "refreshed_at": self._clock.now(),
            "citations": [each.to_json() for each in new.citations],
        }
        if new.reason is not None:
            values["reason"] = new.reason or None
        kept = MEMORY.c
        renewing = (
            update(MEMORY)
            .where(kept.repo == new.repository, kept.subject == new.subject)
            .where(kept.fact == new.fact, IS_ACTIVE, self._is_seen())
            .values(values)
            .returning(kept.id)
        )
        found = str(connection.execute(renewing).scalar() or "")
        if found:
            self._log(connection, found, EventName.REFRESHED, actor)
        return found

    def _change(self, connection: Connection, memory: str, values: Mapping[str, Any]) -> None:
        """Set columns of an active memory, or say why not."""
        changing = self._only_active(update(MEMORY), memory).values(values)
        if connection.execute(changing).rowcount != 1:
            self._explain(connection, memory)

    def _locked(self, connection: Connection, memory: str) -> Memory:
        """Return an active memory that nobody else changes until the transaction ends."""
        query = self._every.where(MEMORY.c.id == self._known_id(memory), IS_ACTIVE)
        found = connection.execute(query.with_for_update(of=MEMORY)).one_or_none()
        if found is None:
            self._explain(connection, memory)
        return as_memory(found)

    def _only_active(self, change: Update, memory: str) -> Update:
        return change.where(MEMORY.c.id == self._known_id(memory), IS_ACTIVE, self._is_seen())

    def _explain(self, connection: Connection, memory: str) -> NoReturn:
        query = self._every.where(MEMORY.c.id == self._known_id(memory))
        found = connection.execute(query).one_or_none()
        if found is None:
            raise unknown(memory)
        kept = as_memory(found)
        hint = "see `remem memory recent`"
        if kept.superseded_by:
            hint = f"`{kept.superseded_by}` took its place"
        raise NotPossible(f"the memory `{kept.id}` is {kept.status}, not active", hint=hint)

    def _log(
        self,
        connection: Connection,
        memory: str,
        name: EventName,
        actor: Actor,
        result: Mapping[str, Any] | None = None,
    ) -> None:
        told = Event(memory, name, actor.agent, actor.session, result or None, actor.duration_ms)
        connection.execute(insert(EVENTS).values(self._event(told)))

    def _event(self, told: Event) -> dict[str, Any]:
        return {
            "id": self._new_id(),
            "memory_id": self._known_id(told.memory),
            "event": told.name.value,
            "agent_id": told.agent or None,
            "session_id": told.session or None,
            "verification_result": dict(told.result) if told.result else None,
            "duration_ms": told.duration_ms,
            "created_at": told.at or self._clock.now(),
            "tenant_id": self.tenant,
        }

    def _new_id(self) -> str:
        # With a number, since a clock that stands still gives the same digits again.
        with self._lock:
            return id_from(self._clock.new_id(), str(next(self._numbers)))


def _parts(values: Sequence[str], size: int = 500) -> Iterable[Sequence[str]]:
    return (values[start : start + size] for start in range(0, len(values), size))


def _uncited() -> BadMemory:
    return BadMemory(
        "a memory without citations is not kept",
        hint="cite the lines that prove it: `--cite src/app.py:3-9`",
    )


def _require(new: NewMemory) -> None:
    """Insist on what every database can hold, so that none keeps what another refuses."""
    key = {"repo": new.repository, "subject": new.subject, "fact": new.fact}
    for name, value in key.items():
        if not value.strip():
            raise BadMemory(f"a memory needs a `{name}`", hint=f"say what its `{name}` is")
    cited = json_text([each.to_json() for each in new.citations])
    texts = {**key, "reason": new.reason or "", "created_by": new.created_by, "citations": cited}
    for name, value in texts.items():
        if "\0" in value or "\\u0000" in value or any("\ud800" <= c <= "\udfff" for c in value):
            raise BadMemory(f"the `{name}` holds characters that no database keeps")
    size = sum(len(value.encode()) for value in key.values())
    if size > LONGEST_KEY:
        raise BadMemory(
            f"repo, subject and fact have {size:,} bytes together, {LONGEST_KEY:,} are the most",
            hint="keep the fact to what holds, and put the rest into the reason",
        )
    if not new.citations:
        raise _uncited()
