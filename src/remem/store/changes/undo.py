"""Undo and redo as plans: the steps of a change once more, backwards or forwards.

Invariant: where nobody wrote since, they lead to exactly the former bytes; where someone did, only
what the change itself changed is changed, or it is said why that cannot be told apart. The first is
checked and not assumed: what patches lead to is held against the digest of the former bytes, and
only where it is that one the plan counts as exact. For the second a patch is merged by what stands
around it, and the merged bytes must still be a file that its agents can read.

Steps are planned on a picture of the disk that has the steps before them in it (`Standing`): each
was made on what those before it left, so backwards the last goes first. Files that are rendered
from others come after all of those. Nothing is written.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from remem.base.effects import digest_of
from remem.base.errors import ChangedOnDisk
from remem.base.frozen import dataclass
from remem.edit.merge_lines import Clash
from remem.edit.patch import merge_in, patch_between, put_on, reverse
from remem.store.changes.effects_to_steps import Job, Standing, folders_above
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
)
from remem.store.databases.row_sets import RowSets
from remem.store.io import Disk

Sound = Callable[[Path, bytes], bool]
"""Tells whether merged bytes are still a file that its agents can read."""


@dataclass(frozen=True, slots=True)
class Again:
    """What undo or redo would do."""

    jobs: tuple[Job, ...]
    exact: bool
    """Nothing had to be merged: every file gets exactly the bytes it had."""


@dataclass(slots=True)
class _Planner:
    standing: Standing
    back: bool
    sound: Sound
    rows: RowSets
    exact: bool = True

    def jobs(self, steps: Sequence[Step]) -> Iterator[Job]:
        for step in reversed(steps) if self.back else steps:
            yield from self._jobs(step)
        for step in steps:
            if isinstance(step, Rendered | Updated):
                yield from self._rendered(step)

    def _jobs(self, step: Step) -> Iterator[Job]:
        if isinstance(step, Edited):
            yield from self._edited(step)
            return
        wanted = opposite(step) if self.back else step
        match wanted:
            case Made():
                yield from self._made(wanted)
            case Removed():
                yield self._removed(wanted)
            case Moved():
                yield from self._moved(wanted)
            case RowsSet():
                self._need_rows(wanted)
                yield Job(wanted)
            case FolderMade() | FolderGone():
                yield Job(wanted)
            case Edited() | Rendered() | Updated():
                pass  # the one is done above, the other waits for all the rest
            case _:
                assert_never(wanted)

    def _need_rows(self, wanted: RowsSet) -> None:
        """Insist that every row is as the change left it.

        Raises:
            ChangedOnDisk: Somebody changed one since; the message names it.
        """
        if self.rows.stand(wanted.edits):
            return
        first = {(edit.table, *edit.key.values()): edit for edit in reversed(wanted.edits)}
        for edit in first.values():
            if not self.rows.stand([edit]):
                place, row = edit.database, ", ".join(map(str, edit.key.values()))
                raise ChangedOnDisk(
                    f"`{place}` has changed since in the row `{row}` of `{edit.table}`",
                    hint="undo the later change first; see `remem history`",
                )
        raise _gone(wanted.edits[0].database, "has other values now")

    def _edited(self, step: Edited) -> Iterator[Job]:
        path = step.path
        stamp = self.standing.stamp(path)
        now = self._read(path)
        patches = reverse(step.patches) if self.back else step.patches
        after = put_on(now, patches)
        # The digest is that of the former bytes: where they lead to, or where they come from.
        if after is None or digest_of(after if self.back else now) != step.before:
            self.exact = False
            size = step.size_after if self.back else step.size
            after = self._merged(path, merge_in(now, patches, size))
            patches = patch_between(now, after)
        if patches:
            self.standing.need_unprotected(path)
            self.standing.files[path] = after
            yield Job(Edited(path, digest_of(now), len(now), patches), after, now, stamp)

    def _merged(self, path: Path, merged: bytes | Clash) -> bytes:
        if isinstance(merged, Clash):
            raise _gone(path, f"has other changes in the same place, near line {merged.line}")
        if not self.sound(path, merged):
            raise _gone(path, "would no longer parse: later changes depend on this one")
        return merged

    def _made(self, step: Made) -> Iterator[Job]:
        if not self.standing.is_free(step.path):
            raise _gone(step.path, "exists again")
        yield from folders_above(self.standing, step.path)
        self.standing.files[step.path] = step.data
        yield Job(step, step.data)

    def _removed(self, step: Removed) -> Job:
        if self._read(step.path) != step.data:
            raise _gone(step.path, "was changed since")
        self.standing.need_unprotected(step.path)
        mode = self.standing.mode(step.path)
        self.standing.files[step.path] = None
        return Job(replace(step, mode=mode))

    def _moved(self, step: Moved) -> Iterator[Job]:
        if self.standing.is_free(step.source):
            raise _gone(step.source, "no longer exists")
        if not self.standing.is_free(step.target):
            raise _gone(step.target, "exists again")
        yield from folders_above(self.standing, step.target)
        inode = self.standing.inode(step.source)
        self.standing.move(step.source, step.target)
        yield Job(replace(step, inode=inode))

    def _rendered(self, step: Rendered | Updated) -> Iterator[Job]:
        free = self.standing.is_free(step.path)
        now = None if free else self._read(step.path)
        yield from folders_above(self.standing, step.path) if free else ()
        if isinstance(step, Updated):
            after = None if now is None else self._updated(step.edit, now)
            settled = self.exact and after is not None
        else:
            after, found = (step.before, step.after) if self.back else (step.after, step.before)
            settled = self.exact and now == found
        # A file that was not there goes all the same: what others wrote is not in it alone.
        settled = settled and not (step.has_late and after is not None)
        kept = after if settled else None
        derived = Rendered(step.path, step.format, now, kept, step.has_late)
        yield Job(derived, settled=settled)

    def _updated(self, edit: Edited, now: bytes) -> bytes | None:
        """Return what a derived file was on the other side; `None` if it is neither of the two."""
        after = put_on(now, reverse(edit.patches) if self.back else edit.patches)
        if after is None or digest_of(after if self.back else now) != edit.before:
            return None
        return after

    def _read(self, path: Path) -> bytes:
        if self.standing.is_free(path):
            raise _gone(path, "no longer exists")
        return self.standing.read(path)


def plan_again(
    disk: Disk,
    steps: Sequence[Step],
    sound: Sound,
    *,
    back: bool,
    rows: RowSets | None = None,
    standing: Standing | None = None,
) -> Again:
    """Plan to take steps back, or to do them again.

    Args:
        disk: Read, never written.
        steps: The change read forwards, as the journal keeps it.
        sound: Asked for every file whose bytes had to be merged.
        back: Undo; else redo.
        rows: Where rows of databases are.
        standing: The disk as plans before this one leave it; it takes this one in. `None` = the
            disk as it is.

    Raises:
        ChangedOnDisk: What others did since cannot be told apart from the change.
        Refused: A path is no regular file any more.
    """
    standing = standing or Standing(disk, lambda _: None)
    planner = _Planner(standing, back, sound, rows or RowSets())
    jobs = tuple(planner.jobs(steps))
    return Again(jobs, planner.exact)


def kept_after_undo(steps: Sequence[Step], done: Sequence[Job], *, exact: bool) -> tuple[Step, ...]:
    """Return the change read forwards as redo would do it, now that `done` took it back."""
    if exact:
        return tuple(steps)
    plain = [job for job in done if not isinstance(job.step, Rendered)]
    derived = [job for job in done if isinstance(job.step, Rendered)]
    return tuple(opposite(job.step, digest_of(job.data)) for job in (*reversed(plain), *derived))


def _gone(path: Path, what: str) -> ChangedOnDisk:
    hint = "see its diff in History and fix it by hand; History undoes other changes too"
    return ChangedOnDisk(f"`{path}` {what}", hint=hint)
