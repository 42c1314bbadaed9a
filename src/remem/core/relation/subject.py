"""What a text is about: its content words, and whether something in force is about the same.

One rule holds for whatever remem does by itself: it waits for a person while anything in force, of
any kind, shares half the content words of the shorter text and is not the same text, or is related
to it in any way but that. Negations are no content words, so a rule and its opposite are about the
same. A false alarm only means waiting.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, overload

from remem.base.frozen import dataclass
from remem.core.relation.amounts import counts_otherwise
from remem.core.relation.comparable_text import about, opposing, reading
from remem.core.relation.content_words import content_words
from remem.core.relation.normal_form import MANY, norm
from remem.core.relation.postings import Marks, Postings, has, note, packed
from remem.core.relation.relation import Related, relate

K = TypeVar("K")

SHARE: Final = 0.5
"""From this share of the shorter text's content words on, two texts are about the same."""


Words: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], str]
"""Of a text: the stems of its content words, of what it is about, and its normal form."""
_NOTHING: Final[Mapping[str, Words]] = MappingProxyType({})
_NO_OTHERS: Final[Mapping[str, Any]] = MappingProxyType({})


class Overlap(NamedTuple, Generic[K]):
    """Something in force that a text is about as well, without being the same text."""

    key: K
    kind: str
    text: str
    shared: tuple[str, ...]
    """The content words that both have, as the text that was asked about writes them."""
    asked: str
    """The text that was asked about."""
    asked_kind: str

    @property
    def words(self) -> str:
        """What both have, as people read it."""
        return ", ".join(self.shared)


class Overlaps(Sequence[Overlap[K]]):
    """Very many, each made when somebody looks at it: hardly anybody looks at all of them."""

    def __init__(
        self, places: Sequence[int], make: Callable[[int], Overlap[K]], shared: Mapping[int, int]
    ) -> None:
        self._places = places
        self._make = make
        self._shared = shared
        """Place → how many content words both have; of the others, none or too few."""

    def nearest(self, most: int) -> Sequence[Overlap[K]]:
        """Return those that share most words, in their order."""
        ranked = sorted(self._places, key=lambda place: -self._shared.get(place, 0))[:most]
        return tuple(map(self._make, sorted(ranked)))

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Overlap[K]: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Overlap[K]]: ...
    def __getitem__(self, place: int | slice) -> Overlap[K] | Sequence[Overlap[K]]:
        if isinstance(place, slice):
            return tuple(map(self._make, self._places[place]))
        return self._make(self._places[place])


@dataclass(frozen=True, slots=True)
class Standing(Generic[K]):
    """A text that is in force."""

    key: K
    kind: str
    text: str


class Stretch:
    """The words of texts that stand one after another, by the places among them."""

    __slots__ = ("about", "kinds", "marks", "places", "sizes")

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.sizes: list[int] = []
        """How many content words each text has."""
        self.marks = Marks()
        """Which of them may have a normal form."""
        self.places: Postings = {}
        """Content word → the texts that have it."""
        self.about: Postings = {}
        """What a text may be about → those texts."""

    def add(self, kind: str, found: Words) -> None:
        """Take in one more text."""
        words, stems, form = found
        place = len(self.kinds)
        self.kinds.append(kind)
        self.sizes.append(len(words))
        self.marks.add(form)
        note(self.places, words, place)
        note(self.about, stems, place)

    def finish(self) -> None:
        """Make all small; nothing is added from here on."""
        self.places, self.about = packed(self.places), packed(self.about)

    def __len__(self) -> int:
        return len(self.kinds)


