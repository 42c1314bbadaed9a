"""Whom an entry is for: role names and their aliases, names of one persona, who receives what.

FORMATS 0.7 has the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from remem.base.lazy_pattern import lazy_pattern

_BACKEND: Final = frozenset({"backend-engineer", "backend-dev"})
_FRONTEND: Final = frozenset({"frontend-engineer", "frontend-dev"})
_DEVELOPER: Final = _BACKEND | _FRONTEND | {"developer"}

_ALIASES: Final[Mapping[str, frozenset[str]]] = {
    "developer": _DEVELOPER,
    **dict.fromkeys(_BACKEND, _BACKEND | {"developer"}),
    **dict.fromkeys(_FRONTEND, _FRONTEND | {"developer"}),
    "fullstack-dev": _DEVELOPER | {"fullstack-dev"},
}


def plain(role: str) -> str:
    """Return a role name as it is compared."""
    return role.strip().casefold()


def aliases(role: str) -> frozenset[str]:
    """Return every name under which `role` receives entries, its own included, as compared."""
    name = plain(role)
    return _ALIASES.get(name) or frozenset({name})


def matches(asked: str, applies_to: Iterable[str] | None) -> bool:
    """Tell whether an agent that is asked for by `asked` receives an entry for `applies_to`.

    Without an asked role nothing is filtered, and an entry without roles is for everyone.
    """
    if applies_to is None or not asked.strip():
        return True
    wanted, given = aliases(asked), [plain(role) for role in applies_to]
    return not given or any(role in wanted for role in given)


def audience(roles: Sequence[str] | None, phases: Sequence[str] = (), owner: str = "") -> str:
    """Return who something is for, in words; phases of a protocol are called so.

    Args:
        roles: Roles or agents; none = all of them.
        phases: Phases of a protocol; none = all of them.
        owner: The persona whose memory it stands in, which alone gets what names no role.
    """
    named = ", ".join(phases)
    when = f"phase {named}" if len(phases) == 1 else f"phases {named}" if phases else ""
    return " · ".join(filter(None, (", ".join(roles or ()) or owner, when))) or "all roles"


_AS_HYPHEN: Final = lazy_pattern(r"[. ]")
_NAMES: Final = 1_024
"""Names that are remembered: each agent's is held against that of every file's owner."""


@lru_cache(maxsize=_NAMES)
def persona_key(name: str) -> str:
    """Return what two names of one persona share: case ignored, `.` and blank are `-`."""
    return _AS_HYPHEN.sub("-", name.casefold())


def unknown_roles(roles: Sequence[str], known: Sequence[str]) -> Iterator[str]:
    """Say of each role that nobody has that it may be mistyped; nothing where none is known."""
    if not known:
        return
    for role in dict.fromkeys(roles):
        if not any(matches(role, (each,)) for each in known):
            from rapidfuzz import fuzz, process

            nearest = process.extractOne(role, known, scorer=fuzz.ratio)[0]
            yield f"no agent has the role `{role}`; nearest: `{nearest}`"
