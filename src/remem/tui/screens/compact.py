"""The overlay of a compaction: which lines are taken, which old ones stay, what it would write.

Nothing happens in it but marking; it answers with what the person chose.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from time import monotonic
from typing import ClassVar, Final, Literal, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label

from remem.base.assets import asset_dir
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.systems.personas.compacting.compact_memory import Proposed
from remem.systems.personas.compacting.compact_trace import Traced, Verdict
from remem.tui.content import content
from remem.tui.screens.plan import Rested
from remem.tui.verbs import APPLY_PLAN, CANCEL_PLAN, DETAIL, DIFF, MARK, bindings, key_shown
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.text_view import TextView
from remem.views import signs
from remem.views.list_rows import Row, Rows
from remem.views.long_text import TextLine, text_line, text_lines
from remem.views.spans import Span, Tone, span


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is taken of a compaction; numbers from 0."""

    accept: tuple[int, ...]
    keep: tuple[int, ...]


Writes: TypeAlias = Callable[[Chosen], Sequence[TextLine]]
"""Says what a choice would write."""


class CompactScreen(ModalScreen[Chosen | None]):
    """Asks once; `enter` applies what is marked."""

    CSS_PATH = asset_dir("styles") / "overlays.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        # The list would open its row.
        Binding(APPLY_PLAN.key, "plan_apply", priority=True),
        *bindings((CANCEL_PLAN, DIFF)),
        *bindings(DETAIL),
    ]

    def __init__(
        self,
        title: str,
        archive: str,
        proposed: Proposed,
        writes: Writes,
        *,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        """Make the overlay.

        Args:
            title: Whose memory.
            archive: Name of the file that takes the old text.
            proposed: What was answered, traced.
            writes: Says what a choice would write.
            seconds: A clock that only grows.
        """
        super().__init__()
        self._rested = Rested(seconds)
        self._title = title
        self._archive = archive
        self._proposed = proposed
        self._writes = writes
        self._has_diff = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="overlay"):
            yield Label(content(self._title), classes="overlay-title")
            yield LineList(compact_rows(self._proposed), id="compact-lines")
            yield Label("", id="compact-sum", classes="overlay-foot")
            detail = TextView(id="compact-detail")
            detail.can_focus = False
            yield detail
            keys = ((MARK, "take or leave"), (DIFF, "diff"), (APPLY_PLAN, "apply"))
            foot = "   ".join(f"{key_shown(verb)} {does}" for verb, does in keys)
            scroll = "/".join(map(key_shown, DETAIL))
            yield Label(content(f"{foot}   {scroll} scroll   esc cancel"), classes="overlay-foot")

    async def on_mount(self) -> None:
        lines = self.query_one(LineList)
        lines.mark(marks_of(self._proposed))
        lines.focus()
        await self._show_detail()
        self.call_after_refresh(self._rested.await_frame, self)

    @property
    def _chosen(self) -> Chosen:
        marks = self.query_one(LineList).marked
        return Chosen(tuple(chosen_in(marks, "line")), tuple(chosen_in(marks, "old")))

    @on(LineList.Marked)
    async def _add_up(self) -> None:
        chosen = self._chosen
        told = self._proposed.sum(chosen.accept, chosen.keep).told(self._archive)
        self.query_one("#compact-sum", Label).update(content(told))
        if self._has_diff:
            await self._show_detail()

    @on(LineList.Highlighted)
    async def _follow(self) -> None:
        if not self._has_diff:
            await self._show_detail()

    async def _show_detail(self) -> None:
        """Show the trace of the row under the cursor, or what would be written."""
        view, row = self.query_one(TextView), self.query_one(LineList).row
        if self._has_diff:
            # A long memory takes a while to be compared; the screen goes on meanwhile.
            view.show(await asyncio.to_thread(self._writes, self._chosen))
        else:
            view.show(detail_lines(self._proposed, row.key if row is not None else None))

    async def action_show_diff(self) -> None:
        """Show what would be written, or the trace again."""
        self._has_diff = not self._has_diff
        await self._show_detail()

    def action_detail_down(self) -> None:
        self.query_one(TextView).scroll_lines(1)

    def action_detail_up(self) -> None:
        self.query_one(TextView).scroll_lines(-1)

    def action_plan_apply(self) -> None:
        if not self._rested.answers():
            return
        chosen = self._chosen
        if not chosen.accept:
            self.app.notify("no line is marked; esc cancels", markup=False)
            return
        self.dismiss(chosen)

    def action_plan_cancel(self) -> None:
        self.dismiss(None)


