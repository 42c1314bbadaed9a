"""A YAML text as nodes that know their bytes.

Owns what a node is, what it is worth as plain data, the way through aliases and merges, and where
lines begin and end. The step from text to nodes is `yaml_read`; what may be written says
`yaml_splice`. Reading a value refuses to raise: one that cannot be had is `None` or text, with a
flaw that says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from remem.edit.yaml_read import Value

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


_TO_DASH: Final = lazy_pattern(rb"(?:[ \t\r\n]+|#[^\n]*)*-")


def dashes_of(data: bytes, node: Node) -> list[int]:
    """Return where each item of a list begins: at its dash, or at itself in a flow list."""
    if node.flow:
        return [item.outer for item in node.items]
    found, at = [], node.start
    for item in node.items:
        if not data.startswith(b"-", at):
            dash = _TO_DASH.match(data, at)
            if dash is None:
                raise Malformed("unusual", "the dash of a list item is not where it is expected")
            at = dash.end() - 1
        found.append(at)
        at = max(item.end, at + 1)
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


BOM: Final = b"\xef\xbb\xbf"


def start_of(data: bytes) -> int:
    """Return the length of the BOM."""
    return 3 if data.startswith(BOM) else 0


def line_start(data: bytes, at: int) -> int:
    """Return where the line of `at` begins; a BOM stands before the first line."""
    return max(data.rfind(b"\n", 0, at) + 1, start_of(data))


def line_end(data: bytes, at: int) -> int:
    """Return where the line of `at` ends, its line break left out."""
    end = data.find(b"\n", at)
    if end < 0:
        return len(data)
    return end - 1 if end > at and data[end - 1] == 13 else end


def next_line(data: bytes, at: int) -> int:
    """Return where the line after that of `at` begins; the end of the file after the last."""
    end = data.find(b"\n", at)
    return len(data) if end < 0 else end + 1


_BOOL: Final = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_INT: Final = lazy_pattern(r"[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|0|[1-9][0-9]{0,20})")
_FLOAT: Final = lazy_pattern(
    r"[-+]?(?:(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)"
)
_HALF: Final = lazy_pattern("[\ud800-\udfff]")
_SPECIAL: Final = lazy_pattern(r"([-+]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_WIDEST: Final = 400
"""Characters of a number; longer ones are text, whatever they look like."""


def resolve(text: str) -> Value:
    """Return what a plain scalar means by the YAML 1.2 core rules.

    Dates, sexagesimal numbers, `010`, `1_000` and numbers that no 64 bits hold are text.
    """
    if text in NULL_WORDS:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if len(text) > _WIDEST:
        return text
    if _INT.fullmatch(text):
        number = _integer(text)
        return number if -(2**63) <= number < 2**64 else text
    if _FLOAT.fullmatch(text):
        real = float(text)
        return text if real in (float("inf"), float("-inf")) else real
    if special := _SPECIAL.fullmatch(text):
        return float("nan") if special[1] is None else float(special[1] + "inf")
    return text


def _integer(text: str) -> int:
    digits = text.lstrip("+-")
    base = {"0x": 16, "0o": 8, "0b": 2}.get(digits[:2], 10)
    number = int(digits[2:] if base != 10 else digits, base)
    return -number if text[0] == "-" else number


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong with a value that still could be read."""

    code: str
    message: str
    at: int
    """Byte offset of the node."""
    field: str = ""
    blocks_writing: bool = True


def anchors_of(root: Node) -> dict[str, Node]:
    """Return the anchored nodes by name; the last one wins, as for an alias at the end."""
    return {node.anchor: node for node in root.walk() if node.anchor}


CORE_TAG: Final = "tag:yaml.org,2002:"
_KNOWN_TAGS: Final = frozenset(
    CORE_TAG + name for name in ("str", "int", "float", "bool", "null", "map", "seq", "timestamp")
)
_MOST_NODES: Final = 100_000
"""Nodes after every alias was followed; more is an alias bomb."""


