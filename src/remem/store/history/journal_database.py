"""The SQLite file of the journal: its schema, its connection, its transactions.

It knows no change. A transaction is one COMMIT, which is what an approval waits for; whatever
SQLite says against it becomes a `BadJournal` that tells what to do.
"""

import errno
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import Any, Final, TypeVar

from remem.base.errors import WriteFailed, reason, remedy
from remem.store.databases.database_log import read_log
from remem.store.history.journal_checksums import fault, register
from remem.store.history.journal_records import set_off_before
from remem.store.io import Disk, Unreadable

Connection = sqlite3.Connection
T = TypeVar("T")

VERSION: Final = 5
_BUSY_SECONDS: Final = 2.0
_AGAIN: Final = 0.005
"""Seconds until what was refused at once is asked for again."""
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
_THIRD: Final = """
ALTER TABLE changes ADD COLUMN set_off TEXT NOT NULL DEFAULT 'person';
ALTER TABLE changes ADD COLUMN follows TEXT NOT NULL DEFAULT '';
ALTER TABLE changes ADD COLUMN undone_as TEXT NOT NULL DEFAULT '';
CREATE INDEX following ON changes (follows) WHERE follows != '';
CREATE TABLE wrote (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    path BLOB NOT NULL,
    how TEXT NOT NULL
);
CREATE INDEX wrote_path ON wrote (path, number);
"""
"""`undone_as` is the change that an undone one was taken back with. `wrote` says how runs left the
files, so that no other process takes them for a stranger's."""
_FOURTH: Final = """
CREATE TABLE coming (op TEXT PRIMARY KEY, running TEXT NOT NULL) WITHOUT ROWID;
"""
"""Changes of rows alone, until their rows are written and they are in the history."""
_FIFTH: Final = """
ALTER TABLE changes ADD COLUMN paths INTEGER;
ALTER TABLE changes ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;
ALTER TABLE done ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;
ALTER TABLE parked ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outside ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;
ALTER TABLE coming ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;
"""
"""`mark` tells whether a row is as it was written (`journal_checksums.py`), `paths` the same of
what a change touched; rows of an older version have neither."""
_UNMARKED: Final = """
CREATE TRIGGER unmarked AFTER UPDATE ON changes
WHEN NEW.mark = OLD.mark AND (NEW.undone, NEW.undone_as, NEW.superseded, NEW.settled, NEW.follows)
    IS NOT (OLD.undone, OLD.undone_as, OLD.superseded, OLD.settled, OLD.follows)
BEGIN
    UPDATE changes SET mark = 0 WHERE seq = NEW.seq;
END
"""
"""A process of an older version, which had it open before, changes rows and knows no marks."""
_AWAY: Final = "if you move it away, a new history starts"
_SAVED: Final = "the next change recovers what is readable and keeps the old file"
_DAMAGED: Final = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    # The tables are not those that were made: the page that tells of them is another one.
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_MISMATCH,
}
_TABLES: Final = (
    *("changes", "done", "finished", "touched", "outside", "parked", "chores", "wrote", "coming"),
)
_WHY: Final[Mapping[int, tuple[str, str]]] = {
    sqlite3.SQLITE_BUSY: (
        "another remem process is writing to it",
        "wait until it is done and try again",
    ),
    sqlite3.SQLITE_LOCKED: (
        "another remem process is writing to it",
        "wait until it is done and try again",
    ),
    sqlite3.SQLITE_CORRUPT: ("it is damaged", _SAVED),
    sqlite3.SQLITE_NOTADB: ("it is damaged, or was written by another program", _SAVED),
    sqlite3.SQLITE_READONLY: (
        "permission denied",
        "check the permissions of the file and its folder",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "permission denied",
        "check the permissions of the file and its folder",
    ),
    sqlite3.SQLITE_FULL: ("the disk is full", "free some space and try again"),
    sqlite3.SQLITE_IOERR: ("the disk reported an error", "check the disk before you try again"),
}
_UNWRITABLE: Final = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
}
"""What it says where it can make no files of its own, or not write to them."""
_FROZEN: Final = "mode=ro&immutable=1"
_WRITER: Final = 18
"""The byte that says which SQLite may write: 1, or 2 with a log (fileformat2.html)."""
_REFUSED: Final = (sqlite3.Error, UnicodeDecodeError)
"""What it raises; the second where not even its reason can be read."""
_WAITS: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_NO_FAULT_OF_IT: Final = {errno.EROFS, errno.ENOSPC, errno.EDQUOT}
"""What the disk says that is the same for a new history."""
_HINT: Final = f"free space or fix its permissions; {_AWAY}"


