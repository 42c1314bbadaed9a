"""What approving and rejecting mean on whatever waits: each kind of item knows its own part.

A kind that is not its own hands the intent on to the next; what is left is a candidate.
"""

from __future__ import annotations

from remem.core.library import Library
from remem.core.verbs.detect_verbs import or_detect, or_leave_unchecked
from remem.core.waiting import decide
from remem.model.change import Change, Intent
from remem.systems.facts.stale import or_invalidate, or_mend
from remem.systems.shaktra.records import SHAKTRA
from remem.systems.workspace.override import or_leave_both, or_override


def _plan_approve(library: Library, intent: Intent) -> Change:
    if not _is_of_shaktra(intent):
        return decide.plan_approve(library, intent)
    from remem.systems.shaktra.consolidation_take import or_count

    return or_count(decide.plan_approve)(library, intent)


def _plan_reject(library: Library, intent: Intent) -> Change:
    if not _is_of_shaktra(intent):
        return decide.plan_reject(library, intent)
    from remem.systems.shaktra.consolidation_take import or_leave_out

    return or_leave_out(decide.plan_reject)(library, intent)


def _is_of_shaktra(intent: Intent) -> bool:
    """Tell whether its arithmetic is needed; it is not loaded for others."""
    return any(ref.format == SHAKTRA for ref in intent.shown)


plan_approve = or_override(or_detect(or_mend(_plan_approve)))
plan_reject = or_leave_both(or_leave_unchecked(or_invalidate(_plan_reject)))
