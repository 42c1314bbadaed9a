"""The plan of a rename that offers one thing more: the references in other memories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import Button

from remem.tui.content import content
from remem.tui.document import TextLine
from remem.tui.screens.plan import PlanScreen
from remem.tui.verbs import WITH_REFERENCES, bindings, key_shown


class OfferScreen(PlanScreen):
    """Asks once; `r` asks again, with the references in the plan."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings((WITH_REFERENCES,))]

    def __init__(self, title: str, lines: Sequence[TextLine]) -> None:
        super().__init__(title, lines)
        self.wants_references = False

    def on_mount(self) -> None:
        super().on_mount()
        label = f"{WITH_REFERENCES.title} ({key_shown(WITH_REFERENCES)})"
        self.query_one(Horizontal).mount(Button(content(label), id="more", compact=True))

    @on(Button.Pressed, "#more")
    def action_plan_references(self) -> None:
        self.wants_references = True
        self.dismiss(result=False)
