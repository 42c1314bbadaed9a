"""Every verb that decides something, declared once: its words, when it is blocked, its planner.

Keys, footer, help, palette and the command line read these declarations; `plan` turns an intent
into a change. Verbs of the screens alone are the TUI's. What plans, and what tells
whether a verb is blocked, is loaded when it is first asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.core.verbs import (
    detect_verbs,
    duplicates_verbs,
    gate_verbs,
    layout_verbs,
    propose_verbs,
    settings_verbs,
)
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Writing, needs
from remem.model.change import Change, Intent
from remem.model.entry import Entry
from remem.systems.registry import system_verbs

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


def _plan_approve(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.waiting.approve import plan_approve

    return plan_approve(library, intent)


def _plan_reject(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.waiting.approve import plan_reject

    return plan_reject(library, intent)


def _plan_keep(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.waiting.decide import plan_keep

    return plan_keep(library, intent)


def _plan_edit(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.verbs.edit import plan_edit

    return plan_edit(library, intent)


def _plan_merge(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.verbs.merge import plan_merge

    return plan_merge(library, intent)


def _plan_promotion(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.personas.lesson_promote import plan_promotion

    return plan_promotion(library, intent)


def _plan_add(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.verbs.edit import plan_add

    return plan_add(library, intent)


def _plan_archive(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.verbs.edit import plan_archive

    return plan_archive(library, intent)


def _plan_restore(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.verbs.edit import plan_restore

    return plan_restore(library, intent)


def _plan_remove(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.verbs.edit import plan_remove

    return plan_remove(library, intent)


APPROVE: Final = Writing(
    "approve",
    "Approve",
    "a",
    "Put it into force.",
    "Decide",
    _cannot_approve,
    args=Undeclared,
    plan=_plan_approve,
)
REJECT: Final = Writing(
    "reject",
    "Reject",
    "r",
    "Send it away and say why.",
    "Decide",
    _cannot_reject,
    args=Undeclared,
    plan=_plan_reject,
)
KEEP: Final = Writing(
    "keep",
    "Keep as candidate",
    "",
    "Add the finding as a candidate.",
    "Decide",
    needs(_is_no_finding),
    args=Undeclared,
    plan=_plan_keep,
)
EDIT: Final = Writing(
    "edit",
    "Edit",
    "e",
    "Change its text.",
    "Decide",
    needs(_is_no_store_entry),
    args=Undeclared,
    plan=_plan_edit,
)
MERGE: Final = Writing(
    "merge",
    "Merge",
    "m",
    "Put it into an entry that says the same.",
    "Decide",
    needs(_cannot_merge),
    args=Undeclared,
    plan=_plan_merge,
)
PROMOTE: Final = Writing(
    "promote",
    "Promote",
    "p",
    "Lift it one level.",
    "Decide",
    needs(_cannot_promote),
    args=Undeclared,
    plan=_plan_promotion,
)
ADD: Final = Writing(
    "add", "Add", "i", "Write a new entry.", "Keep", args=Undeclared, plan=_plan_add
)
ARCHIVE: Final = Writing(
    "archive",
    "Archive",
    "x",
    "Take it out of every prompt.",
    "Keep",
    needs(_cannot_archive),
    args=Undeclared,
    plan=_plan_archive,
)
RESTORE: Final = Writing(
    "restore",
    "Restore",
    "x",
    "Bring it back from the archive.",
    "Keep",
    needs(_cannot_restore),
    args=Undeclared,
    plan=_plan_restore,
)
REMOVE: Final = Writing(
    "remove",
    "Remove",
    "",
    "Take it out of its file.",
    "Keep",
    needs(_is_no_store_entry),
    args=Undeclared,
    plan=_plan_remove,
)
VERBS: Final[tuple[Writing[Any], ...]] = (
    APPROVE,
    REJECT,
    KEEP,
    EDIT,
    MERGE,
    PROMOTE,
    ADD,
    ARCHIVE,
    RESTORE,
    REMOVE,
    *propose_verbs.VERBS,
    *duplicates_verbs.VERBS,
    *layout_verbs.VERBS,
    *settings_verbs.VERBS,
    *gate_verbs.VERBS,
    *system_verbs(),
    *detect_verbs.VERBS,
)
"""Every verb that writes, in the order of keys and help."""
_BY_ID: Final[Mapping[str, Writing[Any]]] = {verb.id: verb for verb in VERBS}


def verb(name: str) -> Writing[Any]:
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

    asked = as_promotion(library, intent)
    if verb(asked.verb).reach == "whole":
        return _plan(library, asked)
    return planned_apart(library, asked, _plan)


def _plan(library: Library, intent: Intent) -> Change:
    from remem.core.waiting.reapply import is_left, meant, plan_leave

    if is_left(library, intent):
        return plan_leave(library, intent)
    asked = meant(library, intent)
    return verb(asked.verb).planned(library, asked)


def needs_plan(intent: Intent) -> bool:
    """Tell whether the screens show the plan before it happens."""
    return len(intent.shown) > 1 or verb(intent.verb).shows == "always"
