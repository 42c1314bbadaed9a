"""The verbs that write what agents read of Shaktra's memory."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.curation.verb import Later, Planner, Verb

BRIEF: Final = Verb(
    "brief", "Write briefing", "B", "Write what memory has for the story.", "Shaktra"
)

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType({BRIEF: Later("brief", "plan_brief")})
