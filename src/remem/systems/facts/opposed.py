"""Where a new fact says otherwise than the memories that are there; it overwrites none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from remem.base.frozen import dataclass
from remem.systems.facts.records import Memory


@dataclass(frozen=True, slots=True)
class Opposed:
    """An active memory that a fact possibly conflicts with, and what decided it."""

    memory: Memory
    because: str


def saying_the_same(subject: str, fact: str, near: Iterable[Memory]) -> Memory | None:
    """Return the memory that says a fact of the same subject, but for case, signs and blanks."""
    from remem.core.relation.normal_form import exact

    same = (each for each in near if exact(each.fact, fact) and exact(each.subject, subject))
    return next(same, None)


def opposed(subject: str, fact: str, near: Iterable[Memory]) -> Iterator[Opposed]:
    """Yield the memories that a fact possibly conflicts with, in their order."""
    for each in near:
        because = why_opposed((subject, fact), (each.subject, each.fact))
        if because:
            yield Opposed(each, because)


def why_opposed(one: tuple[str, str], other: tuple[str, str]) -> str:
    """Return why two facts, each with its subject, possibly conflict; empty = they do not.

    A fact may say nothing of what it is about: of one subject the facts alone are compared, too.
    """
    from remem.core.relation.comparable_text import about
    from remem.core.relation.relation import Related, relate

    texts = [(f"{one[0]}: {one[1]}", f"{other[0]}: {other[1]}")]
    if about(one[0]) & about(other[0]):
        texts.append((one[1], other[1]))
    relations = (relate(*pair) for pair in texts)
    return next((r.because for r in relations if r.related is Related.CONFLICT), "")
