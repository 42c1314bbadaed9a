"""A foldable tree on the list's base: sources, the stores and personas in them, their sections.

What is folded stays folded when the tree is filled again. What a node means is the screen's.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from textual.binding import BindingType

from remem.tui.verbs import SIDEWAYS, bindings
from remem.tui.widgets.line_list import LineList
from remem.views.list_rows import Node, Row, Rows
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
        self.filtered_by = ""
        """What is shown: nodes with that in their label, and what they lie in; empty = all."""
        super().__init__(self._flat(), empty=empty, id=id, classes=classes)

    def show_tree(
        self,
        nodes: Sequence[Node],
        *,
        decided: bool = False,
        empty: Spans | None = None,
    ) -> None:
        """Show other nodes and keep the place and what is folded.

        Args:
            nodes: The new filling.
            decided: As for `show`.
            empty: What to say if there are none.
        """
        self._roots = tuple(nodes)
        self.show(self._flat(), decided=decided, empty=empty)

    def narrow(self, text: str) -> tuple[int, int]:
        """Show only what has the text in its label, with what it lies in; the cursor goes there.

        Returns:
            How many have it, and how many nodes there are.
        """
        self.filtered_by = text.lower()
        self.show(self._flat(), decided=True)
        every = [*_all(self._roots)]
        found = [node for node in every if self._holds(node)]
        if text and found:
            self.move_to(found[0].key)
        return len(found), len(every)

    def _holds(self, node: Node) -> bool:
        return self.filtered_by in "".join(part.text for part in node.label).lower()

    def _narrowed(self, nodes: Sequence[Node]) -> Iterator[Node]:
        for node in nodes:
            inside = tuple(self._narrowed(node.children))
            if inside or self._holds(node):
                yield replace(node, children=inside or node.children)

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
        is_narrowed = bool(self.filtered_by)
        roots = tuple(self._narrowed(self._roots)) if is_narrowed else self._roots
        waiting = [(node, 0) for node in reversed(roots)]
        while waiting:
            node, depth = waiting.pop()
            yield node, depth
            if self._is_shown_open(node):
                waiting += [(child, depth + 1) for child in reversed(node.children)]

    def _is_shown_open(self, node: Node) -> bool:
        """Tell whether what lies in a node is drawn: unfolded, or with what is looked for in it."""
        if self.filtered_by and any(self._holds(each) for each in _all(node.children)):
            return True
        return not self._folded.get(node.key, node.is_folded)

    def _row(self, node: Node, depth: int) -> Row:
        is_open = None if not node.children else self._is_shown_open(node)
        return Row(node.key, node.label, right=node.right, depth=depth, is_open=is_open)


def _all(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield nodes with all that lies in them, top to bottom."""
    for node in nodes:
        yield node
        yield from _all(node.children)