class Reader:
    """Turns nodes into plain values, following aliases, and gathers what is wrong on the way."""

    def __init__(self, anchors: Mapping[str, Node], physical: int) -> None:
        self.anchors = anchors
        self.flaws: list[Flaw] = []
        self.seen = 0
        self.most = min(_MOST_NODES, max(1_000, 10 * physical))
        self.within: list[str] = []

    def value(self, node: Node, path: str = "") -> Value:
        self.seen += 1
        if self.seen > self.most:
            if self.seen == self.most + 1:
                self.flaw("alias-bomb", "its aliases unfold to too many nodes", node, path)
            return None
        if node.kind is Kind.ALIAS:
            return self.alias(node, path)
        if node.tag and node.tag not in _KNOWN_TAGS:
            self.flaw("tag", f"the tag `{node.tag}` is not one that remem knows", node, path)
        if node.kind is Kind.SCALAR:
            return self.scalar(node, path)
        if len(self.within) > MAX_DEPTH:
            self.flaw("too-deep", f"its aliases nest more than {MAX_DEPTH} levels deep", node, path)
            return None
        self.within.append(node.anchor)
        try:
            if node.kind is Kind.LIST:
                return [self.value(item, _under(path, str(n))) for n, item in enumerate(node.items)]
            return self.mapping(node, path)
        finally:
            self.within.pop()

    def scalar(self, node: Node, path: str) -> Value:
        text = self.sound(node, path)
        plain = not node.style and node.tag in ("", "!")
        typed = node.tag in (
            CORE_TAG + "int",
            CORE_TAG + "float",
            CORE_TAG + "bool",
            CORE_TAG + "null",
        )
        return resolve(text) if (plain and node.tag != "!") or typed else text

    def sound(self, node: Node, path: str) -> str:
        """Return the text without half characters; pairs that JSON writers escape are joined."""
        if not _HALF.search(node.text):
            return node.text
        units = node.text.encode("utf-16", "surrogatepass")
        try:
            return units.decode("utf-16")
        except UnicodeDecodeError:
            self.flaw("surrogate", "it contains a broken character (a lone surrogate)", node, path)
            return units.decode("utf-16", "replace")

    def alias(self, node: Node, path: str) -> Value:
        target = self.anchors.get(node.text)
        if target is None:
            self.flaw(
                "unknown-anchor",
                f"no anchor `&{node.text}` precedes `*{node.text}`",
                node,
                path,
            )
            return None
        if node.text in self.within:
            self.flaw("recursive", f"`*{node.text}` refers to itself", node, path)
            return None
        return self.value(target, path)

    def mapping(self, node: Node, path: str) -> dict[str, Value]:
        merged: dict[str, Value] = {}
        own: dict[str, Value] = {}
        for key, child in node.pairs:
            if is_merge(key):
                merged = {**self.merged(child, path), **merged}
                continue
            name = self.key(key, path)
            value = self.value(child, _under(path, name))
            if name in own:
                both = f"`{brief(own[name])}` and `{brief(value)}`"
                self.flaw(
                    "duplicate-key", f"`{name}` is written twice: {both}", key, _under(path, name)
                )
            own[name] = value
        return {**merged, **own} if merged else own

    def key(self, node: Node, path: str) -> str:
        if node.kind is Kind.SCALAR:
            return self.sound(node, path)
        if node.kind is Kind.ALIAS:
            target = self.anchors.get(node.text)
            if target is not None and target.kind is Kind.SCALAR:
                return target.text
        self.flaw("key", "a key is not a plain word", node, path)
        return f"?{node.start}"

    def merged(self, node: Node, path: str) -> dict[str, Value]:
        value = self.value(node, path)
        found: dict[str, Value] = {}
        for part in reversed(value if isinstance(value, list) else [value]):
            if isinstance(part, dict):
                found.update(part)
            else:
                self.flaw("merge", "`<<` does not name a mapping", node, path)
        return found

    def flaw(self, code: str, message: str, node: Node, path: str) -> None:
        self.flaws.append(Flaw(code, message, node.start, path))


def brief(value: Value) -> str:
    """Return a value for a sentence, cut where it is long."""
    text = str(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _under(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
