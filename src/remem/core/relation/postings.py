"""Which texts have a word, by their places: most words stand in one text alone.

All such words of a text share one place, which is a tenth of what a list for each takes, and leaves
the collector of garbage nothing to walk over. Where a hundred thousand texts are known, what is
kept of each of them for one comparison that hardly ever succeeds has to be small as well.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from sys import intern
from typing import Final, TypeAlias
from zlib import crc32

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
    """Return the same, to be read only: as small as it gets.

    Words of one text alone share its place, and every word is the same object in all postings.
    """
    more: dict[int, Sequence[int]] = {}
    return {
        intern(word): more.setdefault(places[0], _alone(places[0]))
        if len(places) == 1
        else _small(places)
        for word, places in postings.items()
    }


def _small(places: Sequence[int]) -> Sequence[int]:
    return bytes(places) if places[-1] < len(_ALONE) else array("I", places)


_MARK: Final = 4
"""Bytes by which a normal form is told from others: of very many texts, hardly two share them."""


class Marks:
    """Where among texts one with a normal form may stand, for four bytes a text.

    Two forms may have one mark, so whoever asks compares what he finds with the form itself.
    """

    __slots__ = ("_marks",)

    def __init__(self, forms: Iterable[str] = ()) -> None:
        self._marks = bytearray()
        for form in forms:
            self.add(form)

    def add(self, form: str) -> None:
        """Note the form of one more text, whose place is how many there were before."""
        self._marks += _mark(form)

    def places(self, form: str) -> Iterator[int]:
        """Yield the places of all texts that have this form, and maybe of others, in order."""
        mark = _mark(form)
        at = self._marks.find(mark)
        while at >= 0:
            if at % _MARK == 0:
                yield at // _MARK
            at = self._marks.find(mark, at + 1)


def _mark(form: str) -> bytes:
    return crc32(form.encode("utf-8", "surrogatepass")).to_bytes(_MARK, "little")


def _alone(place: int) -> tuple[int]:
    return _ALONE[place] if 0 <= place < len(_ALONE) else (place,)
