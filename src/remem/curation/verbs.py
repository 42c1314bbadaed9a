"""Every verb that decides something, declared once: its words, when it is blocked, its planner.

Keys, footer, help, palette and the command line read these declarations; `plan` turns an intent
into a change. Verbs of the screens alone are the TUI's. What plans, and what tells
whether a verb is blocked, is loaded when it is first asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.curation import (
    brief_verbs,
    consolidation_verbs,
    detect_verbs,
    gate_verbs,
    layout_verbs,
    learning_verbs,
    lesson_verbs,
    memory_verbs,
    pack_verbs,
    persona_verbs,
    promotion_verbs,
    reflect_verbs,
    told_verbs,
    workspace_verbs,
)
from remem.curation.verb import Later, Planner, Verb, needs
from remem.errors import NotPossible
from remem.library import Library
from remem.model.change import Change, Intent

APPROVE: Final = Verb(
    "approve", "Approve", "a", "Put it into force.", "Decide", Later("blocked", "cannot_approve")
)
REJECT: Final = Verb(
    "reject", "Reject", "r", "Send it away and say why.", "Decide",
    Later("blocked", "cannot_reject"),
)  # fmt: skip
KEEP: Final = Verb(
    "keep",
    "Keep as candidate",
    "",
    "Add the finding as a candidate.",
    "Decide",
    needs(Later("blocked", "is_no_finding")),
)
EDIT: Final = Verb(
    "edit", "Edit", "e", "Change its text.", "Decide", needs(Later("blocked", "is_no_store_entry"))
)
MERGE: Final = Verb(
    "merge", "Merge", "m", "Put it into an entry that says the same.", "Decide",
    needs(Later("blocked", "cannot_merge")),
)  # fmt: skip
PROMOTE: Final = Verb(
    "promote",
    "Promote",
    "p",
    "Lift it one level.",
    "Decide",
    needs(Later("blocked", "cannot_promote")),
)
ADD: Final = Verb("add", "Add", "i", "Write a new entry.", "Keep")
ARCHIVE: Final = Verb(
    "archive",
    "Archive",
    "x",
    "Take it out of every prompt.",
    "Keep",
    needs(Later("blocked", "cannot_archive")),
)
RESTORE: Final = Verb(
    "restore",
    "Restore",
    "x",
    "Bring it back from the archive.",
    "Keep",
    needs(Later("blocked", "cannot_restore")),
)
REMOVE: Final = Verb(
    "remove",
    "Remove",
    "",
    "Take it out of its file.",
    "Keep",
    needs(Later("blocked", "is_no_store_entry")),
)
RETRO_INGEST: Final = Verb(
    "retro.ingest", "Ingest retro", "", "Do what the rules make of a retro.", "Decide"
)
ESTIMATES_TAKE: Final = Verb(
    "estimates.take", "Take over", "a", "Take a pattern over into the estimates.", "Decide",
    needs(Later("estimates", "can_take")),
)  # fmt: skip
RETRO_RUN: Final = Verb(
    "retro.run", "Run retro", "", "Write a sprint's retro from what was measured.", "Keep"
)
PROPOSE: Final = Verb("propose", "Propose", "", "Put an entry into the queue.", "Decide")
INIT: Final = Verb("init", "Set up", "", "Make an empty project memory.", "Keep")

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {
        APPROVE: Later("approving", "plan_approve"),
        REJECT: Later("approving", "plan_reject"),
        KEEP: Later("decide", "plan_keep"),
        EDIT: Later("edit", "plan_edit"),
        MERGE: Later("merge", "plan_merge"),
        PROMOTE: Later("lesson_promote", "plan_promotion"),
        ADD: Later("edit", "plan_add"),
        ARCHIVE: Later("edit", "plan_archive"),
        RESTORE: Later("edit", "plan_restore"),
        REMOVE: Later("edit", "plan_remove"),
        RETRO_INGEST: Later("ingest", "plan_ingest"),
        ESTIMATES_TAKE: Later("estimates", "plan_take"),
        RETRO_RUN: Later("retro_run", "plan_retro_run"),
        INIT: Later("scaffold", "plan_init"),
        PROPOSE: Later("proposing", "plan_propose"),
        **persona_verbs.PLANS,
        **pack_verbs.PLANS,
        **reflect_verbs.PLANS,
        **learning_verbs.PLANS,
        **consolidation_verbs.PLANS,
        **brief_verbs.PLANS,
        **lesson_verbs.PLANS,
        **memory_verbs.PLANS,
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
    from remem.curation.promotion_verbs import as_promotion
    from remem.curation.workspace_plan import planned_apart

    return planned_apart(library, as_promotion(library, intent), _plan)


def _plan(library: Library, intent: Intent) -> Change:
    from remem.curation.reapply import is_left, meant, plan_leave

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
