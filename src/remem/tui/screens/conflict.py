"""The overlay of a conflict: as shown, now, yours; nothing in it decides but a key that says so.

Three columns where there is room, one at a time below that. It shows what it is given and answers
with what the person wants; planning and writing are the session's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Label

from remem.base.assets import asset_dir
from remem.base.errors import Sides
from remem.base.text import safe_text
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import EDIT
from remem.tui.content import content
from remem.tui.screens.plan import Rested
from remem.tui.verbs import (
    CONFLICTING,
    COPY,
    DECIDE_NOW,
    DETAIL,
    EDIT_NOW,
    MOVING,
    NEXT_PANE,
    PREVIOUS_PANE,
    SIDEWAYS,
    bindings,
    key_shown,
)
from remem.tui.widgets.key_bar import KeyBar, KeyHint
from remem.tui.widgets.text_view import TextView
from remem.views.conflict import columns, whole_lines
from remem.views.long_text import TextLine
from remem.views.spans import Span, Spans, Tone

if TYPE_CHECKING:
    from remem.tui.app import RememApp

NAMES: Final = ("as shown", "now", "yours")
IDS: Final = ("base", "theirs", "yours")


class Answer(StrEnum):
    """What the person wants; leaving is no answer."""

    DECIDE = "decide"
    """Apply the decision to the current text."""
    EDIT = "edit"
    """Write it anew, with what was written before in it."""


class ConflictScreen(ModalScreen[Answer | None]):
    """Asks what becomes of a decision on a text that changed meanwhile."""

    CSS_PATH = [  # noqa: RUF012 - Textual declares it as a field
        asset_dir("styles") / "overlays.tcss",
        asset_dir("styles") / "conflict.tcss",
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(CONFLICTING),
        *bindings((NEXT_PANE, PREVIOUS_PANE, COPY)),
        *bindings(MOVING),
        *bindings(SIDEWAYS),
        *bindings(DETAIL),
    ]

    def __init__(
        self,
        does: str,
        sides: Sides,
        writes: Sequence[TextLine] = (),
        *,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        """Make the overlay.

        Args:
            does: The verb's title.
            sides: The three texts.
            writes: What the decision would write on what stands now.
            seconds: A clock that only grows.
        """
        super().__init__()
        self._rested = Rested(seconds)
        self._does = does
        self._sides = sides
        self._writes = writes
        self._side = 1
        """The one that is seen where there is room for one; at first what stands now."""

    def compose(self) -> ComposeResult:
        found = columns(self._sides)
        with Vertical(classes="overlay"):
            title = f"{self._sides.name} changed after it was shown: {self._sides.changed}"
            yield Label(content(safe_text(title, one_line=True)), classes="overlay-title")
            yield Label(id="conflict-tabs")
            with Horizontal(id="conflict-sides"):
                for name, lines in zip(NAMES, (found.base, found.theirs, found.yours), strict=True):
                    view = TextView(lines, id=f"conflict-{IDS[NAMES.index(name)]}", classes="side")
                    view.border_title = content(name)
                    view.can_focus = False
                    yield view
            whole = TextView(whole_lines(self._sides, self._writes), id="conflict-whole")
            whole.can_focus = False
            yield whole
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).hints = tuple(
            KeyHint(verb.id, key_shown(verb), self._title_of(verb), verb.group, self.why_not(verb))
            for verb in CONFLICTING
        )
        self._show_side(self._side)
        self.call_after_refresh(self._rested.await_frame, self)

    def why_not(self, verb: Verb) -> str:
        """Return why a key can do nothing here; empty when it can."""
        if verb is DECIDE_NOW:
            return self._sides.blocked
        if verb is EDIT_NOW and not self._sides.now:
            return self._sides.changed
        return ""

    def _title_of(self, verb: Verb) -> str:
        if verb is not DECIDE_NOW:
            return verb.title
        is_edit = self._does == EDIT.title
        return "Write yours over it" if is_edit else f"{self._does} what stands now"

    @on(KeyBar.Pressed)
    async def _press(self, message: KeyBar.Pressed) -> None:
        await self.run_action(message.verb.replace(".", "_"))

    def action_conflict_decide(self) -> None:
        if self._rested.answers():
            self._answer(DECIDE_NOW, Answer.DECIDE)

    def action_conflict_edit(self) -> None:
        self._answer(EDIT_NOW, Answer.EDIT)

    def _answer(self, verb: Verb, answer: Answer) -> None:
        reason = self.why_not(verb)
        if reason:
            self.app.notify(content(f"{verb.title}: {reason}").plain, markup=False)
            return
        self.dismiss(answer)

    def action_conflict_leave(self) -> None:
        self.dismiss(None)

    def action_conflict_diff(self) -> None:
        """Show every line that differs, or the three texts again."""
        self.query_one(".overlay").toggle_class("-whole")

    def action_copy(self) -> None:
        """Copy what the decision would write."""
        text = self._sides.yours
        if text:
            cast("RememApp", self.app).copy(text)

    def action_pane_next(self) -> None:
        self._show_side((self._side + 1) % len(IDS))

    def action_pane_previous(self) -> None:
        self._show_side((self._side - 1) % len(IDS))

    def action_move_right(self) -> None:
        self.action_pane_next()

    def action_move_left(self) -> None:
        self.action_pane_previous()

    def _show_side(self, side: int) -> None:
        self._side = side
        for number, name in enumerate(IDS):
            self.query_one(f"#conflict-{name}").set_class(number == side, "-called")
        self.query_one("#conflict-tabs", Label).update(content(_tabs(side)))

    def _views(self) -> list[TextView]:
        """Return what scrolls: the texts together, so that like stands beside like."""
        is_whole = self.query_one(".overlay").has_class("-whole")
        return list(self.query("#conflict-whole" if is_whole else ".side").results(TextView))

    def action_move_down(self) -> None:
        for view in self._views():
            view.scroll_lines(1)

    def action_move_up(self) -> None:
        for view in self._views():
            view.scroll_lines(-1)

    def action_detail_down(self) -> None:
        self.action_move_down()

    def action_detail_up(self) -> None:
        self.action_move_up()

    def action_move_half_down(self) -> None:
        for view in self._views():
            view.action_move_half_down()

    def action_move_half_up(self) -> None:
        for view in self._views():
            view.action_move_half_up()

    def action_move_page_down(self) -> None:
        for view in self._views():
            view.action_move_page_down()

    def action_move_page_up(self) -> None:
        for view in self._views():
            view.action_move_page_up()

    def action_move_first(self) -> None:
        for view in self._views():
            view.action_move_first()

    def action_move_last(self) -> None:
        for view in self._views():
            view.action_move_last()


def _tabs(side: int) -> Spans:
    """Return the names of the three texts; brackets tell which one is seen."""
    parts: list[Span] = []
    for number, name in enumerate(NAMES):
        seen = number == side
        parts.append(Span(f"[{name}]" if seen else f" {name} ", Tone.STRONG if seen else Tone.DIM))
    return (*parts, Span("  tab for the next", Tone.DIM))
