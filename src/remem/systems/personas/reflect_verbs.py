"""The verbs that add to a persona's memory what it learnt, and condense what grew too long.

What a model has to be asked first is asked by the doors; these take its answer.
"""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


def _plan_reflect(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.personas.reflect import plan_reflect

    return plan_reflect(library, intent)


def _plan_compact(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.personas.compact import plan_compact

    return plan_compact(library, intent)


PERSONA_REFLECT: Final = Writing(
    "persona.reflect",
    "Reflect",
    "",
    "Ask the persona what it learnt.",
    "Personas",
    args=Undeclared,
    plan=_plan_reflect,
    follows="never",
)
PERSONA_COMPACT: Final = Writing(
    "persona.compact",
    "Compact",
    "",
    "Condense a long memory; the old text is archived.",
    "Personas",
    args=Undeclared,
    plan=_plan_compact,
    follows="never",
)

VERBS: Final = (
    PERSONA_REFLECT,
    PERSONA_COMPACT,
)
