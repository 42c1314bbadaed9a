"""Which of many texts are alike, kept as numbers.

Of 10,000 sentences cut to one pattern 200,000 pairs are alike, and each has words of its own that
decided it. Kept as they are told, these pairs weigh more than all else that a program has open.
What was compared once is known for the next version of the texts, in which most pairs are the same.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from remem.base.frozen import dataclass
from remem.core.relation.normal_form import Alike, Likeness

Pair: TypeAlias = tuple[int, int]
"""The places of two texts, the one that stands first as the first one."""

UNLIKE: Final = -1
"""Stands for the place of a likeness where two texts were compared and are not alike."""
_T = TypeVar("_T")
_SECOND: Final = 32
"""Bits of a pair that tell its second place."""
_PLACES: Final = (1 << _SECOND) - 1
_END: Final = b"\0"
_AT_ONCE: Final = 4_096
"""Numbers that are replaced at a time: no second list of them all is made."""


class Likenesses(Mapping[Pair, Likeness]):
    """How texts are alike, by their places and in the order of these, for 40 bytes a pair.

    A likeness is made each time when it is asked for. The words of what decided them are few, and
    each is kept once.
    """

    __slots__ = ("_ends", "_kinds", "_pairs", "_said", "_which", "_words")

    def __init__(
        self, found: Iterable[tuple[Pair, Likeness | int]] = (), before: Likenesses | None = None
    ) -> None:
        """Take over what was found, in any order, each pair once.

        Args:
            found: How texts are alike; a number is where the same stands among those of `before`.
            before: Where some of it stands already.
        """
        self._pairs, self._which = array("Q"), array("I")
        self._said, self._ends = array("I"), array("I")
        self._kinds: tuple[tuple[Alike, float, bool], ...] = ()
        self._words: tuple[str, ...] = ()
        self._take(found, self if before is None else before)
        self._sort()
        self._kinds = _numbered(self._kinds, self._which)
        self._words = _numbered(self._words, self._said)

    def _take(self, found: Iterable[tuple[Pair, Likeness | int]], before: Likenesses) -> None:
        kinds = {kind: number for number, kind in enumerate(before._kinds)}
        words = {word: number for number, word in enumerate(before._words)}
        for (first, second), each in found:
            self._pairs.append(first << _SECOND | second)
            if isinstance(each, int):
                self._which.append(before._which[each])
                self._said += before._said[before._start(each) : before._ends[each]]
            else:
                kind = each.alike, float(each.ratio), each.checked
                self._which.append(kinds.setdefault(kind, len(kinds)))
                said = each.because.split(" ")
                self._said.extend([words.setdefault(word, len(words)) for word in said])
            self._ends.append(len(self._said))
        self._kinds, self._words = tuple(kinds), tuple(words)

    def _sort(self) -> None:
        pairs, which, said, ends = self._pairs, self._which, self._said, self._ends
        order = sorted(range(len(pairs)), key=pairs.__getitem__)
        self._pairs = array("Q", map(pairs.__getitem__, order))
        self._which = array("I", map(which.__getitem__, order))
        self._said, self._ends = array("I"), array("I")
        for place in order:
            self._said += said[ends[place - 1] if place else 0 : ends[place]]
            self._ends.append(len(self._said))

    def _start(self, place: int) -> int:
        return self._ends[place - 1] if place else 0

    def __len__(self) -> int:
        return len(self._pairs)

    def __iter__(self) -> Iterator[Pair]:
        return ((pair >> _SECOND, pair & _PLACES) for pair in self._pairs)

    def __getitem__(self, pair: Pair) -> Likeness:
        place = self.place_of(pair)
        if place is None:
            raise KeyError(pair)
        return self._likeness(place)

    def items(self) -> ItemsView[Pair, Likeness]:
        return _InOrder(self)

    def place_of(self, pair: Pair) -> int | None:
        """Return the place of a pair among all; `None` = it is not here."""
        return _place(self._pairs, pair[0] << _SECOND | pair[1])

    def at(self, place: int) -> tuple[Pair, Likeness]:
        """Return one of them by its place among all, from 0."""
        pair = self._pairs[place]
        return (pair >> _SECOND, pair & _PLACES), self._likeness(place)

    def is_contradiction(self, place: int) -> bool:
        """Tell of one of them, without making it, whether the two texts may contradict."""
        return self._kinds[self._which[place]][0] is Alike.CONTRADICTION

    def _likeness(self, place: int) -> Likeness:
        alike, ratio, checked = self._kinds[self._which[place]]
        said = self._said[self._start(place) : self._ends[place]]
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


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of comparing many texts, for the comparison of their next version."""

    texts: Sequence[str]
    found: Likenesses
    others: array[int] | None = None
    """The pairs that were compared and are not alike, each as its first place times how many texts
    there are, plus its second, in any order; there may be pairs of `found` among them. `None` =
    nobody knows."""


class Known:
    """What came of comparing an earlier version of some texts, by the places that they have now."""

    def __init__(self, before: Compared, texts: Sequence[str]) -> None:
        """Take over an earlier comparison, of which is known what was compared."""
        places: dict[str, int] = {}
        for place, text in enumerate(before.texts):
            places.setdefault(text, place)
        self._was = array("q", [places.get(text, -1) for text in texts])
        self._found = before.found
        self._others = array("Q", sorted(before.others or ()))
        self._many = len(before.texts)

    def place(self, one: int, other: int) -> int | None:
        """Return where a pair stands among the earlier likenesses.

        It is `UNLIKE` for two that were compared and are not alike, and `None` for two that were
        not compared. Those that changed places were not: how texts are alike is told from the one
        that stands first.
        """
        first, second = self._was[one], self._was[other]
        if not 0 <= first < second:
            return None
        place = self._found.place_of((first, second))
        if place is None and _place(self._others, first * self._many + second) is not None:
            return UNLIKE
        return place


def _place(numbers: array[int], number: int) -> int | None:
    place = bisect_left(numbers, number)
    return place if place < len(numbers) and numbers[place] == number else None


def _numbered(things: Sequence[_T], used: array[int]) -> tuple[_T, ...]:
    """Return the things that are used, in the order of their first use; number their uses so."""
    numbers = {old: new for new, old in enumerate(dict.fromkeys(used))}
    for start in range(0, len(used), _AT_ONCE):
        part = used[start : start + _AT_ONCE]
        used[start : start + _AT_ONCE] = array("I", map(numbers.__getitem__, part))
    return tuple([things[old] for old in numbers])
