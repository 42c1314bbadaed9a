"""Writes files that are generated and may be made again: only where something changed."""

from __future__ import annotations

from pathlib import Path

from remem.disk.cached import make_folders
from remem.disk.io import Disk, Unreadable


def put(disk: Disk, path: Path, data: bytes) -> bool:
    """Make the file hold `data`, with the folders above it; false if it did already."""
    try:
        if disk.read(path) == data:
            return False
    except Unreadable as error:
        if error.why != "missing":
            raise
        make_folders(disk, path.parent)
        disk.put_new(path, data, mode=0o644)
        return True
    beside = path.with_name(f".{path.name}.new")
    disk.put_new(beside, data, like=path)
    disk.replace(beside, path)
    return True
