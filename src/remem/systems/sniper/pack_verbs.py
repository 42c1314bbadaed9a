"""The verb that takes a pack in."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


def _plan_import(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.sniper.pack_plan import plan_import

    return plan_import(library, intent)


PACK_IMPORT: Final = Writing(
    "pack.import",
    "Import pack",
    "",
    "Take in a pack; what is new waits as candidates.",
    "Keep",
    args=Undeclared,
    plan=_plan_import,
    follows="never",
)

VERBS: Final = (PACK_IMPORT,)
