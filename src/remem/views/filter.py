"""Finds the rows that a typed filter asks for, quickly enough for every key.

Pure: texts and fields in, positions out. Drawing, counting and keys are others' work.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress, product
from time import monotonic
from typing import Final, Self, TypeVar

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.base.turns import give_way

T = TypeVar("T")
FieldValue = str | tuple[str, ...] | None
"""One word, several, or `None`: every word, as an entry that is for all roles."""
FIELDS: Final = ("role", "status", "kind", "persona")
_PACKED: Final = 256
"""Distinct values that fit into one byte a row; the whole mask is then one call into C."""
_TYPED: Final = lazy_pattern(r'"([^"]+)"?|(\S+)')
_WORD: Final = lazy_pattern(r"\w+")
_MISSPELT: Final = 5_000
"""Rows up to which a word may be misspelt; to read all words of more takes longer than a frame."""
_VARIED: Final = 3
"""Words that are also looked for in the other number."""
_MANY: Final = 16_384
"""Rows from which on looking through all of them takes a good part of a frame."""
_PIECE: Final = 2_048
"""Rows that are looked through at a time: half a millisecond."""
_SCREENFUL: Final = 128
"""Rows that are more than any screen shows."""
_REMEMBERED: Final = 32
"""Results that are kept, so that deleting a letter costs nothing."""


@dataclass(frozen=True, slots=True)
class Term:
    """`role:backend`, or `!draft`: a field that has a value, a text that is absent."""

    field: str
    """Empty for a plain text."""
    value: str
    inverted: bool = False

    def narrows(self, other: Term) -> bool:
        """Tell whether all that pass this also pass `other`."""
        if self == other:
            return True
        if (self.field, self.inverted) != (other.field, other.inverted):
            return False
        shorter, longer = (self, other) if self.inverted else (other, self)
        return longer.value.startswith(shorter.value)


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed, understood."""

    words: tuple[str, ...] = ()
    """Lower case; every one has to stand in the row's text. What was quoted is one, with spaces."""
    terms: tuple[Term, ...] = ()

    @classmethod
    def parse(cls, typed: str) -> Query:
        """Understand `zod role:backend !status:archived`; what is no term is text.

        A term that is still being typed (`role:`) asks for nothing yet.
        """
        words: list[str] = []
        terms: list[Term] = []
        for quoted, plain in _TYPED.findall(typed.lower()):
            if quoted:
                words.append(quoted)
                continue
            word = plain
            inverted = word.startswith("!") and len(word) > 1
            field, colon, value = word.removeprefix("!").partition(":")
            if colon and field in FIELDS:
                terms += [Term(field, _plain(value), inverted)] if value else []
            elif inverted:
                terms.append(Term("", word[1:], inverted=True))
            else:
                words.append(word)
        return cls(tuple(words), tuple(terms))

    @property
    def is_empty(self) -> bool:
        return not self.words and not self.terms

    def narrows(self, other: Query) -> bool:
        """Tell whether all that pass this also pass `other`."""
        return all(any(word in mine for mine in self.words) for word in other.words) and all(
            any(mine.narrows(theirs) for mine in self.terms) for theirs in other.terms
        )


@dataclass(frozen=True, slots=True)
class Kept:
    """A run of rows that an earlier filter has read, and that say what they said then."""

    start: int
    was: int
    """Where it began in the earlier filter."""
    length: int


