"""The commit: a change reaches the disk whole or not at all, and can be taken back.

Invariant: whenever the process dies, either the history has the change and every effect stands, or
the history does not have it and recovery takes every effect off again. It holds because of an
order, and each step is durable before the next begins:

1. the intent file, which has all that undoes the effects; until it is durable nothing was touched;
2. the effects, each of which a later look at the bytes can tell as done or not (`execute`);
3. the folders' names, so that no effect is lost that the history is about to claim;
4. the record in the history, one transaction: the point of no return;
5. the clearing up: names beside the files first, the intent file last.

What a process that died left of this order is settled by `recovery.py`. Whoever else writes is not
locked out; what they write meanwhile is kept by `swap` and `fold`.

It knows bytes and rows, no memory: derived files are rendered by whoever asks for the commit.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import Final, NoReturn

from remem.base.clock import Clock
from remem.base.digests import begin_digest_of_new
from remem.base.effects import Derived, RowEdit
from remem.base.errors import (
    Already,
    ChangedOnDisk,
    NotPossible,
    RememError,
    WriteFailed,
    hint_of,
    why_failed,
    write_failed,
)
from remem.base.frozen import dataclass
from remem.model.change import Change, Committed, touched_paths
from remem.store.changes.effects_to_steps import (
    BaseMoved,
    Job,
    Known,
    Standing,
    is_protected,
    plan_jobs,
)
from remem.store.changes.execute import Carrier, left_by
from remem.store.changes.parked import Late, ParkedFiles
from remem.store.changes.recovery import Recovery
from remem.store.changes.steps import (
    Edited,
    Rendered,
    RowsSet,
    Step,
    paths_of,
    while_running,
)
from remem.store.changes.undo import Sound, kept_after_undo, plan_again
from remem.store.databases.row_sets import RowSets
from remem.store.history.external_changes import LEFT_OUT, Outside
from remem.store.history.journal import NOT_KEPT, Journal
from remem.store.history.journal_records import (
    Logged,
    Origin,
    Parked,
    Purpose,
    Running,
)
from remem.store.io import Disk, Unreadable
from remem.store.lock import UserLock
from remem.store.own_writes import OwnWrites
from remem.store.write_bounds import BoundDisk, Bounds, PresentBounds

Render = Callable[[Derived], bytes | None]
"""Renders a derived file from what stands on disk; `None` = leave it alone."""

_ID_LENGTH: Final = 8
_CLEARINGS: Final = 2
"""How often clearing up is tried: what refuses it, as too many open files do, may be over."""


@dataclass(frozen=True, slots=True)
class Reverted:
    """An undo or a redo that stands."""

    logged: Logged
    """The change as the history tells of it now."""
    exact: bool
    """The files have the former bytes; false: someone wrote since, and it was merged."""
    warnings: tuple[str, ...] = ()
    with_it: tuple[Logged, ...] = ()
    """What followed from it and went the same way."""


@dataclass(frozen=True, slots=True)
class Reverting:
    """What an undo or a redo would do; nothing is written."""

    logged: Logged
    steps: tuple[Step, ...]
    """In the order in which they would be carried out."""
    rendered: tuple[Path, ...]
    """Derived files that would be written anew, with bytes that are not known before."""
    exact: bool
    """As in `Reverted`."""
    with_it: tuple[Logged, ...] = ()
    """What followed from it and would go the same way."""


@dataclass(frozen=True, slots=True)
class _Travel:
    """What undo and redo of several changes have in common."""

    render: Render
    sound: Sound
    head: str
    """The change that was asked for."""


@dataclass(frozen=True, slots=True)
class _Run:
    """How taking back one change, or doing it again, went."""

    exact: bool
    warnings: tuple[str, ...]


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
        bounds: Callable[[], Bounds] = Bounds,
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
            bounds: Which folders nothing that is written leads out of.
        """
        self._bounds = PresentBounds(bounds)
        self._disk = BoundDisk(disk, self._bounds.now)
        self._journal = journal
        self._clock = clock
        self._own = OwnWrites() if own is None else own
        self._known = known
        self._rows = rows or RowSets()
        self._parked = ParkedFiles(self._disk, journal, state)
        self._lock = UserLock(self._disk, journal, self._parked, clock, state, self._bounds)
        self.recovery = Recovery(
            self._disk,
            journal,
            self._parked,
            self._rows,
            clock,
            self._lock,
            self._bounds,
            self._carrier,
        )
        """Settles what a crash left; whoever commits does so first."""

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

    def commit_rows(
        self, change: Change, origin: Origin, git: str = "", *, looks: bool = False
    ) -> Committed:
        """Carry out a change of rows of one database, beside whatever else goes on.

        No lock is needed: the database lets one writer in at a time and carries out all or nothing.
        Before, the history expects the change, durable; afterwards a row that was added tells, even
        to another process, whether it was made. So the disk is waited for twice.

        Args:
            change: Edits of rows alone, at least one of which adds a row.
            origin: Who asks, through which door and where.
            git: What tells whether git moves afterwards.
            looks: Ask for the rows first, so that a database which gives no answer is told of
                before anything is expected of it.

        Raises:
            ChangedOnDisk: A row is not what it was planned on; nothing was written.
            WriteFailed: Nothing was written, or nobody knows: then the message says so, and the
                history has it as soon as the database can be asked.
        """
        self._bounds.find().check(sorted(touched_paths(change.effects)))
        # A history that cannot be written is found out while nothing has been.
        self._journal.ready()
        edits = tuple(effect for effect in change.effects if isinstance(effect, RowEdit))
        if looks and not self._rows.stand(edits):
            raise BaseMoved(edits[0].database)
        op = self._new_op()
        logged = Logged.of(change, op, self._clock.now(), origin, git)
        running = Running(op, "rows", logged, (RowsSet(edits),))
        # Expected, durably, before the database is touched: if this process dies behind the write,
        # the next one asks the database for the added row and knows whether the change was made.
        self._journal.expect(running)
        try:
            running = replace(running, steps=(RowsSet(self._rows.write(edits)),))
        except (OSError, RememError) as error:
            self._settle_rows(running, error)
        try:
            done = [Job(step) for step in running.steps]
            self._journal.came(running, left_by(done, self._clock.now()))
        except RememError as error:
            told = f"it will appear in the history on the next start: {error}"
            return Committed(op, change, (told,))
        return Committed(op, change, ())

    def _settle_rows(self, running: Running, error: Exception) -> None:
        """Return if the rows were written after all; else say what went wrong."""
        # A refusal by compared columns wrote nothing. Of any other failure, as a connection that
        # broke behind the commit, only the rows themselves can tell.
        if not isinstance(error, ChangedOnDisk):
            try:
                if self._rows.have(running.steps):
                    return
            except (OSError, RememError):
                why = why_failed(running.title, error)
                raise WriteFailed(
                    f"{why}; it may or may not have been applied",
                    hint="check `remem history` once the database is reachable",
                ) from error
        with suppress(RememError):  # it is expected for a while, and then forgotten
            self._journal.came_not(running)
        if isinstance(error, OSError):
            raise write_failed(running.title, error) from error
        raise error

    def hold(self, id: str, change: Change, render: Render) -> tuple[str, ...]:  # noqa: A002
        """Carry out once more what a writer who had read before took out of a change again.

        It stays one change in the history; undo takes back both. Returns what did not go as planned
        without harm, and raises as `commit` does.
        """
        with self._alone():
            jobs = self._jobs(change)
            running = self._running("hold", self._journal.get(id), jobs)

            def finish(done: Sequence[Job], parked: Sequence[Parked]) -> None:
                self._journal.mark_held(running.op, parked, left_by(done, self._clock.now()))

            return self._run(running, jobs, render, finish)

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
            auto = Origin(origin.root, "auto", origin.door, set_off="")
            made: list[Committed] = []
            for late in self._parked.late(now if fresh else None):
                with suppress(RememError):  # it is looked at again, and holds up no decision
                    made += self._keep_late(late, render, auto, sound)
            if not fresh:
                self._parked.drop(now, leaving=leaving)
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
            (noted,) = self._journal.note(note)
            told = f"`{path}`: {LEFT_OUT}"
            if told not in self._journal.told:
                self._journal.told.append(told)
            if noted.step is not None:  # else the parked file is all that has them
                self._journal.repark(replace(late.parked, tail=0))

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
            steps, every = [job.step for job in done], [*parked, *more]
            self._journal.record(op, logged, steps, every, left_by(done, self._clock.now()))

        running = Running(op, "commit", logged, _steps(jobs))
        return Committed(op, change, self._run(running, jobs, render, finish))

    def _jobs(self, change: Change) -> tuple[Job, ...]:
        self._bounds.now().check(sorted(touched_paths(change.effects)))
        jobs = plan_jobs(self._disk, change.effects, self._known, self._rows)
        if all(isinstance(job.step, Rendered) for job in jobs):
            raise Already(f"`{change.title}` would change nothing")
        return jobs

    def undo(self, id: str, render: Render, sound: Sound = _always) -> Reverted:  # noqa: A002
        """Take a change back, with all that followed from it.

        Each goes back to the former bytes, or out of what others wrote since.

        Args:
            id: The change, or the only one whose id begins so.
            render: For derived files, where their former bytes would not be true any more.
            sound: Asked before merged bytes are written.

        Raises:
            UnknownRef: There is no such change.
            NotPossible: It is already undone.
            ChangedOnDisk: What others did since cannot be told apart from it.
            WriteFailed: As in `commit`.
        """
        with self._alone():
            logged, every = self._to_undo(id)
            travel = _Travel(render, sound, logged.id)
            runs = self._all_or_none(
                every, partial(self._undo, travel), partial(self._redo, travel)
            )
            return self._reverted(logged.id, every, runs)

    def redo(self, id: str, render: Render, sound: Sound = _always) -> Reverted:  # noqa: A002
        """Do an undone change again, with all that was undone with it; as `undo` in all else."""
        with self._alone():
            logged, every = self._to_redo(id)
            travel = _Travel(render, sound, logged.id)
            runs = self._all_or_none(
                every, partial(self._redo, travel), partial(self._undo, travel)
            )
            return self._reverted(logged.id, every, runs)

    def would_revert(self, id: str, sound: Sound = _always, *, back: bool) -> Reverting:  # noqa: A002
        """Return what `undo` would do now, or with `back` false `redo`; it raises what they do."""
        logged, every = self._to_undo(id) if back else self._to_redo(id)
        standing = Standing(self._disk, lambda _: None)
        steps: list[Step] = []
        rendered: list[Path] = []
        exact = True
        for each in every:
            kept = self._journal.steps(each.id)
            self._bounds.check_past(each.origin.root, (p for step in kept for p in paths_of(step)))
            plan = plan_again(
                self._disk, kept, sound, back=back, rows=self._rows, standing=standing
            )
            exact = exact and plan.exact
            for job in plan.jobs:
                if isinstance(job.step, Rendered) and not job.settled:
                    rendered.append(job.step.path)
                else:
                    steps.append(job.step)
        along = tuple(each for each in every if each.id != logged.id)
        return Reverting(logged, tuple(steps), tuple(dict.fromkeys(rendered)), exact, along)

    def _to_undo(self, id: str) -> tuple[Logged, Sequence[Logged]]:  # noqa: A002
        """Return a change that stands, and what is taken back for it, in that order."""
        logged = self._journal.get(id)
        if logged.undone:
            raise Already(f"{_named(logged)} is already undone", hint="see `remem history`")
        every = (*self._journal.followers(logged.id), logged)
        _need_kept(logged, every)
        return logged, every

    def _to_redo(self, id: str) -> tuple[Logged, Sequence[Logged]]:  # noqa: A002
        """Return a change that was taken back, and what is done again with it, in that order."""
        logged = self._journal.get(id)
        if not logged.undone:
            raise NotPossible(f"{_named(logged)} is not undone", hint="see `remem history`")
        every = (logged, *self._journal.undone_with(logged.id))
        _need_kept(logged, every)
        return logged, every

    def _all_or_none(
        self, every: Sequence[Logged], go: Callable[[Logged], _Run], back: Callable[[Logged], _Run]
    ) -> list[_Run]:
        """Let each of several changes go one way; if one cannot, those before it go back.

        A crash in between leaves whole changes, of each of which the history knows where it stands.
        """
        runs: list[_Run] = []
        for place, logged in enumerate(every):
            try:
                runs.append(go(logged))
            except RememError as error:
                for done in reversed(every[:place]):
                    with suppress(RememError):  # what went wrong first is told
                        back(done)
                if type(error) is not ChangedOnDisk:
                    raise
                way = "redone" if logged.undone else "rolled back"
                told = f"{_named(logged)} was not {way}: {error}"
                raise ChangedOnDisk(told, hint=error.hint) from error
        return runs

    def _reverted(self, name: str, every: Sequence[Logged], runs: Sequence[_Run]) -> Reverted:
        return Reverted(
            self._journal.get(name),
            all(run.exact for run in runs),
            tuple(warning for run in runs for warning in run.warnings),
            tuple(self._journal.get(each.id) for each in every if each.id != name),
        )

    def _undo(self, travel: _Travel, logged: Logged) -> _Run:
        steps = self._journal.steps(logged.id)
        paths = (path for step in steps for path in paths_of(step))
        self._bounds.check_past(logged.origin.root, paths)
        plan = plan_again(self._disk, steps, travel.sound, back=True, rows=self._rows)
        running = self._running("undo", logged, plan.jobs)

        def finish(done: Sequence[Job], parked: Sequence[Parked]) -> None:
            kept = kept_after_undo(steps, done, exact=plan.exact)
            left = left_by(done, self._clock.now())
            self._journal.mark_undone(running.op, logged.id, kept, parked, travel.head, left)

        return _Run(plan.exact, self._run(running, plan.jobs, travel.render, finish))

    def _redo(self, travel: _Travel, logged: Logged) -> _Run:
        steps = self._journal.steps(logged.id)
        paths = (path for step in steps for path in paths_of(step))
        self._bounds.check_past(logged.origin.root, paths)
        plan = plan_again(self._disk, steps, travel.sound, back=False, rows=self._rows)
        running = self._running("redo", logged, plan.jobs)

        def finish(done: Sequence[Job], parked: Sequence[Parked]) -> None:
            again = [job.step for job in done]
            self._journal.mark_redone(
                running.op, logged.id, again, parked, left_by(done, self._clock.now())
            )

        return _Run(plan.exact, self._run(running, plan.jobs, travel.render, finish))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._lock.held():
            self.recovery.settle()
            self.recovery.sweep()
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
            # 1. From here on a crash is somebody's to settle; before it there is nothing to settle.
            self._journal.begin(running)
            # 2. In order, for a step may rest on one before it: a file in a folder that is made.
            done: list[Job] = []
            for number, job in enumerate(jobs):
                if isinstance(job.step, Rendered) and _came_late(jobs, done):
                    job = _rendered_anew(job, job.step)
                done.append(self._do(carrier, number, job, render, warnings))
            # 3. A rename is durable when its folder is; the history must not claim more than that.
            carrier.sync()
            # 4. The record. If this raises, the change was not made, and what stands goes back.
            finish(done, carrier.parked(self._clock.now()))
        except (OSError, RememError) as error:
            self._give_up(carrier, running, error)
        # 5. The change stands, so nothing here may fail it. The intent goes last: while it is
        # there, the next process clears what this one could not.
        for _ in range(_CLEARINGS):
            with suppress(OSError, RememError):
                carrier.clean()
                self._journal.end(running.op)
                return tuple(warnings)
        warnings.append("names starting with `.remem-` are removed on the next write")
        return tuple(warnings)

    def _do(
        self, carrier: Carrier, number: int, job: Job, render: Render, warnings: list[str]
    ) -> Job:
        step = job.step
        if isinstance(step, Rendered) and step.before and is_protected(self._disk, step.path):
            warnings.append(f"`{step.path}` is write-protected and was left as it is")
            job = replace(job, step=replace(step, after=step.before), settled=True)
        if isinstance(job.step, Rendered) and not job.settled:
            data = render(Derived(job.step.path, job.step.format))
            if data is None:
                warnings.append(f"`{job.step.path}` was left as it is")
                data = job.step.before
            if data is not None:
                begin_digest_of_new(data)
            job = replace(job, step=replace(job.step, after=data))
        if isinstance(job.step, RowsSet):  # what writes it does not come through the disk
            self._bounds.now().check(paths_of(job.step))
        return replace(job, step=carrier.do(number, job))

    def _carrier(self, running: Running) -> Carrier:
        return Carrier(self._disk, self._own, self._parked, running.op, running.steps, self._rows)

    def _give_up(self, carrier: Carrier, running: Running, error: Exception) -> NoReturn:
        if isinstance(error, Unreadable) and isinstance(error.__cause__, OSError):
            error = error.__cause__
        title = running.title
        why = why_failed(title, error)
        try:
            left = self.recovery.take_back(carrier, running)
        except (OSError, RememError):
            raise WriteFailed(
                f"{why}; it was partly applied and is rolled back on the next start",
                hint=hint_of(error),
            ) from error
        if left:
            raise WriteFailed("; ".join((why, *left)), hint=hint_of(error)) from error
        if isinstance(error, RememError):
            raise error
        raise write_failed(title, error) from error


def _came_late(planned: Sequence[Job], done: Sequence[Job]) -> bool:
    """Tell whether somebody wrote into a file while it was edited."""
    pairs = ((job.step, made.step) for job, made in zip(planned, done, strict=False))
    return any(
        isinstance(step, Edited) and isinstance(made, Edited) and step.before != made.before
        for step, made in pairs
    )


def _rendered_anew(job: Job, step: Rendered) -> Job:
    """Return the job of a derived file whose bytes are not those that were planned."""
    if job.settled and step.after is None:
        return job
    return replace(job, step=replace(step, has_late=True), settled=False)


def _steps(jobs: Sequence[Job]) -> tuple[Step, ...]:
    return tuple(while_running(job.step) for job in jobs)


def _named(logged: Logged) -> str:
    return f"`{logged.title}` ({logged.id})"


def _need_kept(logged: Logged, every: Sequence[Logged]) -> None:
    """Touch nothing where a part of a decision is not kept any more, and say which part."""
    for each in every:
        if each.pruned:
            part = "" if each.id == logged.id else f", which belongs to {_named(logged)},"
            raise NotPossible(f"what {_named(each)}{part} did is no longer kept", hint=NOT_KEPT)
