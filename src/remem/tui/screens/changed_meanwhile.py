"""The overlay of a conflict: as shown, now, yours; nothing in it decides but a key that says so.

Three columns where there is room, one at a time below that. It shows what it is given and answers
with what the person wants; planning and writing are the session's. The three texts stand beside
each other with all that differs; which of them counts is the person's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Label

from remem.base.assets import asset_dir
from remem.base.errors import Sides
from remem.base.frozen import dataclass
from remem.base.text import safe_text
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import EDIT
from remem.store.changes.hunks import file_diff
from remem.tui.content import content
from remem.tui.screens.plan import Rested
from remem.tui.verbs import (
    CONFLICTING,
    COPY,
    DECIDE_NOW,
    DETAIL,
    EDIT_NOW,
    MOVING,
    NEXT_PANE,
    PREVIOUS_PANE,
    SIDEWAYS,
    bindings,
    key_shown,
)
from remem.tui.widgets.key_bar import KeyBar, KeyHint
from remem.tui.widgets.text_view import TextView
from remem.views.diff import FileDiff, Kind, diff_lines, one_side, word_diff
from remem.views.long_text import TextLine, safe_line, span_line, text_line
from remem.views.spans import Span, Spans, Tone

if TYPE_CHECKING:
    from remem.tui.app import RememApp

NAMES: Final = ("as shown", "now", "yours")
IDS: Final = ("base", "theirs", "yours")


class Answer(StrEnum):
    """What the person wants; leaving is no answer."""

    DECIDE = "decide"
    """Apply the decision to the current text."""
    EDIT = "edit"
    """Write it anew, with what was written before in it."""


class ConflictScreen(ModalScreen[Answer | None]):
    """Asks what becomes of a decision on a text that changed meanwhile."""

    CSS_PATH = [  # noqa: RUF012 - Textual declares it as a field
        asset_dir("styles") / "overlays.tcss",
        asset_dir("styles") / "conflict.tcss",
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(CONFLICTING),
        *bindings((NEXT_PANE, PREVIOUS_PANE, COPY)),
        *bindings(MOVING),
        *bindings(SIDEWAYS),
        *bindings(DETAIL),
    ]

    def __init__(
        self,
        does: str,
        sides: Sides,
        writes: Sequence[TextLine] = (),
        *,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        """Make the overlay.

        Args:
            does: The verb's title.
            sides: The three texts.
            writes: What the decision would write on what stands now.
            seconds: A clock that only grows.
        """
        super().__init__()
        self._rested = Rested(seconds)
        self._does = does
        self._sides = sides
        self._writes = writes
        self._side = 1
        """The one that is seen where there is room for one; at first what stands now."""

    def compose(self) -> ComposeResult:
        found = columns(self._sides)
        with Vertical(classes="overlay"):
            title = f"{self._sides.name} changed after it was shown: {self._sides.changed}"
            yield Label(content(safe_text(title, one_line=True)), classes="overlay-title")
            yield Label(id="conflict-tabs")
            with Horizontal(id="conflict-sides"):
                for name, lines in zip(NAMES, (found.base, found.theirs, found.yours), strict=True):
                    view = TextView(lines, id=f"conflict-{IDS[NAMES.index(name)]}", classes="side")
                    view.border_title = content(name)
                    view.can_focus = False
                    yield view
            whole = TextView(whole_lines(self._sides, self._writes), id="conflict-whole")
            whole.can_focus = False
            yield whole
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).hints = tuple(
            KeyHint(verb.id, key_shown(verb), self._title_of(verb), verb.group, self.why_not(verb))
            for verb in CONFLICTING
        )
        self._show_side(self._side)
        self.call_after_refresh(self._rested.await_frame, self)

    def why_not(self, verb: Verb) -> str:
        """Return why a key can do nothing here; empty when it can."""
        if verb is DECIDE_NOW:
            return self._sides.blocked
        if verb is EDIT_NOW and not self._sides.now:
            return self._sides.changed
        return ""

    def _title_of(self, verb: Verb) -> str:
        if verb is not DECIDE_NOW:
            return verb.title
        is_edit = self._does == EDIT.title
        return "Write yours over it" if is_edit else f"{self._does} what stands now"

    @on(KeyBar.Pressed)
    async def _press(self, message: KeyBar.Pressed) -> None:
        await self.run_action(message.verb.replace(".", "_"))

    def action_conflict_decide(self) -> None:
        if self._rested.answers():
            self._answer(DECIDE_NOW, Answer.DECIDE)

    def action_conflict_edit(self) -> None:
        self._answer(EDIT_NOW, Answer.EDIT)

    def _answer(self, verb: Verb, answer: Answer) -> None:
        reason = self.why_not(verb)
        if reason:
            self.app.notify(content(f"{verb.title}: {reason}").plain, markup=False)
            return
        self.dismiss(answer)

    def action_conflict_leave(self) -> None:
        self.dismiss(None)

    def action_conflict_diff(self) -> None:
        """Show every line that differs, or the three texts again."""
        self.query_one(".overlay").toggle_class("-whole")

    def action_copy(self) -> None:
        """Copy what the decision would write."""
        text = self._sides.yours
        if text:
            cast("RememApp", self.app).copy(text)

    def action_pane_next(self) -> None:
        self._show_side((self._side + 1) % len(IDS))

    def action_pane_previous(self) -> None:
        self._show_side((self._side - 1) % len(IDS))

    def action_move_right(self) -> None:
        self.action_pane_next()

    def action_move_left(self) -> None:
        self.action_pane_previous()

    def _show_side(self, side: int) -> None:
        self._side = side
        for number, name in enumerate(IDS):
            self.query_one(f"#conflict-{name}").set_class(number == side, "-called")
        self.query_one("#conflict-tabs", Label).update(content(_tabs(side)))

    def _views(self) -> list[TextView]:
        """Return what scrolls: the texts together, so that like stands beside like."""
        is_whole = self.query_one(".overlay").has_class("-whole")
        return list(self.query("#conflict-whole" if is_whole else ".side").results(TextView))

    def action_move_down(self) -> None:
        for view in self._views():
            view.scroll_lines(1)

    def action_move_up(self) -> None:
        for view in self._views():
            view.scroll_lines(-1)

    def action_detail_down(self) -> None:
        self.action_move_down()

    def action_detail_up(self) -> None:
        self.action_move_up()

    def action_move_half_down(self) -> None:
        for view in self._views():
            view.action_move_half_down()

    def action_move_half_up(self) -> None:
        for view in self._views():
            view.action_move_half_up()

    def action_move_page_down(self) -> None:
        for view in self._views():
            view.action_move_page_down()

    def action_move_page_up(self) -> None:
        for view in self._views():
            view.action_move_page_up()

    def action_move_first(self) -> None:
        for view in self._views():
            view.action_move_first()

    def action_move_last(self) -> None:
        for view in self._views():
            view.action_move_last()


def _tabs(side: int) -> Spans:
    """Return the names of the three texts; brackets tell which one is seen."""
    parts: list[Span] = []
    for number, name in enumerate(NAMES):
        seen = number == side
        parts.append(Span(f"[{name}]" if seen else f" {name} ", Tone.STRONG if seen else Tone.DIM))
    return (*parts, Span("  tab for the next", Tone.DIM))


_CHANGED: tuple[Tone, ...] = (Tone.ADDED_WORD, Tone.REMOVED_WORD)


@dataclass(frozen=True, slots=True)
class Columns:
    """The three texts, each with the words that only it has."""

    base: list[TextLine]
    theirs: list[TextLine]
    yours: list[TextLine]


def columns(sides: Sides) -> Columns:
    """Return the three texts for columns: what went from the first, what came to the others."""
    base, theirs = _pair(sides.base, sides.theirs)
    _, yours = _pair(sides.theirs, sides.yours)
    return Columns(
        base or [text_line("the text you saw is not known to this session", Tone.DIM)],
        theirs or [text_line(sides.changed, Tone.WARN)],
        yours or [_nothing_left(sides)],
    )


def whole_lines(sides: Sides, writes: Sequence[TextLine]) -> list[TextLine]:
    """Return every line that differs, and what the decision would write."""
    lines = [
        *_between("as shown → now", sides.base, sides.theirs),
        *_between("now → yours", sides.theirs, sides.yours),
    ]
    if writes:
        lines += [text_line("what would be written", Tone.STRONG), *writes]
    return lines or [text_line(sides.changed, Tone.WARN)]


def _nothing_left(sides: Sides) -> TextLine:
    if not sides.blocked:
        return text_line("the decision removes it", Tone.WARN)
    return text_line(f"not possible on the current text: {sides.blocked}", Tone.WARN)


def _pair(old: str | None, new: str | None) -> tuple[list[TextLine], list[TextLine]]:
    before, after = _gated(old), _gated(new)
    if old is None or new is None:
        return _plain(before), _plain(after)
    pieces = word_diff(before, after)
    return (
        _signed(one_side(pieces, Kind.REMOVED, Tone.PLAIN, Tone.REMOVED_WORD), "-"),
        _signed(one_side(pieces, Kind.ADDED, Tone.PLAIN, Tone.ADDED_WORD), "+"),
    )


def _gated(text: str | None) -> str:
    """Return a text whose lines are safe, so that what is compared is what is drawn."""
    lines = (text or "").replace("\r\n", "\n").rstrip("\n").split("\n")
    return "\n".join(map(safe_line, lines))


def _plain(text: str) -> list[TextLine]:
    return [text_line(line) for line in text.split("\n")] if text else []


def _signed(lines: Sequence[Spans], sign: str) -> list[TextLine]:
    """Give lines with words of their own a sign, for those who see no colour."""
    return [
        replace(span_line(parts), sign=sign if any(p.tone in _CHANGED for p in parts) else " ")
        for parts in lines
    ]


def _between(label: str, old: str | None, new: str | None) -> list[TextLine]:
    if old is None or new is None:
        return []
    before, after = ((text.rstrip("\n") + "\n").encode("utf-8", "replace") for text in (old, new))
    hunks = file_diff(before, after)
    note = "" if hunks else "no differences"
    return [*diff_lines([FileDiff(label, hunks, note)]), TextLine("")]
