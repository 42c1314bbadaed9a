"""The connections of a store of verified memory: SQLite by path, PostgreSQL by address.

It owns how they are opened and what their errors mean to a person. It knows no table but their
version, and never shows a password.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Final, Literal, NoReturn
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool, QueuePool

from remem.base.errors import Refused, reason, remedy
from remem.store.cache_file import make_folders
from remem.store.databases.row_sets import place_of
from remem.store.io import Disk
from remem.systems.facts.database.row_records import BadStore, StoreReadOnly, StoreUnavailable
from remem.systems.facts.database.sqlite_schema import VERSION
from remem.systems.facts.database.tables import (
    has_tables,
    is_whole,
    make_tables,
    version_of,
)

Writes = Literal["", "lightly", "durably"]
BUSY_SECONDS: Final = 10.0
"""How long to wait for other writers; twenty at once take less than one second."""
CONNECT_SECONDS: Final = 10
_PAGES: Final = 4_000
"""Of a file's log before they are put into the file."""
_AGAIN: Final = "wait until it is done and try again"
_SQLITE: Final[dict[int, tuple[str, str]]] = {
    sqlite3.SQLITE_BUSY: ("another program is writing to it", _AGAIN),
    sqlite3.SQLITE_LOCKED: ("another program is writing to it", _AGAIN),
    sqlite3.SQLITE_READONLY: (
        "permission denied",
        "check the permissions of the file and its folder",
    ),
    sqlite3.SQLITE_CANTOPEN: ("it cannot be opened", "check that it and its folder are there"),
    sqlite3.SQLITE_FULL: ("the disk is full", "free some space and try again"),
    sqlite3.SQLITE_IOERR: ("the disk reported an error", "check the disk before you try again"),
    sqlite3.SQLITE_CORRUPT: ("it is damaged", "move it away, or restore a backup"),
    sqlite3.SQLITE_NOTADB: ("it is not a database", "move it away, or restore a backup"),
}
_KINDS: Final[dict[int, type[BadStore | StoreUnavailable]]] = {
    sqlite3.SQLITE_CORRUPT: BadStore,
    sqlite3.SQLITE_NOTADB: BadStore,
    sqlite3.SQLITE_READONLY: StoreReadOnly,
}
_UNWRITABLE: Final = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
}
"""What it says where it can make no files of its own, or not write to them."""
_NEEDS_DRIVER: Final = "install it with `pip install 'remem[postgres]'`"


