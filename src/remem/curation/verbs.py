"""Every verb that decides something, declared once: its words, when it is blocked, its planner.

Keys, footer, help, palette and the command line read these declarations; `plan` turns an intent
into a change. Verbs of the screens alone are the TUI's.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from remem.curation import (
    brief_verbs,
    consolidation_verbs,
    decide,
    detect_verbs,
    edit,
    gate_verbs,
    layout_verbs,
    learning_verbs,
    lesson_promote,
    lesson_verbs,
    memory_verbs,
    merge,
    pack_verbs,
    persona_verbs,
    promotion_verbs,
    proposing,
    reflect_verbs,
    told_verbs,
    workspace_verbs,
)
from remem.curation.detect_verbs import is_proposed, or_detect, or_leave_unchecked
from remem.curation.estimates import can_take, plan_take
from remem.curation.ingest import plan_ingest
from remem.curation.lesson_merge import is_lesson
from remem.curation.promotion_verbs import as_promotion, is_in_several, rises
from remem.curation.reanchor import mend_of, or_invalidate, or_mend
from remem.curation.reapply import is_left, is_only_reverted, meant, plan_leave
from remem.curation.retro_run import plan_retro_run
from remem.curation.scaffold import plan_init
from remem.curation.shaktra_merge import takes_in
from remem.curation.verb import Blocked, Planner, Verb, needs, read_only
from remem.curation.waiting import is_waiting
from remem.curation.workspace_override import open_for, or_leave_both, or_override
from remem.curation.workspace_plan import planned_apart
from remem.errors import NotPossible
from remem.formats.own_gate import VIOLATION
from remem.formats.verified.source import FACT
from remem.library import Library
from remem.model.change import Change, Intent
from remem.model.entry import Entry, Status
from remem.model.learning import LEARNING
from remem.model.retro import FINDING
from remem.model.shaktra import SHAKTRA
from remem.model.workspace import CONTRACT, WORKSPACE

if TYPE_CHECKING:
    from remem.curation.item import Item


def _or_reverted(otherwise: Blocked) -> Blocked:
    """Let a decision through on what was decided before and reverted by another writer."""

    def blocked(library: Library, what: Item | Entry | None) -> str | None:
        if what is not None and is_only_reverted(library, what.ref):
            return None
        return otherwise(library, what)

    return blocked


def _does_not_wait(library: Library, entry: Entry) -> str | None:
    if mend_of(library, entry) or is_proposed(library, entry) or open_for(library, entry):
        return None
    if not is_waiting(library, entry):
        return "it does not wait for a decision"
    return None if entry.kind == FINDING else read_only(library, entry)


def _is_no_finding(library: Library, entry: Entry) -> str | None:
    if entry.status is Status.CANDIDATE and entry.kind == FINDING:
        return None
    return "only a finding can be kept as a candidate"


def _is_no_store_entry(library: Library, entry: Entry) -> str | None:
    if entry.kind == FINDING:
        return "a finding stays in its retro; approve it or reject it"
    if entry.kind == VIOLATION:
        return "what the gate found only waits; approve it or reject it"
    if entry.kind == FACT:
        return "a memory is superseded or invalidated, and nothing of it is changed"
    return read_only(library, entry)


def _cannot_merge(library: Library, entry: Entry) -> str | None:
    if is_lesson(entry) or takes_in(entry):
        return read_only(library, entry)
    if entry.ref.format not in ("sniper", WORKSPACE, LEARNING) or entry.kind == CONTRACT:
        return "only SNIPER entries, learnings, lessons and findings can be merged"
    if entry.kind == FINDING:
        return _does_not_wait(library, entry)
    return read_only(library, entry)


def _cannot_promote(library: Library, entry: Entry) -> str | None:
    if entry.kind == FACT:
        return "a memory has no level above it"
    if is_lesson(entry) or rises(library, entry):
        return None
    return _does_not_wait(library, entry)


def _cannot_reject(library: Library, entry: Entry) -> str | None:
    return None if is_in_several(library, entry) else _does_not_wait(library, entry)


def _cannot_archive(library: Library, entry: Entry) -> str | None:
    if entry.status not in (Status.ACTIVE, Status.CANDIDATE):
        return "it is archived already"
    return _is_no_store_entry(library, entry)


def _cannot_restore(library: Library, entry: Entry) -> str | None:
    if entry.status in (Status.ACTIVE, Status.CANDIDATE):
        return "it is not archived"
    return _is_no_store_entry(library, entry)


APPROVE: Final = Verb(
    "approve", "Approve", "a", "Put it into force.", "Decide", _or_reverted(needs(_does_not_wait))
)
REJECT: Final = Verb(
    "reject", "Reject", "r", "Send it away and say why.", "Decide",
    _or_reverted(needs(_cannot_reject)),
)  # fmt: skip
KEEP: Final = Verb(
    "keep",
    "Keep as candidate",
    "",
    "Add the finding as a candidate.",
    "Decide",
    needs(_is_no_finding),
)
EDIT: Final = Verb("edit", "Edit", "e", "Change its text.", "Decide", needs(_is_no_store_entry))
MERGE: Final = Verb(
    "merge", "Merge", "m", "Put it into an entry that says the same.", "Decide",
    needs(_cannot_merge),
)  # fmt: skip
PROMOTE: Final = Verb(
    "promote", "Promote", "p", "Lift it one level.", "Decide", needs(_cannot_promote)
)
ADD: Final = Verb("add", "Add", "i", "Write a new entry.", "Keep")
ARCHIVE: Final = Verb(
    "archive", "Archive", "x", "Take it out of every prompt.", "Keep", needs(_cannot_archive)
)
RESTORE: Final = Verb(
    "restore", "Restore", "x", "Bring it back from the archive.", "Keep", needs(_cannot_restore)
)
REMOVE: Final = Verb(
    "remove", "Remove", "", "Take it out of its file.", "Keep", needs(_is_no_store_entry)
)
RETRO_INGEST: Final = Verb(
    "retro.ingest", "Ingest retro", "", "Do what the rules make of a retro.", "Decide"
)
ESTIMATES_TAKE: Final = Verb(
    "estimates.take", "Take over", "a", "Take a pattern over into the estimates.", "Decide",
    needs(can_take),
)  # fmt: skip
RETRO_RUN: Final = Verb(
    "retro.run", "Run retro", "", "Write a sprint's retro from what was measured.", "Keep"
)
INIT: Final = Verb("init", "Set up", "", "Make an empty project memory.", "Keep")


def _plan_approve(library: Library, intent: Intent) -> Change:
    if not _is_of_shaktra(intent):
        return decide.plan_approve(library, intent)
    from remem.curation.consolidation_take import or_count

    return or_count(decide.plan_approve)(library, intent)


def _plan_reject(library: Library, intent: Intent) -> Change:
    if not _is_of_shaktra(intent):
        return decide.plan_reject(library, intent)
    from remem.curation.consolidation_take import or_leave_out

    return or_leave_out(decide.plan_reject)(library, intent)


def _is_of_shaktra(intent: Intent) -> bool:
    """Tell whether its arithmetic is needed; it is not loaded for others."""
    return any(ref.format == SHAKTRA for ref in intent.shown)


PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {
        APPROVE: or_override(or_detect(or_mend(_plan_approve))),
        REJECT: or_leave_both(or_leave_unchecked(or_invalidate(_plan_reject))),
        KEEP: decide.plan_keep,
        EDIT: edit.plan_edit,
        MERGE: merge.plan_merge,
        PROMOTE: lesson_promote.plan_promotion,
        ADD: edit.plan_add,
        ARCHIVE: edit.plan_archive,
        RESTORE: edit.plan_restore,
        REMOVE: edit.plan_remove,
        RETRO_INGEST: plan_ingest,
        ESTIMATES_TAKE: plan_take,
        RETRO_RUN: plan_retro_run,
        INIT: plan_init,
        **persona_verbs.PLANS,
        **pack_verbs.PLANS,
        **reflect_verbs.PLANS,
        **learning_verbs.PLANS,
        **consolidation_verbs.PLANS,
        **brief_verbs.PLANS,
        **lesson_verbs.PLANS,
        **memory_verbs.PLANS,
        **proposing.PLANS,
        **told_verbs.PLANS,
        **layout_verbs.PLANS,
        **gate_verbs.PLANS,
        **promotion_verbs.PLANS,
        **detect_verbs.PLANS,
        **workspace_verbs.PLANS,
    }
)
VERBS: Final[tuple[Verb, ...]] = tuple(PLANS)
_BY_ID: Final[Mapping[str, Verb]] = {verb.id: verb for verb in VERBS}


def verb(name: str) -> Verb:
    """Return the verb with that id.

    Raises:
        NotPossible: There is none.
    """
    if name not in _BY_ID:
        names = ", ".join(f"`{each}`" for each in _BY_ID)
        raise NotPossible(f"there is no verb `{name}`", hint=f"the verbs are {names}")
    return _BY_ID[name]


def plan(library: Library, intent: Intent) -> Change:
    """Return what an intent would write; nothing is written.

    Raises:
        RememError: It cannot be done; the message says why.
    """
    return planned_apart(library, as_promotion(library, intent), _plan)


def _plan(library: Library, intent: Intent) -> Change:
    if is_left(library, intent):
        return plan_leave(library, intent)
    asked = meant(library, intent)
    return PLANS[verb(asked.verb)](library, asked)


def needs_plan(intent: Intent) -> bool:
    """Tell whether the plan is shown before it happens: several refs, or a folder that moves."""
    shown_first = (
        persona_verbs.MOVES_FOLDERS
        | lesson_verbs.SHOWN_FIRST
        | told_verbs.SHOWN_FIRST
        | promotion_verbs.SHOWN_FIRST
        | detect_verbs.SHOWN_FIRST
    )
    return len(intent.shown) > 1 or _BY_ID.get(intent.verb) in shown_first