class Filter:
    """Answers queries over rows that do not change; a new filling gets a new one."""

    def __init__(
        self,
        texts: Sequence[str],
        fields: Mapping[str, Callable[[int], FieldValue]] | None = None,
    ) -> None:
        """Prepare nothing yet; a field is indexed when it is first asked for.

        Args:
            texts: Lower-cased, by position.
            fields: Name → what the row at a position has there; lower case or not.
        """
        self._texts = texts
        self._fields = fields or {}
        self._columns: dict[str, _Column] = {}
        self._found: dict[Query, Sequence[int]] = {}
        self._vocabulary: frozenset[str] | None = None
        """Every word of every row, once something was misspelt."""
        self._as_typed: set[Query] = set()
        """Queries that something had as they were typed: they are not misspelt."""

    def follow(self, before: Filter) -> None:
        """Take nothing as misspelt that rows of an earlier filling had as it was typed.

        Where the last of them goes, nothing passes any more, rather than something like it.
        """
        self._as_typed |= before._as_typed

    @classmethod
    def after(
        cls,
        before: Filter,
        kept: Sequence[Kept],
        size: int,
        text: Callable[[int], str],
        fields: Mapping[str, Callable[[int], FieldValue]],
    ) -> Self:
        """Return the filter of other rows, of which only those are read that are new.

        Args:
            before: An earlier filter.
            kept: Which rows it has read, ascending.
            size: How many rows there are now.
            text: Gives the lower-cased text at a position.
            fields: As for a new filter; those that `before` has not indexed are not indexed.
        """
        made = cls(_joined(before._texts, kept, size, text), fields)
        made.follow(before)
        for name, column in before._columns.items():
            if name in fields:
                made._columns[name] = column.after(kept, size, fields[name])
        return made

    def find(self, typed: str) -> Sequence[int]:
        """Return the positions that pass, ascending."""
        query = Query.parse(typed)
        if query.is_empty:
            return range(len(self._texts))
        known = self._found.pop(query, None)
        found = self._search(query) if known is None else known
        self._keep(query, found)
        return found

    def _keep(self, query: Query, found: Sequence[int]) -> None:
        self._found[query] = found
        if len(self._found) > _REMEMBERED:
            del self._found[next(iter(self._found))]

    def begin(self, typed: str, near: int = 0) -> Hunt | None:
        """Return what finds the same as `find`, piece by piece; `None` = `find` takes no longer.

        Args:
            typed: What was typed.
            near: A position; what passes around it is found first.
        """
        query = Query.parse(typed)
        if query in self._found:
            return None
        best, positions = self._wider(query)
        words = [word for word in query.words if word not in best.words]
        if len(positions) < _MANY or not words or query.terms != best.terms:
            return None
        return Hunt(self._texts, positions, words, near, lambda found: self._keep(query, found))

    def as_typed(self, typed: str) -> Sequence[int]:
        """Return the positions that pass with every word as it was typed, ascending."""
        return self._passing(Query.parse(typed))

    def in_other_number(self, typed: str) -> Sequence[int]:
        """Return what passes only with a word in the singular for the plural, or the other way."""
        from remem.views.loose_match import forms_of

        query = Query.parse(typed)
        forms = [forms_of(word) for word in query.words[:_VARIED]]
        rest = query.words[_VARIED:]
        meant = [Query((*words, *rest), query.terms) for words in product(*forms)][1:]
        if not meant:
            return ()
        known = set(self.find(typed))
        return sorted({at for each in meant for at in self._passing(each)} - known)

    def _search(self, query: Query) -> Sequence[int]:
        positions = self._passing(query)
        if len(positions):
            self._as_typed.add(query)
        elif query.words and query not in self._as_typed and len(self._texts) <= _MISSPELT:
            return self._loosely(query)
        return positions

    def _passing(self, query: Query) -> Sequence[int]:
        best, positions = self._wider(query)
        for term in query.terms:
            if term not in best.terms:
                positions = self._with_term(positions, term)
        for word in query.words:
            if word not in best.words:
                positions = self._with_text(positions, word)
        return positions

    def _wider(self, query: Query) -> tuple[Query, Sequence[int]]:
        """Return the known query that leaves the fewest rows to look through, and those."""
        wider = [known for known in self._found if query.narrows(known)]
        best = min(wider, key=lambda known: len(self._found[known]), default=Query())
        return best, self._found.get(best, range(len(self._texts)))

    def _loosely(self, query: Query) -> Sequence[int]:
        """Return what passes where words are taken as misspelt: nothing has them as typed."""
        from remem.views.loose_match import alike

        if self._vocabulary is None:
            self._vocabulary = frozenset(
                word for text in self._texts for word in _WORD.findall(text)
            )
        positions: Sequence[int] = range(len(self._texts))
        for term in query.terms:
            positions = self._with_term(positions, term)
        for word in query.words:
            meant = [word, *alike(word, self._vocabulary)]
            texts = self._texts
            positions = [at for at in positions if any(each in texts[at] for each in meant)]
        return positions

    def _with_text(self, positions: Sequence[int], text: str) -> Sequence[int]:
        texts = self._texts
        if len(positions) == len(texts):
            return [place for place, other in enumerate(texts) if text in other]
        return [place for place in positions if text in texts[place]]

    def _with_term(self, positions: Sequence[int], term: Term) -> Sequence[int]:
        if not term.field:
            texts = self._texts
            return [place for place in positions if term.value not in texts[place]]
        column = self._column(term.field)
        if column is None:
            return positions if term.inverted else ()
        mask = column.mask(term.value, inverted=term.inverted)
        if len(positions) == len(mask):
            return list(compress(range(len(mask)), mask))
        return [place for place in positions if mask[place]]

    def _column(self, field: str) -> _Column | None:
        if field not in self._columns and field in self._fields:
            self._columns[field] = _Column(map(self._fields[field], range(len(self._texts))))
        return self._columns.get(field)


