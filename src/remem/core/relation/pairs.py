"""Pairs of entries that say the same, nearly the same, or perhaps opposite things (FORMATS 0.4).

It compares a whole library and decides nothing: what to do with a pair is a person's verb. Not all
are compared with all. Two texts meet when they share one of their rarest words, so what differs in
more words than that is not found.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import replace
from itertools import chain, combinations
from threading import Lock
from typing import Final, TypeAlias, overload

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.relation.already_said import whole_of, whole_text
from remem.core.relation.comparable_text import Reading, about, read
from remem.core.relation.likenesses import UNLIKE, Compared, Known, Likenesses
from remem.core.relation.matching import MEET, likeness
from remem.core.relation.normal_form import Alike, Likeness, is_label, is_listed, norm, numbers_in
from remem.core.waiting.rejected import kept_both
from remem.model.entry import Entry, FileSpan, Problem, Status
from remem.model.memo import kept_together
from remem.model.source import Source
from remem.store.cache import Cache

NEAR: Final = 0.90
"""Texts of which so much of the words is alike, letter by letter, say nearly the same."""
RAREST: Final = 4
"""Words of a text by which it meets others: two that differ in three words at most do meet."""
_COMMON: Final = 48
"""A word that more texts have brings them together only along with another one."""
_CROWD: Final = 160
"""Texts with the same two words of which each is compared with its neighbours only."""
_NEIGHBOURS: Final = 24
_LONG: Final = 5
"""Words from which on a text has to share more of them."""
_MEET_LONG: Final = 0.6
_SMALL: Final = 400
"""Texts of which each is held against each; of more, those that share rare words."""
_COMPARED: Final = 64
"""Texts with which one is compared: of more that share its words each is like each."""
_READ: Final = 512
"""Texts of which it is kept what they say, until there are more. Those of a group are compared one
after the other, so that few are read again; of 10,000 it would be 30 MB."""
_FEW: Final = 6
"""Texts of a group that are compared one by one; of more, one with many at once is quicker."""
_CARRIED: Final = 1_024
"""Lists of texts of which the last comparison is carried to the next: in a workspace each of its
repositories has one for each kind."""
_IN_TURN: Final = Lock()
"""Screens ask for the pairs of one version while others still compare an older one. To compare
10,000 texts takes 30 MB; two at a time take twice that and are not ready sooner."""

_Found: TypeAlias = tuple[tuple[int, int], Likeness | int]
"""Two texts by their places, and how alike they are, as `Likenesses` takes it."""
_Compare: TypeAlias = "Callable[[Sequence[str], Known | None, array[int]], Iterator[_Found]]"
"""Yields what it finds among texts, and adds to the numbers which pairs it found not to be."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entries of one kind that are alike, the one that stands first as `first`."""

    first: Entry
    second: Entry
    likeness: Likeness

    @property
    def is_contradiction(self) -> bool:
        return self.likeness.alike is Alike.CONTRADICTION


class Pairs(Sequence[Pair]):
    """Pairs in their order, each made when it is asked for.

    Of 10,000 sentences cut to one pattern there are 200,000 pairs, and of each new version of their
    file as many again.
    """

    __slots__ = ("_entries", "_found")

    def __init__(self, entries: Sequence[Entry], found: Likenesses) -> None:
        """Take over which of the entries are alike, by their places, the first one first."""
        self._entries, self._found = entries, found

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, place: int) -> Pair: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Pair]: ...
    def __getitem__(self, place: int | slice) -> Pair | Sequence[Pair]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        (first, second), likeness_ = self._found.at(place)
        return Pair(self._entries[first], self._entries[second], likeness_)

    def is_contradiction(self, place: int) -> bool:
        """Tell of one of them, without making it, whether it may be a contradiction."""
        return self._found.is_contradiction(place)


def pairs(library: Library) -> Iterator[Pair]:
    """Yield the pairs of a library, kind by kind, in file order; the same each time.

    Entries that left force are left out. Every entry of these kinds is parsed for it. What a
    repository says like its workspace is no pair: the one overrides the other, and none is merged.
    Nor are two that conflict and of which a person said why both stay.
    """
    return (found[place] for found, place in places_of_pairs(library))


def places_of_pairs(library: Library) -> Iterator[tuple[Pairs, int]]:
    """Yield where each pair of a library stands, for who makes only a few of them."""
    shared = frozenset(each.name for each in library.formats if each.facets.is_shared)
    cache = library.ground.given.cache
    is_kept = kept_both(library.sources)
    for kind in kinds_of_pairs(library):
        found = _in_turn(_holding(library, kind), kind, shared, cache)
        for place in range(len(found)):
            if is_kept is not None and found.is_contradiction(place):
                pair = found[place]
                if is_kept(whole_of(library, pair.first), whole_of(library, pair.second)):
                    continue
            yield found, place


