"""The verbs of Shaktra's cycle: observe, consolidate, migrate."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.curation.verb import Later, Planner, Verb

_SHAKTRA: Final = "Shaktra"
OBSERVE: Final = Verb("observe", "Observe", "", "Write down what was noticed.", _SHAKTRA)
CONSOLIDATE: Final = Verb(
    "consolidate", "Consolidate", "", "Count what a story observed.", _SHAKTRA
)
MIGRATE: Final = Verb(
    "migrate.shaktra", "Migrate Shaktra", "", "Make principles of older files.", _SHAKTRA
)

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {
        OBSERVE: Later("observe", "plan_observe"),
        CONSOLIDATE: Later("consolidation", "plan_consolidate"),
        MIGRATE: Later("migrate", "plan_migrate"),
    }
)
