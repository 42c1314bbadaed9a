"""The one line that a person types into: a filter, a reason, a name.

What was typed is never lost: leaving a line keeps its text for when the same thing is asked again.
What happens with it is the screen's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from enum import StrEnum
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, Label

from remem.base.frozen import dataclass
from remem.base.text import safe_text
from remem.tui.content import content
from remem.views.glyphs import glyphs_of
from remem.views.spans import Span, Spans, Tone, clip, span, width_of

STOCK_KEYS: Final = "12345"
AZERTY_STOCK_KEYS: Final = "&é\"'("
"""What the keys `1` to `5` of a French keyboard give without shift."""

_BETWEEN: Final = "   "
"""Parts two stock reasons in a line."""
_TYPED: Final = 20
"""Cells that what is typed keeps beside what is asked, and the keys that answer it."""
_LEAST_TYPED: Final = 8
"""The same beside what is wrong with it."""


class Purpose(StrEnum):
    """What the line is for; it decides what `enter` and `esc` do."""

    FILTER = "filter"
    """Live; `enter` leaves it, `esc` clears it."""
    REASON = "reason"
    """A digit fills in a stock reason while it is empty; `enter` on nothing gives none."""
    NAME = "name"
    """`enter` takes it, but not while it is empty."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the line asks."""

    purpose: Purpose
    label: str
    subject: Hashable = None
    """What it is about; the text typed for one subject is not offered for another."""
    initial: str = ""
    """What stands there the first time."""
    stock: tuple[str, ...] = ()
    """Up to five reasons."""


