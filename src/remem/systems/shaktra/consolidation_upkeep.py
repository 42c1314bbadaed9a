"""What follows once a story was counted: the same is merged, the weak is archived, caps hold.

Steps 7 and 8 of FORMATS 5.2; nothing is deleted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from remem.model.entry import Status
from remem.systems.shaktra.consolidation_doubts import Doubts
from remem.systems.shaktra.consolidation_match import same_pairs
from remem.systems.shaktra.consolidation_terms import Dropped, Made, Memory, Merged, Outcome, Unsure
from remem.systems.shaktra.consolidation_work import Going, Work
from remem.systems.shaktra.records import ANTI_PATTERN, PRINCIPLE, PROCEDURE

KINDS: Final = (PRINCIPLE, ANTI_PATTERN, PROCEDURE)
MANY: Final = 1_000
"""Entries of a kind, five times any cap, of which only those are compared that were touched:
to hold all of them against each other would take seconds."""


class Upkeep:
    """Steps 7 and 8 on what a run left."""

    def __init__(
        self,
        memory: Memory,
        work: Work,
        made: Sequence[Made],
        scope: frozenset[str] | None,
        doubts: Doubts,
    ) -> None:
        self._memory = memory
        self._work = work
        self._made = list(made)
        self._scope = scope
        self._doubts = doubts
        self._merged: list[Merged] = []
        self._alike: list[Merged] = []
        self._dropped: list[Dropped] = []

    def finish(
        self,
        dropped: Sequence[Dropped],
        left_out: Sequence[Dropped],
        waiting: Sequence[Unsure],
    ) -> Outcome:
        """Return the outcome with everything in it."""
        self._dropped = [*dropped]
        for kind in KINDS:
            self._merge(kind)
        if self._memory.has_limits:
            self._archive()
            for kind in KINDS:
                self._rotate(kind)
        changed = (going.changed() for going in self._work)
        return Outcome(
            tuple(each for each in changed if each is not None),
            tuple(self._made),
            tuple(self._dropped),
            tuple(self._merged),
            tuple(left_out),
            tuple(waiting),
            tuple(self._alike),
        )

    def _may_touch(self, *several: Going) -> bool:
        if self._scope is None or any(each.shares for each in several):
            return True
        return any(each.name in self._scope for each in several)

    def _merge(self, kind: str) -> None:
        entries = self._work.active(kind)
        if len(entries) > MANY:
            entries = [entry for entry in entries if self._work.of(entry).shares]
        for overlap, first, second in same_pairs(tuple(entries)):
            one, other = self._work.of(entries[first]), self._work.of(entries[second])
            if not (one.is_active and other.is_active):
                continue
            # The surer one stays, of equal ones that with the smaller id.
            stays, leaves = sorted((one, other), key=lambda e: (-e.confidence, e.entry.age))
            is_sure = self._may_touch(one, other) and self._says_the_same(stays, leaves)
            if is_sure or self._is_asked_for(one, other):
                self._unite(stays, leaves, overlap)
            else:
                self._alike.append(Merged(stays.entry, leaves.entry, overlap))

    def _is_asked_for(self, *both: Going) -> bool:
        return self._scope is not None and all(each.name in self._scope for each in both)

    def _says_the_same(self, stays: Going, leaves: Going) -> bool:
        """Tell whether nothing is lost by it: the same texts, and nothing in force against them."""
        one, other = stays.entry, leaves.entry
        if not self._memory.has_limits:
            return False
        if one.title != other.title or {*one.guidance} != {*other.guidance}:
            return False
        return not self._doubts.of(other.kind, other.record.says, apart=(one, other))

    def _unite(self, stays: Going, leaves: Going, overlap: float) -> None:
        stays.sources += leaves.sources
        stays.reinforced = max(stays.reinforced, leaves.reinforced)
        stays.roles = tuple(dict.fromkeys((*stays.roles, *leaves.roles)))
        is_principle = stays.entry.kind == PRINCIPLE
        leaves.status = Status.SUPERSEDED if is_principle else Status.ARCHIVED
        leaves.why = f"`{stays.name}` says the same (overlap {overlap:.2f})"
        if is_principle:
            stays.supersedes.append(leaves.name)
        self._merged.append(Merged(stays.entry, leaves.entry, overlap))

    def _archive(self) -> None:
        least = self._memory.settings.memory.confidence_archive
        for going in self._work:
            if going.is_active and going.confidence < least and self._may_touch(going):
                going.status = Status.ARCHIVED
                going.why = f"its confidence is {going.confidence:g}, below {least:g}"

    def _rotate(self, kind: str) -> None:
        """Archive what a store has too many of: the least sure first, then the oldest."""
        most = self._cap(kind)
        active = [going for going in self._work if going.is_active and going.entry.kind == kind]
        new = [each for each in self._made if each.kind == kind and not each.is_proposed]
        over = len(active) + len(new) - most
        if over <= 0 or (self._scope is not None and not new):
            return
        today = self._memory.today
        ages: list[tuple[tuple[float, str, tuple[int, str]], Going | Made]] = [
            *((_first_to_go(going), going) for going in active),
            *(((each.confidence, today, (1 << 62, "")), each) for each in new),
        ]
        for _, each in sorted(ages, key=lambda pair: pair[0])[:over]:
            self._send_away(each, most)

    def _send_away(self, weakest: Going | Made, most: int) -> None:
        why = f"there are more than {most} of them, and it is the least sure"
        if isinstance(weakest, Going):
            weakest.status, weakest.why = Status.ARCHIVED, why
            return
        self._made.remove(weakest)
        self._dropped += [Dropped(by, why) for by in weakest.by]

    def _cap(self, kind: str) -> int:
        settings = self._memory.settings.memory
        return {
            PRINCIPLE: settings.max_principles,
            ANTI_PATTERN: settings.max_anti_patterns,
            PROCEDURE: settings.max_procedures,
        }[kind]


def _first_to_go(going: Going) -> tuple[float, str, tuple[int, str]]:
    record = going.entry.record
    return (going.confidence, going.reinforced or record.created, going.entry.age)
