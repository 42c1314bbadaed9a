"""What a change would do to the files, for looking at before it happens; nothing is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, assert_never

from remem.base.effects import Clear, Create, Delete, Derived, Effect, Move, RowEdit, Splice
from remem.base.frozen import dataclass
from remem.store.changes.hunks import Hunk, file_diff, hunks, step_diff
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
)
from remem.store.io import Disk, Unreadable
from remem.store.write_bounds import Bounds, LedOut

REMOVES: Final = "removes"
"""What is said of a file that goes."""
_DOES: Final[dict[type[Step], str]] = {
    Edited: "edits",
    Made: "creates",
    Removed: REMOVES,
    Rendered: "regenerated",
    Updated: "regenerated",
}


@dataclass(frozen=True, slots=True)
class FilePreview:
    """What a change does to one file."""

    path: Path
    action: str
    """`edits`, `creates`, `removes`, `moves to`, `changes a row of …`, `regenerated`."""
    hunks: tuple[Hunk, ...] = ()
    lies_at: Path | None = None
    """Where it really lies, if a folder above it is a link."""
    goes_to: Path | None = None
    """Where it moves."""
    times: int = 1
    """How many rows of it are changed alike."""

    @property
    def does(self) -> str:
        """What happens to it, in a few words, with whole paths."""
        return self.told(str)

    def told(self, name: Callable[[Path], str]) -> str:
        """Return what happens to it, with a place that it moves to as the caller names files."""
        goes = "" if self.goes_to is None else f" `{name(self.goes_to)}`"
        often = f", {self.times:,} times" if self.times > 1 else ""
        lies = "" if self.lies_at is None else f", at `{self.lies_at}`"
        return f"{self.action}{goes}{often}{lies}"

    def seen_through(self, bounds: Bounds) -> FilePreview:
        """Return it with where the file really lies, if a folder above it is a link."""
        try:
            real = bounds.real(self.path)
        except LedOut as led:
            return replace(self, action=f"cannot be written: {led}", goes_to=None, times=1)
        return self if real == self.path else replace(self, lies_at=real)

    @property
    def only_adds(self) -> bool:
        """True when no byte that exists is changed or goes."""
        return bool(self.hunks) and not any(hunk.before for hunk in self.hunks)


def previews(
    disk: Disk, effects: Sequence[Effect], shown: Mapping[Path, bytes]
) -> tuple[FilePreview, ...]:
    """Return what effects would do, file by file: edits first, then the rest in their order.

    Args:
        disk: Asked for files that are not among `shown`.
        effects: The change.
        shown: The bytes that the effects were planned on.
    """
    splices: dict[Path, list[Splice]] = {}
    rest: list[FilePreview] = []
    for effect in effects:
        match effect:
            case Splice():
                splices.setdefault(effect.path, []).append(effect)
            case Create(path=path, data=data):
                rest.append(FilePreview(path, "creates", file_diff(b"", data)))
            case Delete(path=path, data=data):
                rest.append(FilePreview(path, REMOVES, file_diff(data, b"")))
            case Move(source=source, target=target):
                rest.append(FilePreview(source, "moves to", goes_to=target))
            case RowEdit():
                rest.append(_row(effect))
            case Clear():
                pass  # the files that were in it are told
            case Derived(path=path):
                rest.append(FilePreview(path, "regenerated"))
    edits = [
        FilePreview(path, "edits", hunks(_base(disk, path, shown), found))
        for path, found in splices.items()
    ]
    return (*edits, *_counted(rest))


def _counted(found: Sequence[FilePreview]) -> Iterator[FilePreview]:
    """Yield each, and what happens to many rows alike once, with how often."""
    times = Counter(each for each in found if not each.hunks)
    for each in found:
        often = 0 if each.hunks else times.pop(each, 0)
        if often or each.hunks:
            yield replace(each, times=often) if often else each


def _base(disk: Disk, path: Path, shown: Mapping[Path, bytes]) -> bytes:
    if path in shown:
        return shown[path]
    try:
        return disk.read(path)
    except Unreadable:
        return b""


def step_previews(steps: Sequence[Step]) -> tuple[FilePreview, ...]:
    """Return what the steps of a change in the history did, in their order."""
    return tuple(preview for step in steps for preview in _of_step(step))


def _of_step(step: Step) -> Iterator[FilePreview]:
    match step:
        case Moved(source=source, target=target):
            yield FilePreview(source, "moves to", goes_to=target)
        case RowsSet(edits=edits):
            yield from map(_row, edits)
        case FolderMade() | FolderGone():
            return
        case Rendered(before=before, after=after) if before == after:
            return
        case Updated(edit=edit) if not edit.patches:
            return
        case Edited() | Made() | Removed() | Rendered() | Updated():
            yield FilePreview(step.path, _DOES[type(step)], step_diff(step))
        case _:
            assert_never(step)


def _row(edit: RowEdit) -> FilePreview:
    if not edit.before:
        return FilePreview(edit.database, f"adds a row to `{edit.table}`")
    if not edit.after:
        return FilePreview(edit.database, f"removes a row from `{edit.table}`")
    changed = ", ".join(
        f"{column}: {edit.before.get(column)} → {value}"
        for column, value in edit.after.items()
        if column not in edit.before or edit.before[column] != value
    )
    changed += "".join(f", {column}: {number:+}" for column, number in edit.adds.items())
    return FilePreview(edit.database, f"changes a row of `{edit.table}`: {changed}")
