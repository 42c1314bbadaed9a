"""Which files of a project changed between two looks, with git or without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from os import fsdecode
from pathlib import Path
from typing import Final

from remem.code.git_process import run
from remem.code.worktree import top_of
from remem.store.io import Disk

_MOST: Final = 20_000
"""Files that are looked at; what lies behind them may change unseen."""
_DEEPEST: Final = 12
_OURS: Final = ".remem"
"""Changes with every look at facts, and is nobody's work."""
_PASSED: Final = frozenset({_OURS, ".git", "node_modules", ".venv", "__pycache__"})


def work_state(disk: Disk, root: Path) -> Mapping[str, str]:
    """Return what tells each file's version from its next one, without reading any.

    Where git is, those that it keeps or would keep; a file that is gone is left out.
    """
    top = top_of(disk, root)
    files = _in_git(top) if top is not None else _below(disk, root, _DEEPEST)
    found: dict[str, str] = {}
    for path in islice(files, _MOST):
        stamp = disk.stamp(path)
        if stamp is not None:
            found[str(path.relative_to(top or root))] = f"{stamp.mtime_ns}:{stamp.size}"
    return found


def changed_since(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[str, ...]:
    """Return the files that are not as they were: changed, new or gone."""
    names = {*before, *now}
    return tuple(sorted(name for name in names if before.get(name) != now.get(name)))


def _in_git(top: Path) -> Iterator[Path]:
    told = run(top, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in dict.fromkeys(told.out.split(b"\0")):
        if name and not name.startswith(f"{_OURS}/".encode()):
            yield top / fsdecode(name)


def _below(disk: Disk, folder: Path, depth: int) -> Iterator[Path]:
    for name in disk.names(folder):
        path = folder / name
        kind = None if name in _PASSED else disk.kind(path)
        if kind == "file":
            yield path
        elif kind == "folder" and depth > 1:
            yield from _below(disk, path, depth - 1)
