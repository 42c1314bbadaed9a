"""How far a root reaches: a repository to its workspace, a workspace to all of its repositories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from remem.base.errors import UnknownRef
from remem.core.system import Ground, System
from remem.model.source import Source
from remem.model.workspace import Inside, Repository, Workspace, named_apart


def workspaces(ground: Ground, systems: Iterable[System]) -> tuple[Workspace, ...]:
    """Return the workspaces that a root is, or belongs to, as its files say now."""
    finders = (each.facets.workspaces for each in systems)
    return tuple(found for finder in finders if finder is not None for found in finder.at(ground))


def is_workspace(ground: Ground, systems: Iterable[System]) -> bool:
    """Tell whether the root itself is a workspace, and all of its repositories are open."""
    finders = (each.facets.workspaces for each in systems)
    return any(finder.is_one(ground) for finder in finders if finder is not None)


def sets_bounds(path: Path, systems: Iterable[System]) -> bool:
    """Tell whether a file may say which workspace or which repositories there are."""
    finders = (each.facets.workspaces for each in systems)
    return any(finder.sets_bounds(path) for finder in finders if finder is not None)


def discovered(each: System, ground: Ground, systems: Sequence[System]) -> Iterator[Source]:
    """Yield every source of a system at a root: in a workspace those of all repositories.

    A source that several of them reach, as what lies in the home folder, is one source.
    """
    if each.facets.is_shared or not (ground.inside or is_workspace(ground, systems)):
        yield from each.discover(ground)
        return
    grounds = [ground] if ground.inside else [*grounds_of(ground, systems), ground]
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
        many if found else f"no repository is called `{name}`",
        hint=f"use one of {names}" if names else "see `remem workspace show`",
    )


def grounds_of(ground: Ground, systems: Iterable[System]) -> Iterator[Ground]:
    """Yield the ground of each repository of the workspace at a root."""
    for each in repositories(workspaces(ground, systems)):
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


def _owned(source: Source, ground: Ground) -> Source:
    """Say which repository a source belongs to; its entries are told apart by that."""
    if ground.inside is None or not source.path.is_relative_to(ground.root):
        return source
    name = ground.inside.repository
    if source.place == name or source.place.startswith(f"{name}/"):
        return replace(source, repository=name)
    return replace(source, repository=name, place=f"{source.place}/{name}".lstrip("/"))
