"""The overlay that stands while a plan is made: keys go nowhere else, and `esc` leaves it."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label

from remem.base.assets import asset_dir
from remem.tui.content import content
from remem.tui.verbs import CANCEL_PLAN, bindings, key_shown

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
