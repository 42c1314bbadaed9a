"""Which texts have a word, by their places: most words stand in one text alone.

All such words of a text share one place, which is a tenth of what a list for each takes, and leaves
the collector of garbage nothing to walk over.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

Postings: TypeAlias = dict[str, Sequence[int]]
"""Word → the places of the texts that have it, in order."""
_ALONE: Final = tuple((place,) for place in range(256))
"""The places of one text alone, for all postings: those of a run of entries are not higher."""


def note(postings: Postings, words: Iterable[str], place: int) -> None:
    """Note that a text has these words, each named once; texts are noted in order."""
    alone = _alone(place)
    for word in words:
        known = postings.setdefault(word, alone)
        if known is alone:
            continue
        if isinstance(known, list):
            known.append(place)
        else:
            postings[word] = [*known, place]


def has(postings: Mapping[str, Sequence[int]], word: str, place: int) -> bool:
    """Tell whether the text at a place has a word."""
    places = postings.get(word, ())
    at = bisect_left(places, place)
    return at < len(places) and places[at] == place


def packed(postings: Mapping[str, Sequence[int]]) -> Postings:
    """Return the same, in which words of one text alone share its place."""
    more: dict[int, tuple[int]] = {}
    return {
        word: more.setdefault(places[0], _alone(places[0])) if len(places) == 1 else places
        for word, places in postings.items()
    }


def _alone(place: int) -> tuple[int]:
    return _ALONE[place] if 0 <= place < len(_ALONE) else (place,)
