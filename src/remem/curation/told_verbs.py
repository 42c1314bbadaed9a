"""The verb that leaves one copy of a rule that agents are told more than once."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.curation.verb import Later, Planner, Verb

KEEP_ONE: Final = Verb(
    "told.keep", "Keep one copy", "", "Take out the other copies of a rule that is told twice.",
    "Keep",
)  # fmt: skip

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType({KEEP_ONE: Later("keep_one", "plan_keep")})
SHOWN_FIRST: Final = frozenset({KEEP_ONE})
"""Its plan is shown before it happens: other files lose text."""
