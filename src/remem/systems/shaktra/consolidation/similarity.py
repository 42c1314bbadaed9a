"""When an observation is about an entry, when two say the same, and what speaks against either.

Of many texts those are found first that can reach the bound at all: two cheap measures say so, and
the rest is measured. What is in force in any system may speak against counting, making or merging
something without a person.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.core.relation.relation import Related, may_oppose, relate
from remem.core.relation.subject import InForce, Overlap, Standing
from remem.model.entry import Ref, Status
from remem.systems.shaktra.consolidation.terms import Doubt, Held, Memory, Noted
from remem.systems.shaktra.records import (
    ANTI_PATTERN,
    CONTRADICT,
    PRINCIPLE,
    REINFORCE,
    AntiPattern,
    Principle,
)

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


_FEW_SHARED: Final = 0.2
"""Share of a text up to which common words are few: what is near then is near as a whole."""
_ROUNDING: Final = 1e-6


def near_pairs(texts: Sequence[str], bound: float) -> Iterator[tuple[int, int]]:
    """Yield the places of texts whose `token_set_ratio` reaches a bound, each pair once.

    That ratio is the best of three. One compares what is left of both texts without their common
    words: with these it has no more signs in common than both whole texts have in one order, and
    the common words once more. The others ask how much of one text the common words are.

    Args:
        texts: In normal form, none empty.
        bound: From 0 to 1, below 1.
    """
    from rapidfuzz import fuzz
    from rapidfuzz.distance import LCSseq

    own = [sorted(set(text.split())) for text in texts]
    order = sorted(range(len(texts)), key=lambda place: len(" ".join(own[place])))
    words = [" ".join(own[place]) for place in order]
    share, least = bound / (2 - bound), bound * 100
    for place, common in enumerate(_shared([own[place] for place in order])):
        text = words[place]
        for other in _may_be_near(words, place, common, bound):
            against, length = words[other], common.get(other, 0)
            if length < share * len(text):
                needed = bound * (len(text) + len(against)) / 2 - length - _ROUNDING
                if LCSseq.similarity(text, against) < needed:
                    continue
            one, two = sorted((order[place], order[other]))
            if fuzz.token_set_ratio(texts[one], texts[two], score_cutoff=least):
                yield one, two


def _may_be_near(
    words: Sequence[str], place: int, common: Mapping[int, int], bound: float
) -> set[int]:
    """Return which longer texts are near as a whole, or have more than a few words in common."""
    from rapidfuzz import fuzz, process

    behind, text = place + 1, words[place]
    found = process.extract(
        text,
        words[behind:],
        scorer=fuzz.ratio,
        score_cutoff=(bound - _FEW_SHARED) * 100 - _ROUNDING,
        limit=None,
    )
    most = _FEW_SHARED * len(text)
    near = {match[2] + behind for match in found}
    return near | {other for other, length in common.items() if length > most}


def _shared(own: Sequence[Sequence[str]]) -> Iterator[Mapping[int, int]]:
    """Yield for each text the later ones that share words: how long these are, with blanks."""
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for place in reversed(range(len(own))):
        for word in own[place]:
            holding[word].append(place)
    for words in own:
        found: dict[int, int] = {}
        for word in words:
            places = holding[word]
            places.pop()  # this text's own
            length = len(word) + 1
            for other in places:
                found[other] = found.get(other, 0) + length
        yield found


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
        return (Doubt(name, entry.record.says, "similar in other words", opposes), *found)

    def _doubt(self, found: Overlap[Ref]) -> Doubt:
        return doubt_of(self._names[found.key], found)


def doubt_of(name: str, found: Overlap[Any]) -> Doubt:
    """Return why an entry of that name keeps a text waiting.

    One of the two may ask for the opposite, or both say nearly the same.
    """
    warns = found.asked_kind == ANTI_PATTERN, found.kind == ANTI_PATTERN
    relation = relate(found.asked, found.text, warns=warns)
    opposes = warns[0] != warns[1] or may_oppose(found.asked, found.text)
    because = relation.because if relation.related is Related.CONFLICT else ""
    return Doubt(name, found.text, found.words, opposes, because)


def does_to(noted: Noted, entry: Held) -> str:
    """Return what an observation does to the entry that it matches.

    What says the opposite has the same words: it contradicts the entry, and never bears it out.
    """
    if noted.title == entry.title or noted.title in entry.guidance:
        return REINFORCE
    related = relate(noted.record.text, entry.record.says).related
    return CONTRADICT if related is Related.CONFLICT else REINFORCE


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
