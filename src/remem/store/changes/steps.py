"""Steps: what a change does to the disk, each with all that is needed to take it back.

Effects say what a verb wants, on the bytes it was planned on; steps are what the commit made of
them. They are values: carrying them out is `execute.py`, keeping them is `journal.py`.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from remem.base.effects import Json, RowEdit, digest_of
from remem.base.frozen import dataclass
from remem.edit.patch import Patch, patches_between, reverse


@dataclass(frozen=True, slots=True)
class Edited:
    """A file got other bytes."""

    path: Path
    before: str
    """Digest of the former bytes."""
    size: int
    """Length of the former bytes."""
    patches: tuple[Patch, ...]

    @property
    def size_after(self) -> int:
        return self.size + sum(len(patch.new) - len(patch.old) for patch in self.patches)


@dataclass(frozen=True, slots=True)
class Made:
    """A file appeared."""

    path: Path
    data: bytes
    mode: int | None = None
    """Its mode; `None` = as the umask has it."""


@dataclass(frozen=True, slots=True)
class Removed:
    """A file went."""

    path: Path
    data: bytes
    mode: int | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A file or folder got another name."""

    source: Path
    target: Path
    inode: int
    """Tells it from one that someone makes under the old name."""


@dataclass(frozen=True, slots=True)
class RowsSet:
    """Rows of one database got other values, came or went, in one transaction."""

    edits: tuple[RowEdit, ...]


@dataclass(frozen=True, slots=True)
class FolderMade:
    """A folder appeared, empty."""

    path: Path


@dataclass(frozen=True, slots=True)
class FolderGone:
    """A folder went if it was empty."""

    path: Path


@dataclass(frozen=True, slots=True)
class Rendered:
    """A derived file was rendered from the others."""

    path: Path
    format: str
    before: bytes | None
    """Its former bytes; `None` = it was not there."""
    after: bytes | None
    """What was rendered; `None` = it is not there, or is not known yet."""
    has_late: bool = False
    """Lines of others came into what it is rendered from while that was written: they stay when
    the change is taken back, so its former bytes, which lack them, are no longer right."""


@dataclass(frozen=True, slots=True)
class Updated:
    """What the history keeps of a derived file that was there before and after: the difference.

    It is never carried out as it stands: undo and redo make a `Rendered` of it.
    """

    format: str
    edit: Edited
    has_late: bool = False
    """As `Rendered` has it."""

    @property
    def path(self) -> Path:
        return self.edit.path


Step = Edited | Made | Removed | Moved | RowsSet | FolderMade | FolderGone | Rendered | Updated


def while_running(step: Step) -> Step:
    """Return a step as its intent file has it: of a derived file, only whether it was there.

    What it was lies beside it until the change is in the history.
    """
    if isinstance(step, Rendered) and step.before is not None:
        return replace(step, before=b"", after=None)
    return step


def once_done(step: Step) -> Step:
    """Return a step as the history has it: of a big derived file only what changed in it."""
    if not isinstance(step, Rendered) or step.before is None or step.after is None:
        return step
    patches = patches_between(step.before, step.after)
    edit = Edited(step.path, digest_of(step.before), len(step.before), patches)
    return Updated(step.format, edit, step.has_late)


def paths_of(step: Step) -> tuple[Path, ...]:
    """Return the paths that a step touches."""
    match step:
        case Moved():
            return (step.source, step.target)
        case RowsSet():
            return (step.edits[0].database,)
        case _:
            return (step.path,)


def without_stuck(step: Step, stuck: Sequence[Moved]) -> Step:
    """Return a step where it is to be found while later moves cannot be taken back."""
    if not stuck or isinstance(step, Moved | RowsSet | Updated):
        return step
    return replace(step, path=place_after(step.path, stuck))


def place_after(path: Path, later: Sequence[Step]) -> Path:
    """Return where `path` lies once the later steps have moved the folders above it."""
    for step in later:
        if isinstance(step, Moved) and path != step.source and path.is_relative_to(step.source):
            path = step.target / path.relative_to(step.source)
    return path


def opposite(step: Step, digest_after: str = "") -> Step:
    """Return the step that takes this one back.

    Args:
        step: What was done.
        digest_after: Digest of the bytes that the step left, for an `Edited`.
    """
    match step:
        case Edited():
            return Edited(step.path, digest_after, step.size_after, reverse(step.patches))
        case Made():
            return Removed(step.path, step.data, step.mode)
        case Removed():
            return Made(step.path, step.data, step.mode)
        case Moved():
            return Moved(step.target, step.source, step.inode)
        case RowsSet():
            return RowsSet(tuple(map(_opposite_row, reversed(step.edits))))
        case FolderMade():
            return FolderGone(step.path)
        case FolderGone():
            return FolderMade(step.path)
        case Rendered():
            return replace(step, before=step.after, after=step.before)
        case Updated():
            back = Edited(step.path, digest_after, step.edit.size_after, reverse(step.edit.patches))
            return Updated(step.format, back, step.has_late)
        case _:
            assert_never(step)


def _opposite_row(edit: RowEdit) -> RowEdit:
    return RowEdit(
        edit.database,
        edit.table,
        edit.key,
        before=edit.after,
        after=edit.before,
        adds={name: -number for name, number in edit.adds.items()},
    )


