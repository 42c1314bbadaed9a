"""Reads code as it stands in a work tree, or in a folder without git; never outside of it.

The files are read through the seam that is handed in, one step of the path at a time, so that a
link that somebody puts there meanwhile does not exist.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, Protocol

from remem.code import blobs, git
from remem.code.code_reader import (
    MOST,
    Gap,
    NoText,
    Reading,
    Renamed,
    below_submodule,
    outside,
    plain_path,
    text_of,
    too_big,
)

_BARRED: Final = frozenset({".git"})
_LINK: Final = b"120000"
_MODULE: Final = b"160000"
_GAPS: Final[Mapping[str, tuple[Gap, str]]] = {
    "missing": (Gap.MISSING, "there is no such file"),
    "link": (Gap.MISSING, "it is a broken link"),
    "outside": (Gap.OUTSIDE, "it points outside the repository"),
    "name": (Gap.OUTSIDE, "it is not a valid path on this system"),
    "folder": (Gap.BINARY, "it is a folder"),
    "special": (Gap.BINARY, "it is not a regular file"),
    "permission": (Gap.UNREADABLE, "permission denied"),
    "failed": (Gap.UNREADABLE, "it cannot be read"),
}


class Looks(git.Looks, Protocol):
    """What is needed of the seam for files."""

    def read_beneath(
        self, folder: Path, path: str, most: int, barred: frozenset[str] = frozenset()
    ) -> bytes | str: ...


class Worktree:
    """The code as it lies on the disk."""

    def __init__(self, disk: Looks, root: Path) -> None:
        """Find the repository that a folder lies in.

        Args:
            disk: The seam for files.
            root: A folder of the work tree; without git it is itself the top.
        """
        self._disk = disk
        found = top_of(disk, root)
        self.top: Path = found or root
        """The folder that paths are relative to."""
        self._has_git = found is not None

    def commit(self) -> str:
        """Return the id of HEAD's commit; empty without git, or before the first commit."""
        if not self._has_git:
            return ""
        return git.head_commit(self._disk, self.top) or blobs.commit_of(self.top, "HEAD")

    def texts(self, paths: Collection[str], most: int = MOST) -> Mapping[str, Reading]:
        return {path: self._text(path, most) for path in paths}

    def texts_at(self, places: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], Reading]:
        if not self._has_git:
            gap = NoText(Gap.MISSING, "this folder is not a git repository")
            return dict.fromkeys(places, gap)
        return blobs.texts_at(self.top, places)

    def renamed(self, since: Mapping[str, str]) -> Mapping[str, Renamed]:
        if not self._has_git:
            return {}
        standing = frozenset(self.tracked() or ())
        staged = blobs.renames(self.top, since, "", standing)
        head = self.commit()
        rest = {path: known for path, known in since.items() if path not in staged}
        return {**blobs.renames(self.top, rest, head, standing), **staged} if head else staged

    def tracked(self) -> Collection[str] | None:
        if not self._has_git:
            return None
        return [path for path, mode in self._staged.items() if mode not in {_LINK, _MODULE}]

    @cached_property
    def _staged(self) -> Mapping[str, bytes]:
        """The mode of each path of the index."""
        out = blobs.ask(self.top, "ls-files", "-z", "--stage") if self._has_git else b""
        fields = (line.partition(b"\t") for line in out.split(b"\0"))
        return {os.fsdecode(path): head[:6] for head, _, path in fields if head}

    @cached_property
    def _unfetched(self) -> tuple[str, ...]:
        """The submodules that nobody checked out here, each with a `/` behind it."""
        modules = [path for path, mode in self._staged.items() if mode == _MODULE]
        looked = self._disk.kind
        return tuple(f"{each}/" for each in modules if looked(self.top / each / ".git") is None)

    def _text(self, path: str, most: int) -> Reading:
        plain = plain_path(path)
        if not plain:
            return outside(path)
        found = self._disk.read_beneath(self.top, plain, most, _BARRED)
        if isinstance(found, bytes):
            return text_of(found)
        if found == "too big":
            return too_big(most)
        if found == "missing" and plain.startswith(self._unfetched):
            return below_submodule(next(each for each in self._unfetched if plain.startswith(each)))
        gap, why = _GAPS.get(found, _GAPS["failed"])
        return NoText(gap, why)


def top_of(disk: Looks, folder: Path) -> Path | None:
    """Return the top of the work tree that a folder lies in; `None` = it lies in none."""
    places = (folder, *folder.parents)
    return next((place for place in places if disk.kind(place / ".git") is not None), None)
