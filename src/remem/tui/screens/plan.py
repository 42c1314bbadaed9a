"""The overlay that shows a plan before it happens; the focus is on No.

It shows what it is given and answers yes or no; planning and applying are the workbench's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Label

from remem.tui.content import content
from remem.tui.document import TextLine
from remem.tui.verbs import (
    APPLY_PLAN,
    CANCEL_PLAN,
    DETAIL,
    MOVING,
    SIDEWAYS,
    bindings,
)
from remem.tui.widgets.text_view import TextView


class PlanScreen(ModalScreen[bool]):
    """Asks once; `y` applies, everything else that leaves does not."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings((APPLY_PLAN, CANCEL_PLAN)),
        *bindings(MOVING),
        *bindings(SIDEWAYS),
        *bindings(DETAIL),
    ]

    def __init__(self, title: str, lines: Sequence[TextLine], *, apply: str = "Apply") -> None:
        """Make the overlay.

        Args:
            title: The change's title, from disk in part.
            lines: The plan: a diff, what is touched, notes.
            apply: What the button that applies is called.
        """
        super().__init__()
        self._title = title
        self._lines = lines
        self._apply = apply

    def compose(self) -> ComposeResult:
        with Vertical(classes="overlay"):
            yield Label(content(self._title), classes="overlay-title")
            yield TextView(self._lines, id="plan")
            with Horizontal(classes="overlay-buttons"):
                yield Button(content("No (esc)"), id="no", compact=True)
                yield Button(content(f"{self._apply} (y)"), id="yes", compact=True)

    def on_mount(self) -> None:
        self.query_one("#plan", TextView).can_focus = False
        self.query_one("#no", Button).focus()

    @on(Button.Pressed, "#no")
    def action_plan_cancel(self) -> None:
        self.dismiss(result=False)

    @on(Button.Pressed, "#yes")
    def action_plan_apply(self) -> None:
        self.dismiss(result=True)

    def action_move_left(self) -> None:
        self.query_one("#no", Button).focus()

    def action_move_right(self) -> None:
        self.query_one("#yes", Button).focus()

    def action_move_down(self) -> None:
        self._view.scroll_lines(1)

    def action_move_up(self) -> None:
        self._view.scroll_lines(-1)

    def action_detail_down(self) -> None:
        self._view.scroll_lines(1)

    def action_detail_up(self) -> None:
        self._view.scroll_lines(-1)

    def action_move_half_down(self) -> None:
        self._view.action_move_half_down()

    def action_move_half_up(self) -> None:
        self._view.action_move_half_up()

    def action_move_page_down(self) -> None:
        self._view.action_move_page_down()

    def action_move_page_up(self) -> None:
        self._view.action_move_page_up()

    def action_move_first(self) -> None:
        self._view.action_move_first()

    def action_move_last(self) -> None:
        self._view.action_move_last()

    @property
    def _view(self) -> TextView:
        return self.query_one("#plan", TextView)
