"""The journal: one per user, what is being changed and what was.

A running change is an intent file in `running/`, durable before its first effect; a finished one is
a row in `journal.db`. It keeps what it is told and touches no memory. Everything lies in a state
folder that the caller names, which only its owner may read.
"""

import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, Literal

from remem.base.errors import NotPossible, UnknownRef
from remem.store.changes.steps import Step, all_to_json, once_done, paths_of
from remem.store.databases.database_log import read_log
from remem.store.history import journal_retention
from remem.store.history.external_changes import Kept, Outside, note_outside, outside_from_row
from remem.store.history.journal_checksums import (
    SEALED,
    is_sound,
    seal,
    seal_of,
    seal_of_paths,
    setting,
)
from remem.store.history.journal_database import BadJournal, Connection, Database
from remem.store.history.journal_records import (
    Left,
    Logged,
    Parked,
    Running,
    logged_from_text,
    logged_to_json,
    name_was_picked,
    running_from_json,
    running_to_json,
    steps_from_json,
)
from remem.store.history.journal_retention import Keep
from remem.store.history.journal_salvage import salvage
from remem.store.io import Disk
from remem.store.running_changes import Intents, Unread
from remem.store.unfinished import RUNNING

_COLUMNS: Final = (
    "logged, undone, superseded, settled, seq NOT IN (SELECT seq FROM done) AS pruned, follows,"
    f" {is_sound('changes')}"
)
NOT_KEPT: Final = "`remem config set journal.keep.days` sets how long changes are kept"
_AT_ROOT: Final = """(root = :root OR seq IN (
    SELECT seq FROM touched WHERE path = :root OR (path > :low AND path < :high)))"""
_LATE: Final = 1000
"""Changes with which entries vanished, or that came late, among which those are looked for."""
_PARKED: Final = ", ".join(SEALED["parked"])


