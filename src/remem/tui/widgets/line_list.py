"""A list of any length that keeps its place: cursor, scroll and marks survive every filling.

It draws rows and reports what the person points at; what a row means and what happens to it is the
screen's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from itertools import zip_longest
from time import monotonic
from typing import ClassVar, Final, NamedTuple, TypeAlias

from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import var
from textual.strip import Strip

from remem.base.frozen import dataclass
from remem.tui.verbs import JUMPING, MARKING, MOVING, OPEN, bindings
from remem.tui.widgets.line_view import READING, LineView, empty_text, justify
from remem.views.list_rows import Row, Rows
from remem.views.spans import Span, Spans, Tone, highlight, width_of

Belongs: TypeAlias = Callable[[Hashable], tuple[Hashable, Hashable]]
_EVERY_DEPTH: Final = 9
_LEAST_LABEL = 24
"""Cells that a label keeps before what stands at the right edge is left away."""
LOST_SECONDS: Final = 2.0
"""How long a row that vanished is waited for: who writes a file anew may empty it first."""


_NO_MATCH = empty_text("no matches for the filter", "esc", "clears it")


class _Sight(NamedTuple):
    """All that is drawn of a list but for the text that is looked for."""

    top: int
    cursor: int
    rows: list[Row]
    signs: tuple[Hashable, ...]
    """The heading that stays, and the keys that are marked or have changed."""


class _Lost(NamedTuple):
    """The place of a row that vanished under the cursor, in case that it comes back."""

    row: Row
    """As it was drawn last."""
    place: int
    line: int
    """Lines from the top of the pane."""
    marks: tuple[Hashable, ...]
    """All marks there were; those in the same file vanished with it."""
    at: float
    """When, by the list's clock."""


