"""Which of many texts are near each other, without holding each against each in full.

What it leaves out cannot reach the bound: two cheap measures say so, and the rest is measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

_ROUNDING: Final = 1e-6


def near_pairs(texts: Sequence[str], bound: float) -> Iterator[tuple[int, int]]:
    """Yield the places of texts whose `token_set_ratio` reaches a bound, each pair once.

    That ratio is the best of three. One compares what is left of both texts without their common
    words: two texts have no more signs in common than that, in whatever order, so it is bounded by
    the likeness of their sorted signs. The others ask how much of one text the common words are:
    in both texts these stand in one order, so they are a common subsequence as long as their share.

    Args:
        texts: In normal form, none empty.
        bound: From 0 to 1, below 1.
    """
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import LCSseq

    words = [" ".join(sorted(set(text.split()))) for text in texts]
    order = sorted(range(len(texts)), key=lambda place: len(words[place]))
    plain = [texts[place] for place in order]
    words = [words[place] for place in order]
    signs = ["".join(sorted(text)) for text in words]
    share, least = bound / (2 - bound), bound * 100
    for place, text in enumerate(plain):
        behind = place + 1
        alike = process.extract(
            signs[place],
            signs[behind:],
            scorer=fuzz.ratio,
            score_cutoff=least - _ROUNDING,
            limit=None,
        )
        common = process.extract(
            words[place],
            words[behind:],
            scorer=LCSseq.similarity,
            score_cutoff=int(len(words[place]) * share),
            limit=None,
        )
        for other in {found[2] + behind for found in (*alike, *common)}:
            if fuzz.token_set_ratio(text, plain[other], score_cutoff=least):
                yield min(order[place], order[other]), max(order[place], order[other])
