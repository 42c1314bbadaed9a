"""Reads YAML: one item of a store, or one small file; fast where that is certain to be right.

Owns what a YAML text is read as, the limits, and what a byte sequence must be to be text at all.
ryaml reads fast; ruamel's events are the authority wherever ryaml fails or could differ: tags,
anchors, merge keys, tabs, keys that are not text. How events become the nodes of that exact way is
`yaml_events`, which is loaded when it is first needed. It refuses to raise: what is wrong becomes a
`Problem`. Where the items of a store stand is `yaml_index`'s.

What an edit rests on is read as nodes, and for that ruamel takes as long as writing to the disk. So
the commonest shape of a list item is read without a parser (`plain_item`). Invariant: it returns
the very nodes that the parser's events give (`yaml_events.Builder`), or none. It holds because of
what is let through: one dash, below it one `key: value` a line, all of ASCII. A value is a few
words of letters, digits and `_./-`, or stands in quotes without an escape, or is a list or mapping
of these in brackets, with one space where one is usual. None of them begins or ends in another way
for what stands around it, as every line that goes on differently is let through by nothing here. A
test holds it against the parser.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeGuard, TypeVar

from remem.base.errors import Problem
from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.edit.yaml_tree import (
    MAX_DEPTH,
    Kind,
    Malformed,
    Node,
    Reader,
    anchors_of,
    line_start,
    next_line,
    places,
    start_of,
)

if TYPE_CHECKING:
    from types import ModuleType

    from remem.edit.yaml_index import Span

try:
    _ryaml: ModuleType | None = import_module("ryaml")
except ImportError:  # no wheel for this Python: slower, and all the same
    _ryaml = None
_loads: Final[Callable[[str], object] | None] = getattr(_ryaml, "loads", None)
_FAILURES: Final[tuple[type[Exception], ...]] = (
    getattr(_ryaml, "InvalidYamlError", ValueError), ValueError, RecursionError,
)  # fmt: skip

MAX_FILE: Final = 64 * 1024 * 1024
MAX_PIECE: Final = 1024 * 1024
"""Bytes of one item or one small file."""
MAX_EXACT: Final = 256 * 1024
"""Bytes that the exact way takes at most: about a third of a second."""
_MOST_LEVELS: Final = 256
"""Levels that brackets may seem to have for the fast way, which takes squared time for them."""
_AUTHORITY: Final = lazy_pattern(rb"[!&*](?<![^\s\[{,:].)(?=[^\s=])|<<|\t")
_SIGNS: Final = (b"!", b"&", b"*", b"<<", b"\t")
_QUOTED: Final = lazy_pattern(rb"(?<=[\s\[{,:])(?:\"(?:[^\"\\\n]|\\[^\n])*\"|'[^'\n]*')")
_OTHER_BREAKS: Final = (b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9")
_LINE_END: Final = 0x0A
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_LONG: Final = 64 * 1024


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


class NotQuick(Enum):
    """The fast way has no answer that can be relied on."""

    NOT_QUICK = "not quick"


NOT_QUICK: Final = NotQuick.NOT_QUICK


@dataclass(frozen=True, slots=True)
class Parsed:
    """What the exact way found."""

    node: Node | None
    value: Value
    problems: tuple[Problem, ...]


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


def file_problems(data: bytes) -> tuple[Problem, ...]:
    """Return why the bytes cannot be read as text; nothing where they can."""
    if len(data) > MAX_FILE:
        return (_blocking("too-big", f"the file has {len(data):,} bytes", "the limit is 64 MiB"),)
    if data.startswith(_WIDE):
        return (_blocking("utf-16", "the file is UTF-16 or UTF-32", "save it as UTF-8"),)
    if (at := data.find(b"\0")) >= 0:
        return (
            _blocking("control-character", f"a NUL byte stands at offset {at:,}", "", data, at),
        )
    if (at := _conflict_at(data)) >= 0:
        message, hint = "it has unresolved git conflict markers", "resolve them in your editor"
        return (_blocking("conflict-markers", message, hint, data, at),)
    if data.isascii():
        return ()
    try:
        data.decode()
    except UnicodeDecodeError as error:
        message = f"it is not UTF-8 at offset {error.start:,}"
        return (_blocking("not-utf-8", message, "save it as UTF-8", data, error.start),)
    return ()


def _conflict_at(data: bytes) -> int:
    """Return where git left both sides of a conflict; -1 = nowhere. No YAML has such lines."""
    start = at = -1
    for sign in (b"<<<<<<< ", b"=======", b">>>>>>> "):
        at = data.find(sign, at + 1)
        while at > 0 and data[at - 1] != _LINE_END:
            at = data.find(sign, at + 1)
        if at < 0:
            return -1
        start = at if start < 0 else start
    return start


def _blocking(code: str, message: str, hint: str, data: bytes = b"", at: int = -1) -> Problem:
    if at < 0:
        return Problem(code, message, hint, blocks_writing=True)
    column = at - data.rfind(b"\n", 0, at)
    return Problem(code, message, hint, line=line_of(data, at), column=column, blocks_writing=True)


def has_other_breaks(data: bytes) -> bool:
    """Say whether some reader sees a line break that is neither LF nor CRLF."""
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        return True
    return not data.isascii() and any(mark in data for mark in _OTHER_BREAKS)


def line_of(data: bytes, at: int) -> int:
    """Return the line of a byte offset, from 1."""
    if len(data) < _LONG:
        return data.count(b"\n", 0, at) + 1
    return bisect_right(_breaks(data), at - 1) + 1


@lru_cache(maxsize=2)
def _breaks(data: bytes) -> array[int]:
    """Return where the line breaks are: counting anew for each of 10,000 items takes seconds."""
    found = array("q")
    at = data.find(b"\n")
    while at >= 0:
        found.append(at)
        at = data.find(b"\n", at + 1)
    return found


def quick(text: bytes, most: int = MAX_PIECE) -> Value | NotQuick:
    """Parse with ryaml where its answer equals the exact one, `most` bytes at the most."""
    if _loads is None or len(text) > most or needs_authority(text):
        return NOT_QUICK
    if may_nest_deeper(text, _MOST_LEVELS):
        return NOT_QUICK
    try:
        value = _loads(text.decode())
    except _FAILURES:
        return NOT_QUICK
    return value if _is_plain(value) else NOT_QUICK


def needs_authority(text: bytes) -> bool:
    """Say whether ryaml could read it otherwise: tags, anchors, merges, tabs, odd line breaks."""
    if not text.isascii() and any(mark in text for mark in _OTHER_BREAKS):
        return True
    if not any(sign in text for sign in _SIGNS):
        return False
    return bool(_AUTHORITY.search(text)) and bool(_AUTHORITY.search(_QUOTED.sub(b'""', text)))


def _is_plain(value: object) -> TypeGuard[Value]:
    """Say whether every key is text and the depth is within the limit."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        below: list[object] = []
        for part in level:
            if isinstance(part, dict):
                if {*map(type, part)} - {str}:
                    return False
                below.extend(part.values())
            elif isinstance(part, list):
                below.extend(part)
        if not below:
            return True
        level = below
    return False