class LineList(LineView):
    """One row a line; only the visible ones are ever made."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(MOVING),
        *bindings(JUMPING),
        *bindings(MARKING),
        *bindings((OPEN,)),
    ]

    cursor: var[int] = var(0, init=False)
    needles: var[tuple[str, ...]] = var((), init=False)
    """The words of a filter, without its field terms; where one stands is drawn as a match."""
    is_narrowed: var[bool] = var(False, init=False)
    """A filter keeps rows back: a list without rows then says that, and not why it has none."""

    @dataclass
    class Highlighted(Message):
        """The cursor came to another row, or its row changed; `None` where there is none."""

        view: LineList
        row: Row | None

        @property
        def control(self) -> LineList:
            return self.view

    @dataclass
    class Opened(Message):
        """`enter` or a double click on a row; never a decision."""

        view: LineList
        row: Row

        @property
        def control(self) -> LineList:
            return self.view

    @dataclass
    class Marked(Message):
        """Marks were set or went; `keys` in the order they were set."""

        view: LineList
        keys: tuple[Hashable, ...]

        @property
        def control(self) -> LineList:
            return self.view

    @dataclass
    class Unsettled(Message):
        """The row under the cursor vanished or changed without the person's doing.

        Verbs wait until the next movement (DESIGN §4); `is_settled` says the same.
        """

        view: LineList
        row: Row
        vanished: bool

        @property
        def control(self) -> LineList:
            return self.view

    @dataclass
    class Settled(Message):
        """The row that had vanished under the cursor is back, just as it was."""

        view: LineList

        @property
        def control(self) -> LineList:
            return self.view

    def __init__(
        self,
        rows: Rows | None = None,
        *,
        empty: Spans | None = None,
        clock: Callable[[], float] = monotonic,
        id: str | None = None,  # noqa: A002 - Textual's word
        classes: str | None = None,
    ) -> None:
        """Make a list.

        Args:
            rows: What it shows at first.
            empty: What to say if there are none.
            clock: Seconds that only grow; tells for how long a row has been gone.
            id: For queries.
            classes: For styles.
        """
        super().__init__(id=id, classes=classes)
        self._clock = clock
        self._lost: _Lost | None = None
        self._rows = rows or Rows.of(())
        self._is_filled = rows is not None
        """It was told what it shows: before, nothing is known of what is not there."""
        self._pointed: tuple[Rows, int, Row] | None = None
        self._empty = empty or empty_text("nothing here")
        self.belongs: Belongs | None = None
        """Row's key → the source and the section it belongs to; `None` = headings tell it."""
        self._marks: dict[Hashable, None] = {}
        self._anchor: Hashable | None = None
        self._heading: Row | None = None
        """Names the columns, on the first line of the pane."""
        self._changed: set[Hashable] = set()
        self.is_settled = True
        """False: what is under the cursor is not what was drawn when the person last moved."""
        self.is_unpointed = False
        """It is another row, by what the person did: no other program wrote to it."""
        self._measure()
        self.set_reactive(LineList.cursor, self._to_row(0, 1))

    def on_mount(self) -> None:
        self._measure()

    @property
    def rows(self) -> Rows:
        return self._rows

    @property
    def row(self) -> Row | None:
        """The row under the cursor; `None` in an empty list."""
        if not 0 <= self.cursor < len(self._rows):
            return None
        if self._pointed is None or self._pointed[:2] != (self._rows, self.cursor):
            # A screen asks for it again and again while it finds out which verbs can act.
            self._pointed = self._rows, self.cursor, self._rows.row(self.cursor)
        row = self._pointed[2]
        return None if row.is_header else row

    @property
    def marked(self) -> tuple[Hashable, ...]:
        """Keys of all marks, a range still being drawn included, also those a filter hides."""
        return tuple({**self._marks, **dict.fromkeys(self._ranged_keys())})

    def show(
        self,
        rows: Rows,
        *,
        changed: Collection[Hashable] = (),
        decided: bool = False,
        empty: Spans | None = None,
    ) -> None:
        """Show other rows and keep the place.

        Args:
            rows: The new filling, or the same with other rows shown.
            changed: Keys to mark as changed until the cursor has been on them.
            decided: What went or changed did so by the person's own decision.
            empty: What to say if there are none.
        """
        before, old, row, had = self._rows, self.cursor, self.row, self.marked
        seen = row
        top = int(self.scroll_offset.y)
        drawn = self._in_sight()
        self._rows = rows
        self._is_filled = True
        self._empty = empty or self._empty
        self._changed.update(changed)
        if not rows.is_same_filling(before):
            self._forget_gone()
        anchor = old if top <= old < top + self.size.height else top
        place, found = self._place(before, old)
        seat, _ = self._place(before, anchor) if anchor != old else (place, True)
        back = self._come_back(decided=decided, is_filtering=rows.is_same_filling(before))
        if back is not None:
            lost, place = back
            row, found, self.is_settled = lost.row, True, True
            anchor, seat, old, top = lost.line, place, lost.line, 0
        elif row is not None and not (found or decided or rows.is_same_filling(before)):
            self._lost = self._lost or _Lost(row, old, old - top, had, self._clock())
        self._measure()
        self.set_reactive(LineList.cursor, place)
        if not rows.is_same_filling(before) and had != self.marked:
            self._marks_changed()
        if self.is_mounted:
            self.jump_to(max(seat - (anchor - top), 0))
            self._keep_visible(place) if anchor == old else None
        self._settle(row, found=found, decided=decided, filtered=rows.is_same_filling(before))
        self._redraw(drawn)
        if self.row != seen:
            self.post_message(self.Highlighted(self, self.row))
        if back is not None and self.is_settled:
            self.post_message(self.Settled(self))

    def unsettle(self) -> None:
        """Let verbs wait until the next movement: nobody pointed at what is under the cursor."""
        self.is_settled, self.is_unpointed = False, True

    def move_to(self, key: Hashable) -> bool:
        """Put the cursor on the row with `key`; false where it is not shown."""
        place = self._rows.find(key, near=self.cursor)
        if place is None:
            return False
        self._move_cursor(place, 1)
        return True

    def mark(self, keys: Iterable[Hashable]) -> None:
        """Mark these rows and no others."""
        self._marks = dict.fromkeys(keys)
        self._anchor = self._lost = None
        self._marks_changed()

    def clear_marks(self) -> bool:
        """Drop all marks; false where there were none, so that `esc` can go one level further."""
        if not self.marked:
            return False
        self._marks.clear()
        self._anchor = self._lost = None
        self._marks_changed()
        return True

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, len(self._rows) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        if 0 <= new < len(self._rows):
            self._changed.discard(self._rows.key(new))
        self._keep_visible(new)
        if self._anchor is None:
            self.refresh_line(old)
            self.refresh_line(new)
        else:
            self.refresh()
        self.post_message(self.Highlighted(self, self.row))

    def watch_needles(self) -> None:
        self.refresh()

    def watch_is_narrowed(self) -> None:
        self.refresh()

    def on_focus(self) -> None:
        self.refresh_line(self.cursor)

    def on_blur(self) -> None:
        self.refresh_line(self.cursor)

    def on_resize(self) -> None:
        self._keep_visible(self.cursor)

    def on_click(self, event: events.Click) -> None:
        index = self._index_at(event.y)
        if not 0 <= index < len(self._rows) or self._rows.row(index).is_header:
            return
        event.stop()
        self._clicked(index, event.x, event.chain)

    def action_move_down(self) -> None:
        self._move_cursor(self.cursor + 1, 1)

    def action_move_up(self) -> None:
        self._move_cursor(self.cursor - 1, -1)

    def action_move_half_down(self) -> None:
        self._move_cursor(self.cursor + max(self.size.height // 2, 1), 1)

    def action_move_half_up(self) -> None:
        self._move_cursor(self.cursor - max(self.size.height // 2, 1), -1)

    def action_move_page_down(self) -> None:
        self._move_cursor(self.cursor + max(self.size.height - 1, 1), 1)

    def action_move_page_up(self) -> None:
        self._move_cursor(self.cursor - max(self.size.height - 1, 1), -1)

    def action_move_first(self) -> None:
        self._move_cursor(0, -1)

    def action_move_last(self) -> None:
        self._move_cursor(len(self._rows) - 1, 1)

    def action_group_next(self) -> None:
        self._jump(1, self._section_at)

    def action_group_previous(self) -> None:
        self._jump(-1, self._section_at)

    def action_source_next(self) -> None:
        self._jump(1, self._source_at)

    def action_source_previous(self) -> None:
        self._jump(-1, self._source_at)

    def _jump(self, step: int, part_of: Callable[[int], Hashable]) -> None:
        """Go to the first row of the next part, or of this one and then of the one before."""
        rows = range(len(self._rows))
        if not rows:
            return
        at, here = self.cursor, part_of(self.cursor)
        if step > 0:
            found = next((i for i in rows[at:] if part_of(i) != here), None)
            if found is not None:
                self._move_cursor(found, 1)
            return
        first = self._first_of_part(at, part_of)
        if at == self._to_row(first, 1) and first > 0:
            first = self._first_of_part(first - 1, part_of)
        self._move_cursor(first, 1)

    def _first_of_part(self, at: int, part_of: Callable[[int], Hashable]) -> int:
        here = part_of(at)
        while at > 0 and part_of(at - 1) == here:
            at -= 1
        return at

    def _section_at(self, index: int) -> Hashable:
        if self.belongs is not None:
            return self.belongs(self._rows.key(index))
        return self._heading_at(index, most=_EVERY_DEPTH)

    def _source_at(self, index: int) -> Hashable:
        if self.belongs is not None:
            return self.belongs(self._rows.key(index))[0]
        return self._heading_at(index, most=0)

    def _heading_at(self, index: int, *, most: int) -> Hashable:
        """Return the heading that a row stands under, of those up to a depth."""
        for above in range(index, -1, -1):
            row = self._rows.row(above)
            if row.is_header and row.depth <= most:
                return row.key
        return None

    def action_mark_toggle(self) -> None:
        """Mark the row and go on, or fix the range that is being drawn."""
        if self._anchor is not None:
            self._fix_range()
            return
        row = self.row
        if row is None or self._waits(row):
            return
        if row.key in self._marks:
            del self._marks[row.key]
        else:
            self._marks[row.key] = None
        self._marks_changed()
        self._move_cursor(self.cursor + 1, 1)

    def action_mark_range(self) -> None:
        """Begin a range at the row, or fix the one that is being drawn."""
        if self._anchor is not None:
            self._fix_range()
        elif self.row is not None and not self._waits(self.row):
            self._anchor = self.row.key
            self._marks_changed()

    def _waits(self, row: Row) -> bool:
        """Tell whether verbs wait for a movement, and say so once more.

        Marking goes on to the next row. If that counted as a movement, the rest of a text that
        follows a refused key would decide.
        """
        if self.is_settled:
            return False
        self.post_message(self.Unsettled(self, row, vanished=False))
        return True

    def action_open(self) -> None:
        if self.row is not None:
            self.post_message(self.Opened(self, self.row))

    def render_line(self, y: int) -> Strip:
        index, width = self._index_at(y), self.line_width
        if not self._rows:
            why = self._empty if self._is_filled else READING
            return self.draw_empty(y, _NO_MATCH if self.is_narrowed else why, width)
        if index >= len(self._rows):
            return Strip.blank(width, self.ground_style())
        row = self._rows.row(index)
        at_cursor = index == self.cursor and not row.is_header
        base = self.cursor_style() if at_cursor else self.ground_style()
        return self.draw(self._line(row, index, width), width, base=base, flat=at_cursor)

    def _index_at(self, y: int) -> int:
        """Return the position of the row that is drawn on a line of the pane."""
        return 0 if y == 0 and self._heading is not None else y + int(self.scroll_offset.y)

    def _clicked(self, index: int, x: int, times: int) -> None:
        self._move_cursor(index, 1)
        if times == 2:
            self.action_open()

    def _line(self, row: Row, index: int, width: int) -> Spans:
        if row.is_header:
            label = tuple(
                Span(part.text, Tone.HEADING) if part.tone is Tone.PLAIN else part
                for part in row.label
            )
            sign = Span(self.glyphs.open, Tone.DIM) if row.is_open else Span(" ")
            lead = (sign, Span(" ")) if row.is_open else (sign,)
            left = (*lead, *label)
            fits = width_of(left) + width_of(row.right) + 2 <= width
            shown = row.right if fits else row.narrow or row.right
            if row.stays:  # it heads columns, and is left away where they are
                shown = self._beside(row, width)
            right = (Span(" "), *shown, Span(" ")) if shown else ()
            return justify(left, right, width, self.glyphs)
        signs = self._signs(row, index)
        label = highlight(row.label, *self.needles) if self.needles else row.label
        glyph = row.glyph
        if row.is_open is not None:
            drawn = self.glyphs.open if row.is_open else self.glyphs.folded
            glyph = Span(drawn, Tone.DIM)
        left = (*signs, *self._indent(row), glyph, Span(" "), *label)
        right = self._beside(row, width)
        return justify(left, (Span(" "), *right, Span(" ")) if right else (), width, self.glyphs)

    def _beside(self, row: Row, width: int) -> Spans:
        """Return what of a row stands at the right edge, where its label keeps room enough."""
        fitting = (
            r for r in (row.right, row.narrow) if r and width - width_of(r) - 3 >= _LEAST_LABEL
        )
        return next(fitting, ())

    def _signs(self, row: Row, index: int) -> Spans:
        glyphs = self.glyphs
        is_marked = row.key in self._marks or index in self._range()
        return (
            Span(glyphs.cursor if index == self.cursor else " ", Tone.ACCENT),
            Span(glyphs.marked if is_marked else " ", Tone.KEY),
            Span(glyphs.changed if row.key in self._changed else " ", Tone.WARN),
        )

    def _indent(self, row: Row) -> Spans:
        return (Span("  " * row.depth),) if row.depth else ()

    def _move_cursor(self, target: int, direction: int) -> None:
        self.is_settled, self.is_unpointed = True, False
        self._lost = None
        if self._rows:
            self.cursor = self._to_row(target, direction)

    def _to_row(self, target: int, direction: int) -> int:
        """Return the nearest row to `target` that is no header, first in `direction`."""
        last = len(self._rows) - 1
        if last < 0:
            return 0
        target = max(0, min(target, last))
        ahead = range(target, last + 1) if direction > 0 else range(target, -1, -1)
        behind = range(target, -1, -1) if direction > 0 else range(target, last + 1)
        for way in (ahead, behind):
            for index in way:
                if not self._rows.row(index).is_header:
                    return index
        return target

    def _keep_visible(self, index: int) -> None:
        """Scroll as little as shows the row, and the group's name above it."""
        top, height = int(self.scroll_offset.y), self.size.height
        if not height or not self._rows:
            return
        first = index
        while first > 0 and index - first < height - 1 and self._rows.row(first - 1).is_header:
            first -= 1
        # The names of columns hide the row behind them.
        hidden = 1 if self._heading is not None and first > 0 else 0
        if first < top + hidden:
            self.jump_to(first - hidden)
        elif index >= top + height:
            self.jump_to(index - height + 1)

    def _measure(self) -> None:
        self.virtual_size = Size(0, len(self._rows))
        first = self._rows.row(0) if self._rows else None
        self._heading = first if first is not None and first.stays else None

    def _in_sight(self) -> _Sight:
        top, end = int(self.scroll_offset.y), len(self._rows)
        shown = range(top, min(top + self.size.height, end))
        rows = [self._rows.row(index) for index in shown]
        return _Sight(top, self.cursor, rows, (self._heading, *self._changed, *self.marked))

    def _redraw(self, before: _Sight) -> None:
        """Draw the lines that are others now; drawing all would take as long as everything else."""
        now = self._in_sight()
        is_other = (now.top, now.signs) != (before.top, before.signs)
        if is_other or not before.rows or not now.rows:
            self.refresh()
            return
        pairs = enumerate(zip_longest(before.rows, now.rows), now.top)
        lines = {index for index, (old, new) in pairs if old != new}
        if now.cursor != before.cursor:
            lines |= {before.cursor, now.cursor}
        for line in lines:
            self.refresh_line(line)

    def _place(self, before: Rows, index: int) -> tuple[int, bool]:
        """Return where to stand for what stood at `index`, and whether it is the same row."""
        if not len(before) or not len(self._rows):
            return self._to_row(0, 1), False
        index = min(index, len(before) - 1)
        place = self._rows.place_of(before, index)
        if place is not None:
            # Where only headings were, the cursor waited on one of them.
            return self._to_row(place, 1), True
        return self._to_row(self._rows.nearest_to(before, index), 1), False

    def _come_back(self, *, decided: bool, is_filtering: bool) -> tuple[_Lost, int] | None:
        """Return the row that vanished under the cursor and where it is shown again, once.

        Whoever empties a file and then writes it is seen twice. The place is kept while nobody
        moves, marks or decides: from then on it is where the person put it.
        """
        lost = self._lost
        if lost is None or is_filtering:
            return None
        if decided or self._clock() - lost.at > LOST_SECONDS:
            self._lost = None
            return None
        place = self._rows.find(lost.row.key, near=lost.place)
        if place is None:
            return None
        self._lost = None
        self._marks.update({key: None for key in lost.marks if self._rows.holds(key)})
        return lost, place

    def _settle(self, row: Row | None, *, found: bool, decided: bool, filtered: bool) -> None:
        if row is None:
            return
        if filtered:
            if self.row is not None and self.row.key != row.key:
                self.is_settled = True  # a person filtered or folded, and sees another row
            return
        now = self.row if found else None
        if now is not None and now.version == row.version:
            return  # nothing about it is new, and what is unsettled stays so
        if decided:
            self.is_settled = True
        else:
            self.is_settled, self.is_unpointed = False, False
            self.post_message(self.Unsettled(self, row, vanished=now is None))

    def _forget_gone(self) -> None:
        self._marks = {key: None for key in self._marks if self._rows.holds(key)}
        self._changed = {key for key in self._changed if self._rows.holds(key)}
        if self._anchor is not None and not self._rows.holds(self._anchor):
            self._anchor = None

    def _range(self) -> range:
        """Return the rows of the range that is being drawn."""
        if self._anchor is None:
            return range(0)
        anchor = self._rows.find(self._anchor, near=self.cursor)
        if anchor is None:
            return range(0)
        return range(min(anchor, self.cursor), max(anchor, self.cursor) + 1)

    def _ranged_keys(self) -> list[Hashable]:
        rows = map(self._rows.row, self._range())
        return [row.key for row in rows if not row.is_header]

    def _fix_range(self) -> None:
        self._marks.update(dict.fromkeys(self._ranged_keys()))
        self._anchor = None
        self._marks_changed()

    def _marks_changed(self) -> None:
        self.refresh()
        self.post_message(self.Marked(self, self.marked))
