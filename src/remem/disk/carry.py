"""Carrying out one step and taking it back; the names beside a file tell how far it came.

Each step that writes a file has two names of its own in the file's folder: `.new` for the bytes
that are coming, `.old` for the file that they replace. They alone say, after a crash at any point,
whether the step was done:

    edit      `.old` without `.new`           the file was `.old` before
    make      `.new` is the file itself       there was nothing before
    remove    `.old` and no file              the file was `.old` before

Where a file cannot have two names, `.old` is a copy, and for a made file an empty mark.
"""

import errno
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, assert_never

from remem.disk.io import Disk, Unreadable
from remem.disk.merge import Clash
from remem.disk.own import OwnWrites
from remem.disk.patch import merge_in, put_on, reverse
from remem.disk.plan import BaseMoved, Job
from remem.disk.rows import row_holds, set_row
from remem.disk.steps import (
    Edited,
    FolderGone,
    FolderMade,
    Made,
    Moved,
    Removed,
    Rendered,
    RowSet,
    Step,
    Updated,
    opposite_row,
    paths_of,
)
from remem.errors import ChangedOnDisk
from remem.model.entry import digest_of

_NO_LINKS: Final = {errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS, errno.EXDEV}


class Carrier:
    """Carries out the steps of one run, by number, in order, and takes them back in reverse."""

    def __init__(self, disk: Disk, own: OwnWrites, op: str, steps: Sequence[Step]) -> None:
        self._disk = disk
        self._own = own
        self._op = op
        self._steps = steps
        self._stuck: list[Moved] = []

    def do(self, number: int, job: Job) -> None:
        """Carry out a step; after an error `take_back` knows what of it stands.

        Raises:
            OSError: As the system gave it.
            BaseMoved: Someone was faster.
        """
        step = job.step
        match step:
            case Edited():
                self._put_in_place(number, step.path, job)
            case Made():
                self._make(number, step.path, job.data, step.mode)
            case Removed():
                self._remove(number, step.path)
            case Moved():
                self._move(step.source, step.target)
            case RowSet():
                set_row(step.edit)
            case FolderMade():
                self._make_folder(step.path)
            case FolderGone() | Updated():
                pass  # the one not before the names beside the files are gone: see `clean`
            case Rendered():
                self._set(number, step, job)
            case _:
                assert_never(step)

    def take_back(self, number: int) -> str:
        """Undo whatever was done of a step, when all later ones are taken back.

        It may be asked any number of times.

        Returns:
            Why the step still stands, or an empty text.
        """
        step = _shifted(self._steps[number], self._stuck)
        match step:
            case Edited():
                return self._take_back_edit(number, step)
            case Made():
                return self._take_back_made(number, step.path, step.data)
            case Rendered(before=None):
                return self._take_back_made(number, step.path, None)
            case Moved():
                return self._take_back_move(step)
            case RowSet():
                return self._take_back_row(step)
            case FolderMade():
                self._drop_folder(step.path)
                return ""
            case FolderGone() | Updated():
                return ""
            case _:
                return self._take_back_file(number, step)

    def clean(self) -> None:
        """When all is done: drop the names beside the files, and folders that were to go."""
        for number, step in enumerate(self._steps):
            if isinstance(step, Edited | Made | Removed | Rendered):
                path = _place(step.path, self._steps[number + 1 :])
                self._drop(*self._beside(path, number))
        for step in self._steps:
            if isinstance(step, FolderGone):
                self._drop_folder(step.path)

    def sync(self) -> None:
        """Make all names durable that the steps changed."""
        folders = {
            _place(path, self._steps[number + 1 :]).parent
            for number, step in enumerate(self._steps)
            if not isinstance(step, RowSet | FolderGone)
            for path in paths_of(step)
        }
        for folder in sorted(folders):
            if self._is(folder):
                self._disk.sync_folder(folder)

    def _put_in_place(self, number: int, path: Path, job: Job) -> None:
        """Give a file new bytes: the one place that knows how a live file is replaced."""
        new, old, _ = self._beside(path, number)
        self._disk.put_new(new, job.data, like=path)
        self._keep(path, old)
        if job.stamp is not None and self._disk.stamp(path) != job.stamp:
            raise BaseMoved(path, what="was written to by someone else just now")
        self._own.remember(path, job.data)
        self._disk.replace(new, path)

    def _keep(self, path: Path, old: Path) -> None:
        try:
            self._disk.link(path, old)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            self._disk.put_new(old, self._disk.read(path), like=path)

    def _make(self, number: int, path: Path, data: bytes, mode: int | None) -> None:
        new, old, _ = self._beside(path, number)
        self._disk.put_new(new, data, mode=mode)
        self._own.remember(path, data)
        try:
            self._disk.link(new, path)
        except FileExistsError as error:
            raise BaseMoved(path, what="was made by someone else just now") from error
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            self._disk.put_new(old, b"")
            self._move(new, path)

    def _remove(self, number: int, path: Path) -> None:
        _, old, _ = self._beside(path, number)
        self._own.remember(path, None)
        try:
            self._disk.rename(path, old)
        except FileNotFoundError as error:
            raise BaseMoved(path, what="is not there any more") from error

    def _move(self, source: Path, target: Path) -> None:
        try:
            self._disk.rename(source, target)
        except FileExistsError as error:
            raise BaseMoved(target, what="was made by someone else just now") from error
        except FileNotFoundError as error:
            raise BaseMoved(source, what="is not there any more") from error

    def _make_folder(self, path: Path) -> None:
        try:
            self._disk.mkdir(path)
        except FileExistsError:
            if self._disk.kind(path) != "folder":
                raise

    def _set(self, number: int, step: Rendered, job: Job) -> None:
        if step.after == step.before:
            return
        if step.after is None:
            self._remove(number, step.path)
        elif step.before is None:
            self._make(number, step.path, step.after, None)
        else:
            self._put_in_place(number, step.path, Job(step, step.after, job.stamp))

    def _take_back_edit(self, number: int, step: Edited) -> str:
        new, old, both = self._beside(step.path, number)
        live = self._read(step.path)
        if live is None or not self._was_replaced(step.path, new, old):
            return self._forget(step.path, old, both, new)
        back = reverse(step.patches)
        former = put_on(live, back)
        self._own.forget(step.path)
        if former is not None and digest_of(former) == step.before:
            self._disk.replace(old, step.path)
            return ""
        merged = merge_in(live, back, step.size_after)
        if isinstance(merged, Clash):
            self._drop(old)
            return f"`{step.path}` was written to by someone else at line {merged.line}"
        # By way of `.old`, so that this too can end anywhere and begin again.
        self._drop(both)
        self._disk.put_new(both, merged, like=step.path)
        self._disk.replace(both, old)
        self._disk.replace(old, step.path)
        return ""

    def _take_back_made(self, number: int, path: Path, data: bytes | None) -> str:
        new, old, both = self._beside(path, number)
        if self._is_same(new, path) or (self._is(old) and not self._is(new)):
            if data is not None and self._read(path) not in (None, data):
                self._forget(path, old, both, new)
                return f"`{path}` was written to by someone else"
            self._drop(path)
        return self._forget(path, old, both, new)

    def _take_back_file(self, number: int, step: Removed | Rendered) -> str:
        path = step.path
        new, old, both = self._beside(path, number)
        if not self._was_replaced(path, new, old):
            return self._forget(path, old, both, new)
        self._own.forget(path)
        if isinstance(step, Rendered) and self._is(path):
            self._disk.replace(old, path)
            return ""
        try:
            self._disk.rename(old, path)
        except FileExistsError:
            self._drop(old)
            return f"`{path}` was made again by someone else"
        return ""

    def _take_back_move(self, step: Moved) -> str:
        if not self._has_moved(step):
            return ""
        try:
            self._disk.rename(step.target, step.source)
        except FileExistsError:
            self._stuck.append(step)
            return f"`{step.source}` was made again by someone else"
        return ""

    def _take_back_row(self, step: RowSet) -> str:
        if not row_holds(step.edit, step.edit.after):
            return ""
        try:
            set_row(opposite_row(step.edit))
        except ChangedOnDisk as error:
            return str(error)
        return ""

    def _has_moved(self, step: Moved) -> bool:
        inode = self._disk.inode
        return inode(step.target) == step.inode and inode(step.source) != step.inode

    def _was_replaced(self, path: Path, new: Path, old: Path) -> bool:
        return self._is(old) and not self._is(new) and not self._is_same(old, path)

    def _forget(self, path: Path, *names: Path) -> str:
        """Drop the names of a step that is not done; `.new` last, for it says so."""
        self._own.forget(path)
        self._drop(*names)
        return ""

    def _drop(self, *paths: Path) -> None:
        for path in paths:
            if self._is(path):
                with suppress(FileNotFoundError):
                    self._disk.unlink(path)

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

    def _beside(self, path: Path, number: int) -> tuple[Path, Path, Path]:
        """Return the names for what comes, for what goes, and for a merge of both."""
        stem = f".remem-{self._op}-{number}"
        new, old, both = (path.with_name(f"{stem}.{end}") for end in ("new", "old", "both"))
        return new, old, both


def _shifted(step: Step, stuck: Sequence[Moved]) -> Step:
    """Return a step where it is to be found while later moves cannot be taken back."""
    if not stuck or isinstance(step, Moved | RowSet | Updated):
        return step
    return replace(step, path=_place(step.path, stuck))


def _place(path: Path, later: Sequence[Step]) -> Path:
    """Return where `path` lies once the later steps have moved the folders above it."""
    for step in later:
        if isinstance(step, Moved) and path != step.source and path.is_relative_to(step.source):
            path = step.target / path.relative_to(step.source)
    return path
