"""What a reader of cited code is, and what it gives: lines of a file, or why there are none.

Where the code comes from, a work tree, a commit, a forge, is each reader's own module.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final, Protocol

from remem.base.frozen import dataclass

MOST: Final = 16 << 20
"""Bytes of a file that is cited: more is no code, and reading it would stall every door."""
_MARK: Final = "\ufeff"


class Gap(StrEnum):
    """Why a place has no lines."""

    MISSING = "missing"
    OUTSIDE = "outside"
    """It leads out of the repository, or into git's own folder; nothing was read."""
    BINARY = "binary"
    """There is something, and it has no lines: a program, a submodule, a folder."""
    UNREADABLE = "unreadable"
    """It could not be read now; nothing is said about what it holds."""


@dataclass(frozen=True, slots=True)
class Text:
    """A file that has lines."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoText:
    """A place without lines."""

    gap: Gap
    why: str
    """One sentence without a full stop."""


Reading = Text | NoText
Renamed = tuple[str, ...]
"""The names a file may have now, the likeliest first."""


class Reader(Protocol):
    """Reads the code of one repository as it stands at one place or commit."""

    def commit(self) -> str:
        """Return the commit that citations are stored with; empty where there is none."""
        ...

    def texts(self, paths: Collection[str], most: int = MOST) -> Mapping[str, Reading]:
        """Return what stands at each path, read in one go.

        Args:
            paths: As they are cited.
            most: Bytes of a file; what is longer is `unreadable`.
        """
        ...

    def texts_at(self, places: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], Reading]:
        """Return what files held at commits; what is not known there is `missing`.

        Args:
            places: Pairs of commit and path.
        """
        ...

    def renamed(self, since: Mapping[str, str]) -> Mapping[str, Renamed]:
        """Return the new names of files that are gone; who has none is left out.

        Args:
            since: The commit in which each was there, by its path; empty = not known.
        """
        ...

    def tracked(self) -> Collection[str] | None:
        """Return the paths of every file; `None` where they cannot be searched."""
        ...


def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a file, without their ends: cut at line feeds alone, as git counts them.

    What follows the last line feed is a line only if it is not empty.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    last = lines.pop()
    return (*lines, last.removesuffix("\r")) if last else tuple(lines)


def text_of(data: bytes) -> Reading:
    """Return the lines of a file's bytes; what is not UTF-8 in it is read with `�` in its place."""
    if b"\0" in data[:8000]:  # as git tells
        return NoText(Gap.BINARY, "it is not text")
    return Text(lines_of(data.decode("utf-8", "replace").removeprefix(_MARK)))


def plain_path(path: str) -> str:
    """Return a path as git writes it; empty if it can be the path of no file in a repository.

    A path with `..` is empty even where it would come back: git knows none such.
    """
    odd = not path or "\0" in path or "\n" in path or path.startswith(("/", "~"))
    parts = PurePosixPath(path).parts
    if odd or not parts or ".." in parts or any(part.casefold() == ".git" for part in parts):
        return ""
    return "/".join(parts)


def too_big(most: int) -> NoText:
    """Say of a file that it is not read."""
    return NoText(Gap.UNREADABLE, f"it is larger than {most >> 20} MiB")


def outside(path: str) -> NoText:
    """Say of a path that nothing is read there."""
    return NoText(Gap.OUTSIDE, f"`{path}` is not a path inside the repository")


def below_submodule(module: str) -> NoText:
    """Say of a file in a submodule that its lines are not at hand."""
    return NoText(Gap.UNREADABLE, f"the submodule `{module.rstrip('/')}` is not checked out here")