def kinds_of_pairs(library: Library) -> tuple[str, ...]:
    """Return the kinds of which two entries can be a pair, each once."""
    return tuple(dict.fromkeys(kind for each in library.formats for kind in each.facets.pairs))


def pairs_among(entries: Sequence[Entry], of: Hashable = None) -> Pairs:
    """Return the pairs among entries of one kind by their titles, in their order.

    Args:
        entries: In their order.
        of: Which entries they are, as for `alike_among`; `None` = they have no other version.
    """
    titles = [entry.title for entry in entries]
    return Pairs(entries, alike_texts(titles) if of is None else alike_among(of, titles))


def alike_among(of: Hashable, texts: Sequence[str], cache: Cache | None = None) -> Likenesses:
    """Return which texts are alike, as `alike_texts` does.

    Args:
        of: Which texts they are, in all their versions: of a new one, only what is new is compared.
        texts: In their order.
        cache: What other processes found.
    """
    return _ALIKE.among(of, texts, cache)


def alike_texts(texts: Sequence[str]) -> Likenesses:
    """Return which texts are alike, by their places, the first one first."""
    return compared_texts(texts).found


def compared_texts(texts: Sequence[str], before: Compared | None = None) -> Compared:
    """Return which texts are alike, and what to know for comparing their next version.

    Args:
        texts: In their order.
        before: An earlier version of them. What was compared there is not compared again; the
            result is the same as without it.
    """
    if before is not None and before.others is None:
        before = replace(before, others=_equal_and_meeting(before.texts)[1])
    return _made(texts, before, _alike)


def _made(texts: Sequence[str], before: Compared | None, compare: _Compare) -> Compared:
    others = array("Q")
    known = Known(before, texts) if before is not None else None
    found = Likenesses(compare(texts, known, others), before.found if before is not None else None)
    return Compared(texts, found, others)


def _alike(texts: Sequence[str], known: Known | None, others: array[int]) -> Iterator[_Found]:
    """Yield which texts are alike; add to `others` which were compared and are not."""
    equal, meeting = _equal_and_meeting(texts)
    yield from equal
    readings = _Readings().__getitem__
    for pair in meeting:
        one, other = divmod(pair, len(texts))
        place = known.place(one, other) if known is not None else None
        found = likeness(texts[one], texts[other], readings) if place is None else None
        if found is not None:
            yield (one, other), found
        elif place is None or place == UNLIKE:
            others.append(pair)
        else:
            yield (one, other), place


def _equal_and_meeting(texts: Sequence[str]) -> tuple[Sequence[_Found], array[int]]:
    """Return the pairs that say the same, and as one number each those that may be alike.

    All are found before the first of them is compared: by then what they were found by is gone.
    """
    firsts, equal = _equal([norm(text) for text in texts])
    words = {place: about(texts[place]) for place in firsts}
    return equal, array("Q", (one * len(texts) + other for one, other in _meeting(words)))


class _Readings(dict[str, Reading]):
    """What the texts say that were compared last."""

    def __missing__(self, text: str) -> Reading:
        if len(self) >= _READ:
            self.clear()
        found = self[text] = read(text)
        return found


class Carried:
    """Which texts are alike, carried from each version of them to the next.

    Of a version that differs in few texts, only those are compared.
    """

    def __init__(
        self, kind: str, compare: Callable[[Sequence[str], Compared | None], Compared]
    ) -> None:
        """Say which comparison it is, by a name for the cache, and what does it."""
        self._kind, self._compare = kind, compare
        self._lock = Lock()
        self._last: dict[Hashable, Compared] = {}

    def among(self, of: Hashable, texts: Sequence[str], cache: Cache | None = None) -> Likenesses:
        """Return which texts are alike, as comparing them anew does.

        Args:
            of: Which texts they are, in all their versions.
            texts: In their order.
            cache: What other processes found.
        """
        with self._lock:
            # What was asked for last goes last.
            before = self._last.pop(of, None)
            if before is not None and before.texts == texts:
                self._last[of] = before
            else:
                self._last[of] = self._compared(of, texts, before, cache)
            if len(self._last) > _CARRIED:
                del self._last[next(iter(self._last))]
            return self._last[of].found

    def _compared(
        self, of: Hashable, texts: Sequence[str], before: Compared | None, cache: Cache | None
    ) -> Compared:
        if cache is None or len(texts) < _SMALL:
            return self._compare(texts, before)
        asked = self._kind, len(texts), "\0".join(texts).encode("utf-8", "surrogatepass")
        data = cache.get(*asked)
        if data is not None:
            return Compared(texts, Likenesses.from_bytes(data))
        made = self._compare(texts, before)
        cache.put_newest((self._kind, of), made.found.to_bytes, *asked)
        return made


