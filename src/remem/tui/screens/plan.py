"""The overlay that shows a plan before it happens: `enter` does it, `esc` leaves it.

It shows what it is given and answers yes or no; planning and applying are the workbench's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from math import inf
from time import monotonic
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Label

from remem.tui.content import content
from remem.tui.verbs import (
    APPLY_PLAN,
    CANCEL_PLAN,
    CONFIRM_PLAN,
    DETAIL,
    MOVING,
    SIDEWAYS,
    bindings,
    key_shown,
)
from remem.tui.widgets.text_view import TextView
from remem.views.document import TextLine

QUIET_SECONDS: Final = 0.3
"""How long `enter` has to rest before it is a yes; a held key repeats ten times as often."""


class PlanButton(Button, inherit_bindings=False):
    """A button that `enter` presses only where its screen lets it."""


class PlanScreen(ModalScreen[bool]):
    """Asks once; a yes is a key that was pressed when the plan could be seen.

    Keys that come before the plan was drawn were meant for something else. `enter` opened many a
    plan, so it counts once it was let go: when none came for a moment, and none counts before.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings((CONFIRM_PLAN, APPLY_PLAN, CANCEL_PLAN)),
        *bindings(MOVING),
        *bindings(SIDEWAYS),
        *bindings(DETAIL),
    ]

    def __init__(
        self,
        title: str,
        lines: Sequence[TextLine],
        *,
        apply: str = APPLY_PLAN.title,
        careful: bool = False,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        """Make the overlay.

        Args:
            title: The change's title, from disk in part.
            lines: The plan: a diff, what is touched, notes.
            apply: What the button that applies is called.
            careful: `enter` means no; only the key that says yes applies.
            seconds: A clock that only grows.
        """
        super().__init__()
        self._title = title
        self._lines = lines
        self._apply = apply
        self._is_careful = careful
        self._seconds = seconds
        self._quiet_since = inf
        """When the plan was drawn, or `enter` came last; `inf` = nobody can have seen it yet."""

    def compose(self) -> ComposeResult:
        yes = key_shown(APPLY_PLAN if self._is_careful else CONFIRM_PLAN)
        with Vertical(classes="overlay"):
            yield Label(content(self._title), classes="overlay-title")
            yield TextView(self._lines, id="plan")
            with Horizontal(classes="overlay-buttons"):
                yield PlanButton(content("No (esc)"), id="no", compact=True)
                yield PlanButton(content(f"{self._apply} ({yes})"), id="yes", compact=True)

    def on_mount(self) -> None:
        self.query_one("#plan", TextView).can_focus = False
        self.query_one("#no" if self._is_careful else "#yes", Button).focus()
        self.call_after_refresh(self._await_frame)

    async def _await_frame(self) -> None:
        # Panes say in their own turn that they have to be drawn; only then does a frame come.
        await asyncio.sleep(0)
        self.call_after_refresh(self._drawn)

    def _drawn(self) -> None:
        self._quiet_since = self._seconds()

    def action_plan_confirm(self) -> None:
        """Press the button that has the focus, unless the key was not let go since the drawing."""
        now = self._seconds()
        was_quiet = now - self._quiet_since >= QUIET_SECONDS
        if self._quiet_since < inf:
            self._quiet_since = now
        if was_quiet and isinstance(self.focused, Button):
            self.focused.press()

    @on(Button.Pressed, "#no")
    def action_plan_cancel(self) -> None:
        self.dismiss(result=False)

    @on(Button.Pressed, "#yes")
    def action_plan_apply(self) -> None:
        if self._quiet_since < inf:
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
