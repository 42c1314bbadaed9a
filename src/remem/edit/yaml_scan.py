"""Finds the items of a top-level list in the bytes, without a parser: ten thousand in some 20 ms.

Owns the guess and how an item is cut. It refuses to vouch for the guess: `yaml_read` proves it with
a parser before anything is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from remem.base.frozen import dataclass
from remem.edit.yaml_compose import compose
from remem.edit.yaml_tree import Malformed, Node, last_leaf

BOM: Final = b"\xef\xbb\xbf"
_GAP: Final = re.compile(rb"(?:[ \t]*(?:#[^\n]*)?\n)*")
_MARKER: Final = re.compile(rb"---[ \t]*(?:#[^\n]*)?\r?\n")
_DASH: Final = re.compile(rb"( *)-(?=[ \t\r\n]|\Z)")
_ENDS: Final = rb"(?=[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)|[ ]*[,}])"
_ID: Final = (
    rb"[\"']?id[\"']?: *(?:\"([^\"\\\n]+)\"|'([^'\n]+)'|([^\s\"'\[\]{},&*!|>#%@`][^\s,{}]*))"
    + _ENDS
)
_LATER_ID: Final = re.compile(rb"\n( +)" + _ID)
_FLOW_ID: Final = re.compile(rb"[{,]\s*" + _ID)
_FIRST_COLUMN: Final = re.compile(rb"-( +)[^\s#]")
_DEDENT: Final = re.compile(rb"\n[^ \n\r#\t]")
_DEDENT_AT_0: Final = re.compile(rb"\n(?!-(?:[ \t\r\n]|\Z))[^ \n\r#\t]")
_LAST_COMMENTS: Final = re.compile(rb"(?:\s*\n[ \t]*#[^\n]*)+\Z")
_BLOCK_HEADER: Final = re.compile(rb"[|>][-+0-9]*[ \t]*(?:#[^\n]*)?\r?\n")
_KEEPING_HEADER: Final = re.compile(rb"[|>][0-9]?\+")
_LINE_COMMENT: Final = re.compile(rb"[ \t]#.*|^#.*", re.DOTALL)
_CLOSERS: Final = re.compile(rb"[\"'\]}]")
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
    mark = b" " * column + rb"-(?=[ \t\r\n]|\Z)(?: +\{? *" + _ID + rb")?"
    matches = [(at, re.compile(mark).match(data, at, end))]
    matches += [(m.start() + 1, m) for m in re.compile(rb"\n" + mark).finditer(data, at, end)]
    dashes = tuple(line + column for line, match in matches if match)
    return dashes, tuple(_text(match) for _, match in matches if match)


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


def cut(data: bytes, dashes: Sequence[int], end: int, column: int) -> list[int]:
    """Return where each item ends: with its last line that is no comment and not blank."""
    first = dashes[0] if dashes else end
    keeps = data.find(b"+", first, end) >= 0 and bool(_KEEPING_HEADER.search(data, first, end))
    ends = []
    for dash, limit in zip(dashes, [*dashes[1:], end], strict=True):
        piece = data[dash:limit].rstrip()
        if keeps or b"#" in piece:
            ends.append(_cut_one(data, dash, limit, column, keeps))
        else:
            ends.append(dash + len(piece))
    return ends


def _cut_one(data: bytes, dash: int, limit: int, column: int, keeps: bool) -> int:
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
