"""The verbs that promote memory to the workspace, and which other verbs mean them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from remem.core.library import Library
from remem.core.repositories import workspaces_of
from remem.core.verbs.args import Args, option, other_doors
from remem.core.verbs.verb import Writing, needs
from remem.model.change import Change, Intent
from remem.model.entry import Entry
from remem.systems.workspace.records import LEAVE, PROMOTE, WORKSPACE


def _why_not(library: Library, entry: Entry) -> str | None:
    from remem.systems.workspace.promotion import why_not

    return why_not(library, entry)


class WorkspacePromote(Args):
    """Share an entry with all repositories of the workspace.

    REF is an active entry or a retro finding. It is added to the workspace and removed from its
    repository; at the workspace root, also from the others that have it. `--dry-run` shows each
    file and every role's prompt.
    """

    keep: bool = option("--keep", "Keep it in its repository as well.", default=False)


def _plan_promotion(library: Library, intent: Intent, args: WorkspacePromote) -> Change:
    from remem.systems.workspace.promotion import plan_promotion

    return plan_promotion(library, intent, args)


WORKSPACE_PROMOTE: Final = Writing(
    id=PROMOTE,
    title="Promote to workspace",
    help="Share it with all repositories of the workspace.",
    group="Decide",
    why_not=needs(_why_not),
    args=WorkspacePromote,
    plan=_plan_promotion,
    repeats=True,
    shows="always",
    reach="whole",
    command="workspace promote",
    takes="REF...",
    from_queue=True,
    pinned=True,
    acknowledges=True,
    follows="left",
)


class WorkspaceLeave(Args):
    """Let each repository keep its own."""

    reason: str = other_doors("Why; recorded with the decision.", default="")
    to: str = other_doors("Used by older changes.", default="")


def _plan_leaving(library: Library, intent: Intent, args: WorkspaceLeave) -> Change:
    from remem.systems.workspace.promotion import plan_leaving

    return plan_leaving(library, intent, args)


WORKSPACE_LEAVE: Final = Writing(
    id=LEAVE,
    title="Keep in repositories",
    group="Decide",
    args=WorkspaceLeave,
    plan=_plan_leaving,
    reach="whole",
)

VERBS: Final = (WORKSPACE_PROMOTE, WORKSPACE_LEAVE)


def rises(library: Library, entry: Entry) -> bool:
    """Tell whether the level above an entry is the workspace: it is in force in a repository."""
    if not workspaces_of(library):
        return False
    from remem.systems.sniper.records import FINDING
    from remem.systems.workspace.promotion import why_not

    return entry.kind != FINDING and why_not(library, entry) is None


def upward(library: Library, entries: Sequence[Entry], otherwise: Writing[Any]) -> Writing[Any]:
    """Return what lifting these one level means: the workspace's verb, or another one."""
    lifts = bool(entries) and all(rises(library, entry) for entry in entries)
    return WORKSPACE_PROMOTE if lifts else otherwise


def as_promotion(library: Library, intent: Intent) -> Intent:
    """Return an intent by the verb that it means where workspaces are concerned."""
    if intent.verb == "promote" and intent.text("to") in ("", WORKSPACE) and intent.shown:
        there = all(library.has(ref) for ref in intent.shown)
        may = there and all(rises(library, library.entry(ref)) for ref in intent.shown)
        if may or intent.text("to") == WORKSPACE:
            arguments = {name: each for name, each in intent.arguments.items() if name != "to"}
            return replace(intent, verb=WORKSPACE_PROMOTE.id, arguments=arguments)
    return intent
