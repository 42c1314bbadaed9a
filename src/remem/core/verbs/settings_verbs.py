"""The verb that writes a setting."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.core.library import Library
from remem.core.verbs.verb import Planner, Verb
from remem.model.change import Change, Intent


def _plan_set_setting(library: Library, intent: Intent) -> Change:
    from remem.core.verbs.settings import plan_set_setting

    return plan_set_setting(library, intent)


SET_SETTING: Final = Verb(
    "config.set", "Set", "", "Write a setting into your own or the team's config.", "Keep"
)

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType({SET_SETTING: _plan_set_setting})
