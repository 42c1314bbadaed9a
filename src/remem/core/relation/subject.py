"""What a text is about: its content words, and whether something in force is about the same.

One rule holds for whatever remem does by itself: it waits for a person while anything in force, of
any kind, shares half the content words of the shorter text and is not the same text, or is related
to it in any way but that. Negations are no content words, so a rule and its opposite are about the
same. A false alarm only means waiting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar, overload

from remem.base.frozen import dataclass
from remem.core.relation.content import content_words
from remem.core.relation.reading import about, opposing, reading
from remem.core.relation.relation import Related, counts_otherwise, relate
from remem.core.relation.similar import norm

K = TypeVar("K")

SHARE: Final = 0.5
"""From this share of the shorter text's content words on, two texts are about the same."""
MANY: Final = 64
"""Texts about the same from which on they are no longer told one by one."""


Words: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], str]
"""Of a text: the stems of its content words, of what it is about, and its normal form."""
_NOTHING: Final[Mapping[str, Words]] = MappingProxyType({})


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
        """Place → how many content words both have."""

    def nearest(self, most: int) -> Sequence[Overlap[K]]:
        """Return those that share most words, in their order."""
        ranked = sorted(self._places, key=lambda place: -self._shared[place])[:most]
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
        self._known = known
        self._standing: list[Standing[K]] = []
        self._sizes: list[int] = []
        self._forms: list[str] = []
        self._places: dict[str, list[int]] = {}
        self._about: dict[str, list[int]] = {}
        self._same: dict[str, list[int]] = {}
        for each in standing:
            self.add(each)

    def add(self, each: Standing[K]) -> None:
        """Take in one more text."""
        place = len(self._standing)
        found = self.words.get(each.text) or self._known.get(each.text) or _words_of(each.text)
        self.words[each.text] = words, stems, form = found
        self._standing.append(each)
        self._sizes.append(len(words))
        self._forms.append(form)
        self._same.setdefault(form, []).append(place)
        for word in words:
            self._places.setdefault(word, []).append(place)
        for word in stems:
            self._about.setdefault(word, []).append(place)

    def against(
        self, kind: str, text: str, apart: Callable[[K], bool] | None = None
    ) -> Sequence[Overlap[K]]:
        """Return what makes an automatism wait with a text, in the order it was given.

        The same text in the same kind is no reason to wait, and in another kind it is one: a rule
        and an anti-pattern in the same words ask for opposite things. Beside very many that share
        the words of a text, what is related to it in other words is not looked for.

        Args:
            kind: Of the entry that the text is or would be.
            text: What it says.
            apart: Tells of the keys that the text does not wait for.
        """
        wanted, form = content_words(text), norm(text)
        met = Counter(chain.from_iterable(self._places.get(word, ()) for word in wanted))
        much, sizes = SHARE * len(wanted), self._sizes
        near = {p for p, shared in met.items() if shared >= much or shared >= SHARE * sizes[p]}
        near.update(self._same.get(form, ()))
        if len(near) <= MANY:
            near.update(self._related(kind, text, near))
        standing, forms = self._standing, self._forms
        found = [
            place
            for place in sorted(near)
            if (standing[place].kind != kind or forms[place] != form)
            and (apart is None or not apart(standing[place].key))
        ]

        def overlap(place: int) -> Overlap[K]:
            return self._overlap(place, wanted, text, kind)

        return Overlaps(found, overlap, met) if len(found) > MANY else tuple(map(overlap, found))

    def _related(self, kind: str, text: str, known: Collection[int]) -> Iterator[int]:
        """Yield the places of what is related in other words.

        Whoever answers a question otherwise and has one word in common is, and so is whoever gives
        another number of the same.
        """
        words = about(text)
        met = Counter(chain.from_iterable(self._about.get(word, ()) for word in words))
        shares = {place for place, shared in met.items() if shared >= SHARE * len(words)}
        otherwise = {place for word in opposing(text) for place in self._about.get(word, ())}
        yield from otherwise.intersection(met).difference(known)
        known = otherwise.intersection(met).union(known)
        if reading(text).amounts:
            shares.update(place for place, shared in met.items() if shared > 1)
        shares |= otherwise
        for place in shares.difference(known):
            each = self._standing[place]
            warns = (True, False) if each.kind != kind else (False, False)
            plain, crossed = relate(text, each.text), relate(text, each.text, warns=warns)
            if Related.CONFLICT in (plain.related, crossed.related) or counts_otherwise(
                text, each.text
            ):
                yield place

    def _overlap(self, place: int, wanted: dict[str, str], text: str, kind: str) -> Overlap[K]:
        each = self._standing[place]
        other = content_words(each.text)
        shared = tuple(said for stem, said in wanted.items() if stem in other)
        shared = shared or relate(text, each.text).words
        return Overlap(each.key, each.kind, each.text, shared, text, kind)


def _words_of(text: str) -> Words:
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
