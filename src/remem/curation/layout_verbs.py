"""The verb that adds a layout to the root's settings."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.curation.verb import Later, Planner, Verb

ADD_LAYOUT: Final = Verb(
    "layout.add", "Add a layout", "", "Read a folder as notes of an agent.", "Keep"
)

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {ADD_LAYOUT: Later("layouts", "plan_add_layout")}
)
