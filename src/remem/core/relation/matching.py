"""Which of many texts one text is like, and how: the same, similar, or a possible conflict.

It compares texts and knows nothing of entries; which of two alike ones stays is for a person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import chain
from typing import Any, Final, Generic, TypeVar

from remem.base.frozen import dataclass
from remem.base.turns import give_way, in_turns
from remem.core.relation.comparable_text import Reading, about, opposing, reading
from remem.core.relation.normal_form import Alike, Likeness, is_listed, norm
from remem.core.relation.postings import Marks, Postings, note
from remem.core.relation.relation import Related, compared

K = TypeVar("K")

MEET: Final = 0.5
"""Share of the shorter text's words that two have in common before they are compared."""
_MOST: Final = 48
"""Texts that are compared with one: those that share most of its words."""
_REMEMBERED: Final = 4_096
"""Texts whose matches one matcher remembers."""
_RARE: Final = 400
"""Texts that may have a word by which others are looked for, as long as there are such words."""


@dataclass(frozen=True, slots=True)
class Match(Generic[K]):
    """A text that is like the one that was asked for."""

    key: K
    likeness: Likeness


_PAGE: Final = 600
"""Characters above which a text is no longer one rule."""
_MOST_OF_IT: Final = 0.6
"""Share of the words of the shorter one that two pages which say the same have in common."""


def likeness(one: str, other: str, read: Callable[[str], Reading] = reading) -> Likeness | None:
    """Return how alike two texts are; `None` = not alike, or nothing to compare."""
    relation = compared(read(one), read(other))
    related = relation.related
    # In page after page some sentence denies some other; that sets no page against another.
    if related is Related.CONFLICT and max(len(one), len(other)) > _PAGE:
        related = Related.SIMILAR if relation.share >= _MOST_OF_IT else Related.DIFFERENT
    if related is Related.DIFFERENT:
        return None
    match related:
        case Related.SAME:
            return _likeness(Alike.EXACT, 1.0) if norm(one) else None
        case Related.CONFLICT:
            return Likeness(Alike.CONTRADICTION, relation.share, because=relation.because)
        case Related.SIMILAR:
            checked = is_listed(read(one).form, read(other).form)
            return Likeness(Alike.NEAR, relation.share, checked, relation.because)


@lru_cache(maxsize=64)
def _likeness(alike: Alike, ratio: float) -> Likeness:
    return Likeness(alike, ratio)


class Matcher(Generic[K]):
    """Finds the texts that are like one text among many."""

    def __init__(self, texts: Iterable[tuple[K, str]], before: Matcher[Any] | None = None) -> None:
        """Index the texts.

        Args:
            texts: Each with a key of its own.
            before: What it has worked out of texts that are still here is taken over.
        """
        known = before.words if before is not None else {}
        self.words: dict[str, tuple[str, ...]] = {}
        """Of each text, what it is about; of very many texts, sets would weigh five times as much.
        """
        self.found: dict[str, Mapping[str, Likeness]] = {}
        """What is like each text that was asked for."""
        self._keys: list[K] = []
        self._places: dict[str, int] = {}
        self._later: dict[str, list[int]] = {}
        """Of a text that several have, the places after the first one."""
        for place, (key, text) in enumerate(texts):
            give_way()
            self._keys.append(key)
            if self._places.setdefault(text, place) != place:
                self._later.setdefault(text, []).append(place)
            else:
                self.words[text] = known.get(text) or tuple(about(text))
        self._all = _Index(self.words)
        self._found_before = before.found if before is not None else {}
        self._new = self._all
        if known:
            self._new = _Index({t: words for t, words in self.words.items() if t not in known})

    def like(self, text: str) -> tuple[Match[K], ...]:
        """Return every match, the most alike first, equals in the order they were given."""
        matches = [
            (likeness.alike is not Alike.EXACT, -likeness.ratio, place, likeness)
            for other, likeness in self._likenesses(text).items()
            for place in (self._places[other], *self._later.get(other, ()))
        ]
        matches.sort(key=lambda match: match[:3])
        return tuple(Match(self._keys[place], likeness) for _, _, place, likeness in matches)

    def _likenesses(self, text: str) -> Mapping[str, Likeness]:
        found = self.found.get(text)
        if found is None:
            found = self._compared(text)
            if len(self.found) >= _REMEMBERED:
                self.found.clear()
            self.found[text] = found
        return found

    def _compared(self, text: str) -> Mapping[str, Likeness]:
        """Compare with all texts, or where that was done before, with those that came since."""
        before = self._found_before.get(text)
        if before is None:
            return self._all.like(text)
        still = {other: likeness for other, likeness in before.items() if other in self.words}
        return {**still, **self._new.like(text)}


class _Index:
    """Texts by the words that they are about."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self._texts = list(words)
        self._sizes = [len(each) for each in words.values()]
        self._holding: Postings = {}
        self._forms: Marks | None = None
        for place, each in enumerate(words.values()):
            give_way()
            note(self._holding, each, place)

    def like(self, text: str) -> dict[str, Likeness]:
        found: dict[str, Likeness] = {}
        for place in self._near(text):
            likeness_ = likeness(text, self._texts[place])
            if likeness_ is not None:
                found[self._texts[place]] = likeness_
        return found

    def _near(self, text: str) -> Iterable[int]:
        """Return the places of texts that share many of its words, and of those of its form."""
        wanted = about(text)
        holding = sorted((self._holding[word] for word in wanted if word in self._holding), key=len)
        often = [each for each in holding if len(each) > _RARE]
        rare = holding[: len(holding) - len(often)]
        few = max(len(wanted) // 2 + 1, 1)
        asked = rare if len(rare) >= few else holding[:few]
        met = Counter(chain.from_iterable(asked))
        sizes, most = self._sizes, len(wanted)
        share = len(often) if len(rare) >= few else 0
        # The shorter of both counts, found without a call: this goes over all that share a word.
        near = [
            (count / shorter, -place)
            for place, count in met.items()
            if count + share >= MEET * (shorter := size if (size := sizes[place]) < most else most)
        ]
        nearest = {-place for _, place in (near if len(near) <= _MOST else nlargest(_MOST, near))}
        for word in opposing(text):
            others = self._holding.get(word, ())
            if len(others) <= _RARE:
                nearest.update(others)
        return sorted({*nearest, *self._same(text)})

    def _same(self, text: str) -> Iterator[int]:
        if self._forms is None:
            self._forms = Marks(map(norm, in_turns(self._texts)))
        form = norm(text)
        return (each for each in self._forms.places(form) if norm(self._texts[each]) == form)
