"""From effects to steps: the last look at the disk before a change is carried out.

Everything is read again and compared with what the verb was planned on. Nothing is written here.
"""

import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from itertools import pairwise
from pathlib import Path
from shlex import quote
from typing import Final, assert_never

from remem.base.digests import begin_digest_of_new, remember_digest
from remem.base.effects import (
    Clear,
    Create,
    Delete,
    Derived,
    Effect,
    Move,
    RowEdit,
    Splice,
    digest_of,
)
from remem.base.errors import ChangedOnDisk, Refused, WriteFailed
from remem.base.frozen import dataclass
from remem.edit.patch import patches_of, put_on
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
)
from remem.store.changes.without_step import tail_after
from remem.store.databases.row_sets import RowSets
from remem.store.io import Disk, Stamp, Unreadable, real_path

GATE_SECONDS: Final = 0.02
"""How long a writer that has a file open is waited for before a change is based on it."""

LINE_SECONDS: Final = 0.5
"""The same, for one that is in the middle of a line."""

Known = Callable[[Path], "tuple[bytes, str] | None"]
"""Gives bytes that were read earlier with their digest, so that equal bytes need no hashing."""


class BaseMoved(ChangedOnDisk):
    """What a change was planned on is no longer there; nothing was written."""

    def __init__(self, *paths: Path, what: str = "changed after it was shown") -> None:
        names = ", ".join(f"`{path}`" for path in paths)
        super().__init__(f"{names} {what}", hint="check it again and repeat the change")
        self.paths = paths


@dataclass(frozen=True, slots=True)
class Job:
    """A step with the bytes that it writes."""

    step: Step
    data: bytes = b""
    base: bytes = b""
    """For an edit: what `data` was made from."""
    stamp: Stamp | None = None
    """Of the file before it is edited: a last cheap look just before the new bytes go live."""
    settled: bool = False
    """For a derived file: its bytes are known and need no rendering."""


@dataclass(slots=True)
class Standing:
    """The disk as it will be once the effects so far are carried out."""

    disk: Disk
    known: Known
    files: dict[Path, bytes | None] = field(default_factory=dict)
    """Bytes under the name that each file has when they are written; `None` = gone."""
    folders: set[Path] = field(default_factory=set)
    moves: list[tuple[Path, Path]] = field(default_factory=list)

    def is_free(self, path: Path) -> bool:
        """Tell whether nothing will stand under that name."""
        if path in self.files:
            return self.files[path] is None
        origin = self._origin(path)
        if path in self.folders:
            return False
        return origin is None or self.disk.kind(origin) is None

    def is_folder(self, path: Path) -> bool:
        """Tell whether a folder, or a link to one, will stand there."""
        origin = self._origin(path)
        if path in self.folders or origin is None:
            return path in self.folders
        return self.disk.kind(real_path(origin)) == "folder"

    def read(self, path: Path) -> bytes:
        """Return the bytes that will stand there; `BaseMoved` if there will be no file."""
        if path in self.files:
            data = self.files[path]
            if data is None:
                raise BaseMoved(path, what="no longer exists")
            return data
        origin = self._origin(path)
        if origin is None:
            raise BaseMoved(path, what="no longer exists")
        try:
            return self._in_hand(path, self._settled(origin))
        except Unreadable as error:
            if error.why == "missing":
                raise BaseMoved(path, what="no longer exists") from error
            if error.why in ("permission", "failed"):
                hint = error.hint or "check the disk and try again"
                raise WriteFailed(f"{error}; nothing was written", hint=hint) from error
            raise Refused(str(error), hint=error.hint) from error

    def _in_hand(self, path: Path, data: bytes) -> bytes:
        """Return what the snapshot holds in place of equal bytes: its digest is known."""
        shown = self.known(path)
        if shown is None or shown[0] != data:
            return data
        remember_digest(*shown)
        return shown[0]

    def _settled(self, path: Path) -> bytes:
        found = self.disk.read_settled(path, GATE_SECONDS)
        if found.traffic == "busy" and not found.data.endswith(b"\n"):
            found = self.disk.read_whole_lines(path, LINE_SECONDS)
        return found.data

    def compare(self, path: Path, data: bytes, planned_on: str) -> str:
        """Return the digest of what was just read, if it is what a verb was shown.

        What an earlier effect of the same change wrote was compared when that effect came.
        """
        if path in self.files:
            return digest_of(data)
        shown = self.known(path)
        if shown is not None and shown[1] == planned_on:
            if shown[0] == data:
                return planned_on
            if tail_after(shown[0], data):
                return digest_of(data)  # lines came at the end: all offsets are as they were
        if digest_of(data) != planned_on:
            raise BaseMoved(path)
        return planned_on

    def shown(self, path: Path) -> bytes:
        """Return the bytes that a verb was planned on, as far as they are known."""
        shown = self.known(path)
        return b"" if shown is None else shown[0]

    def stamp(self, path: Path) -> Stamp | None:
        """Return the stamp of a file that no effect has touched so far."""
        origin = self._origin(path)
        return None if path in self.files or origin is None else self.disk.stamp(origin)

    def mode(self, path: Path) -> int | None:
        origin = self._origin(path)
        return None if origin is None else self.disk.mode(origin)

    def need_unprotected(self, path: Path) -> None:
        """Raise `Refused` where what stands there is a file that may not be written to."""
        origin = self._origin(path)
        if origin is not None:
            need_unprotected(self.disk, origin)

    def inode(self, path: Path) -> int:
        origin = self._origin(path)
        return 0 if origin is None else self.disk.inode(origin) or 0

    def move(self, source: Path, target: Path) -> None:
        """Let everything at and below `source` be at `target`."""
        self.files = {_moved(path, source, target): data for path, data in self.files.items()}
        self.folders = {_moved(path, source, target) for path in self.folders}
        self.moves.append((source, target))

    def _origin(self, path: Path) -> Path | None:
        """Return where what will be at `path` lies now; `None` if it will have moved away."""
        return _origin_of(path, self.moves)


