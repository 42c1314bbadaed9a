"""Whom a library is composed for: every role, in a workspace in each of its repositories.

Where no file names a role, what is composed is for everyone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from remem.core.library import Library
from remem.core.repositories import name_of, repositories_of, repository_of, views, within
from remem.model.entry import Ref
from remem.model.prompt import Ask
from remem.model.roles import matches

_BETWEEN: Final = " · "
EVERYONE: Final = "everyone"
"""For whom a prompt is that is for nobody in particular."""
WHO_IS_EVERYONE: Final = (
    "everyone = who is given composed memory; not tools that load files themselves"
)
"""Told where that row stands: it is none of the agents that Start lists."""


def role_asks(library: Library, after: Library | None = None) -> tuple[Ask, ...]:
    """Return an ask for each role that a repository's files name, repository by repository.

    Where none is named it is one ask, of nobody in particular.

    Args:
        library: Whose repositories they are.
        after: The same as a change leaves it, whose roles count too: what a change is for, it may
            be the first to name.
    """
    both = (library,) if after is None else (library, after)
    if not library.is_whole:
        return tuple(Ask(role=role) for role in _roles_of(both)) or (Ask(),)
    named = [name for view in views(library) if (name := name_of(view))]
    return tuple(
        Ask(role=role, repository=name)
        for name in named
        for role in _roles_of([within(each, name) for each in both]) or ("",)
    )


def _roles_of(libraries: Iterable[Library]) -> list[str]:
    return sorted({role for each in libraries for role in each.role_names()})


def asks_about(library: Library, ref: Ref, roles: Sequence[str]) -> tuple[Ask, ...]:
    """Return who may feel a change of an entry: what repositories share, all of them feel."""
    if not library.is_whole:
        return tuple(Ask(role=role) for role in roles)
    there = repository_of(library, ref) if library.has(ref) else ""
    names = [there] if there else [each.name for each in repositories_of(library)]
    return tuple(Ask(role=role, repository=name) for name in names for role in roles)


def roles_about(library: Library, named: Sequence[str] | None) -> tuple[str, ...]:
    """Return who gets what is for the named roles: those, then who gets it under another name.

    What names no role is for all.
    """
    known = library.role_names()
    if not named:
        return known
    return (*named, *(role for role in known if role not in named and matches(role, named)))


def asker(ask: Ask) -> str:
    """Return for whom a prompt is, as people read it: `backend-engineer · api`; empty = for all."""
    name = ask.role or ask.persona or ask.agent or (EVERYONE if ask.repository else "")
    return _BETWEEN.join(part for part in (name, ask.repository) if part)


def ask_for(library: Library, name: str) -> Ask:
    """Return the ask that `asker` wrote as a name."""
    role, between, repository = name.rpartition(_BETWEEN)
    if between and any(each.name == repository for each in repositories_of(library)):
        return Ask(role="" if role == EVERYONE else role, repository=repository)
    return Ask(role=name)
