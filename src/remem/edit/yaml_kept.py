"""The index of a large file as bytes, so that the next process need not look for its items again.

It is kept under a digest of the file, and says what a scan of these bytes saw: nothing is proven by
it. Of an index that tells of problems nothing is kept.
"""

from __future__ import annotations

from array import array
from struct import Struct, error
from typing import Final

from remem.edit.yaml_index import Index, Span, Spans

_HEAD: Final = Struct("=4q?")
"""Column, both ends of the region, how many items; whether they stand below a key."""


def packed(index: Index) -> bytes | None:
    """Return an index as bytes; `None` where it cannot be kept."""
    if index.problems or index.column < 0 or not isinstance(index.items, Spans):
        return None
    head = _HEAD.pack(index.column, *index.region, len(index.items), bool(index.key))
    names = "\n".join(index.ids).encode("utf-8", "surrogatepass")
    return head + index.items.packed(0) + names


def unpacked(kept: bytes, data: bytes, key: str) -> Index | None:
    """Return the index of a file from what `packed` made of it; `None` where that cannot be.

    Args:
        kept: What was kept.
        data: The file.
        key: The one that was asked for when it was scanned.
    """
    try:
        column, start, end, count, is_keyed = _HEAD.unpack_from(kept)
    except error:
        return None
    middle, names = _HEAD.size + 8 * count, _HEAD.size + 16 * count
    if count <= 0 or not 0 <= start < end <= len(data) or names > len(kept):
        return None
    starts, sizes = array("q", kept[_HEAD.size : middle]), array("q", kept[middle:names])
    ids = tuple(kept[names:].decode("utf-8", "surrogatepass").split("\n"))
    if len(ids) != count or starts[-1] + sizes[-1] > len(data):
        return None
    return Index(
        key if is_keyed else "",
        Spans(starts, sizes),
        ids,
        column=column,
        region=Span(start, end),
        data=data,
        closed=bytearray(count),
    )
