"""A foldable tree on the list's base: sources, the stores and personas in them, their sections.

What is folded stays folded when the tree is filled again. What a node means is the screen's.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import ClassVar

from textual.binding import BindingType

from remem.tui.verbs import SIDEWAYS, bindings
from remem.tui.widgets.line_list import LineList
from remem.views.rows import Node, Row, Rows
from remem.views.spans import Spans

_SIGNS = 3
"""Cells for cursor, mark and change before the indent of a row."""


class TreeList(LineList):
    """Shows nodes, of which the unfolded ones show theirs."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(SIDEWAYS)]

    def __init__(
        self,
        nodes: Sequence[Node] = (),
        *,
        empty: Spans | None = None,
        id: str | None = None,  # noqa: A002 - Textual's word
        classes: str | None = None,
    ) -> None:
        self._roots: tuple[Node, ...] = tuple(nodes)
        self._folded: dict[Hashable, bool] = {}
        super().__init__(self._flat(), empty=empty, id=id, classes=classes)

    def show_tree(
        self,
        nodes: Sequence[Node],
        *,
        changed: Collection[Hashable] = (),
        decided: bool = False,
        empty: Spans | None = None,
    ) -> None:
        """Show other nodes and keep the place and what is folded.

        Args:
            nodes: The new filling.
            changed: As for `show`.
            decided: As for `show`.
            empty: What to say if there are none.
        """
        self._roots = tuple(nodes)
        self.show(self._flat(), changed=changed, decided=decided, empty=empty)

    def _section_at(self, index: int) -> Hashable:
        """Return what a node lies in: jumps stop at its neighbours that hold something."""
        for above in range(index, -1, -1):
            if self.rows.row(above).is_open is not None:
                return self.rows.key(above)
        return None

    def _source_at(self, index: int) -> Hashable:
        for above in range(index, -1, -1):
            if self.rows.row(above).depth == 0:
                return self.rows.key(above)
        return None

    def action_move_left(self) -> None:
        """Fold, or go to what the row lies in."""
        row = self.row
        if row is None:
            return
        if row.is_open:
            self._fold(row.key, folded=True)
        else:
            self._to_parent(row)

    def action_move_right(self) -> None:
        """Unfold, or go to the first thing inside."""
        row = self.row
        if row is None or row.is_open is None:
            return
        if row.is_open:
            self.action_move_down()
        else:
            self._fold(row.key, folded=False)

    def _clicked(self, index: int, x: int, times: int) -> None:
        super()._clicked(index, x, times)
        row = self.rows.row(index)
        if row.is_open is not None and x == _SIGNS + 2 * row.depth:
            self._fold(row.key, folded=row.is_open)

    def _fold(self, key: Hashable, *, folded: bool) -> None:
        self._folded[key] = folded
        self.show(self._flat(), decided=True)

    def _to_parent(self, row: Row) -> None:
        for index in range(self.cursor - 1, -1, -1):
            if self.rows.row(index).depth < row.depth:
                self.move_to(self.rows.key(index))
                return

    def _flat(self) -> Rows:
        return Rows.of([self._row(node, depth) for node, depth in self._walk()])

    def _walk(self) -> Iterator[tuple[Node, int]]:
        waiting = [(node, 0) for node in reversed(self._roots)]
        while waiting:
            node, depth = waiting.pop()
            yield node, depth
            if not self._is_folded(node):
                waiting += [(child, depth + 1) for child in reversed(node.children)]

    def _is_folded(self, node: Node) -> bool:
        return self._folded.get(node.key, node.is_folded)

    def _row(self, node: Node, depth: int) -> Row:
        is_open = None if not node.children else not self._is_folded(node)
        return Row(node.key, node.label, right=node.right, depth=depth, is_open=is_open)
