"""The three stores of project memory: where their entries stand, and what each of them says.

Entries are parsed when they are asked for and taken over from the last snapshot where their bytes
did not change. Changing a store is `edits.py`.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from remem.base.effects import begin_digest_of
from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.base.turns import in_turns
from remem.core.numbered_records import id_in_ref, twins
from remem.edit.yaml_index import Index, Span, Spans, index
from remem.edit.yaml_read import MAX_EXACT, Item, line_of, parse_item
from remem.model.entry import Entry, FileSpan, Problem, Ref, Status, digest_of
from remem.model.record import read_record, read_status
from remem.model.source import KnowsSpans, Run, Source, SourceKind
from remem.store.cache import Cache, NoCache
from remem.systems.sniper import printing
from remem.systems.sniper.records import (
    ANTI_PATTERN,
    CONVENTION,
    DECISION,
    RECORDS,
    Stored,
    from_bare,
)
from remem.systems.sniper.summary_bullets import Block, block_of, carried, filled

if TYPE_CHECKING:
    from remem.systems.sniper.cached_entries import Row

T = TypeVar("T")
Look: TypeAlias = Callable[[bytes, int, int], Iterable[int]]
"""Finds in bytes, from an offset to before another one, the offsets of something."""


@dataclass(frozen=True, slots=True)
class WordLook:
    """Finds where a pattern stands that begins with a word.

    It looks at some entries at a time, and so at nothing that goes on in the next line.
    """

    word: bytes
    pattern: re.Pattern[bytes]
    but_in_braces: re.Pattern[bytes] | None = None
    """What is not found after all where the line has a brace before it."""

    def __call__(self, data: bytes, start: int, end: int) -> Iterator[int]:
        if data.find(self.word[:1], start, end) < 0:
            return iter(())  # many times as fast as any longer look
        found = (match.start() for match in self.pattern.finditer(data, start, end))
        but = self.but_in_braces
        if but is None:
            return found
        return (at for at in found if not (but.match(data, at, end) and _is_in_braces(data, at)))

    @property
    def name(self) -> bytes:
        """What tells it from every other one, in another process too."""
        but = b"" if self.but_in_braces is None else self.but_in_braces.pattern
        return b"\0".join((self.word, self.pattern.pattern, but))


def _is_in_braces(data: bytes, at: int) -> bool:
    return data.find(b"{", data.rfind(b"\n", 0, at) + 1, at) >= 0


@dataclass(frozen=True, slots=True)
class Store:
    """One kind of store file."""

    part: str
    """Its file name without the ending, and the part of its sources."""
    key: str
    kind: str


FOLDER: Final = Path(".sniper/memory")
"""Where a repository keeps its stores, below its root."""
STORES: Final = (
    Store("conventions", "conventions", CONVENTION),
    Store("anti-patterns", "anti_patterns", ANTI_PATTERN),
    Store("decisions", "decisions", DECISION),
)
BY_PART: Final[Mapping[str, Store]] = {store.part: store for store in STORES}
BY_KIND: Final[Mapping[str, Store]] = {store.kind: store for store in STORES}

_ANCHOR: Final = lazy_pattern(rb"&(?<=[\s\[,{]&)[^\s,\]}]")
_MANY: Final = 256
"""Entries of a store from which on it pays to keep what was read of them."""
_ACTIVE: Final = rb"[\"']?[ \t]*:[ \t]*([\"']?)(?i:confirmed|active)\1"
_WAITS: Final = WordLook(
    b"status",
    lazy_pattern(rb"status(?!" + _ACTIVE + rb"(?:[ \t]*(?:[\r\n]|$)|[ \t]+#))"),
    lazy_pattern(rb"status" + _ACTIVE + rb"[ \t]*[,}]"),
)
"""What may make an entry a candidate: a status that is not seen to be another one."""
_MERGES: Final = WordLook(b"<<", lazy_pattern(rb"<<:"))
"""What an entry takes over from elsewhere, its status too."""
_SCAN: Final = "items of a store"
_FOUND: Final = "places in a store"
_AT_A_TIME: Final = 4_096
"""Entries that are looked at before others get a turn: some milliseconds."""
_ONE_BY_ONE: Final = 8
"""Ids that are looked for among all: a table of a hundred thousand takes as long as twenty."""
_FEW: Final = 64
"""Entries that are read as soon as the cache is asked for them."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StoreSource(Source):
    """A store file, and where what a look at it finds is kept for the next process."""

    cache: Cache


