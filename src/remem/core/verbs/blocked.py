"""Why a verb cannot act on what is under the cursor, in words for the footer.

The declarations name these rules; they are loaded when a screen first asks one.
"""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.verb import Verb, WhyNot, read_only
from remem.core.waiting.decided import decided
from remem.core.waiting.item import Item
from remem.core.waiting.kinds import act_on
from remem.model.entry import RESTING, Entry, Status
from remem.model.fact import FACT
from remem.systems.facts.fact_verbs import MEMORY_REANCHOR, MEMORY_SUPERSEDE
from remem.systems.learnings.records import LEARNING
from remem.systems.own.gate import VIOLATION
from remem.systems.personas.lesson_verbs import is_lesson
from remem.systems.personas.source import LESSON
from remem.systems.shaktra.records import SHAKTRA
from remem.systems.sniper.records import FINDING, RECORDS
from remem.systems.workspace.promotion_verbs import rises
from remem.systems.workspace.records import CONTRACT, WORKSPACE

_SNIPER: Final = "sniper"


def _decides(verb: str) -> WhyNot:
    """Return the rule of a verb that decides on what waits, whatever the reason."""

    def why_not(library: Library, what: Item | Entry | None) -> str | None:
        if what is None:
            return "there is nothing under the cursor"
        waiting = what.waiting if isinstance(what, Item) else ""
        act = act_on(library, what.ref, verb, waiting)
        if act is not None:
            return act.why_not
        if not library.has(what.ref):
            return "there is nothing under the cursor"
        found = decided(library, library.entry(what.ref))
        return "it does not wait for a decision" if found is None else found.told(library)

    return why_not


cannot_approve = _decides("approve")
cannot_reject = _decides("reject")


def _is_stored_by_shaktra(entry: Entry) -> bool:
    if entry.ref.format != SHAKTRA:
        return False
    from remem.systems.shaktra.merge import takes_in

    return takes_in(entry)


def is_no_finding(library: Library, entry: Entry) -> str | None:
    """Let it act on what waits and can stay a candidate: findings, and candidates of a store."""
    act = act_on(library, entry.ref, "keep")
    if act is not None:
        return act.why_not
    found = decided(library, entry)
    return "only a finding or a candidate can be kept" if found is None else found.told(library)


def is_no_store_entry(library: Library, entry: Entry) -> str | None:
    """Let it act on what stands in a store."""
    if entry.kind == FINDING:
        return "a finding stays in its retro; approve it or reject it"
    if entry.kind == VIOLATION:
        return "what the gate found only waits; approve it or reject it"
    if entry.kind == FACT:
        return "a memory is superseded or invalidated, and nothing of it is changed"
    return read_only(library, entry)


def cannot_merge(library: Library, entry: Entry) -> str | None:
    """Let it act on what can say the same as another entry."""
    if is_lesson(entry) or _is_stored_by_shaktra(entry):
        return read_only(library, entry)
    if entry.ref.format not in ("sniper", WORKSPACE, LEARNING) or entry.kind == CONTRACT:
        return "only SNIPER entries, learnings, lessons and findings can be merged"
    if entry.kind == FINDING:
        return cannot_approve(library, entry)
    return read_only(library, entry)


def cannot_promote(library: Library, entry: Entry) -> str | None:
    """Let it act on what has a level above it."""
    if entry.kind == FACT:
        return "a memory has no level above it"
    if is_lesson(entry) or rises(library, entry):
        return None
    return cannot_approve(library, entry)


def cannot_archive(library: Library, entry: Entry) -> str | None:
    """Let it act on what is not archived."""
    if entry.status in RESTING:
        return "it is archived already"
    return is_no_store_entry(library, entry)


def cannot_restore(library: Library, entry: Entry) -> str | None:
    """Let it act on what is archived."""
    if entry.status not in RESTING:
        return "it is not archived"
    if entry.kind == LESSON and entry.status is Status.ARCHIVED:
        return None  # its archive is only shown, and says where it stood
    return is_no_store_entry(library, entry)


def is_no_lesson(library: Library, entry: Entry) -> str | None:
    """Let it act on lessons of a persona."""
    if not is_lesson(entry):
        return "only lessons of a persona have a place of their own"
    if entry.status is Status.ARCHIVED:
        return "it is archived"
    return read_only(library, entry)


def cannot_override(library: Library, entry: Entry) -> str | None:
    """Let it act on what a repository can say in place of its workspace."""
    if entry.ref.format != _SNIPER or entry.kind not in RECORDS:
        return "only a repository's entry overrides one of its workspace"
    if not library.of_format(WORKSPACE):
        return "this repository belongs to no workspace"
    return read_only(library, entry)


def is_no_fact(library: Library, entry: Entry) -> str | None:
    """Let it act on verified memory that is in force."""
    if entry.kind != FACT:
        return "only verified memory cites code"
    return None if entry.status is Status.ACTIVE else f"it is {entry.status}"


def cannot_reanchor(library: Library, entry: Entry) -> str | None:
    """Let it act on verified memory whose lines moved."""
    return is_no_fact(library, entry) or _is_not_mended(library, entry, MEMORY_REANCHOR)


def cannot_supersede(library: Library, entry: Entry) -> str | None:
    """Let it act on verified memory that stands elsewhere, or was changed."""
    return is_no_fact(library, entry) or _is_not_mended(
        library, entry, MEMORY_REANCHOR, MEMORY_SUPERSEDE
    )


def _is_not_mended(library: Library, entry: Entry, *mends: Verb) -> str | None:
    """Let it act where one of these verbs would put the memory right."""
    from remem.systems.facts.stale import mend_of, why_not

    put_right = mend_of(library, entry) in {verb.id for verb in mends}
    return None if put_right else why_not(library, entry)
