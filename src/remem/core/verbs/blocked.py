"""Why a verb cannot act on what is under the cursor, in words for the footer.

The declarations name these rules; they are loaded when a screen first asks one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remem.core.library import Library
from remem.core.verbs.detect_verbs import is_proposed
from remem.core.verbs.verb import Verb, WhyNot, needs, read_only
from remem.core.waiting.decided import decided
from remem.core.waiting.kept_candidates import is_keepable, is_kept
from remem.core.waiting.reapply import is_only_reverted
from remem.core.waiting.waits import is_waiting
from remem.model.entry import RESTING, Entry, Status
from remem.model.fact import FACT
from remem.systems.facts.fact_verbs import MEMORY_REANCHOR, MEMORY_SUPERSEDE
from remem.systems.learnings.records import LEARNING
from remem.systems.own.gate import VIOLATION
from remem.systems.personas.lesson_verbs import is_lesson
from remem.systems.personas.source import LESSON
from remem.systems.shaktra.records import SHAKTRA
from remem.systems.sniper.records import FINDING, RECORDS
from remem.systems.workspace.promotion_verbs import is_in_several, rises
from remem.systems.workspace.records import CONTRACT, WORKSPACE

if TYPE_CHECKING:
    from remem.core.waiting.item import Item

_SNIPER: Final = "sniper"


def _or_reverted(otherwise: WhyNot) -> WhyNot:
    """Let a decision through on what was decided before and reverted by another writer."""

    def blocked(library: Library, what: Item | Entry | None) -> str | None:
        if what is not None and is_only_reverted(library, what.ref):
            return None
        return otherwise(library, what)

    return blocked


def _fails_to_hold(library: Library, entry: Entry) -> bool:
    if entry.kind != FACT:
        return False
    from remem.systems.facts.stale import mend_of

    return bool(mend_of(library, entry))


def _is_asked(library: Library, entry: Entry) -> bool:
    """Tell whether a repository and its workspace disagree on it."""
    if not library.of_format(WORKSPACE):
        return False
    from remem.systems.workspace.override import open_for

    return bool(open_for(library, entry))


def _is_stored_by_shaktra(entry: Entry) -> bool:
    if entry.ref.format != SHAKTRA:
        return False
    from remem.systems.shaktra.merge import takes_in

    return takes_in(entry)


def _does_not_wait(library: Library, entry: Entry) -> str | None:
    if _fails_to_hold(library, entry) or is_proposed(library, entry) or _is_asked(library, entry):
        return None
    if not is_waiting(library, entry):
        found = decided(library, entry)
        return "it does not wait for a decision" if found is None else found.told(library)
    return None if entry.kind == FINDING else read_only(library, entry)


def is_no_finding(library: Library, entry: Entry) -> str | None:
    """Let it act on findings alone."""
    if entry.kind != FINDING and is_keepable(entry):
        is_done = is_kept(library, library.source_of(entry), entry)
        return "it is kept as a candidate already" if is_done else None
    if entry.status is not Status.CANDIDATE or entry.kind != FINDING:
        return "only a finding or a candidate can be kept"
    found = decided(library, entry)
    return None if found is None else found.told(library)


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
        return _does_not_wait(library, entry)
    return read_only(library, entry)


def cannot_promote(library: Library, entry: Entry) -> str | None:
    """Let it act on what has a level above it."""
    if entry.kind == FACT:
        return "a memory has no level above it"
    if is_lesson(entry) or rises(library, entry):
        return None
    return _does_not_wait(library, entry)


def _is_not_approved(library: Library, entry: Entry) -> str | None:
    if entry.kind == VIOLATION:
        from remem.core.checks.violations import OTHERWISE, found_at

        found = found_at(library, entry)
        if found is not None and not found.is_of_these_words:
            return OTHERWISE
    return _does_not_wait(library, entry)


def _is_not_rejected(library: Library, entry: Entry) -> str | None:
    if entry.kind == FACT:
        return is_no_fact(library, entry)
    return None if is_in_several(library, entry) else _does_not_wait(library, entry)


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


cannot_approve = _or_reverted(needs(_is_not_approved))
cannot_reject = _or_reverted(needs(_is_not_rejected))


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
