"""The overlay in which a command of the shell is typed and run; what it printed is read there.

It runs remem itself, as another process, which is found in the history like any other. Nothing is
given to it but what stands in the line.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from collections.abc import Sequence
from typing import ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from remem.base.assets import asset_dir
from remem.tui.content import content
from remem.tui.verbs import CANCEL_CHOICE, bindings
from remem.tui.widgets.text_view import TextView
from remem.views.long_text import text_line
from remem.views.spans import Span, Tone
from remem.views.typed_command import TypedCommand, command_lines, printed_lines

_PROGRAM: Final = (sys.executable, "-m", "remem")
_MARGIN: Final = 8
"""Columns that the overlay takes of the screen."""


class CommandScreen(ModalScreen[bool]):
    """Types and runs one command; gives back whether one was run."""

    CSS_PATH = asset_dir("styles") / "overlays.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings((CANCEL_CHOICE,))]

    def __init__(
        self, command: TypedCommand, refs: Sequence[str], where: Sequence[str], rest: str = ""
    ) -> None:
        """Make the overlay.

        Args:
            command: What is typed at first.
            refs: What is under the cursor or marked, for a command that takes entries.
            where: Options that name the root and the home folder.
            rest: What was typed after it, instead of those.
        """
        super().__init__()
        self._command = command
        self._where = tuple(where)
        self._runs_at_once = command.runs_with(rest) if rest else command.reads
        takes = any(word in command.usage for word in ("REF", "ITEM"))
        refs = refs if takes and not rest and not command.reads else ()
        self._typed = " ".join([command.path, *map(shlex.quote, refs), rest]).rstrip() + " "
        self._process: asyncio.subprocess.Process | None = None
        self._has_run = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="overlay"):
            yield Label(content("Run a command: remem"), classes="overlay-title")
            yield Input(self._typed, compact=True, select_on_focus=False)
            yield TextView([*command_lines(self._command)], id="printed")
            yield Label(content(self._foot()), classes="overlay-foot")

    def on_mount(self) -> None:
        self.query_one(TextView).can_focus = False
        line = self.query_one(Input)
        line.focus()
        line.cursor_position = len(line.value)
        if self._runs_at_once:
            self._run(shlex.split(line.value))

    def _foot(self) -> tuple[Span, ...]:
        if self._process is not None:
            return (Span("esc", Tone.KEY), Span(" stops it"))
        parts = (Span("enter", Tone.KEY), Span(" runs it  "), Span("esc", Tone.KEY))
        return (*parts, Span(" closes"))

    def _tell(self, title: str) -> None:
        self.query_one(".overlay-title", Label).update(content(title))
        self.query_one(".overlay-foot", Label).update(content(self._foot()))

    @on(Input.Submitted)
    def _submit(self, event: Input.Submitted) -> None:
        if self._process is not None:
            return
        try:
            words = shlex.split(event.value.strip().removeprefix("remem "))
        except ValueError as error:
            self._tell(f"Run a command: not run, {error}")
            return
        if words:
            self._run(words)

    @work(group="command", exit_on_error=False, description="command")
    async def _run(self, words: Sequence[str]) -> None:
        environment = {**os.environ, "COLUMNS": str(max(self.app.size.width - _MARGIN, 40))}
        # The options of the place come last, and what was typed after `--` stays behind it.
        at = words.index("--") if "--" in words else len(words)
        every = [*_PROGRAM, *words[:at], *self._where, *words[at:]]
        self._process = await asyncio.create_subprocess_exec(
            *every,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=environment,
        )
        self._has_run = True
        self._tell(f"remem {shlex.join(words)}: running")
        try:
            printed, _ = await self._process.communicate()
            code = self._process.returncode
        finally:
            if self._process.returncode is None:
                self._process.terminate()
            self._process = None
        if not self.is_attached:
            return
        said = "done" if not code else "stopped" if code < 0 else f"exit code {code}"
        self._tell(f"remem {shlex.join(words)}: {said}")
        text = printed.decode("utf-8", "replace")
        lines = [*printed_lines(text)] if text.strip() else [text_line("it printed nothing")]
        self.query_one(TextView).show(lines, fresh=True)

    def on_key(self, event: events.Key) -> None:
        """Let the text scroll while the line has the focus."""
        self.query_one(TextView).scroll_by_key(event)

    def action_choice_cancel(self) -> None:
        """Stop what runs, or else leave."""
        if self._process is not None:
            self._process.terminate()
        else:
            self.dismiss(self._has_run)
