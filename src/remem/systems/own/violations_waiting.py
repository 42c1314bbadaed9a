"""What the review gate found broken, as it waits for a person, and what approving it writes.

An occurrence names the places and what stands for each, so that none is ever counted twice, in
whichever checkout it is found again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible, Unacknowledged
from remem.base.frozen import dataclass
from remem.core.checks.secrets import examine
from remem.core.draft import Draft, change, chosen, take_out
from remem.core.library import Library
from remem.core.verbs.verb import read_only
from remem.core.waiting.item import Evidence, Item
from remem.core.waiting.kinds import (
    Act,
    OfEntries,
)
from remem.core.waiting.reject import leave
from remem.core.waiting.rejected import NO_REASON
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Ref
from remem.systems.own.found_by_gate import VIOLATION, without
from remem.systems.own.violations import (
    OTHERWISE,
    Found,
    found_at,
    found_by_gate,
    marks_in,
    told_of_gate,
    violated_items,
)
from remem.systems.own.write_baseline import turn_down

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Approve, Reject


class Violated(OfEntries):
    """An entry that the gate found broken."""

    id = VIOLATION
    order = 40
    claims = (VIOLATION,)
    kind = VIOLATION
    is_evidence = True

    def items(self, library: Library) -> Iterator[Item]:
        return violated_items(library)

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        why_not, found = partial(read_only, library, entry), found_at(library, entry)
        is_evidence = found is None or found.is_of_these_words
        return {
            "approve": Act(_plan_count, why_not=why_not if is_evidence else lambda: OTHERWISE),
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


CHECK: Final = "check"
"""Where an occurrence is from: the gate; what was looked at follows it."""


@dataclass(frozen=True, slots=True)
class GateEvidence(Evidence):
    """A finding of the gate beside the candidate that it is about."""

    found: Found

    def told(self, item: Item) -> Item:
        return told_of_gate(self.found, item)

    def count(self, draft: Draft, intent: Intent) -> None:
        if self.found.is_of_these_words:
            count_finding(draft, self.found.entry, intent)


def evidence_of_gate(library: Library) -> Mapping[Ref, GateEvidence]:
    """Return what the gate found, by the ref of the entry that it found broken."""
    return {ref: GateEvidence(found) for ref, found in found_by_gate(library).items()}


def count_finding(draft: Draft, entry: Entry, intent: Intent) -> Ref:
    """Plan to count a finding in the entry that it is about, whose ref is returned.

    Raises:
        NotPossible: That entry is gone, or read otherwise when the gate looked.
        Unacknowledged: A path holds hidden characters.
    """
    found = _found(draft.library, entry)
    if not found.is_of_these_words:
        raise NotPossible(OTHERWISE, hint="reject it if it does not apply to the current rule")
    _need_clean(found, intent)
    target, rule = draft.find(found.rule.ref)
    each = draft.library.format_of(rule)
    new = _occurrence(each.reader.fields(target, rule), found)
    if new:
        draft.take(each.keeper.edit(target, rule, {"seen": new}))
    draft.take(without(*draft.find(entry.ref)))
    return found.rule.ref


def _found(library: Library, entry: Entry) -> Found:
    found = found_at(library, entry)
    if found is None or not found.places:
        raise NotPossible(
            f"`{library.short(entry.ref)}` is about a removed entry", hint="reject it"
        )
    return found


def _need_clean(found: Found, intent: Intent) -> None:
    bad = [each.message for place in found.places for each in examine(place.path)]
    if bad and not intent.flag("acknowledged"):
        raise Unacknowledged(
            f"a path holds {'; '.join(bad)}", hint="review it, then acknowledge it or rename it"
        )


def _occurrence(fields: Mapping[str, Json], found: Found) -> list[Json]:
    """Return an entry's `seen` with what is new of a finding; empty where nothing is."""
    seen = fields.get("seen")
    counted = marks_in(fields)
    new = [place for place in found.places if place.mark not in counted]
    if not new:
        return []
    places: list[Json] = [f"{each.path}:{each.line}#{each.mark}" for each in new]
    ref = f"{CHECK} {found.finding.looked}".rstrip()
    before = seen if isinstance(seen, list) else []
    return [*before, {"ref": ref, "date": found.finding.date, "places": places}]