class Base:
    """One store's database, opened when it is first needed, for all threads of a process."""

    def __init__(
        self, where: Path | str, disk: Disk, tenant: str, busy: float = BUSY_SECONDS
    ) -> None:
        self.path = where if isinstance(where, Path) else None
        self.place = where if isinstance(where, Path) else place_of(where)
        """What edits of its rows call it."""
        self._url = _sqlite_url(where) if isinstance(where, Path) else _url(where)
        if self._url.get_backend_name() == "sqlite" and self.path is None:
            raise BadStore(
                "a SQLite store is named by its path", hint="leave `database.url` out for that"
            )
        self._disk = disk
        self._tenant = tenant
        self._busy = busy
        self._engine: Engine | None = None
        self._inode: int | None = None
        self._is_made = False
        """It can be read, whoever made the tables."""
        self._is_whole = False
        """It has all that this remem makes."""
        self._is_frozen = False
        """It is read as it lies there, since nothing can be written beside it."""
        self._lock = RLock()

    @property
    def name(self) -> str:
        """How messages call it; never with a password."""
        return str(self.path) if self.path else self._url.render_as_string(hide_password=True)

    @property
    def is_there(self) -> bool:
        """Tell whether there is anything to read: a store that was never written has no tables.

        Raises:
            StoreUnavailable: It cannot be asked.
        """
        if self.path is not None and self._disk.kind(self.path) is None:
            return False
        with self._telling():
            self._opened(make=False)
        return self._is_made

    def close(self) -> None:
        """Give every connection back; the next use opens again."""
        with self._lock:
            if self._engine is not None:
                self._engine.dispose()
                self._engine = None
            self._is_made = self._is_whole = self._is_frozen = False

    def make(self) -> None:
        """Make what is not there yet, and nothing else.

        Raises:
            StoreUnavailable: It cannot be made now.
        """
        with self._telling():
            self._opened(make=True)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection on which nothing is written.

        Raises:
            StoreUnavailable: It is locked, gone or out of reach.
            BadStore: It is no store that this remem can use.
        """
        with self._used() as connection:
            yield connection

    @contextmanager
    def writing(self, *, lightly: bool = False) -> Iterator[Connection]:
        """Give a connection whose one transaction ends with the block; made tables included.

        Args:
            lightly: A power failure may take it back: nobody waits for the disk of a file.

        Raises:
            StoreUnavailable: It is locked, gone, read only or out of reach; nothing was written.
            BadStore: It is no store that this remem can use.
        """
        with self._used(writes="lightly" if lightly else "durably") as connection:
            yield connection

    @contextmanager
    def _used(self, writes: Writes = "") -> Iterator[Connection]:
        with self._telling(), _begun(self._opened(make=bool(writes)), writes) as connection:
            self._enter(connection)
            yield connection

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            self._tell(error)
        except sqlite3.Error as error:
            self._tell(DBAPIError(None, None, error))
        except OSError as error:
            message = f"`{self.name}` cannot be used: {reason(error)}"
            raise StoreUnavailable(message, hint=remedy(error)) from error

    def _enter(self, connection: Connection) -> None:
        if connection.dialect.name == "sqlite":
            return
        # For the length of the transaction, so that a pooled connection carries nothing over.
        connection.exec_driver_sql(
            "SELECT set_config('app.current_tenant', %(tenant)s, true), "
            "set_config('lock_timeout', %(wait)s, true)",
            {"tenant": self._tenant, "wait": f"{int(self._busy)}s"},
        )

    def _opened(self, *, make: bool) -> Engine:
        with self._lock:
            if self._engine is None or self._is_replaced() or (make and self._is_frozen):
                self.close()
                if self.path is not None:
                    self._prepare(self.path, make=make)
                self._engine = _engine(self._url, self._busy)
                self._inode = self._disk.inode(self.path) if self.path else None
            if not (self._is_whole if make else self._is_made):
                try:
                    self._engine = self._checked(self._engine, make=make)
                except BadStore:
                    self.close()
                    raise
            return self._engine

    def _checked(self, engine: Engine, *, make: bool) -> Engine:
        """Return the connections to use once it is known what is there."""
        try:
            self._check(engine, make=make)
        except DBAPIError as error:
            if make or not self._can_freeze(error):
                raise
            engine.dispose()
            engine = _engine(self._url, self._busy, frozen=True)
            self._check(engine, make=False)
            self._is_frozen = True
        return engine

    def _can_freeze(self, error: DBAPIError) -> bool:
        """Tell whether a file can be read only as it lies there: its folder takes no lock file.

        Without a `-wal` beside it nobody is writing, and the file alone is whole.
        """
        if self.path is None or _sqlite_code(error) not in _UNWRITABLE:
            return False
        log = self._disk.stamp(self.path.with_name(f"{self.path.name}-wal"))
        return log is None or not log.size

    def _is_replaced(self) -> bool:
        """Tell whether another file has the name now: what is written to the old one is lost."""
        return self.path is not None and self._disk.inode(self.path) != self._inode

    def _prepare(self, path: Path, *, make: bool) -> None:
        if self._disk.kind(path) == "link":
            # What a repository holds must not choose which file of the user's is written to.
            raise Refused(
                f"`{path}` is a link; verified memory is not stored behind links",
                hint="move the file itself here, or set `REMEM_DATABASE_URL`",
            )
        if self._disk.kind(path) is not None:
            return
        if not make:
            raise StoreUnavailable(
                f"there is no `{path}`", hint="storing the first memory creates it"
            )
        make_folders(self._disk, path.parent)
        with suppress(FileExistsError):  # another process was faster
            self._disk.close(self._disk.create(path))

    def _check(self, engine: Engine, *, make: bool) -> None:
        """Find out what is there, and make what is missing if that is wanted."""
        with _begun(engine) as connection:
            found, self._is_made = version_of(connection), has_tables(connection)
            whole = is_whole(connection)
        if found > VERSION:
            raise BadStore(
                f"`{self.name}` was written by a newer version of remem (version "
                f"{found} of its tables)",
                hint="upgrade remem",
            )
        if make and not whole:
            with _begun(engine, "durably") as connection:
                make_tables(connection)
            self._is_made = True
        self._is_whole = make or whole

    def _tell(self, error: DBAPIError) -> NoReturn:
        cause = error.orig
        if isinstance(cause, sqlite3.Error):
            code = _sqlite_code(error)
            disk = self._disk.unwritable(self.path) if self.path and code in _UNWRITABLE else None
            if disk is not None:
                kind = _KINDS.get(code, StoreReadOnly)
                told = f"`{self.name}` cannot be used: {reason(disk)}"
                raise kind(told, hint=remedy(disk)) from error
            why, hint = _SQLITE.get(code, (str(cause), "check that remem created it"))
            kind = _KINDS.get(code, StoreUnavailable if code in _SQLITE else BadStore)
            raise kind(f"`{self.name}` cannot be used: {why}", hint=hint) from error
        why, hint, kind = _postgres_reason(error)
        raise kind(f"`{self.name}` cannot be used: {why}", hint=hint) from error


@contextmanager
def _begun(engine: Engine, writes: Writes = "") -> Iterator[Connection]:
    connection = engine.connect().execution_options(remem_writes=writes)
    with connection, connection.begin():
        yield connection


def _sqlite_code(error: DBAPIError) -> int:
    return (getattr(error.orig, "sqlite_errorcode", None) or 0) & 0xFF


def _engine(url: URL, busy: float, *, frozen: bool = False) -> Engine:
    if url.get_backend_name() == "sqlite":
        if frozen:
            url = url.update_query_dict({"mode": "ro", "immutable": "1"})
        # What is frozen is opened anew for each look, or it would never see a change.
        pool = NullPool if frozen else QueuePool
        engine = create_engine(url, connect_args={"timeout": busy, "uri": True}, poolclass=pool)
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        # Named statements outlive a transaction, which poolers between us and the server forbid.
        arguments = {"connect_timeout": CONNECT_SECONDS, "prepare_threshold": None}
        return create_engine(url, connect_args=arguments, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise BadStore("PostgreSQL needs `psycopg`", hint=_NEEDS_DRIVER) from error


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where `_begin_sqlite` says
    with suppress(sqlite3.OperationalError):  # read only, or another process is at it just now
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA foreign_keys = ON")
    # Each answer logs what it gave out; every twelfth would wait for the disk otherwise.
    connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES}")


def _begin_sqlite(connection: Connection) -> None:
    writes: Writes = connection.get_execution_options().get("remem_writes", "")
    if not writes:
        connection.exec_driver_sql("BEGIN")
        return
    waits = "FULL" if writes == "durably" else "NORMAL"
    connection.exec_driver_sql(f"PRAGMA synchronous = {waits}")
    # A reader that becomes a writer half-way fails where others wrote since; this one waits.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _sqlite_url(path: Path) -> URL:
    return URL.create(
        "sqlite", database=f"file:{quote(bytes(path.absolute()))}", query={"uri": "true"}
    )


def _url(text: str) -> URL:
    scheme, found, rest = text.strip().partition("://")
    if not found:
        raise BadStore(
            "the database URL has no scheme",
            hint="write `postgresql://user@host/database`",
        )
    if scheme in {"postgres", "postgresql"}:
        scheme = "postgresql+psycopg"
    if scheme != "postgresql+psycopg":
        raise BadStore(
            f"`{scheme}` is not a supported database",
            hint="write `postgresql://user@host/database`",
        )
    try:
        return make_url(f"{scheme}://{rest}")
    except (ArgumentError, ValueError) as error:
        raise BadStore(
            "the database URL is not valid",
            hint="write `postgresql://user@host/database`",
        ) from error


def _postgres_reason(error: DBAPIError) -> tuple[str, str, type[BadStore | StoreUnavailable]]:
    state = getattr(error.orig, "sqlstate", None) or ""
    first = (
        str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else "no reason given"
    )
    if state in {"55P03", "40001", "40P01", "57014"}:
        return "another program is writing to it", _AGAIN, StoreUnavailable
    if state == "25006":
        return "it is read-only", "use a server that accepts writes", StoreReadOnly
    if state == "42501":
        return f"permission was denied: {first}", "ask for access to its tables", BadStore
    if state.startswith("28"):
        return "the login was refused", "check user name and password", StoreUnavailable
    if state.startswith(("42", "22", "23")):
        return first, "check that its tables belong to verified memory", BadStore
    return first, "check that the server runs and can be reached", StoreUnavailable
