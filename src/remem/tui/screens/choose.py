"""The overlay that asks for one of several things: an agent, an entry to merge into, a place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.cells import cell_len, set_cell_size
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from remem.base.assets import asset_dir
from remem.tui.content import content
from remem.tui.verbs import CANCEL_CHOICE, bindings
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.line_view import empty_text
from remem.views.filter import Filter
from remem.views.list_rows import Choice, Row, Rows
from remem.views.spans import Span, Spans, Tone, span

AS_TYPED = Choice("", "", "as typed")
_NAME: Final = 40
"""Cells of the longest name behind which the notes of all still begin in one place."""
_NOTE: Final = 20
"""Cells of the longest note that has room at the right, where a name is longer."""
_FEW = 8
"""Choices that fit on every terminal: the overlay is then no taller than they are."""


class ChooseScreen(ModalScreen[str | None]):
    """Narrows by typing; `enter` takes what is under the cursor."""

    CSS_PATH = asset_dir("styles") / "overlays.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings((CANCEL_CHOICE,))]
    is_ranked: ClassVar[bool] = False
    """What matches best is listed first, and the cursor goes there with each letter."""
    keys_told: ClassVar[str] = "type to filter   enter chooses   esc cancels"
    """What its keys do, in the line at its foot."""

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        *,
        typed: bool = False,
        typed_as: Choice = AS_TYPED,
        none: str = "",
        at: str = "",
        by_name: bool = False,
    ) -> None:
        """Make the overlay.

        Args:
            title: What is asked.
            choices: What can be chosen.
            typed: What is typed can be chosen too, whatever is called like it.
            typed_as: What the id of what is typed begins with, and the note beside it.
            none: What is said where there is no choice and nothing was typed.
            at: The choice that the cursor is on at first; default: the first.
            by_name: Typing finds choices by their names alone, so that what is typed is taken.
        """
        super().__init__()
        self._at = at
        self._typed = typed
        self._typed_as = typed_as
        self._empty = "no matches" if choices or not none else none
        self._title = title
        self._choices = tuple(choices)
        noted = [choice for choice in self._choices if choice.note]
        names = max((cell_len(choice.name) for choice in noted), default=0)
        notes = max((cell_len(choice.note) for choice in noted), default=0)
        self._name_cells = min(names, _NAME)
        self._note_cells = notes if names > _NAME and notes <= _NOTE else 0
        """Of the column that notes have at the right; 0 = they stand behind the names."""
        self._rows = Rows.of([self._row(choice) for choice in self._choices])
        words = (
            c.name if by_name else f"{c.name} {c.note} {c.right if typed else ''}"
            for c in self._choices
        )
        self._search = Filter([text.lower() for text in words])

    def compose(self) -> ComposeResult:
        choices = LineList(self._rows, id="choices", empty=empty_text(self._empty))
        is_short = 0 < len(self._choices) <= _FEW  # none = more come
        if is_short:
            # Fixed, so that nothing jumps while typing narrows it.
            choices.styles.height = len(self._choices) + self._typed
        with Vertical(classes="overlay -few" if is_short else "overlay"):
            yield Label(content(self._title), classes="overlay-title")
            yield Input(compact=True, id="choose-text")
            yield choices
            yield Label(content(self.foot()), classes="overlay-foot")

    def foot(self) -> str:
        """Return what stands at its foot."""
        return self.keys_told

    def on_mount(self) -> None:
        self.query_one("#choices", LineList).can_focus = False
        self.query_one(Input).focus()
        if self._at:
            self.query_one("#choices", LineList).move_to(self._at)

    def _row(self, choice: Choice) -> Row:
        """Return a choice with its note in the place where all have theirs."""
        name, right = span(choice.name), (span(choice.right, Tone.DIM),) if choice.right else ()
        if not self._note_cells:
            return Row(choice.id, with_note(name, choice.note, self._name_cells), right=right)
        note = span(f"{set_cell_size(choice.note, self._note_cells)}  ", Tone.DIM)
        return Row(choice.id, (name,), right=(note, *right), narrow=right)

    def matching(self, text: str) -> Rows:
        """Return the rows that match what was typed, as they are listed."""
        rows = self._rows.narrowed(self._search.find(text))
        typed = text.strip()
        name = f"{self._typed_as.id}{typed}"
        if self._typed and typed and not self._rows.holds(name):
            rows = Rows.of([*rows, self._row(Choice(name, typed, self._typed_as.note))])
        return rows

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        self.list_matching(event.value)

    def list_matching(self, text: str) -> None:
        """List what matches; the best stands first where matches are ranked."""
        choices = self.query_one("#choices", LineList)
        choices.show(self.matching(text), decided=True)
        if self.is_ranked:
            choices.action_move_first()

    @on(Input.Submitted)
    def _take(self) -> None:
        row = self.query_one("#choices", LineList).row
        if row is not None:
            self.dismiss(str(row.key))

    @on(LineList.Opened)
    def _open(self, message: LineList.Opened) -> None:
        self.dismiss(str(message.row.key))

    def on_key(self, event: object) -> None:
        """Let the arrows move in the list while the line has the focus."""
        moves = {
            "down": LineList.action_move_down,
            "up": LineList.action_move_up,
            "pagedown": LineList.action_move_page_down,
            "pageup": LineList.action_move_page_up,
            "home": LineList.action_move_first,
            "end": LineList.action_move_last,
        }
        move = moves.get(getattr(event, "key", ""))
        if move is not None:
            move(self.query_one("#choices", LineList))

    def action_choice_cancel(self) -> None:
        self.dismiss(None)


def with_note(name: Span, note: str, width: int) -> Spans:
    """Return a name and what is said of it, which begins behind `width` cells where it can."""
    if not note:
        return (name,)
    pad = " " * max(width - cell_len(name.text), 0)
    return (name, span(f"{pad}  {note}", Tone.DIM))
