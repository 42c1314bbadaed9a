"""The verbs about a workspace and the repositories that inherit from it."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Writing, needs
from remem.model.change import Change, Intent
from remem.model.entry import Entry


def _cannot_override(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import cannot_override

    return cannot_override(library, entry)


def _plan_override(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.workspace.override import plan_override

    return plan_override(library, intent)


WORKSPACE_OVERRIDE: Final = Writing(
    "workspace.override",
    "Override",
    "",
    "Let it stand in for what the workspace says.",
    "Decide",
    needs(_cannot_override),
    args=Undeclared,
    plan=_plan_override,
)

VERBS: Final = (WORKSPACE_OVERRIDE,)
