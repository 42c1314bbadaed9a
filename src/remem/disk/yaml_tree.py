"""A YAML text as nodes that know their bytes: the slow, exact way to read.

Owns the step from text to nodes. It reads ruamel's events, so that no loader ever builds a date, a
number or an object, and it stops at the depth limit while it reads. It refuses to say what a node
is worth (`yaml_values`) and what may be written (`yaml_splice`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError

if TYPE_CHECKING:
    from ruamel.yaml.events import Event

MAX_DEPTH: Final = 64
"""Levels of collections; what people write has fewer than ten."""
MAX_EXACT: Final = 256 * 1024
"""Bytes that the exact way takes at most: about a third of a second."""

_PROPERTIES: Final = re.compile(rb"(?:[ \t\r\n]+|#[^\r\n]*|[!&][^\s]*)*")
_IN_QUOTES: Final = re.compile(rb"(?<=[\s\[{,:])(?:\"(?:[^\"\\\n]|\\[^\n])*\"|'[^'\n]*')")
_NO_BRACKETS: Final = bytes(code for code in range(256) if code not in b"[]{}")
_COLON: Final = re.compile(rb"[ \t]*:")
_HEADER: Final = re.compile(rb"[|>][^\r\n]*")
# What ruamel has been seen to raise on hostile text, beside its own errors.
_RUAMEL_FAILS: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, NotImplementedError,
    RecursionError, TypeError, ValueError,
)  # fmt: skip


NULL_WORDS: Final = frozenset({"", "~", "null", "Null", "NULL"})


class Malformed(Exception):
    """The text is not one YAML document; line and column are from 1, 0 where not known."""

    def __init__(self, code: str, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.code, self.message, self.line, self.column = code, message, line, column


class Kind(Enum):
    """What a node is."""

    SCALAR = auto()
    LIST = auto()
    MAP = auto()
    ALIAS = auto()


@dataclass(slots=True, eq=False)
class Node:
    """One node; offsets are bytes of the file it was read from, the end excluded.

    The end of a block collection is the end of its last leaf: comments after it are not its own.
    """

    kind: Kind
    outer: int
    """Where its anchor or tag begins; `start` where it has none."""
    start: int
    end: int
    text: str = ""
    """Of a scalar its text, of an alias the name."""
    style: str = ""
    """Empty = plain, else the quote, `|` or `>`."""
    flow: bool = False
    anchor: str = ""
    tag: str = ""
    items: list[Node] = field(default_factory=list)
    pairs: list[tuple[Node, Node]] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """True for the nothing after `key:` or a dash."""
        return self.kind is Kind.SCALAR and self.start == self.end

    @property
    def is_null(self) -> bool:
        return self.kind is Kind.SCALAR and not self.style and self.text in NULL_WORDS

    @property
    def keeps_blanks(self) -> bool:
        """True for a block scalar whose blank lines at the end are content."""
        return self.style in ("|+", ">+")

    def children(self) -> Iterator[Node]:
        yield from self.items
        for key, value in self.pairs:
            yield key
            yield value

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(node.children())

    def value_of(self, key: str) -> Node | None:
        return next((value for name, value in self.pairs if name.text == key), None)


def last_leaf(node: Node) -> Node:
    """Return the node that ends last: itself, unless it is a block collection with content."""
    while not node.flow and (node.items or node.pairs):
        node = node.items[-1] if node.items else node.pairs[-1][1]
    return node


def content_end(data: bytes, node: Node) -> int:
    """Return where a node's last line with content ends, blank lines that count left out."""
    if not node.keeps_blanks:
        return node.end
    return node.start + _content_length(data[node.start : node.end])


_TO_DASH: Final = re.compile(rb"(?:[ \t\r\n]+|#[^\n]*)*-")


def dashes_of(data: bytes, node: Node) -> list[int]:
    """Return where each item of a list begins: at its dash, or at itself in a flow list."""
    if node.flow:
        return [item.outer for item in node.items]
    found, at = [], node.start
    for item in node.items:
        dash = _TO_DASH.match(data, at)
        if dash is None:
            raise Malformed("unusual", "the dash of a list item is not where it is expected")
        found.append(dash.end() - 1)
        at = max(item.end, dash.end())
    return found


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
        raise Malformed("too-big", f"{len(piece):,} bytes are too many to be read exactly")
    try:
        text = " " * column + piece.decode()
    except UnicodeDecodeError as error:
        raise Malformed("not-utf-8", f"it is not UTF-8 at byte {start + error.start:,}") from None
    return _Builder(data, start - column, text).build()


def _bracket_depth(piece: bytes) -> int:
    """Return how deep brackets nest: ruamel looks ahead through them, in squared time."""
    if piece.count(b"[") + piece.count(b"{") <= MAX_DEPTH:
        return 0
    depth = deepest = 0
    for char in _IN_QUOTES.sub(b"", piece).translate(None, _NO_BRACKETS):
        depth = depth + 1 if char in b"[{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


