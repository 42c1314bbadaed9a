"""The verb that puts back what a change or a commit took out of memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, other_doors
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent, Json


class PutBack(Args):
    """Put back what a change or a commit took out."""

    change: str = other_doors("The id of that.", named="from")
    text: str = other_doors("The phrase that is looked for; left out: all of it.", default="")
    steps: tuple[Mapping[str, Json], ...] = other_doors(
        "What it did where it took that out.", in_schema=False, default=()
    )
    copies: tuple[Mapping[str, Json], ...] = other_doors(
        "What it did where it put it instead.", in_schema=False, default=()
    )


def _plan_put_back(library: Library, intent: Intent, args: PutBack) -> Change:
    from remem.core.history.removed import plan_put_back

    return plan_put_back(library, intent, args)


PUT_BACK: Final = Writing(
    id="restore.from",
    title="Put back",
    group="Keep",
    args=PutBack,
    plan=_plan_put_back,
    shows="always",
)

VERBS: Final = (PUT_BACK,)
