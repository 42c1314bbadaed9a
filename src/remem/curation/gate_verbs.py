"""The verb that keeps what the gate found until a person looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.curation.verb import Later, Planner, Verb

GATE_RECORD: Final = Verb(
    "gate.record", "Record findings", "", "Let what the gate found wait in Review.", "Keep"
)

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {GATE_RECORD: Later("gate_record", "plan_record")}
)