def parse_exactly(
    data: bytes, start: int, end: int, column: int = 0, *, unwrap: bool = False
) -> Parsed:
    """Parse `data[start:end]` with the authority; `unwrap` takes the only item of a block list."""
    try:
        root = compose(data, start, end, column)
        if unwrap:
            root = _only_item(root)
    except Malformed as error:
        return Parsed(None, None, (problem_of(error, line_of(data, start) - 1),))
    if root is None:
        return Parsed(None, None, ())
    anchors = anchors_of(root)
    if any(node.text not in anchors for node in root.walk() if node.kind is Kind.ALIAS):
        anchors = {**_anchors_of_file(data), **anchors}
    reader = Reader(anchors, sum(1 for _ in root.walk()))
    value = reader.value(root)
    flaws = (
        Problem(
            flaw.code,
            flaw.message,
            HINTS.get(flaw.code, ""),
            line=line_of(data, flaw.at),
            column=flaw.at - data.rfind(b"\n", 0, flaw.at),
            field=flaw.field,
            blocks_writing=flaw.blocks_writing,
        )
        for flaw in reader.flaws
    )
    return Parsed(root, value, tuple(flaws))


def _only_item(root: Node | None) -> Node:
    if root is None or root.kind is not Kind.LIST or len(root.items) != 1:
        raise Malformed("syntax", "the lines do not make one list item", 1)
    return root.items[0]


HINTS: Final = {
    "syntax": "fix the line in an editor",
    "duplicate-key": "remove one of the two in an editor",
    "multi-document": "keep one document per file",
    "too-deep": f"the limit is {MAX_DEPTH} levels",
    "too-big": "split it into smaller files",
    "alias-bomb": "write the values in full",
    "surrogate": "write the complete character",
}


