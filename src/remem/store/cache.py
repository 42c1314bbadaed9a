"""What was worked out once, for every door and process: one SQLite file that can be thrown away.

It knows digests and bytes. An answer is named by all that it was made of, remem's own code among
it, so that none is ever out of date: what changed is asked for under another name. What is damaged,
in use or was never kept is absent, and a folder that cannot be written only means that nothing is
kept. Nothing else depends on it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Final, TypeAlias

from remem.store.io import Disk

if TYPE_CHECKING:
    import sqlite3

Part: TypeAlias = str | bytes | int | Callable[[], str]
"""What takes long to work out is asked for where there is something that it may name."""

_NAME: Final = "answers.db"
_BUSY_SECONDS: Final = 0.2
_NAME_BYTES: Final = 20
_CHECK_BYTES: Final = 8
_CODE: Final = Path(__file__).parents[1]
_MOST: Final = 64 << 20
"""Bytes of the file from which on what was not asked for longest goes."""
_ASKED: Final = "SELECT data, used FROM answer WHERE name = ?"
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS answer (
    number INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, data BLOB NOT NULL, used INTEGER NOT NULL
)
"""


@cache
def _own_code() -> bytes:
    """Return how remem's files were when this process first asked; it goes on with that code."""
    return Disk().stamp_below(_CODE, ".py")


