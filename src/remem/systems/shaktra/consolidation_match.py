"""When an observation is about an entry, and when two of either say the same (FORMATS 5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from remem.base.frozen import dataclass
from remem.systems.shaktra.consolidation_near import near_pairs
from remem.systems.shaktra.consolidation_terms import Held, Noted
from remem.systems.shaktra.records import PRINCIPLE

ENOUGH: Final = 0.60
"""A criterion holds strictly above it; a pattern from it on."""
SAME: Final = 0.80
"""Strictly above it two entries say the same."""


@dataclass(frozen=True, slots=True)
class Match:
    """How an observation fits an entry, each from 0 to 1."""

    entry: Held
    title: float
    categories: float
    guidance: float

    @property
    def holds(self) -> bool:
        return sum(each > ENOUGH for each in (self.title, self.categories, self.guidance)) >= 2

    @property
    def total(self) -> float:
        return self.title + self.categories + self.guidance

    @property
    def how(self) -> str:
        """What fits, in words."""
        named = (
            ("title", self.title),
            ("categories", self.categories),
            ("guidance", self.guidance),
        )
        fitting = [f"{name} {each:.2f}" for name, each in named if each > ENOUGH]
        return f"it matches in {' and '.join(fitting)}"


def best_match(noted: Noted, entries: Iterable[Held]) -> Match | None:
    """Return the entry that an observation is about: the highest sum, then the smaller id."""
    known = [*entries]
    titles = _near_to(noted.title, [entry.title for entry in known], ENOUGH)
    found = [
        match
        for place, entry in enumerate(known)
        if (match := _match(noted, entry, titles.get(place))) and match.holds
    ]
    return min(found, key=lambda match: (-match.total, match.entry.age), default=None)


def _match(noted: Noted, entry: Held, title: float | None) -> Match | None:
    """Return how they fit; `None` where one criterion at the most can hold.

    Args:
        noted: What was observed.
        entry: What is held against it.
        title: How alike the texts are; `None` = too little to count.
    """
    categories = jaccard(noted.words, entry.words)
    if title is None and categories <= ENOUGH:
        return None
    title = ratio(noted.title, entry.title) if title is None else title
    return Match(entry, title, categories, overlap(noted.sentences, entry.guidance))


def _near_to(text: str, others: Sequence[str], bound: float) -> dict[int, float]:
    """Return the places of the texts that reach a bound, and how alike they are."""
    from rapidfuzz import fuzz, process

    found = process.extract(
        text, others, scorer=fuzz.token_set_ratio, score_cutoff=bound * 100, limit=None
    )
    return {place: score / 100 for _, score, place in found}


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of words that both have; nothing fits nothing."""
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0


def overlap(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the mean of how well each item of the shorter list is met in the other."""
    few, many = sorted((one, other), key=len)
    if not few:
        return 0.0
    return sum(max(ratio(item, each) for each in many) for item in few) / len(few)


def ratio(one: str, other: str) -> float:
    """Return how alike two texts in normal form are, whatever one has beyond the other."""
    from rapidfuzz import fuzz

    return fuzz.token_set_ratio(one, other) / 100


def is_one_pattern(one: Noted, other: Noted) -> bool:
    """Tell whether two observations are of one pattern: a shared tag, and much the same text."""
    return bool(one.words & other.words) and ratio(one.title, other.title) >= ENOUGH


def covers(entry: Held, noted: Noted) -> bool:
    """Tell whether an entry is of the pattern that an observation is of."""
    return bool(entry.words & noted.words) and ratio(entry.title, noted.title) >= ENOUGH


def sameness(one: Held, other: Held) -> float:
    """Return how much of what two entries of one kind say is the same."""
    if one.kind == PRINCIPLE:
        return overlap(one.guidance, other.guidance)
    return ratio(one.title, other.title)


@lru_cache(maxsize=16)
def same_pairs(entries: tuple[Held, ...]) -> list[tuple[float, int, int]]:
    """Return the pairs that say the same, the most alike first: overlap, and two places."""
    texts = [(text, place) for place, entry in enumerate(entries) for text in _texts(entry)]
    near = near_pairs([text for text, _ in texts], SAME)
    places = {(texts[one][1], texts[other][1]) for one, other in near}
    found = [
        (overlapping, first, second)
        for first, second in sorted(places)
        if first != second and (overlapping := sameness(entries[first], entries[second])) > SAME
    ]
    return sorted(found, key=lambda each: (-each[0], each[1], each[2]))


def _texts(entry: Held) -> tuple[str, ...]:
    """Return what another entry is compared with, nothing empty."""
    return tuple(filter(None, entry.guidance if entry.kind == PRINCIPLE else (entry.title,)))
