"""The commit: a change reaches the disk whole or not at all, and can be taken back.

Intent file first, durable; then the effects in order; then the record in the history, which is the
point of no return; then the clearing up. What a crash leaves before that point is taken back by
`recover`, or finished if nothing but the record was missing. It knows bytes and rows, no memory:
derived files are rendered by whoever asks for the commit.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import Final, Literal, NoReturn

from remem.clock import Clock
from remem.disk.again import Sound, kept_after_undo, plan_again
from remem.disk.carry import Carrier
from remem.disk.history import Logged, Origin, Parked, Purpose, Running
from remem.disk.io import Disk, Unreadable
from remem.disk.journal import Journal
from remem.disk.outside import Outside
from remem.disk.own import OwnWrites
from remem.disk.parking import Late, Parking
from remem.disk.plan import Job, Known, plan_jobs
from remem.disk.reasons import reason, remedy
from remem.disk.row_sets import RowSets
from remem.disk.steps import Rendered, Step, while_running
from remem.errors import NotPossible, RememError, WriteFailed
from remem.model.change import Change, Committed, Derived

Render = Callable[[Derived], bytes | None]
"""Renders a derived file from what stands on disk; `None` = leave it alone."""

_ID_LENGTH: Final = 8
_LITTER: Final = re.compile(r"\.remem-[0-9a-f]+-\d+\.(part|new|old|back|gone)")


@dataclass(frozen=True, slots=True)
class Reverted:
    """An undo or a redo that stands."""

    logged: Logged
    """The change as the history tells of it now."""
    exact: bool
    """The files have the former bytes; false: someone wrote since, and it was merged."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recovered:
    """What was made of a change that a crash had left unfinished."""

    logged: Logged
    outcome: Literal["finished", "taken back", "stands in part", "pending"]
    details: tuple[str, ...] = ()


def _always(_path: Path, _data: bytes) -> bool:
    return True