class Cache:
    """Answers by what they were made of; reading never makes the file, and `keep` alone writes."""

    keeps = True
    """False where it is not worth while to make anything for it."""

    def __init__(
        self, disk: Disk, folder: Path, day: int = 0, *, most: int = _MOST, code: Path | None = None
    ) -> None:
        """Say where it is; nothing is read yet.

        Args:
            disk: The seam for files.
            folder: Of remem's caches; made when something is kept.
            day: Today, as a number that grows: what was used longest ago goes first.
            most: Bytes that the file may take.
            code: Where the files lie that make the answers; `None` = remem's own.
        """
        self._code = code
        self._disk = disk
        self.path = folder / _NAME
        self._day = day
        self._most = most
        self._lock = RLock()
        self._base: sqlite3.Connection | None = None
        self._is_absent = False
        """It was looked for and cannot be read."""
        self._found: set[bytes] = set()
        """What was found and was not used today."""
        self._coming: dict[bytes, bytes] = {}
        self._newest: dict[Hashable, tuple[bytes, Callable[[], bytes]]] = {}

    def get(self, kind: str, *parts: Part) -> bytes | None:
        """Return an answer of a kind, named by all that it was made of; `None` = it is absent."""
        with self._lock:
            base = self._reading()
            if base is None and not self._coming and not self._newest:
                return None  # before it is named: for that every file of the code is looked at
            name = self._named(kind, parts)
            if name in self._coming:
                return zlib.decompress(self._coming[name])
            for newest, make in self._newest.values():
                if newest == name:
                    return make()
            if base is None:
                return None
            import sqlite3

            try:
                row = base.execute(_ASKED, (name,)).fetchone()
            except sqlite3.Error:
                self._let_go(is_absent=True)
                return None
        data = None if row is None else _checked(name, row[0])
        if data is not None and row[1] != self._day:
            self._found.add(name)
        return data

    def put(self, data: bytes, kind: str, *parts: Part) -> None:
        """Have an answer kept when `keep` is called next."""
        with self._lock:
            self._coming[self._named(kind, parts)] = zlib.compress(data, 1)

    def put_newest(self, of: Hashable, make: Callable[[], bytes], kind: str, *parts: Part) -> None:
        """Have an answer kept like `put`, and no older one of the same thing that still waits.

        Args:
            of: What has a new answer whenever it changes.
            make: Returns the answer, when it is kept.
            kind: As for `put`.
            parts: All that it was made of.
        """
        with self._lock:
            self._newest[of] = self._named(kind, parts), make

    def keep(self) -> bool:
        """Write what is to be kept; tell whether that was done. Call it when nobody waits."""
        with self._lock:
            coming, self._coming = self._coming, {}
            newest, self._newest = self._newest, {}
            coming |= {name: zlib.compress(make(), 1) for name, make in newest.values()}
            found, self._found = self._found, set()
            if not coming:
                return False
            import sqlite3

            for _ in range(2):  # one that is damaged is thrown away, and a new one is begun
                try:
                    with self._writing() as base:
                        _write(base, coming, found, self._day)
                        self._bound(base)
                except OSError:
                    return False
                except sqlite3.Error as error:
                    if _is_of_the_moment(error) or not self._throw_away():
                        return False
                else:
                    return True
            return False

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._let_go(is_absent=False)

    @cached_property
    def _of_this_code(self) -> blake2b:
        """What tells this remem from every other one: its own files, as they are."""
        code = self._code
        stamp = _own_code() if code is None else self._disk.stamp_below(code, ".py")
        return blake2b(stamp, digest_size=_NAME_BYTES)

    def _named(self, kind: str, parts: Sequence[Part]) -> bytes:
        digest = self._of_this_code.copy()
        for part in (kind, *(each() if callable(each) else each for each in parts)):
            data = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
            digest.update(b"%c%d:" % (type(part).__name__[0].encode(), len(data)))
            digest.update(data)
        return digest.digest()

    def _reading(self) -> sqlite3.Connection | None:
        if self._base is None and not self._is_absent:
            self._is_absent = True
            if self._disk.kind(self.path) == "file":
                import sqlite3

                with suppress(sqlite3.Error):
                    self._base = self._connected("ro")
                    self._is_absent = False
        return self._base

    def _connected(self, mode: str) -> sqlite3.Connection:
        import sqlite3

        return sqlite3.connect(
            f"{self.path.as_uri()}?mode={mode}",
            uri=True,
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Give a transaction of its own, in which nothing waits for the disk."""
        from remem.store.cache_file import make_folders

        self._let_go(is_absent=False)
        if self._disk.kind(self.path) is None:
            make_folders(self._disk, self.path.parent)
            self._disk.close(self._disk.create(self.path))  # its owner alone may read it
        base = self._connected("rw")
        try:
            base.execute("PRAGMA auto_vacuum = FULL")
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = OFF")
            base.execute("BEGIN IMMEDIATE")
            base.execute(_TABLE)
            yield base
            base.execute("COMMIT")
        finally:
            base.close()

    def _bound(self, base: sqlite3.Connection) -> None:
        """Let what was not used longest go where there is too much."""
        pages, size, free = (
            base.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "page_size", "freelist_count")
        )
        if (pages - free) * size <= self._most:
            return
        sizes = "SELECT number, length(data) + 64 FROM answer ORDER BY used DESC, number DESC"
        left, gone = self._most // 2, list[tuple[int]]()
        for number, takes in base.execute(sizes):
            left -= takes
            if left < 0:
                gone.append((number,))
        base.executemany("DELETE FROM answer WHERE number = ?", gone)

    def _throw_away(self) -> bool:
        """Take away a file that cannot be used; tell whether it is gone."""
        self._let_go(is_absent=False)
        for end in ("-wal", "-shm", ""):
            with suppress(OSError):
                self._disk.unlink(self.path.with_name(self.path.name + end))
        return self._disk.kind(self.path) is None

    def _let_go(self, *, is_absent: bool) -> None:
        base, self._base = self._base, None
        self._is_absent = is_absent
        if base is not None:
            base.close()


class NoCache(Cache):
    """Keeps nothing: for tests, and where nobody says where caches lie."""

    keeps = False

    def __init__(self) -> None:
        """Take no folder."""

    def get(self, kind: str, *parts: Part) -> bytes | None:
        return None

    def put(self, data: bytes, kind: str, *parts: Part) -> None:
        return

    def put_newest(self, of: Hashable, make: Callable[[], bytes], kind: str, *parts: Part) -> None:
        return

    def keep(self) -> bool:
        return False

    def close(self) -> None:
        return


def _is_of_the_moment(error: sqlite3.Error) -> bool:
    """Tell whether nothing is wrong with the file itself: it is in use, or may not be written."""
    import sqlite3 as sql

    code = getattr(error, "sqlite_errorcode", sql.SQLITE_ERROR) & 0xFF
    in_use = {sql.SQLITE_BUSY, sql.SQLITE_LOCKED}
    refused = {sql.SQLITE_READONLY, sql.SQLITE_CANTOPEN, sql.SQLITE_PERM}
    return code in {*in_use, *refused, sql.SQLITE_FULL, sql.SQLITE_IOERR}


def _write(
    base: sqlite3.Connection, coming: dict[bytes, bytes], found: Iterable[bytes], day: int
) -> None:
    rows = ((name, _check(name, data) + data, day) for name, data in coming.items())
    base.executemany("INSERT OR REPLACE INTO answer (name, data, used) VALUES (?, ?, ?)", rows)
    base.executemany("UPDATE answer SET used = ? WHERE name = ?", ((day, name) for name in found))


def _check(name: bytes, data: bytes) -> bytes:
    return blake2b(name + data, digest_size=_CHECK_BYTES).digest()


def _checked(name: bytes, kept: object) -> bytes | None:
    """Return what was kept under a name, unless a bit of it is another one."""
    if not isinstance(kept, bytes) or _check(name, kept[_CHECK_BYTES:]) != kept[:_CHECK_BYTES]:
        return None
    try:
        return zlib.decompress(kept[_CHECK_BYTES:])
    except zlib.error:
        return None
