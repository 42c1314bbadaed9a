"""The repositories of a workspace: which there are, and each one's view of what is open.

A view is a library as if it had been opened in that repository alone: its sources, what it inherits
and what the home folder holds. What is decided or composed for a repository is done on its view,
and so cannot touch another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary

from remem.core.library import Library
from remem.core.root_extent import called, ground_in, repositories, workspaces
from remem.model.change import Derived
from remem.model.entry import Problem, Ref
from remem.model.workspace import Repository, Workspace

_OPEN_ALL_THE_SAME: Final = frozenset(
    {"listed-twice", "nested", "apart", "two-workspaces", "outside"}
)
"""What may be wrong with how repositories are listed while all of them are open."""
_FOUND: WeakKeyDictionary[Library, tuple[Workspace, ...]] = WeakKeyDictionary()
_VIEWS: WeakKeyDictionary[Library, dict[str, Library]] = WeakKeyDictionary()


def workspaces_of(library: Library) -> tuple[Workspace, ...]:
    """Return the workspaces that a library is, or its root belongs to; () = none."""
    found = _FOUND.get(library)
    if found is None:
        found = _FOUND[library] = workspaces(library.ground, library.formats)
    return found


def repositories_of(library: Library) -> tuple[Repository, ...]:
    """Return the repositories that are open; () unless a whole workspace is."""
    return repositories(workspaces_of(library)) if library.is_whole else ()


def not_open(library: Library) -> tuple[Problem, ...]:
    """Return why repositories of the workspace that is open are not: its file, or they, are lost.

    What an answer for all of them leaves out.
    """
    if not library.is_whole:
        return ()
    every = (problem for each in workspaces_of(library) for problem in each.problems)
    return tuple(each for each in every if each.code not in _OPEN_ALL_THE_SAME)


def within(library: Library, name: str) -> Library:
    """Return what is open of one repository; with an empty name, of none of them.

    Raises:
        UnknownRef: There is no such repository.
    """
    if not library.is_whole:
        return library
    views = _VIEWS.setdefault(library, {})
    view = views.get(name)
    if view is None:
        view = views[name] = _view(
            library, called(repositories_of(library), name) if name else None
        )
    return view


def views(library: Library) -> tuple[Library, ...]:
    """Return a view of what the repositories share, then of each; the library itself elsewhere."""
    if not library.is_whole:
        return (library,)
    every = ("", *(each.name for each in repositories_of(library)))
    return tuple(within(library, name) for name in every)


def repository_of(library: Library, ref: Ref) -> str:
    """Return the name of the repository that an entry stands in; empty = they share it.

    Raises:
        UnknownRef: Nothing has that ref.
    """
    return library.source_of(ref).repository


def repository_at(library: Library, ref: Ref) -> str:
    """Return the name of the repository that a ref is of; it may have left."""
    if library.has(ref):
        return repository_of(library, ref)
    # What vanished still says in its place where it stood.
    names = {each.name for each in repositories_of(library)}
    return next((name for name in names if ref.place == name or ref.place.endswith(f"/{name}")), "")


def name_of(view: Library) -> str:
    """Return which repository a view is of; empty = it is no view of one."""
    return view.ground.inside.repository if view.ground.inside is not None else ""


def view_of_path(library: Library, path: Path) -> Library:
    """Return the view of the repository that a file lies in, the innermost of several."""
    around: Sequence[Repository] = [
        each for each in repositories_of(library) if path.is_relative_to(each.path)
    ]
    if not around:
        return within(library, "")
    return within(library, max(around, key=lambda each: len(each.path.parts)).name)


def _view(library: Library, repository: Repository | None) -> Library:
    mine = {"", repository.name} if repository is not None else {""}
    ground = ground_in(library.ground, repository) if repository is not None else library.ground
    opened = tuple(each for each in library.opened if each.read.repository in mine)
    return replace(library, ground=ground, opened=opened)


def rendered(library: Library, derived: Derived) -> bytes | None:
    """Return the bytes of a derived file as a snapshot gives them; `None` = it is left alone."""
    view = view_of_path(library, derived.path)
    keeper = view.format(derived.format).keeper
    return keeper.render(view.ground, view.of_format(derived.format), derived.path)
