"""What a list shows: keys that are there at once, rows that are made when they are drawn.

It finds places again after the list was filled anew. It knows nothing of drawing.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.frozen import dataclass
from remem.views.spans import Span, Spans

if TYPE_CHECKING:
    from remem.core.session import Session

_NO_GLYPH: Final = Span(" ")
_REMEMBERED: Final = 256
"""Rows that are kept: what two fillings of a tall screen show."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a list."""

    key: Hashable
    """The same thing has the same key in the next filling: a ref, an item's id."""
    label: Spans
    glyph: Span = _NO_GLYPH
    """State in one cell, readable without colour."""
    right: Spans = ()
    """At the right edge: tokens, a date; left away where the label would get too narrow."""
    version: str = ""
    """A digest of what is shown: if it differs in the next filling, the row changed."""
    is_header: bool = False
    """Names a group; the cursor passes it."""
    stays: bool = False
    """As the first row: it names columns, and stays at the top however far the list is scrolled."""
    depth: int = 0
    is_open: bool | None = None
    """For trees: unfolded or not; `None` for what has nothing below it."""
    narrow: Spans = ()
    """What of `right` still stands there at a small width; of a header, beside a whole label."""


@dataclass(frozen=True, slots=True)
class Node:
    """One thing in the tree, with what lies below it."""

    key: Hashable
    label: Spans
    right: Spans = ()
    children: tuple[Node, ...] = ()
    is_folded: bool = False
    """How it begins; afterwards the person's own folding counts."""


class Keys(Sequence[Hashable]):
    """Keys that tell where one of them is, so that nobody has to make them all."""

    @abstractmethod
    def place(self, key: Hashable) -> int | None:
        """Return the position of a key; `None` = it is not among them."""


class Rows:
    """An immutable list of rows, of which only those that are asked for exist."""

    def __init__(
        self,
        keys: Sequence[Hashable],
        make: Callable[[int], Row],
        shown: Sequence[int] | None = None,
    ) -> None:
        """Declare rows; nothing is made yet.

        Args:
            keys: Of all rows, shown or not, without repeats.
            make: Gives the row at a position in `keys`; quick and repeatable.
            shown: Positions in `keys`, ascending; default: all.
        """
        self._keys = keys
        self._make = make
        self._shown: Sequence[int] = range(len(keys)) if shown is None else shown
        self._positions: dict[Hashable, int] = {}
        self._made: dict[int, Row] = {}
        """The rows that were asked for last: one key asks for each that is seen three times."""

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Rows:
        """Return rows that exist already; for short lists."""
        return cls([row.key for row in rows], rows.__getitem__)

    def narrowed(self, shown: Sequence[int]) -> Rows:
        """Return the same rows with other ones shown; positions ascend."""
        rows = Rows(self._keys, self._make, shown)
        rows._positions, rows._made = self._positions, self._made
        return rows

    def __len__(self) -> int:
        return len(self._shown)

    def __iter__(self) -> Iterator[Row]:
        return map(self.row, range(len(self)))

    def row(self, index: int) -> Row:
        position = self._shown[index]
        row = self._made.get(position)
        if row is None:
            row = self._make(position)
            if len(self._made) >= _REMEMBERED:
                self._made.clear()
            self._made[position] = row
        return row

    def key(self, index: int) -> Hashable:
        return self._keys[self._shown[index]]

    def is_same_filling(self, other: Rows) -> bool:
        """Tell whether only what is shown may differ."""
        return self._keys is other._keys

    def holds(self, key: Hashable) -> bool:
        """Tell whether a row has `key`, shown or not."""
        return self._position(key, 0) is not None

    def find(self, key: Hashable, near: int = 0) -> int | None:
        """Return where the row with `key` is shown.

        `near` is a guess; a good one spares an index of all keys.
        """
        position = self._position(key, self._shown[near] if 0 <= near < len(self) else near)
        return None if position is None else self._index(position)

    def place_of(self, before: Rows, index: int) -> int | None:
        """Return where the row is shown that `before` shows at `index`."""
        if self.is_same_filling(before):
            return self._index(before._shown[index])
        return self.find(before.key(index), near=index)

    def nearest_to(self, before: Rows, index: int, reach: int = 200) -> int:
        """Return the place for a cursor whose row went: what followed it, else what led to it.

        Args:
            before: What was shown.
            index: Where the cursor stood in it.
            reach: How many rows either way may be looked at.
        """
        last = max(len(self) - 1, 0)
        if self.is_same_filling(before):
            return min(bisect_left(self._shown, before._shown[index]), last)
        following = range(index + 1, min(index + reach, len(before)))
        for other in (*following, *range(index - 1, max(index - reach, -1), -1)):
            place = self.place_of(before, other)
            if place is not None:
                return place
        return min(index, last)

    def _position(self, key: Hashable, near: int) -> int | None:
        for position in range(max(near - 32, 0), min(near + 33, len(self._keys))):
            if self._keys[position] == key:
                return position
        if isinstance(self._keys, Keys):
            return self._keys.place(key)
        if not self._positions and self._keys:
            # Shared with every narrowed view, so that it is made once per filling.
            self._positions.update({key: place for place, key in enumerate(self._keys)})
        return self._positions.get(key)

    def _index(self, position: int) -> int | None:
        index = bisect_left(self._shown, position)
        return index if index < len(self) and self._shown[index] == position else None


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose."""

    id: str
    name: str
    note: str = ""
    right: str = ""


def label(session: Session, path: Path) -> str:
    """Return a path as people know it: below the root, or with `~` for the home folder."""
    if path.is_relative_to(session.root):
        return str(path.relative_to(session.root))
    if path.is_relative_to(session.places.home):
        return f"~/{path.relative_to(session.places.home)}"
    return str(path)
