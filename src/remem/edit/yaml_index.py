"""The items of a list in a store file: where each of them stands, and how the next version differs.

Owns the index and how it follows an edit without a look at the whole file. It refuses to parse:
what a file of bytes is the index of, and whether its dashes are real, `yaml_read` says.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from typing import Final, NamedTuple, overload
from weakref import ReferenceType, ref

from remem.base.errors import Problem
from remem.base.frozen import dataclass
from remem.edit.lines import common_prefix, common_suffix
from remem.edit.yaml_parse import MAX_FILE, file_problems, has_other_breaks, line_of
from remem.edit.yaml_scan import Found, cut, is_nothing, later_id, scan_part

_SHORT: Final = 200
"""Bytes of an item that may be nothing but a comment."""


class Span(NamedTuple):
    """Bytes of a file: offsets from 0, the end excluded."""

    start: int
    end: int


_NOWHERE: Final = Span(0, 0)


class Spans(Sequence[Span]):
    """Spans in file order, kept as numbers: as objects they would weigh ten times as much."""

    __slots__ = ("_sizes", "starts")

    def __init__(self, starts: Iterable[int] = (), sizes: Iterable[int] = ()) -> None:
        self.starts = array("q", starts)
        self._sizes = array("q", sizes)

    @overload
    def __getitem__(self, index: int) -> Span: ...
    @overload
    def __getitem__(self, index: slice) -> Spans: ...
    def __getitem__(self, index: int | slice) -> Span | Spans:
        if isinstance(index, slice):
            return Spans(self.starts[index], self._sizes[index])
        start = self.starts[index]
        return Span(start, start + self._sizes[index])

    def __len__(self) -> int:
        return len(self.starts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and [*self] == [*other]

    def __hash__(self) -> int:
        return hash((*self,))

    def __repr__(self) -> str:
        return repr((*self,))

    def packed(self, begin: int) -> bytes:
        """Return where they are, counted from `begin`: equal spans give equal bytes."""
        return (
            array("q", [start - begin for start in self.starts]).tobytes() + self._sizes.tobytes()
        )

    def replaced(self, first: int, last: int, new: Spans, shift: int) -> Spans:
        """Return them with others from `first` to before `last`, and all after these moved on."""
        moved = array("q", [start + shift for start in self.starts[last:]])
        return Spans(
            self.starts[:first] + new.starts + moved,
            self._sizes[:first] + new._sizes + self._sizes[last:],
        )


@dataclass(frozen=True, slots=True)
class Same:
    """What an index took over from the one before: items whose bytes did not change."""

    index: ReferenceType[Index]
    head: int
    """How many at the start, at their old places."""
    tail: int
    """How many at the end."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Index:
    """The top-level list of records of one store file.

    A block item reaches from its dash to the end of its last line with content (trailing blanks
    left out); a flow item from its first to its last character. Blank lines and comments between
    items belong to none, so what stands there can change without changing any item's bytes. An
    empty item is a problem and has no place in `items`.
    """

    key: str
    """Empty for a bare list and for a file without content."""
    items: Sequence[Span] = ()
    ids: tuple[str, ...] = ()
    """As a look finds them, without parsing; empty where it finds none."""
    problems: tuple[Problem, ...] = ()
    column: int = -1
    """Of the dashes; -1 where the list is not a block list that begins on a line of its own."""
    region: Span = _NOWHERE
    """Of a block list: from the line of its key to the line after it."""
    data: bytes = field(default=b"", repr=False, compare=False)
    closed: bytearray = field(default_factory=bytearray, repr=False, compare=False)
    """A 1 for each item known to parse by itself: such an item cannot swallow what follows it."""
    same: Same | None = field(default=None, repr=False, compare=False)

    @property
    def is_writable(self) -> bool:
        return not any(problem.blocks_writing for problem in self.problems)

    def head_and_tail(self, before: Index) -> tuple[int, int]:
        """Return how many items at the start and at the end are those of an earlier index."""
        if self is before:
            return len(self.items), 0
        if self.same is None or self.same.index() is not before:
            return 0, 0
        return self.same.head, self.same.tail


