"""The repositories of a workspace: those that it lists, and those that lie in `repositories/`.

A repository is a folder, each once however many ways lead to it; what is listed and is not there is
kept with the reason, so that it can be shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.core.system import Ground
from remem.model.entry import Problem
from remem.model.workspace import Repository, named_apart
from remem.store.io import real_path
from remem.systems.workspace.records import ListedRepository, ProjectsFile

MOST: Final = 500
"""Repositories that are opened of one workspace; the others are a problem."""


def projects(file: ProjectsFile) -> list[ListedRepository]:
    """Return what the newer shape lists in the words of the older one."""
    return [
        ListedRepository(name=each.name, path=each.path, role=each.type) for each in file.projects
    ]


def folders_below(root: Path, path: str) -> Path | None:
    """Return where a listed path leads, links resolved; `None` = it is empty or no path."""
    if not path.strip() or "\0" in path:
        return None
    return real_path(root / path)


@dataclass(frozen=True, slots=True)
class _Way:
    """One way in which a workspace names a repository."""

    listed: ListedRepository
    path: Path | None
    is_listed: bool


def members(
    ground: Ground,
    root: Path,
    listed: Sequence[tuple[ListedRepository, Path | None]],
    *,
    also: Path | None,
    file: Path | None,
) -> tuple[tuple[Repository, ...], tuple[Problem, ...]]:
    """Return the repositories, named apart, and what is wrong with how they are listed."""
    ways = [_Way(each, path, True) for each, path in listed]
    if also is not None:
        ways += _in_folder(ground, also)
    found: dict[Path, Repository] = {}
    missing: list[Repository] = []
    problems: list[Problem] = []
    if len(ways) > MOST:
        message = f"it has {len(ways):,} repositories, and the first {MOST} are opened"
        problems.append(_problem("too-many", message, file or root))
    for way in ways[:MOST]:
        name = way.listed.name or way.listed.path
        why = _why_not(ground, root, way.path)
        if way.path is None or why:
            missing.append(_repository(way, way.path or root / name, why or "it has no `path`"))
            problems.append(_problem("no-repository", f"`{name}` is not open: {why}", file or root))
        elif way.path not in found:
            found[way.path] = _repository(way, way.path)
        elif way.is_listed:
            message = f"`{name}` is listed twice or under two paths"
            problems.append(_problem("listed-twice", message, file or root))
    problems += (_problem("nested", text, file or root) for text in _nested(root, found))
    return (*named_apart(list(found.values())), *missing), tuple(problems)


def _in_folder(ground: Ground, folder: Path) -> Iterator[_Way]:
    for name in ground.disk.names(folder):
        path = folder / name
        if not name.startswith(".") and ground.disk.kind(path) in ("folder", "link"):
            listed = ListedRepository(name=name, path=f"{folder.name}/{name}")
            yield _Way(listed, real_path(path), is_listed=False)


def _why_not(ground: Ground, root: Path, path: Path | None) -> str:
    """Return why a listed repository cannot be opened; empty = it can."""
    if path is None:
        return "it has no `path`"
    kind = ground.disk.kind(path)
    if kind is None:
        return f"there is no `{path}`"
    if kind == "link":
        return "its link is circular"
    if kind != "folder":
        return f"`{path}` is not a folder"
    if path == ground.home or ground.home.is_relative_to(path):
        return "it is the home folder or above it"
    if root != path and root.is_relative_to(path):
        return "it contains the workspace"
    return ""


def _repository(way: _Way, path: Path, missing: str = "") -> Repository:
    listed = way.listed
    return Repository(
        name=path.name,
        path=path,
        title=listed.name if way.is_listed else "",
        role=listed.role,
        language=listed.language,
        exposes=listed.exposes,
        consumes=listed.consumes,
        is_listed=way.is_listed,
        missing=missing,
    )


def _nested(root: Path, found: Mapping[Path, Repository]) -> Iterator[str]:
    for path, each in found.items():
        outer = next((found[up] for up in path.parents if up in found and up != root), None)
        if outer is not None:
            yield f"`{each.name}` is inside the repository `{outer.name}`; both are read"


def _problem(code: str, message: str, path: Path) -> Problem:
    hints = {
        "no-repository": "fix its `path`, or remove it from the list",
        "listed-twice": "list it once",
        "nested": "",
        "too-many": "remove those without memory",
    }
    return Problem(code, message, hints[code], path)