_ALIKE: Final = Carried("alike texts", compared_texts)


def same_forms(forms: Sequence[str]) -> Likenesses:
    """Return which texts in normal form say the same or nearly so, letter by letter.

    What may contradict is left out. Of texts that differ in a number alone there may be so many
    that each is like each, so those with other numbers do not meet at all.
    """
    return compared_forms(forms).found


def compared_forms(forms: Sequence[str], before: Compared | None = None) -> Compared:
    """Return what `same_forms` does, and what to know for comparing the next version of them.

    Args:
        forms: In their order.
        before: An earlier version of them, as for `compared_texts`.
    """
    return _made(forms, before, _same)


def _same(forms: Sequence[str], known: Known | None, others: array[int]) -> Iterator[_Found]:
    firsts, equal = _equal(forms)
    yield from equal
    apart = {place: numbers_in(forms[place]) for place in firsts}
    ordered = {place: " ".join(sorted(forms[place].split())) for place in firsts}
    # A word is one object wherever it stands: of 10,000 texts they would be ten times as many.
    once: dict[str, str] = {}
    words = {
        place: tuple({once.setdefault(word, word): None for word in forms[place].split()})
        for place in firsts
    }
    met: set[int] = set()
    for one, other, ratio in _near(_meetings(words, apart), ordered):
        pair = min(one, other), max(one, other)
        number = pair[0] * len(forms) + pair[1]
        if number in met:
            continue
        met.add(number)
        place = known.place(*pair) if known is not None else None
        if place is None and _are_alike(forms[one], forms[other]):
            yield pair, Likeness(Alike.NEAR, ratio, is_listed(forms[one], forms[other]))
        elif place is None or place == UNLIKE:
            others.append(number)
        else:
            yield pair, place


def _are_alike(one: str, other: str) -> bool:
    relation = likeness(one, other)
    return relation is not None and relation.alike is not Alike.CONTRADICTION


def _equal(
    forms: Sequence[str],
) -> tuple[Collection[int], Sequence[_Found]]:
    """Return the first place of each form, and the pairs of what stands there several times.

    Ten equal ones are nine pairs and not forty-five.
    """
    equal = Likeness(Alike.EXACT, 1.0)
    firsts: dict[str, int] = {}
    found: list[_Found] = []
    for place, form in enumerate(forms):
        first = firsts.setdefault(form, place) if form else place
        if first != place:
            found.append(((first, place), equal))
    return firsts.values(), found


