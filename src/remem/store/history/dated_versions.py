"""What memory files said at dated moments, and which of it a person has seen: one SQLite file.

It knows files, digests and keys of entries; what an entry is, and what counts as seen, is its
callers'. Every text is kept once, compressed, by its digest. All of it can be lost without harm to
memory: what stands then counts as seen.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Final

from remem.base.errors import WriteFailed, reason, remedy
from remem.base.frozen import dataclass
from remem.store.cache_file import make_folders
from remem.store.io import Disk

FORM: Final = 1
"""Of the tables; a file of a newer one is left alone, and there is no inbox then."""
GIT: Final = "git"
"""Why a file is another one, where git alone put it there."""
_NAME: Final = "versions.db"
_ASIDE: Final = ("older", "damaged")
"""Endings of what was put aside."""
_BUSY_SECONDS: Final = 2.0
_LISTED: Final = 200
"""Versions of one file that are kept, the newest."""
_PACK: Final = 96 * 1024
"""Bytes of texts that are compressed together: small ones are like each other."""
_LARGE: Final = 512 * 1024
"""Bytes from which on a text is compressed quickly: a person who decides waits for it. Of a store
of 3 MB it takes 6 ms instead of 15, for a third more bytes."""
_TABLES: Final = """
CREATE TABLE scope (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE file (
    number INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, last TEXT NOT NULL DEFAULT ''
);
CREATE TABLE member (scope INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (scope, file))
    WITHOUT ROWID;
CREATE TABLE pack (number INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE text (digest TEXT PRIMARY KEY, pack INTEGER NOT NULL, start INTEGER, size INTEGER)
    WITHOUT ROWID;
CREATE INDEX text_pack ON text (pack);
CREATE TABLE base (file INTEGER PRIMARY KEY, digest TEXT NOT NULL, at INTEGER NOT NULL);
CREATE TABLE version (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    file INTEGER NOT NULL,
    at INTEGER NOT NULL,
    digest TEXT NOT NULL,
    cause TEXT NOT NULL,
    look INTEGER NOT NULL
);
CREATE INDEX version_file ON version (file, number);
CREATE TABLE own (
    change TEXT NOT NULL,
    file INTEGER NOT NULL,
    marks TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0,
    at INTEGER NOT NULL,
    PRIMARY KEY (change, file)
) WITHOUT ROWID;
CREATE TABLE settled (file INTEGER PRIMARY KEY, token TEXT NOT NULL);
"""
_NAMES: Final = frozenset(re.findall(r"CREATE TABLE (\w+)", _TABLES))


class _OlderForm(sqlite3.DatabaseError):
    """Its tables are those of an older version of remem."""


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

    base: Mapping[str, tuple[str, int]]
    """Path of a file → the digest of what counts as seen of it as a whole, and since when."""
    last: Mapping[str, str]
    """File → the digest of its last version."""
    own: Mapping[str, Marks]
    """File → what remem itself did to it since."""
    settled: Mapping[str, str]
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
        here = "WHERE scope = (SELECT number FROM scope WHERE name = ?)"
        mine = f"JOIN member USING (file) {here}"
        with self._reading() as database:
            files = f"SELECT number, path, last FROM file JOIN member ON file = number {here}"
            found = database.execute(files, [scope]).fetchall()
            paths = {number: os.fsdecode(path) for number, path, _ in found}
            lasts = {paths[number]: last for number, _, last in found}
            base = database.execute(f"SELECT file, digest, at FROM base {mine}", [scope])
            bases = {paths[file]: (digest, at) for file, digest, at in base}
            own: dict[str, Marks] = {}
            rows = database.execute(f"SELECT file, marks FROM own {mine} AND undone = 0", [scope])
            for file, marks in rows:
                add_marks(own.setdefault(paths[file], {}), json.loads(marks))
            rows = database.execute(f"SELECT file, token FROM settled {mine}", [scope])
            return Known(bases, lasts, own, {paths[file]: token for file, token in rows})

    def versions(self, path: Path) -> Sequence[Version]:
        """Return how a file was, the oldest first."""
        with self._reading() as database:
            columns = "version.number, at, digest, cause, look"
            joined = "version JOIN file ON file = file.number"
            asked = f"SELECT {columns} FROM {joined} WHERE path = ? ORDER BY version.number"
            rows = database.execute(asked, (bytes(path),))
            return [Version(row[0], path, *row[1:]) for row in rows]

    def text(self, digest: str) -> bytes | None:
        """Return what a file with that digest held; `None` = that is not kept any more."""
        if not digest:
            return b""
        with self._reading() as database:
            return _text(database, digest)

    def begin(self, scope: str, at: int, files: Mapping[Path, tuple[str, bytes]]) -> None:
        """Take what stands in a scope as seen, but for files that are known already."""
        with self._writing() as database:
            database.execute("INSERT OR IGNORE INTO scope (name) VALUES (?)", (scope,))
            fresh: dict[str, bytes] = {}
            for path, (digest, data) in files.items():
                file = _member(database, scope, path)
                asked = "INSERT OR IGNORE INTO base VALUES (?, ?, ?)"
                if database.execute(asked, (file, digest, 0)).rowcount:
                    fresh[digest] = data
                    _add(database, file, at, digest, "", 0)
            _keep(database, fresh)

    def add(self, scope: str, found: Iterable[tuple[Path, int, str, bytes, str]]) -> None:
        """Add versions: file, moment, digest (empty = it is gone), bytes, and why it is so."""
        with self._writing() as database:
            (last,) = database.execute("SELECT coalesce(max(number), 0) FROM version").fetchone()
            fresh: dict[str, bytes] = {}
            for path, at, digest, data, cause in found:
                file = _member(database, scope, path)
                if digest:
                    fresh[digest] = data
                _add(database, file, at, digest, cause, last + 1)
                database.execute(
                    "DELETE FROM version WHERE file = ? AND number NOT IN (SELECT number FROM "
                    "version WHERE file = ? ORDER BY number DESC LIMIT ?)",
                    (file, file, _LISTED),
                )
            _keep(database, fresh)

    def carry(self, scope: str, moved: Mapping[Path, Path]) -> None:
        """Let files have the versions of those that they were moved from, as earlier ones.

        Args:
            scope: Where they lie now.
            moved: Where a file lay → where it lies.
        """
        both = "SELECT DISTINCT at, digest, cause, look FROM version WHERE"
        with self._writing() as database:
            for source, target in moved.items():
                # That it went from there is no version of what lies here.
                name = (bytes(source),)
                asked = f"{both} digest <> '' AND file = (SELECT number FROM file WHERE path = ?)"
                before = database.execute(asked, name).fetchall()
                if not before:
                    continue
                file = _member(database, scope, target)
                own = database.execute(f"{both} file = ?", (file,)).fetchall()
                (last,) = database.execute(
                    "SELECT last FROM file WHERE number = ?", (file,)
                ).fetchone()
                database.execute("DELETE FROM version WHERE file = ?", (file,))
                rows = sorted({*before, *own}, key=lambda row: (row[0], row[3]))[-_LISTED:]
                for at, digest, cause, look in rows:
                    _add(database, file, at, digest, cause, look)
                if own:
                    database.execute("UPDATE file SET last = ? WHERE number = ?", (last, file))

    def settle(self, found: Mapping[Path, str]) -> None:
        """Note by tokens that nothing in these files is unreviewed."""
        with self._writing() as database:
            rows = [(_file(database, path), token) for path, token in found.items()]
            database.executemany("INSERT OR REPLACE INTO settled VALUES (?, ?)", rows)

    def note_own(self, change: str, at: int, marks: Mapping[Path, Marks]) -> None:
        """Note what a change of remem's did, which nobody has to review."""
        with self._writing() as database:
            for path, found in marks.items():
                row = (change, _file(database, path), json.dumps(found), at)
                database.execute("INSERT OR REPLACE INTO own VALUES (?, ?, ?, 0, ?)", row)

    def set_undone(self, changes: Mapping[str, bool]) -> None:
        """Note which changes of remem's were taken back, or done again."""
        with self._writing() as database:
            rows = [(undone, change) for change, undone in changes.items()]
            database.executemany("UPDATE own SET undone = ? WHERE change = ?", rows)

    def rebase(self, path: Path, digest: str, at: int) -> None:
        """Take a file as seen as it is in one of its versions; what was marked before is in it.

        One to which something was marked since is left as it is: that would count twice.
        """
        with self._writing() as database:
            file = _file(database, path)
            young = "SELECT 1 FROM own WHERE file = ? AND at > ? AND undone = 0"
            if database.execute(young, (file, at)).fetchone() is not None:
                return
            asked = "INSERT OR REPLACE INTO base VALUES (?, ?, ?)"
            database.execute(asked, (file, digest, at))
            database.execute("DELETE FROM own WHERE file = ? AND at <= ?", (file, at))

    def prune(self, before: int, most: int) -> None:
        """Drop texts of versions before a moment, then the oldest until all are small enough.

        What counts as seen of a file, and its last version, are kept.

        Args:
            before: Microseconds since the epoch.
            most: Bytes that all texts may have together.
        """
        fixed = "SELECT digest FROM base UNION SELECT last FROM file"
        with self._writing() as database:
            database.execute(
                f"DELETE FROM text WHERE digest NOT IN ({fixed}) AND digest NOT IN "
                "(SELECT digest FROM version WHERE at >= ?)",
                (before,),
            )
            _clear(database)
            # A pack goes whole, the oldest first, unless something in it is the last of its kind.
            rows = database.execute(
                "SELECT number, length(data) FROM pack WHERE number NOT IN "
                f"(SELECT pack FROM text WHERE digest IN ({fixed})) ORDER BY number"
            ).fetchall()
            asked = "SELECT coalesce(sum(length(data)), 0) FROM pack"
            (total,) = database.execute(asked).fetchone()
            for number, size in rows:
                if total <= most:
                    break
                database.execute("DELETE FROM text WHERE pack = ?", (number,))
                total -= size
            _clear(database)

    def forget(self, path: Path) -> bool:
        """Drop all that is kept of a file; tell whether anything was.

        A baseline that was put aside goes whole: nobody can tell what it holds of the file.
        """
        for ending in _ASIDE:
            aside = self.path.with_name(f"{self.path.name}.{ending}")
            if self._disk.kind(aside) is not None:
                self._disk.unlink(aside)
        with self._writing() as database:
            asked = "SELECT number FROM file WHERE path = ?"
            found = database.execute(asked, (bytes(path),)).fetchone()
            for table in ("base", "version", "own", "settled", "member") if found else ():
                database.execute(f"DELETE FROM {table} WHERE file = ?", found)
            database.execute("DELETE FROM file WHERE path = ?", (bytes(path),))
            needless = "digest NOT IN (SELECT digest FROM version UNION SELECT digest FROM base)"
            packs = database.execute(f"SELECT DISTINCT pack FROM text WHERE {needless}").fetchall()
            database.execute(f"DELETE FROM text WHERE {needless}")
            for pack in packs:
                rest = database.execute("SELECT digest FROM text WHERE pack = ?", pack).fetchall()
                texts = {digest: _text(database, digest) or b"" for (digest,) in rest}
                database.execute("DELETE FROM text WHERE pack = ?", pack)
                _keep(database, texts)
            _clear(database)
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
                database.execute("COMMIT")
            except BaseException:
                if database.in_transaction:  # a full disk ends it by itself
                    database.execute("ROLLBACK")
                raise

    def _connection(self) -> sqlite3.Connection:
        if self._open is not None:
            return self._open
        stamp = self._disk.stamp(self.path)
        if stamp is None:
            self._make()
        database = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            self._need_form(database)
        except BaseException:
            database.close()
            raise
        self._open = database
        if stamp is not None and not stamp.size:
            # Nothing is synced, so this is what a loss of power leaves.
            raise WriteFailed(
                f"`{self.path}` was empty: what stands in memory counts as seen",
                hint="`remem inbox` lists what agents write from now on",
            )
        return database

    def _make(self) -> None:
        try:
            if self._disk.kind(self._folder) is None:
                make_folders(self._disk, self._folder.parent)
                with suppress(FileExistsError):
                    self._disk.mkdir(self._folder, 0o700)
            with suppress(FileExistsError):
                self._disk.close(self._disk.create(self.path))
        except OSError as error:
            why = f"`{self.path}` cannot be made: {reason(error)}"
            raise WriteFailed(why, hint=remedy(error)) from error

    def _need_form(self, database: sqlite3.Connection) -> None:
        (form,) = database.execute("PRAGMA user_version").fetchone()
        if form > FORM:
            raise WriteFailed(
                f"`{self.path}` was written by a newer version of remem",
                hint="update remem; nothing can be shown as unreviewed here",
            )
        database.execute("PRAGMA secure_delete = ON")
        database.execute("PRAGMA synchronous = OFF")  # after a loss of power it is begun anew
        asked = "SELECT name FROM sqlite_master WHERE type = 'table'"
        tables = {str(name) for (name,) in database.execute(asked)}
        if (tables and form < FORM) or (form == FORM and not tables >= _NAMES):
            raise _OlderForm
        if form < FORM:
            database.executescript(f"BEGIN IMMEDIATE;{_TABLES}PRAGMA user_version = {FORM};COMMIT;")

    def _failed(self, error: sqlite3.DatabaseError) -> WriteFailed:
        if isinstance(error, sqlite3.OperationalError):
            why = self._disk.unwritable(self.path)
            if why is not None:
                told = f"`{self.path}` cannot be used now: {reason(why)}"
                return WriteFailed(told, hint=remedy(why))
            return WriteFailed(f"`{self.path}` cannot be used now: {error}", hint="try again")
        self.close()
        is_older = isinstance(error, _OlderForm)
        aside = self.path.with_name(f"{self.path.name}.{'older' if is_older else 'damaged'}")
        with suppress(OSError):
            self._disk.replace(self.path, aside)
        was = "was written by an older version of remem" if is_older else "was damaged"
        told = (
            f"`{self.path}` {was} and lies in `{aside.name}` now: "
            "what stands in memory counts as seen"
        )
        return WriteFailed(told, hint="`remem inbox` lists what agents write from now on")


def add_marks(into: Marks, more: Mapping[str, int]) -> None:
    """Add marks to others."""
    for key, number in more.items():
        into[key] = into.get(key, 0) + number


def _file(database: sqlite3.Connection, path: Path) -> int:
    """Return the number of a file, which it gets where it has none."""
    name = (bytes(path),)
    row = database.execute("SELECT number FROM file WHERE path = ?", name).fetchone()
    if row is None:
        return int(database.execute("INSERT INTO file (path) VALUES (?)", name).lastrowid or 0)
    return int(row[0])


def _member(database: sqlite3.Connection, scope: str, path: Path) -> int:
    """Return the number of a file that lies in a scope."""
    file = _file(database, path)
    asked = "INSERT OR IGNORE INTO member SELECT number, ? FROM scope WHERE name = ?"
    database.execute(asked, (file, scope))
    return file


def _text(database: sqlite3.Connection, digest: str) -> bytes | None:
    asked = "SELECT data, start, size FROM text JOIN pack ON pack = number WHERE digest = ?"
    row = database.execute(asked, (digest,)).fetchone()
    if row is None:
        return None
    data, start, size = row
    return zlib.decompress(data)[start : start + size]


def _keep(database: sqlite3.Connection, texts: Mapping[str, bytes]) -> None:
    """Keep texts by their digests, as many in a pack as are small enough together."""
    asked = "SELECT 1 FROM text WHERE digest = ?"
    new = [d for d in texts if database.execute(asked, (d,)).fetchone() is None]
    while new:
        packed = [new.pop(0)]
        size = len(texts[packed[0]])
        while new and size + len(texts[new[0]]) <= _PACK:
            packed.append(new.pop(0))
            size += len(texts[packed[-1]])
        whole = b"".join(texts[digest] for digest in packed)
        data = zlib.compress(whole, 1 if len(whole) > _LARGE else 6)
        pack = database.execute("INSERT INTO pack (data) VALUES (?)", (data,)).lastrowid
        start = 0
        for digest in packed:
            row = (digest, pack, start, len(texts[digest]))
            database.execute("INSERT INTO text VALUES (?, ?, ?, ?)", row)
            start += len(texts[digest])


def _clear(database: sqlite3.Connection) -> None:
    """Drop packs of which no text is kept."""
    database.execute("DELETE FROM pack WHERE number NOT IN (SELECT pack FROM text)")


def _add(
    database: sqlite3.Connection, file: int, at: int, digest: str, cause: str, look: int
) -> None:
    asked = "INSERT INTO version (file, at, digest, cause, look) VALUES (?, ?, ?, ?, ?)"
    database.execute(asked, (file, at, digest, cause, look))
    database.execute("UPDATE file SET last = ? WHERE number = ?", (digest, file))
