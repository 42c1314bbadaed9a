"""Pairs of entries that say the same, nearly the same, or perhaps opposite things (FORMATS 0.4).

It compares a whole library and decides nothing: what to do with a pair is a person's verb. Not all
are compared with all. Two texts meet when they share one of their rarest words, so what differs in
more words than that is not found.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from threading import Lock
from typing import Final, TypeAlias, overload

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.relation.already_said import whole_of, whole_text
from remem.core.relation.comparable_text import Reading, about, read
from remem.core.relation.likenesses import Likenesses
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
_IN_TURN: Final = Lock()
"""Screens ask for the pairs of one version while others still compare an older one. To compare
10,000 texts takes 30 MB; two at a time take twice that and are not ready sooner."""

_Found: TypeAlias = tuple[tuple[int, int], Likeness]
"""Two texts by their places, and how alike they are."""


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


def pairs_among(entries: Sequence[Entry]) -> Pairs:
    """Return the pairs among entries of one kind by their titles, in their order."""
    return Pairs(entries, alike_texts([entry.title for entry in entries]))


def alike_texts(texts: Sequence[str]) -> Likenesses:
    """Return which texts are alike, by their places, the first one first."""
    return Likenesses(_alike(texts))


def _alike(texts: Sequence[str]) -> Iterator[_Found]:
    equal, meeting = _equal_and_meeting(texts)
    yield from equal
    readings = _Readings().__getitem__
    for pair in meeting:
        one, other = divmod(pair, len(texts))
        likeness_ = likeness(texts[one], texts[other], readings)
        if likeness_ is not None:
            yield (one, other), likeness_


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


def known_pairs(
    cache: Cache, kind: str, texts: Sequence[str], compare: Callable[[Sequence[str]], Likenesses]
) -> Likenesses:
    """Return what a comparison of texts gives: what it gave before, where all of them are the same.

    Args:
        cache: What other processes found.
        kind: Which comparison it is.
        texts: In their order.
        compare: Finds out what is not known.
    """
    if len(texts) < _SMALL:
        return compare(texts)
    joined = "\0".join(texts).encode("utf-8", "surrogatepass")
    asked = (kind, len(texts), joined)
    data = cache.get(*asked)
    if data is not None:
        return Likenesses.from_bytes(data)
    found = compare(texts)
    cache.put(found.to_bytes(), *asked)
    return found


def same_forms(forms: Sequence[str]) -> Likenesses:
    """Return which texts in normal form say the same or nearly so, letter by letter.

    What may contradict is left out. Of texts that differ in a number alone there may be so many
    that each is like each, so those with other numbers do not meet at all.
    """
    return Likenesses(_same(forms))


def _same(forms: Sequence[str]) -> Iterator[_Found]:
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
        if number not in met and _are_alike(forms[one], forms[other]):
            met.add(number)
            yield pair, Likeness(Alike.NEAR, ratio, is_listed(forms[one], forms[other]))


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
    alike = known_pairs(cache, "alike texts", [text for _, text in found], alike_texts)
    if any(is_shared) and not all(is_shared):
        of_one = (each for each in alike.items() if is_shared[each[0][0]] == is_shared[each[0][1]])
        alike = Likenesses(of_one)
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