@dataclass(frozen=True, slots=True)
class Parsed:
    """One item of a store file: its values, its record, and what is wrong with it."""

    value: Mapping[str, Any]
    record: Stored
    status: Status
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Printed:
    """What an entry looks like elsewhere; it does not depend on where the entry stands."""

    entry: Entry
    rest: printing.Rest

    @property
    def is_empty(self) -> bool:
        """It says nothing, so that no prompt has it."""
        return printing.says_nothing(self.entry, self.rest)

    @property
    def bullet(self) -> str:
        """Its line in `summary.md`."""
        return printing.bullet(self.entry, self.rest)

    @property
    def piece(self) -> str:
        """Its lines in a prompt."""
        return self.labelled("")

    def labelled(self, label: str) -> str:
        """Return its lines in a prompt, with what follows the id."""
        return printing.piece(self.entry, self.rest, label)


class StoreEntries(KnowsSpans):
    """The entries of one store file, in file order.

    What the snapshot before knew of entries whose bytes did not change is taken over; an entry that
    stands elsewhere now is given its new place when it is asked for.
    """

    def __init__(self, source: Source, data: bytes, before: Source | None) -> None:
        store = BY_PART[source.part]
        old = before.entries if before is not None else None
        old = old if isinstance(old, StoreEntries) else None
        self._source, self._store = source, store
        self._given = source.cache if isinstance(source, StoreSource) else NoCache()
        self._kept: set[bytes] = set()
        """The names of runs and looks that are in the cache."""
        self._is_scan_kept = False
        self.data = data
        self.spans: Index = index(data, store.key, old.spans if old else None, self._scanned_before)
        self._is_scanned = old is None and len(data) > MAX_EXACT and self._given.keeps
        """All of it was looked at, so that what was seen is worth keeping."""
        is_renamed = old is None or old.spans.ids != self.spans.ids
        self.twins: Mapping[int, int] = (
            twins(self.spans.ids) if old is None or is_renamed else old.twins
        )
        count = len(self.spans.items)
        head, tail = self._same(old)
        # What is known of the entries from here on has to be given its new place.
        self._moved_from = count - tail
        self._moved: list[Entry | None] = []
        self._rests: list[printing.Rest | None] = [None] * count
        self._blocks = [Block(count)] if count else []
        self._troubled: set[int] = set()
        self._named: Mapping[str, int] = {}
        self._until_named = _ONE_BY_ONE
        """How many ids are looked for before there is a table of them."""
        self._hinted: dict[Look, Sequence[int]] = {}
        self._hinted_around: dict[Look, tuple[Sequence[int], Sequence[int]]] = {}
        """What was found before, above and below what changed."""
        self._changed = (head, count - tail)
        self._cache: Cache | None = None
        self._runs: tuple[Run, ...] | None = None
        self._rows: list[Row | None] = []
        """What was kept of entries, until they are made of it."""
        self._until_asked = _FEW
        """How many entries are parsed before the cache is asked for the rest; 0 = it was."""
        super().__init__([None] * count)
        if old is not None and head + tail:
            self._take_over(old, head, tail)

    @property
    def is_bare(self) -> bool:
        """The file is a list without a key above it, a later shape (FORMATS 1.1)."""
        return bool(self.spans.items) and not self.spans.key

    def number(self, entry: Entry) -> int:
        """Return the place of an entry in its list, from 0."""
        start = entry.at.start if isinstance(entry.at, FileSpan) else 0
        return max(0, self._at(start))

    def printed(self, number: int) -> Printed:
        entry, rest = self[number], self._rests[number]
        if rest is None:
            rest = printing.rest_of(self.parsed(number).record, entry.ref.id)
        return Printed(entry, rest)

    def blocks(self) -> Sequence[Block]:
        """Return the entries' lines in the summary."""
        self._blocks = filled(self._blocks, self._block)
        return self._blocks

    def _digest(self) -> str:
        return digest_of(self.data)

    def _scanned_before(self) -> Index | None:
        """Return what another process saw in the same bytes."""
        from remem.edit.yaml_index import unpacked

        kept = self._given.get(_SCAN, self._digest, self._store.key)
        found = None if kept is None else unpacked(kept, self.data, self._store.key)
        self._is_scan_kept = found is not None
        return found

    def _keep_looks(self) -> None:
        """Keep where the items stand, and what was found in them without parsing."""
        from remem.edit.yaml_index import packed

        named = (self._digest(), self._store.key)
        seen = None if self._is_scan_kept else packed(self.spans)
        if seen is not None:
            self._given.put(seen, _SCAN, *named)
        self._is_scan_kept = True
        for look, places in self._hinted.items():
            if isinstance(look, WordLook) and look.name not in self._kept:
                self._given.put(array("q", places).tobytes(), _FOUND, *named, look.name)
                self._kept.add(look.name)

    def keep_in(self, cache: Cache) -> None:
        self._cache = cache if cache.keeps and len(self) >= _MANY else None

    def runs(self) -> Sequence[Run]:
        if self._runs is None:
            self._runs = ()
            spans = self.spans.items
            if self._cache is not None and isinstance(spans, Spans) and not _has_anchor(self.data):
                from remem.systems.sniper.cached_entries import runs_of

                kind = f"{self._store.kind}{'' if self.spans.key else ' bare'}"
                self._runs = tuple(runs_of(self.data, self.spans.ids, spans, kind))
        return self._runs

    def recall(self) -> None:
        """Take what was kept of all entries that were not read yet; the others will be parsed.

        Whoever edits the file asks for it: each entry above the edit has to be one that parses by
        itself, and of what was kept that is known.
        """
        if not self._until_asked:
            return
        self._until_asked = 0
        is_new = [each is None for each in self._known_from(0)]
        # Of a snapshot that follows another one nearly all is known, and proved.
        if max(sum(is_new), self.spans.closed.count(0)) < _FEW or not self.runs():
            return
        from remem.systems.sniper.cached_entries import KIND, decoded

        rows: list[Row | None] = [None] * len(self)
        for first, last, name in self.runs():
            data = None
            if self._cache is not None and True in is_new[first:last]:
                data = self._cache.get(KIND, name)
            found = decoded(data, last - first) if data is not None else ()
            if not found:
                continue
            self._kept.add(name)
            for number, row in enumerate(found, first):
                if row is not None and number not in self.twins:
                    rows[number] = row
                    # It was read by itself before, or it had not been kept.
                    self.spans.closed[number] = 1
        self._rows = rows

    def keep(self) -> None:
        if self._is_scanned:
            self._keep_looks()
        if self._cache is None or not self.runs():
            return
        known: list[Entry | None] = []
        for first, last, name in in_turns(self.runs()):
            if name in self._kept:
                continue
            known = known or self._known_from(0)
            if None in known[first:last] or None in self._rests[first:last]:
                continue
            from remem.systems.sniper.cached_entries import KIND, encoded

            self._kept.add(name)
            self._cache.put(encoded(map(self._row, range(first, last))), KIND, name)

    def _row(self, number: int) -> Row | None:
        """Return what is kept of an entry that was read; `None` where something is wrong."""
        from remem.systems.sniper.cached_entries import row_of

        entry, rest = self.known(number), self._rests[number]
        is_fine = self.spans.closed[number] and number not in self.twins
        if entry is None or rest is None or not is_fine or entry.problems:
            return None
        return row_of(entry, rest)

    def waiting(self) -> Iterator[Entry]:
        """Yield candidates; of what is not parsed yet, what may be one by a look at its bytes."""
        known = self._known_from(0)
        places = {
            number
            for number, entry in enumerate(known)
            if entry is not None and entry.status is Status.CANDIDATE
        }
        if None in known:
            hinted = (number for look in (_WAITS, _MERGES) for number in self.hinted(look))
            places.update(number for number in hinted if known[number] is None)
        return (self[number] for number in sorted(places))

    def hinted(self, look: Look) -> Sequence[int]:
        """Return the places of entries, rising, in whose bytes something is found.

        Of entries that did not change it is taken over: a look at all of a large store would stop
        the screen after every change.
        """
        found = self._hinted.get(look)
        if found is None:
            found = self._hinted_before(look)
        if found is None:
            above, below = self._hinted_around.get(look, ((), ()))
            found = (*above, *self._looked(look), *below)
        self._hinted[look] = found
        return found

    def _hinted_before(self, look: Look) -> Sequence[int] | None:
        """Return what another process found in the same bytes."""
        if not self._is_scanned or not isinstance(look, WordLook):
            return None
        kept = self._given.get(_FOUND, self._digest, self._store.key, look.name)
        if kept is None or len(kept) % 8:
            return None
        self._kept.add(look.name)
        places = array("q", kept)
        return places if not places or places[-1] < len(self) else None

    def unchanged(self, before: Sequence[Entry]) -> tuple[int, int]:
        return self._same(before) if isinstance(before, StoreEntries) else (0, 0)

    def known(self, index: int) -> Entry | None:
        """Return an entry if it was made, here or in the snapshot before, without parsing."""
        entry = self._items[index]
        if entry is None and index >= self._moved_from and self._moved:
            return self._moved[index - self._moved_from]
        return entry

    def _known_from(self, first: int) -> list[Entry | None]:
        """Return what is known of every entry from one on; to ask for each would take a while."""
        items, moved = self._items[first:], self._moved[max(first - self._moved_from, 0) :]
        stay = len(items) - len(moved)
        return items[:stay] + [
            old if new is None else new for new, old in zip(items[stay:], moved, strict=True)
        ]

    def _at(self, offset: int) -> int:
        """Return the last entry that begins at or before an offset; -1 = none does."""
        spans = self.spans.items
        starts = spans.starts if isinstance(spans, Spans) else [span.start for span in spans]
        return bisect_right(starts, offset) - 1

    def _looked(self, look: Look) -> Iterator[int]:
        """Yield the places of what is found in entries that are not those of the last snapshot."""
        first, last = self._changed if look in self._hinted_around else (0, len(self))
        if first >= last:
            return
        spans = self.spans.items
        for begin in range(first, last, _AT_A_TIME):
            until = min(begin + _AT_A_TIME, last)
            end = spans[until].start if until < len(spans) else len(self.data)
            yield from dict.fromkeys(map(self._at, look(self.data, spans[begin].start, end)))

    def _block(self, first: int, last: int) -> Block:
        return block_of(
            [(self[number].status, self.printed(number).bullet) for number in range(first, last)]
        )

    def ref(self, index: int) -> Ref:
        return self._ref(index)

    def bytes_of(self, index: int) -> bytes:
        span = self.spans.items[index]
        return self.data[span.start : span.end]

    def find(self, ref: Ref) -> int | None:
        """Return the place of the entry with that ref, without parsing any."""
        name = ref.id.removeprefix(f"{self._source.part}/")
        places = [n for n, twin in self.twins.items() if twin == ref.twin]
        first = self._first_named(name)
        if first is not None:
            places.insert(0, first)
        if name.isdecimal():
            places.append(int(name) - 1)
        return next((n for n in places if 0 <= n < len(self) and self._ref(n) == ref), None)

    def _first_named(self, name: str) -> int | None:
        """Return the first place with that id; a table of all is made where many are asked for."""
        ids = self.spans.ids
        if not self._named and self._until_named:
            self._until_named -= 1
            return ids.index(name) if name in ids else None
        if not self._named:
            self._named = dict(zip(reversed(ids), range(len(ids) - 1, -1, -1), strict=True))
        return self._named.get(name)

    def places_of(self, name: str) -> Iterator[int]:
        bare = name.removeprefix(f"{self._source.part}/")
        places = [number for number, each in enumerate(self.spans.ids) if each in (name, bare)]
        if bare.isdecimal() and 0 < int(bare) <= len(self):
            places = sorted({*places, int(bare) - 1})
        return (number for number in places if self._ref(number).id == name)

    def make(self, index: int) -> Entry:
        old = self.known(index)
        return self._parse(index) if old is None else _placed(old, self.spans.items[index])

    def _parse(self, number: int) -> Entry:
        if self._until_asked == 1:
            self.recall()
        elif self._until_asked:
            self._until_asked -= 1
        span = self.spans.items[number]
        row = self._rows[number] if self._rows else None
        if row is not None:
            self._rows[number] = None
            return self._of_row(number, span, row)
        parsed = self.parsed(number)
        record, ref = parsed.record, self._ref(number)
        self._rests[number] = printing.rest_of(record, ref.id)
        problems = (*parsed.problems, *self._twin_problems(number, record.id))
        if problems:
            self._troubled.add(number)
        return Entry(
            ref=ref,
            kind=record.kind,
            title=record.text,
            status=parsed.status,
            at=FileSpan(self._source.path, span.start, span.end),
            digest=digest_of(self.data[span.start : span.end]),
            roles=_shared(record.applies_to) if record.applies_to else None,
            rank=_shared((printing.step(record),)),
            date=intern(record.source.date) if record.source else "",
            problems=problems,
        )

    def _of_row(self, number: int, span: Span, row: Row) -> Entry:
        rest = row.rest
        self._rests[number] = rest if rest.name or rest.text else printing.usual(rest.word)
        return Entry(
            self._ref(number),
            self._store.kind,
            row.title,
            row.status,
            FileSpan(self._source.path, span.start, span.end),
            digest_of(self.data[span.start : span.end]),
            _shared(row.roles) if row.roles else None,
            _shared((row.step,)),
            "",
            intern(row.date),
        )

    def parsed(self, number: int) -> Parsed:
        """Return the item with its record, parsed anew."""
        span = self.spans.items[number]
        item = self._item(number)
        path = self._source.path
        problems = [replace(problem, path=path) for problem in item.problems]
        value = item.value
        model = RECORDS[self._store.kind]
        named = from_bare(self._store.kind, value) if self.is_bare else value
        record, faults = read_record(model, named)
        status, fault = read_status(record.status, model.words)
        for each in (*faults, *([fault] if fault else [])):
            name = ".".join(map(str, each.path))
            line = item.lines.get(name) or line_of(self.data, span.start)
            problems.append(
                Problem(each.code, each.message, each.hint, path, line, field=each.field)
            )
        return Parsed(value, record, status, tuple(problems))

    def value(self, number: int) -> Mapping[str, Any]:
        """Return what the item says, parsed anew; {} where it cannot be read."""
        return self._item(number).value

    def _item(self, number: int) -> Item:
        item = parse_item(self.data, self.spans.items[number])
        self.spans.closed[number] = item.is_closed
        return item

    def _ref(self, number: int) -> Ref:
        source, prefix = self._source, RECORDS[self._store.kind].prefix
        name = id_in_ref(source.part, prefix, self.spans.ids[number], number)
        return Ref(source.format, name, source.place, self.twins.get(number, 0))

    def _twin_problems(self, number: int, name: str) -> Iterator[Problem]:
        if number in self.twins:
            line = line_of(self.data, self.spans.items[number].start)
            yield Problem(
                "duplicate-id",
                f"several entries have the id `{name}`",
                "give one of them the next free id",
                self._source.path,
                line,
                field="id",
            )

    def _same(self, old: StoreEntries | None) -> tuple[int, int]:
        """Return how many entries at the start and at the end are those of the last snapshot."""
        if old is None or _has_anchor(self.data):
            return 0, 0
        head, tail = self.spans.head_and_tail(old.spans)
        if len(self.spans.ids) != len(old.spans.ids) and "" in self.spans.ids:
            tail = 0  # the ref of an entry without an id is its number
        return head, tail

    def _take_over(self, old: StoreEntries, head: int, tail: int) -> None:
        """Take over what is known, but for what names a line or counts twins, which may differ."""
        first, shift = len(old) - tail, len(self) - len(old)
        if not old._until_asked and len(self) - head - tail < _FEW:
            self._until_asked = 0  # what the cache had not then it has not now
        self._items[:head] = old._items[:head]
        self._moved = old._known_from(first)
        self._rests[:head] = old._rests[:head]
        self._rests[len(self) - tail :] = old._rests[first:]
        self._blocks = carried(old._blocks, head, tail, len(self))
        self._named = old._named if self.spans.ids == old.spans.ids else {}
        for look, places in old._hinted.items():
            above, below = bisect_left(places, head), bisect_left(places, first)
            moved_on = [number + shift for number in places[below:]]
            self._hinted_around[look] = (places[:above], moved_on)
        self._troubled = {number for number in old._troubled if number < head}
        moved = (number + shift for number in old._troubled if number >= first)
        # An old twin below the change has a problem, and has moved.
        for number in (*moved, *self.twins, *(number for number in old.twins if number < head)):
            if number < head:
                self._items[number] = None
            elif number >= self._moved_from:
                self._moved[number - self._moved_from] = None


