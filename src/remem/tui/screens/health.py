"""Health: what is wrong, where, and the verb that mends it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult

from remem.assets import asset_dir
from remem.curation.verbs import ARCHIVE, EDIT, Verb
from remem.model.change import Intent
from remem.tui.ailing import Ailment, ailments
from remem.tui.browsing import SOON
from remem.tui.content import Span, Tone, content, span
from remem.tui.document import TextLine, text_line
from remem.tui.editing import edited_fields
from remem.tui.planning import label
from remem.tui.reading import ABOVE, entry_lines, problem_line, source_lines
from remem.tui.screens.deciding import DecidingScreen, Target
from remem.tui.verbs import COPY, FILTER, OPEN, UNDO, key_shown
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.line_view import empty_text
from remem.tui.widgets.rows import Row, Rows
from remem.tui.widgets.text_view import TextView


@dataclass(frozen=True, slots=True)
class _Found:
    ailments: list[Ailment]
    is_whole: bool


class HealthScreen(DecidingScreen):
    """Shows every problem, the ones that stop writing first."""

    CSS_PATH = asset_dir("styles") / "health.tcss"
    NUMBER = 5
    VERBS: ClassVar[tuple[Verb, ...]] = (OPEN, EDIT, ARCHIVE, FILTER, COPY, UNDO)

    def __init__(self) -> None:
        super().__init__()
        self._ailments: dict[Hashable, Ailment] = {}
        self._rows = Rows.of(())
        self._reading: Hashable = None
        """What the detail shows, so that a refresh of the same keeps its place."""

    def compose_panes(self) -> ComposeResult:
        empty = empty_text("nothing wrong was found", "0", "goes to the start")
        problems = LineList(id="problems", classes="pane pane-list", empty=empty)
        problems.border_title = content("problems")
        yield problems
        where = TextView(id="where", classes="pane pane-detail", numbers=True)
        where.border_title = content("where")
        yield where

    def load(self) -> _Found:
        bench = self.workbench
        is_small = sum(len(source.entries) for source in bench.library.sources) <= SOON
        thorough = is_small or bench.library.is_complete
        return _Found(ailments(bench, bench.agents(), thorough=thorough), thorough)

    def fill(self, data: _Found, *, own: bool) -> None:
        self._ailments = {ailment.key: ailment for ailment in data.ailments}
        self._rows = Rows.of([*self._grouped()])
        problems = self.query_one("#problems", LineList)
        problems.border_subtitle = content(
            f"{len(self._ailments)}{'' if data.is_whole else ', still reading …'}"
        )
        if self._filter:
            self.set_filter(self._filter)
        else:
            problems.show(self._rows, decided=own)
        self._go_to_wanted()
        self._show_where()

    @on(events.ScreenResume)
    def _go_to_wanted(self) -> None:
        """Put the cursor on the finding that led here."""
        wanted = self.desk.wanted
        if wanted is not None and self.query_one("#problems", LineList).move_to(wanted):
            self.desk.wanted = None

    def _grouped(self) -> Iterator[Row]:
        """Yield the problems under the file that they are in."""
        groups: dict[str, list[Ailment]] = {}
        for ailment in self._ailments.values():
            groups.setdefault(self._group(ailment), []).append(ailment)
        for name, found in groups.items():
            right = (span(f"{len(found)}", Tone.DIM),)
            yield Row(("group", name), (span(name),), right=right, is_header=True)
            yield from map(self._row, found)

    def _group(self, ailment: Ailment) -> str:
        if ailment.path is not None:
            return label(self.workbench, ailment.path)
        return "budgets" if ailment.role else "settings"

    def _row(self, ailment: Ailment) -> Row:
        problem = ailment.problem
        sign = Span("‼", Tone.BAD) if problem.blocks_writing else Span("!", Tone.WARN)
        line = f"line {problem.line}  " if problem.line else ""
        key, does = self._mends(ailment)
        right = (span(line, Tone.DIM), Span(key, Tone.KEY), Span(f" {does}", Tone.DIM))
        return Row(ailment.key, (span(problem.message),), sign, right)

    def _mends(self, ailment: Ailment) -> tuple[str, str]:
        """Return the key that mends it, or leads to where it is mended, and what it does."""
        if ailment.entry is not None:
            blocked = EDIT.blocked(self.workbench.library, ailment.entry)
            return ("enter", "Show") if blocked else (key_shown(EDIT, self.remem.keys), EDIT.title)
        if ailment.role:
            return ("enter", "Prompt")
        return ("enter", "Browse") if ailment.source is not None else ("enter", "Show")

    @property
    def _ailment(self) -> Ailment | None:
        row = self.query_one("#problems", LineList).row
        return self._ailments.get(row.key) if row is not None else None

    @on(LineList.Highlighted, "#problems")
    def _show_where(self) -> None:
        view = self.query_one("#where", TextView)
        ailment = self._ailment
        key = ailment.key if ailment is not None else None
        view.show(self._lines(ailment) if ailment is not None else (), fresh=key != self._reading)
        if ailment is not None and key != self._reading:
            place = problem_line(view.lines, ailment.problem)
            if place is not None and ailment.entry is None:
                # After the text was laid out; a little of what leads to the place stays above it.
                self.call_after_refresh(view.put_at_top, max(place - ABOVE, 0))
        self._reading = key

    def _lines(self, ailment: Ailment) -> list[TextLine]:
        head = [text_line(ailment.problem.message, Tone.BAD)]
        head += [text_line(ailment.problem.hint, Tone.DIM)] if ailment.problem.hint else []
        head.append(TextLine(""))
        bench, source = self.workbench, ailment.source
        if ailment.entry is not None:
            lines = entry_lines(bench.library, ailment.entry, bench.counter, self.remem.glyphs)
            return [*head, *lines]
        if source is None:
            return head
        # The problem stands above already.
        is_own = ailment.problem in source.problems
        return [*([] if is_own else head), *source_lines(source)]

    def targets(self) -> Sequence[Target]:
        ailment = self._ailment
        return [ailment.entry] if ailment is not None and ailment.entry is not None else []

    @on(LineList.Opened, "#problems")
    def _open(self) -> None:
        ailment = self._ailment
        if ailment is None:
            return
        if ailment.entry is not None:
            self.remem.show_entry(ailment.entry.ref)
        elif ailment.role:
            self.desk.choose(None, ailment.role)
            self.remem.go_to_mode("prompt")
            self.remem.agent_chosen()
        elif ailment.source is not None:
            self.desk.wanted = ("source", ailment.source.path)
            self.remem.go_to_mode("browse")
        else:
            self.call_pane(self.query_one("#where", TextView))

    async def action_edit(self) -> None:
        ailment, reason = self._ailment, self.why_not(EDIT)
        if ailment is None or ailment.entry is None or reason:
            self.say(f"{EDIT.title}: {reason or 'there is no entry under the cursor'}")
            return
        entry = ailment.entry
        fields = await edited_fields(self.remem, entry.ref)
        if fields:
            await self.carry_out(Intent(EDIT.id, {entry.ref: entry.digest}, {"fields": fields}))

    def filter_rows(self, text: str) -> tuple[int, int]:
        kept = [
            row
            for row in self._rows
            if not row.is_header and text.lower() in row.label[0].text.lower()
        ]
        shown = Rows.of(kept) if text else self._rows
        self.query_one("#problems", LineList).show(shown, decided=True)
        return len(kept), len(self._ailments)

    def texts_to_copy(self) -> str:
        lines: list[str] = []
        for row in self.query_one("#problems", LineList).rows:
            text = "".join(part.text for part in row.label)
            lines.append(f"\n## {text}" if row.is_header else f"- {text}")
        return "\n".join(lines).strip()
