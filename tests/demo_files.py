"""The demo, built once by a process and written out for each test that changes it.

Its bytes depend on nothing but the code: neither on the folder nor on the clock.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from remem.demo.build import PROJECT, build_demo


@dataclass(frozen=True, slots=True)
class Built:
    """One file of the demo."""

    path: str
    data: bytes
    mode: int
    written: int
    """When, in nanoseconds since 1970."""


def demo_at(folder: Path) -> Path:
    """Write the demo below a new folder as `build_demo` builds it, and return its project folder.

    Building it takes ten times as long. With a night in it, it depends on where it is: build that.
    """
    folders, files = _built()
    for name in folders:
        (folder / name).mkdir(parents=True, exist_ok=name == ".")
    for each in files:
        path = folder / each.path
        path.write_bytes(each.data)
        path.chmod(each.mode)
        os.utime(path, ns=(each.written, each.written))
    return folder / PROJECT


@cache
def _built() -> tuple[tuple[str, ...], tuple[Built, ...]]:
    """Return the folders, each below one that comes before it, and the files."""
    with TemporaryDirectory() as name:
        top = Path(name) / "demo"
        build_demo(top)
        every = [top, *sorted(top.rglob("*"))]
        folders = tuple(str(path.relative_to(top)) for path in every if path.is_dir())
        files = tuple(_file(path, top) for path in every if not path.is_dir())
    return folders, files


def _file(path: Path, top: Path) -> Built:
    seen = path.lstat()
    name = str(path.relative_to(top))
    return Built(name, path.read_bytes(), seen.st_mode & 0o7777, seen.st_mtime_ns)