class Committer:
    """Carries out changes, one at a time among all processes of a user."""

    def __init__(
        self,
        disk: Disk,
        journal: Journal,
        clock: Clock,
        state: Path,
        *,
        own: OwnWrites | None = None,
        known: Known = lambda _: None,
        rows: RowSets | None = None,
    ) -> None:
        """Say with what to work.

        Args:
            disk: Every effect goes through it.
            journal: It lies in the same `state`.
            clock: Gives the time and the id of a change.
            state: Holds the lock that all processes of a user share.
            own: Is told of every file that is written, for the watcher.
            known: Bytes already read and hashed, so that a big file is compared and not hashed.
            rows: Where rows of databases are written.
        """
        self._disk = disk
        self._journal = journal
        self._clock = clock
        self._state = state
        self._own = OwnWrites() if own is None else own
        self._known = known
        self._rows = rows or RowSets()
        self._parking = Parking(disk, journal, state)
        self._is_swept = False
        self._is_gathered = False

    def commit(self, change: Change, render: Render, origin: Origin, git: str = "") -> Committed:
        """Carry out a change.

        Args:
            change: What to do.
            render: For derived files.
            origin: Who asks, through which door and where.
            git: What tells whether git moves afterwards.

        Raises:
            BaseMoved: Something is not what it was planned on; plan it again.
            NotPossible: It would change nothing.
            Refused: Its target is a link or no file, or its splices overlap.
            WriteFailed: The system refused; all files are as they were, unless the message says
                what still stands.
        """
        with self._alone():
            return self._commit(change, render, origin, git)

    def hold(self, id: str, change: Change, render: Render) -> tuple[str, ...]:  # noqa: A002
        """Carry out once more what a writer who had read before took out of a change again.

        It stays one change in the history; undo takes back both. Returns what did not go as planned
        without harm, and raises as `commit` does.
        """
        with self._alone():
            jobs = self._jobs(change)
            running = self._running("hold", self._journal.get(id), jobs)
            return self._run(
                running, jobs, render, lambda _, parked: self._journal.mark_held(running.op, parked)
            )

    def settle(
        self,
        render: Render,
        origin: Origin,
        sound: Sound = _always,
        *,
        fresh: bool = False,
        leaving: bool = False,
    ) -> tuple[Committed, ...]:
        """Put what came late to files that were replaced where it belongs, and let old ones go.

        Args:
            render: For derived files.
            origin: Where it is noticed.
            sound: Asked before merged bytes are written; the journal keeps those that are not.
            fresh: Look only at what was put in within the last seconds.
            leaving: Nobody will look again soon.
        """
        if not self._journal.parked(fresh):
            return ()
        with self._alone():
            now = self._clock.now()
            auto = Origin(origin.root, "auto", origin.door)
            made: list[Committed] = []
            for late in self._parking.late(now if fresh else None):
                with suppress(RememError):  # it is looked at again, and holds up no decision
                    made += self._keep_late(late, render, auto, sound)
            if not fresh:
                self._parking.drop(now, leaving=leaving)
            return tuple(made)

    def _keep_late(
        self, late: Late, render: Render, origin: Origin, sound: Sound
    ) -> Iterator[Committed]:
        change, path = late.change, late.parked.target
        if change is None:
            self._journal.repark(late.parked)
        elif sound(path, late.wanted):
            yield self._commit(change, render, origin, parked=[late.parked])
        else:
            now = self._clock.now()
            note = Outside.of(now, origin.root, path, "late", late.live, late.wanted)
            self._journal.note(note)
            self._journal.repark(late.parked)

    def _commit(
        self,
        change: Change,
        render: Render,
        origin: Origin,
        git: str = "",
        parked: Sequence[Parked] = (),
    ) -> Committed:
        jobs = self._jobs(change)
        op = self._new_op()
        logged = Logged.of(change, op, self._clock.now(), origin, git)

        def finish(done: Sequence[Job], more: Sequence[Parked]) -> None:
            self._journal.record(op, logged, [job.step for job in done], [*parked, *more])

        running = Running(op, "commit", logged, _steps(jobs))
        return Committed(op, change, self._run(running, jobs, render, finish))

    def _jobs(self, change: Change) -> tuple[Job, ...]:
        jobs = plan_jobs(self._disk, change.effects, self._known, self._rows)
        if all(isinstance(job.step, Rendered) for job in jobs):
            raise NotPossible(f"`{change.title}` would change nothing")
        return jobs

    def undo(self, id: str, render: Render, sound: Sound = _always) -> Reverted:  # noqa: A002
        """Take a change back: to the former bytes, or out of what others wrote since.

        Args:
            id: The change, or the only one whose id begins so.
            render: For derived files, where their former bytes would not be true any more.
            sound: Asked before merged bytes are written.

        Raises:
            UnknownRef: There is no such change.
            NotPossible: It is undone already.
            ChangedOnDisk: What others did since cannot be told apart from it.
            WriteFailed: As in `commit`.
        """
        with self._alone():
            logged = self._journal.get(id)
            if logged.undone:
                raise NotPossible(f"`{logged.title}` is undone already", hint="see `remem history`")
            steps = self._journal.steps(logged.id)
            plan = plan_again(self._disk, steps, sound, back=True, rows=self._rows)
            running = self._running("undo", logged, plan.jobs)

            def finish(done: Sequence[Job], parked: Sequence[Parked]) -> None:
                kept = kept_after_undo(steps, done, exact=plan.exact)
                self._journal.mark_undone(running.op, logged.id, kept, parked)

            warnings = self._run(running, plan.jobs, render, finish)
            return Reverted(self._journal.get(logged.id), plan.exact, warnings)

    def redo(self, id: str, render: Render, sound: Sound = _always) -> Reverted:  # noqa: A002
        """Do an undone change again; arguments and errors as in `undo`."""
        with self._alone():
            logged = self._journal.get(id)
            if not logged.undone:
                raise NotPossible(f"`{logged.title}` is not undone", hint="see `remem history`")
            steps = self._journal.steps(logged.id)
            plan = plan_again(self._disk, steps, sound, back=False, rows=self._rows)
            running = self._running("redo", logged, plan.jobs)

            def finish(done: Sequence[Job], parked: Sequence[Parked]) -> None:
                again = [job.step for job in done]
                self._journal.mark_redone(running.op, logged.id, again, parked)

            warnings = self._run(running, plan.jobs, render, finish)
            return Reverted(self._journal.get(logged.id), plan.exact, warnings)

    def recover(self) -> tuple[Recovered, ...]:
        """Take back, or clear up after, what a crash left; by any process, any number of times.

        Raises:
            WriteFailed: Another process is at work and does not end.
        """
        if not self._journal.running() and (self._is_gathered or not self._parking.has_astray()):
            self._is_gathered = True
            return ()
        with self._locked():
            self._parking.gather()
            return self._recover()

    def pending(self) -> tuple[Logged, ...]:
        """Return the changes that `recover` would look at, without touching anything."""
        return tuple(left.logged for _, left in self._journal.running() if left is not None)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._locked():
            self._recover()
            self._sweep()
            yield

    def _sweep(self) -> None:
        """Once per process: drop names that a power failure left beside files."""
        if self._is_swept:
            return
        self._is_swept = True
        known = {parked.path for parked in self._journal.parked()}
        running = [op for op, _ in self._journal.running()]
        for folder in self._journal.touched_folders():
            for name in self._disk.names(folder):
                path = folder / name
                is_ours = _LITTER.fullmatch(name) is not None and path not in known
                if is_ours and not any(name.startswith(f".remem-{op}-") for op in running):
                    with suppress(OSError):
                        self._disk.unlink(path)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._journal.prepare()
        with ExitStack() as held:
            try:
                self._parking.prepare()
                held.enter_context(self._disk.lock(self._state / "lock"))
            except OSError as error:
                raise _failed("the change", error) from error
            yield

    def _running(self, purpose: Purpose, logged: Logged, jobs: Sequence[Job]) -> Running:
        return Running(self._new_op(), purpose, logged, _steps(jobs))

    def _new_op(self) -> str:
        digits = self._clock.new_id()
        names = (digits[:length] for length in range(_ID_LENGTH, len(digits) + 1))
        # A clock that stands still, as in tests and screenshots, gives the same digits again.
        more = (f"{digits}{number:x}" for number in count(1))
        return next(name for name in chain(names, more) if not self._journal.has(name))

    def _run(
        self,
        running: Running,
        jobs: Sequence[Job],
        render: Render,
        finish: Callable[[Sequence[Job], Sequence[Parked]], None],
    ) -> tuple[str, ...]:
        """Carry out jobs; return what did not go as planned without harm."""
        carrier = self._carrier(running)
        warnings: list[str] = []
        try:
            self._journal.begin(running)
            done = [
                self._do(carrier, number, job, render, warnings) for number, job in enumerate(jobs)
            ]
            carrier.sync()
            finish(done, carrier.parked(self._clock.now()))
        except (OSError, RememError) as error:
            self._give_up(carrier, running, error)
        try:
            carrier.clean()
            self._journal.end(running.op)
        except OSError:
            warnings.append("names that begin with `.remem-` are cleared when remem writes next")
        return tuple(warnings)

    def _do(
        self, carrier: Carrier, number: int, job: Job, render: Render, warnings: list[str]
    ) -> Job:
        if isinstance(job.step, Rendered) and not job.settled:
            data = render(Derived(job.step.path, job.step.format))
            if data is None:
                warnings.append(f"`{job.step.path}` was left as it is")
                data = job.step.before
            job = replace(job, step=replace(job.step, after=data))
        return replace(job, step=carrier.do(number, job))

    def _carrier(self, running: Running) -> Carrier:
        return Carrier(self._disk, self._own, self._parking, running.op, running.steps, self._rows)

    def _give_up(self, carrier: Carrier, running: Running, error: Exception) -> NoReturn:
        title = running.logged.title
        if isinstance(error, Unreadable) and isinstance(error.__cause__, OSError):
            error = error.__cause__
        try:
            left = self._take_back(carrier, running)
        except (OSError, RememError):
            raise WriteFailed(
                f"{_why(title, error)}; part of it stands and is taken back when remem starts next",
                hint=_hint(error),
            ) from error
        if left:
            stands = "; ".join(left)
            raise WriteFailed(f"{_why(title, error)}; {stands}", hint=_hint(error)) from error
        if isinstance(error, RememError):
            raise error
        raise _failed(title, error) from error

    def _take_back(self, carrier: Carrier, running: Running) -> tuple[str, ...]:
        """Take back all steps; return why some stand. What stands of a commit goes on record."""
        stands: dict[int, str] = {}
        for number in reversed(range(len(running.steps))):
            why = carrier.take_back(number)
            if why:
                stands[number] = why
        carrier.sync()
        if stands and running.purpose == "commit":
            logged = replace(running.logged, title=f"{running.logged.title} (in part)")
            steps = [step for number, step in enumerate(running.steps) if number in stands]
            self._journal.record(running.op, logged, steps)
        self._journal.end(running.op)
        return tuple(stands.values())

    def _recover(self) -> tuple[Recovered, ...]:
        found: list[Recovered] = []
        for op, running in self._journal.running():
            if running is not None:
                found.append(self._recover_one(running))
            else:
                # Its bytes never became durable, so nothing after it was begun.
                self._journal.end(op)
        return tuple(found)

    def _recover_one(self, running: Running) -> Recovered:
        carrier = self._carrier(running)
        logged = running.logged
        try:
            if self._journal.has_finished(running.op):
                carrier.clean()
                self._journal.end(running.op)
                return Recovered(logged, "finished")
            left = self._take_back(carrier, running)
        except (OSError, RememError) as error:
            return Recovered(logged, "pending", (_why(logged.title, error),))
        return Recovered(logged, "stands in part" if left else "taken back", left)


def _steps(jobs: Sequence[Job]) -> tuple[Step, ...]:
    return tuple(while_running(job.step) for job in jobs)


def _failed(title: str, error: Exception) -> WriteFailed:
    return WriteFailed(f"{_why(title, error)}; all files are as they were", hint=_hint(error))


def _why(title: str, error: Exception) -> str:
    what = reason(error) if isinstance(error, OSError) else str(error)
    return f"`{title}` was not carried out: {what}"


def _hint(error: Exception) -> str:
    if isinstance(error, RememError):
        return error.hint
    return remedy(error) if isinstance(error, OSError) else "try again"
