"""The verb that keeps what the gate found until a person looks at it."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


def _plan_record(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.checks.record_plan import plan_record

    return plan_record(library, intent)


GATE_RECORD: Final = Writing(
    "gate.record",
    "Record findings",
    "",
    "Let what the gate found wait in Review.",
    "Keep",
    args=Undeclared,
    plan=_plan_record,
)

VERBS: Final = (GATE_RECORD,)