class BadJournal(WriteFailed):
    """The history cannot be read or written; without it nothing is changed."""

    code = "bad-journal"
    is_damaged = False
    """What can be read of it is saved when something is written next."""


class Database:
    """One connection to one file, for all threads; opened when it is first needed."""

    def __init__(self, disk: Disk, path: Path) -> None:
        self.path = path
        self._disk = disk
        self._open: Connection | None = None
        self._is_sound = False
        """All of it was looked at since it was opened."""
        self._probed: list[tuple[Any, ...]] = []
        """What SQLite called the state in which an end of every table could be read."""
        self._inode: int | None = None
        self._lock = RLock()

    def close(self) -> None:
        """Give the file back; the next call opens it again."""
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._open = None
                self._is_sound = False
                self._probed = []

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
                return self._reading(lambda sql: sql.execute(query, values).fetchall())
            except _REFUSED as error:
                raise self._failed(error) from error

    def version(self) -> tuple[int, int] | None:
        """Return what is another value once anybody wrote to it; `None` = there is no file."""
        rows = self.rows("PRAGMA data_version", {})
        if not rows or self._open is None:
            return None
        return rows[0][0], self._open.total_changes

    @contextmanager
    def transaction(self, *, lightly: bool = False) -> Iterator[Connection]:
        """Give a connection whose statements reach the disk together, with one COMMIT.

        Args:
            lightly: A power failure may take it back: nobody waits for the disk.

        Raises:
            BadJournal: SQLite refuses; nothing was written.
        """
        with self._lock:
            try:
                connection = self.connection()
                if lightly:
                    connection.execute("PRAGMA synchronous = NORMAL")
                try:
                    connection.execute("BEGIN IMMEDIATE")
                    yield connection
                    self._disk.perform("journal", connection.execute, "COMMIT")
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    if lightly:
                        connection.execute("PRAGMA synchronous = FULL")
            except (*_REFUSED, OSError) as error:
                raise self._failed(error) from error

    def shrink(self) -> None:
        """Give the room of deleted rows back to the disk, unless another process is at work.

        Raises:
            BadJournal: The file is of no use.
        """
        with self._lock:
            try:
                _shrink(self.connection())
            except sqlite3.OperationalError:
                return  # in use, or no room to do it in: the next time will do
            except _REFUSED as error:
                raise self._failed(error) from error

    def bad(self, why: object, hint: str = "") -> BadJournal:
        """Return the error that says why the history is of no use."""
        if isinstance(why, OSError):
            hint = hint or (remedy(why) if why.errno in _NO_FAULT_OF_IT else "")
            why = reason(why)
        return BadJournal(f"the history `{self.path}` cannot be used: {why}", hint=hint or _HINT)

    def _failed(self, error: Exception) -> BadJournal:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code not in _WAITS:
            # What a failed fsync left behind is not asked again through the same handle.
            with suppress(sqlite3.Error):
                self.close()
        if code == sqlite3.SQLITE_READONLY and self._says_other_writers():
            return self.damaged("it is damaged: its header is not a current SQLite header")
        is_no_text = isinstance(error, UnicodeDecodeError) or "decode to UTF-8" in str(error)
        if code in _DAMAGED - _WHY.keys() or is_no_text:
            return self.damaged(f"it is damaged: {error}")
        why = self._disk.unwritable(self.path) if code in _UNWRITABLE else None
        if why is not None:
            return self.bad(reason(why), remedy(why))
        found = self.bad(*_WHY[code]) if code in _WHY else self.bad(error)
        found.is_damaged = code in _DAMAGED
        return found

    def _says_other_writers(self) -> bool:
        """Tell whether a file is called read only by its own head, which then is not as written.

        SQLite reads it: whoever closes the file otherwise drops the locks that this process has on
        it, another connection's too (https://sqlite.org/howtocorrupt.html, 2.2).
        """
        with suppress(sqlite3.Error), closing(self._plainly_opened()) as connection:
            return connection.serialize()[_WRITER] not in (1, 2)
        return False

    def damaged(self, what: str) -> BadJournal:
        """Return the error for a file that holds something else than a history."""
        self._is_sound = False
        found = self.bad(what, _SAVED)
        found.is_damaged = True
        return found

    def probe(self) -> None:
        """Look at an end of every table, unless nobody else wrote since they were looked at.

        As long as no other connection commits, SQLite gives what it has in hand and asks the disk
        for none of it again: another look would find nothing new.

        Raises:
            BadJournal: It cannot be used.
        """
        if self._disk.kind(self.path) not in {"file", None}:
            raise self.damaged("the file is missing")
        version = self.rows("PRAGMA data_version", {})
        if version and version == self._probed:
            return
        for table in _TABLES:
            self.rows(f"SELECT * FROM {table} ORDER BY 1 DESC LIMIT 1", {})
        self._probed = version

    def check(self) -> None:
        """Look at all of it, once as long as it is open.

        Raises:
            BadJournal: It cannot be used, or is not as it was written.
        """
        self.probe()
        with self._lock:
            if self._is_sound or self._disk.kind(self.path) is None:
                return
            try:
                told = self._reading(fault)
            except _REFUSED as error:
                raise self._failed(error) from error
            if told:
                raise self.damaged(f"it is damaged: {told}")
            self._is_sound = self._open is not None

    def connection(self) -> Connection:
        """Return the connection; a new one if the file is not the one that was opened."""
        inode = self._disk.inode(self.path)
        if self._open is not None and inode != self._inode:
            self.close()
        if self._open is None:
            self._open = self._connect()
            self._inode = inode
        return self._open

    def _reading(self, read: Callable[[Connection], T]) -> T:
        """Return what is read, as the file lies there where nothing can be written beside it.

        Each look opens it anew then, or would never see a change. Without a log beside it nobody
        is writing, and the file alone is whole.
        """
        try:
            return read(self.connection())
        except sqlite3.Error as error:
            if not self._lies_still(error):
                raise
            with suppress(sqlite3.Error), closing(self._plainly_opened(_FROZEN)) as frozen:
                # What an older version wrote is brought up to date by writing.
                if self._version(frozen) == VERSION:
                    register(frozen)
                    return read(frozen)
            raise

    def _lies_still(self, error: sqlite3.Error) -> bool:
        """Tell whether it could not be opened for want of a file beside it, and has no log."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if self._open is not None or code not in _UNWRITABLE:
            return False
        log = self._disk.stamp(self.path.with_name(f"{self.path.name}-wal"))
        return log is None or not log.size

    def _plainly_opened(self, how: str = "mode=rw") -> Connection:
        return sqlite3.connect(
            f"{self.path.absolute().as_uri()}?{how}",  # SQLite's own new files anyone may read
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
        )

    def _look_at_log(self) -> None:
        """Refuse a log of which SQLite would drop changes; who has it open reads it as it is."""
        log, shared = (self.path.with_name(self.path.name + each) for each in ("-wal", "-shm"))
        stamp = self._disk.stamp(log)
        if stamp is None or not stamp.size or self._disk.is_locked(shared):
            return
        try:
            data = self._disk.read(log)
            # Read twice: where locks are not told of, somebody may be writing to it.
            is_broken = read_log(data).is_broken and self._disk.read(log) == data
        except Unreadable:
            if self._disk.kind(log) is not None:
                raise
            return  # who had the history open last has written the pages, and took it away
        if is_broken:
            raise self.damaged("it is damaged: part of its log cannot be read")

    def _connect(self) -> Connection:
        try:
            self._look_at_log()
        except OSError as error:
            raise self.bad(error) from error
        connection = self._plainly_opened()
        try:
            version = self._version(connection)
            if version == 0:
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # before the first table
            register(connection)
            self._begin_log(connection)
            connection.execute("PRAGMA synchronous = FULL")
            if version < VERSION:
                _bring_up_to_date(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _begin_log(self, connection: Connection) -> None:
        """Let a log be written, which only the first who opens a new history changes anything by.

        SQLite waits for a lock that it will get. Where two want to begin at once, each has what the
        other needs, and it refuses one of them without waiting.
        """
        ends = monotonic() + _BUSY_SECONDS
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in _WAITS or monotonic() >= ends:
                    raise
            else:
                return
            self._disk.pause(_AGAIN)

    def _version(self, connection: Connection) -> int:
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version > VERSION:
            raise self.bad("it was written by a newer version of remem", f"update remem; {_AWAY}")
        return version


def _bring_up_to_date(connection: Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have been faster.
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version < 1:
        _run(connection, _FIRST)
    if version < 2:
        _run(connection, _SECOND)
        _date_changes(connection)
    if version < 3:
        _run(connection, _THIRD)
        _tell_who_set_off(connection)
    if version < 4:
        _run(connection, _FOURTH)
    if version < VERSION:
        _run(connection, _FIFTH)
        connection.execute(_UNMARKED)
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


def _tell_who_set_off(connection: Connection) -> None:
    """Write beside each change who set it off; the second version told only who spoke."""
    rows = connection.execute("SELECT seq, actor, logged FROM changes WHERE actor != 'person'")
    for seq, actor, logged in rows.fetchall():
        with suppress(ValueError, KeyError, TypeError):
            told = set_off_before(actor, json.loads(logged)["intent"]["verb"])
            connection.execute("UPDATE changes SET set_off = ? WHERE seq = ?", (told, seq))


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
