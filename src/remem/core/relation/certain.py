"""Which conflicts are so certain that they are told to people who did not ask.

Where a person decides on one text, a doubt is a conflict (`relation.py`). A list of all that may
conflict somewhere is read only if most of it does. So one statement of a text has to stand against
one of the other text, both have to say little besides, and the language has to be one of which we
know how it denies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Final

from remem.base.lazy_pattern import lazy_pattern
from remem.core.relation.amounts import count_the_same
from remem.core.relation.comparable_text import reading
from remem.core.relation.normal_form import is_listed
from remem.core.relation.relation import By, Related, Relation, relate

_SHARES: Final[Mapping[By, float]] = {
    By.DENIED: 0.73,
    By.ANSWERED: 0.4,
    By.VALUED: 0.7,
    By.NAMED: 0.55,
    By.CHOSEN: 0.7,
    By.ORDERED: 0.5,
}
"""Share of the words of both that two have in common at least, by what sets them against each
other: two answers to one question need little besides, and a denial may be of anything."""
_MOST: Final = 8
"""Statements of one text that are looked at."""
_ENDS: Final = lazy_pattern(r"\n(?=\s*(?:[-*+•]\s|\d+[.)]\s|\*\*))|(?<=[.;。；])\s+|(?<=[。；])")
"""Where a statement ends: with a sentence, and before the next item or label."""


def certain_conflict(one: str, other: str) -> Relation | None:
    """Return how a statement of one text conflicts with one of the other; `None` = none for sure.

    What both count, `5 cron jobs` and `7 cron jobs`, is one subject whatever stands beside it.
    """
    if not is_listed(reading(one).form, reading(other).form):
        return None
    whole = relate(one, other)
    if whole.related is not Related.CONFLICT:
        return None
    if whole.by is By.VALUED and count_the_same(reading(one), reading(other)):
        return whole
    parts = product(_statements(one), _statements(other))
    every = (relate(*each) for each in parts)
    return next((each for each in (whole, *every) if _is_certain(each)), None)


def _is_certain(found: Relation) -> bool:
    if found.related is not Related.CONFLICT:
        return False
    return found.by is None or found.share >= _SHARES[found.by]


def _statements(text: str) -> Iterator[str]:
    every = (each.strip() for each in _ENDS.split(text))
    return islice(filter(None, every), _MOST)
