"""The journal: one per user, what is being changed and what was.

A running change is an intent file in `running/`, durable before its first effect; a finished one is
a row in `journal.db`. It keeps what it is told and touches no memory. Everything lies in a state
folder that the caller names, which only its owner may read.
"""

import json
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from remem.config import Keep
from remem.disk import keeping
from remem.disk.database import Connection, Database
from remem.disk.history import (
    Actor,
    Logged,
    Parked,
    Running,
    logged_from_json,
    logged_to_json,
    steps_from_json,
)
from remem.disk.intents import Intents
from remem.disk.io import Disk
from remem.disk.outside import Outside, note_outside, outside_from_row
from remem.disk.steps import Step, all_to_json, once_done, paths_of
from remem.errors import NotPossible, UnknownRef

_COLUMNS: Final = "logged, undone, superseded, settled, seq NOT IN (SELECT seq FROM done) AS pruned"
_AT_ROOT: Final = """(root = :root OR seq IN (
    SELECT seq FROM touched WHERE path = :root OR (path > :low AND path < :high)))"""
_PARKED: Final = "path, target, op, number, since, size, digest, tail"


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
        self._intents = Intents(disk, state / "running")
        self._database = Database(disk, state / "journal.db")

    def close(self) -> None:
        """Give the database back; the next call opens it again."""
        self._database.close()

    @property
    def exists(self) -> bool:
        """Whether anything was ever written to it."""
        return self._disk.kind(self._database.path) is not None

    def version(self) -> tuple[int, int] | None:
        """Return what is another value once anybody wrote to it; `None` = nobody ever did."""
        return self._database.version()

    def prepare(self) -> None:
        """Make the state folder and open the database, so that later failures are about a change.

        Raises:
            BadJournal: It cannot be made or opened.
        """
        try:
            self._make_folders()
        except OSError as error:
            raise self._database.bad(error) from error
        self._database.make()
        with self._database.transaction():
            pass

    def begin(self, running: Running) -> None:
        """Write the intent file, durable, before the first effect."""
        self._intents.begin(running)

    def end(self, op: str) -> None:
        """Remove the intent file: nothing of that change is left to do."""
        self._intents.end(op)

    def running(self) -> tuple[tuple[str, Running | None], ...]:
        """Return every running change with its op; `None` for a file that was never written whole.

        Who holds the lock knows that all of them are left over from a crash.
        """
        return self._intents.all()

    def record(
        self, op: str, logged: Logged, steps: Sequence[Step], parked: Sequence[Parked] = ()
    ) -> None:
        """Add a change to the history; redo of what its actor undid at its root ends here.

        Args:
            op: The run that made it.
            logged: What the history tells.
            steps: What it did, in order.
            parked: The files that it swapped out and that may still be written to.
        """
        paths = {os.fsencode(path) for step in steps for path in paths_of(step)}
        origin = logged.origin
        with self._finishing(op) as sql:
            sql.execute(
                "UPDATE changes SET superseded = 1"
                f" WHERE undone > 0 AND actor = :actor AND {_AT_ROOT}",
                {"actor": origin.actor, **_below(origin.root)},
            )
            row = sql.execute(
                "INSERT INTO changes (id, root, actor, at, logged) VALUES (?, ?, ?, ?, ?)",
                (
                    logged.id,
                    os.fsencode(origin.root),
                    origin.actor,
                    int(logged.time.timestamp()),
                    json.dumps(logged_to_json(logged)),
                ),
            )
            _keep_steps(sql, logged.id, steps)
            touched = [(row.lastrowid, path) for path in sorted(paths)]
            sql.executemany("INSERT INTO touched (seq, path) VALUES (?, ?)", touched)
            _park(sql, parked)

    def mark_undone(
        self,
        op: str,
        id: str,  # noqa: A002
        steps: Sequence[Step],
        parked: Sequence[Parked] = (),
    ) -> None:
        """Note that a change was taken back, and what doing it again would do."""
        with self._finishing(op) as sql:
            last = "SELECT COALESCE(MAX(undone), 0) FROM changes WHERE undone > 0"
            sql.execute(
                f"UPDATE changes SET superseded = 0, undone = ({last}) + 1 WHERE id = ?", (id,)
            )
            _keep_steps(sql, id, steps)
            _park(sql, parked)

    def mark_redone(
        self,
        op: str,
        id: str,  # noqa: A002
        steps: Sequence[Step],
        parked: Sequence[Parked] = (),
    ) -> None:
        """Note that a change stands again, and what it did this time."""
        with self._finishing(op) as sql:
            sql.execute("UPDATE changes SET undone = 0 WHERE id = ?", (id,))
            _keep_steps(sql, id, steps)
            _park(sql, parked)

    def mark_held(self, op: str, parked: Sequence[Parked] = ()) -> None:
        """Note that a run which merged a change again has finished."""
        with self._finishing(op) as sql:
            _park(sql, parked)

    def has_finished(self, op: str) -> bool:
        """Tell whether the history holds the outcome of that run."""
        return bool(self._database.rows("SELECT 1 FROM finished WHERE op = :op", {"op": op}))

    def has(self, op: str) -> bool:
        """Tell whether a run, finished or not, has this name."""
        return self._intents.has(op) or self.has_finished(op)

    def changes(self, root: Path, limit: int = 200) -> tuple[Logged, ...]:
        """Return the newest changes made at `root` or touching a path below it, newest first."""
        return self._logged(f"{_AT_ROOT} ORDER BY seq DESC LIMIT :limit", limit=limit, root=root)

    def standing(self, root: Path, limit: int = 500) -> tuple[Logged, ...]:
        """Return the newest changes at `root` that stand and were not settled, newest first."""
        where = f"undone = 0 AND settled = '' AND {_AT_ROOT} ORDER BY seq DESC LIMIT :limit"
        return self._logged(where, limit=limit, root=root)

    def settle(self, id: str, why: Literal["git", "late"]) -> None:  # noqa: A002
        """Note that nobody has to look any more whether this change still stands."""
        with self._database.transaction() as sql:
            sql.execute("UPDATE changes SET settled = ? WHERE id = ?", (why, id))

    def touched_folders(self, root: Path | None = None, limit: int = 200) -> tuple[Path, ...]:
        """Return the folders in which the newest changes had files: of one root, or of all."""
        where = "1" if root is None else _AT_ROOT
        rows = self._database.rows(
            "SELECT DISTINCT path FROM touched WHERE seq IN"
            f" (SELECT seq FROM changes WHERE {where} ORDER BY seq DESC LIMIT :limit)",
            {"limit": limit, **({} if root is None else _below(root))},
        )
        return tuple(sorted({Path(os.fsdecode(path)).parent for (path,) in rows}))

    def roots(self) -> tuple[Path, ...]:
        """Return every root at which a change was made, in the order of their paths."""
        rows = self._database.rows("SELECT DISTINCT root FROM changes ORDER BY root", {})
        return tuple(Path(os.fsdecode(root)) for (root,) in rows)

    def note(self, *changes: Outside) -> tuple[Outside, ...]:
        """Write down changes from outside, all in one transaction; return them numbered.

        What another process noted a moment ago keeps the number that it has.
        """
        if not changes:
            return ()
        self.prepare()
        with self._database.transaction() as sql:
            return tuple(note_outside(sql, each, _below(each.root)) for each in changes)

    def outside(self, root: Path, limit: int = 200) -> tuple[Outside, ...]:
        """Return the newest changes from outside, seen at `root` or below it, newest first.

        Raises:
            BadJournal: A record cannot be read.
        """
        rows = self._database.rows(
            "SELECT number, root, path, before, after, told FROM outside WHERE root = :root"
            " OR path = :root OR (path > :low AND path < :high)"
            " ORDER BY number DESC LIMIT :limit",
            {"limit": limit, **_below(root)},
        )
        try:
            return tuple(map(outside_from_row, rows))
        except ValueError as error:
            raise self._database.bad(error) from error

    def parked(self, fresh: bool = False) -> tuple[Parked, ...]:
        """Return the files that were swapped out and not given up yet, oldest first.

        Args:
            fresh: Only the newest of those whose late lines were put into a live file.
        """
        which = "WHERE tail > 0 ORDER BY since DESC LIMIT 50" if fresh else "ORDER BY since, path"
        rows = self._database.rows(f"SELECT {_PARKED} FROM parked {which}", {})
        return tuple(_parked(row) for row in rows)

    def repark(self, parked: Parked) -> None:
        """Note how a parked file was found this time."""
        with self._database.transaction() as sql:
            _park(sql, [parked])

    def unpark(self, paths: Sequence[Path]) -> None:
        """Forget parked files: they are gone, or nothing can come to them any more."""
        with self._database.transaction() as sql:
            sql.executemany(
                "DELETE FROM parked WHERE path = ?", [(os.fsencode(path),) for path in paths]
            )

    def is_prune_due(self, now: datetime) -> bool:
        """Tell, with one small query, whether a day went by since the last `prune`."""
        return keeping.is_due(self._database.rows(*keeping.last_run()), now)

    def prune(self, keep: Keep, now: datetime) -> None:
        """Forget what is too old or does not fit, and give its room back to the disk.

        Never what recovery or a parked file needs, nor the last changes that can be taken back.

        Raises:
            BadJournal: It cannot be written.
        """
        with self._database.transaction() as sql:
            # Asked inside the transaction: a run that is on record and not cleared up stays known.
            left = self.running()
            needed = {op for op, _ in left} | {run.logged.id for _, run in left if run is not None}
            keeping.prune(sql, keep, now, needed)
        self._database.shrink()

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
            NotPossible: It is so old that only its line in the history was kept.
        """
        rows = self._database.rows(
            "SELECT steps FROM changes LEFT JOIN done USING (seq) WHERE id = :id", {"id": id}
        )
        if not rows:
            return ()
        if rows[0][0] is None:
            raise NotPossible(
                f"what `{id}` did is not kept any more",
                hint="`journal.keep` in your own `config.yaml` says how long changes are kept",
            )
        try:
            return steps_from_json(json.loads(zlib.decompress(rows[0][0])))
        except (ValueError, zlib.error, TypeError) as error:
            raise self._database.bad(error) from error

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
        rows = self._database.rows(f"SELECT {_COLUMNS} FROM changes WHERE {where}", values)
        try:
            return tuple(
                replace(
                    logged_from_json(json.loads(row[0])),
                    undone=row[1] > 0,
                    superseded=row[2] > 0,
                    settled=row[3],
                    pruned=row[4] > 0,
                )
                for row in rows
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise self._database.bad(error) from error

    @contextmanager
    def _finishing(self, op: str) -> Iterator[Connection]:
        with self._database.transaction() as sql:
            sql.execute("INSERT INTO finished (op) VALUES (?)", (op,))
            yield sql

    def _make_folders(self) -> None:
        missing = [
            folder
            for folder in (*reversed(self._state.parents), self._state, self._intents.folder)
            if self._disk.kind(folder) is None
        ]
        for folder in missing:
            with suppress(FileExistsError):
                self._disk.mkdir(folder, 0o700)
            self._disk.sync_folder(folder.parent)


def _keep_steps(sql: Connection, id: str, steps: Sequence[Step]) -> None:  # noqa: A002
    sql.execute(
        "INSERT OR REPLACE INTO done (seq, steps) SELECT seq, ? FROM changes WHERE id = ?",
        (_packed(steps), id),
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


def _park(sql: Connection, parked: Sequence[Parked]) -> None:
    sql.executemany(
        f"INSERT OR REPLACE INTO parked ({_PARKED}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                os.fsencode(each.path),
                os.fsencode(each.target),
                each.op,
                each.number,
                each.since.isoformat(),
                each.size,
                each.digest,
                each.tail,
            )
            for each in parked
        ],
    )


def _parked(row: Sequence[Any]) -> Parked:
    path, target, op, number, since, size, digest, tail = row
    return Parked(
        Path(os.fsdecode(path)),
        Path(os.fsdecode(target)),
        op,
        number,
        datetime.fromisoformat(since),
        size,
        digest,
        tail,
    )
