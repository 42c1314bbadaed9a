"""The verbs of a workspace: what is promoted to it, what leaves it, and who overrides it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from remem.core.library import Library
from remem.core.repositories import workspaces_of
from remem.core.verbs.args import Args, argument, option, other_doors
from remem.core.verbs.verb import Writing, needs, read_only
from remem.model.change import Change, Intent
from remem.model.entry import Entry
from remem.systems.workspace.records import LEAVE, PROMOTE, WORKSPACE

_SNIPER: Final = "sniper"


def _cannot_override(library: Library, entry: Entry) -> str | None:
    """Let it act on what a repository can say in place of its workspace."""
    if entry.ref.format != _SNIPER or entry.kind not in library.format(WORKSPACE).kinds:
        return "only a repository's entry overrides one of its workspace"
    if not library.of_format(WORKSPACE):
        return "this repository is in no workspace"
    return read_only(library, entry)


class WorkspaceOverride(Args):
    """Override a workspace's entry with a repository's."""

    of: str = argument("WORKSPACE-REF", names_entry=True, ids_of=WORKSPACE, default="")


def _plan_override(library: Library, intent: Intent, args: WorkspaceOverride) -> Change:
    from remem.systems.workspace.override import plan_override

    return plan_override(library, intent, args)


WORKSPACE_OVERRIDE: Final = Writing(
    id="workspace.override",
    title="Override",
    help="Override the workspace's entry with it.",
    group="Decide",
    why_not=needs(_cannot_override),
    args=WorkspaceOverride,
    plan=_plan_override,
    command="workspace override",
    takes="REF",
)


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


VERBS: Final = (
    WORKSPACE_PROMOTE,
    WORKSPACE_LEAVE,
    WORKSPACE_OVERRIDE,
)
