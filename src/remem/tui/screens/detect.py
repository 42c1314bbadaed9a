"""The overlay in which a check by machine is written: what it finds is shown as it is typed.

It answers with the fields to write, and writes nothing. Searching is a thread's, which stops when
something else was typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Input, Label

from remem.base.assets import asset_dir
from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.base.text import safe_text
from remem.core.checks.detect_in_code import Codebase
from remem.model.change import Json
from remem.systems.sniper.records import Stored
from remem.tui.content import content
from remem.tui.verbs import CANCEL_CHOICE, bindings, key_shown
from remem.tui.widgets.text_view import TextView
from remem.views.entries.detect import FIELDS, Looked, fields_of, look, looked_lines
from remem.views.long_text import text_line
from remem.views.spans import Tone

PAUSE: Final = 0.25
"""Seconds without a key after which the code is searched."""
_ASKS: Final = {
    "forbid": "forbidden in any line",
    "require": "required in every file",
    "beside": "required in every folder",
    "files": "file globs",
    "within": "only in code, strings or comments",
    "ast": "language (for syntax)",
    "message": "message",
}


class _Field(Input):
    """Textual's input, which cannot be given what a terminal would obey."""

    def validate_value(self, value: str) -> str:
        return safe_text(value, one_line=True)


class DetectScreen(ModalScreen[dict[str, Json] | None]):
    """Takes a pattern and shows at once what it finds."""

    CSS_PATH = asset_dir("styles") / "overlays.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings((CANCEL_CHOICE,))]

    @dataclass
    class Found(Message):
        """A thread has held what was typed against examples and code."""

        request: int
        looked: Looked

    def __init__(self, name: str, record: Stored, base: Codebase, typed: Mapping[str, str]) -> None:
        """Make the overlay.

        Args:
            name: How people call the entry.
            record: What it says.
            base: The code.
            typed: What stands in the fields at first.
        """
        super().__init__()
        self._called = name
        self._record = record
        self._base = base
        self._first = dict(typed)
        self.typed = dict(typed)
        """What stands in the fields."""
        self._request = 0
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="overlay"):
            title = f"{self._called}  {' '.join(self._record.text.split())}"
            yield Label(content(title), classes="overlay-title detect-line")
            for name in FIELDS:
                with Horizontal(classes="detect-line"):
                    yield Label(content(f"{_ASKS[name]:20} "))
                    yield _Field(self.typed.get(name, ""), compact=True, id=f"detect-{name}")
            yield TextView(id="detect-found")
            foot = f"enter shows the diff · tab next · {key_shown(CANCEL_CHOICE)} cancel"
            yield Label(content(foot), classes="overlay-foot detect-line")

    def on_mount(self) -> None:
        self.query_one("#detect-found", TextView).can_focus = False
        first = next((n for n in ("require", "beside") if self.typed.get(n)), "forbid")
        self.query_one(f"#detect-{first}").focus()
        self.search()

    def on_unmount(self) -> None:
        self._request += 1

    @on(Input.Changed)
    def _wait(self) -> None:
        """Search once the person stops typing; what runs already ends."""
        typed = {name: self.query_one(f"#detect-{name}", Input).value for name in FIELDS}
        # Modules belong to the pattern that was read; another one is all that is meant.
        kept = typed["forbid"] and typed["forbid"] == self._first.get("forbid")
        self.typed = {**typed, "imports": self._first.get("imports", "") if kept else ""}
        self._request += 1
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(PAUSE, self.search)

    @on(Input.Submitted)
    def _save(self) -> None:
        try:
            self.dismiss(fields_of(self.typed))
        except RememError as error:
            hint = f" ({error.hint})" if error.hint else ""
            self._show(Looked(problem=f"{error}{hint}"))

    def action_choice_cancel(self) -> None:
        self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        """Let the pages and the arrows move what was found while a field has the focus."""
        view = self.query_one("#detect-found", TextView)
        match event.key:
            case "pagedown":
                view.action_move_page_down()
            case "pageup":
                view.action_move_page_up()
            case "down":
                view.scroll_lines(1)
            case "up":
                view.scroll_lines(-1)
            case _:
                return
        event.stop()

    def search(self) -> None:
        """Hold what stands in the fields against the code now."""
        self._request += 1
        self.query_one("#detect-found", TextView).show([text_line("searching …", Tone.DIM)])
        self._look(self._request, dict(self.typed))

    @work(thread=True, exclusive=True, group="detect", exit_on_error=False, description="detect")
    def _look(self, request: int, typed: dict[str, str]) -> None:
        looked = look(self._base, self._record, typed, lambda: request != self._request)
        self.post_message(self.Found(request, looked))

    @on(Found)
    def _take(self, message: Found) -> None:
        if message.request == self._request:
            self._show(message.looked)

    def _show(self, looked: Looked) -> None:
        self.query_one("#detect-found", TextView).show(list(looked_lines(looked)), fresh=True)
