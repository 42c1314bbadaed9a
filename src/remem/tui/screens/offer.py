"""The plan of a rename that offers one thing more: the references in other memories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import Button

from remem.tui.content import content
from remem.tui.screens.plan import PlanButton, PlanScreen
from remem.tui.verbs import WITH_REFERENCES, bindings, key_shown
from remem.views.document import TextLine


class OfferScreen(PlanScreen):
    """Asks once; `r` asks again, with the references in the plan."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings((WITH_REFERENCES,))]

    def __init__(
        self, title: str, lines: Sequence[TextLine], *, apply: str, seconds: Callable[[], float]
    ) -> None:
        super().__init__(title, lines, apply=apply, seconds=seconds)
        self.wants_references = False

    def on_mount(self) -> None:
        super().on_mount()
        label = f"{WITH_REFERENCES.title} ({key_shown(WITH_REFERENCES)})"
        more = PlanButton(content(label), id="more", compact=True)
        self.query_one(Horizontal).mount(more, after="#no")

    @on(Button.Pressed, "#more")
    def action_plan_references(self) -> None:
        self.wants_references = True
        self.dismiss(result=False)
