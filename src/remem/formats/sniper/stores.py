"""The three stores of project memory: where their entries stand, and what each of them says.

Entries are parsed when they are asked for and taken over from the last snapshot where their bytes
did not change. Changing a store is `edits.py`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from remem.disk.yaml_parse import line_of
from remem.disk.yaml_read import index, parse_item
from remem.formats.sniper import printing
from remem.model.entry import Entry, FileSpan, Problem, Ref, Status, digest_of
from remem.model.sniper import ANTI_PATTERN, CONVENTION, DECISION, RECORDS, Stored, from_bare
from remem.model.source import Lazy, Source, SourceKind
from remem.model.tolerant import read_record, read_status


@dataclass(frozen=True, slots=True)
class Store:
    """One kind of store file."""

    part: str
    """Its file name without the ending, and the part of its sources."""
    key: str
    kind: str


STORES: Final = (
    Store("conventions", "conventions", CONVENTION),
    Store("anti-patterns", "anti_patterns", ANTI_PATTERN),
    Store("decisions", "decisions", DECISION),
)
BY_PART: Final[Mapping[str, Store]] = {store.part: store for store in STORES}
BY_KIND: Final[Mapping[str, Store]] = {store.kind: store for store in STORES}

_STATUS: Final = re.compile(
    rb"status[\"']?[ \t]*:[ \t]*[\"']?([A-Za-z]*)[\"']?[ \t]*(?=[\r\n,}#]|$)"
)
_IN_FORCE: Final = frozenset({b"confirmed", b"active"})
_ANCHOR: Final = re.compile(rb"[\s\[,{]&[^\s,\]}]")
_BLOCK: Final = 1 << 16


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

    status: Status
    bullet: str
    """Its line in `summary.md`."""
    piece: str
    """Its lines in a prompt."""


@dataclass(slots=True)
class _Kept:
    """What one snapshot of a store takes over from the last."""

    same: Sequence[Entry | None] = ()
    """Entries from the start of the file, at their old places."""
    moved: dict[int, Entry] = field(default_factory=dict)
    """Number → an entry whose bytes are the same and stand elsewhere now."""
    printed: dict[int, Printed] = field(default_factory=dict)


class StoreEntries(Lazy[Entry]):
    """The entries of one store file, in file order."""

    def __init__(self, source: Source, data: bytes, before: Source | None) -> None:
        store = BY_PART[source.part]
        self.spans = index(data, store.key)
        self.starts = [span.start for span in self.spans.items]
        self.ends = [span.end for span in self.spans.items]
        self.data = data
        self.twins = _twins(self.spans.ids)
        self._source = source
        self._store = store
        kept = self._keep(before)
        self._moved = kept.moved
        self._printed = kept.printed
        self._named: Mapping[str, int] = {}
        super().__init__(len(self.spans.items), self._make_entry, kept.same)

    @property
    def is_bare(self) -> bool:
        """The file is a list without a key above it, a later shape (FORMATS 1.1)."""
        return bool(self.starts) and not self.spans.key

    def number(self, entry: Entry) -> int:
        """Return the place of an entry in its list, from 0."""
        start = entry.at.start if isinstance(entry.at, FileSpan) else 0
        return max(0, bisect_right(self.starts, start) - 1)

    def printed(self, number: int) -> Printed:
        if number not in self._printed:
            self._parse(number)
        return self._printed[number]

    def waiting(self) -> Iterator[Entry]:
        """Yield entries in whose bytes a status word stands that is not one in force."""
        last = -1
        for at in self._hints():
            number = bisect_right(self.starts, at) - 1
            if number > last and at < self.ends[number]:
                last = number
                yield self[number]

    def known(self, number: int) -> Entry | None:
        """Return an entry if it was made, here or in the snapshot before, without parsing."""
        return self.made(number) or self._moved.get(number)

    def ref(self, index: int) -> Ref:
        return self._ref(index)

    def find(self, ref: Ref) -> int | None:
        """Return the place of the entry with that ref, without parsing any."""
        name = ref.id.removeprefix(f"{self._source.part}/")
        if not self._named and len(self):
            ids = self.spans.ids
            self._named = dict(zip(reversed(ids), range(len(ids) - 1, -1, -1), strict=True))
        places = [n for n, twin in self.twins.items() if twin == ref.twin]
        if name in self._named:
            places.insert(0, self._named[name])
        if name.isdecimal():
            places.append(int(name) - 1)
        return next((n for n in places if 0 <= n < len(self) and self._ref(n) == ref), None)

    def known_printed(self) -> Mapping[int, Printed]:
        return self._printed

    def _hints(self) -> Iterator[int]:
        """Yield offsets, rising, at which the bytes may make an entry a candidate."""
        merged = self.data.find(b"<<:") >= 0
        if merged:
            yield from self.starts
            return
        at = self.data.find(b"status")
        while at >= 0:
            match = _STATUS.match(self.data, at)
            if match is None or match[1].lower() not in _IN_FORCE:
                yield at
            at = self.data.find(b"status", at + 6)

    def _make_entry(self, number: int) -> Entry:
        old = self._moved.pop(number, None)
        if old is None:
            return self._parse(number)
        span = self.spans.items[number]
        at = FileSpan(self._source.path, span.start, span.end)
        return replace(old, ref=self._ref(number), at=at)

    def _parse(self, number: int) -> Entry:
        span = self.spans.items[number]
        parsed = self.parsed(number)
        record, ref = parsed.record, self._ref(number)
        name = record.id or ref.id
        self._printed[number] = Printed(
            parsed.status, printing.bullet(record, name), printing.piece(record, name)
        )
        return Entry(
            ref=ref,
            kind=record.kind,
            title=record.text,
            status=parsed.status,
            at=FileSpan(self._source.path, span.start, span.end),
            digest=digest_of(self.data[span.start : span.end]),
            roles=record.applies_to or None,
            rank=(printing.step(record),),
            date=record.source.date if record.source else "",
            problems=(*parsed.problems, *self._twin_problems(number, record.id)),
        )

    def parsed(self, number: int) -> Parsed:
        """Return the item with its record, parsed anew."""
        span = self.spans.items[number]
        item = parse_item(self.data, span)
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

    def _ref(self, number: int) -> Ref:
        source, name = self._source, self.spans.ids[number]
        prefix = f"{RECORDS[self._store.kind].prefix}-"
        if not name:
            name = f"{source.part}/{number + 1}"
        elif not name.startswith(prefix):
            # The other stores may hold the same word.
            name = f"{source.part}/{name}"
        return Ref(source.format, name, source.place, self.twins.get(number, 0))

    def _twin_problems(self, number: int, name: str) -> Iterator[Problem]:
        if number in self.twins:
            line = line_of(self.data, self.starts[number])
            yield Problem(
                "duplicate-id",
                f"several entries have the id `{name}`",
                "give one of them the next free id",
                self._source.path,
                line,
                field="id",
            )

    def _keep(self, before: Source | None) -> _Kept:
        old = before.entries if before is not None else None
        if not isinstance(old, StoreEntries) or self.twins or old.twins:
            return _Kept()
        if old.is_bare != self.is_bare or _has_anchor(self.data):
            return _Kept()
        head, tail = _shared(old, self)
        kept = _Kept([old.known(number) for number in range(head)])
        shift = len(self.starts) - len(old.starts)
        for number in range(len(old.starts) - tail, len(old.starts)):
            entry = old.known(number)
            # A problem names its line, which is another one now.
            if entry is not None and not entry.problems:
                kept.moved[number + shift] = entry
        for number, printed in old.known_printed().items():
            if number < head:
                kept.printed[number] = printed
            elif number >= len(old.starts) - tail and number + shift in kept.moved:
                kept.printed[number + shift] = printed
        return kept


def read_store(source: Source, data: bytes, before: Source | None) -> Source:
    """Return a store with its entries, found and not yet parsed."""
    entries = StoreEntries(source, data, before)
    problems = (replace(problem, path=source.path) for problem in entries.spans.problems)
    return replace(source, entries=entries, problems=(*source.problems, *problems))


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


def bullets(sources: Sequence[Source], part: str) -> list[tuple[Status, str]]:
    """Return status and summary line of every entry of one part, in file order."""
    found: list[tuple[Status, str]] = []
    for source in stores_among(sources):
        if source.part == part:
            entries = entries_of(source)
            lines = (entries.printed(number) for number in range(len(entries)))
            found += [(line.status, line.bullet) for line in lines]
    return found


def _has_anchor(data: bytes) -> bool:
    """Tell whether one entry may say what stands in another one."""
    first = data.find(b"&")
    return first >= 0 and _ANCHOR.search(data, max(0, first - 1)) is not None


def _twins(ids: Sequence[str]) -> dict[int, int]:
    """Return the number of each entry that shares its id: 0 for the first, then 2, 3 and so on."""
    if len(set(ids)) == len(ids):
        return {}
    places: dict[str, list[int]] = {}
    for number, name in enumerate(ids):
        if name:
            places.setdefault(name, []).append(number)
    return {
        number: 0 if turn == 1 else turn
        for numbers in places.values()
        if len(numbers) > 1
        for turn, number in enumerate(numbers, start=1)
    }


def _shared(old: StoreEntries, new: StoreEntries) -> tuple[int, int]:
    """Return how many entries at the start and at the end stand in bytes that are the same."""
    same = _common(old.data, new.data)
    head = bisect_right(new.ends, same)
    if not _agree(old, new, head):
        # The last one may have grown: what follows it was put into it.
        head = head - 1 if _agree(old, new, head - 1) else 0
    longest = min(len(old.data), len(new.data)) - same
    rest = min(longest, _common_end(old.data, new.data))
    tail = len(new.starts) - bisect_right(new.starts, len(new.data) - rest)
    tail = min(tail, len(old.starts) - head, len(new.starts) - head)
    shift = len(new.data) - len(old.data)
    moved = [start + shift for start in old.starts[len(old.starts) - tail :]]
    return head, tail if moved == new.starts[len(new.starts) - tail :] else 0


def _agree(old: StoreEntries, new: StoreEntries, head: int) -> bool:
    if head < 0 or old.starts[:head] != new.starts[:head]:
        return False
    return old.ends[:head] == new.ends[:head]


def _common(old: bytes, new: bytes) -> int:
    """Return how many bytes at the start are the same, rounded down to whole blocks at worst."""
    limit = min(len(old), len(new))
    at = 0
    while at < limit and old[at : at + _BLOCK] == new[at : at + _BLOCK]:
        at += _BLOCK
    at = min(at, limit)
    step = _BLOCK
    while step:
        if at + step <= limit and old[at : at + step] == new[at : at + step]:
            at += step
        step //= 2
    return at


def _common_end(old: bytes, new: bytes) -> int:
    """Return how many bytes at the end are the same."""
    limit = min(len(old), len(new))
    at, step = 0, _BLOCK
    while step:
        if at + step <= limit and (
            old[len(old) - at - step : len(old) - at] == new[len(new) - at - step : len(new) - at]
        ):
            at += step
        else:
            step //= 2
    return at