class Journal:
    """The history of one user; safe to use from threads and from several processes at once."""

    def __init__(self, disk: Disk, state: Path, *, outside: Kept | None = None) -> None:
        """Say where it lies; nothing is opened or made before it is needed.

        Args:
            disk: For the intent files.
            state: The state folder; made with mode 0700 on the first write.
            outside: How much of what others changed is kept.
        """
        self._kept_outside = outside or Kept()
        self._disk = disk
        self._state = state
        self._intents = Intents(disk, state / RUNNING)
        self.database = Database(disk, state / "journal.db")
        self._prepared: int | None = None
        """The file that was found to be of use."""
        self.told: list[str] = []
        """What was mended, in sentences, until somebody takes it."""

    def close(self) -> None:
        """Give the database back; the next call opens it again."""
        self.database.close()

    @property
    def path(self) -> Path:
        """The file that it is kept in."""
        return self.database.path

    @property
    def was_begun(self) -> bool:
        """Whether there is a history, or there was one."""
        return self.exists or self._is_lost()

    @property
    def exists(self) -> bool:
        """Whether anything was ever written to it."""
        return self._disk.kind(self.database.path) is not None

    def version(self) -> tuple[int, int] | None:
        """Return what is another value once anybody wrote to it; `None` = nobody ever did."""
        return self.database.version()

    def prepare(self) -> None:
        """Make the state folder and open the database, so that later failures are about a change.

        Raises:
            BadJournal: It cannot be made or opened.
        """
        if self._is_lost():
            raise self.database.damaged("it is empty or missing")
        try:
            self._make_folders(self._state)
        except OSError as error:
            raise self.database.bad(error) from error
        self.database.make()
        self.database.probe()
        with self.database.transaction():
            pass
        try:  # last: where it stands there is a history, or there was one
            self._make_folders(self._intents.folder)
        except OSError as error:
            raise self.database.bad(error) from error

    def ready(self) -> None:
        """Prepare it once: a change of rows alone is written down here before its rows are written.

        Raises:
            BadJournal: It cannot be made or opened.
        """
        path, folder = self.database.path, self._intents.folder
        is_there = self._disk.kind(folder) is not None
        if not is_there or self._prepared is None or self._disk.inode(path) != self._prepared:
            self.prepare()
            self._prepared = self._disk.inode(path)

    def damage(self) -> BadJournal | None:
        """Return why the history is of no use as it stands; `None` = it is, or there never was one.

        All of it is looked at, once as long as it is open.
        """
        if self._is_lost():
            return self.database.damaged("it is empty or missing")
        try:
            self.database.check()
        except BadJournal as error:
            return error
        return None

    def mend(self, now: datetime) -> str:
        """Put a damaged history aside, begin a new one with all that can be read of it, say so.

        Only under the lock of all who write.

        Raises:
            BadJournal: There is no room for a new one.
        """
        self.database.close()
        path = self.database.path
        saved, beside = path.with_name(f"{path.name}-saved"), self._aside(now)
        try:
            # Where none is in its place and one is saved, somebody was killed between the renames.
            if self._disk.kind(path) is not None or self._disk.kind(saved) is None:
                self._save(saved)
                self._put_aside(path, beside, "")
            # Before the new one has its name: SQLite would write the pages of this log into it.
            for ending in ("-wal", "-shm"):
                self._put_aside(path, beside, ending)
            self._disk.rename(saved, path)
            self._disk.sync_folder(self._state)
        except OSError as error:
            raise self.database.bad(error) from error
        ((count,),) = self.database.rows("SELECT count(*) FROM changes", {})
        changes = "1 change" if count == 1 else f"{count:,} changes"
        lies = f"; the old file is `{beside}`" if self._disk.kind(beside) is not None else ""
        told = f"the history was damaged: {changes} recovered and can be undone{lies}"
        self.told.append(told)
        return told

    def _put_aside(self, path: Path, beside: Path, ending: str) -> None:
        old = path.with_name(path.name + ending)
        if self._disk.kind(old) is not None:
            self._disk.rename(old, beside.with_name(beside.name + ending))

    def _save(self, saved: Path) -> None:
        """Make a new history of what can be read, out of a copy: what is there stays as it is.

        It has its name once it is whole.
        """
        path = self.database.path
        copy, part = (saved.with_name(f"{path.name}-{each}") for each in ("read", "part"))
        leftover = [
            each.with_name(each.name + ending)
            for each in (copy, part)
            for ending in ("-shm", "-wal", "")
        ]
        self._drop([*leftover, saved])
        new = Database(self._disk, part)
        try:
            new.make()
            with new.transaction() as sql:
                if self._disk.kind(path) == "file":
                    self._disk.put_new(copy, self._with_its_log(path), mode=0o600)
                    salvage(copy, sql)
            new.close()
            self._disk.rename(part, saved)
        finally:
            new.close()
            self._drop(leftover)

    def _with_its_log(self, path: Path) -> bytes:
        """Return a database with all that its log says, the part too that SQLite would drop."""
        log = path.with_name(f"{path.name}-wal")
        data = self._disk.read(path)
        if self._disk.kind(log) != "file":
            return data
        return read_log(self._disk.read(log)).applied_to(data)

    def _drop(self, paths: Iterable[Path]) -> None:
        for path in paths:
            with suppress(OSError):
                self._disk.unlink(path)

    def _aside(self, now: datetime) -> Path:
        base = self.database.path.with_name(f"journal.db.damaged-{now:%Y%m%dT%H%M%S}")
        names = (base, *(base.with_name(f"{base.name}-{n}") for n in range(2, 1000)))
        return next(name for name in names if self._disk.kind(name) is None)

    def _is_lost(self) -> bool:
        """Tell whether there is no history though there was one: `running` comes with the first."""
        path = self.database.path
        if self._disk.kind(self._intents.folder) is None:
            return False
        if self._disk.kind(path) is None:
            return True
        stamp = self._disk.stamp(path)
        wal = path.with_name(path.name + "-wal")
        return stamp is not None and stamp.size == 0 and self._disk.kind(wal) is None

    def begin(self, running: Running) -> None:
        """Write the intent file, durable, before the first effect."""
        self._intents.begin(running)

    def end(self, op: str) -> None:
        """Remove the intent file: nothing of that change is left to do."""
        self._intents.end(op)

    def place_of(self, op: str) -> Path:
        """Return the intent file of a change that is under way."""
        return self._intents.place_of(op)

    def running(self) -> tuple[tuple[str, Running | Unread], ...]:
        """Return every running change with its op, or why nothing can be said of it.

        Who holds the lock knows that all of them are left over from a crash.
        """
        return self._intents.all()

    def record(
        self,
        op: str,
        logged: Logged,
        steps: Sequence[Step],
        parked: Sequence[Parked] = (),
        left: Sequence[Left] = (),
    ) -> None:
        """Add a change to the history; if a person set it off, redo at its root ends here.

        Args:
            op: The run that made it.
            logged: What the history tells.
            steps: What it did, in order.
            parked: The files that it swapped out and that may still be written to.
            left: How it left the files.
        """
        with self._finishing(op, left) as sql:
            _add(sql, logged, steps)
            _park(sql, parked)

    def expect(self, running: Running) -> None:
        """Write down, durable, a change of rows alone before its rows are written.

        Raises:
            BadJournal: It cannot be written.
        """
        told = json.dumps(running_to_json(running), separators=(",", ":"))
        with self.database.transaction() as sql:
            sql.execute(
                "INSERT INTO coming (op, running, mark) VALUES (?, ?, ?)",
                (running.op, told, seal(running.op, told)),
            )

    def expected(self) -> tuple[Running, ...]:
        """Return the changes of rows alone that are under way, or were cut short."""
        found: list[Running] = []
        query = f"SELECT running, {is_sound('coming')} FROM coming ORDER BY op"
        for told, is_as_written in self.database.rows(query, {}):
            if not is_as_written:
                raise self.database.damaged("a change of facts in it is damaged")
            with suppress(ValueError, TypeError):
                found.append(running_from_json(json.loads(told)))
        return tuple(found)

    def came(self, running: Running, left: Sequence[Left]) -> None:
        """Put a change, whose rows are written, into the history, unless it is there.

        Somebody may have given it up meanwhile, who took a slow writer for a dead one. Nobody waits
        for the disk: until it has it, the change is still expected.

        Raises:
            BadJournal: It cannot be written; it is still expected.
        """
        with self.database.transaction(lightly=True) as sql:
            _forget(sql, running.op)
            if not sql.execute("SELECT 1 FROM finished WHERE op = ?", (running.op,)).fetchone():
                _finish(sql, running.op, left)
                _add(sql, replace(running.logged, settled="rows"), running.steps)

    def came_not(self, running: Running) -> None:
        """Forget an expected change, as its rows were not written and will not be."""
        with self.database.transaction(lightly=True) as sql:
            _forget(sql, running.op)

    def mark_undone(
        self,
        op: str,
        id: str,  # noqa: A002
        steps: Sequence[Step],
        parked: Sequence[Parked] = (),
        undone_as: str = "",
        left: Sequence[Left] = (),
    ) -> None:
        """Note that a change was taken back, and what doing it again would do.

        Args:
            op: The run that took it back.
            id: The change.
            steps: What doing it again would do.
            parked: The files that were swapped out and that may still be written to.
            undone_as: The change that it was taken back with; empty = for itself.
            left: How the run left the files.
        """
        with self._finishing(op, left) as sql:
            last = "SELECT COALESCE(MAX(undone), 0) FROM changes WHERE undone > 0"
            values = setting("changes", superseded="0", undone=f"({last}) + 1", undone_as=":with")
            sql.execute(
                f"UPDATE changes SET {values} WHERE id = :id", {"id": id, "with": undone_as or id}
            )
            _keep_steps(sql, id, steps)
            _park(sql, parked)

    def mark_redone(
        self,
        op: str,
        id: str,  # noqa: A002
        steps: Sequence[Step],
        parked: Sequence[Parked] = (),
        left: Sequence[Left] = (),
    ) -> None:
        """Note that a change stands again, and what it did this time."""
        with self._finishing(op, left) as sql:
            values = setting("changes", undone="0", undone_as="''")
            sql.execute(f"UPDATE changes SET {values} WHERE id = ?", (id,))
            _keep_steps(sql, id, steps)
            _park(sql, parked)

    def mark_held(self, op: str, parked: Sequence[Parked] = (), left: Sequence[Left] = ()) -> None:
        """Note that a run which merged a change again has finished."""
        with self._finishing(op, left) as sql:
            _park(sql, parked)

    def has_finished(self, op: str) -> bool:
        """Tell whether the history holds the outcome of that run."""
        return bool(self.database.rows("SELECT 1 FROM finished WHERE op = :op", {"op": op}))

    def has(self, op: str) -> bool:
        """Tell whether a run, finished or not, has this name."""
        known = (
            "SELECT 1 FROM finished WHERE op = :op UNION ALL SELECT 1 FROM coming WHERE op = :op"
        )
        return self._intents.has(op) or bool(self.database.rows(known, {"op": op}))

    def changes(self, root: Path, limit: int = 200) -> tuple[Logged, ...]:
        """Return the newest changes made at `root` or touching a path below it, newest first."""
        return self._logged(f"{_AT_ROOT} ORDER BY seq DESC LIMIT :limit", limit=limit, root=root)

    def standing(
        self, root: Path, limit: int = 500, *, with_git: bool = False
    ) -> tuple[Logged, ...]:
        """Return the newest changes at `root` that stand and were not settled, newest first.

        Args:
            root: Where they were made, or a file below it.
            limit: How many.
            with_git: Those too that git moved over: it may bring them back.
        """
        settled = "settled IN ('', 'git')" if with_git else "settled = ''"
        where = f"undone = 0 AND {settled} AND {_AT_ROOT} ORDER BY seq DESC LIMIT :limit"
        return self._logged(where, limit=limit, root=root)

    def settle(self, id: str, why: Literal["git", "late", ""]) -> None:  # noqa: A002
        """Note that nobody has to look any more whether this change still stands; empty = again."""
        with self.database.transaction() as sql:
            values = setting("changes", settled=":why")
            sql.execute(f"UPDATE changes SET {values} WHERE id = :id", {"id": id, "why": why})

    def touched_folders(self, limit: int = 200) -> tuple[Path, ...]:
        """Return the folders in which the newest changes had files, at whichever root."""
        rows = self.database.rows(
            "SELECT DISTINCT path FROM touched WHERE seq IN"
            " (SELECT seq FROM changes ORDER BY seq DESC LIMIT :limit)",
            {"limit": limit},
        )
        return tuple(sorted({Path(os.fsdecode(path)).parent for (path,) in rows}))

    def roots(self) -> tuple[Path, ...]:
        """Return every root at which a change was made, in the order of their paths."""
        rows = self.database.rows("SELECT DISTINCT root FROM changes ORDER BY root", {})
        return tuple(Path(os.fsdecode(root)) for (root,) in rows)

    def note(self, *changes: Outside) -> tuple[Outside, ...]:
        """Write down changes from outside, all in one transaction; return them numbered.

        What another process noted a moment ago keeps the number that it has.
        """
        if not changes:
            return ()
        self.prepare()
        with self.database.transaction() as sql:
            kept = self._kept_outside
            return tuple(note_outside(sql, each, _below(each.root), kept) for each in changes)

    def outside(self, root: Path, limit: int = 200) -> tuple[Outside, ...]:
        """Return the newest changes from outside, seen at `root` or below it, newest first.

        Raises:
            BadJournal: A record cannot be read.
        """
        return self._outside(root, limit, "")

    def late(self, root: Path) -> tuple[Outside, ...]:
        """Return what came late to files at `root` and could not be put into them, newest first.

        Raises:
            BadJournal: A record cannot be read.
        """
        found = self._outside(root, _LATE, "AND vanished > 0")
        return tuple(each for each in found if each.cause == "late")

    def with_vanished(self, root: Path, limit: int, *, since: int = 0) -> tuple[Outside, ...]:
        """Return the newest changes from outside with which entries vanished, newest first.

        Args:
            root: Where they were seen, or above it.
            limit: Of how many.
            since: Only what was noted after the one with this number.

        Raises:
            BadJournal: A record cannot be read.
        """
        found = self._outside(root, limit, f"AND vanished > 0 AND number > {since:d}")
        return tuple(each for each in found if each.vanished)

    def _outside(self, root: Path, limit: int, which: str) -> tuple[Outside, ...]:
        rows = self.database.rows(
            f"SELECT number, root, path, before, after, told, {is_sound('outside')} FROM outside"
            " WHERE (root = :root OR path = :root OR (path > :low AND path < :high))"
            f" {which} ORDER BY number DESC LIMIT :limit",
            {"limit": limit, **_below(root)},
        )
        try:
            return tuple(map(outside_from_row, rows))
        except ValueError as error:
            raise self.database.damaged(str(error)) from error

    def parked(self, fresh: bool = False) -> tuple[Parked, ...]:
        """Return the files that were swapped out and not given up yet, oldest first.

        Args:
            fresh: Only the newest of those whose late lines were put into a live file.
        """
        which = "WHERE tail > 0 ORDER BY since DESC LIMIT 50" if fresh else "ORDER BY since, path"
        columns = f"{_PARKED}, {is_sound('parked')}"
        rows = self.database.rows(f"SELECT {columns} FROM parked {which}", {})
        try:
            return tuple(_parked(row) for row in rows)
        except (ValueError, TypeError) as error:
            raise self.database.damaged(f"a parked file in it cannot be read: {error}") from error

    def repark(self, parked: Parked) -> None:
        """Note how a parked file was found this time."""
        with self.database.transaction() as sql:
            _park(sql, [parked])

    def unpark(self, paths: Sequence[Path]) -> None:
        """Forget parked files: they are gone, or nothing can come to them any more."""
        with self.database.transaction() as sql:
            sql.executemany(
                "DELETE FROM parked WHERE path = ?", [(os.fsencode(path),) for path in paths]
            )

    def is_prune_due(self, now: datetime) -> bool:
        """Tell, with one small query, whether a day went by since the last `prune`."""
        return journal_retention.is_due(self.database.rows(*journal_retention.last_run()), now)

    def prune(self, keep: Keep, now: datetime) -> None:
        """Forget what is too old or does not fit, and give its room back to the disk.

        Never what recovery or a parked file needs, nor the last changes that can be taken back.

        Raises:
            BadJournal: It cannot be written.
        """
        with self.database.transaction() as sql:
            # Asked inside the transaction: a run that is on record and not cleared up stays known.
            left = self.running()
            runs = [run for _, run in left if isinstance(run, Running)]
            needed = {op for op, _ in left} | {run.logged.id for run in runs}
            journal_retention.prune(sql, keep, now, needed)
        self.database.shrink()

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
        several = "several changes start" if found else "no change has an id starting"
        raise UnknownRef(f"{several} with `{id}`", hint="see `remem history`")

    def steps(self, id: str) -> tuple[Step, ...]:  # noqa: A002
        """Return what a change did, or would do again, in order.

        Raises:
            BadJournal: The record cannot be read.
            NotPossible: It is so old that only its line in the history was kept.
        """
        rows = self.database.rows(
            f"SELECT steps, {is_sound('done', 'done.')} FROM changes LEFT JOIN done USING (seq)"
            " WHERE id = :id",
            {"id": id},
        )
        if not rows:
            return ()
        if rows[0][0] is None:
            raise NotPossible(
                f"what `{id}` did is no longer kept",
                hint=NOT_KEPT,
            )
        if not rows[0][1]:
            raise self.database.damaged(f"what `{id}` did is damaged in the history")
        try:
            return steps_from_json(json.loads(zlib.decompress(rows[0][0])))
        except (ValueError, zlib.error, TypeError) as error:
            raise self.database.damaged(f"what `{id}` did cannot be read: {error}") from error

    def last_to_undo(self, root: Path) -> Logged | None:
        """Return the newest change at that root that a person set off and that still stands.

        Of several that were one decision, the one that the others followed from.
        """
        last = self._newest("undone = 0 AND set_off = 'person'", "seq", root)
        if last is None or not last.origin.follows:
            return last
        where = "undone = 0 AND id = :id"
        return next(iter(self._logged(where, id=last.origin.follows)), last)

    def last_to_redo(self, root: Path) -> Logged | None:
        """Return the change that was undone last, if no person made a new one since."""
        which = "undone > 0 AND superseded = 0 AND undone_as IN ('', id)"
        return self._newest(which, "undone", root)

    def last_picking(self, root: Path, verb: str, name: str) -> Logged | None:
        """Return the newest change of a verb that stands at that root and picked what was so named.

        Args:
            root: Where.
            verb: Its id.
            name: A ref, the id in it, or the start of the id under which something waited.
        """
        return next((self.get(change) for change, _ in self._picking(root, verb, name)), None)

    def deciding(self, root: Path, item: str) -> tuple[Logged, Mapping[str, Any]] | None:
        """Return the newest change that decided on an item, and what is kept of its intent.

        Args:
            root: Where.
            item: The start of the id under which it waited.
        """
        found = next(self._picking(root, "", item), None)
        return None if found is None else (self.get(found[0]), found[1])

    def _picking(self, root: Path, verb: str, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        where = f"undone = 0 AND instr(logged, :name) > 0 AND {_AT_ROOT} ORDER BY seq DESC"
        values = {**_below(root), "name": json.dumps(name)[1:-1]}
        rows = self.database.rows(f"SELECT id, logged FROM changes WHERE {where}", values)
        for id, logged in rows:  # noqa: A001 - the word of the column
            intent = json.loads(logged)["intent"]
            if verb in ("", intent["verb"]) and name_was_picked(intent, name):
                yield id, intent

    def followers(self, id: str) -> tuple[Logged, ...]:  # noqa: A002
        """Return what followed from a change and stands, newest first."""
        return self._logged("undone = 0 AND follows = :id ORDER BY seq DESC", id=id)

    def undone_with(self, id: str) -> tuple[Logged, ...]:  # noqa: A002
        """Return what was taken back together with an undone change, oldest first."""
        return self._logged("undone > 0 AND undone_as = :id AND id != :id ORDER BY seq", id=id)

    def _newest(self, which: str, order: str, root: Path) -> Logged | None:
        where = f"{which} AND {_AT_ROOT} ORDER BY {order} DESC LIMIT 1"
        return next(iter(self._logged(where, root=root)), None)

    def _logged(self, where: str, root: Path | None = None, **values: object) -> tuple[Logged, ...]:
        if root is not None:
            values |= _below(root)
        rows = self.database.rows(f"SELECT {_COLUMNS} FROM changes WHERE {where}", values)
        try:
            return tuple(map(_logged, rows))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise self.database.damaged(f"a change in it cannot be read: {error}") from error

    @contextmanager
    def _finishing(self, op: str, left: Sequence[Left]) -> Iterator[Connection]:
        with self.database.transaction() as sql:
            _finish(sql, op, left)
            yield sql

    def left(self, paths: Sequence[Path], since: int) -> tuple[tuple[int, Left], ...]:
        """Return how runs since a moment left files, each with its number, newest first."""
        rows: list[tuple[Any, ...]] = []
        for path in dict.fromkeys(paths):
            rows += self.database.rows(
                "SELECT number, at, path, how FROM wrote WHERE path = :path AND at >= :since"
                " ORDER BY number DESC LIMIT 64",
                {"path": os.fsencode(path), "since": since},
            )
        found = ((number, Left(Path(os.fsdecode(p)), how, at)) for number, at, p, how in rows)
        return tuple(sorted(found, key=lambda each: -each[0]))

    def written(self, after: int, since: int) -> tuple[int, frozenset[Path]]:
        """Return the paths that runs left since a moment, of those after a number, and the newest.

        The newest number is the one to go on from.
        """
        rows = self.database.rows(
            "SELECT number, path FROM wrote WHERE number > :after AND at >= :since",
            {"after": after, "since": since},
        )
        last = max((number for number, _ in rows), default=after)
        return last, frozenset(Path(os.fsdecode(path)) for _, path in rows)

    def last_left(self) -> int:
        """Return the number of the newest of them; 0 = there is none."""
        rows = self.database.rows("SELECT COALESCE(MAX(number), 0) FROM wrote", {})
        return int(rows[0][0]) if rows else 0

    def _make_folders(self, last: Path) -> None:
        missing = takewhile(lambda each: self._disk.kind(each) is None, (last, *last.parents))
        for folder in reversed([*missing]):
            with suppress(FileExistsError):
                self._disk.mkdir(folder, 0o700)
            self._disk.sync_folder(folder.parent)


def _finish(sql: Connection, op: str, left: Sequence[Left]) -> None:
    sql.execute("INSERT INTO finished (op) VALUES (?)", (op,))
    sql.executemany(
        "INSERT INTO wrote (at, path, how) VALUES (?, ?, ?)",
        [(each.moment, os.fsencode(each.path), each.how) for each in left],
    )
    # Only those who have it open ask; who opens it later finds the files as they are.
    sql.execute("DELETE FROM wrote WHERE number <= (SELECT MAX(number) FROM wrote) - 4096")


def _forget(sql: Connection, op: str) -> None:
    """Expect a change no more."""
    sql.execute("DELETE FROM coming WHERE op = ?", (op,))


def _add(sql: Connection, logged: Logged, steps: Sequence[Step]) -> None:
    """Add a change to the history; if a person set it off, redo at its root ends here."""
    origin = logged.origin
    if origin.set_off == "person":
        sql.execute(
            f"UPDATE changes SET {setting('changes', superseded='1')} WHERE undone > 0"
            f" AND superseded = 0 AND {is_sound('changes')} AND {_AT_ROOT}",
            _below(origin.root),
        )
    paths = sorted({os.fsencode(path) for step in steps for path in paths_of(step)})
    row = sql.execute(
        "INSERT INTO changes (id, root, actor, set_off, follows, at, logged, settled, paths)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            logged.id,
            os.fsencode(origin.root),
            origin.actor,
            origin.set_off,
            origin.follows,
            int(logged.time.timestamp()),
            json.dumps(logged_to_json(logged)),
            logged.settled,
            seal_of_paths(paths),
        ),
    )
    sql.execute(f"UPDATE changes SET {setting('changes')} WHERE seq = ?", (row.lastrowid,))
    _keep_steps(sql, logged.id, steps)
    touched = [(row.lastrowid, path) for path in paths]
    sql.executemany("INSERT INTO touched (seq, path) VALUES (?, ?)", touched)


