"""The plan of a rename, which offers to rewrite the mentions in prose too."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import on
from textual.containers import Horizontal
from textual.widgets import Button

from remem.tui.content import content
from remem.tui.screens.plan import PlanButton, PlanScreen
from remem.tui.verbs import TAKE_IN, key_shown
from remem.views.long_text import TextLine


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
