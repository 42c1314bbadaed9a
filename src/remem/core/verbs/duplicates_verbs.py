"""The verb that leaves one copy of a rule that agents are told more than once."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.core.library import Library
from remem.core.verbs.verb import Planner, Verb
from remem.model.change import Change, Intent


def _plan_keep(library: Library, intent: Intent) -> Change:
    from remem.core.verbs.keep_one import plan_keep

    return plan_keep(library, intent)


KEEP_ONE: Final = Verb(
    "told.keep", "Keep one copy", "", "Take out the other copies of a rule that is told twice.",
    "Keep",
)  # fmt: skip

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType({KEEP_ONE: _plan_keep})
SHOWN_FIRST: Final = frozenset({KEEP_ONE})
"""Its plan is shown before it happens: other files lose text."""