def problem_of(error: Malformed, lines_before: int = 0) -> Problem:
    """Return what stopped the parser as a problem; `lines_before` stand above what it read."""
    return Problem(
        error.code,
        error.message,
        HINTS.get(error.code, ""),
        line=error.line + lines_before if error.line else 0,
        column=error.column,
        blocks_writing=True,
    )


@lru_cache(maxsize=2)
def _anchors_of_file(data: bytes) -> dict[str, Node]:
    """Return the anchors of the whole file, for an item that uses another one's."""
    if len(data) > MAX_EXACT:
        return {}
    try:
        root = compose(data, start_of(data))
    except Malformed:
        return {}
    return anchors_of(root) if root else {}


_ASIDE: Final = lazy_pattern(
    rb"(?<![^\s\[{,:])(?:\"(?:[^\"\\]|\\.?)*(?:\"|$)|'(?:[^']|'')*(?:'|$))|(?<!\S)#.*"
)
"""Quotes, to the end of the line where they go on, and comments."""
_REST_OF_QUOTES: Final = (
    lazy_pattern(rb"(?:[^\"\\]|\\.?)*\""),
    lazy_pattern(rb"(?:[^']|'')*'"),
)
_PLAIN_PAIR: Final = lazy_pattern(rb"\[[^\[\]{}\"'#\n]*\]|\{[^\[\]{}\"'#\n]*\}")
_NO_BRACKETS: Final = bytes(code for code in range(256) if code not in b"[]{}")
_OPENING: Final = b"[{"


def may_nest_deeper(text: bytes, levels: int) -> bool:
    """Tell whether brackets may nest deeper than that many levels, which are one at least."""
    if _openers(text) <= levels:
        return False
    # Most brackets hold a few words, and close with nothing between that could hide it.
    text, levels = _PLAIN_PAIR.sub(b"", text), levels - 1
    if _openers(text) <= levels:
        return False
    below = 0
    for line in text.splitlines():
        if b"[" not in line and b"{" not in line:
            continue
        ways = [_climb(way, levels) for way in _ways_to_begin(line)]
        if below + max(peak for peak, _ in ways) > levels:
            return True
        below += max(left for _, left in ways)
    return False


def _openers(text: bytes) -> int:
    return text.count(b"[") + text.count(b"{")


def _ways_to_begin(line: bytes) -> Iterator[bytes]:
    """Yield what counts of a line: outside quotes, and where it begins inside either of them."""
    yield _ASIDE.sub(b"", line)
    for rest in _REST_OF_QUOTES:
        inside = rest.match(line)
        if inside is not None:
            yield _ASIDE.sub(b"", line[inside.end() :])


def _climb(line: bytes, levels: int) -> tuple[int, int]:
    """Return how deep a line goes, and how deep it ends; looks no further than past the levels."""
    depth = peak = 0
    for sign in line.translate(None, _NO_BRACKETS):
        depth = depth + 1 if sign in _OPENING else max(depth - 1, 0)
        peak = max(peak, depth)
        if peak > levels:
            break
    return peak, depth


def compose(data: bytes, start: int = 0, end: int | None = None, column: int = 0) -> Node | None:
    """Read `data[start:end]` as one document whose first byte stands in `column`.

    Returns:
        The root with offsets into `data`; `None` for an empty document.

    Raises:
        Malformed: It is not one document, too deep or too big for the exact way.
    """
    piece = data[start:end]
    if _bracket_depth(piece) > MAX_DEPTH:
        raise Malformed("too-deep", f"it is nested more than {MAX_DEPTH} levels deep")
    if len(piece) > MAX_EXACT:
        raise Malformed("too-big", f"{len(piece):,} bytes are too many to parse")
    try:
        text = " " * column + piece.decode()
    except UnicodeDecodeError as error:
        raise Malformed("not-utf-8", f"it is not UTF-8 at byte {start + error.start:,}") from None
    # ruamel takes as long to load as a hundred entries take to read without it.
    from remem.edit.yaml_events import Builder

    return Builder(data, start - column, text).build()


def _bracket_depth(piece: bytes) -> int:
    """Return how deep brackets nest: ruamel looks ahead through them, in squared time."""
    if piece.count(b"[") + piece.count(b"{") <= MAX_DEPTH:
        return 0
    depth = deepest = 0
    for char in _QUOTED.sub(b"", piece).translate(None, _NO_BRACKETS):
        depth = depth + 1 if char in b"[{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


