"""The verbs of verified memory, and what approving and rejecting are called there."""

from __future__ import annotations

from typing import Any, Final

from remem.core.library import Library
from remem.core.verbs.args import Args, option
from remem.core.verbs.verb import Writing, needs
from remem.model.change import Change, Intent
from remem.model.entry import (
    FACT,
    Entry,
    Status,
)
from remem.systems.facts import INVALIDATE, REANCHOR, RETIRE, SUPERSEDE

_MEMORY: Final = "Memory"


def _is_no_fact(library: Library, entry: Entry) -> str | None:
    """Let it act on verified memory that is in force."""
    if entry.kind != FACT:
        return "only verified memory cites code"
    return None if entry.status is Status.ACTIVE else f"it is {entry.status}"


def _cannot_reanchor(library: Library, entry: Entry) -> str | None:
    """Let it act on verified memory whose lines moved."""
    return _is_no_fact(library, entry) or _is_not_mended(library, entry, REANCHOR)


def _cannot_supersede(library: Library, entry: Entry) -> str | None:
    """Let it act on verified memory that stands elsewhere, or was changed."""
    return _is_no_fact(library, entry) or _is_not_mended(library, entry, REANCHOR, SUPERSEDE)


def _is_not_mended(library: Library, entry: Entry, *mends: str) -> str | None:
    """Let it act where one of these verbs would put the memory right."""
    from remem.systems.facts.stale import mend_of, why_not

    return None if mend_of(library, entry) in mends else why_not(library, entry)


def _by() -> Any:
    about = "Your name; default: git or login name."
    return option("--as", about, metavar="NAME", hidden=("--by",), default="")


def _session() -> Any:
    return option("--session", "The session id.", metavar="ID", default="")


class MemoryReanchor(Args):
    """Update citations of moved lines; default: of all active facts.

    Facts with changed or missing lines are left for you to supersede or invalidate.
    """

    by: str = _by()
    session: str = _session()


def _plan_reanchor(library: Library, intent: Intent, _: MemoryReanchor) -> Change:
    from remem.systems.facts.stale import plan_reanchor

    return plan_reanchor(library, intent)


MEMORY_REANCHOR: Final = Writing(
    id=REANCHOR,
    title="Re-anchor",
    help="Cite the lines where they stand now.",
    group=_MEMORY,
    why_not=needs(_cannot_reanchor),
    args=MemoryReanchor,
    plan=_plan_reanchor,
    command="memory reanchor",
)


class MemorySupersede(Args):
    """Replace a fact with a corrected one."""

    fact: str = option("--fact", "The new fact; default: unchanged.", metavar="TEXT", default="")
    reason: str | None = option("--reason", "Default: unchanged.", metavar="TEXT", default=None)
    by: str = _by()
    session: str = _session()


def _plan_supersede(library: Library, intent: Intent, args: MemorySupersede) -> Change:
    from remem.systems.facts.stale import plan_supersede

    return plan_supersede(library, intent, args)


MEMORY_SUPERSEDE: Final = Writing(
    id=SUPERSEDE,
    title="Supersede",
    help="Keep the fact, proved by what stands there now.",
    group=_MEMORY,
    why_not=needs(_cannot_supersede),
    args=MemorySupersede,
    plan=_plan_supersede,
    command="memory supersede",
    acknowledges=True,
)


class MemoryInvalidate(Args):
    """Invalidate a fact; it stays on record."""

    reason: str = option("--reason", "What contradicts it.", metavar="TEXT", default="")
    by: str = _by()
    session: str = _session()


def _plan_invalidate(library: Library, intent: Intent, args: MemoryInvalidate) -> Change:
    from remem.systems.facts.stale import plan_invalidate

    return plan_invalidate(library, intent, args)


MEMORY_INVALIDATE: Final = Writing(
    id=INVALIDATE,
    title="Invalidate",
    help="Say that a memory is wrong.",
    group=_MEMORY,
    why_not=needs(_is_no_fact),
    args=MemoryInvalidate,
    plan=_plan_invalidate,
    command="memory invalidate",
)


class MemoryRetire(Args):
    """Retire facts that nobody uses; `remem undo` brings them back.

    Without a REF, those beyond the soft limit of 1,000: never used first, then the longest idle.
    """

    unused: bool = option("--unused", "Facts never used in 90 days.", default=False)
    repository: str = option("--repo", "Default: this checkout.", metavar="OWNER/NAME", default="")
    reason: str = option("--reason", "Recorded with each of them.", metavar="TEXT", default="")


def _plan_retire(library: Library, intent: Intent, args: MemoryRetire) -> Change:
    from remem.systems.facts.retire import plan_retire

    return plan_retire(library, intent, args)


MEMORY_RETIRE: Final = Writing(
    id=RETIRE,
    title="Retire",
    help="Retire facts that nobody uses.",
    group=_MEMORY,
    why_not=needs(_is_no_fact),
    args=MemoryRetire,
    plan=_plan_retire,
    shows="judged",
    command="memory retire",
    takes="[REF...]",
    ids_of="verified",
)

VERBS: Final = (
    MEMORY_REANCHOR,
    MEMORY_SUPERSEDE,
    MEMORY_INVALIDATE,
    MEMORY_RETIRE,
)
