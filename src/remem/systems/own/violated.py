"""What the review gate found broken, as it waits for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.verbs.verb import read_only
from remem.core.waiting.decide import change, chosen, leave, take_out
from remem.core.waiting.item import Item
from remem.core.waiting.kinds import Act, Waiting
from remem.core.waiting.rejected import NO_REASON
from remem.model.change import Change, Intent
from remem.model.entry import Ref
from remem.systems.own.baseline import turn_down
from remem.systems.own.gate import VIOLATION
from remem.systems.own.violation_taken import count_finding
from remem.systems.own.violations import OTHERWISE, found_at, violated_items

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Approve, Reject


class Violated(Waiting):
    """An entry that the gate found broken."""

    id = VIOLATION
    order = 40
    claims = (VIOLATION,)

    def items(self, library: Library) -> Iterator[Item]:
        return violated_items(library)

    def acts(self, library: Library, ref: Ref) -> Mapping[str, Act]:
        entry = library.entry(ref) if library.has(ref) else None
        if entry is None or entry.kind != VIOLATION:
            return {}
        why_not, found = read_only(library, entry), found_at(library, entry)
        is_evidence = found is None or found.is_of_these_words
        return {
            "approve": Act(_plan_count, why_not=why_not if is_evidence else OTHERWISE),
            "reject": Act(_plan_send_away, why_not=why_not),
        }


def _plan_count(library: Library, intent: Intent, _: Approve) -> Change:
    """Plan to count findings of the gate in the entries that they are about."""
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    for entry in chosen(library, intent):
        touched[entry.ref] = count_finding(draft, entry, intent)
    return change(library, intent, "Approve", draft, touched)


def _plan_send_away(library: Library, intent: Intent, args: Reject) -> Change:
    """Plan to turn findings of the gate down: it never tells any of their places again.

    What has no entry any more, or no place, is only taken out.
    """
    draft = Draft(library)
    entries = chosen(library, intent)
    found = [found_at(library, entry) for entry in entries]
    take_out(draft, entries, leave)
    for each in found:
        if each is not None and each.places:
            places = [(place.path, place.mark) for place in each.places]
            turn_down(draft, each.finding.rule, each.rule.title, places, args.reason or NO_REASON)
    gone: dict[Ref, Ref | None] = {entry.ref: None for entry in entries}
    return change(library, intent, "Reject", draft, gone, reason=args.reason)
