"""When two YAML texts mean the same: values with their exact types, anchors and aliases included.

Owns the comparison that every edit is verified by. It refuses to follow aliases: an alias is the
same as itself and as nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from remem.edit.yaml_tree import Kind, Node, is_merge
from remem.edit.yaml_values import CORE_TAG, Reader
from remem.edit.yaml_write import rounded

if TYPE_CHECKING:
    from remem.edit.yaml_read import Value

Meaning: TypeAlias = "tuple[str, str, str | list[Meaning] | dict[str, Meaning]]"
"""Kind, properties, content; `1`, `1.0` and `true` differ, the order of keys does not count."""


def meaning(node: Node | None) -> Meaning:
    """Return what a node means, in a form that compares exactly."""
    if node is None:
        return ("nothing", "", "")
    tag = "" if node.tag.startswith(CORE_TAG) else node.tag
    marks = f"&{node.anchor} {tag}" if node.anchor or tag else ""
    match node.kind:
        case Kind.ALIAS:
            return ("alias", marks, node.text)
        case Kind.SCALAR:
            kind, text = _scalar(Reader({}, 1).scalar(node, ""))
            return (kind, marks, text)
        case Kind.LIST:
            return ("list", marks, [meaning(item) for item in node.items])
        case Kind.MAP:
            return _mapping(node, marks)


def _mapping(node: Node, marks: str) -> Meaning:
    names = [key.text for key, _ in node.pairs]
    plain = all(key.kind is Kind.SCALAR and not is_merge(key) for key, _ in node.pairs)
    if plain and len(set(names)) == len(names):
        return ("map", marks, {key.text: meaning(value) for key, value in node.pairs})
    return ("pairs", marks, [meaning(part) for pair in node.pairs for part in pair])


def meaning_of(value: Value) -> Meaning:
    """Return what a node has to mean to be `value`; floats count to 4 decimals, as written."""
    if isinstance(value, list):
        return ("list", "", [meaning_of(item) for item in value])
    if isinstance(value, dict):
        return ("map", "", {key: meaning_of(child) for key, child in value.items()})
    kind, text = _scalar(rounded(value) if isinstance(value, float) else value)
    return (kind, "", text)


def _scalar(value: Value) -> tuple[str, str]:
    return (type(value).__name__, value if isinstance(value, str) else repr(value))
