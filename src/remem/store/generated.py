"""Writes files that are generated and may be made again: only where something changed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from remem.store.cache_file import make_folders
from remem.store.io import Disk, Unreadable


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