class _Line(Input):
    """Textual's input, which cannot be given what a terminal would obey."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave", show=False)]

    @dataclass
    class Left(Message):
        """`esc` was pressed."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        """Make the input; `tell` hears of every change at once."""
        super().__init__(compact=True, select_on_focus=False)
        self._tell = tell
        self.offers: dict[str, str] = {}
        """The text that a character fills in while the line is empty."""
        self._filled_by = ""
        """The character whose offer stands in the line; empty once anything else was done."""

    def watch_value(self, value: str) -> None:
        if value != self.offers.get(self._filled_by):
            self._filled_by = ""
        self._tell(value)

    def validate_value(self, value: str) -> str:
        return safe_text(value, one_line=True)

    def action_leave(self) -> None:
        self.post_message(self.Left())

    def on_key(self, event: events.Key) -> None:
        """Fill in an offer, or take it back for a text that only begins with its character.

        An offer waits for `enter`: had it been taken at once, the rest of `2 teams do this` would
        have decided on the next row. It stands there selected: an arrow keeps it to be added to.
        """
        if not event.is_printable:
            return
        character = event.character or ""
        if not self.value and character in self.offers:
            event.prevent_default().stop()
            self._filled_by = character
            self.value = self.offers[character]
            self.select_all()
        elif self._filled_by and not self.selection.is_empty:
            self.value = self._filled_by
            self.cursor_position = len(self.value)


class InputLine(Vertical):
    """Asks one thing in one line; hidden while it asks nothing."""

    DEFAULT_CSS = """
    InputLine {
        height: auto;
        display: none;
        background: $surface;
        &.-asking { display: block; }
        & Horizontal { height: 1; }
        & Label { width: auto; padding: 0 1; }
        & #prompt-label { text-style: bold; color: $text-accent; max-width: 50%; height: 1; }
        &:ansi #prompt-label { color: $text-warning; }
        & #prompt-note { text-style: dim; height: 1; }
        & #prompt-stock { display: none; width: 100%; height: auto; max-height: 3; }
        & #prompt-stock.-offered { display: block; }
        & _Line { width: 1fr; height: 1; border: none; padding: 0; }
    }
    """

    @dataclass
    class Changed(Message):
        """The text is another one; for a filter that is live."""

        line: InputLine
        question: Question
        text: str

        @property
        def control(self) -> InputLine:
            return self.line

    @dataclass
    class Answered(Message):
        """`enter`; the line has closed."""

        line: InputLine
        question: Question
        text: str

        @property
        def control(self) -> InputLine:
            return self.line

    @dataclass
    class Left(Message):
        """`esc`; the line has closed. A filter is cleared, any other text is kept for later."""

        line: InputLine
        question: Question

        @property
        def control(self) -> InputLine:
            return self.line

    def __init__(
        self,
        *,
        stock_keys: str = STOCK_KEYS,
        is_late: bool = False,
        id: str | None = None,  # noqa: A002
    ) -> None:
        """Make a line.

        Args:
            stock_keys: The characters that take stock reasons, in order, besides the digits.
            is_late: It asks nothing before `complete`: a frame that does not show it is drawn
                without its parts.
            id: For queries.
        """
        super().__init__(id=id)
        self._stock_keys = stock_keys
        self._is_late = is_late
        self._kept: dict[tuple[Purpose, Hashable], str] = {}
        self.question: Question | None = None
        """What is being asked; `None` while closed."""

    def compose(self) -> ComposeResult:
        if not self._is_late:
            yield from self._parts()

    def _parts(self) -> ComposeResult:
        yield Horizontal(
            Label(id="prompt-label"), _Line(self._tell_change), Label(id="prompt-note")
        )
        yield Label(id="prompt-stock")

    def on_resize(self) -> None:
        """Break the reasons to choose from anew."""
        if self.question is not None:
            self._offer(self.question)

    async def complete(self) -> None:
        """Mount its parts, unless they are; no key may be heard before."""
        if self._is_late:
            self._is_late = False
            await self.mount_all([*self._parts()])

    @property
    def text(self) -> str:
        return self._input.value

    def ask(self, question: Question) -> None:
        """Open the line, with what was typed the last time it asked this."""
        self.question = None  # what stands there from before is no change
        self.app.clear_notifications()  # at 80 columns they lie over the answers to choose from
        self._offer(question)
        self.query_one("#prompt-label", Label).update(content(question.label))
        text = self._kept.get((question.purpose, question.subject), question.initial)
        self._input.value = text
        self.question = question
        self._input.cursor_position = len(self._input.value)
        is_offered = question.purpose is Purpose.NAME and text == question.initial
        if is_offered or question.purpose is Purpose.FILTER:
            # What is typed takes the place of what stands there; an arrow keeps it.
            self._input.select_all()
        keys = "ctrl+u clears · enter confirms" if text else "enter confirms · esc leaves"
        is_told = question.purpose is not Purpose.FILTER and len(keys) <= self._room_beside(_TYPED)
        self.say(keys if is_told else "")
        self._show_stock()
        self.add_class("-asking")
        self.screen.set_focus(self._input)  # now: the next key may have arrived already

    def say(self, note: str) -> None:
        """Show something at the right: a count, what is wrong with a name."""
        room = self._room_beside(_LEAST_TYPED)
        shown = clip((Span(note, Tone.DIM),), room, glyphs_of(self.app))
        self.query_one("#prompt-note", Label).update(content(shown))

    def _room_beside(self, typed: int) -> int:
        """Return the cells that are left of the line where what is typed has some."""
        width = self.app.size.width
        label = self.question.label if self.question is not None else ""
        return max(width - min(cell_len(label) + 2, width // 2) - typed - 2, 0)

    def forget(self, purpose: Purpose, subject: Hashable = None) -> None:
        """Drop what was kept for a question: the filter was cleared from outside."""
        self._kept.pop((purpose, subject), None)

    @on(Input.Changed)
    def _keep_change(self, event: Input.Changed) -> None:
        event.stop()

    def _tell_change(self, text: str) -> None:
        """Tell the screen before the input asks it for a frame, so that one frame shows both."""
        if self.question is None:
            return
        self._kept[self.question.purpose, self.question.subject] = text
        self._show_stock()
        self.screen.post_message(self.Changed(self, self.question, text))

    @on(Input.Submitted)
    def _answer_typed(self, event: Input.Submitted) -> None:
        event.stop()
        self._answer(event.value)

    @on(_Line.Left)
    def _leave(self, event: _Line.Left) -> None:
        event.stop()
        self.leave()

    def leave(self) -> None:
        """Close the line without an answer; what was typed is kept for the next time."""
        question = self.question
        if question is None:
            return
        if question.purpose is Purpose.FILTER:
            self.forget(question.purpose, question.subject)
        self._close()
        self.post_message(self.Left(self, question))

    @property
    def _input(self) -> _Line:
        return self.query_one(_Line)

    def _answer(self, text: str) -> None:
        question = self.question
        if question is None or (question.purpose is Purpose.NAME and not text.strip()):
            return
        if question.purpose is not Purpose.FILTER:
            self.forget(question.purpose, question.subject)
        self._close()
        self.post_message(self.Answered(self, question, text))

    def _offer(self, question: Question) -> None:
        stock = question.stock[:5] if question.purpose is Purpose.REASON else ()
        self._input.offers = {
            key: reason
            for keys in (self._stock_keys, STOCK_KEYS)
            for key, reason in zip(keys, stock, strict=False)
        }
        self.query_one("#prompt-stock", Label).update(
            content(_stock_spans(stock, self.app.size.width - 2))
        )

    def _show_stock(self) -> None:
        """Offer stock reasons while they can be taken."""
        offered = bool(self._input.offers) and not self._input.value
        self.query_one("#prompt-stock", Label).set_class(offered, "-offered")

    def _close(self) -> None:
        self.question = None
        self.remove_class("-asking")


def _stock_spans(stock: tuple[str, ...], width: int) -> Spans:
    """Return the reasons to choose from in lines of at most `width` cells, each reason whole."""
    found: list[Span] = []
    used = 0
    for place, reason in enumerate(stock, 1):
        key, text = Span(str(place), Tone.KEY), span(f" {reason}")
        size = width_of((key, text))
        if found:
            gap = _BETWEEN if used + len(_BETWEEN) + size <= width else "\n"
            found.append(Span(gap))
            used = 0 if gap == "\n" else used + len(gap)
        found += (key, text)
        used += size
    return tuple(found)
