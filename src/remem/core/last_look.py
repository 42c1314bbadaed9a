"""What was to review when remem looked last, and whether what it read then has changed since.

A note in the cache: a shell prompt asks it at every line, where reading memory would take too long.
It says nothing of files that came to folders which held no memory, nor of databases of facts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from remem.base.frozen import dataclass
from remem.store.io import Disk, Unreadable

if TYPE_CHECKING:
    from remem.base.clock import Clock

LOOKED: Final = "looked"
SNAPSHOTS: Final = "snapshots"
"""Where looks are noted that added dated versions of what changed."""
_FORM: Final = 2
"""Of the note; one of another form is none."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at a root found."""

    root: Path
    at: str
    """When, in UTC: `2026-05-04T10:42:00`."""
    review: int
    """Items to review."""
    stamps: tuple[tuple[str, int, int], ...]
    """Of each file that was read, and of its folder: path, time of the last change, size."""

    told: Mapping[str, str]
    """Variables of the environment that said where to look, as they were."""

    def changed(self, disk: Disk) -> int:
        """Return how many of the files and folders are not as they were."""
        return sum(_stamp(disk, Path(path)) != (time, size) for path, time, size in self.stamps)


def note_look(
    disk: Disk,
    clock: Clock,
    cache: Path,
    root: Path,
    review: int,
    files: Iterable[Path],
    kept: str = LOOKED,
    told: Mapping[str, str] | None = None,
) -> None:
    """Note what a look found; failing is no harm.

    Args:
        disk: Where.
        clock: Tells when.
        cache: The user's folder for what can be made again.
        root: What was looked at.
        review: Items to review.
        files: All that was read for it.
        kept: Where in the cache.
        told: Variables of the environment that say where to look, as they are.
    """
    from remem.store.cache_file import put_cached

    read = {*files}
    places = sorted({root, *read, *(path.parent for path in read)})
    value = {
        "form": _FORM,
        "root": str(root),
        "at": clock.now().isoformat(timespec="seconds").partition("+")[0],
        "review": review,
        "told": dict(told or {}),
        "stamps": [[str(path), *_stamp(disk, path)] for path in places],
    }
    with suppress(OSError, UnicodeEncodeError):
        put_cached(disk, _path(cache / kept, root), json.dumps(value).encode(), clock)


def last_look(
    disk: Disk,
    cache: Path,
    start: Path,
    *,
    is_named: bool = False,
    kept: str = LOOKED,
    environment: Mapping[str, str],
) -> Look | None:
    """Return the last look at a root; `None` = there was none, or its note cannot be read.

    Args:
        disk: Where.
        cache: The user's folder for what can be made again.
        start: The root, or a folder somewhere in it.
        is_named: It is the root itself; those above are not asked.
        kept: Where in the cache.
        environment: In which tools say where they keep their files; a look elsewhere is none.
    """
    for folder in (start,) if is_named else (start, *start.parents):
        try:
            value = json.loads(disk.read(_path(cache / kept, folder)))
            look = _look(value)
        except (Unreadable, ValueError, TypeError, KeyError):
            continue
        is_there = all(environment.get(name, "") == said for name, said in look.told.items())
        if look.root == folder and is_there:
            return look
    return None


def _look(value: dict[str, Any]) -> Look:
    if value["form"] != _FORM:
        raise ValueError("an unknown note format")
    stamps = tuple((str(path), int(time), int(size)) for path, time, size in value["stamps"])
    return Look(
        Path(value["root"]), str(value["at"]), int(value["review"]), stamps, {**value["told"]}
    )


def _path(folder: Path, root: Path) -> Path:
    # What is in the note says whose it is; two roots of one name overwrite each other's.
    return folder / f"{crc32(bytes(root)):08x}"


def _stamp(disk: Disk, path: Path) -> tuple[int, int]:
    found = disk.stamp(path)
    return (found.mtime_ns, found.size) if found is not None else (disk.last_named(path), 0)
