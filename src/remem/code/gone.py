"""Which files a repository had once and has no longer, as its history tells.

A name that git never knew is no such file: it may be an example, or lie somewhere else.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.code.git_process import run
from remem.code.ranges import is_shallow

_SECONDS: Final = 5.0
"""How long git may walk through the history, which happens once for each HEAD."""
_MOST: Final = 64 << 20
"""Bytes of names that are taken in."""


@dataclass(frozen=True, slots=True)
class Removed:
    """The files that commits took away."""

    paths: frozenset[str] = frozenset()
    """From the folder that was asked about, with slashes; some may stand there again."""
    why_partial: str = ""
    """Why there may be more than these; empty = the whole history was looked through."""


@lru_cache(maxsize=8)
def removed(folder: Path, state: str, seconds: float = _SECONDS) -> Removed:
    """Return the files below a folder that commits took away.

    One walk names all of them: with paths given to it git takes many times as long.

    Args:
        folder: In the work tree.
        state: What `git.state` says: asked again only when that moved. Empty = no repository.
        seconds: How long git may walk.
    """
    if not state:
        return Removed()
    answer = run(
        folder,
        *("log", "--relative", "--no-renames", "--diff-filter=D", "--format=", "--name-only", "-z"),
        seconds=seconds,
        most=_MOST,
    )
    if answer.code not in (0, None):
        return Removed(why_partial="" if _has_no_commit(folder) else "git gave no answer")
    whole, _, _ = answer.out.rpartition(b"\0")  # a name that was cut off is none
    paths = frozenset(os.fsdecode(name).strip("\n") for name in whole.split(b"\0") if name)
    if answer.code is None:
        why = f"git did not get through the history in {seconds:.0f} seconds"
        return Removed(paths, why)
    return Removed(paths, _why_partial(folder))


def _why_partial(folder: Path) -> str:
    try:
        return "this clone is shallow, and has only the last commits" if is_shallow(folder) else ""
    except NotPossible:
        return "git gave no answer"


def _has_no_commit(folder: Path) -> bool:
    """Tell whether there is a repository that nothing was committed to yet."""
    return run(folder, "rev-parse", "--verify", "--quiet", "HEAD", seconds=_SECONDS).code == 1
