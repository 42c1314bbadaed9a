"""The verb by which a hook puts what an agent would write into the queue of a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, other_doors
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent, Json


class HoldBack(Args):
    """Hold back what a tool would write to auto memory, until a person decides."""

    call: Mapping[str, Json] = other_doors("What the hook was told on its input.")


def _plan_hold(library: Library, intent: Intent, args: HoldBack) -> Change:
    from remem.systems.plain.held.held_writes import plan_hold

    return plan_hold(library, intent, args)


HOLD: Final = Writing(
    id="memory.hold",
    title="Hold back",
    help="Hold back what a tool would write to memory, for review.",
    group="Decide",
    args=HoldBack,
    plan=_plan_hold,
    follows="never",
)

VERBS: Final = (HOLD,)
"""The verb of the hook that holds memory back."""
