"""Carrying out one step and taking it back, from whatever a crash left of it.

Invariant: at every moment the names and bytes on disk tell whether a step is done, so that taking
it back needs no memory of this process. Each step that writes a file has names of its own in the
file's folder (`swap.Names`), made from the run and the step, so no other run can have left them.
For an edit the bytes under those names and the live ones say all (`fold`). For the others it is the
names:

    make      `.new` is the file itself       there was nothing before
    remove    `.old` and no file              the file was `.old` before
    render    `.old` without `.new`           the file was `.old` before

Where a file cannot have two names, `.old` is a copy, and for a made file an empty mark. Names are
dropped in the order that keeps this true while they go: the one that tells that a step was begun
goes last. What others wrote meanwhile is never dropped: if a step cannot be taken off their text,
the step stands and the reason is returned.
"""

import errno
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final, assert_never

from remem.base.effects import digest_of
from remem.base.errors import ChangedOnDisk
from remem.store.changes.effects_to_steps import BaseMoved, Job
from remem.store.changes.parked import ParkedFiles
from remem.store.changes.replace_live_file import DRAIN_SECONDS, NO_LINKS, Names, Out, Swapper
from remem.store.changes.steps import (
    Edited,
    FolderGone,
    FolderMade,
    Made,
    Moved,
    Removed,
    Rendered,
    RowsSet,
    Step,
    Updated,
    opposite,
    paths_of,
    place_after,
    without_stuck,
)
from remem.store.changes.without_step import (
    Found,
    fold,
    is_addition,
    is_begun,
    reaches_end,
    tail_after,
)
from remem.store.databases.row_sets import RowSets
from remem.store.history.journal_records import MOVED, Left, Parked, moment_of
from remem.store.io import Disk, Unreadable
from remem.store.own_writes import OwnWrites

_FOLDS: Final = 5
"""How often a file is swapped back while others go on writing to it."""


