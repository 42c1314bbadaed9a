"""Rows of databases that belong to others: read without a trace, changed column by column.

It knows no table. The journal's own database is not its business.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

from remem.disk.io import Disk, real_path
from remem.errors import ChangedOnDisk, Refused, RememError, WriteFailed
from remem.model.change import Json, RowEdit

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


def read_row(edit: RowEdit) -> dict[str, Cell] | None:
    """Return the columns that `edit` is about as they stand; `None` if there is no such row.

    Raises:
        BadDatabase: It cannot be read as a database with that table.
    """
    if not _is_there(edit.database):
        return None
    try:
        with closing(_connect(edit.database, _reading(edit.database))) as connection:
            return _find(connection, edit)
    except sqlite3.Error as error:
        raise _bad(edit.database, error) from error


def set_row(edit: RowEdit) -> None:
    """Write the columns of `edit.after` if the row still holds `edit.before`.

    Raises:
        ChangedOnDisk: The row is gone or holds something else; nothing was written.
        WriteFailed: The database stayed locked, or refused; nothing was written.
    """
    try:
        with closing(_connect(edit.database, "mode=rw")) as connection, _transaction(connection):
            found = _find(connection, edit)
            if found is None or not _holds(found, edit.before):
                raise ChangedOnDisk(
                    f"a row of `{edit.table}` in `{edit.database}` changed after it was shown",
                    hint="look at it again and repeat the change",
                )
            columns = ", ".join(f"{_quoted(name)} = ?" for name in edit.after)
            connection.execute(
                f"UPDATE {_quoted(edit.table)} SET {columns} WHERE {_where(edit.key)}",
                [*map(_cell, edit.after.values()), *map(_cell, edit.key.values())],
            )
    except sqlite3.Error as error:
        raise WriteFailed(
            f"`{edit.database}` could not be written: {error}",
            hint="end the program that holds it, or check the file, and try again",
        ) from error


def row_holds(edit: RowEdit, values: Mapping[str, Json]) -> bool:
    """Tell whether the row of `edit` is there and holds these values."""
    found = read_row(edit)
    return found is not None and _holds(found, values)


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


def _holds(found: Mapping[str, Cell], values: Mapping[str, Json]) -> bool:
    return all(name in found and found[name] == _cell(value) for name, value in values.items())


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
    """
    wal = database.with_name(f"{database.name}-wal")
    return "mode=ro" if _is_there(wal) else "mode=ro&immutable=1"


def _is_there(path: Path) -> bool:
    return Disk().kind(real_path(path)) == "file"


def _connect(database: Path, how: str) -> sqlite3.Connection:
    address = f"file:{quote(str(database.absolute()))}?{how}"
    return sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _bad(database: Path, error: sqlite3.Error) -> BadDatabase:
    return BadDatabase(
        f"`{database}` cannot be read: {error}", hint="check that it is the agent's database"
    )
