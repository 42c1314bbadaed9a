"""What becomes of the entries that are there while a story is counted (FORMATS 5.2, step 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from remem.model.change import Json
from remem.model.entry import Ref, Status
from remem.systems.shaktra.consolidation_terms import Changed, Held, Memory, Noted, Share
from remem.systems.shaktra.records import REINFORCE, AntiPattern


@dataclass(slots=True)
class Going:
    """One entry while it changes."""

    entry: Held
    confidence: float
    sources: int
    reinforced: str
    status: Status
    shares: list[Share] = field(default_factory=list)
    supersedes: list[str] = field(default_factory=list)
    roles: tuple[str, ...] = ()
    why: str = ""
    """Of what happened to its status."""

    @property
    def name(self) -> str:
        return self.entry.record.id

    @property
    def is_active(self) -> bool:
        return self.status is Status.ACTIVE

    def changed(self) -> Changed | None:
        """Return what became of it; `None` = nothing."""
        fields = self._fields()
        if not fields and not self.shares:
            return None
        fate = "" if self.is_active else str(self.status)
        shares = tuple(self.shares)
        return Changed(self.entry, self.confidence, shares, fields, fate, self.why)

    def _fields(self) -> dict[str, Json]:
        record, fields = self.entry.record, dict[str, Json]()
        if self.confidence != record.confidence:
            fields["confidence"] = self.confidence
        if not isinstance(record, AntiPattern):
            if self.sources != record.source_count:
                fields["source_count"] = self.sources
            if self.reinforced != record.reinforced:
                fields["last_reinforced"] = self.reinforced
        if self.roles != record.roles:
            fields["roles"] = [*self.roles]
        if self.status is not self.entry.status:
            fields["status"] = str(self.status)
        if self.supersedes:
            fields["supersedes"] = self._superseded()
        return fields

    def _superseded(self) -> Json:
        """Return the ids of what it took the place of, one as a text and several as a list."""
        before = getattr(self.entry.record, "supersedes", None) or ()
        known = (before,) if isinstance(before, str) else before
        names = [*dict.fromkeys((*known, *self.supersedes))]
        return names[0] if len(names) == 1 else [*names]


class Work:
    """All entries of memory, as they are after what was counted so far."""

    def __init__(self, memory: Memory) -> None:
        self._today = memory.today
        self._going: dict[Ref, Going] = {
            each.ref: Going(
                each,
                each.record.confidence,
                1 if isinstance(each.record, AntiPattern) else each.record.source_count,
                each.record.reinforced,
                each.status,
                roles=each.record.roles,
            )
            for each in memory.held
        }

    def __iter__(self) -> Iterator[Going]:
        return iter(self._going.values())

    def of(self, entry: Held) -> Going:
        return self._going[entry.ref]

    def active(self, kind: str) -> list[Held]:
        """Return the entries of a kind that are in force."""
        return [e.entry for e in self if e.is_active and e.entry.kind == kind]

    def count(self, entry: Held, noted: Noted, does: str, how: str, delta: float) -> None:
        """Let one observation bear an entry out, or speak against it."""
        going = self.of(entry)
        going.confidence = clamped(going.confidence + delta)
        if does == REINFORCE:
            going.sources += 1
            going.reinforced = max(going.reinforced, self._today)
        going.shares.append(Share(noted, does, how, delta, going.confidence))


def clamped(confidence: float) -> float:
    """Return a confidence as it is written: from 0 to 1, four decimals."""
    return round(min(1.0, max(0.0, confidence)), 4) + 0.0
