"""Which folders of a root may hold instruction files, and what fits a pattern in one of them.

In a git checkout that is what git keeps or would keep, whatever a folder is called: tools go by no
list of names either. Links are followed as tools do, but none out of the root.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.base.errors import UnsafeName
from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.store.io import Disk, Stamp, Unreadable
from remem.store.paths import contained

MOST_FOLDERS: Final = 5_000
"""Folders that are looked into; the upper ones first. Of those below, git's list is believed."""
_DEPTH: Final = 32
_WAY: Final = 8
"""Folders below one another that a pattern is followed through."""
_NEVER: Final = frozenset({".git", ".hg", ".svn"})
_OTHERS: Final = frozenset(
    {"node_modules", "bower_components", "site-packages", "venv", ".venv", "Pods", "DerivedData"}
    | {"__pycache__", ".tox", ".nox", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"}
)
"""Dependencies and caches: other people's files, unless git keeps them here."""
_FILE: Final = lazy_pattern(
    r".+\.(?:py|pyi|pyc|js|mjs|cjs|jsx|ts|tsx|json|md|mdc|mdx|txt|rst|ya?ml|toml|lock|css|scss|html?"
    r"|svg|png|jpe?g|gif|ico|woff2?|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|rb|php|sh|sql|csv|xml"
    r"|vue|map|snap|ipynb)"
)
"""Names that are taken for files without asking: to ask for each costs most of the time."""
_IGNORED: Final = "git ignores it"
_DEPENDENCIES: Final = "dependencies or caches ignored by git"
_WORKTREE: Final = "another work tree of this repository"


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of a root by their path below it, each with the names in it."""

    names: Mapping[str, frozenset[str]]
    is_whole: bool = True
    """False: there are more than are looked into."""
    passed: Mapping[str, str] = field(default_factory=dict)
    """Folders that were passed over, by their path below the root, each with the reason."""


@dataclass(frozen=True, slots=True)
class _Bounds:
    """What git says about a root."""

    ignored: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    """Folders with a name of others' files in which git keeps something."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was asked of git, and what the answer rests on."""

    rests_on: object
    bounds: _Bounds
    beyond: Mapping[str, frozenset[str]]


_LAST: Final[dict[Path, _Kept]] = {}
"""Root → what git said last. It is asked again once its answer may be another one: a folder came or
went, or a `.gitignore` or the index was written; so a preview of each key costs no program."""


def is_taken_for_file(name: str) -> bool:
    """Tell whether nobody asks if something of that name is a folder."""
    return _FILE.fullmatch(name) is not None


def folders_below(disk: Disk, root: Path, most: int = MOST_FOLDERS) -> Folders:
    """Return the root and its folders, level by level, in the order of their names."""
    top = _repository(disk, root)
    if top is None:
        return _walked(disk, root, _Bounds(), most)
    kept = _LAST.get(root)
    if kept is not None:
        found = _walked(disk, root, kept.bounds, most)
        if kept.rests_on == _rests_on(disk, top, root, found):
            return _with(found, kept.beyond)
    bounds, found = _asked(disk, root, most)
    beyond = {} if found.is_whole else _beyond(root, found)
    _LAST[root] = _Kept(_rests_on(disk, top, root, found), bounds, beyond)
    return _with(found, beyond)


def _asked(disk: Disk, root: Path, most: int) -> tuple[_Bounds, Folders]:
    """Ask git about a root and about the repositories in it, and look into what they keep."""
    # Most roots have a repository around them, and those that have none need no git.
    from remem.code.git import ignored_below, kept_of

    own = ignored_below(root)
    bounds = _Bounds(own or frozenset())
    found = _walked(disk, root, bounds, most)
    inner = [place for place, names in found.names.items() if place and ".git" in names]
    more = {
        f"{place}/{name}" for place in inner for name in ignored_below(root / place) or frozenset()
    }
    others = kept_of(root, [p for p, why in found.passed.items() if why == _DEPENDENCIES])
    if more or others:
        bounds = _Bounds(bounds.ignored | more, others)
        found = _walked(disk, root, bounds, most)
    return bounds, found


def _beyond(root: Path, found: Folders) -> Mapping[str, frozenset[str]]:
    """Return the folders that were not looked into, with the files that git keeps there."""
    from remem.code.git import tracked_below

    names: dict[str, set[str]] = {}
    for path in tracked_below(root):
        place, _, name = path.rpartition("/")
        if place not in found.names:
            names.setdefault(place, set()).add(name)
            # A pattern such as `.cursor/rules/*.mdc` is looked for above its first folder.
            above, _, folder = place.rpartition("/")
            if above not in found.names:
                names.setdefault(above, set()).add(folder)
    return {place: frozenset(each) for place, each in names.items()}


def _with(found: Folders, beyond: Mapping[str, frozenset[str]]) -> Folders:
    return Folders({**found.names, **beyond}, True, found.passed) if beyond else found


def _rests_on(disk: Disk, top: Path, root: Path, found: Folders) -> object:
    stamps: list[Stamp | None] = [
        disk.stamp(root / place / ".gitignore")
        for place, names in found.names.items()
        if ".gitignore" in names
    ]
    stamps += [disk.stamp(top / ".git" / name) for name in ("index", "info/exclude")]
    return (tuple(stamps), frozenset(found.names))


def _repository(disk: Disk, root: Path) -> Path | None:
    places = (root, *root.parents)
    return next((place for place in places if disk.kind(place / ".git") is not None), None)


def _walked(disk: Disk, root: Path, bounds: _Bounds, most: int) -> Folders:
    found: dict[str, frozenset[str]] = {}
    passed: dict[str, str] = {}
    level: list[tuple[str, Path]] = [("", root)]
    for _ in range(_DEPTH):
        below: list[tuple[str, Path]] = []
        for place, folder in level:
            if len(found) >= most:
                return Folders(found, is_whole=False, passed=passed)
            names = disk.names(folder)
            if place and ".git" in names and _is_worktree(disk, folder):
                passed[place] = _WORKTREE
                continue
            found[place] = frozenset(names)
            for name in names:
                if name in _NEVER or _FILE.fullmatch(name):
                    continue
                inner = f"{place}/{name}" if place else name
                why = _why_passed(bounds, inner, name)
                if disk.kind(folder / name) != "folder":
                    continue
                if why:
                    passed[inner] = why
                else:
                    below.append((inner, folder / name))
        if not below:
            break
        level = below
    return Folders(found, passed=passed)


def _why_passed(bounds: _Bounds, place: str, name: str) -> str:
    if place in bounds.ignored:
        return _IGNORED
    if name in _OTHERS and place not in bounds.kept:
        return _DEPENDENCIES
    return ""


def _is_worktree(disk: Disk, folder: Path) -> bool:
    """Tell whether a folder is checked out beside the main one, not a repository of its own."""
    if disk.kind(folder / ".git") != "file":
        return False
    try:
        return b"/worktrees/" in disk.read(folder / ".git")
    except Unreadable:
        return False


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
        yield from self._below(folder, folder, tuple(pattern.split("/")), _WAY)

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
        pattern = part_pattern(part)
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
def part_pattern(part: str) -> re.Pattern[str]:
    """Return what fits the names that a part of a layout's pattern does."""
    text = re.escape(part).replace(r"\*", ".*").replace(r"\?", ".")
    return re.compile(text, re.DOTALL)
