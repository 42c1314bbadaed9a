"""Plans what approving a finding of the gate makes of it: an occurrence in its entry.

An occurrence names the places and what stands for each, so that none is ever counted twice, in
whichever checkout it is found again. It keeps no code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from remem.base.errors import NotPossible, Unacknowledged
from remem.base.frozen import dataclass
from remem.core.checks.secrets import examine
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.waiting.item import Item
from remem.model.change import Intent, Json
from remem.model.entry import Entry, Ref
from remem.systems.own.gate import without
from remem.systems.own.violations import (
    OTHERWISE,
    Found,
    found_at,
    found_by_gate,
    marks_in,
    told_of_gate,
)

CHECK: Final = "check"
"""Where an occurrence is from: the gate; what was looked at follows it."""


@dataclass(frozen=True, slots=True)
class GateEvidence:
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
        raise NotPossible(OTHERWISE, hint="reject it if it says nothing of the rule as it is now")
    _need_clean(found, intent)
    target, rule = draft.find(found.rule.ref)
    each = draft.library.format_of(rule)
    new = _occurrence(each.fields(target, rule), found)
    if new:
        draft.take(each.edit(target, rule, {"seen": new}))
    draft.take(without(*draft.find(entry.ref)))
    return found.rule.ref


def _found(library: Library, entry: Entry) -> Found:
    found = found_at(library, entry)
    if found is None or not found.places:
        raise NotPossible(
            f"`{library.short(entry.ref)}` is about an entry that is gone", hint="reject it"
        )
    return found


def _need_clean(found: Found, intent: Intent) -> None:
    bad = [each.message for place in found.places for each in examine(place.path)]
    if bad and not intent.flag("acknowledged"):
        raise Unacknowledged(
            f"a path holds {'; '.join(bad)}", hint="look at it, then acknowledge it or rename it"
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
