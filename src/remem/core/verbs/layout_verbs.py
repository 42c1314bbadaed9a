"""The verb that adds a layout to the root's settings."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, argument, option
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


class LayoutAdd(Args):
    """Read a folder as notes of an agent.

    FOLDER lies below the root. The layout is written into `.remem/config.yaml`, where a team shares
    it; how its files are loaded can be said there.
    """

    folder: str = argument("FOLDER")
    tool: str = option("--tool", "Who loads it, where you know.", default="")


def _plan_add_layout(library: Library, intent: Intent, args: LayoutAdd) -> Change:
    from remem.core.verbs.layouts import plan_add_layout

    return plan_add_layout(library, intent, args)


ADD_LAYOUT: Final = Writing(
    id="layout.add",
    title="Add a layout",
    group="Keep",
    args=LayoutAdd,
    plan=_plan_add_layout,
    command="layout add",
)

VERBS: Final = (ADD_LAYOUT,)
