"""Reads YAML: finds the items of a store, parses one item or one small file.

Owns what a YAML text is read as, and whether it may be written. It refuses to raise: what is wrong
becomes a `Problem`. ryaml reads fast; ruamel's events are the authority wherever ryaml fails or
could differ: tags, anchors, merge keys, tabs, keys that are not text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final, Generic, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from remem.base.errors import Problem
from remem.base.frozen import dataclass
from remem.edit.yaml_index import (
    Found,
    Index,
    Span,
    empty_item,
    end_of,
    followed,
    index_of,
    scan,
)
from remem.edit.yaml_parse import (
    MAX_EXACT,
    MAX_PIECE,
    NOT_QUICK,
    compose,
    file_problems,
    has_other_breaks,
    line_of,
    parse_exactly,
    problem_of,
    quick,
)
from remem.edit.yaml_tree import (
    Kind,
    Malformed,
    Node,
    dashes_of,
    line_start,
    next_line,
    places,
    start_of,
)

Value: TypeAlias = "bool | int | float | str | list[Value] | dict[str, Value] | None"
"""Plain data; dates are text, always."""
K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Item:
    """One parsed record."""

    value: dict[str, Value]
    problems: tuple[Problem, ...]
    lines: Mapping[str, int]
    """Field → line in the file, from 1; `source.date` and `seen.0.ref` for what lies deeper."""
    is_closed: bool = True
    """It parses by itself, so that it leaves nothing open for what follows it."""


@dataclass(frozen=True, slots=True)
class Document:
    """A small file, read whole."""

    value: Value
    problems: tuple[Problem, ...]
    lines: Mapping[tuple[str | int, ...], int]


class Lines(Mapping[K, int], Generic[K]):
    """Lines of fields, found when they are first asked for: most items never are."""

    __slots__ = ("_find", "_found")

    def __init__(self, find: Callable[[], dict[K, int]]) -> None:
        self._find = find
        self._found: dict[K, int] | None = None

    def _all(self) -> dict[K, int]:
        if self._found is None:
            self._found = self._find()
        return self._found

    def __getitem__(self, key: K) -> int:
        return self._all()[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


_live: Final[WeakValueDictionary[tuple[int, str], Index]] = WeakValueDictionary()
"""The indexes in use, by the `id` of the bytes that each of them holds; bytes never change."""


def parse_item(data: bytes, span: Span) -> Item:
    """Parse one item by itself.

    Nothing raises: what cannot be read gives an empty value and a problem that blocks writing.
    """
    piece = data[span.start : span.end]
    if len(piece) > MAX_PIECE:
        message = f"the entry has {len(piece):,} bytes"
        problem = Problem("too-big", message, "the limit is 1 MiB")
        return _unusable(problem, data, span, is_closed=False)
    column, block = span.start - line_start(data, span.start), is_block_item(piece)
    end = _with_break(data, span) if block else span.end
    value = quick(b" " * column + data[span.start : end])
    if block and isinstance(value, list) and len(value) == 1:
        value = value[0]
    elif block:
        value = NOT_QUICK
    problems: tuple[Problem, ...] = ()
    if value is NOT_QUICK:
        parsed = parse_exactly(data, span.start, end, column, unwrap=block)
        value, problems = parsed.value, parsed.problems
        if parsed.node is None:
            return Item({}, problems, {}, is_closed=False)
    if not isinstance(value, dict):
        return _unusable(Problem("not-a-mapping", "the entry is not a mapping"), data, span)
    return Item(value, problems, Lines(lambda: _field_lines(data, span)))


def _with_break(data: bytes, span: Span) -> int:
    """Return the end of an item with its line break, which counts where a block scalar ends it."""
    ended = data[span.end - 1 : span.end] == b"\n"
    return span.end if ended else next_line(data, span.end)


def is_block_item(piece: bytes) -> bool:
    """Say whether an item's bytes begin with a dash of a block list."""
    return piece[:1] == b"-" and piece[1:2] in (b"", b" ", b"\t", b"\r", b"\n")


def _unusable(problem: Problem, data: bytes, span: Span, *, is_closed: bool = True) -> Item:
    line = line_of(data, span.start)
    return Item({}, (replace(problem, line=line, blocks_writing=True),), {}, is_closed)


def _field_lines(data: bytes, span: Span) -> dict[str, int]:
    column = span.start - line_start(data, span.start)
    unwrap = is_block_item(data[span.start : span.start + 2])
    node = parse_exactly(data, span.start, span.end, column, unwrap=unwrap).node
    found = places(node) if node else ()
    return {".".join(map(str, path)): line_of(data, place.start) for path, place in found}


def parse_document(data: bytes, most: int = MAX_PIECE) -> Document:
    """Parse a small file whole; an empty one is `None`.

    Args:
        data: The file.
        most: Bytes that it may have; what only the exact way can read may have 256 KiB.
    """
    problems = file_problems(data)
    if len(data) > most and not problems:
        message, hint = f"the file has {len(data):,} bytes", f"{most >> 20} MiB is the limit"
        problems = (Problem("too-big", message, hint, blocks_writing=True),)
    if problems:
        return Document(None, problems, {})
    start = start_of(data)
    value = quick(data[start:], most)
    if value is NOT_QUICK:
        parsed = parse_exactly(data, start, len(data))
        return Document(parsed.value, parsed.problems, Lines(lambda: _path_lines(data)))
    return Document(value, (), Lines(lambda: _path_lines(data)))


def _path_lines(data: bytes) -> dict[tuple[str | int, ...], int]:
    node = parse_exactly(data, start_of(data), len(data)).node
    return {path: line_of(data, place.start) for path, place in places(node)} if node else {}


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
