"""What memory files said at dated moments, and which of it a person has seen: one SQLite file.

It knows files, digests and keys of entries; what an entry is, and what counts as seen, is its
callers'. Every text is kept once, compressed, by its digest. All of it can be lost without harm to
memory: what stands then counts as seen.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Final

from remem.base.errors import WriteFailed
from remem.base.frozen import dataclass
from remem.store.cache_file import make_folders
from remem.store.io import Disk

FORM: Final = 1
"""Of the tables; a file of a newer one is left alone, and there is no inbox then."""
GIT: Final = "git"
"""Why a file is another one, where git alone put it there."""
_NAME: Final = "versions.db"
_BUSY_SECONDS: Final = 2.0
_LISTED: Final = 200
"""Versions of one file that are kept, the newest."""
_TABLES: Final = """
CREATE TABLE scope (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE member (scope TEXT NOT NULL, path BLOB NOT NULL, PRIMARY KEY (scope, path))
    WITHOUT ROWID;
CREATE TABLE text (digest TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE base (path BLOB PRIMARY KEY, digest TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE version (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    path BLOB NOT NULL,
    at INTEGER NOT NULL,
    digest TEXT NOT NULL,
    cause TEXT NOT NULL,
    look INTEGER NOT NULL
);
CREATE INDEX version_path ON version (path, number);
CREATE TABLE own (
    change TEXT NOT NULL,
    path BLOB NOT NULL,
    marks TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0,
    at INTEGER NOT NULL,
    PRIMARY KEY (change, path)
) WITHOUT ROWID;
CREATE TABLE settled (path BLOB PRIMARY KEY, token TEXT NOT NULL) WITHOUT ROWID;
"""
Marks = dict[str, int]
"""Key of an entry → how often more, or less, it counts as seen."""


@dataclass(frozen=True, slots=True)
class Version:
    """How one file was at a moment."""

    number: int
    path: Path
    at: int
    """Microseconds since the epoch."""
    digest: str
    """Empty = it was not there."""
    cause: str
    look: int
    """What was found at one look has one number: a pass over several files is one event."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is kept of the files of one scope."""

    base: Mapping[Path, tuple[str, int]]
    """File → the digest of what counts as seen of it as a whole, and since when."""
    last: Mapping[Path, str]
    """File → the digest of its last version."""
    own: Mapping[Path, Marks]
    """File → what remem itself did to it since."""
    settled: Mapping[Path, str]
    """File → a token for which it was found that nothing in it is unreviewed."""


def folder_in(state: Path) -> Path:
    """Return where in remem's state folder all of it lies."""
    return state / "inbox"


def exists_in(disk: Disk, state: Path) -> bool:
    """Tell whether anything was ever kept."""
    return disk.kind(folder_in(state) / _NAME) == "file"


class DatedVersions:
    """The one file in remem's state folder, for all roots; its owner alone may read it."""

    def __init__(self, disk: Disk, folder: Path) -> None:
        self._disk = disk
        self._folder = folder
        self.path = folder / _NAME
        self._lock = RLock()
        self._open: sqlite3.Connection | None = None
        self.told = ""
        """Why nothing is known any more, once."""

    @property
    def exists(self) -> bool:
        return self._open is not None or self._disk.kind(self.path) == "file"

    def close(self) -> None:
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._open = None

    def version(self) -> int:
        """Return a number that is another one once another process wrote."""
        with self._reading() as database:
            return int(database.execute("PRAGMA data_version").fetchone()[0])

    def is_known(self, scope: str) -> bool:
        """Tell whether that scope was ever opened."""
        if not self.exists:
            return False
        with self._reading() as database:
            asked = "SELECT 1 FROM scope WHERE name = ?"
            return database.execute(asked, (scope,)).fetchone() is not None

    def known(self, scope: str) -> Known:
        """Return what is kept of the files of a scope."""
        mine = "IN (SELECT path FROM member WHERE scope = ?)"
        with self._reading() as database:
            base = database.execute(f"SELECT path, digest, at FROM base WHERE path {mine}", [scope])
            bases = {_path(path): (digest, at) for path, digest, at in base}
            last = database.execute(
                "SELECT path, digest FROM version WHERE number IN "
                f"(SELECT max(number) FROM version WHERE path {mine} GROUP BY path)",
                [scope],
            )
            lasts = {_path(path): digest for path, digest in last}
            own: dict[Path, Marks] = {}
            rows = database.execute(
                f"SELECT path, marks FROM own WHERE undone = 0 AND path {mine}", [scope]
            )
            for path, marks in rows:
                add_marks(own.setdefault(_path(path), {}), json.loads(marks))
            settled = database.execute(
                f"SELECT path, token FROM settled WHERE path {mine}", [scope]
            )
            return Known(bases, lasts, own, {_path(path): token for path, token in settled})

    def versions(self, path: Path) -> Sequence[Version]:
        """Return how a file was, the oldest first."""
        with self._reading() as database:
            columns = "number, at, digest, cause, look"
            asked = f"SELECT {columns} FROM version WHERE path = ? ORDER BY number"
            rows = database.execute(asked, (bytes(path),))
            return [Version(row[0], path, *row[1:]) for row in rows]

    def text(self, digest: str) -> bytes | None:
        """Return what a file with that digest held; `None` = that is not kept any more."""
        if not digest:
            return b""
        with self._reading() as database:
            asked = "SELECT data FROM text WHERE digest = ?"
            row = database.execute(asked, (digest,)).fetchone()
            return zlib.decompress(row[0]) if row is not None else None

    def begin(self, scope: str, at: int, files: Mapping[Path, tuple[str, bytes]]) -> None:
        """Take what stands in a scope as seen, but for files that are known already."""
        with self._writing() as database:
            database.execute("INSERT OR REPLACE INTO scope VALUES (?, ?)", (scope, at))
            for path, (digest, data) in files.items():
                name = bytes(path)
                database.execute("INSERT OR IGNORE INTO member VALUES (?, ?)", (scope, name))
                asked = "INSERT OR IGNORE INTO base VALUES (?, ?, ?)"
                if database.execute(asked, (name, digest, 0)).rowcount:
                    _keep(database, digest, data)
                    _add(database, name, at, digest, "", 0)

    def add(self, scope: str, found: Iterable[tuple[Path, int, str, bytes, str]]) -> None:
        """Add versions: file, moment, digest (empty = it is gone), bytes, and why it is so."""
        with self._writing() as database:
            (last,) = database.execute("SELECT coalesce(max(number), 0) FROM version").fetchone()
            for path, at, digest, data, cause in found:
                name = bytes(path)
                database.execute("INSERT OR IGNORE INTO member VALUES (?, ?)", (scope, name))
                if digest:
                    _keep(database, digest, data)
                _add(database, name, at, digest, cause, last + 1)
                database.execute(
                    "DELETE FROM version WHERE path = ? AND number NOT IN (SELECT number FROM "
                    "version WHERE path = ? ORDER BY number DESC LIMIT ?)",
                    (name, name, _LISTED),
                )

    def settle(self, found: Mapping[Path, str]) -> None:
        """Note by tokens that nothing in these files is unreviewed."""
        with self._writing() as database:
            rows = [(bytes(path), token) for path, token in found.items()]
            database.executemany("INSERT OR REPLACE INTO settled VALUES (?, ?)", rows)

    def note_own(self, change: str, at: int, marks: Mapping[Path, Marks]) -> None:
        """Note what a change of remem's did, which nobody has to review."""
        with self._writing() as database:
            for path, found in marks.items():
                asked = "INSERT OR REPLACE INTO own VALUES (?, ?, ?, 0, ?)"
                database.execute(asked, (change, bytes(path), json.dumps(found), at))

    def set_undone(self, changes: Mapping[str, bool]) -> None:
        """Note which changes of remem's were taken back, or done again."""
        with self._writing() as database:
            rows = [(undone, change) for change, undone in changes.items()]
            database.executemany("UPDATE own SET undone = ? WHERE change = ?", rows)

    def rebase(self, path: Path, digest: str, at: int) -> None:
        """Take a file as seen as it is in one of its versions; what was marked before is in it."""
        name = bytes(path)
        with self._writing() as database:
            asked = "INSERT OR REPLACE INTO base VALUES (?, ?, ?)"
            database.execute(asked, (name, digest, at))
            database.execute("DELETE FROM own WHERE path = ? AND at <= ?", (name, at))

    def prune(self, before: int, most: int) -> None:
        """Drop texts of versions before a moment, then the oldest until all are small enough.

        What counts as seen of a file, and its last version, are kept.

        Args:
            before: Microseconds since the epoch.
            most: Bytes that all texts may have together.
        """
        with self._writing() as database:
            fixed = (
                "SELECT digest FROM base UNION SELECT digest FROM version WHERE number IN "
                "(SELECT max(number) FROM version GROUP BY path)"
            )
            database.execute(
                f"DELETE FROM text WHERE digest NOT IN ({fixed}) AND digest NOT IN "
                "(SELECT digest FROM version WHERE at >= ?)",
                (before,),
            )
            rows = database.execute(
                "SELECT text.digest, length(data) FROM text LEFT JOIN version USING (digest) "
                f"WHERE text.digest NOT IN ({fixed}) GROUP BY text.digest ORDER BY max(number)"
            ).fetchall()
            (total,) = database.execute(
                "SELECT coalesce(sum(length(data)), 0) FROM text"
            ).fetchone()
            for digest, size in rows:
                if total <= most:
                    break
                database.execute("DELETE FROM text WHERE digest = ?", (digest,))
                total -= size

    def forget(self, path: Path) -> bool:
        """Drop all versions of a file that do not stand now; tell whether there were any.

        Its last version counts as seen then, for nothing older is known.
        """
        name = bytes(path)
        with self._writing() as database:
            found = database.execute(
                "SELECT digest FROM version WHERE path = ?", (name,)
            ).fetchall()
            for table in ("base", "version", "own", "settled", "member"):
                database.execute(f"DELETE FROM {table} WHERE path = ?", (name,))
            database.execute(
                "DELETE FROM text WHERE digest NOT IN "
                "(SELECT digest FROM version UNION SELECT digest FROM base)"
            )
        if found:
            with self._reading() as database:
                database.execute("VACUUM")  # what was deleted stands in free pages until then
        return bool(found)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._connection()
            except sqlite3.DatabaseError as error:
                raise self._failed(error) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._reading() as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
            except BaseException:
                database.execute("ROLLBACK")
                raise
            database.execute("COMMIT")

    def _connection(self) -> sqlite3.Connection:
        if self._open is not None:
            return self._open
        if self._disk.kind(self._folder) is None:
            make_folders(self._disk, self._folder.parent)
            with suppress(FileExistsError):
                self._disk.mkdir(self._folder, 0o700)
        if self._disk.kind(self.path) is None:
            with suppress(FileExistsError):
                self._disk.close(self._disk.create(self.path))
        database = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            self._need_form(database)
        except BaseException:
            database.close()
            raise
        self._open = database
        return database

    def _need_form(self, database: sqlite3.Connection) -> None:
        (form,) = database.execute("PRAGMA user_version").fetchone()
        if form > FORM:
            raise WriteFailed(
                f"`{self.path}` was written by a newer remem",
                hint="use that one; nothing is told to be unreviewed here",
            )
        database.execute("PRAGMA secure_delete = ON")
        database.execute("PRAGMA synchronous = OFF")  # after a loss of power it is begun anew
        if form < FORM:
            database.executescript(f"BEGIN IMMEDIATE;{_TABLES}PRAGMA user_version = {FORM};COMMIT;")

    def _failed(self, error: sqlite3.DatabaseError) -> WriteFailed:
        if isinstance(error, sqlite3.OperationalError):
            return WriteFailed(f"`{self.path}` cannot be used now: {error}", hint="try again")
        self.close()
        aside = self.path.with_name(f"{self.path.name}.damaged")
        with suppress(OSError):
            self._disk.replace(self.path, aside)
        self.told = (
            f"`{self.path}` was damaged and lies in `{aside.name}` now: "
            "what stands in memory counts as seen"
        )
        return WriteFailed(self.told, hint="`remem inbox` tells what agents write from now on")


def add_marks(into: Marks, more: Mapping[str, int]) -> None:
    """Add marks to others."""
    for key, number in more.items():
        into[key] = into.get(key, 0) + number


def _keep(database: sqlite3.Connection, digest: str, data: bytes) -> None:
    asked = "SELECT 1 FROM text WHERE digest = ?"
    if database.execute(asked, (digest,)).fetchone() is None:
        row = (digest, zlib.compress(data, 6))
        database.execute("INSERT INTO text VALUES (?, ?)", row)


def _add(
    database: sqlite3.Connection, path: bytes, at: int, digest: str, cause: str, look: int
) -> None:
    asked = "INSERT INTO version (path, at, digest, cause, look) VALUES (?, ?, ?, ?, ?)"
    database.execute(asked, (path, at, digest, cause, look))


def _path(name: bytes) -> Path:
    return Path(name.decode("utf-8", "surrogateescape"))
