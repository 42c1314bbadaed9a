"""The verb that writes a setting."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


def _plan_set_setting(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.verbs.settings import plan_set_setting

    return plan_set_setting(library, intent)


SET_SETTING: Final = Writing(
    "config.set",
    "Set",
    "",
    "Write a setting into your own or the team's config.",
    "Keep",
    args=Undeclared,
    plan=_plan_set_setting,
)

VERBS: Final = (SET_SETTING,)
