"""The verb that adds a layout to the root's settings."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


def _plan_add_layout(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.verbs.layouts import plan_add_layout

    return plan_add_layout(library, intent)


ADD_LAYOUT: Final = Writing(
    "layout.add",
    "Add a layout",
    "",
    "Read a folder as notes of an agent.",
    "Keep",
    args=Undeclared,
    plan=_plan_add_layout,
)

VERBS: Final = (ADD_LAYOUT,)
