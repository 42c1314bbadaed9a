"""Which folders of a root may hold instruction files, and what fits a pattern in one of them.

Links are followed as tools do, but none out of the root. What holds no instructions of anybody's
own is left out: dependencies, caches, what is built.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.disk.io import Disk
from remem.disk.paths import contained
from remem.errors import UnsafeName

MOST_FOLDERS: Final = 5_000
"""Folders that are looked into; the upper ones first."""
_DEPTH: Final = 8
_SKIPPED: Final = frozenset(
    {"node_modules", "__pycache__", "venv", "vendor", "target", "dist", "build", "site-packages"}
    | {"bower_components", "Pods", "DerivedData", "coverage", "htmlcov"}
)
_FILE: Final = re.compile(
    r".+\.(?:py|pyi|pyc|js|mjs|cjs|jsx|ts|tsx|json|md|mdc|mdx|txt|rst|ya?ml|toml|lock|css|scss|html?"
    r"|svg|png|jpe?g|gif|ico|woff2?|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|rb|php|sh|sql|csv|xml"
    r"|vue|map|snap|ipynb)"
)
"""Names that are taken for files without asking: to ask for each costs most of the time."""


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of a root by their path below it, each with the names in it."""

    names: Mapping[str, frozenset[str]]
    is_whole: bool = True
    """False: there are more than are looked into."""


def folders_below(disk: Disk, root: Path, most: int = MOST_FOLDERS) -> Folders:
    """Return the root and its folders, level by level, in the order of their names."""
    found: dict[str, frozenset[str]] = {}
    level: list[tuple[str, Path]] = [("", root)]
    for _ in range(_DEPTH):
        below: list[tuple[str, Path]] = []
        for place, folder in level:
            if len(found) >= most:
                return Folders(found, is_whole=False)
            names = disk.names(folder)
            found[place] = frozenset(names)
            below += [
                (f"{place}/{name}".lstrip("/"), folder / name)
                for name in names
                if not name.startswith(".")
                and name not in _SKIPPED
                and not _FILE.fullmatch(name)
                and disk.kind(folder / name) == "folder"
            ]
        level = below
    return Folders(found)


@dataclass(slots=True)
class Walker:
    """Finds the files below one folder that patterns fit."""

    disk: Disk
    inside: Path | None
    """What no link leads out of; `None` = links are followed anywhere."""
    led_out: list[Path] = field(default_factory=list)
    """Links that were not followed, as they were come to; one may stand here twice."""
    _way: set[Path] = field(default_factory=set)
    """Folders that a pattern is being followed through, by their real place."""

    def matching(self, folder: Path, pattern: str) -> Iterator[tuple[Path, Path]]:
        """Yield (as it is found, where it lies) of each file, in the order of names."""
        yield from self._below(folder, folder, tuple(pattern.split("/")), _DEPTH)

    def _below(
        self, shown: Path, real: Path, parts: tuple[str, ...], depth: int
    ) -> Iterator[tuple[Path, Path]]:
        part, rest = parts[0], parts[1:]
        if part == "**":
            yield from self._below(shown, real, rest, depth)
            for name in self.disk.names(real) if depth > 1 else ():
                if not _FILE.fullmatch(name) and (at := self._at(real / name, "folder")):
                    yield from self._entered(_under(shown, real, name, at), at, parts, depth - 1)
            return
        for name in self._fitting(real, part):
            if rest:
                at = self._at(real / name, "folder")
                if at is not None:
                    yield from self._entered(_under(shown, real, name, at), at, rest, depth)
                continue
            path = real / name
            at = self._at(path, "file")
            if at is not None:
                yield path if shown is real else shown / name, at

    def _entered(
        self, shown: Path, real: Path, parts: tuple[str, ...], depth: int
    ) -> Iterator[tuple[Path, Path]]:
        """Go into a folder, unless one is in it already: links may lead in a circle."""
        if real in self._way:
            return
        self._way.add(real)
        yield from self._below(shown, real, parts, depth)
        self._way.discard(real)

    def _fitting(self, folder: Path, part: str) -> Iterator[str]:
        if not any(sign in part for sign in "*?"):
            yield part
            return
        pattern = _part_pattern(part)
        yield from (name for name in self.disk.names(folder) if pattern.fullmatch(name))

    def _at(self, path: Path, wanted: str) -> Path | None:
        """Return where a file or folder lies, a link followed; `None` = there is none."""
        kind = self.disk.kind(path)
        if kind == wanted:
            return path
        if kind != "link":
            return None
        try:
            real = contained(self.inside or Path(path.anchor), path)
        except UnsafeName:
            if self.inside is not None:
                self.led_out.append(path)
            return None
        return real if self.disk.kind(real) == wanted else None


def _under(shown: Path, real: Path, name: str, at: Path) -> Path:
    """Return a folder as it is found: the same object as where it lies, without links."""
    return at if shown is real and at.name == name and at.parent == real else shown / name


@lru_cache(maxsize=256)
def _part_pattern(part: str) -> re.Pattern[str]:
    text = re.escape(part).replace(r"\*", ".*").replace(r"\?", ".")
    return re.compile(text, re.DOTALL)
