"""What memory already says: entries of one kind that a text is like."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from threading import RLock
from typing import TYPE_CHECKING, Final, Self

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.relation.normal_form import Alike, norm
from remem.model.entry import Entry, FileSpan, Ref
from remem.model.memo import kept
from remem.model.source import Source

if TYPE_CHECKING:
    from remem.core.relation.matching import Matcher


@dataclass(frozen=True, slots=True)
class Known:
    """An entry that says something like what was asked for."""

    entry: Entry
    alike: Alike
    ratio: float
    because: str = ""
    """What decided it, as a clause; empty where they say the same."""


def alike(library: Library, kind: str, text: str) -> tuple[Known, ...]:
    """Return the entries of that kind that are like the text, the most alike first."""
    sources = _holding(library, kind)
    found = _MATCHERS.of(kind, sources).like(text)
    entries = _entries(sources, [match.key for match in found])
    return tuple(
        Known(entry, match.likeness.alike, match.likeness.ratio, match.likeness.because)
        for entry, match in zip(entries, found, strict=True)
    )


@kept
def _holding(library: Library, kind: str) -> tuple[Source, ...]:
    """Return the sources that may hold a kind; of ten thousand files it is asked for each."""
    return tuple(source for source in library.sources if source.may_hold(kind))


def named(library: Library, ref: Ref, alike: Alike) -> str:
    """Return how a text relates to an entry, in the words of every screen."""
    return f"{relation(alike)} `{library.short(ref)}`"


class ConflictFact(str):
    """A fact on a card, or a note of a change, which tells of a possible conflict.

    It is its sentence, so that whoever prints facts need not know of it. What it is, is told by its
    type: what others wrote may begin with the same words.
    """

    __slots__ = ()


class ConflictNote(ConflictFact):
    """One on an active entry: which one may say otherwise, and what that says."""

    ref: Ref
    """The active entry."""
    head: str
    """The sentence without what the entry says."""

    @classmethod
    def on(cls, library: Library, ref: Ref, text: str = "", because: str = "") -> Self:
        """Return the note on an entry, with why and with its text if that is to be told."""
        head = named(library, ref, Alike.CONTRADICTION)
        note = cls(f"{head}{f' ({because})' if because else ''}{f': {text}' if text else ''}")
        note.ref, note.head = ref, head
        return note


def told_of(library: Library, kind: str, text: str, but: Ref | None = None) -> tuple[str, ...]:
    """Return what in a library conflicts with a text, then what says the same, in words.

    Args:
        library: Where.
        kind: Of the entries that count.
        text: What is compared.
        but: An entry that does not count.
    """
    found = [each for each in alike(library, kind, text) if each.entry.ref != but]
    opposed = [each for each in found if each.alike is Alike.CONTRADICTION]
    opposed = [] if _is_of_series(text, opposed) else opposed
    told = [*opposed, *(each for each in found if each.alike is Alike.EXACT)]
    return tuple(_told(library, each) for each in told[:_TOLD])


def _is_of_series(text: str, opposed: Sequence[Known]) -> bool:
    """Tell whether a text is one of many that only count on: `note 1`, `note 2`.

    With a unit beside it a number is a value, and nothing but conflicts.
    """
    from remem.core.relation.relation import relate

    # The likest tell it: of a thousand that count on, none is looked at for each of the others.
    likest = opposed[:_LIKEST]
    if len({norm(each.entry.title) for each in likest}) <= _SERIES:
        return False
    decided = (relate(text, each.entry.title).words for each in likest)
    return all(words and all(map(str.isdecimal, words)) for words in decided)


def _told(library: Library, each: Known) -> str:
    """Return how a text relates to what is known, with why and with all of what may oppose it."""
    if each.alike is not Alike.CONTRADICTION:
        return named(library, each.entry.ref, each.alike)
    text = " ".join(each.entry.title.split())
    return ConflictNote.on(library, each.entry.ref, text, each.because)


_SERIES: Final = 3
"""Texts from which one differs in a bare number alone, up to which that may be a conflict."""
_LIKEST: Final = 8
"""Of these, how many are looked at."""
_TOLD: Final = 3
"""Entries that are named as saying the same as a text, or otherwise."""
_HOW: Final = {
    Alike.EXACT: "duplicate of",
    Alike.NEAR: "similar to",
    Alike.CONTRADICTION: "possible conflict with",
}


SIMILAR: Final = " similar"
"""Ends a fact that counts what is similar and not named."""


def relation(alike: Alike) -> str:
    """Return how a text is to another one, as a clause begins."""
    return _HOW[alike]


def tells_of_conflict(fact: str) -> bool:
    """Tell whether a fact of a card says that something may conflict."""
    return isinstance(fact, ConflictFact)


class Matchers:
    """One matcher for each kind, carried from snapshot to snapshot.

    Sources never change and are compared by identity; where some of them are others now, what was
    worked out of texts that still stand there is taken over.
    """

    def __init__(self) -> None:
        self._last: dict[str, tuple[tuple[Source, ...], Matcher[int]]] = {}
        self._making = RLock()
        """Of very many texts one takes a second: nobody makes it beside another thread."""

    def of(self, kind: str, sources: tuple[Source, ...]) -> Matcher[int]:
        """Return one over all that they say, in which an entry is its number among all of them."""
        with self._making:
            before = self._last.get(kind)
            if before is not None and (before[0] is sources or before[0] == sources):
                return before[1]
            from remem.core.relation.matching import Matcher

            matcher = Matcher(_texts(kind, sources), before[1] if before is not None else None)
            self._last[kind] = sources, matcher
            return matcher


_MATCHERS: Final = Matchers()


def _texts(kind: str, sources: Iterable[Source]) -> Iterator[tuple[int, str]]:
    every = ((source, entry) for source in sources for entry in source.entries)
    for number, (source, entry) in enumerate(every):
        if entry.kind == kind:
            yield number, whole_text(source, entry)


def _entries(sources: Sequence[Source], numbers: Sequence[int]) -> Iterator[Entry]:
    """Yield the entries with these numbers among all of some sources."""
    if not numbers:
        return
    ends = [*accumulate(len(source.entries) for source in sources)]
    for number in numbers:
        place = bisect_right(ends, number)
        source = sources[place]
        yield source.entries[number - ends[place] + len(source.entries)]


def whole_text(source: Source, entry: Entry) -> str:
    """Return all that an entry says; its title where that is all."""
    if not source.is_headed:
        return entry.title
    at = entry.at
    span = source.data[at.start : at.end] if isinstance(at, FileSpan) else source.data
    return span.decode("utf-8-sig", "replace").strip()


def whole_of(library: Library, entry: Entry) -> str:
    """Return all that an entry of the library says."""
    return whole_text(library.source_of(entry), entry)
