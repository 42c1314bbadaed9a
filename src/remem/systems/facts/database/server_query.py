"""The questions to a server's tables of verified memory, and edits of its rows as one transaction.

Values go out in the shape that a SQLite file has them in, so that edits, the journal and undo are
the same for both. When it is asked, and how long one waits, is `database_server.py`'s business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, Table, bindparam, func, select, text
from sqlalchemy.exc import IntegrityError

from remem.base.clock import Clock
from remem.base.errors import Refused
from remem.core.system import (
    SHARED,
)
from remem.model.change import Json, RowEdit
from remem.store.changes.effects_to_steps import BaseMoved
from remem.store.databases.rows import as_found
from remem.store.io import Disk
from remem.systems.facts.database.engine import Base
from remem.systems.facts.database.lazy_rows import Memories
from remem.systems.facts.database.memory_reader import MemoryReader
from remem.systems.facts.database.row_records import read_json, read_stamp, stamp_text
from remem.systems.facts.database.tables import EVENTS, MEMORY, Loose, Stamp

_TABLES: Final[Mapping[str, Table]] = {MEMORY.name: MEMORY, EVENTS.name: EVENTS}
_PART: Final = 500
"""Rows of one question."""
_SECONDS: Final = "8s"


class Served:
    """One server's database, and what of it is about one repository."""

    def __init__(self, url: str, tenant: str, disk: Disk, clock: Clock) -> None:
        self._base = Base(url, disk, tenant)
        self._reader = MemoryReader(self._base, clock, tenant)
        self._tenants = sorted({SHARED, tenant})

    def close(self) -> None:
        """Give every connection back."""
        self._base.close()

    def mark(self, repositories: Sequence[str]) -> object:
        """Return what is another value once a row or an event was written.

        A row that was written has another transaction's number, whichever column it was.
        """
        if not self._base.is_there:
            return None
        rows = (
            select(func.count(), func.sum(text("agent_memory.xmin::text::bigint")))
            .select_from(MEMORY)
            .where(func.lower(MEMORY.c.repo).in_([each.casefold() for each in repositories]))
            .where(MEMORY.c.tenant_id.in_(self._tenants))
        )
        with self._base.reading() as connection:
            connection.exec_driver_sql(f"SET LOCAL statement_timeout = '{_SECONDS}'")
            number, written = connection.execute(rows).one()
            last = connection.execute(select(func.max(EVENTS.c.created_at))).scalar()
            return (number, str(written), str(last))

    def memories(self, repositories: Sequence[str]) -> Memories:
        """Return every memory of a repository, oldest first, with its row as edits have it."""
        return self._reader.all(repositories)

    def stand(self, edits: Sequence[RowEdit]) -> bool:
        """Tell whether every row is as its edit has it before."""
        with self._base.reading() as connection:
            return rows_stand(connection, edits)

    def write(self, edits: Sequence[RowEdit]) -> tuple[RowEdit, ...]:
        """Carry out all edits in one transaction, after a look at the rows that it then holds.

        Returned are the edits with what their loose columns held.

        Raises:
            BaseMoved: A row is not as its edit has it before; nothing was written.
        """
        with self._base.writing() as connection:
            return write_rows(connection, edits)


def rows_stand(connection: Connection, edits: Sequence[RowEdit]) -> bool:
    """Tell whether every row on a server is as its edit has it before."""
    return all(_stands(*each) for each in _found(connection, edits))


def write_rows(connection: Connection, edits: Sequence[RowEdit]) -> tuple[RowEdit, ...]:
    """Carry out all edits on a server inside the caller's transaction.

    Returns:
        The edits with what their loose columns held.

    Raises:
        BaseMoved: A row is not as its edit has it before, or another one stands in its way.
    """
    place = edits[0].database
    found = [*_found(connection, edits, for_update=True)]
    if not all(_stands(*each) for each in found):
        raise BaseMoved(place)
    try:
        for shape, several in groupby(edits, _shape):
            _carry_out(connection, shape, [*several])
    except IntegrityError as error:
        # Another active memory has the fact by now, or points to a row that was to go.
        raise BaseMoved(place) from error
    return tuple(as_found(edit, _plain(edit, row or {})) for edit, _, row in found)


