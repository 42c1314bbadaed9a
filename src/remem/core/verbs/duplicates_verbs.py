"""The verb that leaves one copy of a rule that agents are told more than once."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


def _plan_keep(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.verbs.keep_one import plan_keep

    return plan_keep(library, intent)


KEEP_ONE: Final = Writing(
    "told.keep",
    "Keep one copy",
    "",
    "Take out the other copies of a rule that is told twice.",
    "Keep",
    args=Undeclared,
    plan=_plan_keep,
    shows="always",
    follows="left",
)

VERBS: Final = (KEEP_ONE,)