class _Builder:
    """Turns events into nodes with a stack of its own: depth is a number and not a crash."""

    def __init__(self, data: bytes, base: int, text: str) -> None:
        self.data, self.text, self.base = data, text, base
        self.stack: list[Node] = []
        self.keys: list[Node | None] = []
        self.root: Node | None = None
        self.documents = 0
        self.offsets: list[int] | None = None
        if not text.isascii():
            self.offsets = list(accumulate((len(char.encode()) for char in text), initial=0))

    def build(self) -> Node | None:
        try:
            for event in YAML(typ="safe", pure=True).parse(self.text):
                self.take(event)
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            raise Malformed(
                "syntax",
                _sentence(error),
                mark.line + 1 if mark else 0,
                mark.column + 1 if mark else 0,
            ) from None
        except ReaderError as error:
            raise _unreadable(error, self.text) from None
        except (YAMLError, *_RUAMEL_FAILS) as error:
            raise Malformed("syntax", f"the parser gave up: {type(error).__name__}") from None
        return self.root

    def at(self, index: int) -> int:
        return self.base + (self.offsets[index] if self.offsets else index)

    def take(self, event: Event) -> None:
        match event:
            case DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    line = event.start_mark.line + 1
                    raise Malformed("multi-document", "it holds more than one document", line)
            case ScalarEvent():
                self.add(self.scalar(event))
            case AliasEvent():
                start, end = self.at(event.start_mark.index), self.at(event.end_mark.index)
                self.add(Node(Kind.ALIAS, start, start, end, str(event.anchor)))
            case SequenceStartEvent():
                self.open(self.collection(Kind.LIST, event), event.start_mark.line)
            case MappingStartEvent():
                self.open(self.collection(Kind.MAP, event), event.start_mark.line)
            case SequenceEndEvent() | MappingEndEvent():
                self.close(self.at(event.end_mark.index))
            case _:
                pass

    def open(self, node: Node, line: int) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise Malformed("too-deep", f"it is nested more than {MAX_DEPTH} levels deep", line + 1)
        self.add(node)
        self.stack.append(node)
        self.keys.append(None)

    def close(self, end: int) -> None:
        node = self.stack.pop()
        self.keys.pop()
        if node.flow:
            node.end = end
        elif node.items or node.pairs:
            node.end = max(node.items[-1].end if node.items else node.pairs[-1][1].end, node.end)
            if node.pairs:
                node.end = max(node.end, node.pairs[-1][0].end)

    def add(self, node: Node) -> None:
        if not self.stack:
            self.root = node
            return
        parent, key = self.stack[-1], self.keys[-1]
        if parent.kind is Kind.LIST:
            parent.items.append(node)
        elif key is None:
            self.keys[-1] = node
        else:
            if node.is_empty and node.outer == node.start:
                self.settle(key, node)
            parent.pairs.append((key, node))
            self.keys[-1] = None

    def settle(self, key: Node, value: Node) -> None:
        """Put a missing value right after its colon: the parser puts it at the next token."""
        colon = _COLON.match(self.data, key.end)
        value.outer = value.start = value.end = colon.end() if colon else key.end

    def scalar(self, event: ScalarEvent) -> Node:
        start, end = self.at(event.start_mark.index), self.at(event.end_mark.index)
        node = Node(Kind.SCALAR, start, start, end, str(event.value), event.style or "")
        self.give_properties(node, event)
        if node.style in ("|", ">"):
            header = _HEADER.match(self.data, node.start)
            if header and b"+" in header[0].split(b"#")[0]:
                node.style += "+"
            else:
                node.end = node.start + _content_length(self.data[node.start : node.end])
        return node

    def collection(self, kind: Kind, event: SequenceStartEvent | MappingStartEvent) -> Node:
        start, end = self.at(event.start_mark.index), self.at(event.end_mark.index)
        node = Node(kind, start, start, end, flow=bool(event.flow_style))
        self.give_properties(node, event)
        return node

    def give_properties(
        self, node: Node, event: ScalarEvent | SequenceStartEvent | MappingStartEvent
    ) -> None:
        node.anchor = str(event.anchor or "")
        node.tag = str(event.ctag or "")
        if not (node.anchor or node.tag):
            return
        skipped = _PROPERTIES.match(self.data, node.outer)
        node.start = skipped.end() if skipped else node.outer
        if node.kind is Kind.SCALAR and not node.text and not node.style:
            node.start = node.end


def _content_length(body: bytes) -> int:
    """Return where the last content line of a block scalar ends, its line break left out."""
    lines = body.split(b"\n")
    filled = [line for line in lines[1:] if line.strip()]
    indent = len(filled[0]) - len(filled[0].lstrip(b" ")) if filled else 0
    last = 0
    for number, line in enumerate(lines[1:], 1):
        if line.strip() or (filled and len(line.rstrip(b"\r")) > indent):
            last = number
    return len(b"\n".join(lines[: last + 1]).rstrip(b"\r"))


def _sentence(error: MarkedYAMLError) -> str:
    parts = [str(part).strip() for part in (error.problem, error.context) if part]
    return ", ".join(parts).replace("\n", " ") or "it is not YAML"


def _unreadable(error: ReaderError, text: str) -> Malformed:
    before = text[: error.position]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    code = (
        ord(str(error.character)[:1] or "?")
        if not isinstance(error.character, int)
        else error.character
    )
    return Malformed(
        "control-character", f"the character U+{code:04X} may not stand in YAML", line, column
    )


def is_merge(key: Node) -> bool:
    """Say whether a key takes the keys of another mapping in (`<<`)."""
    return key.kind is Kind.SCALAR and key.text == "<<" and not key.style


def places(root: Node) -> Iterable[tuple[tuple[str | int, ...], Node]]:
    """Yield every key path below `root` with the node of its key or list item."""
    waiting: list[tuple[tuple[str | int, ...], Node]] = [((), root)]
    while waiting:
        path, node = waiting.pop()
        for number, item in enumerate(node.items):
            yield (*path, number), item
            waiting.append(((*path, number), item))
        for key, value in node.pairs:
            yield (*path, key.text), key
            waiting.append(((*path, key.text), value))
