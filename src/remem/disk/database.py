"""The SQLite file of the journal: its schema, its connection, its transactions.

It knows no change. A transaction is one COMMIT, which is what an approval waits for; whatever
SQLite says against it becomes a `BadJournal` that tells what to do.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from threading import RLock
from typing import Any, Final

from remem.disk.io import Disk
from remem.disk.reasons import reason
from remem.errors import WriteFailed

Connection = sqlite3.Connection

VERSION: Final = 2
_BUSY_SECONDS: Final = 2.0
_PAGES: Final = 2048
"""Given back to the disk at once."""
_FIRST: Final = """
CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    root BLOB NOT NULL,
    actor TEXT NOT NULL,
    logged TEXT NOT NULL,
    steps BLOB NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0,
    superseded INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE finished (op TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE touched (
    seq INTEGER NOT NULL REFERENCES changes (seq),
    path BLOB NOT NULL,
    PRIMARY KEY (path, seq)
) WITHOUT ROWID;
"""
_SECOND: Final = """
CREATE TABLE done (seq INTEGER PRIMARY KEY, steps BLOB NOT NULL);
INSERT INTO done SELECT seq, steps FROM changes;
CREATE TABLE changes_2 (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    root BLOB NOT NULL,
    actor TEXT NOT NULL,
    at INTEGER NOT NULL DEFAULT 0,
    logged TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0,
    superseded INTEGER NOT NULL DEFAULT 0,
    settled TEXT NOT NULL DEFAULT ''
);
INSERT INTO changes_2 (seq, id, root, actor, logged, undone, superseded)
    SELECT seq, id, root, actor, logged, undone, superseded FROM changes;
DROP TABLE changes;
ALTER TABLE changes_2 RENAME TO changes;
CREATE INDEX undone_changes ON changes (undone) WHERE undone > 0;
CREATE TABLE outside (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    root BLOB NOT NULL,
    path BLOB NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    vanished INTEGER NOT NULL,
    told BLOB NOT NULL
);
CREATE INDEX outside_path ON outside (path, number);
CREATE TABLE parked (
    path BLOB PRIMARY KEY,
    target BLOB NOT NULL,
    op TEXT NOT NULL,
    number INTEGER NOT NULL,
    since TEXT NOT NULL,
    size INTEGER NOT NULL,
    digest TEXT NOT NULL,
    tail INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE chores (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
"""
"""What a change did stands in a table of its own, so that listing changes does not read past it."""
_AWAY: Final = "moved away, a new history begins"
_WHY: Final[Mapping[int, tuple[str, str]]] = {
    sqlite3.SQLITE_BUSY: ("another remem is writing to it", "wait until it is done and try again"),
    sqlite3.SQLITE_LOCKED: (
        "another remem is writing to it",
        "wait until it is done and try again",
    ),
    sqlite3.SQLITE_CORRUPT: ("it is damaged", _AWAY),
    sqlite3.SQLITE_NOTADB: ("it is damaged, or was written by another program", _AWAY),
    sqlite3.SQLITE_READONLY: ("it may not be written", "mend its mode and that of its folder"),
    sqlite3.SQLITE_CANTOPEN: ("it may not be opened", "mend its mode and that of its folder"),
    sqlite3.SQLITE_FULL: ("the disk is full", "free some space and try again"),
    sqlite3.SQLITE_IOERR: ("the disk reported an error", "check the disk before you try again"),
}
_WAITS: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_HINT: Final = f"free space or mend its permissions; {_AWAY}"


class BadJournal(WriteFailed):
    """The history cannot be read or written; without it nothing is changed."""

    code = "bad-journal"


class Database:
    """One connection to one file, for all threads; opened when it is first needed."""

    def __init__(self, disk: Disk, path: Path) -> None:
        self.path = path
        self._disk = disk
        self._open: Connection | None = None
        self._inode: int | None = None
        self._lock = RLock()

    def close(self) -> None:
        """Give the file back; the next call opens it again."""
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._open = None

    def make(self) -> None:
        """Make the file, readable by its owner only, if there is none.

        Raises:
            BadJournal: It cannot be made.
        """
        try:
            if self._disk.kind(self.path) is None:
                self._disk.close(self._disk.create(self.path))
        except FileExistsError:
            pass  # another process was faster
        except OSError as error:
            raise self.bad(error) from error

    def rows(self, query: str, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
        """Read; a history that was never written is empty and stays unmade.

        Raises:
            BadJournal: SQLite refuses.
        """
        if self._disk.kind(self.path) is None:
            return []
        with self._lock:
            try:
                return self._connection().execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise self._failed(error) from error

    def version(self) -> tuple[int, int] | None:
        """Return what is another value once anybody wrote to it; `None` = there is no file."""
        rows = self.rows("PRAGMA data_version", {})
        if not rows or self._open is None:
            return None
        return rows[0][0], self._open.total_changes

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Give a connection whose statements reach the disk together, with one COMMIT.

        Raises:
            BadJournal: SQLite refuses; nothing was written.
        """
        with self._lock:
            try:
                connection = self._connection()
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    self._disk.perform("journal", connection.execute, "COMMIT")
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
            except (sqlite3.Error, OSError) as error:
                raise self._failed(error) from error

    def shrink(self) -> None:
        """Give the room of deleted rows back to the disk, unless another process is at work.

        Raises:
            BadJournal: The file is of no use.
        """
        with self._lock:
            try:
                _shrink(self._connection())
            except sqlite3.OperationalError:
                return  # in use, or no room to do it in: the next time will do
            except sqlite3.Error as error:
                raise self._failed(error) from error

    def bad(self, why: object, hint: str = _HINT) -> BadJournal:
        """Return the error that says why the history is of no use."""
        what = reason(why) if isinstance(why, OSError) else why
        return BadJournal(f"the history `{self.path}` cannot be used: {what}", hint=hint)

    def _failed(self, error: Exception) -> BadJournal:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code not in _WAITS:
            # What a failed fsync left behind is not asked again through the same handle.
            with suppress(sqlite3.Error):
                self.close()
        return self.bad(*_WHY[code]) if code in _WHY else self.bad(error)

    def _connection(self) -> Connection:
        """Return the connection; a new one if the file is not the one that was opened."""
        inode = self._disk.inode(self.path)
        if self._open is not None and inode != self._inode:
            self.close()
        if self._open is None:
            self._open = self._connect()
            self._inode = inode
        return self._open

    def _connect(self) -> Connection:
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode=rw",  # SQLite's own new files anyone may read
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
        )
        try:
            version = self._version(connection)
            if version == 0:
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # before the first table
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            if version < VERSION:
                _bring_up_to_date(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _version(self, connection: Connection) -> int:
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version > VERSION:
            raise self.bad("a newer remem wrote it", f"update remem; {_AWAY}")
        return version


def _bring_up_to_date(connection: Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have been faster.
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version < 1:
        _run(connection, _FIRST)
    if version < VERSION:
        _run(connection, _SECOND)
        _date_changes(connection)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _run(connection: Connection, statements: str) -> None:
    for statement in filter(str.strip, statements.split(";")):
        connection.execute(statement)


def _date_changes(connection: Connection) -> None:
    """Write the time of each change beside it, for retention; the first version had it inside."""
    for seq, logged in connection.execute("SELECT seq, logged FROM changes").fetchall():
        with suppress(ValueError, KeyError, TypeError):
            at = int(datetime.fromisoformat(json.loads(logged)["time"]).timestamp())
            connection.execute("UPDATE changes SET at = ? WHERE seq = ?", (at, seq))


def _shrink(connection: Connection) -> None:
    if connection.execute("PRAGMA auto_vacuum").fetchone()[0] == 0:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("VACUUM")  # of the first version: the setting needs one
    # A part at a time: nobody else can write meanwhile, and they do not wait for long.
    left = _free_pages(connection)
    while left:
        # As a plain statement Python would step it once, which frees one page.
        connection.executescript(f"PRAGMA incremental_vacuum({_PAGES})")
        before, left = left, _free_pages(connection)
        if left >= before:
            break
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _free_pages(connection: Connection) -> int:
    return int(connection.execute("PRAGMA freelist_count").fetchone()[0])
