"""Start: who starts with what, and the five things most worth a look."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult

from remem.assets import asset_dir
from remem.curation.verbs import Verb
from remem.prompt.loaded import Agent
from remem.text import count
from remem.tui.browsing import SOON
from remem.tui.content import Span, Tone, content, number, span
from remem.tui.document import TextLine, markdown_lines, span_line, text_line
from remem.tui.planning import label
from remem.tui.screens.base import RememScreen
from remem.tui.starting import Overview, Worth, as_markdown, overview, start_rows, text_of
from remem.tui.verbs import BROWSE, COPY, EVERYWHERE, FILTER, HEALTH, OPEN, REVIEW, UNDO
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.line_view import empty_text
from remem.tui.widgets.rows import Rows
from remem.tui.widgets.text_view import TextView


class StartScreen(RememScreen):
    """The first look at a root."""

    CSS_PATH = asset_dir("styles") / "start.tcss"
    NUMBER = 0
    VERBS: ClassVar[tuple[Verb, ...]] = (
        OPEN, BROWSE, REVIEW, HEALTH, FILTER, EVERYWHERE, COPY, UNDO,
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self._overview: Overview | None = None
        self._rows = Rows.of(())

    def compose_panes(self) -> ComposeResult:
        empty = empty_text("no agent and no memory was found here", "1 i", "adds a first entry")
        who = LineList(id="who", classes="pane pane-list", empty=empty)
        who.border_title = content("who starts with what")
        yield who
        files = TextView(id="files", classes="pane pane-detail")
        files.border_title = content("from which files")
        yield files

    def load(self) -> Overview:
        library = self.workbench.library
        is_small = sum(len(source.entries) for source in library.sources) <= SOON
        return overview(self.workbench, thorough=is_small or library.is_complete)

    def fill(self, data: Overview, *, own: bool) -> None:
        self._overview = data
        exact = self.workbench.counter.exact
        self._rows = start_rows(data, self.remem.glyphs, exact=exact)
        if self._filter:
            self.set_filter(self._filter)
        else:
            self.query_one("#who", LineList).show(self._rows, decided=True)
        self._show_files()

    @property
    def _agent(self) -> Agent | None:
        row = self.query_one("#who", LineList).row
        if row is None or self._overview is None:
            return None
        match row.key:
            case ("agent", str(layout), str(name)):
                found = self._overview.agents
                return next((a for a in found if (a.layout, a.name) == (layout, name)), None)
            case _:
                return None

    @property
    def _worth(self) -> Worth | None:
        row = self.query_one("#who", LineList).row
        if row is None or self._overview is None:
            return None
        match row.key:
            case ("worth", int(place)) if place < len(self._overview.worth):
                return self._overview.worth[place]
            case _:
                return None

    @on(LineList.Highlighted, "#who")
    def _show_files(self) -> None:
        worth = self._worth
        # The screen's digit then leads to what the cursor is on.
        self.desk.wanted = worth.target if worth is not None and worth.mode else None
        self.query_one("#files", TextView).show(self._detail_lines(), fresh=True)

    def _detail_lines(self) -> list[TextLine]:
        agent, worth = self._agent, self._worth
        if agent is not None:
            return self._file_lines(agent)
        if worth is not None:
            return self._worth_lines(worth)
        row = self.query_one("#who", LineList).row
        match row.key if row is not None else None:
            case ("role", str(role)):
                return [
                    text_line(role, Tone.STRONG),
                    text_line("enter shows what it gets, line by line", Tone.DIM),
                ]
            case _:
                return []

    def _worth_lines(self, worth: Worth) -> list[TextLine]:
        lines = [text_line(worth.text, Tone.STRONG)]
        match worth.target:
            case ("unread", path) if path in self.workbench.unread():
                text = text_of(self.workbench, path)
                tokens = self.workbench.counter.count(text)
                shown = number(tokens, exact=self.workbench.counter.exact, glyphs=self.remem.glyphs)
                size = f"{shown} tokens; no agent is counted with it" if text else "a folder"
                lines += [text_line(size, Tone.DIM), TextLine(""), *markdown_lines(text)]
            case _:
                lines.append(text_line(f"enter or {worth.key} goes there", Tone.DIM))
        return lines

    def _file_lines(self, agent: Agent) -> list[TextLine]:
        bench, glyphs = self.workbench, self.remem.glyphs
        tokens = number(agent.tokens, exact=agent.exact, glyphs=glyphs)
        lines = [
            span_line((span(agent.name, Tone.STRONG), span(f"  {agent.tool}", Tone.DIM))),
            text_line(f"{tokens} tokens, {count(agent.files, 'file')}, in this order", Tone.DIM),
            TextLine(""),
        ]
        loaders = {source.path: str(source.loader) for source in bench.library.sources}
        for file in agent.files:
            lines.append(text_line(label(bench, file.path)))
            loaded = number(file.tokens, exact=agent.exact, glyphs=glyphs)
            told = f"  {loaded} tokens · {loaders.get(file.path, '')}"
            lines.append(text_line(told.removesuffix(" · "), Tone.DIM))
            if file.is_cut:
                lost = number(file.total - file.tokens, exact=agent.exact, glyphs=glyphs)
                lines.append(span_line((Span(f"  {lost} tokens are never loaded", Tone.WARN),)))
        return [*lines, TextLine(""), text_line("enter shows the whole start", Tone.DIM)]

    @on(LineList.Opened, "#who")
    def _open(self, message: LineList.Opened) -> None:
        worth = self._worth
        match message.row.key:
            case ("agent", _, _):
                self.desk.choose(self._agent)
                self._to_prompt()
            case ("role", str(role)):
                self.desk.choose(None, role)
                self._to_prompt()
            case ("worth", _) if worth is not None and worth.mode:
                self.remem.go_to_mode(worth.mode)
            case _:
                self.call_pane(self.query_one("#files", TextView))

    def _to_prompt(self) -> None:
        self.remem.go_to_mode("prompt")
        self.remem.agent_chosen()

    def filter_rows(self, text: str) -> tuple[int, int]:
        rows = [row for row in self._rows if not row.is_header and _holds(row.label, text)]
        shown = Rows.of(rows) if text else self._rows
        self.query_one("#who", LineList).show(shown, decided=True)
        return len(rows), sum(not row.is_header for row in self._rows)

    def texts_to_copy(self) -> str:
        if self._overview is None:
            return ""
        return as_markdown(self._overview, self.workbench.root.name)


def _holds(label: tuple[Span, ...], text: str) -> bool:
    return text.lower() in "".join(part.text for part in label).lower()
