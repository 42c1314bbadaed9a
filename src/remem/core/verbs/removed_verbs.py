"""The verb that puts back what a change or a commit took out of memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from remem.core.library import Library
from remem.core.verbs.args import Args, other_doors
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent, Json

if TYPE_CHECKING:
    from remem.core.history.removed import Lost


class PutBack(Args):
    """Put back what a change or a commit took out."""

    change: str = other_doors("The id of the change.", named="from")
    text: str = other_doors("The phrase to restore; default: everything.", default="")
    steps: tuple[Mapping[str, Json], ...] = other_doors(
        "The step that removed it.", in_schema=False, default=()
    )
    copies: tuple[Mapping[str, Json], ...] = other_doors(
        "The step that replaced it.", in_schema=False, default=()
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


def put_back_intent(lost: Sequence[Lost], phrase: str) -> Intent:
    """Return what puts back all that one change or commit took out; at least one is given."""
    from remem.store.steps import to_json

    args = PutBack(
        change=lost[0].id,
        text=phrase,
        steps=tuple(to_json(each.step) for each in lost),
        copies=tuple(to_json(step) for step in lost[0].copies),
    )
    return Intent(PUT_BACK.id, arguments=args.to_json())