class InForce(Generic[K]):
    """All that is in force, to be asked what speaks against acting by oneself."""

    def __init__(
        self, standing: Iterable[Standing[K]] = (), known: Mapping[str, Words] = _NOTHING
    ) -> None:
        """Index the texts by their content words.

        Args:
            standing: What is in force.
            known: What was worked out of texts before; `words` gives what belongs to these.
        """
        self.words: dict[str, Words] = {}
        """Of the texts that were taken in one by one."""
        self._known = known
        self._starts: list[int] = []
        self._stretches: list[Stretch] = []
        self._made: list[Callable[[int], Standing[K]]] = []
        """What gives a text of a stretch."""
        self._own: list[Standing[K]] | None = None
        """The texts of the last stretch, where more may be added to it."""
        self._length = 0
        for each in standing:
            self.add(each)

    def add(self, each: Standing[K]) -> None:
        """Take in one more text."""
        if self._own is None:
            self._own = []
            self._begin(Stretch(), self._own.__getitem__)
        found = self.words.get(each.text) or self._known.get(each.text) or words_of(each.text)
        self.words[each.text] = found
        self._own.append(each)
        self._stretches[-1].add(each.kind, found)
        self._length += 1

    def take(self, stretch: Stretch, standing: Callable[[int], Standing[K]]) -> None:
        """Take in texts whose words are known.

        Args:
            stretch: Their words.
            standing: Gives one of them by its place in the stretch: hardly any is asked for.
        """
        self._own = None
        self._begin(stretch, standing)
        self._length += len(stretch)

    def _begin(self, stretch: Stretch, standing: Callable[[int], Standing[K]]) -> None:
        self._starts.append(self._length)
        self._stretches.append(stretch)
        self._made.append(standing)

    def _at(self, place: int) -> Standing[K]:
        number = bisect_right(self._starts, place) - 1
        return self._made[number](place - self._starts[number])

    def against(
        self, kind: str, text: str, apart: Mapping[str, Callable[[K], bool]] = _NO_OTHERS
    ) -> Sequence[Overlap[K]]:
        """Return what makes an automatism wait with a text, in the order it was given.

        The same text in the same kind is no reason to wait, and in another kind it is one: a rule
        and an anti-pattern in the same words ask for opposite things. Beside very many that share
        the words of a text, what is related to it in other words is not looked for.

        Args:
            kind: Of the entry that the text is or would be.
            text: What it says.
            apart: What the text does not wait for: normal form → tells of the keys that say this.
        """
        wanted, form = content_words(text), norm(text)
        met: dict[int, int] = {}
        """Of those that share enough, how many words."""
        same: set[int] = set()
        without: set[int] = set()
        much = SHARE * len(wanted)
        for start, stretch in zip(self._starts, self._stretches, strict=True):
            sizes, shares = stretch.sizes, _shares(stretch.places, wanted)
            # Most share one word, and few are so short that it is enough.
            least = min(much, SHARE * min(sizes, default=0))
            met |= {
                start + place: shared
                for place, shared in shares.items()
                if shared >= least and (shared >= much or shared >= SHARE * sizes[place])
            }
            same.update(self._same(start, stretch, form))
            for said, is_apart in apart.items():
                places = self._same(start, stretch, said)
                without.update(place for place in places if is_apart(self._at(place).key))
        near = {*met, *same}
        if len(near) <= MANY:
            near.update(self._related(kind, text, near))
        found = [
            place
            for place in sorted(near)
            if place not in without and (place not in same or self._at(place).kind != kind)
        ]

        def overlap(place: int) -> Overlap[K]:
            return self._overlap(place, wanted, text, kind)

        return Overlaps(found, overlap, met) if len(found) > MANY else tuple(map(overlap, found))

    def _same(self, start: int, stretch: Stretch, form: str) -> Iterator[int]:
        """Yield the places of the texts of a stretch that have a normal form."""
        for place in stretch.marks.places(form):
            if norm(self._at(start + place).text) == form:
                yield start + place

    def _related(self, kind: str, text: str, known: Collection[int]) -> Iterator[int]:
        """Yield the places of what is related in other words.

        Whoever answers a question otherwise and has one word in common is, and so is whoever gives
        another number of the same.
        """
        words, against = about(text), frozenset(opposing(text))
        met: dict[int, int] = {}
        otherwise: set[int] = set()
        for start, stretch in zip(self._starts, self._stretches, strict=True):
            shares_here = _shares(stretch.about, words)
            met |= {start + place: shared for place, shared in shares_here.items()}
            if against:
                otherwise |= {start + place for place in _shares(stretch.about, against)}
        shares = {place for place, shared in met.items() if shared >= SHARE * len(words)}
        yield from otherwise.intersection(met).difference(known)
        known = otherwise.intersection(met).union(known)
        if reading(text).amounts:
            shares.update(place for place, shared in met.items() if shared > 1)
        shares |= otherwise
        for place in shares.difference(known):
            each = self._at(place)
            warns = (True, False) if each.kind != kind else (False, False)
            plain, crossed = relate(text, each.text), relate(text, each.text, warns=warns)
            if Related.CONFLICT in (plain.related, crossed.related) or counts_otherwise(
                text, each.text
            ):
                yield place

    def _overlap(self, place: int, wanted: dict[str, str], text: str, kind: str) -> Overlap[K]:
        number = bisect_right(self._starts, place) - 1
        at, holding = place - self._starts[number], self._stretches[number].places
        each = self._made[number](at)
        shared = tuple(said for stem, said in wanted.items() if has(holding, stem, at))
        shared = shared or relate(text, each.text).words
        return Overlap(each.key, each.kind, each.text, shared, text, kind)


def _shares(holding: Mapping[str, Sequence[int]], words: Iterable[str]) -> Mapping[int, int]:
    """Return how many of the words each text has that has any."""
    return Counter(chain.from_iterable(holding[word] for word in words if word in holding))


def words_of(text: str) -> Words:
    """Return what a text is indexed by."""
    return tuple(content_words(text)), tuple(about(text)), norm(text)


def against(kind: str, text: str, other_kind: str, other: str) -> tuple[str, ...] | None:
    """Return the shared words for which one text waits because of another; `None` = it need not."""
    found = InForce([Standing(None, other_kind, other)]).against(kind, text)
    return found[0].shared if found else None


def paired(ones: Sequence[str], others: Sequence[str]) -> dict[int, int]:
    """Pair texts that are about the same, each at most once, those that share most words first.

    It is for texts that are known to belong together, what was found and what was made of it: two
    texts of which nothing is known are compared by `core/relation/relation.py`.

    Returns:
        Number of a text → number of the other one, for those that have one.
    """
    mine = [content_words(text) for text in ones]
    theirs = [content_words(text) for text in others]
    shares = (
        (len(words.keys() & other.keys()) / min(len(words), len(other)), one, two)
        for one, words in enumerate(mine)
        for two, other in enumerate(theirs)
        if words and other
    )
    pairs: dict[int, int] = {}
    for share, one, two in sorted(shares, key=lambda each: (-each[0], *each[1:])):
        if share >= SHARE and one not in pairs and two not in pairs.values():
            pairs[one] = two
    return pairs
