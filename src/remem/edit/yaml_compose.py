"""From a YAML text to nodes that know their bytes: the slow, exact way to read.

How the parser's events become nodes is `yaml_events`, which is loaded when it is first needed.
"""

from __future__ import annotations

import re
from typing import Final

from remem.edit.yaml_tree import MAX_DEPTH, Malformed, Node

MAX_EXACT: Final = 256 * 1024
"""Bytes that the exact way takes at most: about a third of a second."""

_IN_QUOTES: Final = re.compile(rb"(?<=[\s\[{,:])(?:\"(?:[^\"\\\n]|\\[^\n])*\"|'[^'\n]*')")
_NO_BRACKETS: Final = bytes(code for code in range(256) if code not in b"[]{}")


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
    for char in _IN_QUOTES.sub(b"", piece).translate(None, _NO_BRACKETS):
        depth = depth + 1 if char in b"[{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest
