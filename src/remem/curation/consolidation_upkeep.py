"""What follows once a story was counted: the same is merged, the weak is archived, caps hold.

Steps 7 and 8 of FORMATS 5.2; nothing is deleted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from remem.curation.consolidation_match import same_as, same_pairs
from remem.curation.consolidation_terms import (
    Dropped,
    Held,
    Made,
    Memory,
    Merged,
    Outcome,
    Share,
    held,
)
from remem.curation.consolidation_work import Going, Work
from remem.model.entry import Ref, Status
from remem.model.shaktra import ANTI_PATTERN, PRINCIPLE, PROCEDURE, RECORDS, SHAKTRA
from remem.model.tolerant import read_record

KINDS: Final = (PRINCIPLE, ANTI_PATTERN, PROCEDURE)
REPEAT: Final = "repeat"
MANY: Final = 1_000
"""Entries of a kind, five times any cap, of which only those are compared that were touched:
to hold all of them against each other would take seconds."""


class Upkeep:
    """Steps 7 and 8 on what a run left."""

    def __init__(
        self, memory: Memory, work: Work, made: Sequence[Made], scope: frozenset[str] | None
    ) -> None:
        self._memory = memory
        self._work = work
        self._made = list(made)
        self._scope = scope
        self._merged: list[Merged] = []
        self._dropped: list[Dropped] = []

    def finish(self, dropped: Sequence[Dropped], left_out: Sequence[Dropped]) -> Outcome:
        """Return the outcome with everything in it."""
        self._dropped = [*dropped]
        for kind in KINDS:
            self._merge(kind)
            self._merge_made(kind)
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
            if one.is_active and other.is_active and self._may_touch(one, other):
                self._unite(one, other, overlap)

    def _unite(self, one: Going, other: Going, overlap: float) -> None:
        """Keep the surer one, of equal ones that with the smaller id."""
        stays, leaves = sorted((one, other), key=lambda e: (-e.confidence, e.entry.age))
        stays.sources += leaves.sources
        stays.reinforced = max(stays.reinforced, leaves.reinforced)
        stays.roles = tuple(dict.fromkeys((*stays.roles, *leaves.roles)))
        is_principle = stays.entry.kind == PRINCIPLE
        leaves.status = Status.SUPERSEDED if is_principle else Status.ARCHIVED
        leaves.why = f"`{stays.name}` says the same (overlap {overlap:.2f})"
        if is_principle:
            stays.supersedes.append(leaves.name)
        self._merged.append(Merged(stays.entry, leaves.entry, overlap))

    def _merge_made(self, kind: str) -> None:
        """Hold what is new against what is there; what is there takes it in, or gives way."""
        for made in [each for each in self._made if each.kind == kind and not each.is_proposed]:
            new = _as_held(made)
            active = self._work.active(kind)
            same = same_as(new, active)
            found = [(overlap, self._work.of(active[place])) for overlap, place in same]
            for overlap, going in sorted(found, key=lambda e: (-e[0], e[1].entry.age)):
                if going.confidence >= made.confidence:
                    self._take_in(made, going, overlap)
                    break
                made = self._give_way(made, going, overlap)

    def _take_in(self, made: Made, going: Going, overlap: float) -> None:
        self._made.remove(made)
        how = f"it says the same (overlap {overlap:.2f})"
        going.sources += _sources(made)
        going.shares += [Share(by, REPEAT, how, 0.0, going.confidence) for by in made.by]

    def _give_way(self, made: Made, going: Going, overlap: float) -> Made:
        fields = dict(made.fields)
        is_principle = made.kind == PRINCIPLE
        if "source_count" in fields:
            fields["source_count"] = _sources(made) + going.sources
        if going.reinforced and made.kind != ANTI_PATTERN:
            fields["last_reinforced"] = going.reinforced
        if is_principle:
            before = fields.get("supersedes")
            names = [*(before if isinstance(before, list) else [before] if before else [])]
            names.append(going.name)
            fields["supersedes"] = names[0] if len(names) == 1 else names
        going.status = Status.SUPERSEDED if is_principle else Status.ARCHIVED
        going.why = f"something surer says the same (overlap {overlap:.2f})"
        going.gave_way = True
        changed = replace(made, fields=fields)
        self._made[self._made.index(made)] = changed
        return changed

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


def _sources(made: Made) -> int:
    found = made.fields.get("source_count")
    return found if isinstance(found, int) else 1


def _as_held(made: Made) -> Held:
    """Return what is new in the shape of what is there, under no id."""
    record, _ = read_record(RECORDS[made.kind], {"id": "", **made.fields})
    return held(Ref(SHAKTRA, ""), record, Status.ACTIVE)
