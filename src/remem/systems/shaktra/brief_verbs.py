"""The verbs that write what agents read of Shaktra's memory."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


def _plan_brief(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.shaktra.brief_plan import plan_brief

    return plan_brief(library, intent)


BRIEF: Final = Writing(
    "brief",
    "Write briefing",
    "B",
    "Write what memory has for the story.",
    "Shaktra",
    args=Undeclared,
    plan=_plan_brief,
)

VERBS: Final = (BRIEF,)