def _meeting(words: Mapping[int, frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of texts that share so many words that they are worth a comparison.

    Each comes once, the text that stands first as the first one.
    """
    if len(words) <= _SMALL:
        for (one, mine), (other, theirs) in combinations(words.items(), 2):
            if len(mine & theirs) >= _least(min(len(mine), len(theirs))):
                yield one, other
        return
    # Pairs as one number each: of tuples the collector of garbage looks at every one.
    met: set[int] = set()
    places = max(words) + 1
    often = dict.fromkeys(words, 0)
    # A text of so many words has to share so many with one that has no fewer.
    least = [_least(size) for size in range(max(map(len, words.values())) + 1)]
    beside = [
        [least[min(size, other)] for other in range(len(least))] for size in range(len(least))
    ]
    for group in _meetings(words, {}):
        reach = len(group) if len(group) <= _CROWD else _NEIGHBOURS
        sized = [(one, words[one], len(words[one])) for one in group]
        for place, (one, mine, size) in enumerate(sized):
            if often[one] >= _COMPARED:
                continue
            wanted = beside[size]
            for other, theirs, others in sized[place + 1 : place + 1 + reach]:
                if len(mine & theirs) >= wanted[others]:
                    both = one * places + other
                    if both not in met:
                        met.add(both)
                        often[one] += 1
                        yield one, other


def _least(size: int) -> float:
    """Return how many words two texts share at least, the shorter of which has so many."""
    return (MEET if size < _LONG else _MEET_LONG) * size


def problem_of(library: Library, pair: Pair) -> Problem:
    """Return a pair as something that Health shows at its second entry."""
    name, source = library.short(pair.first.ref), library.source_of(pair.second)
    path, at = source.path, pair.second.at
    line = source.data.count(b"\n", 0, at.start) + 1 if isinstance(at, FileSpan) else 0
    merge = f"merge them, or keep both; `{name}`: {pair.first.title}"
    match pair.likeness.alike:
        case Alike.EXACT:
            return Problem("duplicate", f"duplicate of `{name}`", merge, path, line)
        case Alike.NEAR:
            checked = "" if pair.likeness.checked else " (not checked for conflicts)"
            message = f"similar to `{name}`{checked}"
            return Problem("near-duplicate", message, merge, path, line)
        case Alike.CONTRADICTION:
            message = f"possible conflict with `{name}`"
            because = f"{pair.likeness.because}; " if pair.likeness.because else ""
            hint = (
                "replace one, limit who gets which, or keep both with a reason; "
                f"{because}`{name}`: {pair.first.title}"
            )
            return Problem("contradiction", message, hint, path, line)


def _in_turn(sources: tuple[Source, ...], kind: str, shared: frozenset[str], cache: Cache) -> Pairs:
    with _IN_TURN:
        return _pairs_of(sources, kind, shared, cache)


@kept_together
def _pairs_of(
    sources: tuple[Source, ...], kind: str, shared: frozenset[str], cache: Cache
) -> Pairs:
    """Sources are compared by identity: what did not change is not compared again."""
    found = [
        (entry, whole_text(source, entry))
        for source in sources
        for entry in source.entries
        if entry.kind == kind and entry.status in (Status.ACTIVE, Status.CANDIDATE)
    ]
    found = [(entry, text) for entry, text in found if not is_label(text)]
    entries = [entry for entry, _ in found]
    is_shared = [entry.ref.format in shared for entry in entries]
    where = frozenset(source.repository for source in sources)
    alike = alike_among((kind, where), [text for _, text in found], cache)
    if any(is_shared) and not all(is_shared):
        of_one = (
            (pair, place)
            for place, pair in enumerate(alike)
            if is_shared[pair[0]] == is_shared[pair[1]]
        )
        alike = Likenesses(of_one, alike)
    return Pairs(entries, alike)


def _holding(library: Library, kind: str) -> tuple[Source, ...]:
    return tuple(s for s in library.sources if not s.archived and s.may_hold(kind))


def _meetings(
    words: Mapping[int, Collection[str]], apart: Mapping[int, tuple[str, ...]]
) -> Iterator[list[int]]:
    """Yield groups of texts that share rare words, each in their order, the same each time.

    Args:
        words: Of each text, each once.
        apart: What keeps texts from meeting where it differs.
    """
    often = Counter(chain.from_iterable(words.values()))
    rank = {word: at for at, word in enumerate(sorted(sorted(often), key=often.__getitem__))}
    firsts: dict[object, int] = {}
    groups: dict[object, list[int]] = {}
    for number, each in words.items():
        rarest = sorted(each, key=rank.__getitem__)[:RAREST]
        # By a word that no other text has it meets none.
        shared = [word for word in rarest if often[word] > 1]
        by: list[object] = [word for word in shared if often[word] <= _COMMON]
        if len(rarest) < RAREST or often[rarest[-1]] > _COMMON:
            by += combinations(sorted(shared), 2)
            if len(rarest) == 1 and often[rarest[0]] > _COMMON:
                by.append((rarest[0], ""))
        if apart and (kind := apart[number]):
            by = [(kind, key) for key in by]
        for key in by:
            # Nine of ten keys have one text: no list is made for it.
            first = firsts.setdefault(key, number)
            if first != number:
                groups.setdefault(key, [first]).append(number)
    return (groups[key] for key in firsts if key in groups)


def _near(
    groups: Iterable[list[int]], ordered: Mapping[int, str]
) -> Iterator[tuple[int, int, float]]:
    """Yield each pair of a group whose words are alike, and how much; it may come again."""
    from rapidfuzz import fuzz, process

    for group in groups:
        group.sort(key=ordered.__getitem__)
        if len(group) <= _FEW:
            for one, other in combinations(group, 2):
                score = fuzz.ratio(ordered[one], ordered[other], score_cutoff=NEAR * 100)
                if score:
                    yield one, other, score / 100
            continue
        reach = len(group) if len(group) <= _CROWD else _NEIGHBOURS
        texts = [ordered[number] for number in group]
        for place, one in enumerate(group[:-1], 1):
            found = process.extract(
                texts[place - 1],
                texts[place : place + reach],
                scorer=fuzz.ratio,
                processor=None,
                score_cutoff=NEAR * 100,
                limit=None,
            )
            for _, score, behind in sorted(found, key=lambda match: match[2]):
                yield one, group[place + behind], score / 100