class Carrier:
    """Carries out the steps of one run, by number, in order, and takes them back in reverse."""

    def __init__(
        self,
        disk: Disk,
        own: OwnWrites,
        parked: ParkedFiles,
        op: str,
        steps: Sequence[Step],
        rows: RowSets,
    ) -> None:
        self._disk = disk
        self._own = own
        self._parked = parked
        self._op = op
        self._steps = steps
        self._rows = rows
        self._swapper = Swapper(disk, own)
        self._out: dict[int, Out] = {}
        self._stuck: list[Moved] = []

    def do(self, number: int, job: Job) -> Step:
        """Carry out a step; after an error `take_back` knows what of it stands.

        Returns:
            The step as it came to be: late lines of others make the file another one than planned.

        Raises:
            OSError: As the system gave it.
            BaseMoved: Someone was faster.
        """
        step = job.step
        match step:
            case Edited():
                return self._edit(number, step, job)
            case Made():
                self._make(number, step.path, job.data, step.mode)
            case Removed():
                self._remove(number, step.path, step.data)
            case Moved():
                self._move(step.source, step.target)
                # Later steps may edit below it, and must not be durable before it is.
                self._sync({step.source.parent, step.target.parent})
            case RowsSet():
                self._rows.write(step.edits)
            case FolderMade():
                self._make_folder(step.path)
                # What is moved into it later must not be durable before it is.
                self._sync({step.path.parent})
            case FolderGone() | Updated():
                pass  # the one not before the names beside the files are gone: see `clean`
            case Rendered():
                self._set(number, step)
            case _:
                assert_never(step)
        return step

    def take_back(self, number: int) -> str:
        """Undo whatever was done of a step, when all later ones are taken back.

        It may be asked any number of times.

        Returns:
            Why the step still stands, or an empty text.
        """
        step = without_stuck(self._steps[number], self._stuck)
        match step:
            case Edited():
                return self._take_back_edit(number, step)
            case Made():
                return self._take_back_made(number, step.path, step.data)
            case Rendered(before=None):
                return self._take_back_made(number, step.path, None)
            case Moved():
                return self._take_back_move(step)
            case RowsSet():
                return self._take_back_rows(step)
            case FolderMade():
                self.sync()  # what went back out of it shall be durable before it goes
                self._drop_folder(step.path)
                return ""
            case FolderGone() | Updated():
                return ""
            case _:
                return self._take_back_file(number, step)

    def parked(self, now: datetime) -> tuple[Parked, ...]:
        """Return what was swapped out or removed, as it will lie once `clean` has run."""
        found: list[Parked] = []
        for number, out in self._out.items():
            path = place_after(paths_of(self._steps[number])[0], self._steps[number + 1 :])
            place = self._place_of(self._names(path, number).old, number)
            data = out.seen.data
            found.append(
                Parked(place, path, self._op, number, now, len(data), out.digest, len(out.tail))
            )
        return tuple(found)

    def clean(self) -> None:
        """When all is done: drop the names beside the files, and folders that were to go.

        What was swapped out or removed goes where the journal has it parked, or stays.

        Raises:
            OSError: It stays in a folder that was to go, which is left to the next recovery.
        """
        going = {step.path for step in self._steps if isinstance(step, FolderGone)}
        for number, step in enumerate(self._steps):
            if isinstance(step, Edited | Made | Removed | Rendered):
                path = place_after(step.path, self._steps[number + 1 :])
                names = self._names(path, number)
                if isinstance(step, Edited | Removed):
                    self._parked.take(names.old, self._place_of(names.old, number))
                    if names.old.parent in going and self._is(names.old):
                        raise OSError(errno.EBUSY, "it cannot be set aside", str(names.old))
                    self._drop(names.part, names.new, names.back, names.gone)
                else:
                    self._drop(*names.all)
        for step in self._steps:
            if isinstance(step, FolderGone):
                self._drop_folder(step.path)

    def sync(self) -> None:
        """Make all names durable that the steps changed, where they were and where they are."""
        folders: set[Path] = set()
        for number, step in enumerate(self._steps):
            if not isinstance(step, RowsSet | FolderGone):
                for path in paths_of(step):
                    folders |= {path.parent, place_after(path, self._steps[number + 1 :]).parent}
        self._sync(folders)

    def _place_of(self, old: Path, number: int) -> Path:
        """Return where a file is parked: not in a folder that is to go."""
        place = self._parked.place(self._op, number, old)
        going = {step.path for step in self._steps if isinstance(step, FolderGone)}
        while place.parent in going:
            place = place.parent.with_name(place.name)
        return place

    def _sync(self, folders: Collection[Path]) -> None:
        for folder in sorted(folders):
            if self._is(folder):
                self._disk.sync_folder(folder)

    def _edit(self, number: int, step: Edited, job: Job) -> Edited:
        """Give a file its new bytes; return the step as it came to be."""
        path = step.path
        if is_addition(step):
            self._swapper.append(path, job.base, step.patches[0].new)
            return step
        names = self._names(path, number)
        out = self._swapper.put(
            path, names, job.base, job.data, job.stamp, to_end=reaches_end(step)
        )
        self._out[number] = out = replace(out, digest=out.digest or step.before)
        return replace(step, before=out.digest, size=len(out.seen.data))

    def _render(self, number: int, path: Path, data: bytes) -> None:
        """Give a derived file its new bytes: nobody else writes to it."""
        names = self._names(path, number)
        self._swapper.stage(path, names.part, names.new, data)
        self._swapper.keep(path, names.old)
        self._own.remember(path, data)
        self._disk.replace(names.new, path)

    def _make(self, number: int, path: Path, data: bytes, mode: int | None) -> None:
        names = self._names(path, number)
        self._disk.put_new(names.new, data, mode=mode)
        self._own.remember(path, data)
        try:
            self._disk.link(names.new, path)
        except FileExistsError as error:
            raise BaseMoved(path, what="was just created by another program") from error
        except OSError as error:
            if error.errno not in NO_LINKS:
                raise
            self._disk.put_new(names.old, b"")
            self._move(names.new, path)

    def _remove(self, number: int, path: Path, data: bytes) -> None:
        names = self._names(path, number)
        self._own.remember(path, None)
        try:
            self._disk.rename(path, names.old)
        except FileNotFoundError as error:
            raise BaseMoved(path, what="no longer exists") from error
        out = self._disk.read_settled(names.old, DRAIN_SECONDS)
        if out.data != data:
            raise BaseMoved(path, what="was just changed by another program")
        self._out[number] = Out(out, b"", digest_of(data))

    def _move(self, source: Path, target: Path) -> None:
        try:
            self._disk.rename(source, target)
        except FileExistsError as error:
            raise BaseMoved(target, what="was just created by another program") from error
        except FileNotFoundError as error:
            raise BaseMoved(source, what="no longer exists") from error

    def _make_folder(self, path: Path) -> None:
        try:
            self._disk.mkdir(path)
        except FileExistsError:
            if self._disk.kind(path) != "folder":
                raise

    def _set(self, number: int, step: Rendered) -> None:
        if step.after == step.before:
            return
        if step.after is None:
            self._remove(number, step.path, step.before or b"")
        elif step.before is None:
            self._make(number, step.path, step.after, None)
        else:
            self._render(number, step.path, step.after)

    def _take_back_edit(self, number: int, step: Edited) -> str:
        names = self._names(step.path, number)
        # Each round reads all versions, decides, and swaps. A round that somebody wrote into is
        # repeated: what they wrote is then one of the versions, so that no round loses anything.
        for _ in range(_FOLDS):
            found = self._found(step.path, names)
            if found is None:
                beside = any(self._is(name) for name in names.all)
                self._forget(step.path, *names.all)
                return f"`{step.path}` no longer exists" if beside else ""
            if not is_begun(step, found):
                return self._forget(step.path, *names.all)
            want, is_off = fold(step, found)
            # The live file is right as it is: dropping the names is all that is left.
            if want == found.live:
                self._forget(step.path, *names.all)
                return "" if is_off else f"`{step.path}` was changed by another program"
            if self._put_back(step.path, names, want, found):
                self._forget(step.path, *names.all)
                return "" if is_off else f"`{step.path}` was changed by another program"
        return f"`{step.path}` is being written to continuously"

    def _found(self, path: Path, names: Names) -> Found | None:
        """Read what there is of a file; what was swapped out once nobody writes to it any more."""
        live = self._read(path)
        if live is None:
            return None
        made = self._swapper.made.get(path)
        is_replaced = made is not None and made != self._disk.inode(path)
        return Found(
            live,
            new=self._drained(names.new),
            old=self._drained(names.old),
            back=self._drained(names.back),
            gone=self._drained(names.gone),
            is_replaced=is_replaced,
        )

    def _drained(self, name: Path) -> bytes | None:
        if not self._is(name):
            return None
        return self._disk.read_settled(name, DRAIN_SECONDS).data

    def _put_back(self, path: Path, names: Names, want: bytes, found: Found) -> bool:
        """Swap `want` in; all that lies beside is in it, so that the names may be used again.

        Returns:
            Whether all is in place: nobody did more to the live file meanwhile than add lines.
        """
        self._own.forget(path)
        if found.old == want:
            self._drop(names.back)
            self._disk.rename(names.old, names.back)  # the very file, and whoever has it open
        elif found.back != want:
            self._drop(names.part, names.back)
            self._swapper.stage(path, names.part, names.back, want)
        self._drop(names.gone)
        self._swapper.swap(names.back, path, names.gone)
        # Whoever had the file open wrote to what is `gone` now: lines at its end are brought along,
        # anything else is the next round's.
        tail = tail_after(found.live, self._disk.read_settled(names.gone, DRAIN_SECONDS).data)
        if tail:
            self._swapper.add_late(path, tail)
        return tail is not None

    def _take_back_made(self, number: int, path: Path, data: bytes | None) -> str:
        names = self._names(path, number)
        # Two names of one file, or the mark that stands for the second name: it is ours.
        if self._is_same(names.new, path) or (self._is(names.old) and not self._is(names.new)):
            # Somebody wrote to the file that was made; it is theirs now.
            if data is not None and self._read(path) not in (None, data):
                self._forget(path, names.old, names.new)
                return f"`{path}` was changed by another program"
            self._drop(path)
        return self._forget(path, names.old, names.new)

    def _take_back_file(self, number: int, step: Removed | Rendered) -> str:
        path = step.path
        names = self._names(path, number)
        if not self._was_replaced(path, names):
            return self._forget(path, names.part, names.old, names.new)
        self._own.forget(path)
        if isinstance(step, Rendered) and self._is(path):
            self._disk.replace(names.old, path)
            return ""
        try:
            self._disk.rename(names.old, path)
        except FileExistsError:
            return self._return_beside(step, names)
        return ""

    def _return_beside(self, step: Removed | Rendered, names: Names) -> str:
        """Somebody made a removed file again: what was written to the old one is not dropped."""
        path = step.path
        if isinstance(step, Rendered):
            return self._forget(path, names.old)
        tail = tail_after(step.data, self._disk.read_settled(names.old, DRAIN_SECONDS).data)
        if tail:
            self._swapper.add_late(path, tail)
        self._drop(names.old)
        return f"`{path}` was recreated by another program"

    def _take_back_move(self, step: Moved) -> str:
        if not self._has_moved(step):
            return ""
        self.sync()  # what was taken back below it shall be durable before it goes back
        try:
            self._disk.rename(step.target, step.source)
        except FileExistsError:
            self._stuck.append(step)
            return f"`{step.source}` was recreated by another program"
        return ""

    def _take_back_rows(self, step: RowsSet) -> str:
        back = opposite(step)
        assert isinstance(back, RowsSet)
        # Rows that do not stand as the step left them were never written, or are somebody else's.
        if not self._rows.stand(back.edits):
            return ""
        try:
            self._rows.write(back.edits)
        except ChangedOnDisk as error:
            return str(error)
        return ""

    def _has_moved(self, step: Moved) -> bool:
        inode = self._disk.inode
        return inode(step.target) == step.inode and inode(step.source) != step.inode

    def _was_replaced(self, path: Path, names: Names) -> bool:
        staged = self._is(names.new) or self._is(names.part)
        return self._is(names.old) and not staged and not self._is_same(names.old, path)

    def _forget(self, path: Path, *names: Path) -> str:
        """Drop the names of a step that is not done; `.new` last, for it says so."""
        self._own.forget(path)
        self._drop(*names)
        return ""

    def _drop(self, *paths: Path) -> None:
        self._swapper.drop(*paths)

    def _drop_folder(self, path: Path) -> None:
        try:
            self._disk.rmdir(path)
        except OSError as error:
            if error.errno not in {errno.ENOENT, errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR}:
                raise

    def _is(self, path: Path) -> bool:
        return self._disk.kind(path) is not None

    def _is_same(self, name: Path, path: Path) -> bool:
        inode = self._disk.inode(name)
        return inode is not None and inode == self._disk.inode(path)

    def _read(self, path: Path) -> bytes | None:
        try:
            return self._disk.read(path)
        except Unreadable:
            return None

    def _names(self, path: Path, number: int) -> Names:
        return Names.of(path, self._op, number)


def left_by(done: Sequence[Job], now: datetime) -> tuple[Left, ...]:
    """Return how jobs that were carried out leave the files that they touched, in their order."""
    when = moment_of(now)
    return tuple(Left(path, how, when) for job in done for path, how in _left_by(job))


def _left_by(job: Job) -> Iterator[tuple[Path, str]]:
    match job.step:
        case Edited() | Made():
            yield job.step.path, digest_of(job.data)
        case Rendered(after=None) | Removed():
            yield job.step.path, ""
        case Rendered(after=bytes() as after):
            yield job.step.path, digest_of(after)
        case Moved():
            yield job.step.source, MOVED
            yield job.step.target, MOVED
        case RowsSet():
            yield job.step.edits[0].database, MOVED  # what else is in the file is not ours to tell
        case _:
            return