Key: TypeAlias = tuple[Literal["line", "old"], int]
"""A line of the answer, or an old unit that no line stands for."""

_SIGNS: Final = {
    Verdict.KEPT: signs.SAME.drawn,
    Verdict.TRACED: signs.NEW.drawn,
    Verdict.DOUBTFUL: signs.UNCONFIRMED.drawn,
    Verdict.INVENTED: signs.PROBLEM.drawn,
}
_SAYS: Final = {
    Verdict.KEPT: "already in the memory, word for word",
    Verdict.TRACED: "replaces these old lines",
    Verdict.DOUBTFUL: "adds something the old lines do not say",
    Verdict.INVENTED: "not based on any old line",
}


def compact_rows(proposed: Proposed) -> Rows:
    """Return the lines of the answer, then the old units that would go to the archive alone."""
    return Rows.of([*_line_rows(proposed), *_dropped_rows(proposed)])


def marks_of(proposed: Proposed) -> list[Key]:
    """Return the rows that are marked at first: every sound line."""
    return [("line", number) for number in proposed.chosen()]


def chosen_in(marks: Collection[object], kind: str) -> list[int]:
    """Return the numbers of the marked rows of one kind, in order."""
    return sorted(mark[1] for mark in marks if isinstance(mark, tuple) and mark[0] == kind)


def detail_lines(proposed: Proposed, key: object) -> list[TextLine]:
    """Return what there is to know of the row under the cursor."""
    match key:
        case ("line", int(number)):
            return [*_of_line(proposed, proposed.lines[number])]
        case ("old", int(unit)):
            head = text_line("goes to the archive; mark it to keep it", Tone.DIM)
            return [head, *_of_unit(proposed, unit)]
        case _:
            return []


def _line_rows(proposed: Proposed) -> Iterator[Row]:
    right = (span("marked lines are used", Tone.DIM),)
    title = f"{count(proposed.lines, 'line')} of the answer"
    yield Row("lines", (span(title),), right=right, is_header=True)
    for number, line in enumerate(proposed.lines):
        stands = "same" if line.verdict is Verdict.KEPT else f"for {len(line.units)}"
        told = "invented" if line.verdict is Verdict.INVENTED else stands
        yield Row(
            ("line", number), (span(line.text),), _SIGNS[line.verdict], (span(told, Tone.DIM),)
        )


def _dropped_rows(proposed: Proposed) -> Iterator[Row]:
    if not proposed.dropped:
        return
    title = f"{count(proposed.dropped, 'old line')} dropped"
    right = (span("marked lines stay", Tone.DIM),)
    yield Row("dropped", (span(title),), right=right, is_header=True)
    region = proposed.region
    for unit in proposed.dropped:
        first = (region.texts[unit].splitlines() or [""])[0]
        section = (span(region.section_of(unit), Tone.DIM),)
        yield Row(("old", unit), (span(first),), Span("-", Tone.REMOVED), section)


def _of_line(proposed: Proposed, line: Traced) -> Iterator[TextLine]:
    yield text_line(line.text, Tone.STRONG)
    tone = Tone.DIM if line.verdict.is_taken else Tone.WARN
    yield text_line(line.doubt or _SAYS[line.verdict], tone)
    if line.new and line.verdict is not Verdict.KEPT:
        yield text_line(f"new words: {', '.join(line.new[:20])}", Tone.DIM)
    for unit in line.units:
        yield TextLine("")
        yield from _of_unit(proposed, unit)


def _of_unit(proposed: Proposed, unit: int) -> Iterator[TextLine]:
    section = proposed.region.section_of(unit)
    if section:
        yield text_line(section, Tone.HEADING)
    yield from text_lines(proposed.region.texts[unit])