def to_json(step: Step) -> dict[str, Json]:
    """Return a step as plain JSON; bytes are base64."""
    match step:
        case Edited():
            return _edited_to_json(step)
        case Updated():
            edit = _edited_to_json(step.edit)
            return {**edit, "step": "updated", "format": step.format, **_late(step)}
        case Made():
            return _file("made", step)
        case Removed():
            return _file("removed", step)
        case Moved():
            return {
                "step": "moved",
                "source": str(step.source),
                "target": str(step.target),
                "inode": step.inode,
            }
        case RowsSet():
            rows: list[Json] = [_row_to_json(edit) for edit in step.edits]
            return {"step": "rows", "rows": rows}
        case FolderMade():
            return {"step": "folder made", "path": str(step.path)}
        case FolderGone():
            return {"step": "folder gone", "path": str(step.path)}
        case Rendered():
            return {
                "step": "rendered",
                "path": str(step.path),
                "format": step.format,
                "before": _maybe_text(step.before),
                "after": _maybe_text(step.after),
                **_late(step),
            }
        case _:
            assert_never(step)


def all_to_json(steps: Iterable[Step]) -> list[Json]:
    """Return steps in their order as plain JSON."""
    return [to_json(step) for step in steps]


def from_json(values: Mapping[str, Json]) -> Step:
    """Read what `to_json` wrote.

    Raises:
        ValueError: It is not that; `KeyError` and `TypeError` are turned into it.
    """
    try:
        return _from_json(values)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a step: {error!r}") from error


def _from_json(values: Mapping[str, Json]) -> Step:
    match values["step"]:
        case "edited":
            return _edited_from_json(values)
        case "updated":
            edit, late = _edited_from_json(values), values.get("late") is True
            return Updated(_str(values["format"]), edit, late)
        case "made":
            return Made(_path(values["path"]), _bytes(values["data"]), _mode(values["mode"]))
        case "removed":
            return Removed(_path(values["path"]), _bytes(values["data"]), _mode(values["mode"]))
        case "moved":
            source, target = _path(values["source"]), _path(values["target"])
            return Moved(source, target, _int(values["inode"]))
        case "row":  # as histories of the first weeks have them
            return RowsSet((_row_from_json(values),))
        case "rows":
            return RowsSet(tuple(_row_from_json(_dict(row)) for row in _list(values["rows"])))
        case "folder made":
            return FolderMade(_path(values["path"]))
        case "folder gone":
            return FolderGone(_path(values["path"]))
        case "rendered":
            former, rendered = (_maybe_bytes(values[side]) for side in ("before", "after"))
            path, late = _path(values["path"]), values.get("late") is True
            return Rendered(path, _str(values["format"]), former, rendered, late)
        case other:
            raise ValueError(f"no step is called {other!r}")


def _late(step: Rendered | Updated) -> dict[str, Json]:
    return {"late": True} if step.has_late else {}


def _file(name: str, step: Made | Removed) -> dict[str, Json]:
    return {"step": name, "path": str(step.path), "data": _text(step.data), "mode": step.mode}


def _row_to_json(edit: RowEdit) -> dict[str, Json]:
    return {
        "database": str(edit.database),
        "table": edit.table,
        "key": dict(edit.key),
        "before": dict(edit.before),
        "after": dict(edit.after),
        **({"adds": dict(edit.adds)} if edit.adds else {}),
    }


def _row_from_json(values: Mapping[str, Json]) -> RowEdit:
    key, before, after = (_dict(values[part]) for part in ("key", "before", "after"))
    adds = {name: _int(number) for name, number in _dict(values.get("adds", {})).items()}
    return RowEdit(_path(values["database"]), _str(values["table"]), key, before, after, adds)


def _edited_to_json(step: Edited) -> dict[str, Json]:
    patches: list[Json] = [_patch_to_json(patch) for patch in step.patches]
    return {
        "step": "edited",
        "path": str(step.path),
        "before": step.before,
        "size": step.size,
        "patches": patches,
    }


def _edited_from_json(values: Mapping[str, Json]) -> Edited:
    return Edited(
        _path(values["path"]),
        _str(values["before"]),
        _int(values["size"]),
        tuple(_patch_from_json(_dict(patch)) for patch in _list(values["patches"])),
    )


def _patch_to_json(patch: Patch) -> dict[str, Json]:
    return {
        "start": patch.start,
        "old": _text(patch.old),
        "new": _text(patch.new),
        "above": _text(patch.above),
        "below": _text(patch.below),
        "line": patch.line,
    }


def _patch_from_json(values: Mapping[str, Json]) -> Patch:
    old, new, above, below = (_bytes(values[part]) for part in ("old", "new", "above", "below"))
    return Patch(_int(values["start"]), old, new, above, below, _int(values["line"]))


def _text(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def _maybe_text(data: bytes | None) -> str | None:
    return None if data is None else _text(data)


def _maybe_bytes(value: Json) -> bytes | None:
    return None if value is None else _bytes(value)


def _bytes(value: Json) -> bytes:
    return b64decode(_str(value), validate=True)


def _str(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError("a text was expected")
    return value


def _path(value: Json) -> Path:
    return Path(_str(value))


def _int(value: Json) -> int:
    if not isinstance(value, int):
        raise TypeError("a whole number was expected")
    return value


def _mode(value: Json) -> int | None:
    return None if value is None else _int(value)


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise TypeError("a list was expected")
    return value


def _dict(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise TypeError("a mapping was expected")
    return value
