"""Rows of databases that belong to others: read without a trace, changed column by column.

It knows no table. The journal's own database is not its business.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import quote

from remem.base.effects import Json, RowEdit
from remem.base.errors import ChangedOnDisk, Refused, RememError, WriteFailed
from remem.store.io import Disk, real_path

BUSY_SECONDS: Final = 5.0
"""How long to wait for another writer, as Night Watch itself does."""

Cell = None | int | float | str | bytes


class BadDatabase(RememError):
    """The file is no database, or has no such table or column."""

    code = "bad-database"


def read_rows(database: Path, table: str, columns: Sequence[str]) -> tuple[dict[str, Cell], ...]:
    """Return the named columns of every row, in row order; none if the file is missing.

    A database that nobody has open is read without a trace beside it.

    Raises:
        BadDatabase: It cannot be read as a database with that table.
    """
    if not _is_there(database):
        return ()
    names = ", ".join(map(_quoted, columns))
    try:
        with closing(_connect(database, _reading(database))) as connection:
            rows = connection.execute(f"SELECT {names} FROM {_quoted(table)}").fetchall()
    except sqlite3.Error as error:
        raise _bad(database, error) from error
    return tuple(dict(zip(columns, row, strict=True)) for row in rows)


def read_query(database: Path, query: str, values: Mapping[str, Cell]) -> list[tuple[Cell, ...]]:
    """Return what a query finds, in its order; nothing if the file is missing.

    Raises:
        BadDatabase: It cannot be read as a database with those tables.
    """
    if not _is_there(database):
        return []
    try:
        with closing(_connect(database, _reading(database))) as connection:
            return connection.execute(query, values).fetchall()
    except sqlite3.Error as error:
        raise _bad(database, error) from error


def rows_hold(edits: Sequence[RowEdit]) -> bool:
    """Tell whether each row of one database is as its edit has it before, or is not there.

    Raises:
        BadDatabase: It cannot be read as a database with those tables.
    """
    database = edits[0].database
    if not _is_there(database):
        return not any(edit.before for edit in edits)
    try:
        with closing(_connect(database, _reading(database))) as connection:
            return all(stands(connection, edit) for edit in edits)
    except sqlite3.Error as error:
        raise _bad(database, error) from error


def set_rows(edits: Sequence[RowEdit], *, busy: float = BUSY_SECONDS) -> tuple[RowEdit, ...]:
    """Carry out edits of one database in one transaction, each if its row is as it has it before.

    Without a `before` a row is added, without an `after` it is taken out. Returned are the edits
    with what their loose columns held.

    Args:
        edits: Of one database.
        busy: Seconds that another program's transaction is waited for.

    Raises:
        ChangedOnDisk: A row is gone or holds something else; nothing was written.
        WriteFailed: The database stayed locked, or refused; nothing was written.
    """
    database = edits[0].database
    try:
        with closing(_connect(database, "mode=rw", busy)) as connection:
            is_of_one = len({edit.table for edit in edits}) == 1
            if is_of_one and not all(edit.after for edit in edits):
                # What belongs to a row that goes shall go with it, as its tables say. Edits of
                # several tables say so themselves: what others counted of it stays for its return.
                connection.execute("PRAGMA foreign_keys = ON")
            with _transaction(connection):
                return carry_out(connection, edits)
    except sqlite3.Error as error:
        raise WriteFailed(
            f"`{database}` could not be written: {error}",
            hint="close the program that locks it, or check the file, and try again",
        ) from error


def stands(connection: sqlite3.Connection, edit: RowEdit) -> bool:
    """Tell whether a row is as its edit has it before, or is not there."""
    return _stands(_find(connection, edit), edit)


def carry_out(connection: sqlite3.Connection, edits: Sequence[RowEdit]) -> tuple[RowEdit, ...]:
    """Carry out edits inside the caller's transaction, each if its row is as it has it before.

    Returns:
        The edits with what their loose columns held.

    Raises:
        ChangedOnDisk: A row is gone or holds something else, or another one stands in its way.
    """
    done: list[RowEdit] = []
    for edit in edits:
        found = _find(connection, edit)
        if not _stands(found, edit):
            raise ChangedOnDisk(
                f"a row of `{edit.table}` in `{edit.database}` changed after it was shown",
                hint="check it again and repeat the change",
            )
        try:
            connection.execute(*_statement(edit))
        except sqlite3.IntegrityError as error:
            raise ChangedOnDisk(
                f"`{edit.database}` now has conflicting rows: {error}",
                hint="check it again and repeat the change",
            ) from error
        done.append(as_found(edit, found or {}))
    return tuple(done)


def as_found(edit: RowEdit, found: Mapping[str, Cell]) -> RowEdit:
    """Return an edit with what its loose columns hold in a row."""
    if not edit.loose:
        return edit
    held = {name: each for name in edit.loose if not isinstance(each := found[name], bytes)}
    return replace(edit, before={**edit.before, **held}, loose=())


def _statement(edit: RowEdit) -> tuple[str, list[Cell]]:
    table, key = _quoted(edit.table), [*map(_cell, edit.key.values())]
    if not edit.before:
        row = {**edit.key, **edit.after}
        names, marks = ", ".join(map(_quoted, row)), ", ".join("?" * len(row))
        return f"INSERT INTO {table} ({names}) VALUES ({marks})", [*map(_cell, row.values())]
    if not edit.after:
        return f"DELETE FROM {table} WHERE {_where(edit.key)}", key
    counted = (f"{name} = COALESCE({name}, 0) + ?" for name in map(_quoted, edit.adds))
    columns = ", ".join((*(f"{_quoted(name)} = ?" for name in edit.after), *counted))
    values = [*map(_cell, edit.after.values()), *edit.adds.values(), *key]
    return f"UPDATE {table} SET {columns} WHERE {_where(edit.key)}", values


def _find(connection: sqlite3.Connection, edit: RowEdit) -> dict[str, Cell] | None:
    columns = list(dict.fromkeys([*edit.before, *edit.after]))
    names = ", ".join(map(_quoted, columns))
    rows = connection.execute(
        f"SELECT {names} FROM {_quoted(edit.table)} WHERE {_where(edit.key)} LIMIT 2",
        list(map(_cell, edit.key.values())),
    ).fetchall()
    if len(rows) > 1:
        raise Refused(f"the key of a row of `{edit.table}` names more than one row")
    return dict(zip(columns, rows[0], strict=True)) if rows else None


def _stands(found: Mapping[str, Cell] | None, edit: RowEdit) -> bool:
    if found is None or not edit.before:
        return found is None and not edit.before
    compared = edit.compared.items()
    return all(name in found and found[name] == _cell(value) for name, value in compared)


def _where(key: Mapping[str, Json]) -> str:
    if not key:
        raise Refused("a row edit needs a key")
    return " AND ".join(f"{_quoted(name)} IS ?" for name in key)


def _cell(value: Json) -> Cell:
    if isinstance(value, bool):
        return int(value)
    if value is None or isinstance(value, int | float | str):
        return value
    raise Refused("a column of a row holds a text, a number or nothing")


def _quoted(name: str) -> str:
    # Not double quotes: SQLite takes an unknown name in those for a text and reports no error.
    return "`" + name.replace("`", "``") + "`"


def _reading(database: Path) -> str:
    """Return how to open for reading.

    A reader of a WAL database makes `-shm` and `-wal` files if they are not there. Without a `-wal`
    nothing is in flight, and `immutable` reads the main file alone and leaves no trace. A `-wal`
    that a crash left without its `-shm` is read as SQLite has it, which makes the `-shm` again.
    A `-journal` says that the main file may hold half a transaction, of a program that is at work
    or of one that was killed; SQLite waits for the first and refuses the second.
    """
    beside = (database.with_name(f"{database.name}{end}") for end in ("-wal", "-journal"))
    return "mode=ro" if any(map(_is_there, beside)) else "mode=ro&immutable=1"


def _is_there(path: Path) -> bool:
    return Disk().kind(real_path(path)) == "file"


def _connect(database: Path, how: str, busy: float = BUSY_SECONDS) -> sqlite3.Connection:
    address = f"file:{quote(bytes(database.absolute()))}?{how}"
    return sqlite3.connect(address, uri=True, timeout=busy, isolation_level=None)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk ends it by itself
            connection.execute("ROLLBACK")
        raise


def _bad(database: Path, error: sqlite3.Error) -> BadDatabase:
    return BadDatabase(
        f"`{database}` cannot be read: {error}", hint="check that it is the agent's database"
    )