def _origin_of(path: Path, moves: Sequence[tuple[Path, Path]]) -> Path | None:
    for source, target in reversed(moves):
        if path == target or target in path.parents:
            path = source / path.relative_to(target)
        elif path == source or source in path.parents:
            return None
    return path


def _moved(path: Path, source: Path, target: Path) -> Path:
    return target / path.relative_to(source) if path.is_relative_to(source) else path


def plan_jobs(
    disk: Disk, effects: Sequence[Effect], known: Known, rows: RowSets | None = None
) -> tuple[Job, ...]:
    """Return what the effects do, in their order; splices on one file are one job, at the first.

    Edits of rows of one database that follow each other are one job; derived files come last.

    Raises:
        BaseMoved: Some of it was planned on something else than what is there.
        Refused: It cannot be done without risk: splices that overlap, a link as target.
    """
    standing = Standing(disk, known)
    jobs: list[Job] = []
    seen: set[Path] = set()
    derived: dict[Path, Derived] = {}
    for effect in _in_runs(effects):
        if isinstance(effect, tuple):
            jobs.append(_row_set(rows or RowSets(), effect))
        elif isinstance(effect, Derived):
            derived[effect.path] = effect
        elif not isinstance(effect, Splice):
            jobs += _jobs(standing, effect)
        elif effect.path not in seen:
            seen.add(effect.path)
            jobs += _edit(
                standing, [e for e in effects if isinstance(e, Splice) and e.path == effect.path]
            )
    for late in derived.values():
        jobs += folders_above(standing, late.path)
        jobs.append(Job(_rendered(standing, late)))
    return tuple(jobs)


def is_of_rows(effects: Sequence[Effect]) -> bool:
    """Tell whether effects are rows of one database alone, of which at least one is added.

    Its database carries them out without a lock, and the added row tells whether it did.
    """
    rows = [effect for effect in effects if isinstance(effect, RowEdit)]
    is_alone = len(rows) == len(effects) and len({edit.database for edit in rows}) == 1
    return is_alone and any(not edit.before for edit in rows)


def _in_runs(
    effects: Sequence[Effect],
) -> Iterator[tuple[RowEdit, ...] | Splice | Create | Delete | Move | Clear | Derived]:
    """Yield effects in their order, and edits of one database's rows at once that are in a row."""
    run: list[RowEdit] = []
    for effect in effects:
        is_next = isinstance(effect, RowEdit) and (not run or run[0].database == effect.database)
        if run and not is_next:
            yield tuple(run)
            run = []
        if isinstance(effect, RowEdit):
            run.append(effect)
        else:
            yield effect
    if run:
        yield tuple(run)


def _row_set(rows: RowSets, edits: tuple[RowEdit, ...]) -> Job:
    if not rows.stand(edits):
        raise BaseMoved(edits[0].database)
    return Job(RowsSet(edits))


def _jobs(standing: Standing, effect: Create | Delete | Move | Clear) -> Iterator[Job]:
    match effect:
        case Create():
            yield from _create(standing, effect)
        case Delete():
            yield _delete(standing, effect)
        case Move():
            yield from _move(standing, effect)
        case Clear():
            yield Job(FolderGone(effect.path))
        case _:
            assert_never(effect)


