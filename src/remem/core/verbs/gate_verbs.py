"""The verb that keeps what the gate found until a person looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.core.library import Library
from remem.core.verbs.verb import Planner, Verb
from remem.model.change import Change, Intent


def _plan_record(library: Library, intent: Intent) -> Change:
    from remem.core.checks.record_plan import plan_record

    return plan_record(library, intent)


GATE_RECORD: Final = Verb(
    "gate.record", "Record findings", "", "Let what the gate found wait in Review.", "Keep"
)

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType({GATE_RECORD: _plan_record})
