"""The overlay of a compaction: which lines are taken, which old ones stay, what it would write.

Nothing happens in it but marking; it answers with what the person chose.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from time import monotonic
from typing import ClassVar, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label

from remem.base.assets import asset_dir
from remem.base.frozen import dataclass
from remem.systems.personas.compact import Proposed
from remem.tui.content import content
from remem.tui.screens.plan import Rested
from remem.tui.verbs import APPLY_PLAN, CANCEL_PLAN, DETAIL, DIFF, MARK, bindings, key_shown
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.text_view import TextView
from remem.views.compact import chosen_in, compact_rows, detail_lines, marks_of
from remem.views.long_text import TextLine


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
