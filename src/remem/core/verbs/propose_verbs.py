"""The verb by which an agent puts an entry into the queue of a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, other_doors
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent, Json


class Propose(Args):
    """Put a rule, decision, learning or lesson into the queue of a person.

    Nothing comes into force by itself, and what was rejected before is refused with the reason.
    """

    kind: str = other_doors("convention, anti_pattern, decision, learning, …")
    fields: Mapping[str, Json] = other_doors(
        'The fields of its kind: `{"rule": "…", "rationale": "…"}`; a lesson has `text`, `persona`'
    )
    target: str = other_doors(
        "The system to store it in; default: the one that stores this kind", default=""
    )
    evidence: str = other_doors("What you saw", default="")
    by: str = other_doors("Your name, for the record", default="")
    door: str = other_doors("Where it was proposed.", in_schema=False, default="")
    why: str = other_doors("Why it needs a decision.", in_schema=False, default="")


def _plan_propose(library: Library, intent: Intent, args: Propose) -> Change:
    from remem.core.verbs.propose import plan_propose

    return plan_propose(library, intent, args)


PROPOSE: Final = Writing(
    id="propose",
    title="Propose",
    help="Propose an entry for review.",
    group="Decide",
    args=Propose,
    plan=_plan_propose,
    tool="memory_propose",
)

VERBS: Final = (PROPOSE,)
