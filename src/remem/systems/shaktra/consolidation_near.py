"""Which of many texts are near each other, without holding each against each in full.

What it leaves out cannot reach the bound: two cheap measures say so, and the rest is measured.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

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
