"""Reads the commonest shape of a list item as nodes, without a parser.

Invariant: it returns the very nodes that the parser's events give (`yaml_events.Builder`), or none.
It holds because of what is let through: one dash, below it one `key: value` a line, all of ASCII.
A value is a few words of letters, digits and `_./-`, or stands in quotes without an escape, or is a
list or mapping of these in brackets, with one space where one is usual. None of them begins or ends
in another way for what stands around it, as every line that goes on differently is let through by
nothing here. A test holds it against the parser.

What an edit rests on is read exactly, and for that ruamel takes as long as writing to the disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from remem.base.lazy_pattern import lazy_pattern
from remem.edit.yaml_tree import Kind, Node

_MOST: Final = 16 * 1024
"""Bytes of an item; longer ones are rare, and have a shape of their own."""
_KEY: Final = r"(?P<key>[A-Za-z_][\w-]{0,99}): "
_WORDS: Final = r"[A-Za-z0-9][\w./-]*(?: [A-Za-z0-9][\w./-]*)*"
_SCALAR: Final = rf""""[ !#-\[\]-~]*"|'[ -&(-~]*'|{_WORDS}"""
_LINE: Final = lazy_pattern(
    rf"(?P<before> *(?:- )?){_KEY}(?:(?P<scalar>{_SCALAR})|(?P<open>[\[{{]))".encode()
)
_IN_LIST: Final = lazy_pattern(rf"(?P<scalar>{_SCALAR})(?P<next>, |\])".encode())
_IN_MAP: Final = lazy_pattern(rf"{_KEY}(?P<scalar>{_SCALAR})(?P<next>, |\}})".encode())


def plain_item(data: bytes, start: int, end: int) -> Node | None:
    """Return the list that is written in some lines, if it has one item of the commonest shape.

    Args:
        data: The file.
        start: Where the line of its dash begins.
        end: Where the last of its lines ends, or blank lines behind it.
    """
    if end - start > _MOST or data[end - 1 : end] != b"\n":
        return None
    root: Node | None = None
    item = Node(Kind.MAP, 0, 0, 0)
    at, column = start, b""
    while at < end and data[at : at + 1] != b"\n":
        line = _LINE.match(data, at, end)
        if line is None:
            return None
        if root is None:
            before = line["before"]
            dash = line.end("before") - 2
            if not before.endswith(b"- "):
                return None
            root = Node(Kind.LIST, dash, dash, dash, items=[item])
            item.outer = item.start = item.end = dash + 2
            column = b" " * len(before)
        elif line["before"] != column:
            return None
        value = _scalar(data, *line.span("scalar")) if line["scalar"] else None
        value = value or _in_brackets(data, line.start("open"), end)
        if value is None or data[value.end : value.end + 1] != b"\n":
            return None
        item.pairs.append((_scalar(data, *line.span("key")), value))
        item.end = value.end
        at = value.end + 1
    if root is None or data[at:end].strip(b"\n"):
        return None
    root.end = item.end
    return root


def _scalar(data: bytes, start: int, end: int) -> Node:
    text = data[start:end].decode("ascii")
    style = text[0] if text[0] in "\"'" else ""
    return Node(Kind.SCALAR, start, start, end, text[1:-1] if style else text, style)


def _in_brackets(data: bytes, start: int, end: int) -> Node | None:
    """Return the list or mapping whose bracket opens there, if it is of the commonest shape."""
    is_list = data[start : start + 1] == b"["
    node = Node(Kind.LIST if is_list else Kind.MAP, start, start, start + 1, flow=True)
    for key, value, node.end in _parts(data, start + 1, end, is_list=is_list):
        if key is None:
            node.items.append(value)
        else:
            node.pairs.append((key, value))
    return node if data[node.end - 1 : node.end] == (b"]" if is_list else b"}") else None


def _parts(
    data: bytes, at: int, end: int, *, is_list: bool
) -> Iterator[tuple[Node | None, Node, int]]:
    """Yield what stands in brackets, with where what separates it from the next one ends."""
    pattern = _IN_LIST if is_list else _IN_MAP
    while (part := pattern.match(data, at, end)) is not None:
        key = None if is_list else _scalar(data, *part.span("key"))
        at = part.end()
        yield key, _scalar(data, *part.span("scalar")), at
        if part["next"] != b", ":
            return
