"""How far a root reaches: a repository to its workspace, a workspace to all of its repositories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from remem.base.errors import UnknownRef
from remem.core.system import Ground
from remem.model.source import Source
from remem.systems.workspace.found import (
    FOLDER_FILE,
    PROJECTS_FILE,
    SETTINGS,
    is_workspace,
    workspaces,
)
from remem.systems.workspace.members import named_apart
from remem.systems.workspace.records import WORKSPACE, Inside, Repository, Workspace


class Discovering(Protocol):
    """What reaching needs of a format."""

    @property
    def name(self) -> str: ...

    def discover(self, ground: Ground) -> Iterator[Source]: ...


def discovered(each: Discovering, ground: Ground) -> Iterator[Source]:
    """Yield every source of a format at a root: in a workspace those of all repositories.

    A source that several of them reach, as what lies in the home folder, is one source.
    """
    if each.name == WORKSPACE or not (ground.inside or is_workspace(ground)):
        yield from each.discover(ground)
        return
    grounds = [ground] if ground.inside else [*grounds_of(ground), ground]
    taken: set[Path] = set()
    for one in grounds:
        for source in each.discover(one):
            if source.path not in taken:
                taken.add(source.path)
                yield _owned(source, one)


def repositories(found: tuple[Workspace, ...]) -> tuple[Repository, ...]:
    """Return the repositories of all workspaces of one root, each once."""
    every = {each.path: each for one in reversed(found) for each in one.open_repositories}
    return tuple(named_apart([*every.values()])) if len(found) > 1 else tuple(every.values())


def called(every: Sequence[Repository], name: str) -> Repository:
    """Return the one repository that people mean by a name.

    Raises:
        UnknownRef: None or several are called that.
    """
    found = [each for each in every if each.name == name]
    found = found or [each for each in every if each.is_called(name)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(f"`{each.name}`" for each in found or every)
    many = f"{len(found)} repositories are called `{name}`"
    raise UnknownRef(
        many if found else f"there is no repository `{name}` here",
        hint=f"name one of {names}" if names else "see `remem workspace show`",
    )


def grounds_of(ground: Ground) -> Iterator[Ground]:
    """Yield the ground of each repository of the workspace at a root."""
    for each in repositories(workspaces(ground)):
        yield ground_in(ground, each)


def ground_in(ground: Ground, repository: Repository) -> Ground:
    """Return where one repository of a workspace looks: its own settings, its own name."""
    own = (
        ground.given.repository(repository.path) if ground.given.repository is not None else ground
    )
    return replace(
        own,
        root=repository.path,
        project=repository.name,
        disk=ground.disk,
        given=replace(own.given, clock=ground.given.clock, repository=ground.given.repository),
        inside=Inside(ground.root, repository.name),
    )


def sets_bounds(path: Path) -> bool:
    """Tell whether a file may say which workspace or which repositories there are."""
    return path.name in (FOLDER_FILE, *(each.name for each in (PROJECTS_FILE, *SETTINGS)))


def _owned(source: Source, ground: Ground) -> Source:
    """Say which repository a source belongs to; its entries are told apart by that."""
    if ground.inside is None or not source.path.is_relative_to(ground.root):
        return source
    name = ground.inside.repository
    if source.place == name or source.place.startswith(f"{name}/"):
        return replace(source, repository=name)
    return replace(source, repository=name, place=f"{source.place}/{name}".lstrip("/"))