def read_store(source: Source, data: bytes, before: Source | None) -> Source:
    """Return a store with its entries, found and not yet parsed."""
    begin_digest_of(data)  # while the items are looked for
    entries = StoreEntries(source, data, before)
    problems = (replace(problem, path=source.path) for problem in entries.spans.problems)
    return replace(
        source,
        data=data,
        digest=digest_of(data),
        entries=entries,
        problems=(*source.problems, *problems),
    )


def entries_of(source: Source) -> StoreEntries:
    """Return the entries of a store that was read.

    Raises:
        TypeError: The source is no store.
    """
    if not isinstance(source.entries, StoreEntries):
        raise TypeError(source.name)
    return source.entries


def stores_among(sources: Sequence[Source]) -> list[Source]:
    """Return the readable stores in the order of their sections."""
    order = [store.part for store in STORES]
    stores = [
        source
        for source in sources
        if source.kind is SourceKind.STORE and isinstance(source.entries, StoreEntries)
    ]
    return sorted(stores, key=lambda source: order.index(source.part))


def bullets(sources: Sequence[Source], part: str) -> list[Block]:
    """Return the summary lines of every entry of one part, in file order."""
    stores = (source for source in stores_among(sources) if source.part == part)
    return [block for source in stores for block in entries_of(source).blocks()]


