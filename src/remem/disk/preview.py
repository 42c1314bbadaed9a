"""What a change would do to the files, for looking at before it happens; nothing is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, assert_never

from remem.disk.diff import Hunk, file_diff, hunks, step_diff
from remem.disk.io import Disk, Unreadable
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
)
from remem.model.change import Create, Delete, Derived, Effect, Move, RowEdit, Splice

_DOES: Final[dict[type[Step], str]] = {
    Edited: "edits",
    Made: "creates",
    Removed: "removes",
    Rendered: "renders again",
    Updated: "renders again",
}


@dataclass(frozen=True, slots=True)
class FilePreview:
    """What a change does to one file."""

    path: Path
    does: str
    """`edits`, `creates`, `removes`, `moves to …`, `changes a row`, `renders again`."""
    hunks: tuple[Hunk, ...] = ()

    @property
    def only_adds(self) -> bool:
        """True when no byte that exists is changed or goes."""
        return bool(self.hunks) and not any(hunk.before for hunk in self.hunks)

    @property
    def added(self) -> int:
        return sum(len(hunk.after) for hunk in self.hunks)


def previews(disk: Disk, effects: Sequence[Effect]) -> tuple[FilePreview, ...]:
    """Return what effects would do, file by file: edits first, then the rest in their order."""
    splices: dict[Path, list[Splice]] = {}
    rest: list[FilePreview] = []
    for effect in effects:
        match effect:
            case Splice():
                splices.setdefault(effect.path, []).append(effect)
            case Create(path=path, data=data):
                rest.append(FilePreview(path, "creates", file_diff(b"", data)))
            case Delete(path=path, data=data):
                rest.append(FilePreview(path, "removes", file_diff(data, b"")))
            case Move(source=source, target=target):
                rest.append(FilePreview(source, f"moves to `{target}`"))
            case RowEdit():
                rest.append(_row(effect))
            case Derived(path=path):
                rest.append(FilePreview(path, "renders again"))
    edits = [
        FilePreview(path, "edits", hunks(_base(disk, path), found))
        for path, found in splices.items()
    ]
    return (*edits, *rest)


def _base(disk: Disk, path: Path) -> bytes:
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
            yield FilePreview(source, f"moves to `{target}`")
        case RowSet(edit=edit):
            yield _row(edit)
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
    changed = ", ".join(
        f"{column}: {edit.before.get(column)} → {value}" for column, value in edit.after.items()
    )
    return FilePreview(edit.database, f"changes a row of `{edit.table}`: {changed}")
