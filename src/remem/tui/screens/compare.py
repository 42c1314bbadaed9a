"""The overlay that shows a retro beside another one, and what it did to memory.

It decides nothing: `compare_retros.py` says what is shown, and the picker which other retro.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label

from remem.model.source import Source
from remem.tui.content import content
from remem.tui.screens.choose import ChooseScreen
from remem.tui.verbs import COMPARING, bindings, key_shown
from remem.tui.widgets.line_view import empty_text
from remem.tui.widgets.text_view import TextView
from remem.views.choice import Choice
from remem.views.compare_retros import compare_lines
from remem.views.retro import retros_of

if TYPE_CHECKING:
    from remem.tui.app import RememApp


class CompareScreen(ModalScreen[None]):
    """Compares with the retro before it; another one can be chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(COMPARING)]

    def __init__(self, retro: Source) -> None:
        """Make the overlay.

        Args:
            retro: What is looked at.
        """
        super().__init__()
        self._retro = retro
        self._other: Source | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="overlay"):
            yield Label("", id="compare-title", classes="overlay-title")
            yield TextView(id="comparison", empty=empty_text("comparing"))
            yield Label("", id="compare-foot", classes="overlay-foot")

    def on_mount(self) -> None:
        self.query_one("#comparison", TextView).focus()
        keys = (key_shown(verb, self._remem.keys) for verb in COMPARING)
        other, leave = keys
        foot = f"{other} another retro   {leave} back"
        self.query_one("#compare-foot", Label).update(content(foot))
        others = self._others()
        if others:
            self._compare_with(others[0])

    @property
    def _remem(self) -> RememApp:
        return cast("RememApp", self.app)

    def _others(self) -> Sequence[Source]:
        """Return the other retros, the one before it first, then back in time, then later ones."""
        found = retros_of(self._remem.workbench.library)
        names = [source.path for source in found]
        here = names.index(self._retro.path) if self._retro.path in names else len(found)
        return [*found[:here][::-1], *found[here + 1 :]]

    def _compare_with(self, other: Source) -> None:
        self._other = other
        names = [source.path for source in retros_of(self._remem.workbench.library)]
        pair = sorted((other, self._retro), key=lambda source: names.index(source.path))
        arrow = self._remem.glyphs.arrow
        title = f"{pair[0].path.stem} {arrow} {pair[1].path.stem}"
        self.query_one("#compare-title", Label).update(content(title))
        self._gather(pair[0], pair[1])

    @work(exclusive=True, group="compare", description="compare")
    async def _gather(self, before: Source, after: Source) -> None:
        remem = self._remem
        lines = await asyncio.to_thread(compare_lines, remem.workbench, before, after, remem.glyphs)
        self.query_one("#comparison", TextView).show(lines, fresh=True)

    def action_compare_other(self) -> None:
        """Choose what to compare with."""
        others = {source.path.stem: source for source in self._others()}
        choices = [Choice(name, name) for name in others]

        def take(chosen: str | None) -> None:
            if chosen is not None and chosen in others:
                self._compare_with(others[chosen])

        self.app.push_screen(ChooseScreen(f"Compare {self._retro.path.stem} with", choices), take)

    def action_compare_close(self) -> None:
        self.dismiss()
