"""The verb that adds a layout to the root's settings."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.core.library import Library
from remem.core.verbs.verb import Planner, Verb
from remem.model.change import Change, Intent


def _plan_add_layout(library: Library, intent: Intent) -> Change:
    from remem.core.verbs.layouts import plan_add_layout

    return plan_add_layout(library, intent)


ADD_LAYOUT: Final = Verb(
    "layout.add", "Add a layout", "", "Read a folder as notes of an agent.", "Keep"
)

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType({ADD_LAYOUT: _plan_add_layout})
