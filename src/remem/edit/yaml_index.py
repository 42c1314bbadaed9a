"""The items of a list in a store file: where each of them stands, and how the next version differs.

Owns the guess at the bytes without a parser (ten thousand items in some 10 ms), how an item is cut,
how the index follows an edit without a look at the whole file, and the proof of the guess by a
parser (`index`, `is_proven`, `check`), without which nothing is written.

An index can be kept as bytes, under a digest of the file, so that the next process need not look
for the items again. That proves no more than the scan did, and of an index that tells of problems
nothing is kept.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from operator import add, sub
from struct import Struct, error
from typing import Final, NamedTuple, overload
from weakref import ReferenceType, WeakValueDictionary, ref

from remem.base.errors import Problem
from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.edit.lines import common_prefix, common_suffix
from remem.edit.yaml_read import (
    MAX_EXACT,
    MAX_FILE,
    NOT_QUICK,
    compose,
    file_problems,
    has_other_breaks,
    line_of,
    parse_exactly,
    parse_item,
    problem_of,
    quick,
)
from remem.edit.yaml_tree import (
    Kind,
    Malformed,
    Node,
    dashes_of,
    last_leaf,
    line_end,
    line_start,
    start_of,
)

_GAP: Final = lazy_pattern(rb"(?:[ \t]*(?:#[^\n]*)?\n)*")
_MARKER: Final = lazy_pattern(rb"---[ \t]*(?:#[^\n]*)?\r?\n")
_DASH: Final = lazy_pattern(rb"( *)-(?=[ \t\r\n]|\Z)")
_ENDS: Final = rb"(?=[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)|[ ]*[,}])"
_PLAIN_ID: Final = rb"([^\s\"'\[\]{},&*!|>#%@`][^\s,{}]*)"
_ID: Final = rb"[\"']?id[\"']?: *(?:\"([^\"\\\n]+)\"|'([^'\n]+)'|" + _PLAIN_ID + rb")" + _ENDS
_LATER_ID: Final = lazy_pattern(rb"\n( +)" + _ID)
_FLOW_ID: Final = lazy_pattern(rb"[{,]\s*" + _ID)
_FIRST_COLUMN: Final = lazy_pattern(rb"-( +)[^\s#]")
_DEDENT: Final = lazy_pattern(rb"\n[^ \n\r#\t]")
_DEDENT_AT_0: Final = lazy_pattern(rb"\n(?!-(?:[ \t\r\n]|\Z))[^ \n\r#\t]")
_LAST_COMMENTS: Final = lazy_pattern(rb"(?:\s*\n[ \t]*#[^\n]*)+\Z")
_BLOCK_HEADER: Final = lazy_pattern(rb"[|>][-+0-9]*[ \t]*(?:#[^\n]*)?\r?\n")
_KEEPING_HEADER: Final = lazy_pattern(rb"[|>][0-9]?\+")
_LINE_COMMENT: Final = lazy_pattern(rb"[ \t]#.*|^#.*", re.DOTALL)
_CLOSERS: Final = lazy_pattern(rb"[\"'\]}]")
_NOTHING: Final = frozenset({b"", b"~", b"null", b"Null", b"NULL"})


@dataclass(frozen=True, slots=True)
class Found:
    """A block list as the scan sees it."""

    key: str
    column: int
    """Of the dashes."""
    start: int
    """Where the line of the key begins; of the first dash in a bare list."""
    first: int
    """Byte offset of the first dash."""
    end: int
    """Where the line after the list begins."""
    dashes: tuple[int, ...]
    ids: tuple[str, ...]


def scan(data: bytes, key: str) -> Found | None:
    """Return the block list below `key`, or a bare one; `None` where a look is not enough."""
    top = _skip(data, start_of(data))
    if marker := _MARKER.match(data, top):
        top = _skip(data, marker.end())
    if _DASH.match(data, top) and data[top : top + 1] == b"-":
        return _items(data, "", top, top)
    name = re.escape(key.encode()) + rb":[ \t]*(?:#[^\n]*)?\r?\n"
    here = re.compile(name).match(data, top)
    found = here or re.compile(rb"\n" + name).search(data, top)
    if found is None or not key:
        return None
    return _items(data, key, found.start() + (here is None), _skip(data, found.end()))


def _skip(data: bytes, at: int) -> int:
    gap = _GAP.match(data, at)
    return gap.end() if gap else at


def _items(data: bytes, key: str, start: int, at: int) -> Found | None:
    dash = _DASH.match(data, at)
    if dash is None:
        return None
    column = len(dash[1])
    leaves = _dedent(column).search(data, at)
    end = leaves.start() + 1 if leaves else len(data)
    dashes, ids = _dashes(data, column, at, end)
    return Found(key, column, start, at + column, end, dashes, ids)


def scan_part(data: bytes, key: str, column: int, at: int, end: int) -> Found | None:
    """Return the items of a block list between two of its lines, each at a dash or after the list.

    `None` where the list ends in between. What is found is what `scan` finds there: a dash, an id
    and the end of the list show in one line each.
    """
    if _dedent(column).search(data, at, end):
        return None
    return Found(key, column, at, at + column, end, *_dashes(data, column, at, end))


def _dedent(column: int) -> re.Pattern[bytes]:
    return _DEDENT if column else _DEDENT_AT_0


def _dashes(data: bytes, column: int, at: int, end: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    before = b" " * column + rb"(?=-(?:[ \t\r\n]|\Z))"
    first = re.compile(before).match(data, at, end)
    later = re.compile(rb"\n" + before).finditer(data, at, end)
    dashes = (*((first.end(),) if first else ()), *map(re.Match.end, later))
    return dashes, _plain_ids(data, len(dashes), column, at, end) or _ids(data, dashes, end)


def _plain_ids(data: bytes, count: int, column: int, at: int, end: int) -> tuple[str, ...]:
    """Return the ids if each of so many items begins with a plain one, and nothing otherwise.

    Each that is found stands behind a dash of its own: as many as there are dashes are all of them.
    """
    line = b" " * column + rb"- id: " + _PLAIN_ID + rb"(?=\r?\n)"
    first = re.compile(line).match(data, at, end)
    names = re.compile(rb"\n" + line).findall(data, at, end)
    if first:
        names.insert(0, first[1])
    if len(names) != count:
        return ()
    return tuple(b"\n".join(names).decode("utf-8", "replace").split("\n"))


def _ids(data: bytes, dashes: Iterable[int], end: int) -> tuple[str, ...]:
    named = re.compile(rb"-(?: +\{? *" + _ID + rb")?")
    found = (named.match(data, dash, end) for dash in dashes)
    return tuple(_text(match) if match else "" for match in found)


def _text(match: re.Match[bytes]) -> str:
    return match[match.lastindex].decode("utf-8", "replace") if match.lastindex else ""


def is_nothing(piece: bytes) -> bool:
    """Say whether `piece`, an item from its dash on, is empty: a null item."""
    if b"\n" in piece.rstrip():
        return False
    return _LINE_COMMENT.sub(b"", piece[1:]).strip() in _NOTHING


def later_id(piece: bytes, column: int) -> str:
    """Return the id of an item that does not begin with it; empty where the look finds none."""
    if piece[1:].lstrip().startswith(b"{"):
        inside = _FLOW_ID.search(piece)
        return _text(inside) if inside else ""
    gap = _FIRST_COLUMN.match(piece)
    for match in _LATER_ID.finditer(piece):
        if gap is None or len(match[1]) == column + 1 + len(gap[1]):
            return _text(match)
    return ""


def cut(data: bytes, dashes: Sequence[int], end: int) -> list[int]:
    """Return where each item ends: with its last line that is no comment and not blank."""
    first = dashes[0] if dashes else end
    keeps = data.find(b"+", first, end) >= 0 and bool(_KEEPING_HEADER.search(data, first, end))
    limits = [*dashes[1:], end]
    if not keeps and data.find(b"#", first, end) < 0:
        pieces = map(data.__getitem__, map(slice, dashes, limits))
        return [*map(add, dashes, map(len, map(bytes.rstrip, pieces)))]
    ends = []
    for dash, limit in zip(dashes, limits, strict=True):
        piece = data[dash:limit].rstrip()
        if keeps or b"#" in piece:
            ends.append(_cut_one(data, dash, limit, keeps))
        else:
            ends.append(dash + len(piece))
    return ends


def _cut_one(data: bytes, dash: int, limit: int, keeps: bool) -> int:
    piece = data[dash:limit].rstrip()
    last = piece[piece.rfind(b"\n") + 1 :].lstrip()
    keeps = keeps and _KEEPING_HEADER.search(piece) is not None
    if not keeps and not (last.startswith(b"#") and len(last) < len(piece)):
        return dash + len(piece)
    comments = _LAST_COMMENTS.search(piece)
    kept = piece[: comments.start()] if comments else piece
    # What looks like a comment may be a line of a block scalar, or end a quoted text or brackets.
    doubtful = _BLOCK_HEADER.search(piece) or _CLOSERS.search(piece[len(kept) :])
    if not (doubtful or keeps):
        return dash + len(kept)
    try:
        root = compose(data, line_start(data, dash), limit)
    except Malformed:
        return dash + len(kept)
    return dash + len(kept) if root is None else end_of(data, root)


def end_of(data: bytes, node: Node) -> int:
    """Return where an item ends whose exact node is known: with the line of its last leaf."""
    leaf = last_leaf(node)
    if leaf.keeps_blanks:
        return leaf.end
    return leaf.end + len(data[leaf.end : line_end(data, leaf.end)].rstrip())


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
    ends = cut(data, found.dashes, found.end)
    spans = Spans(found.dashes, [*map(sub, ends, found.dashes)])
    nameless = [number for number, name in enumerate(found.ids) if not name]
    ids = list(found.ids)
    for number in nameless:
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
    empty = [number for number in nameless if _is_empty(data, spans[number])]
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


_HEAD: Final = Struct("=4q?")
"""Column, both ends of the region, how many items; whether they stand below a key."""


def packed(index: Index) -> bytes | None:
    """Return an index as bytes; `None` where it cannot be kept."""
    if index.problems or index.column < 0 or not isinstance(index.items, Spans):
        return None
    head = _HEAD.pack(index.column, *index.region, len(index.items), bool(index.key))
    names = "\n".join(index.ids).encode("utf-8", "surrogatepass")
    return head + index.items.packed(0) + names


def unpacked(kept: bytes, data: bytes, key: str) -> Index | None:
    """Return the index of a file from what `packed` made of it; `None` where that cannot be.

    Args:
        kept: What was kept.
        data: The file.
        key: The one that was asked for when it was scanned.
    """
    try:
        column, start, end, count, is_keyed = _HEAD.unpack_from(kept)
    except error:
        return None
    middle, names = _HEAD.size + 8 * count, _HEAD.size + 16 * count
    if count <= 0 or not 0 <= start < end <= len(data) or names > len(kept):
        return None
    starts, sizes = array("q", kept[_HEAD.size : middle]), array("q", kept[middle:names])
    ids = tuple(kept[names:].decode("utf-8", "surrogatepass").split("\n"))
    if len(ids) != count or starts[-1] + sizes[-1] > len(data):
        return None
    return Index(
        key if is_keyed else "",
        Spans(starts, sizes),
        ids,
        column=column,
        region=Span(start, end),
        data=data,
        closed=bytearray(count),
    )


_live: Final[WeakValueDictionary[tuple[int, str], Index]] = WeakValueDictionary()
"""The indexes in use, by the `id` of the bytes that each of them holds; bytes never change."""


def index(
    data: bytes,
    key: str,
    before: Index | None = None,
    kept: Callable[[], Index | None] | None = None,
) -> Index:
    """Find the items of the list below `key`, or of a bare list.

    A file up to 256 KiB is checked whole at once; of a bigger one the frame around the items is
    parsed here, and what is wrong inside an item shows when it is parsed, or in `check`.

    Args:
        data: The file.
        key: A top-level key.
        before: Of an earlier version of this file: saves the look at all that did not change, and
            makes no difference to what is found.
        kept: Gives what an earlier process saw in the same bytes, if that was kept.
    """
    known = _live.get((id(data), key))
    if known is not None and known.data is data:
        return known
    made = followed(before, data) if before is not None else None
    if made is None and kept is not None and len(data) > MAX_EXACT:
        made = kept()
    if made is None or not _may_stand(data, made):
        made = _index(data, key)
    _live[id(data), key] = made
    return made


def _may_stand(data: bytes, made: Index) -> bool:
    """Say whether what a scan saw needs no proof yet, or has one."""
    return len(data) > MAX_EXACT or _first_open(data, made, len(made.items)) is None


def _index(data: bytes, key: str) -> Index:
    problems = file_problems(data)
    if problems:
        return Index(key, problems=problems, data=data)
    found = None if has_other_breaks(data) else scan(data, key)
    if found is not None and _frame_holds(data, found):
        made = index_of(data, found)
        if _may_stand(data, made):
            return made
    made = Index(key) if _is_new(data, key) else _index_exactly(data, key)
    return replace(made, data=data, closed=bytearray(len(made.items)))


def _is_new(data: bytes, key: str) -> bool:
    """Say whether the file holds an empty list and nothing else, as most begin."""
    return data.rstrip().endswith(b"]") and quick(data[start_of(data) :]) == {key: []}


def _frame_holds(data: bytes, found: Found) -> bool:
    """Say whether the list stands where the scan saw it: a parser sees a probe put in its place."""
    probe = b"- remem"
    frame = data[start_of(data) : found.first] + probe + b"\n" + data[found.end :]
    value = quick(frame)
    if value is not NOT_QUICK:
        return (value.get(found.key) if isinstance(value, dict) else value) == ["remem"]
    try:
        root = compose(frame)
    except Malformed:
        return False
    if root is None:
        return False
    node = root.value_of(found.key) if found.key else root
    return node is not None and node.start == found.first - start_of(data) and len(node.items) == 1


def _first_open(data: bytes, made: Index, before: int) -> int | None:
    """Return the first of the items before `before` that does not parse by itself."""
    number = made.closed.find(0, 0, before)
    while number >= 0:
        if not parse_item(data, made.items[number]).is_closed:
            return number
        made.closed[number] = 1
        number = made.closed.find(0, number, before)
    return None


def is_proven(data: bytes, made: Index, number: int) -> bool:
    """Say whether the item's dash is real: every item before it is closed by itself.

    A reader walks from left to right. The frame shows that the first dash is real; an item that
    parses alone leaves nothing open, so the dash after it in the same column is real too.
    """
    return _first_open(data, made, number) is None


def check(data: bytes, key: str) -> tuple[Problem, ...]:
    """Check a store whole: the problems of the file and of every item that does not parse.

    Worth calling once in the background: edits of these bytes then need no proof of their own.
    """
    made = index(data, key)
    found = list(made.problems)
    for number, span in enumerate(made.items):
        if not made.closed[number]:
            item = parse_item(data, span)
            made.closed[number] = item.is_closed
            found.extend(problem for problem in item.problems if problem.blocks_writing)
    return tuple(found)


def _index_exactly(data: bytes, key: str) -> Index:
    """Find the items with the authority: flow lists, odd frames, and files that do not parse."""
    if len(data) > MAX_EXACT:
        message = "the file is too big for its layout"
        hint = f"write `{key}:` and one `- ` for each entry, each on lines of its own"
        return Index(key, problems=(Problem("unusual", message, hint, blocks_writing=True),))
    parsed = parse_exactly(data, start_of(data), len(data))
    if parsed.node is None:
        return Index(key if parsed.problems else "", problems=parsed.problems)
    top = parsed.node
    if top.kind is Kind.MAP:
        node = top.value_of(key)
        if node is None:
            message, hint = f"the file has no `{key}`", f"`{key}: []` is an empty list"
            return Index(key, problems=(Problem("missing-key", message, hint, line=1),))
    else:
        key, node = "", top
    return _index_node(data, key, node, parsed.problems)


def _index_node(data: bytes, key: str, node: Node, known: tuple[Problem, ...]) -> Index:
    if node.kind is not Kind.LIST:
        if node.is_null:
            return Index(key, problems=tuple(_of_file(key, known)))
        what = f"`{key}` is not a list" if key else "the file is neither a mapping nor a list"
        wrong = Problem(
            "wrong-shape", what, "an entry starts with `- `",
            line=line_of(data, node.start), blocks_writing=True,
        )  # fmt: skip
        return Index(key, problems=(wrong,))
    items, ids, problems = [], [], _of_file(key, known)
    try:
        dashes = dashes_of(data, node)
    except Malformed as error:
        line = line_of(data, node.start)
        return Index(key, problems=(replace(problem_of(error), line=line),))
    for item, dash in zip(node.items, dashes, strict=True):
        if item.is_null:
            problems.append(empty_item(data, dash))
        else:
            items.append(Span(dash, item.end if node.flow else end_of(data, item)))
            name = item.value_of("id")
            ids.append(name.text if name else "")
    return Index(key, tuple(items), tuple(ids), tuple(problems))


def _of_file(key: str, problems: tuple[Problem, ...]) -> list[Problem]:
    """Leave out what belongs to an item: it shows when that is parsed."""
    return [found for found in problems if not found.field or (key and "." not in found.field)]
