"""The verbs of verified memory, and what approving and rejecting are called there."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from remem.core.library import Library
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Writing, needs
from remem.model.change import Change, Intent
from remem.model.entry import Entry


def _cannot_reanchor(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import cannot_reanchor

    return cannot_reanchor(library, entry)


def _cannot_supersede(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import cannot_supersede

    return cannot_supersede(library, entry)


def _is_no_fact(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import is_no_fact

    return is_no_fact(library, entry)


def _plan_reanchor(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.facts.stale import plan_reanchor

    return plan_reanchor(library, intent)


def _plan_supersede(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.facts.stale import plan_supersede

    return plan_supersede(library, intent)


def _plan_invalidate(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.facts.stale import plan_invalidate

    return plan_invalidate(library, intent)


def _plan_retire(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.facts.retire import plan_retire

    return plan_retire(library, intent)


_MEMORY: Final = "Memory"
_VERIFIED: Final = "verified"
MEMORY_REANCHOR: Final = Writing(
    "memory.reanchor",
    "Re-anchor",
    "",
    "Cite the lines where they stand now.",
    _MEMORY,
    needs(_cannot_reanchor),
    args=Undeclared,
    plan=_plan_reanchor,
)
MEMORY_SUPERSEDE: Final = Writing(
    "memory.supersede",
    "Supersede",
    "",
    "Keep the fact, proved by what stands there now.",
    _MEMORY,
    needs(_cannot_supersede),
    args=Undeclared,
    plan=_plan_supersede,
)
MEMORY_INVALIDATE: Final = Writing(
    "memory.invalidate",
    "Invalidate",
    "",
    "Say that a memory is wrong.",
    _MEMORY,
    needs(_is_no_fact),
    args=Undeclared,
    plan=_plan_invalidate,
)
MEMORY_RETIRE: Final = Writing(
    "memory.retire",
    "Retire",
    "",
    "Take memories out of use that serve nobody.",
    _MEMORY,
    needs(_is_no_fact),
    args=Undeclared,
    plan=_plan_retire,
)

MENDING: Final[Mapping[str, Writing[Any]]] = MappingProxyType(
    {each.id: each for each in (MEMORY_REANCHOR, MEMORY_SUPERSEDE, MEMORY_INVALIDATE)}
)


VERBS: Final = (
    MEMORY_REANCHOR,
    MEMORY_SUPERSEDE,
    MEMORY_INVALIDATE,
    MEMORY_RETIRE,
)
