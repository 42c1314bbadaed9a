"""What nodes are worth as plain data, and what is wrong with them.

Owns the meaning of scalars, the way through aliases and merges, and the limits there. It refuses to
raise: a value that cannot be had is `None` or text, with a flaw that says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from remem.base.frozen import dataclass
from remem.edit.yaml_tree import MAX_DEPTH, NULL_WORDS, Kind, Node, is_merge

if TYPE_CHECKING:
    from remem.edit.yaml_read import Value

_BOOL: Final = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_INT: Final = re.compile(r"[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|0|[1-9][0-9]{0,20})")
_FLOAT: Final = re.compile(
    r"[-+]?(?:(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)"
)
_HALF: Final = re.compile("[\ud800-\udfff]")
_SPECIAL: Final = re.compile(r"([-+]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
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