def _edit(standing: Standing, splices: Sequence[Splice]) -> Iterator[Job]:
    path = splices[0].path
    stamp = standing.stamp(path)
    base = standing.read(path)
    digests = {standing.compare(path, base, planned_on) for planned_on in _planned_on(splices)}
    if digests != _planned_on(splices) and _adds_to_end(splices, standing.shown(path)):
        raise BaseMoved(path)  # somebody added there as well: ids and order are to be planned anew
    ordered = sorted(splices, key=lambda s: (s.start, s.end))
    if any(one.end > two.start for one, two in pairwise(ordered)):
        raise Refused(f"two edits of `{path}` overlap")
    if any(base[s.start : s.end] != s.old or not 0 <= s.start <= s.end for s in splices):
        raise BaseMoved(path)
    patches = patches_of(base, ordered)
    after = put_on(base, patches)
    if after is None or all(patch.old == patch.new for patch in patches):
        return
    standing.need_unprotected(path)
    standing.files[path] = after
    begin_digest_of_new(after)
    yield Job(Edited(path, digests.pop(), len(base), patches), after, base, stamp)


def _adds_to_end(splices: Sequence[Splice], shown: bytes) -> bool:
    """Tell whether something goes to the end; what is added may stand before the last break."""
    last = len(shown.rstrip())
    return any(
        splice.end >= len(shown) or (splice.only_adds and splice.end >= last) for splice in splices
    )


def _planned_on(splices: Sequence[Splice]) -> set[str]:
    return {splice.planned_on for splice in splices}


def _create(standing: Standing, effect: Create) -> Iterator[Job]:
    if not standing.is_free(effect.path):
        raise BaseMoved(effect.path, what="already exists")
    yield from folders_above(standing, effect.path)
    standing.files[effect.path] = effect.data
    yield Job(Made(effect.path, effect.data), effect.data)


def _delete(standing: Standing, effect: Delete) -> Job:
    data = standing.read(effect.path)
    standing.compare(effect.path, data, effect.planned_on)
    if data != effect.data:
        raise BaseMoved(effect.path)
    standing.need_unprotected(effect.path)
    mode = standing.mode(effect.path)
    standing.files[effect.path] = None
    return Job(Removed(effect.path, data, mode))


def _move(standing: Standing, effect: Move) -> Iterator[Job]:
    if standing.is_free(effect.source):
        raise BaseMoved(effect.source, what="no longer exists")
    if effect.planned_on and not standing.is_folder(effect.source):
        data = standing.read(effect.source)
        standing.compare(effect.source, data, effect.planned_on)
    if not standing.is_free(effect.target):
        raise BaseMoved(effect.target, what="already exists")
    yield from folders_above(standing, effect.target)
    inode = standing.inode(effect.source)
    standing.move(effect.source, effect.target)
    yield Job(Moved(effect.source, effect.target, inode))


def is_protected(disk: Disk, path: Path) -> bool:
    """Tell whether there is a file that not even its owner may write to, as after `chmod a-w`.

    To replace it takes rights on its folder alone, so the system would let it happen. Moving it is
    no change of it: its bytes and its mode stay.
    """
    mode = disk.mode(real_path(path))
    return mode is not None and not mode & stat.S_IWUSR


def need_unprotected(disk: Disk, path: Path) -> None:
    """Refuse to edit or delete a file that is protected.

    Raises:
        Refused: It is.
    """
    if is_protected(disk, path):
        raise Refused(
            f"`{path}` is write-protected; nothing was written",
            hint=f"`chmod u+w {quote(str(path))}` takes that off",
        )


def need_all_unprotected(disk: Disk, effects: Iterable[Effect]) -> None:
    """Refuse what a change would be refused for, before it is shown as one that can be made.

    Raises:
        Refused: It edits or deletes a file that is protected, be it moved before.
    """
    moves: list[tuple[Path, Path]] = []
    for effect in effects:
        if isinstance(effect, Move):
            moves.append((effect.source, effect.target))
        elif isinstance(effect, Splice | Delete):
            origin = _origin_of(effect.path, moves)
            if origin is not None:
                need_unprotected(disk, origin)


def folders_above(standing: Standing, path: Path) -> Iterator[Job]:
    """Yield the jobs that make the folders which `path` still lacks, outermost first."""
    missing: list[Path] = []
    for folder in path.parents:
        if not standing.is_free(folder):
            if not standing.is_folder(folder):
                raise Refused(f"`{folder}` is not a folder, so `{path}` cannot be created in it")
            break
        missing.append(folder)
    for folder in reversed(missing):
        standing.folders.add(folder)
        yield Job(FolderMade(folder))


def _rendered(standing: Standing, effect: Derived) -> Rendered:
    if standing.is_free(effect.path):
        return Rendered(effect.path, effect.format, None, None)
    return Rendered(effect.path, effect.format, standing.read(effect.path), None)
