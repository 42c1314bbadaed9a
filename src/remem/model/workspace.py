"""Several repositories that share memory: a workspace as it was found, and what is one of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from remem.base.frozen import dataclass
from remem.model.entry import Problem


class Shape(StrEnum):
    """Which of the two systems keeps the workspace."""

    FOLDER = "folder"
    """`workspace.yaml`, or `memory/` beside `repositories/`."""
    PROJECTS = "projects"
    """`.sniper-workspace/config.yaml`."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository of a workspace."""

    name: str
    """The name of its folder, with those above it where two are called the same: the place of its
    entries."""
    path: Path
    """Absolute, links resolved."""
    title: str = ""
    """What the workspace calls it; empty = nothing else."""
    role: str = ""
    language: str = ""
    exposes: tuple[Any, ...] = ()
    consumes: tuple[Any, ...] = ()
    is_listed: bool = False
    missing: str = ""
    """Why it is not open, in words; empty = it is."""
    is_apart: bool = False
    """It lies outside the workspace and does not name it, so that it inherits nothing."""

    def is_called(self, name: str) -> bool:
        """Tell whether people mean this one by a name."""
        return name.casefold() in {self.name.casefold(), self.title.casefold(), self.path.name}


@dataclass(frozen=True, slots=True)
class Workspace:
    """One workspace as it was found."""

    name: str
    root: Path
    """Absolute, links resolved."""
    shape: Shape
    place: str
    """The place of its entries: its name, told apart where two are called the same."""
    config: Path | None
    """The file that describes it; `None` = its folders do."""
    memory: Path | None
    """Where its stores lie, whether they are there or not; `None` = it has no place for them."""
    contracts: Path | None = None
    repositories: tuple[Repository, ...] = ()
    hands_down_conventions: bool = True
    problems: tuple[Problem, ...] = field(default=())

    @property
    def open_repositories(self) -> tuple[Repository, ...]:
        return tuple(each for each in self.repositories if not each.missing)


@dataclass(frozen=True, slots=True)
class Inside:
    """Of which workspace a ground is one repository."""

    workspace: Path
    repository: str


def named_apart(found: list[Repository]) -> Iterator[Repository]:
    """Yield each under the shortest end of its path that no other one of its name has."""
    times = Counter(each.name for each in found)
    for each in found:
        if times[each.name] == 1:
            yield each
            continue
        others = [other.path.parts for other in found if other is not each]
        parts, most = each.path.parts, len(each.path.parts)
        length = next(
            (n for n in range(1, most) if all(other[-n:] != parts[-n:] for other in others)), most
        )
        yield replace(each, name="/".join(parts[-length:]))
