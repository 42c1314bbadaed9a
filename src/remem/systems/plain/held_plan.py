"""Plans to hold back what a tool would write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remem.base.errors import Already, NotPossible
from remem.core.library import Library
from remem.model.change import Change, Intent
from remem.systems.plain.held import file_of_held, held_call

if TYPE_CHECKING:
    from remem.systems.plain.held_verbs import HoldBack


def plan_hold(library: Library, intent: Intent, args: HoldBack) -> Change:
    """Plan to keep a call for review.

    Raises:
        Already: The same call is held back already.
        NotPossible: It writes no memory that is held back.
    """
    ground = library.ground
    at = int(ground.given.clock.now().timestamp() * 1_000_000)
    held = held_call(ground, args.call, at)
    if held is None or ground.held is None:
        raise NotPossible("that writes no memory that is held back", hint="let it be written")
    kept = file_of_held(ground, held)
    if kept is None:
        raise Already("it is held back already")
    return Change(intent, f"Hold back a write to `{held.path.name}`", (kept,))
