"""What git leaves out of a folder: asked of git itself, because only it knows its rules."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import Final

from remem.code.git_process import run

_PATHS: Final = 500
"""Paths on one command line."""


def ignored_below(folder: Path) -> frozenset[str] | None:
    """Return the folders below one that git ignores, by their path from it.

    One of which nothing is kept stands for all that is in it. `None` = git says nothing of this
    folder: it has no repository around it, or is ignored itself.
    """
    how = ("--others", "--ignored", "--exclude-standard", "--directory", "--no-empty-directory")
    names = _names(folder, *how)
    if names is None or any(name in ("./", "/") for name in names):
        return None
    return frozenset(name.rstrip("/") for name in names if name.endswith("/"))


def kept_of(folder: Path, places: Collection[str]) -> frozenset[str]:
    """Return those places below a folder in which git keeps something."""
    ordered = sorted(places)[:_PATHS]
    if not ordered:
        return frozenset()
    names = tracked_below(folder, *ordered)
    return frozenset(each for each in ordered if any(n.startswith(f"{each}/") for n in names))


def tracked_below(folder: Path, *only: str) -> tuple[str, ...]:
    """Return the files below a folder that git keeps, by their path from it; none without git."""
    return _names(folder, "--", *only) or ()


def _names(folder: Path, *arguments: str) -> tuple[str, ...] | None:
    """Return what git lists; `None` = it gives no answer."""
    answer = run(folder, "ls-files", "-z", *arguments)
    if answer.code != 0:
        return None
    return tuple(os.fsdecode(name) for name in answer.out.split(b"\0") if name)
