"""The verbs of verified memory, and what approving and rejecting are called there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from remem.curation.verb import Later, Planner, Verb, needs
from remem.library import Library
from remem.model.entry import Ref

_MEMORY: Final = "Memory"
_VERIFIED: Final = "verified"
MEMORY_REANCHOR: Final = Verb(
    "memory.reanchor", "Re-anchor", "", "Cite the lines where they stand now.", _MEMORY,
    needs(Later("blocked", "cannot_reanchor")),
)  # fmt: skip
MEMORY_SUPERSEDE: Final = Verb(
    "memory.supersede", "Supersede", "", "Keep the fact, proved by what stands there now.", _MEMORY,
    needs(Later("blocked", "cannot_supersede")),
)  # fmt: skip
MEMORY_INVALIDATE: Final = Verb(
    "memory.invalidate",
    "Invalidate",
    "",
    "Say that a memory is wrong.",
    _MEMORY,
    needs(Later("blocked", "is_no_fact")),
)
MEMORY_RETIRE: Final = Verb(
    "memory.retire", "Retire", "", "Take memories out of use that serve nobody.", _MEMORY,
    needs(Later("blocked", "is_no_fact")),
)  # fmt: skip

MENDING: Final[Mapping[str, Verb]] = MappingProxyType(
    {each.id: each for each in (MEMORY_REANCHOR, MEMORY_SUPERSEDE, MEMORY_INVALIDATE)}
)


def called(library: Library, refs: Iterable[Ref], verb: str) -> str:
    """Return what approving or rejecting these memories does; empty where they are none."""
    known = [ref for ref in refs if ref.format == _VERIFIED and library.has(ref)]
    if not known:
        return ""
    from remem.curation.reanchor import mend_of

    found = {mend_of(library, library.entry(ref)) for ref in known}
    if len(found) != 1 or "" in found or verb not in ("approve", "reject"):
        return ""
    return MEMORY_INVALIDATE.title if verb == "reject" else MENDING[found.pop()].title


PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {
        MEMORY_REANCHOR: Later("reanchor", "plan_reanchor"),
        MEMORY_SUPERSEDE: Later("reanchor", "plan_supersede"),
        MEMORY_INVALIDATE: Later("reanchor", "plan_invalidate"),
        MEMORY_RETIRE: Later("memory_retire", "plan_retire"),
    }
)
