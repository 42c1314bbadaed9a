"""The verbs about a workspace and the repositories that inherit from it."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, argument
from remem.core.verbs.verb import Writing, needs, read_only
from remem.model.change import Change, Intent
from remem.model.entry import Entry
from remem.systems.workspace.records import WORKSPACE

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

    of: str = argument("WORKSPACE-REF", names_entry=True, default="")


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

VERBS: Final = (WORKSPACE_OVERRIDE,)