def _has_anchor(data: bytes) -> bool:
    """Tell whether an entry may say what another one says for it."""
    return b"&" in data and _ANCHOR.search(data) is not None


@lru_cache(maxsize=10_000)
def _shared(value: T) -> T:
    """Return the first of all equal values: entries have the same few roles and ranks."""
    return value


def _placed(entry: Entry, span: Span) -> Entry:
    """Return an entry at another place of its file; `replace` takes four times as long."""
    path = entry.at.path if isinstance(entry.at, FileSpan) else Path()
    return Entry(
        entry.ref,
        entry.kind,
        entry.title,
        entry.status,
        FileSpan(path, span.start, span.end),
        entry.digest,
        entry.roles,
        entry.rank,
        entry.context,
        entry.date,
        entry.problems,
    )


_SENTENCE: Final = (
    rb"[\"']?+[ \t]*+:[ \t>|\"'-]*+\s*+[\"'`]?+"
    rb"(?:[Nn](?:o|ever) |[Aa]void |[Dd]o(?: not|n't) |[Ii]mport"
    rb"|[Cc]all|[Uu]s(?:e|ing) |[Bb]are|[Ee]mpty|[Ss]tar |[Ww]ildcard|TODO|FIXME|[Ee](?:very|ach) "
    rb"|[Aa]ll )"
)
MAY_SAY: Final = {
    word: lazy_pattern(word + after)
    for word, after in (
        (b"detection_hint", rb"[\"']?[ \t]*:"),
        (b"rule", _SENTENCE),
        (b"description", _SENTENCE),
        (b"text", _SENTENCE),
    )
}
"""What stands before words that may be read, by the key it begins with."""
_READABLE: Final = tuple(WordLook(word, pattern) for word, pattern in MAY_SAY.items())


def may_be_read(entries: StoreEntries) -> Sequence[int]:
    """Return the places of entries that may be read."""
    return tuple(dict.fromkeys(number for look in _READABLE for number in entries.hinted(look)))
