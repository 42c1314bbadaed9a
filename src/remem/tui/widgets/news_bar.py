"""The line above the footer that tells what came; it is there only while there is something.

It stands below the panes, so that nothing a person reads moves when it comes.
"""

from __future__ import annotations

from textual.reactive import var
from textual.strip import Strip

from remem.tui.widgets.line_view import LineView
from remem.views.spans import Span, Spans, Tone


class NewsBar(LineView, can_focus=False):
    """One line."""

    DEFAULT_CSS = """
    NewsBar { height: 1; background: $panel; color: $foreground; overflow: hidden; }
    """

    told: var[Spans] = var((), init=False)

    def watch_told(self) -> None:
        self.refresh()

    def render_line(self, y: int) -> Strip:
        sign = Span(f" {self.glyphs.waiting} ", Tone.ACCENT)
        return self.draw((sign, *self.told), self.line_width)
