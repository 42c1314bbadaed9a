"""A YAML text as nodes that know their bytes.

Owns what a node is; the step from text to nodes is `yaml_compose`. It refuses to say what a node is
worth (`yaml_values`) and what may be written (`yaml_splice`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

MAX_DEPTH: Final = 64
"""Levels of collections; what people write has fewer than ten."""

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
    return node.start + content_length(data[node.start : node.end])


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


def content_length(body: bytes) -> int:
    """Return where the last content line of a block scalar ends, its line break left out."""
    lines = body.split(b"\n")
    filled = [line for line in lines[1:] if line.strip()]
    indent = len(filled[0]) - len(filled[0].lstrip(b" ")) if filled else 0
    last = 0
    for number, line in enumerate(lines[1:], 1):
        if line.strip() or (filled and len(line.rstrip(b"\r")) > indent):
            last = number
    return len(b"\n".join(lines[: last + 1]).rstrip(b"\r"))


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
