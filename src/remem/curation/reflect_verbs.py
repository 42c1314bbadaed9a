"""The verbs that add to a persona's memory what it learnt, and condense what grew too long.

What a model has to be asked first is asked by the doors; these take its answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.curation.verb import Later, Planner, Verb

PERSONA_REFLECT: Final = Verb(
    "persona.reflect", "Reflect", "", "Ask the persona what it learnt.", "Personas"
)
PERSONA_COMPACT: Final = Verb(
    "persona.compact",
    "Compact",
    "",
    "Condense a long memory; the old text is archived.",
    "Personas",
)

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {
        PERSONA_REFLECT: Later("reflect", "plan_reflect"),
        PERSONA_COMPACT: Later("compact", "plan_compact"),
    }
)
