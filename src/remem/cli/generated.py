"""Writes files that are generated and may be made again: only where something changed."""

from __future__ import annotations

from pathlib import Path

from remem.disk.io import Disk, Unreadable


def put(disk: Disk, path: Path, data: bytes) -> bool:
    """Make the file hold `data`, with the folders above it; false if it did already."""
    try:
        if disk.read(path) == data:
            return False
    except Unreadable as error:
        if error.why != "missing":
            raise
        make_folder(disk, path.parent)
        disk.put_new(path, data, mode=0o644)
        return True
    beside = path.with_name(f".{path.name}.new")
    disk.put_new(beside, data, like=path)
    disk.replace(beside, path)
    return True


def make_folder(disk: Disk, folder: Path) -> None:
    """Make a folder and those above it."""
    if disk.kind(folder) is not None:
        return
    make_folder(disk, folder.parent)
    disk.mkdir(folder)
