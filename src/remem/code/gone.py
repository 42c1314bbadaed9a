"""Which files a repository had once and has no longer, as its history tells.

A name that git never knew is no such file: it may be an example, or lie somewhere else.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.code.growth import ask_soon

_PATHS: Final = 500
"""Paths that are asked about; a memory that names more is looked at in part."""


@lru_cache(maxsize=64)
def taken_away(folder: Path, paths: Sequence[str], state: str) -> frozenset[str]:
    """Return those paths that a commit took away.

    Args:
        folder: In the work tree.
        paths: From there, with slashes; none of them stands there now.
        state: What `git.state` says: asked again only when that moved. Empty = no repository.
    """
    if not state or not paths:
        return frozenset()
    asked = [path for path in paths[:_PATHS] if path.isprintable()]
    printed = ask_soon(
        folder,
        *("--literal-pathspecs", "log", "--no-show-signature", "--relative", "--no-renames"),
        *("--diff-filter=D", "--format=", "--name-only", "-z", "--", *asked),
    )
    names = (os.fsdecode(name).strip("\n") for name in printed.split(b"\0"))
    return frozenset(names) & frozenset(asked)
