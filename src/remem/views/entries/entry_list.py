"""The entries of several sources as one list, and what finds in it.

Entries are made as late as somebody asks for them, and what was read of those that did not change
is not read again. Which sources stand together is `browse.py`'s.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import accumulate
from typing import Final, TypeGuard, overload

from remem.base.frozen import dataclass
from remem.base.turns import give_way
from remem.core.library import Library
from remem.model.entry import Entry, Ref
from remem.model.source import KnowsRefs, Lazy, Source
from remem.views.filter import FIELDS, FieldValue, Filter, Kept
from remem.views.list_rows import Keys

SOON: Final = 2_000
"""Entries that are read, sorted and indexed at once; above it a thread does it."""
_MANY: Final = 64
"""Entries of one source from which on it pays to look which of them changed; a screen of them."""
_GLANCED: Final = 512
"""Entries that are read for a filter while not all are: 12 ms at the most."""


class Entries(Sequence[Entry]):
    """Entries of several sources one after the other, made when they are asked for."""

    def __init__(self, sources: Sequence[Source], section: str | None = None) -> None:
        """Join the entries of sources; with `section` only those under that heading path."""
        parts = [_under(source.entries, section) for source in sources]
        self._parts: list[Sequence[Entry]] = [part for part in parts if len(part)]
        self._ends = list(accumulate(map(len, self._parts)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | Sequence[Entry]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        part, place = self._find(index)
        return part[place]

    def ref(self, index: int) -> Ref:
        """Return the ref of an entry, without parsing it where its store knows it."""
        part, place = self._find(index)
        return part.ref(place) if isinstance(part, KnowsRefs) else part[place].ref

    def place(self, ref: Ref) -> int | None:
        """Return where the entry with that ref is; a large store tells, and makes no other ref."""
        for start, part in self.placed():
            place = part.find(ref) if _finds_soon(part) else None
            if place is not None:
                return start + place
        return self._places.get(ref)

    @cached_property
    def _places(self) -> Mapping[Ref, int]:
        """Of the entries that no large store has."""
        return {
            self.ref(start + at): start + at
            for start, part in self.placed()
            if not _finds_soon(part)
            for at in range(len(part))
        }

    def __iter__(self) -> Iterator[Entry]:
        for part in self._parts:
            yield from part

    def kept(self, before: Entries) -> Iterator[Kept]:
        """Yield the runs of entries, ascending, that say what they say in an earlier list."""
        places = {id(part): was for was, part in before.placed()}
        still = {id(part) for part in self._parts}
        gone = [(was, part) for was, part in before.placed() if id(part) not in still]
        for start, part in self.placed():
            was = places.get(id(part))
            if was is not None:
                yield Kept(start, was, len(part))
            elif isinstance(part, Lazy) and len(part) >= _MANY:
                yield from _kept_in(part, start, gone)

    def placed(self) -> Iterator[tuple[int, Sequence[Entry]]]:
        """Yield the entries of each source, and where they begin."""
        return zip((0, *self._ends), self._parts, strict=False)

    def _find(self, index: int) -> tuple[Sequence[Entry], int]:
        if not 0 <= index < len(self):
            raise IndexError(index)
        number = bisect_right(self._ends, index)
        return self._parts[number], index - (self._ends[number - 1] if number else 0)


class Refs(Keys):
    """The refs of entries, made as late as the entries themselves."""

    def __init__(self, entries: Entries) -> None:
        self._entries = entries

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, index: int) -> Hashable: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Hashable]: ...
    def __getitem__(self, index: int | slice) -> Hashable | Sequence[Hashable]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return self._entries.ref(index)

    def place(self, key: Hashable) -> int | None:
        return self._entries.place(key) if isinstance(key, Ref) else None


@dataclass(frozen=True, slots=True)
class Searched:
    """A list of entries, and what finds in it."""

    entries: Sequence[Entry] = field(repr=False)
    owners: Mapping[str, str] = field(repr=False)
    search: Filter


def entry_filter(
    entries: Sequence[Entry], owners: Mapping[str, str], before: Searched | None = None
) -> Searched:
    """Return what finds among entries by text, role, status, kind and persona.

    Args:
        entries: All of them are read, but for those that `before` has read.
        owners: Stem of a ref → persona.
        before: What found in the list that stood here before.
    """
    size = len(entries)
    kept = _kept(entries, owners, before) if before is not None else ()
    if before is not None and kept:
        found = Filter.after(
            before.search, kept, size, lambda i: _text(entries[i]), _fields(entries, owners)
        )
        return Searched(entries, owners, found)
    every = [*entries]
    found = Filter([*map(_text, every)], _fields(every, owners))
    if size > SOON:
        for name in FIELDS:
            # A field is indexed when it is first asked for, which no key should wait for.
            found.find(f"{name}:-")
    return Searched(entries, owners, found)


def first_found(entries: Sequence[Entry], owners: Mapping[str, str], typed: str) -> Sequence[int]:
    """Return where the first entries are that a filter leaves, as soon as a key wants them.

    Only so many are read that no key waits; none is told of where a word is misspelt.
    """
    found: list[int] = []
    for start in range(0, min(len(entries), _GLANCED), _MANY):
        part = entries[start : start + _MANY]
        search = Filter([*map(_text, part)], _fields(part, owners))
        found += (start + place for place in search.as_typed(typed))
        if len(found) >= _MANY:
            break
    return found


def _text(entry: Entry) -> str:
    give_way()
    return f"{entry.label} {entry.title} {entry.ref.id}".lower()


def _fields(
    entries: Sequence[Entry], owners: Mapping[str, str]
) -> Mapping[str, Callable[[int], FieldValue]]:
    return {
        "role": lambda i: entries[i].roles,
        "status": lambda i: str(entries[i].status),
        "kind": lambda i: entries[i].kind,
        "persona": lambda i: owners.get(entries[i].ref.id.partition("#")[0], ""),
    }


def owners_of(library: Library) -> Mapping[str, str]:
    """Return the persona that each stem of a ref belongs to."""
    return {
        entry.ref.id.partition("#")[0]: source.owner
        for source in library.sources
        if source.owner
        for entry in source.entries[:1]
    }


def _kept(
    entries: Sequence[Entry], owners: Mapping[str, str], before: Searched
) -> tuple[Kept, ...]:
    """Return the runs of which nothing has to be read again."""
    was = before.entries
    if not isinstance(entries, Entries) or not isinstance(was, Entries) or before.owners != owners:
        return ()
    return tuple(entries.kept(was))


def _kept_in(
    part: Lazy[Entry], start: int, before: Sequence[tuple[int, Sequence[Entry]]]
) -> Iterator[Kept]:
    """Yield what a source that changed has kept of one of those that are gone."""
    for was, other in before:
        head, tail = part.unchanged(other)
        if head:
            yield Kept(start, was, head)
        if tail:
            yield Kept(start + len(part) - tail, was + len(other) - tail, tail)
        if head or tail:
            return


def _finds_soon(part: Sequence[Entry]) -> TypeGuard[KnowsRefs]:
    """Tell whether a source is asked for a place; of many small ones all places are noted once."""
    return isinstance(part, KnowsRefs) and len(part) >= _MANY


def _under(entries: Sequence[Entry], section: str | None) -> Sequence[Entry]:
    if section is None:
        return entries
    return [e for e in entries if e.context == section or e.context.startswith(f"{section} › ")]
