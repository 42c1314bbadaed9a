"""What was made of some bytes, kept while it may be asked for again; it never changes them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Final, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_LEAST: Final = 3
"""Kept however long they are: a file, what an edit would make of it, and one beside it."""
_MOST_BYTES: Final = 4_000_000


class Kept(Generic[K, V]):
    """The last few results, by the bytes they were made of and what else they depend on.

    Unlike those of a cached function they may come from what was known of other bytes.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._found = OrderedDict[tuple[bytes, K], V]()
        self._bytes = 0
        self._lock = Lock()

    def get(self, data: bytes, key: K) -> V | None:
        with self._lock:
            found = self._found.get((data, key))
            if found is not None:
                self._found.move_to_end((data, key))
            return found

    def put(self, data: bytes, key: K, value: V) -> V:
        """Keep and return a value; of two that were made at once the last one stays."""
        with self._lock:
            if (data, key) not in self._found:
                self._bytes += len(data)
            self._found[data, key] = value
            self._found.move_to_end((data, key))
            while len(self._found) > self._size or (
                self._bytes > _MOST_BYTES and len(self._found) > _LEAST
            ):
                (old, _), _ = self._found.popitem(last=False)
                self._bytes -= len(old)
        return value