def _logged(row: Sequence[Any]) -> Logged:
    """Read the columns that `_COLUMNS` names.

    Raises:
        ValueError: They are not what was written.
    """
    logged, undone, superseded, settled, pruned, follows, is_as_written = row
    if not is_as_written:
        raise ValueError("it is damaged")
    found = logged_from_text(logged)
    return replace(
        found,
        origin=replace(found.origin, follows=follows),
        undone=undone > 0,
        superseded=superseded > 0,
        settled=settled,
        pruned=pruned > 0,
    )


def _keep_steps(sql: Connection, id: str, steps: Sequence[Step]) -> None:  # noqa: A002
    sql.execute(
        f"INSERT OR REPLACE INTO done (seq, steps, mark) SELECT seq, :steps,"
        f" {seal_of('done', steps=':steps')} FROM changes WHERE id = :id",
        {"id": id, "steps": _packed(steps)},
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
    for each in parked:
        values = (
            os.fsencode(each.path),
            os.fsencode(each.target),
            each.op,
            each.number,
            each.since.isoformat(),
            each.size,
            each.digest,
            each.tail,
        )
        sql.execute(
            f"INSERT OR REPLACE INTO parked ({_PARKED}, mark) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*values, seal(*values)),
        )


def _parked(row: Sequence[Any]) -> Parked:
    path, target, op, number, since, size, digest, tail, is_as_written = row
    if not is_as_written:
        raise ValueError("it is damaged")
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
