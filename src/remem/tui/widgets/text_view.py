"""A text of any length: wrapped lines with a gutter, a waterline, an optional cursor, and find.

Rows are offsets into lines, so that 100,000 lines stay cheap. What a line means is the screen's.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import var
from textual.strip import Strip

from remem.base.frozen import dataclass
from remem.tui.verbs import JUMPING, MOVING, OPEN, SIDEWAYS, bindings
from remem.tui.widgets.line_view import LineView, empty_text
from remem.views.long_text import TextLine, same_line
from remem.views.spans import (
    LAYER_TONES,
    Span,
    Spans,
    Tone,
    highlight,
    mark_hidden,
    slice_of,
    width_of,
)
from remem.views.wrapping import wrap

_SHIFT = 8
"""Cells that one step to the side takes."""


@dataclass
class Told(Message):
    """What a view tells; `@on` picks by the view."""

    view: TextView

    @property
    def control(self) -> TextView:
        return self.view


class TextView(LineView):
    """Shows lines; bullets wrap with a hanging indent, tables and fences scroll sideways."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(MOVING),
        *bindings(JUMPING),
        *bindings(SIDEWAYS),
        *bindings((OPEN,)),
    ]

    cursor: var[int] = var(-1, init=False)
    """Index of the line under the cursor; -1 without one."""
    shift: var[int] = var(0, init=False)
    """Cells by which lines that do not wrap are moved to the left."""

    @dataclass
    class Highlighted(Told):
        """The cursor came to another line."""

        line: TextLine

    @dataclass
    class Opened(Told):
        """`enter` or a double click on a line."""

        line: TextLine

    @dataclass
    class Resized(Told):
        """It has another size: what was made for its width is to be made again."""

    def __init__(
        self,
        lines: Sequence[TextLine] = (),
        *,
        has_cursor: bool = False,
        numbers: bool = False,
        signs: bool = False,
        empty: Spans | None = None,
        id: str | None = None,  # noqa: A002 - Textual's word
        classes: str | None = None,
    ) -> None:
        """Make a view.

        Args:
            lines: What it shows at first.
            has_cursor: Lines with a ref can be pointed at; without, keys scroll.
            numbers: The gutter shows line numbers.
            signs: The gutter keeps room for the signs of a diff, also where there is none.
            empty: What to say if there are no lines.
            id: For queries.
            classes: For style sheets.
        """
        super().__init__(id=id, classes=classes)
        self._lines: Sequence[TextLine] = lines
        """It was told what it shows: before, it says nothing of what is not there."""
        self._has_cursor = has_cursor
        self._numbers = numbers
        self._keeps_signs = signs
        self._empty = empty or empty_text("nothing to show")
        self._query = ""
        self._width = 0
        self._first = 0
        """The line that was put at the top; -1 = the person's own scrolling counts."""
        self._seat_row = 0
        """The row that this gave."""
        self._gutter = 0
        self._token_width = self._number_width = 0
        self._has_layers = self._has_signs = False
        self._was_seen = False
        self._starts: array[int] = array("I")
        """First row of each line."""
        self._of_row: array[int] = array("I")
        """Line of each row."""

    @property
    def lines(self) -> Sequence[TextLine]:
        return self._lines

    @property
    def line(self) -> TextLine | None:
        """The line under the cursor."""
        return self._lines[self.cursor] if 0 <= self.cursor < len(self._lines) else None

    def show(
        self, lines: Sequence[TextLine], *, fresh: bool = False, empty: Spans | None = None
    ) -> None:
        """Show other lines and keep the place.

        Args:
            lines: The new text.
            fresh: It is another text, so begin at its top.
            empty: What to say if there are none; `None` = what was said before.
        """
        if empty is not None and empty != self._empty:
            self._empty = empty
            self.refresh()
        if not fresh and self._lines == lines:
            return
        before, cursor, top = self._lines, self.cursor, self._top_line()
        is_seated = self._is_seated and self._first > 0
        depth = int(self.scroll_offset.y) - (self._starts[top] if self._starts else 0)
        self._lines = lines
        self._layout()
        if fresh:
            self.set_reactive(TextView.shift, 0)
            self._put_cursor(0)
            self._first = self._seat_row = 0
            self.jump_to(0)
        elif lines and is_seated:
            self._put_cursor(same_line(before, cursor, lines))
            self._first = same_line(before, self._first, lines)
            self._seat()
        elif lines:
            self._first = -1
            self._put_cursor(same_line(before, cursor, lines))
            if self._starts:
                seat = same_line(before, top, lines)
                self.jump_to(self._starts[seat] + max(depth, 0))
        self.refresh()

    def find(self, query: str) -> tuple[int, ...]:
        """Highlight `query` in any case and return the lines that hold it, in order."""
        self._query = query
        self.refresh()
        needle = query.lower()
        if not needle:
            return ()
        return tuple(index for index, line in enumerate(self._lines) if needle in line.text.lower())

    def go_to(self, index: int) -> None:
        """Put line `index` on the screen, and the cursor on it if there is one."""
        if not 0 <= index < len(self._lines):
            return
        if self._has_cursor:
            self.cursor = index
        self._keep_visible(index)

    def put_at_top(self, index: int) -> None:
        """Scroll so that line `index` comes first, as far as the end allows."""
        self._first = index
        self._seat()

    def go_to_ref(self, ref: Hashable) -> bool:
        """Go to the first line that came from `ref`; false where there is none."""
        for index, line in enumerate(self._lines):
            if line.ref == ref:
                self.go_to(index)
                return True
        return False

    def scroll_by_key(self, event: events.Key) -> None:
        """Scroll by an arrow or a page key that was pressed while something else has the focus."""
        moves = {
            "down": lambda: self.scroll_lines(1),
            "up": lambda: self.scroll_lines(-1),
            "pagedown": self.action_move_page_down,
            "pageup": self.action_move_page_up,
        }
        if event.key in moves:
            event.stop()
            moves[event.key]()

    def scroll_lines(self, rows: int) -> None:
        """Scroll without moving the cursor: for keys of the list beside it."""
        self.jump_to(int(self.scroll_offset.y) + rows)

    @property
    def sure_width(self) -> int:
        """Cells that a line has, whether or not what is shown next brings the scrollbar."""
        return max(self.line_width - (not self.show_vertical_scrollbar), 0)

    def watch_cursor(self, old: int, new: int) -> None:
        for index in (old, new):
            if 0 <= index < len(self._starts):
                self.refresh_lines(self._starts[index], self._rows_of(index))
        if (line := self.line) is not None:
            self.post_message(self.Highlighted(self, line))

    def watch_shift(self) -> None:
        self.refresh()

    def on_mount(self) -> None:
        self._put_cursor(0)

    def on_resize(self) -> None:
        self._refit()
        if self._is_seated:
            self._seat()
        if self.size.height and not self._was_seen:
            # What it was filled with before it had a size may begin far above the cursor.
            self._was_seen = True
            self.call_after_refresh(self._keep_visible, self.cursor)
        self.post_message(self.Resized(self))

    def watch_show_vertical_scrollbar(self) -> None:
        """Give the scrollbar its cell; its coming is not always told as a new size."""
        self.call_after_refresh(self._refit)
        if self.show_vertical_scrollbar:
            # It comes after the scrolling that it should tell.
            self.vertical_scrollbar.position = self.scroll_y

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        row = event.y + int(self.scroll_offset.y)
        if not self._has_cursor or not 0 <= row < len(self._of_row):
            return
        event.stop()
        index = self._of_row[row]
        if self._stops(index):
            self.cursor = index
            if event.chain == 2:
                self.action_open()

    def action_move_down(self) -> None:
        self._move(1)

    def action_move_up(self) -> None:
        self._move(-1)

    def action_move_half_down(self) -> None:
        self._move_rows(max(self.size.height // 2, 1))

    def action_move_half_up(self) -> None:
        self._move_rows(-max(self.size.height // 2, 1))

    def action_move_page_down(self) -> None:
        self._move_rows(max(self.size.height - 1, 1))

    def action_move_page_up(self) -> None:
        self._move_rows(-max(self.size.height - 1, 1))

    def action_move_first(self) -> None:
        self._move_rows(-len(self._of_row))

    def action_move_last(self) -> None:
        self._move_rows(len(self._of_row))

    def action_group_next(self) -> None:
        self._jump(1, self._is_heading)

    def action_group_previous(self) -> None:
        self._jump(-1, self._is_heading)

    def action_source_next(self) -> None:
        self._jump(1, self._begins_layer)

    def action_source_previous(self) -> None:
        self._jump(-1, self._begins_layer)

    def _begins_layer(self, index: int) -> bool:
        lines = self._lines
        if not any(line.layer for line in lines):
            return self._is_heading(index)
        return bool(lines[index].layer) and (
            index == 0 or lines[index - 1].layer != lines[index].layer
        )

    def _is_heading(self, index: int) -> bool:
        line = self._lines[index]
        led = next((part for part in line.spans if part.text.strip()), None)
        return Tone.HEADING in (line.tone, led.tone if led is not None else Tone.PLAIN)

    def _jump(self, step: int, begins: Callable[[int], bool]) -> None:
        """Scroll to the next place where a part begins, with the cursor if there is one."""
        if not self._lines:
            return
        top = self.cursor if self._has_cursor else self._top_line()
        ways = range(top + 1, len(self._lines)) if step > 0 else range(top - 1, -1, -1)
        places = (index for index in ways if begins(index))
        if step < 0 and self._has_cursor:
            # A heading is no stop: the cursor on the first line below it goes to the one before.
            places = (index for index in places if self._stop_at(index) != top)
        place = next(places, None)
        if place is None and step < 0:
            place = 0
        if place is None:
            return
        if self._has_cursor:
            self._put_cursor(place)
        self.put_at_top(place)

    def action_move_left(self) -> None:
        self.shift = max(self.shift - _SHIFT, 0)

    def action_move_right(self) -> None:
        widest = max((len(line.text) for line in self._visible() if not line.wraps), default=0)
        if self.shift + self.line_width - self._gutter < widest:
            self.shift += _SHIFT

    def action_open(self) -> None:
        if (line := self.line) is not None:
            self.post_message(self.Opened(self, line))

    def render_line(self, y: int) -> Strip:
        width, row = self.line_width, y + int(self.scroll_offset.y)
        if not self._lines:
            return self.draw_empty(y, self._empty, width)
        if row >= len(self._of_row):
            return Strip.blank(width, self.ground_style())
        index = self._of_row[row]
        line = self._lines[index]
        at_cursor = self._has_cursor and index == self.cursor
        base = self.cursor_style() if at_cursor else self.ground_style()
        if line.rule:
            return self.draw(self._rule(line, width), width, base=base)
        nth = row - self._starts[index]
        parts = (*self._gutter_of(line, nth, at_cursor=at_cursor), *self._body(line, nth, width))
        return self.draw(parts, width, base=base, flat=at_cursor)

    def _body(self, line: TextLine, nth: int, width: int) -> Spans:
        whole = line.spans or (Span(line.text, line.tone),)
        if self._query:
            whole = highlight(whole, self._query)
        room = width - self._gutter
        if not line.wraps:
            shifted = slice_of(whole, self.shift, len(line.text))
            if self.shift and shifted:
                rest = slice_of(shifted, 1, len(line.text))
                shifted = (Span(self.glyphs.before, Tone.DIM), *rest)
            return mark_hidden(shifted)
        for place, piece in enumerate(wrap(line.text, room, line.hang)):
            if place == nth:
                return (
                    Span(" " * piece.indent),
                    *mark_hidden(slice_of(whole, piece.start, piece.end)),
                )
        return ()

    def _rule(self, line: TextLine, width: int) -> Spans:
        rule = self.glyphs.rule
        label = f"{rule * 2} {line.text} "
        rest = max(width - width_of((Span(label),)), 0)
        return (Span(label + rule * rest, line.tone),)

    def _gutter_of(self, line: TextLine, nth: int, *, at_cursor: bool) -> Spans:
        parts: list[Span] = []
        if self._has_cursor:
            parts.append(Span(self.glyphs.cursor if at_cursor else " ", Tone.ACCENT))
        if self._token_width:
            shown = "" if nth or line.tokens is None else f"{line.tokens:,}"
            parts.append(Span(f"{shown:>{self._token_width}} ", Tone.DIM))
        if self._number_width:
            shown = "" if nth or not line.number else str(line.number)
            parts.append(Span(f"{shown:>{self._number_width}} ", Tone.DIM))
        if self._has_layers:
            tone = LAYER_TONES[(line.layer - 1) % len(LAYER_TONES)] if line.layer else Tone.DIM
            letter = line.letter[:1] if line.letter and not nth else " "
            parts.append(Span(f"{letter}{self.glyphs.separator if line.layer else ' '}", tone))
        if self._has_signs:
            tone = {"+": Tone.ADDED, "-": Tone.REMOVED}.get(line.sign, Tone.DIM)
            # Once a line, however many rows it takes: signs are what a person counts.
            parts.append(Span(f"{' ' if nth else line.sign or ' '} ", tone))
        return tuple(parts)

    def _refit(self) -> None:
        """Break the lines again where the width is another one, and keep the first one first."""
        if self.line_width == self._width:
            return
        top, is_seated = self._top_line(), self._is_seated
        self._layout()
        if is_seated:
            self._seat()
        elif top < len(self._starts):
            self.jump_to(self._starts[top])
        self.refresh()

    @property
    def _is_seated(self) -> bool:
        """True while nobody has scrolled since a line was put at the top."""
        return self._first >= 0 and int(self.scroll_offset.y) == self._seat_row

    def _seat(self) -> None:
        """Put the wanted line at the top, as far as the pane's height allows now."""
        if 0 <= self._first < len(self._starts):
            self.jump_to(self._starts[self._first])
            self._seat_row = int(self.scroll_offset.y)

    def _layout(self) -> None:
        """Break all lines for the width; offsets of single rows are found again when drawn."""
        self._width = self.line_width
        self._measure_gutter()
        if not self._width:
            # Not on the screen: the next resize comes back here, and drawing may come before it.
            self._starts, self._of_row = array("I"), array("I")
            return
        room = max(self._width - self._gutter, 2)
        starts, of_row = array("I"), array("I")
        for index, line in enumerate(self._lines):
            starts.append(len(of_row))
            text = line.text
            if not line.wraps or line.rule or (len(text) <= room and text.isascii()):
                of_row.append(index)
            else:
                of_row.extend([index] * sum(1 for _ in wrap(text, room, line.hang)))
        self._starts, self._of_row = starts, of_row
        self.virtual_size = Size(0, len(of_row))

    def _measure_gutter(self) -> None:
        tokens = [line.tokens for line in self._lines if line.tokens is not None]
        self._token_width = len(f"{max(tokens):,}") if tokens else 0
        highest = max((line.number for line in self._lines), default=0) if self._numbers else 0
        self._number_width = len(str(highest)) if highest else 0
        self._has_layers = any(line.layer for line in self._lines)
        self._has_signs = self._keeps_signs or any(line.sign for line in self._lines)
        widths = (self._token_width, self._number_width)
        self._gutter = sum(width + 1 for width in widths if width)
        self._gutter += self._has_cursor + 2 * self._has_layers + 2 * self._has_signs

    def _top_line(self) -> int:
        row = int(self.scroll_offset.y)
        return self._of_row[row] if row < len(self._of_row) else 0

    def _visible(self) -> list[TextLine]:
        first, last = int(self.scroll_offset.y), int(self.scroll_offset.y) + self.size.height
        return [self._lines[index] for index in sorted(set(self._of_row[first:last]))]

    def _rows_of(self, index: int) -> int:
        after = self._starts[index + 1] if index + 1 < len(self._starts) else len(self._of_row)
        return after - self._starts[index]

    def _stops(self, index: int) -> bool:
        return self._lines[index].ref is not None

    def _put_cursor(self, index: int) -> None:
        """Set the cursor on the nearest line that has a ref, without telling anyone."""
        if not self._has_cursor:
            return
        self.set_reactive(TextView.cursor, self._stop_at(index))
        if (line := self.line) is not None:
            self.post_message(self.Highlighted(self, line))

    def _stop_at(self, index: int) -> int:
        """Return the first line from there on that has a ref, else the last one before."""
        after = next((i for i in range(max(index, 0), len(self._lines)) if self._stops(i)), None)
        return self._nearest_before(index) if after is None else after

    def _nearest_before(self, index: int) -> int:
        start = min(index, len(self._lines) - 1)
        return next((i for i in range(start, -1, -1) if self._stops(i)), -1)

    def _move(self, step: int) -> None:
        """Go to the next line with a ref; where there is none, or no cursor, scroll a row."""
        if not self._has_cursor:
            self.scroll_lines(step)
            return
        index = self.cursor + step
        while 0 <= index < len(self._lines) and not self._stops(index):
            index += step
        if 0 <= index < len(self._lines):
            self.cursor = index
            self._keep_visible(index)
        else:
            self.scroll_lines(step)

    def _move_rows(self, rows: int) -> None:
        if not self._has_cursor or self.cursor < 0 or not self._starts:
            self.scroll_lines(rows)
            return
        row = self._starts[self.cursor] + rows
        row = max(0, min(row, len(self._of_row) - 1))
        self.scroll_lines(rows)
        target = self._of_row[row]
        self._put_cursor(target)
        self._keep_visible(self.cursor)
        self.refresh()

    def _keep_visible(self, index: int) -> None:
        if not 0 <= index < len(self._starts) or not self.size.height:
            return
        first, rows = self._starts[index], self._rows_of(index)
        top, height = int(self.scroll_offset.y), self.size.height
        if first < top or rows >= height:
            self.jump_to(first)
        elif first + rows > top + height:
            self.jump_to(first + rows - height)
