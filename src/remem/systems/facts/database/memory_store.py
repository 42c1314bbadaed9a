"""The store of verified memory as it is written: edits of rows, and what happened to them.

It keeps what it is given. What a verb writes is planned elsewhere (`systems/facts/row_edits.py`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from remem.model.change import RowEdit
from remem.store.databases import rows
from remem.systems.facts.database.memory_reader import MemoryReader, unknown
from remem.systems.facts.database.server_query import rows_stand, write_rows
from remem.systems.facts.database.tables import EVENTS, MEMORY
from remem.systems.facts.records import Event, id_from, timed_id


class MemoryStore(MemoryReader):
    """A store that is written as well as read."""

    @property
    def path(self) -> Path:
        """What edits of its rows call it."""
        return self.base.place

    def stand(self, edits: Sequence[RowEdit]) -> bool:
        """Tell whether every row is as its edit has it before.

        Raises:
            StoreUnavailable: It cannot be asked.
        """
        if not self.base.is_there:
            return not any(edit.before for edit in edits)
        with self.base.reading() as connection:
            if self.base.path is None:
                return rows_stand(connection, edits)
            return all(rows.stands(_plain_connection(connection), edit) for edit in edits)

    def write(self, edits: Sequence[RowEdit]) -> tuple[RowEdit, ...]:
        """Carry out all edits in one transaction, or none.

        Returned are the edits with what their loose columns held.

        Raises:
            ChangedOnDisk: A row is not as its edit has it before, or another stands in its way.
            StoreUnavailable: It cannot be written now; nothing was.
        """
        with self.base.writing() as connection:
            if self.base.path is None:
                return write_rows(connection, edits)
            return rows.carry_out(_plain_connection(connection), edits)

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

    def _event(self, told: Event) -> dict[str, Any]:
        at = told.at or self._clock.now()
        return {
            "id": timed_id(at, self.new_id()),
            "memory_id": self._known_id(told.memory),
            "event": told.name.value,
            "agent_id": told.agent or None,
            "session_id": told.session or None,
            "verification_result": dict(told.result) if told.result else None,
            "duration_ms": told.duration_ms,
            "created_at": at,
            "tenant_id": self.tenant,
        }

    def now(self) -> datetime:
        """Return the time that rows are written with."""
        return self._clock.now()

    def new_id(self) -> str:
        """Return what nobody else has."""
        # With a number, since a clock that stands still gives the same digits again.
        with self._lock:
            return id_from(self._clock.new_id(), str(next(self._numbers)))


def _parts(values: Sequence[str], size: int = 500) -> Iterable[Sequence[str]]:
    return (values[start : start + size] for start in range(0, len(values), size))


def _plain_connection(connection: Connection) -> sqlite3.Connection:
    """Return the connection below, whose values are those of the file."""
    base = connection.connection.driver_connection
    assert isinstance(base, sqlite3.Connection)
    return base
