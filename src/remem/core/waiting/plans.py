"""What deciding on something that waits is planned by; each loads `decide.py` when it plans.

What waits names these, so that a queue is drawn and a key told from a greyed one without them. What
has the same planner is planned together: nobody names those in `decide.py` in their place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remem.core.library import Library
from remem.model.change import Change, Intent

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Approve, Keep, Promote, Reject


def plan_approve(library: Library, intent: Intent, args: Approve) -> Change:
    """Plan to put candidates, findings and proposals into force."""
    from remem.core.waiting import decide

    return decide.plan_approve(library, intent, args)


def plan_reject(library: Library, intent: Intent, args: Reject) -> Change:
    """Plan to send candidates away."""
    from remem.core.waiting import decide

    return decide.plan_reject(library, intent, args)


def plan_keep(library: Library, intent: Intent, args: Keep) -> Change:
    """Plan to keep findings and candidates as candidates."""
    from remem.core.waiting import decide

    return decide.plan_keep(library, intent, args)


def plan_promote(library: Library, intent: Intent, args: Promote) -> Change:
    """Plan to lift candidates into force."""
    from remem.core.waiting import decide

    return decide.plan_promote(library, intent, args)


def plan_promote_met(library: Library, intent: Intent, args: Promote) -> Change:
    """Plan to lift the candidates that say what findings say, and note these in them."""
    from remem.core.waiting import decide

    return decide.plan_promote_met(library, intent, args)
