"""The verb that makes a rule checkable by machine."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Writing, needs, read_only
from remem.model.change import Change, Intent
from remem.model.entry import Entry
from remem.systems.sniper.records import RECORDS
from remem.systems.workspace.records import WORKSPACE


def _plan_detect(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.sniper.detect_plan import plan_detect

    return plan_detect(library, intent)


_SNIPER: Final = "sniper"


def _is_no_rule(library: Library, entry: Entry) -> str | None:
    if entry.ref.format not in (_SNIPER, WORKSPACE) or entry.kind not in RECORDS:
        return "only conventions, anti-patterns and decisions are checked by machine"
    return read_only(library, entry)


DETECT: Final = Writing(
    "detect",
    "Check by machine",
    "D",
    "Write what a machine checks of it, with live matches.",
    "Decide",
    needs(_is_no_rule),
    args=Undeclared,
    plan=_plan_detect,
    shows="always",
)

VERBS: Final = (DETECT,)