def index_of(data: bytes, found: Found) -> Index:
    """Return the index of what a scan saw, not yet proven."""
    ends = cut(data, found.dashes, found.end, found.column)
    spans = Spans(found.dashes, [end - dash for dash, end in zip(found.dashes, ends, strict=True)])
    ids = list(found.ids)
    for number, name in enumerate(found.ids):
        if not name:
            start, end = spans[number]
            ids[number] = later_id(data[start:end], found.column)
    made = Index(
        found.key,
        spans,
        tuple(ids),
        column=found.column,
        region=Span(found.start, found.end),
        data=data,
        closed=bytearray(len(spans)),
    )
    # Only an item without an id can be empty, which is quicker to see.
    empty = [
        number
        for number, name in enumerate(found.ids)
        if not name and _is_empty(data, spans[number])
    ]
    return _without(made, empty) if empty else made


def empty_item(data: bytes, at: int) -> Problem:
    """Return what is wrong with an item of which there is nothing but the dash."""
    message = "a list item is empty"
    return Problem("null-item", message, "remove the dash in an editor", line=line_of(data, at))


def _is_empty(data: bytes, span: Span) -> bool:
    return span.end - span.start < _SHORT and is_nothing(data[span.start : span.end])


def _without(made: Index, empty: Sequence[int]) -> Index:
    gone = frozenset(empty)
    kept = [number for number in range(len(made.items)) if number not in gone]
    spans = [made.items[number] for number in kept]
    return replace(
        made,
        items=Spans([span.start for span in spans], [span.end - span.start for span in spans]),
        ids=tuple(made.ids[number] for number in kept),
        problems=tuple(empty_item(made.data, made.items[number].start) for number in empty),
        closed=bytearray(len(kept)),
    )


def followed(before: Index, data: bytes) -> Index | None:
    """Return the index of what the file became; `None` where that needs a look at the whole.

    Only lines from one dash to another are scanned, around all that differs. What stands above and
    below is byte for byte what was looked at before, and nothing that a scan looks for reaches from
    one line into the next.
    """
    if before.column < 0 or before.problems or not isinstance(before.items, Spans):
        return None
    head = common_prefix(before.data, data)
    tail = min(common_suffix(before.data, data), min(len(before.data), len(data)) - head)
    part = _touched(before, before.items.starts, head, len(before.data) - tail)
    if part is None or len(data) > MAX_FILE:
        return None
    first, last, end = part
    shift = len(data) - len(before.data)
    line = before.items.starts[first] - before.column
    lines = data[line : end + shift]
    if file_problems(lines) or has_other_breaks(lines):
        return None
    found = scan_part(data, before.key, before.column, line, end + shift)
    if found is None:
        return None
    # An item is cut before the next dash, not before the blanks that stand before it.
    stop = end + shift if last == len(before.items) else before.items.starts[last] + shift
    new = index_of(data, replace(found, end=stop))
    if new.problems or not isinstance(new.items, Spans):
        return None
    closed = before.closed
    return replace(
        before,
        items=before.items.replaced(first, last, new.items, shift),
        ids=(*before.ids[:first], *new.ids, *before.ids[last:]),
        region=Span(before.region.start, before.region.end + shift),
        data=data,
        closed=closed[:first] + bytearray(len(new.items)) + closed[last:],
        same=Same(ref(before), first, len(before.items) - last),
    )


def _touched(
    before: Index, starts: Sequence[int], head: int, tail: int
) -> tuple[int, int, int] | None:
    """Return which items a change from `head` to `tail` may touch, and the line after them."""
    # Of the first one the dash and what follows it stay, so that it is a dash as before.
    first = bisect_right(starts, head - 2) - 1
    # The line break above the next one stays too, so that its line begins where it did.
    last = bisect_left(starts, tail + 1 + before.column)
    if first < 0:
        return None
    if last < len(starts):
        return first, last, starts[last] - before.column
    end = before.region.end
    return (first, last, end) if end == len(before.data) or tail < end else None
