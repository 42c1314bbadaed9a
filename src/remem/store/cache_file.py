"""Files that can be made again at any time: put in place in one step, never half.

What is generated is written only where its bytes differ.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from remem.base.clock import Clock
from remem.base.effects import digest_of
from remem.store.io import Disk, Unreadable


def put_cached(
    disk: Disk, path: Path, data: bytes, clock: Clock, *, mode: int | None = None
) -> None:
    """Put `data` at `path` with the folders above it; readers see the old bytes or the new ones.

    Without a mode the umask decides who may read them.

    Raises:
        OSError: As the system gave it; nothing else depends on a cache.
    """
    make_folders(disk, path.parent)
    temporary = path.with_name(f"{path.name}.{clock.new_id()}.new")
    disk.put_new(temporary, data, mode=mode)
    disk.replace(temporary, path)


def make_folders(disk: Disk, folder: Path) -> None:
    """Make a folder and those above it where they are missing."""
    if disk.kind(folder) == "folder":
        return
    if folder.parent != folder:
        make_folders(disk, folder.parent)
    try:
        disk.mkdir(folder)
    except FileExistsError:
        return  # another process was faster, or a link stands there and leads to a folder


def put(disk: Disk, path: Path, data: bytes) -> bool:
    """Make the file hold `data`, with the folders above it; false if it did already."""
    try:
        if disk.read(path) == data:
            return False
    except Unreadable as error:
        if error.why != "missing":
            raise
        make_folders(disk, path.parent)
    beside = path.with_name(f".{path.name}.new")
    with suppress(FileNotFoundError):
        disk.unlink(beside)  # of somebody who came no further
    if disk.kind(path) is None:
        disk.put_new(beside, data, mode=0o644)
    else:
        disk.put_new(beside, data, like=path)
    disk.replace(beside, path)
    return True


class KeptText:
    """A text that is kept for a root, the last one; that it cannot be kept is no harm."""

    def __init__(self, disk: Disk, clock: Clock, folder: Path, root: Path) -> None:
        self._disk = disk
        self._clock = clock
        self._path = folder / digest_of(bytes(root))

    def read(self) -> str:
        """Return what was written last; empty when not known."""
        try:
            return self._disk.read(self._path).decode("utf-8", "replace").strip()
        except Unreadable:
            return ""

    def write(self, text: str) -> None:
        with suppress(OSError):
            put_cached(self._disk, self._path, text.encode("utf-8", "replace"), self._clock)
