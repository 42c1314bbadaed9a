"""Which of many texts are alike, kept as numbers.

Of 10,000 sentences cut to one pattern 200,000 pairs are alike, and each has words of its own that
decided it. Kept as they are told, these pairs weigh more than all else that a program has open.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections.abc import ItemsView, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from remem.core.relation.normal_form import Alike, Likeness

Pair: TypeAlias = tuple[int, int]
"""The places of two texts, the one that stands first as the first one."""

_SECOND: Final = 32
"""Bits of a pair that tell its second place."""
_PLACES: Final = (1 << _SECOND) - 1
_END: Final = b"\0"


class Likenesses(Mapping[Pair, Likeness]):
    """How texts are alike, by their places and in the order of these, for 40 bytes a pair.

    A likeness is made each time when it is asked for. The words of what decided them are few, and
    each is kept once.
    """

    __slots__ = ("_ends", "_kinds", "_pairs", "_said", "_which", "_words")

    def __init__(self, found: Iterable[tuple[Pair, Likeness]] = ()) -> None:
        """Take over what was found, in any order, each pair once."""
        kinds: dict[tuple[Alike, float, bool], int] = {}
        words: dict[str, int] = {}
        self._pairs, self._which = array("Q"), array("I")
        self._said, self._ends = array("I"), array("I")
        for (first, second), each in found:
            self._pairs.append(first << _SECOND | second)
            kind = each.alike, each.ratio, each.checked
            self._which.append(kinds.setdefault(kind, len(kinds)))
            said = each.because.split(" ")
            self._said.extend([words.setdefault(word, len(words)) for word in said])
            self._ends.append(len(self._said))
        self._kinds, self._words = tuple(kinds), tuple(words)
        self._sort()

    def _sort(self) -> None:
        pairs, which, said, ends = self._pairs, self._which, self._said, self._ends
        order = sorted(range(len(pairs)), key=pairs.__getitem__)
        self._pairs = array("Q", map(pairs.__getitem__, order))
        self._which = array("I", map(which.__getitem__, order))
        self._said, self._ends = array("I"), array("I")
        for place in order:
            self._said += said[ends[place - 1] if place else 0 : ends[place]]
            self._ends.append(len(self._said))

    def __len__(self) -> int:
        return len(self._pairs)

    def __iter__(self) -> Iterator[Pair]:
        return ((pair >> _SECOND, pair & _PLACES) for pair in self._pairs)

    def __getitem__(self, pair: Pair) -> Likeness:
        number = pair[0] << _SECOND | pair[1]
        place = bisect_left(self._pairs, number)
        if place == len(self._pairs) or self._pairs[place] != number:
            raise KeyError(pair)
        return self._likeness(place)

    def items(self) -> ItemsView[Pair, Likeness]:
        return _InOrder(self)

    def at(self, place: int) -> tuple[Pair, Likeness]:
        """Return one of them by its place among all, from 0."""
        pair = self._pairs[place]
        return (pair >> _SECOND, pair & _PLACES), self._likeness(place)

    def is_contradiction(self, place: int) -> bool:
        """Tell of one of them, without making it, whether the two texts may contradict."""
        return self._kinds[self._which[place]][0] is Alike.CONTRADICTION

    def _likeness(self, place: int) -> Likeness:
        alike, ratio, checked = self._kinds[self._which[place]]
        said = self._said[self._ends[place - 1] if place else 0 : self._ends[place]]
        return Likeness(alike, ratio, checked, " ".join([self._words[word] for word in said]))

    def to_bytes(self) -> bytes:
        """Return all of it, for `from_bytes`."""
        numbers = (self._pairs, self._which, self._said, self._ends)
        sizes = [len(each) for each in numbers]
        told = json.dumps([sizes, [[str(a), *rest] for a, *rest in self._kinds], self._words])
        return _END.join((told.encode(), b"".join(each.tobytes() for each in numbers)))

    @classmethod
    def from_bytes(cls, data: bytes) -> Likenesses:
        """Return what `to_bytes` made bytes of."""
        end = data.index(_END)
        sizes, kinds, words = json.loads(data[:end])
        made = cls()
        made._kinds = tuple([(Alike(alike), *rest) for alike, *rest in kinds])
        made._words = tuple(words)
        rest = memoryview(data)[end + 1 :]
        for numbers, size in zip(
            (made._pairs, made._which, made._said, made._ends), sizes, strict=True
        ):
            numbers.frombytes(rest[: size * numbers.itemsize])
            rest = rest[size * numbers.itemsize :]
        return made


class _InOrder(ItemsView[Pair, Likeness]):
    """Goes through all of them without looking for each."""

    _mapping: Likenesses

    def __iter__(self) -> Iterator[tuple[Pair, Likeness]]:
        return map(self._mapping.at, range(len(self._mapping)))
