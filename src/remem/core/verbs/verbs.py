"""Every verb that decides something, declared once: its words, when it is blocked, its planner.

Keys, footer, help, palette and the command line read these declarations; `plan` turns an intent
into a change. Verbs of the screens alone are the TUI's. What plans, and what tells
whether a verb is blocked, is loaded when it is first asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.core.verbs import (
    detect_verbs,
    duplicates_verbs,
    gate_verbs,
    layout_verbs,
    settings_verbs,
)
from remem.core.verbs.verb import Planner, Verb, needs
from remem.model.change import Change, Intent
from remem.model.entry import Entry
from remem.systems.facts import fact_verbs
from remem.systems.learnings import learning_verbs
from remem.systems.personas import lesson_verbs, persona_verbs, reflect_verbs
from remem.systems.shaktra import brief_verbs, shaktra_verbs
from remem.systems.sniper import pack_verbs
from remem.systems.workspace import promotion_verbs, workspace_verbs

if TYPE_CHECKING:
    from remem.core.waiting.item import Item


def _cannot_approve(library: Library, what: Item | Entry | None) -> str | None:
    from remem.core.verbs.blocked import cannot_approve

    return cannot_approve(library, what)


def _cannot_reject(library: Library, what: Item | Entry | None) -> str | None:
    from remem.core.verbs.blocked import cannot_reject

    return cannot_reject(library, what)


def _is_no_finding(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import is_no_finding

    return is_no_finding(library, entry)


def _is_no_store_entry(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import is_no_store_entry

    return is_no_store_entry(library, entry)


def _cannot_merge(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import cannot_merge

    return cannot_merge(library, entry)


def _cannot_promote(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import cannot_promote

    return cannot_promote(library, entry)


def _cannot_archive(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import cannot_archive

    return cannot_archive(library, entry)


def _cannot_restore(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import cannot_restore

    return cannot_restore(library, entry)


def _can_take(library: Library, entry: Entry) -> str | None:
    from remem.systems.sniper.estimates import can_take

    return can_take(library, entry)


def _plan_approve(library: Library, intent: Intent) -> Change:
    from remem.core.waiting.approve import plan_approve

    return plan_approve(library, intent)


def _plan_reject(library: Library, intent: Intent) -> Change:
    from remem.core.waiting.approve import plan_reject

    return plan_reject(library, intent)


def _plan_keep(library: Library, intent: Intent) -> Change:
    from remem.core.waiting.decide import plan_keep

    return plan_keep(library, intent)


def _plan_edit(library: Library, intent: Intent) -> Change:
    from remem.core.verbs.edit import plan_edit

    return plan_edit(library, intent)


def _plan_merge(library: Library, intent: Intent) -> Change:
    from remem.core.verbs.merge import plan_merge

    return plan_merge(library, intent)


def _plan_promotion(library: Library, intent: Intent) -> Change:
    from remem.systems.personas.lesson_promote import plan_promotion

    return plan_promotion(library, intent)


def _plan_add(library: Library, intent: Intent) -> Change:
    from remem.core.verbs.edit import plan_add

    return plan_add(library, intent)


def _plan_archive(library: Library, intent: Intent) -> Change:
    from remem.core.verbs.edit import plan_archive

    return plan_archive(library, intent)


def _plan_restore(library: Library, intent: Intent) -> Change:
    from remem.core.verbs.edit import plan_restore

    return plan_restore(library, intent)


def _plan_remove(library: Library, intent: Intent) -> Change:
    from remem.core.verbs.edit import plan_remove

    return plan_remove(library, intent)


def _plan_ingest(library: Library, intent: Intent) -> Change:
    from remem.systems.sniper.ingest import plan_ingest

    return plan_ingest(library, intent)


def _plan_take(library: Library, intent: Intent) -> Change:
    from remem.systems.sniper.estimates import plan_take

    return plan_take(library, intent)


def _plan_retro_run(library: Library, intent: Intent) -> Change:
    from remem.systems.sniper.retro_run import plan_retro_run

    return plan_retro_run(library, intent)


def _plan_init(library: Library, intent: Intent) -> Change:
    from remem.systems.sniper.scaffold import plan_init

    return plan_init(library, intent)


def _plan_propose(library: Library, intent: Intent) -> Change:
    from remem.core.verbs.propose import plan_propose

    return plan_propose(library, intent)


APPROVE: Final = Verb("approve", "Approve", "a", "Put it into force.", "Decide", _cannot_approve)
REJECT: Final = Verb(
    "reject", "Reject", "r", "Send it away and say why.", "Decide",
    _cannot_reject,
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
    "promote",
    "Promote",
    "p",
    "Lift it one level.",
    "Decide",
    needs(_cannot_promote),
)
ADD: Final = Verb("add", "Add", "i", "Write a new entry.", "Keep")
ARCHIVE: Final = Verb(
    "archive",
    "Archive",
    "x",
    "Take it out of every prompt.",
    "Keep",
    needs(_cannot_archive),
)
RESTORE: Final = Verb(
    "restore",
    "Restore",
    "x",
    "Bring it back from the archive.",
    "Keep",
    needs(_cannot_restore),
)
REMOVE: Final = Verb(
    "remove",
    "Remove",
    "",
    "Take it out of its file.",
    "Keep",
    needs(_is_no_store_entry),
)
RETRO_INGEST: Final = Verb(
    "retro.ingest", "Ingest retro", "", "Do what the rules make of a retro.", "Decide"
)
ESTIMATES_TAKE: Final = Verb(
    "estimates.take", "Take over", "a", "Take a pattern over into the estimates.", "Decide",
    needs(_can_take),
)  # fmt: skip
RETRO_RUN: Final = Verb(
    "retro.run", "Run retro", "", "Write a sprint's retro from what was measured.", "Keep"
)
PROPOSE: Final = Verb("propose", "Propose", "", "Put an entry into the queue.", "Decide")
INIT: Final = Verb("init", "Set up", "", "Make an empty project memory.", "Keep")

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {
        APPROVE: _plan_approve,
        REJECT: _plan_reject,
        KEEP: _plan_keep,
        EDIT: _plan_edit,
        MERGE: _plan_merge,
        PROMOTE: _plan_promotion,
        ADD: _plan_add,
        ARCHIVE: _plan_archive,
        RESTORE: _plan_restore,
        REMOVE: _plan_remove,
        RETRO_INGEST: _plan_ingest,
        ESTIMATES_TAKE: _plan_take,
        RETRO_RUN: _plan_retro_run,
        INIT: _plan_init,
        PROPOSE: _plan_propose,
        **persona_verbs.PLANS,
        **pack_verbs.PLANS,
        **reflect_verbs.PLANS,
        **learning_verbs.PLANS,
        **shaktra_verbs.PLANS,
        **brief_verbs.PLANS,
        **lesson_verbs.PLANS,
        **fact_verbs.PLANS,
        **duplicates_verbs.PLANS,
        **layout_verbs.PLANS,
        **settings_verbs.PLANS,
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
    from remem.core.repository_plans import planned_apart
    from remem.systems.workspace.promotion_verbs import as_promotion

    return planned_apart(library, as_promotion(library, intent), _plan)


def _plan(library: Library, intent: Intent) -> Change:
    from remem.core.waiting.reapply import is_left, meant, plan_leave

    if is_left(library, intent):
        return plan_leave(library, intent)
    asked = meant(library, intent)
    return PLANS[verb(asked.verb)](library, asked)


def needs_plan(intent: Intent) -> bool:
    """Tell whether the plan is shown before it happens: several refs, or a folder that moves."""
    shown_first = (
        persona_verbs.MOVES_FOLDERS
        | lesson_verbs.SHOWN_FIRST
        | duplicates_verbs.SHOWN_FIRST
        | promotion_verbs.SHOWN_FIRST
        | detect_verbs.SHOWN_FIRST
    )
    return len(intent.shown) > 1 or _BY_ID.get(intent.verb) in shown_first
