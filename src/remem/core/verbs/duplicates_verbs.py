"""The verb that leaves one copy of a rule that agents are told more than once."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, option
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


class KeepOne(Args):
    """Find rules that are loaded twice, similar or in conflict.

    Compares all files and stores that one agent loads at startup. Each duplicate is listed with
    its token cost per start; the suggested copy to keep comes first.
    """

    keep: str = option(
        "--keep",
        "The copy to keep; the others are removed.",
        metavar="REF",
        names_entry=True,
        default="",
    )


def _plan_keep(library: Library, intent: Intent, args: KeepOne) -> Change:
    from remem.core.verbs.keep_one import plan_keep

    return plan_keep(library, intent, args)


KEEP_ONE: Final = Writing(
    id="told.keep",
    title="Keep one copy",
    help="Keep one copy of a duplicate rule, remove the others.",
    group="Keep",
    args=KeepOne,
    plan=_plan_keep,
    command="duplicates",
    shows="always",
    follows="left",
)

VERBS: Final = (KEEP_ONE,)
