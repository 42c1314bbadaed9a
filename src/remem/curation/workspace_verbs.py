"""The verbs about a workspace and the repositories that inherit from it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.curation.verb import Later, Planner, Verb, needs

WORKSPACE_OVERRIDE: Final = Verb(
    "workspace.override", "Override", "", "Let it stand in for what the workspace says.", "Decide",
    needs(Later("blocked", "cannot_override")),
)  # fmt: skip

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {WORKSPACE_OVERRIDE: Later("workspace_override", "plan_override")}
)
