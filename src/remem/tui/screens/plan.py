"""The overlays of a plan, while it is made and before it happens: `enter` does it, `esc` leaves it.

No letter says yes: one that was meant for the list below decides nothing here.

It shows what it is given and answers yes or no; planning and applying are the session's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from math import inf
from time import monotonic
from typing import Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Label

from remem.base.assets import asset_dir
from remem.tui.content import content
from remem.tui.verbs import (
    APPLY_PLAN,
    CANCEL_PLAN,
    DETAIL,
    MOVING,
    SIDEWAYS,
    TAKE_IN,
    bindings,
    key_shown,
)
from remem.tui.widgets.text_view import TextView
from remem.views.long_text import TextLine

QUIET_SECONDS: Final = 0.3
"""How long `enter` has to rest before it is a yes; a held key repeats ten times as often."""


class PlanButton(Button, inherit_bindings=False):
    """A button that `enter` presses only where its screen lets it."""


class Rested:
    """Tells whether `enter` is a yes: it was let go since what it answers could be seen.

    Keys that come before the drawing were meant for something else. `enter` opened many an
    overlay, so it counts when none came for a moment, and none counts before.
    """

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._quiet_since = inf
        """When it was drawn, or `enter` came last; `inf` = nobody can have seen it yet."""

    @property
    def is_seen(self) -> bool:
        return self._quiet_since < inf

    def drawn(self) -> None:
        """Note that it stands on the screen."""
        self._quiet_since = self._seconds()

    def answers(self) -> bool:
        """Take an `enter`; tell whether it counts."""
        now = self._seconds()
        was_quiet = now - self._quiet_since >= QUIET_SECONDS
        if self.is_seen:
            self._quiet_since = now
        return was_quiet

    async def await_frame(self, screen: Screen[Any]) -> None:
        """Call it drawn when the next frame of a screen is out."""
        # Panes say in their own turn that they have to be drawn; only then does a frame come.
        await asyncio.sleep(0)
        screen.call_after_refresh(self.drawn)


class PlanScreen(ModalScreen[bool]):
    """Asks once; a yes is a key that was pressed when the plan could be seen."""

    CSS_PATH = asset_dir("styles") / "overlays.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings((APPLY_PLAN, TAKE_IN, CANCEL_PLAN)),
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
            careful: `enter` means no until `space` took it in.
            seconds: A clock that only grows.
        """
        super().__init__()
        self._title = title
        self._lines = lines
        self._apply = apply
        self._is_careful = careful
        self._rested = Rested(seconds)

    @property
    def _keys(self) -> str:
        """The keys that apply it."""
        keys = (TAKE_IN, APPLY_PLAN) if self._is_careful else (APPLY_PLAN,)
        return " ".join(map(key_shown, keys))

    def compose(self) -> ComposeResult:
        with Vertical(classes="overlay"):
            yield Label(content(self._title), classes="overlay-title")
            yield TextView(self._lines, signs=True, id="plan")
            with Horizontal(classes="overlay-buttons"):
                yield PlanButton(content("Cancel (esc)"), id="no", compact=True)
                yield PlanButton(content(f"{self._apply} ({self._keys})"), id="yes", compact=True)

    def on_mount(self) -> None:
        self.query_one("#plan", TextView).can_focus = False
        self.query_one("#no" if self._is_careful else "#yes", Button).focus()
        self.call_after_refresh(self._rested.await_frame, self)

    def action_plan_apply(self) -> None:
        """Press the button that has the focus, unless the key was not let go since the drawing."""
        if not self._rested.answers():
            # It came before anybody can have read the plan.
            label = f"{self._apply} ({self._keys} again)"
            self.query_one("#yes", Button).label = content(label)
        elif isinstance(self.focused, Button):
            self.focused.press()

    def action_plan_part(self) -> None:
        """Go between yes and no where a look was asked for."""
        if self._is_careful:
            is_yes = self.focused is self.query_one("#yes")
            self.query_one("#no" if is_yes else "#yes", Button).focus()

    @on(Button.Pressed, "#no")
    def action_plan_cancel(self) -> None:
        self.dismiss(result=False)

    @on(Button.Pressed, "#yes")
    def _say_yes(self) -> None:
        if self._rested.is_seen:
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


_UNSEEN_SECONDS: Final = 0.2
"""How long a plan may take before anything is drawn of the overlay."""


class PlanningScreen(ModalScreen[None]):
    """Takes every key until the plan can be shown; a quick plan passes unseen."""

    CSS_PATH = asset_dir("styles") / "overlays.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings((CANCEL_PLAN,))]

    def __init__(self, title: str) -> None:
        """Make the overlay.

        Args:
            title: Of what is planned, from disk in part.
        """
        super().__init__(classes="unseen")
        self._title = title
        self.is_left = False
        """Whether the person went back: the plan is not wanted any more."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="overlay asking"):
            yield Label(content(self._title), classes="overlay-title")
            foot = f"planning what it would write; {key_shown(CANCEL_PLAN)} leaves it"
            yield Label(content(foot), classes="overlay-foot")

    def on_mount(self) -> None:
        self.set_timer(_UNSEEN_SECONDS, lambda: self.remove_class("unseen"))

    def action_plan_cancel(self) -> None:
        self.is_left = True
        self.dismiss()

    def done(self) -> None:
        """Make room for the plan."""
        if self.is_current:
            self.dismiss()


class OfferScreen(PlanScreen):
    """Asks once; `space` asks again, with the references in the plan, or without them."""

    def __init__(
        self,
        title: str,
        lines: Sequence[TextLine],
        *,
        apply: str,
        taken: bool,
        seconds: Callable[[], float],
    ) -> None:
        """Make the overlay.

        Args:
            title: As for `PlanScreen`.
            lines: As for `PlanScreen`.
            apply: As for `PlanScreen`.
            taken: The plan has the references in it.
            seconds: As for `PlanScreen`.
        """
        super().__init__(title, lines, apply=apply, seconds=seconds)
        self._is_taken = taken
        self.is_turned = False
        """The person wants the other plan."""

    def on_mount(self) -> None:
        super().on_mount()
        box = "[x]" if self._is_taken else "[ ]"
        label = f"{box} Rewrite references too ({key_shown(TAKE_IN)})"
        more = PlanButton(content(label), id="more", compact=True)
        self.query_one(Horizontal).mount(more, after="#no")

    @on(Button.Pressed, "#more")
    def action_plan_part(self) -> None:
        self.is_turned = True
        self.dismiss(result=False)