_MOST_PLAIN: Final = 16 * 1024
"""Bytes of an item; longer ones are rare, and have a shape of their own."""
_LETTERS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_IN_KEY: Final = _LETTERS + b"0123456789_-"
_IN_WORDS: Final = _IN_KEY + b"./ "
_NO_KEY_BEGINS: Final = b"-0123456789"
_LONGEST_KEY: Final = 100


def plain_item(data: bytes, start: int, end: int) -> Node | None:
    """Return the list that is written in some lines, if it has one item of the commonest shape.

    Args:
        data: The file.
        start: Where the line of its dash begins.
        end: Where the last of its lines ends, or blank lines behind it.
    """
    if end - start > _MOST_PLAIN or data[end - 1 : end] != b"\n":
        return None
    dash = data.find(b"- ", start, end)
    if dash < 0 or data[start:dash].strip(b" "):
        return None
    at = dash + 2
    item = Node(Kind.MAP, at, at, at)
    indent = b" " * (at - start)
    while True:
        line_end = data.index(b"\n", at, end)
        pair = _plain_pair(data, at, line_end)
        if pair is None:
            return None
        item.pairs.append(pair)
        item.end = line_end
        if not data.startswith(indent, line_end + 1, end):
            break
        at = line_end + 1 + len(indent)
    if data[line_end:end].strip(b"\n"):
        return None
    return Node(Kind.LIST, dash, dash, line_end, items=[item])


def _plain_pair(data: bytes, start: int, end: int) -> tuple[Node, Node] | None:
    """Return the key and the value of which a line consists from `start` on."""
    key = _plain_key(data, start, end)
    if key is None:
        return None
    at = key.end + 2
    in_brackets = data[at : at + 1] in (b"[", b"{")
    value = _in_brackets(data, at, end) if in_brackets else _plain_scalar(data, at, end)
    return None if value is None else (key, value)


def _plain_key(data: bytes, start: int, end: int) -> Node | None:
    """Return the key that stands before the first colon that a space follows."""
    colon = data.find(b": ", start, end)
    key = data[start : max(colon, start)]
    if len(key) > _LONGEST_KEY or key[:1] in _NO_KEY_BEGINS or key.translate(None, _IN_KEY):
        return None  # an empty one has nothing to begin with
    return Node(Kind.SCALAR, start, start, colon, key.decode("ascii"))


def _plain_scalar(data: bytes, start: int, end: int) -> Node | None:
    """Return the scalar of which these bytes consist: a few words, or what quotes hold."""
    text = data[start:end]
    quote = text[:1]
    if quote in (b'"', b"'"):
        inside = text[1:-1]
        is_closed = len(text) > 1 and text.endswith(quote) and quote not in inside
        if not is_closed or not inside.isascii() or (quote == b'"' and b"\\" in inside):
            return None
        words = inside.decode("ascii")
        return (
            Node(Kind.SCALAR, start, start, end, words, chr(quote[0]))
            if words.isprintable()
            else None
        )
    if text.translate(None, _IN_WORDS) or not all(each[:1].isalnum() for each in text.split(b" ")):
        return None
    return Node(Kind.SCALAR, start, start, end, text.decode("ascii"))


def _in_brackets(data: bytes, start: int, end: int) -> Node | None:
    """Return the list or mapping in brackets of which these bytes consist."""
    is_list = data[start : start + 1] == b"["
    closing = end - 1
    if data[closing:end] != (b"]" if is_list else b"}"):
        return None
    node = Node(Kind.LIST if is_list else Kind.MAP, start, start, end, flow=True)
    at = start + 1
    while True:
        key = None if is_list else _plain_key(data, at, closing)
        if key is not None:
            at = key.end + 2
        elif not is_list:
            return None
        stop = _scalar_end(data, at, closing)
        value = _plain_scalar(data, at, stop)
        if value is None:
            return None
        if key is None:
            node.items.append(value)
        else:
            node.pairs.append((key, value))
        if stop == closing:
            return node
        if data[stop : stop + 2] != b", ":
            return None
        at = stop + 2


def _scalar_end(data: bytes, start: int, end: int) -> int:
    """Return where a scalar in brackets ends, if it is of the commonest shape."""
    quote = data[start : start + 1]
    if quote in (b'"', b"'"):
        closing = data.find(quote, start + 1, end)
        return end if closing < 0 else closing + 1
    comma = data.find(b",", start, end)
    return end if comma < 0 else comma