class Hunt:
    """Looks through very many rows piece by piece, so that a screenful can be shown at once."""

    def __init__(
        self,
        texts: Sequence[str],
        positions: Sequence[int],
        words: Sequence[str],
        near: int,
        done: Callable[[Sequence[int]], None],
    ) -> None:
        """Look at nothing yet.

        Args:
            texts: Of all rows, lower-cased.
            positions: Of those that may pass, ascending.
            words: What each of them has to hold.
            near: The position to begin at.
            done: Is told all that was found, once.
        """
        self._texts = texts
        self._positions = positions
        self._words = words
        self._done = done
        first = bisect_left(positions, near) // _PIECE
        pieces = range((len(positions) + _PIECE - 1) // _PIECE)
        self._left = sorted(pieces, key=lambda piece: -abs(piece - first))
        """Pieces that were not looked through yet, the farthest first."""
        self._found: dict[int, list[int]] = {}

    @property
    def found(self) -> Sequence[int]:
        """What was found so far, ascending."""
        return [place for _, found in sorted(self._found.items()) for place in found]

    def go_on(self, seconds: float, *, to_screenful: bool = False) -> bool:
        """Look on for so long, or until a screen can be filled; true once all is found."""
        end, seen = monotonic() + seconds, 0
        while self._left:
            if monotonic() >= end or (to_screenful and seen >= _SCREENFUL):
                return False
            piece = self._left.pop()
            found = self._passing(piece * _PIECE)
            seen += len(found)
            if found:
                self._found[piece] = found
        self._done(self.found)
        return True

    def _passing(self, start: int) -> list[int]:
        texts, places = self._texts, self._positions[start : start + _PIECE]
        for word in self._words:
            places = [place for place in places if word in texts[place]]
        return [*places]


class _Column:
    """One field of all rows: few distinct values, one number a row."""

    def __init__(self, values: Iterable[FieldValue]) -> None:
        self._codes: dict[FieldValue, int] = {}
        self._rows: Sequence[int] = [self._code(value) for value in values]
        self._pack()

    def after(self, kept: Sequence[Kept], size: int, value: Callable[[int], FieldValue]) -> _Column:
        """Return the column of other rows; what no row has any more may keep its number."""
        made = _Column(())
        made._codes = dict(self._codes)
        made._rows = _joined(self._rows, kept, size, lambda place: made._code(value(place)))
        if len(made._codes) > _PACKED:
            return _Column(map(value, range(size)))
        made._pack()
        return made

    def _code(self, value: FieldValue) -> int:
        give_way()
        return self._codes.setdefault(value, len(self._codes))

    def _pack(self) -> None:
        self._distinct = [_words(value) for value in self._codes]
        if len(self._codes) <= _PACKED:
            self._rows = bytes(self._rows)

    def mask(self, value: str, *, inverted: bool) -> bytes:
        """Return one byte a row: 1 where it passes."""
        table = bytes(_has(words, value) is not inverted for words in self._distinct)
        if isinstance(self._rows, bytes):
            return self._rows.translate(table.ljust(_PACKED, b"\0"))
        return bytes(map(table.__getitem__, self._rows))


def _joined(
    before: Sequence[T], kept: Sequence[Kept], size: int, make: Callable[[int], T]
) -> list[T]:
    """Return something of every row: as it was of those that were kept, made of the others."""
    found: list[T] = []
    for run in kept:
        found += map(make, range(len(found), run.start))
        found += before[run.was : run.was + run.length]
    found += map(make, range(len(found), size))
    return found


def _has(words: tuple[str, ...] | None, value: str) -> bool:
    return words is None or any(word.startswith(value) for word in words)


def _words(value: FieldValue) -> tuple[str, ...] | None:
    if value is None:
        return None
    return tuple(map(_plain, (value,) if isinstance(value, str) else value))


def _plain(word: str) -> str:
    """Fold case, and `anti_pattern` with `anti-pattern`."""
    return word.lower().replace("_", "-")
