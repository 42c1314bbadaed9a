"""The overlay that shows something as it was at a commit or on a day, beside how it is now.

It decides nothing and writes nothing: `compare_past.py` says what is shown, the picker which time.
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

from remem.base.assets import asset_dir
from remem.base.errors import RememError
from remem.core.history.revisions import Revisions
from remem.tui.content import content
from remem.tui.screens.base import RememScreen
from remem.tui.screens.choose import ChooseScreen
from remem.tui.verbs import COMPARING, bindings, key_shown
from remem.tui.widgets.line_view import empty_text
from remem.tui.widgets.text_view import TextView
from remem.views.compare_past import Subject, choices, lines_then
from remem.views.list_rows import Choice
from remem.views.long_text import TextLine, text_line
from remem.views.spans import Tone

if TYPE_CHECKING:
    from remem.tui.app import RememApp

_SHOWN = 12
"""Characters of a commit in the title."""


async def compare_with_past(screen: RememScreen, subject: Subject) -> None:
    """Ask for a commit or a day, and show what a subject was then."""
    try:
        past = await asyncio.to_thread(screen.session.revisions)
        found = await asyncio.to_thread(choices, screen.session, past)
    except RememError as error:
        screen.remem.show_error(error)
        return

    def take(chosen: str | None) -> None:
        if chosen:
            screen.app.push_screen(PastScreen(subject, past, found, chosen))

    screen.app.push_screen(_picker(subject, found), take)


def _picker(subject: Subject, found: Sequence[Choice]) -> ChooseScreen:
    title = f"Compare {subject.name} with: choose, or type a revision or date"
    return ChooseScreen(title, found, typed=True)


class PastScreen(ModalScreen[None]):
    """Then and now; another time can be chosen."""

    CSS_PATH = asset_dir("styles") / "overlays.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(COMPARING)]

    def __init__(
        self, subject: Subject, past: Revisions, found: Sequence[Choice], chosen: str
    ) -> None:
        """Make the overlay.

        Args:
            subject: What is compared.
            past: Where it is looked up.
            found: What else can be chosen.
            chosen: A revision or a day.
        """
        super().__init__()
        self._subject = subject
        self._past = past
        self._found = found
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        with Vertical(classes="overlay"):
            yield Label("", id="past-title", classes="overlay-title")
            yield TextView(id="past", empty=empty_text("reading the old version"))
            yield Label("", id="past-foot", classes="overlay-foot")

    def on_mount(self) -> None:
        self.query_one("#past", TextView).focus()
        other, leave = (key_shown(verb, self._remem.keys) for verb in COMPARING)
        self.query_one("#past-foot", Label).update(content(f"{other} other date   {leave} back"))
        self._show()

    @property
    def _remem(self) -> RememApp:
        return cast("RememApp", self.app)

    def _show(self) -> None:
        chosen = self._chosen
        is_commit = any(each.id == chosen for each in self._found) and len(chosen) > _SHOWN
        when = chosen[:_SHOWN] if is_commit else chosen
        title = f"{self._subject.name} · {when} {self._remem.glyphs.arrow} now"
        self.query_one("#past-title", Label).update(content(title))
        self._gather(chosen)

    @work(exclusive=True, group="past", description="past")
    async def _gather(self, chosen: str) -> None:
        lines = await asyncio.to_thread(self._lines, chosen)
        self.query_one("#past", TextView).show(lines, fresh=True)

    def _lines(self, chosen: str) -> list[TextLine]:
        try:
            with self._past.reading():
                session, glyphs = self._remem.session, self._remem.glyphs
                commit = self._past.commit(chosen)
                return lines_then(session, self._subject, self._past, commit, glyphs)
        except RememError as error:
            hint = [text_line(error.hint, Tone.DIM)] if error.hint else []
            return [text_line(str(error), Tone.BAD), *hint]

    def action_compare_other(self) -> None:
        """Choose another time."""

        def take(chosen: str | None) -> None:
            if chosen:
                self._chosen = chosen
                self._show()

        self.app.push_screen(_picker(self._subject, self._found), take)

    def action_compare_close(self) -> None:
        self.dismiss()
