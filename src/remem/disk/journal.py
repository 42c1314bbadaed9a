"""The journal: one per user, what is being changed and what was.

A running change is an intent file in `running/`, durable before its first effect; a finished one is
a row in `journal.db`. It keeps what it is told and touches no memory. Everything lies in a state
folder that the caller names, which only its owner may read.
"""

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any, Final

from remem.disk.history import (
    Actor,
    Logged,
    Running,
    logged_from_json,
    logged_to_json,
    running_from_json,
    running_to_json,
    steps_from_json,
)
from remem.disk.io import Disk, Unreadable
from remem.disk.steps import Step, all_to_json, once_done, paths_of
from remem.errors import UnknownRef, WriteFailed

_VERSION: Final = 1
_BUSY_SECONDS: Final = 5.0
_SCHEMA: Final = """
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
_COLUMNS: Final = "logged, undone, superseded"
_AT_ROOT: Final = """(root = :root OR seq IN (
    SELECT seq FROM touched WHERE path = :root OR (path > :low AND path < :high)))"""


class BadJournal(WriteFailed):
    """The history cannot be read or written; without it nothing is changed."""

    code = "bad-journal"


class Journal:
    """The history of one user; safe to use from threads and from several processes at once."""

    def __init__(self, disk: Disk, state: Path) -> None:
        """Say where it lies; nothing is opened or made before it is needed.

        Args:
            disk: For the intent files.
            state: The state folder; made with mode 0700 on the first write.
        """
        self._disk = disk
        self._state = state
        self._database = state / "journal.db"
        self._folder = state / "running"
        self._open: sqlite3.Connection | None = None
        self._lock = RLock()

    def close(self) -> None:
        """Give the database back; the next call opens it again."""
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._open = None

    def prepare(self) -> None:
        """Make the state folder and open the database, so that later failures are about a change.

        Raises:
            BadJournal: It cannot be made or opened.
        """
        try:
            self._make_folders()
            if self._disk.kind(self._database) is None:
                self._disk.close(self._disk.create(self._database))
        except FileExistsError:
            pass  # another process was faster
        except OSError as error:
            raise self._bad(error) from error
        with self._transaction():
            pass

    def begin(self, running: Running) -> None:
        """Write the intent file, durable, before the first effect."""
        data = json.dumps(running_to_json(running), separators=(",", ":")).encode()
        self._disk.put_new(self._intent(running.op), data, mode=0o600)
        self._disk.sync_folder(self._folder)

    def end(self, op: str) -> None:
        """Remove the intent file: nothing of that change is left to do."""
        with suppress(FileNotFoundError):
            self._disk.unlink(self._intent(op))

    def running(self) -> tuple[tuple[str, Running | None], ...]:
        """Return every running change with its op; `None` for a file that was never written whole.

        Who holds the lock knows that all of them are left over from a crash.
        """
        ops = (name.removesuffix(".json") for name in self._disk.names(self._folder))
        return tuple((op, self._read_intent(op)) for op in ops)

    def record(self, op: str, logged: Logged, steps: Sequence[Step]) -> None:
        """Add a change to the history; redo of what its actor undid at its root ends here."""
        paths = {os.fsencode(path) for step in steps for path in paths_of(step)}
        origin = logged.origin
        with self._finishing(op) as sql:
            sql.execute(
                "UPDATE changes SET superseded = 1"
                f" WHERE undone > 0 AND actor = :actor AND {_AT_ROOT}",
                {"actor": origin.actor, **_below(origin.root)},
            )
            row = sql.execute(
                "INSERT INTO changes (id, root, actor, logged, steps) VALUES (?, ?, ?, ?, ?)",
                (
                    logged.id,
                    os.fsencode(origin.root),
                    origin.actor,
                    json.dumps(logged_to_json(logged)),
                    _packed(steps),
                ),
            )
            touched = [(row.lastrowid, path) for path in sorted(paths)]
            sql.executemany("INSERT INTO touched (seq, path) VALUES (?, ?)", touched)

    def mark_undone(self, op: str, id: str, steps: Sequence[Step]) -> None:  # noqa: A002
        """Note that a change was taken back, and what doing it again would do."""
        with self._finishing(op) as sql:
            sql.execute(
                "UPDATE changes SET steps = ?, superseded = 0,"
                " undone = (SELECT MAX(undone) + 1 FROM changes) WHERE id = ?",
                (_packed(steps), id),
            )

    def mark_redone(self, op: str, id: str, steps: Sequence[Step]) -> None:  # noqa: A002
        """Note that a change stands again, and what it did this time."""
        with self._finishing(op) as sql:
            sql.execute(
                "UPDATE changes SET steps = ?, undone = 0 WHERE id = ?", (_packed(steps), id)
            )

    def has_finished(self, op: str) -> bool:
        """Tell whether the history holds the outcome of that run."""
        return bool(self._rows("SELECT 1 FROM finished WHERE op = :op", {"op": op}))

    def has(self, op: str) -> bool:
        """Tell whether a run, finished or not, has this name."""
        if self._disk.kind(self._intent(op)) is not None:
            return True
        return self.has_finished(op)

    def changes(self, root: Path, limit: int = 200) -> tuple[Logged, ...]:
        """Return the newest changes made at `root` or touching a path below it, newest first."""
        return self._logged(f"{_AT_ROOT} ORDER BY seq DESC LIMIT :limit", limit=limit, root=root)

    def get(self, id: str) -> Logged:  # noqa: A002
        """Return the change with that id, or with the only id that begins so.

        Raises:
            UnknownRef: There is none, or more than one.
        """
        begins = "id = :id OR substr(id, 1, :length) = :id ORDER BY id = :id DESC LIMIT 2"
        found = self._logged(begins, id=id, length=max(1, len(id))) if id.isascii() else ()
        if found and found[0].id == id:
            return found[0]
        if len(found) == 1:
            return found[0]
        several = "several changes begin" if found else "no change has an id that begins"
        raise UnknownRef(f"{several} with `{id}`", hint="see `remem history`")

    def steps(self, id: str) -> tuple[Step, ...]:  # noqa: A002
        """Return what a change did, or would do again, in order.

        Raises:
            BadJournal: The record cannot be read.
        """
        rows = self._rows("SELECT steps FROM changes WHERE id = :id", {"id": id})
        if not rows:
            return ()
        try:
            return steps_from_json(json.loads(zlib.decompress(rows[0][0])))
        except (ValueError, zlib.error, TypeError) as error:
            raise self._bad(error) from error

    def last_to_undo(self, root: Path, actor: Actor) -> Logged | None:
        """Return the newest change at that root by that actor that still stands."""
        return self._newest("undone = 0", "seq", root, actor)

    def last_to_redo(self, root: Path, actor: Actor) -> Logged | None:
        """Return the change that was undone last, if no new one was made since."""
        return self._newest("undone > 0 AND superseded = 0", "undone", root, actor)

    def _newest(self, which: str, order: str, root: Path, actor: Actor) -> Logged | None:
        where = f"{which} AND actor = :actor AND {_AT_ROOT} ORDER BY {order} DESC LIMIT 1"
        return next(iter(self._logged(where, root=root, actor=actor)), None)

    def _logged(self, where: str, root: Path | None = None, **values: object) -> tuple[Logged, ...]:
        if root is not None:
            values |= _below(root)
        rows = self._rows(f"SELECT {_COLUMNS} FROM changes WHERE {where}", values)
        try:
            return tuple(
                logged_from_json(json.loads(row[0]), undone=row[1] > 0, superseded=row[2] > 0)
                for row in rows
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise self._bad(error) from error

    def _rows(self, query: str, values: dict[str, object]) -> list[tuple[Any, ...]]:
        """Read; a journal that was never written is empty and stays unmade."""
        if self._open is None and self._disk.kind(self._database) is None:
            return []
        with self._lock:
            try:
                return self._connection().execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise self._bad(error) from error

    @contextmanager
    def _finishing(self, op: str) -> Iterator[sqlite3.Connection]:
        with self._transaction() as sql:
            sql.execute("INSERT INTO finished (op) VALUES (?)", (op,))
            yield sql

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
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
                raise self._bad(error) from error

    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            self._open = self._connect()
        return self._open

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._database, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            self._make_schema(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _make_schema(self, connection: sqlite3.Connection) -> None:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > _VERSION:
            raise self._bad("a newer remem wrote it")
        if version == _VERSION:
            return
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
            for statement in filter(str.strip, _SCHEMA.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {_VERSION}")
        connection.execute("COMMIT")

    def _make_folders(self) -> None:
        missing = [
            folder
            for folder in (*reversed(self._state.parents), self._state, self._folder)
            if self._disk.kind(folder) is None
        ]
        for folder in missing:
            with suppress(FileExistsError):
                self._disk.mkdir(folder, 0o700)

    def _intent(self, op: str) -> Path:
        return self._folder / f"{op}.json"

    def _read_intent(self, op: str) -> Running | None:
        try:
            return running_from_json(json.loads(self._disk.read(self._intent(op))))
        except (Unreadable, ValueError):
            return None

    def _bad(self, why: object) -> BadJournal:
        return BadJournal(
            f"the history `{self._database}` cannot be used: {why}",
            hint="free space or mend its permissions; moved away, a new history begins",
        )


def _packed(steps: Sequence[Step]) -> bytes:
    return zlib.compress(
        json.dumps(all_to_json(map(once_done, steps)), separators=(",", ":")).encode(), 1
    )


def _below(root: Path) -> dict[str, object]:
    """Return the bounds of all paths below a root: `0` is the character that follows `/`.

    Paths are bytes in the database, for a name on disk need not be text.
    """
    exact = os.fsencode(root)
    folder = exact.rstrip(b"/")
    return {"root": exact, "low": folder + b"/", "high": folder + b"0"}
