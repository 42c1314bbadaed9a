"""The verbs of verified memory, and whether they can act on what is under the cursor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from remem.curation import memory_retire, reanchor
from remem.curation.verb import Planner, Verb, needs
from remem.formats.verified.source import FACT, FORMAT
from remem.library import Library
from remem.model.entry import Entry, Ref, Status


def _only(*mends: str) -> Callable[[Library, Entry], str | None]:
    """Let it act where one of these verbs would put the memory right."""

    def blocked(library: Library, entry: Entry) -> str | None:
        if entry.kind != FACT:
            return "only verified memory cites code"
        if entry.status is not Status.ACTIVE:
            return f"it is {entry.status}"
        if not mends or reanchor.mend_of(library, entry) in mends:
            return None
        return reanchor.why_not(library, entry)

    return blocked


_MEMORY: Final = "Memory"
MEMORY_REANCHOR: Final = Verb(
    reanchor.REANCHOR, "Re-anchor", "", "Cite the lines where they stand now.", _MEMORY,
    needs(_only(reanchor.REANCHOR)),
)  # fmt: skip
MEMORY_SUPERSEDE: Final = Verb(
    reanchor.SUPERSEDE, "Supersede", "", "Keep the fact, proved by what stands there now.", _MEMORY,
    needs(_only(reanchor.REANCHOR, reanchor.SUPERSEDE)),
)  # fmt: skip
MEMORY_INVALIDATE: Final = Verb(
    reanchor.INVALIDATE, "Invalidate", "", "Say that a memory is wrong.", _MEMORY, needs(_only())
)
MEMORY_RETIRE: Final = Verb(
    memory_retire.RETIRE, "Retire", "", "Take memories out of use that serve nobody.", _MEMORY,
    needs(_only()),
)  # fmt: skip

MENDING: Final[Mapping[str, Verb]] = MappingProxyType(
    {each.id: each for each in (MEMORY_REANCHOR, MEMORY_SUPERSEDE, MEMORY_INVALIDATE)}
)


def called(library: Library, refs: Iterable[Ref], verb: str) -> str:
    """Return what approving or rejecting these memories does; empty where they are none."""
    found = {
        reanchor.mend_of(library, library.entry(ref))
        for ref in refs
        if ref.format == FORMAT and library.has(ref)
    }
    if len(found) != 1 or "" in found or verb not in ("approve", "reject"):
        return ""
    return MEMORY_INVALIDATE.title if verb == "reject" else MENDING[found.pop()].title


PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {
        MEMORY_REANCHOR: reanchor.plan_reanchor,
        MEMORY_SUPERSEDE: reanchor.plan_supersede,
        MEMORY_INVALIDATE: reanchor.plan_invalidate,
        MEMORY_RETIRE: memory_retire.plan_retire,
    }
)
