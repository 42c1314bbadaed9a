"""What in force speaks against counting, making or merging something by oneself.

An entry of Shaktra says its text and each of its guidance; what other systems have in force is
asked of memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any, Final

from remem.core.relation.opposed import may_oppose
from remem.core.relation.subject import InForce, Overlap, Standing
from remem.model.entry import Ref, Status
from remem.systems.shaktra.consolidation_terms import Doubt, Held, Memory, Noted
from remem.systems.shaktra.records import ANTI_PATTERN, AntiPattern, Principle

_GUIDANCE: Final = "guidance"


class Doubts:
    """Asked before anything is counted or made that no observation names by id."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._names = {each.ref: each.record.id for each in memory.held}
        active = (each for each in memory.held if each.status is Status.ACTIVE)
        self._held = _indexed(tuple(active))

    def of(self, kind: str, text: str, *, apart: Collection[Held] = ()) -> tuple[Doubt, ...]:
        """Return what in force may say otherwise, each entry once; () = nothing does."""
        left_out = {each.ref for each in apart}
        found = {
            each.key: self._doubt(each)
            for each in reversed(self._held.against(kind, text))
            if each.key not in left_out
        }
        return (*reversed(found.values()), *self._memory.elsewhere(kind, text))

    def of_match(self, noted: Noted, entry: Held) -> tuple[Doubt, ...]:
        """Return why an observation may not be agreement; () = it says what the entry says."""
        text = noted.record.text
        if noted.title == entry.title or noted.title in entry.guidance:
            return self.of(entry.kind, text, apart=(entry,))
        found = self.of(entry.kind, text)
        name = entry.record.id
        if any(each.name == name for each in found):
            return found
        opposes = may_oppose(text, entry.record.says)
        return (Doubt(name, entry.record.says, "much the same in other words", opposes), *found)

    def _doubt(self, found: Overlap[Ref]) -> Doubt:
        return Doubt(self._names[found.key], found.text, found.words, speaks_against(found))


def speaks_against(found: Overlap[Any]) -> bool:
    """Tell whether one of the two may ask for the opposite, and not only nearly the same."""
    crosses = (found.kind == ANTI_PATTERN) != (found.asked_kind == ANTI_PATTERN)
    return crosses or may_oppose(found.asked, found.text)


@lru_cache(maxsize=8)
def _indexed(entries: tuple[Held, ...]) -> InForce[Ref]:
    return InForce(standing for each in entries for standing in _standing(each))


def _standing(entry: Held) -> Iterator[Standing[Ref]]:
    """Yield what an entry says; its guidance is of a kind of its own.

    What is new and says no more than the guidance of an entry would say it a second time.
    """
    record = entry.record
    yield Standing(entry.ref, entry.kind, record.says)
    guidance = record.guidance if isinstance(record, Principle) else ()
    guidance = (record.recommended_approach,) if isinstance(record, AntiPattern) else guidance
    yield from (Standing(entry.ref, _GUIDANCE, text) for text in guidance if text.strip())
