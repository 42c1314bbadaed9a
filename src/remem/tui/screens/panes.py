"""A screen's panes: which of them are seen at this width, zoom, and how `tab` goes through them.

What stands in the panes is others' concern.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import ClassVar, Final

from textual.binding import BindingType
from textual.content import Content
from textual.notifications import Notify
from textual.widget import Widget
from textual.widgets import Input

from remem.base.frozen import dataclass
from remem.tui.content import content
from remem.tui.textual_private import StyledOnce, Told
from remem.tui.verbs import (
    DETAIL,
    NEXT_PANE,
    PREVIOUS_PANE,
    UNDO,
    ZOOM,
    bindings,
    key_shown,
)
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.line_view import LineView
from remem.tui.widgets.text_view import TextView


@dataclass(frozen=True, slots=True)
class _Said:
    """What is told with other things, in one toast."""

    lines: tuple[str, ...]
    is_undoable: bool
    """The first of them tells of a change."""


class PanedScreen(StyledOnce):
    """Holds `#panes` with `.pane-first`, `.pane-list` and `.pane-detail`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings((NEXT_PANE, PREVIOUS_PANE, ZOOM)),
        *bindings(DETAIL),
    ]

    @property
    def main_pane(self) -> LineView:
        """The pane that has the focus at first."""
        return self.query_one(".pane-list", LineView)

    @property
    def list_pane(self) -> LineList | None:
        """The list that filter, marks and movement mean here."""
        return next(iter(self.query(".pane-list").results(LineList)), None)

    @property
    def pointed_pane(self) -> LineList | None:
        """The list whose row verbs mean now: the focused one, else the list of the screen."""
        focused = self.focused
        return focused if isinstance(focused, LineList) else self.list_pane

    @property
    def detail_pane(self) -> TextView | None:
        """The text that `J` and `K` scroll from the list."""
        return next(iter(self.query(".pane-detail").results(TextView)), None)

    def action_pane_next(self) -> None:
        self._step_pane(1)

    def action_pane_previous(self) -> None:
        self._step_pane(-1)

    def _step_pane(self, step: int) -> None:
        panes = self.panes_here()
        if not panes:
            return
        now = next((i for i, pane in enumerate(panes) if pane.has_focus_within), -step)
        self.call_pane(panes[(now + step) % len(panes)])

    def panes_here(self) -> list[Widget]:
        """Return the panes that `tab` goes through at this width, in order."""
        return [pane for pane in self.query(".pane").results(Widget) if pane.can_focus]

    def call_pane(self, pane: Widget) -> None:
        """Bring a pane to where it can be seen at this width, and focus it."""
        panes = self.query_one("#panes")
        self.query(".pane-first").set_class(pane.has_class("pane-first"), "-called")
        panes.set_class(pane.has_class("pane-detail"), "-detail")
        if panes.has_class("-zoomed"):
            self.query(".pane").remove_class("-zoomed")
            pane.add_class("-zoomed")
        # Styles come later than classes, and what is not displayed yet cannot be focused.
        self.call_after_refresh(self._focus_unless_asked, pane)

    def _focus_unless_asked(self, pane: Widget) -> None:
        """Focus a pane; a line that was opened meanwhile keeps what is typed into it."""
        if not isinstance(self.focused, Input):
            self.set_focus(pane)

    def action_show_zoom(self) -> None:
        panes = self.query_one("#panes")
        zoomed = not panes.has_class("-zoomed")
        panes.set_class(zoomed, "-zoomed")
        for pane in self.query(".pane"):
            pane.set_class(zoomed and pane.has_focus_within, "-zoomed")

    def action_detail_down(self) -> None:
        if self.detail_pane is not None:
            self.detail_pane.scroll_lines(1)

    def action_detail_up(self) -> None:
        if self.detail_pane is not None:
            self.detail_pane.scroll_lines(-1)

    @property
    def is_zoomed(self) -> bool:
        return self.query_one("#panes").has_class("-zoomed")

    def close_pane(self) -> bool:
        """Leave the zoom, or the pane that was called; false where there is neither."""
        if self.is_zoomed:
            self.action_show_zoom()
            return True
        return self.leave_called()

    def leave_called(self) -> bool:
        """Go from the pane that was called to the main one; false where none was."""
        panes = self.query_one("#panes")
        # Where both stand side by side the first one only has the focus: there is nothing to leave.
        is_over = bool(self.query(".pane-first.-called")) and not self.main_pane.region
        if not is_over and not panes.has_class("-detail"):
            return False
        self.query(".pane-first").remove_class("-called")
        panes.remove_class("-detail")
        self.main_pane.focus()
        return True


_LEAST_PANE: Final = 3
"""Rows that a pane keeps beside a toast: one line and its edges."""
_TOAST_EDGES: Final = 3
"""Cells of a toast that its text does not have: its bar and a blank on both sides."""


class TellingScreen(PanedScreen):
    """Says things in toasts."""

    def __init__(self) -> None:
        super().__init__()
        self._gathered: list[_Said] | None = None
        """What would be said now, while several things are to be said as one."""

    def make_room(self, said: Sequence[str]) -> bool:
        """Let panes end above a toast while it stands, so that it hides no line that is read.

        Its last lines may lie on the edge of the panes and on what stands below them.
        """
        panes = [*self.query(".pane").results(Widget)]
        bottom = max((pane.region.bottom for pane in panes), default=0)
        if said and panes and not bottom:
            return False
        width = max(self.size.width - _TOAST_EDGES, 1)
        rows = sum(len(Content(text).wrap(width)) for text in said)
        top = self.size.height - 1 - rows
        covered = max(bottom - 1 - top, 0) if said else 0
        for pane in panes:
            least = max(pane.region.height - _LEAST_PANE, 0)
            below = min(covered, least) if pane.region.bottom == bottom else 0
            if pane.styles.padding.bottom != below:
                pane.styles.padding = (0, 0, below, 0)
        return True

    def say(self, *lines: str, bad: bool = False, undoable: bool = False) -> None:
        """Show a toast, of one line where that is enough; or keep it for the one that tells all.

        Args:
            lines: What is told.
            bad: Something failed.
            undoable: The first line tells of a change; the key that takes it back is told too, and
                the toast stays when the person goes to another screen.
        """
        if self._gathered is not None and not bad:
            self._gathered.append(_Said(lines, undoable))
            return
        self._put_toast(lines, bad=bad, to_undo=" to undo" if undoable else "")

    def _put_toast(self, lines: Sequence[str], *, bad: bool = False, to_undo: str = "") -> None:
        first, *more = (content(line).plain for line in lines)
        if to_undo:
            key = key_shown(UNDO, getattr(self.app, "keys", None))
            first += f" · {key}{to_undo}"
        told = Told(
            "\n".join((first, *more)),
            severity="error" if bad else "information",
            stays=bad or bool(to_undo),
        )
        self.app.post_message(Notify(told))

    @contextmanager
    def one_toast(self) -> Iterator[None]:
        """Gather what is said meanwhile, and say it at once."""
        said: list[_Said] = []
        self._gathered = said
        try:
            yield
        finally:
            self._gathered = None
            if said:
                changes = sum(each.is_undoable for each in said)
                to_undo = " to undo all of it" if changes > 1 else " to undo" if changes else ""
                lines = chain.from_iterable(each.lines for each in said)
                self._put_toast(["; ".join(lines)], to_undo=to_undo)
