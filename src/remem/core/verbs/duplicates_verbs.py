"""The verb that leaves one copy of a rule that agents are told more than once."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, other_doors
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


class KeepOne(Args):
    """Take out the other copies of a rule that is told twice."""

    keep: str = other_doors("The ref of the copy that stays.")


def _plan_keep(library: Library, intent: Intent, args: KeepOne) -> Change:
    from remem.core.verbs.keep_one import plan_keep

    return plan_keep(library, intent, args)


KEEP_ONE: Final = Writing(
    id="told.keep",
    title="Keep one copy",
    group="Keep",
    args=KeepOne,
    plan=_plan_keep,
    shows="always",
    follows="left",
)

VERBS: Final = (KEEP_ONE,)