def _plain(edit: RowEdit, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the loose columns of a row in the shape that a file has them in."""
    held = {name: row[name] for name in edit.loose if name in row}
    return {
        name: stamp_text(each) if isinstance(each, datetime) else each
        for name, each in held.items()
    }


_Shape = tuple[str, bool, bool, tuple[str, ...], tuple[str, ...]]


def _shape(edit: RowEdit) -> _Shape:
    columns = (tuple(edit.after), tuple(edit.adds))
    return (edit.table, bool(edit.before), bool(edit.after), *columns)


def _carry_out(connection: Connection, shape: _Shape, edits: Sequence[RowEdit]) -> None:
    name, was_there, stays, columns, counted = shape
    table = _table(name)
    if not was_there:
        rows = [_typed(table, {**edit.key, **edit.after}) for edit in edits]
        connection.execute(table.insert(), rows)
        return
    which = table.c.id == bindparam("the_id")
    if not stays:
        gone = [{"the_id": str(edit.key["id"])} for edit in edits]
        connection.execute(table.delete().where(which), gone)
        return
    new: dict[str, Any] = {name: bindparam(f"new_{name}") for name in columns}
    new |= {name: func.coalesce(table.c[name], 0) + bindparam(f"more_{name}") for name in counted}
    change = table.update().where(which).values(new)
    values = [
        {
            "the_id": str(edit.key["id"]),
            **{f"new_{name}": value for name, value in _typed(table, edit.after).items()},
            **{f"more_{name}": value for name, value in edit.adds.items()},
        }
        for edit in edits
    ]
    connection.execute(change, values)


def _found(
    connection: Connection, edits: Sequence[RowEdit], *, for_update: bool = False
) -> Iterator[tuple[RowEdit, Table, Mapping[str, Any] | None]]:
    """Yield each edit with its row as it stands; `None` = there is no such row."""
    for name in dict.fromkeys(edit.table for edit in edits):
        table = _table(name)
        own = [edit for edit in edits if edit.table == name]
        rows: dict[str, Mapping[str, Any]] = {}
        for start in range(0, len(own), _PART):
            wanted = {_key(edit) for edit in own[start : start + _PART]}
            query = select(table).where(table.c.id.in_(sorted(wanted)))
            if for_update:
                query = query.with_for_update()
            rows |= {str(row.id): row._asdict() for row in connection.execute(query)}
        for edit in own:
            yield edit, table, rows.get(_key(edit))


def _stands(edit: RowEdit, table: Table, row: Mapping[str, Any] | None) -> bool:
    if row is None or not edit.before:
        return row is None and not edit.before
    return all(
        name in row and row[name] == value for name, value in _typed(table, edit.compared).items()
    )


def _typed(table: Table, values: Mapping[str, Json]) -> dict[str, Any]:
    """Return values as the server's columns take and give them."""
    return {name: _value(table, name, value) for name, value in values.items()}


def _value(table: Table, name: str, value: Json) -> Any:
    if name not in table.c:
        raise Refused(f"`{table.name}` has no column `{name}`")
    kind = table.c[name].type
    if isinstance(kind, Stamp):
        return read_stamp(value)
    return read_json(value) if isinstance(kind, Loose) else value


def _key(edit: RowEdit) -> str:
    if set(edit.key) != {"id"}:
        raise Refused("a row of verified memory is named by its `id`")
    return str(edit.key["id"])


def _table(name: str) -> Table:
    if name not in _TABLES:
        raise Refused(f"`{name}` is no table of verified memory")
    return _TABLES[name]
