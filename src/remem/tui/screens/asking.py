"""The overlay while a program is asked: how far it is, and `esc` ends it.

It runs what it is given in a thread and answers with what comes of it; what is asked, and what is
made of the answer, is the caller's.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any, ClassVar, TypeAlias

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Label

from remem.base.assets import asset_dir
from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.core.agent.runner import AgentFailed, Progress
from remem.tui.content import content
from remem.tui.verbs import CANCEL_CHOICE, bindings, key_shown

Ask: TypeAlias = Callable[[Callable[[Progress], None], Callable[[], bool]], Any]
"""Takes whom to tell how far it is, and whom to ask whether to stop."""


class AskingScreen(ModalScreen[Any]):
    """Waits for an answer: it is the answer, a `RememError`, or `None` where it was cancelled."""

    CSS_PATH = asset_dir("styles") / "overlays.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings((CANCEL_CHOICE,))]

    @dataclass
    class Progressed(Message):
        """The program still runs."""

        progress: Progress

    @dataclass
    class Ended(Message):
        """The program is gone."""

        outcome: Any

    def __init__(self, title: str, ask: Ask) -> None:
        """Make the overlay.

        Args:
            title: What is asked, in a few words.
            ask: Runs until there is an answer.
        """
        super().__init__()
        self._title = title
        self._ask = ask
        self._cancelled = Event()

    def compose(self) -> ComposeResult:
        with Vertical(classes="overlay asking"):
            yield Label(content(self._title), classes="overlay-title")
            yield Label(content("starting"), id="asking-progress", classes="overlay-foot")
            foot = f"{key_shown(CANCEL_CHOICE)} ends it; what was answered is kept"
            yield Label(content(foot), classes="overlay-foot")

    def on_mount(self) -> None:
        self._run()

    @work(thread=True, exit_on_error=False, group="asking", description="asking")
    def _run(self) -> None:
        try:
            outcome: Any = self._ask(self._tell, self._cancelled.is_set)
        except RememError as error:
            outcome = error
        self.post_message(self.Ended(outcome))

    def _tell(self, progress: Progress) -> None:
        self.post_message(self.Progressed(progress))

    @on(Progressed)
    def _show(self, message: Progressed) -> None:
        now = message.progress
        again = f", attempt {now.attempt}" if now.attempt > 1 else ""
        state = "stopping" if self._cancelled.is_set() else "waiting for an answer"
        part = f"part {now.part} of {now.parts}, " if now.parts > 1 else ""
        words = f"{part}{state}: {now.seconds:.0f} s, {now.received:,} bytes{again}"
        self.query_one("#asking-progress", Label).update(content(words))

    @on(Ended)
    def _end(self, message: Ended) -> None:
        outcome = message.outcome
        is_cancelled = isinstance(outcome, AgentFailed) and outcome.why == "cancelled"
        self.dismiss(None if is_cancelled or self._cancelled.is_set() else outcome)

    def action_choice_cancel(self) -> None:
        """End the program; the overlay goes when it is gone."""
        self._cancelled.set()

    def on_unmount(self) -> None:
        self._cancelled.set()
