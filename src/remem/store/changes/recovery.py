"""Crash recovery: a change that was cut short is finished or taken back, whole, by any process.

Invariant: after `Recovery.settle` no change stands half. It holds because each change left a file
in `running/` that says all its steps before the first of them, and the history has its id before
the first name beside a file is dropped (the order is argued in `commit.py`). So of each file that
is found there one of these is true, and what is told apart here is only which:

- It was never written whole. Then nothing after it was begun, and it is dropped.
- The history has its id. Every effect stands and is durable; only clearing up was missed: forwards.
- The history does not have it. Its steps are taken back from the last to the first, each from the
  bytes on disk alone (`Carrier.take_back`), for nothing is known of how far it came: backwards.
- It is damaged. Nobody knows what of it was done, so nothing is touched, and that is said.

The file goes last, when nothing of its change is left to do. So recovery may be killed and begun
again, and settling what was settled does nothing. What others wrote since is never taken back with
it: a step that cannot be told apart from their text stands, is recorded, and undo can have it.

A change of rows alone has no file but a line in the history that expects it: the database carried
out all of it or nothing, and the row that it adds tells which.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final, Literal

from remem.base.clock import Clock
from remem.base.errors import RememError, why_failed
from remem.base.frozen import dataclass
from remem.store.changes.effects_to_steps import Job
from remem.store.changes.execute import Carrier, left_by
from remem.store.changes.parked import ParkedFiles, places_of
from remem.store.changes.steps import paths_of
from remem.store.databases.row_sets import RowSets
from remem.store.history.journal import Journal
from remem.store.history.journal_database import BadJournal
from remem.store.history.journal_records import Logged, Running, unread
from remem.store.io import Disk
from remem.store.lock import UserLock
from remem.store.write_bounds import PresentBounds

_WRITES_FOR: Final = timedelta(minutes=2)
"""How long somebody may take to write rows; a database that is busy is waited for ten seconds."""
_LITTER: Final = re.compile(r"\.remem-[0-9a-f]+-\d+\.(part|new|old|back|gone)")


@dataclass(frozen=True, slots=True)
class Recovered:
    """What was made of a change that a crash had left unfinished."""

    logged: Logged
    outcome: Literal["finished", "rolled back", "partly applied", "pending"]
    details: tuple[str, ...] = ()


class Recovery:
    """Settles what crashes left."""

    def __init__(
        self,
        disk: Disk,
        journal: Journal,
        parked: ParkedFiles,
        rows: RowSets,
        clock: Clock,
        lock: UserLock,
        bounds: PresentBounds,
        carrier: Callable[[Running], Carrier],
    ) -> None:
        """Say with what to work.

        Args:
            disk: Names beside files are dropped through it.
            journal: Has the changes under way, and those that are done.
            parked: The files that were replaced a moment ago.
            rows: Asked whether rows of databases were written.
            clock: Gives the time.
            lock: Whoever holds it knows that all that is under way was left by a crash.
            bounds: Which folders nothing leads out of, also if links changed since the crash.
            carrier: Gives what knows the steps of a change.
        """
        self._disk = disk
        self._journal = journal
        self._parked = parked
        self._rows = rows
        self._clock = clock
        self._lock = lock
        self._bounds = bounds
        self._carrier = carrier
        self._is_swept = False
        self._is_gathered = False

    def run(self, wait: float = 2.0) -> tuple[Recovered, ...]:
        """Take back, or clear up after, what a crash left; by any process, any number of times.

        Args:
            wait: Seconds for which another process may be at work.

        Raises:
            WriteFailed: Another process is at work and does not end.
        """
        # One look into a folder, without the lock, is all that an ordinary start pays for this.
        is_gathered = self._is_gathered or not self._parked.has_astray()
        if is_gathered and not self._journal.running():
            self._is_gathered = True
            return self.rows()
        with self._lock.held(wait):
            self._parked.gather()
            found = self.settle()
        return (*found, *self.rows())

    def settle(self) -> tuple[Recovered, ...]:
        """Settle every change that is under way; only under the lock, where each is a crash's."""
        found: list[Recovered] = []
        for op, running in self._journal.running():
            if isinstance(running, Running):
                found.append(self._settle(running))
            elif running == "torn" or self._journal.has_finished(op):
                # Its bytes never became durable, so nothing after it was begun; or all is done.
                self._journal.end(op)
            else:
                told = f"`{self._journal.place_of(op)}` is damaged: check the files, then remove it"
                found.append(Recovered(self._unread(op), "pending", (told,)))
        return tuple(found)

    def _settle(self, running: Running) -> Recovered:
        carrier = self._carrier(running)
        logged = running.logged
        try:
            # The record decides which way: behind the point of no return forwards, before it back.
            if self._journal.has_finished(running.op):
                carrier.clean()
                self._journal.end(running.op)
                return Recovered(logged, "finished")
            # A link that was put in the way since the crash must not lead the taking back astray.
            paths = (path for step in running.steps for path in paths_of(step))
            self._bounds.check_past(logged.origin.root, paths)
            left = self.take_back(carrier, running)
        except (OSError, RememError) as error:
            # Its intent stays, so nothing is forgotten: whoever comes next tries again.
            return Recovered(logged, "pending", (why_failed(running.title, error),))
        return Recovered(logged, "partly applied" if left else "rolled back", left)

    def take_back(self, carrier: Carrier, running: Running) -> tuple[str, ...]:
        """Take back all steps of a change that the history does not have.

        Returns:
            Why some stand. What stands of a commit goes on record.

        Raises:
            OSError: A step can neither be taken back nor left; the change is still under way.
            RememError: Likewise.
        """
        stands: dict[int, str] = {}
        # Backwards: a folder can go only when what was moved into it has gone back.
        for number in reversed(range(len(running.steps))):
            why = carrier.take_back(number)
            if why:
                stands[number] = why
        carrier.sync()
        if stands and running.purpose == "commit":
            logged = replace(running.logged, title=f"{running.logged.title} (in part)")
            steps = [step for number, step in enumerate(running.steps) if number in stands]
            self._journal.record(running.op, logged, steps)
        # Last: until here the next process would take back the same once more.
        self._journal.end(running.op)
        return tuple(stands.values())

    def rows(self) -> tuple[Recovered, ...]:
        """Put into the history what a crash kept from it of changes of rows alone, without a lock.

        Where the history cannot be used nothing is done: the next one who can has it.
        """
        with suppress(BadJournal):
            every = [self._rows_of(running) for running in self._journal.expected()]
            return tuple(recovered for recovered in every if recovered is not None)
        return ()

    def _rows_of(self, running: Running) -> Recovered | None:
        """Let the database say whether the rows were written: then the history shall have them.

        Those that are not there may be written yet, unless that is long ago.
        """
        logged = running.logged
        try:
            if self._rows.have(running.steps):
                done = [Job(step) for step in running.steps]
                self._journal.came(running, left_by(done, self._clock.now()))
                return Recovered(logged, "finished")
        except (OSError, RememError) as error:
            return Recovered(logged, "pending", (why_failed(running.title, error),))
        # Its writer may be alive and waiting for a busy database: absent is not yet "never".
        if self._clock.now() - logged.time < _WRITES_FOR:
            return None
        self._journal.came_not(running)
        return Recovered(logged, "rolled back")

    def sweep(self) -> None:
        """Drop names that a power failure left beside files, once; only under the lock.

        The history may be durable before a dropped name is gone for good, so that a name can come
        back for which no change is under way any more.
        """
        if self._is_swept:
            return
        self._is_swept = True
        known = {path for parked in self._journal.parked() for path in places_of(parked)}
        running = [op for op, _ in self._journal.running()]
        for folder in self._journal.touched_folders():
            for name in self._disk.names(folder):
                path = folder / name
                is_ours = _LITTER.fullmatch(name) is not None and path not in known
                if is_ours and not any(name.startswith(f".remem-{op}-") for op in running):
                    with suppress(OSError, RememError):
                        self._disk.unlink(path)

    def make_sound(self) -> str:
        """Put a damaged history aside and go on with what can be read of it.

        Returns:
            What was done, in a sentence; empty = nothing was wrong.
        """
        if not self._journal.was_begun or self._journal.damage() is None:
            return ""
        told = len(self._journal.told)
        with self._lock.held(is_damaged=True):
            return "; ".join(self._journal.told[told:])

    def pending(self) -> tuple[Logged, ...]:
        """Return the changes that `run` would look at, without touching anything."""
        every = ((op, left) for op, left in self._journal.running() if left != "torn")
        return tuple(self._unread(op) if left == "spoilt" else left.logged for op, left in every)

    def _unread(self, op: str) -> Logged:
        return unread(op, self._clock.now(), Path())
