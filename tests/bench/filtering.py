"""A list of texts that a typed line filters, and no more: the floor of a key in a filter."""

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import on
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Input, Label, Static

MATCH, PLAIN = Style(color="yellow", bold=True), Style()


class Lines(ScrollView):
    rows: Sequence[str] = ()
    needle = ""

    def render_line(self, y: int) -> Strip:
        index, width = y + int(self.scroll_offset.y), self.size.width
        text = self.rows[index] if index < len(self.rows) else ""
        head, found, tail = text.partition(self.needle or "\0")
        parts = [Segment(head, PLAIN), Segment(found, MATCH), Segment(tail, PLAIN)]
        return Strip(parts).adjust_cell_length(width, PLAIN)


class Filtered(App[None]):
    CSS = "Lines { width: 4fr; border: round gray; } Static { width: 2fr; } Input { height: 1; }"

    def __init__(self, texts: list[str]) -> None:
        super().__init__()
        self.texts, self.typed = texts, ""

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield from (Static("sources"), Lines(), Static("entry"))
        yield Input(compact=True)
        yield Label(id="prompt-note")

    @on(Input.Changed)
    def narrow(self, event: Input.Changed) -> None:
        pane, words = self.query_one(Lines), event.value.split()
        word = words[-1] if words else ""
        among = pane.rows if word and self.typed in event.value else self.texts
        pane.rows = [text for text in among if word in text]
        pane.needle, self.typed = word, event.value
        pane.refresh().virtual_size = pane.size.with_height(len(pane.rows))
        self.query_one("#prompt-note", Label).update(f"{len(pane.rows):,}")
