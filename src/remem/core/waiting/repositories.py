"""One queue, and one list of issues, over all repositories of a workspace.

Each repository's are found as if it had been opened alone; here they are told apart and put
together. What the repositories share is told once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from remem.core.checks.problem import Issue
from remem.core.library import Library
from remem.core.repositories import is_whole, name_of, views
from remem.model.entry import Ref

if TYPE_CHECKING:
    from remem.core.waiting.item import Item

    Find: TypeAlias = Callable[[Library], Iterable[Item]]


def gathered(library: Library, find: Find) -> tuple[Item, ...]:
    """Return what waits in every repository; from inside of one, what waits in that one.

    What the workspace proposes is decided where it is open, for all who inherit it.
    """
    if not is_whole(library):
        return tuple(item for item in find(library) if not library.is_shared(item.ref))
    return tuple(_named(view, item) for view in views(library) for item in _own(view, find))


def issues_of_all(library: Library, find: Callable[[Library], Iterable[Issue]]) -> Iterator[Issue]:
    """Yield what is worth a look in every repository, what they share once."""
    told: set[tuple[str, object, Ref | None]] = set()
    for view in views(library):
        for issue in find(view):
            key = (issue.problem.message, issue.problem.path, issue.ref)
            if key not in told:
                told.add(key)
                yield issue


def _own(view: Library, find: Find) -> Iterator[Item]:
    """Yield what waits in one repository and not in what it shares with others."""
    name = name_of(view)
    for item in find(view):
        there = view.source_of(item.ref).repository if view.has(item.ref) else item.ref.place
        if there == name or (name and there.startswith(f"{name}/")):
            yield item


def _named(view: Library, item: Item) -> Item:
    """Return an item under its repository's name, with an id that no other repository's has."""
    from remem.core.waiting.item import hashed

    name = name_of(view)
    if not name:
        return item
    return replace(item, id=hashed(name, item.id), group=f"{name} · {item.group}")
