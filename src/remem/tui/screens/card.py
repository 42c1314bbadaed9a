"""The card of Review: the item under the cursor, and what deciding on it would write.

What is known is drawn at once. The rest is gathered in a thread, and is thrown away where the
cursor went on meanwhile: each card has the number of the request that it answers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.binding import BindingType
from textual.message import Message

from remem.base.frozen import dataclass
from remem.base.turns import behind_the_screen
from remem.core.waiting.item import Item, reworded
from remem.model.change import Json
from remem.model.entry import Entry, Ref
from remem.tui.garbage_when_idle import steady
from remem.tui.screens import settle_conflict
from remem.tui.screens.retro import RetroScreen
from remem.tui.verbs import (
    COPY_REVIEW,
    DIFF,
    WHY,
    bindings,
    key_shown,
)
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.text_view import TextView
from remem.views.long_text import WRITES, TextLine
from remem.views.review.groups import Board
from remem.views.review.item_card import (
    WHY_IT_WAITS,
    Card,
    alike_lines,
    applied_lines,
    block,
    brief_lines,
    card_lines,
    cards,
    edited_on_card,
    finished_lines,
    like_lines,
    owner_of,
    reading_lines,
    sureness_lines,
    table_lines,
    write_lines,
)
from remem.views.review.retro import is_estimate
from remem.views.spans import Tone

if TYPE_CHECKING:
    from remem.core.waiting.kinds import Coming
    from remem.views.review.compare_retros import Comparison


WIDE: Final = 132
"""Columns from which what is written stands beside the card."""
BESIDE: Final = 160
"""Columns from which old and new stand side by side."""


class CardScreen(RetroScreen):
    """A queue under whose cursor something stands, with its card."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings((DIFF, WHY))]

    @dataclass
    class CardReady(Message):
        """A card was gathered in its thread."""

        request: int
        card: Card

    @dataclass
    class EffectReady(Message):
        """What a retro did to memory was gathered in its thread."""

        request: int
        lines: Sequence[TextLine]

    def __init__(self) -> None:
        super().__init__()
        self._board: Board | None = None
        """What the queue shows; whoever fills it sets it."""
        self._comparison: Comparison | None = None
        """Two retros side by side in the place of the queue."""
        self._card: Card | None = None
        self._card_request = 0
        self._whole_diff = False
        self._edited: dict[str, dict[str, Json]] = {}
        """Item → the fields that a person set on its card, and that approving it writes."""

    @property
    def _key(self) -> Hashable:
        row = self.query_one("#queue", LineList).row
        return row.key if row is not None else None

    @property
    def _item(self) -> Item | None:
        return self._board.items.get(str(self._key)) if self._board is not None else None

    @property
    def _reading(self) -> Entry | None:
        return self._board.readings.get(self._key) if self._board is not None else None

    @property
    def _finished(self) -> str:
        """The retro whose last finding was decided, if its row is under the cursor."""
        return self._board.finished.get(self._key, "") if self._board is not None else ""

    def estimate(self) -> Entry | None:
        reading = self._reading
        return reading if reading is not None and is_estimate(reading) else None

    def _coming(self, item: Item) -> Coming | None:
        return edited_on_card(self.session.library, item)

    @on(LineList.Highlighted, "#queue")
    def _show_item(self) -> None:
        """Show what is known at once; the rest follows from a thread."""
        self._card = None
        self._card_request += 1
        self._whole_diff = False
        item, reading = self._item, self._reading
        if item is not None:
            self._card = Card(item)
            self._draw_card(fresh=True)
            # Plans take the interpreter for a while; the item is on the screen before they begin.
            self.call_after_refresh(self._gather_card)
            return
        about = self.query_one("#card", TextView)
        if reading is not None:
            lines = [*self._compared_lines(about), *self._reading_lines(reading)]
        else:
            lines = self._summary_lines()
        about.show(lines, fresh=True)
        self.query_one("#writes", TextView).show(())
        session, shown, request = self.session, self._comparison, self._card_request
        if reading is not None and self.estimate() is not None and not self.why_not_taken():
            self._gather_effect(request, lambda: [*lines, *applied_lines(session, reading)])
        elif reading is None and shown is not None:
            from remem.views.review.compare_retros import summary_lines

            self._gather_effect(request, lambda: summary_lines(session, shown))

    def _compared_lines(self, about: TextView) -> list[TextLine]:
        """Return what two retros say of the finding under the cursor, if two are shown."""
        found = self._comparison.found.get(self._key) if self._comparison is not None else None
        if found is None:
            return []
        from remem.views.review.compare_retros import compared_lines

        width = max(about.size.width - 3, 20)
        return [*compared_lines(self.session.library, found, width), TextLine("")]

    @work(thread=True, exclusive=True, group="card", exit_on_error=False, description="effect")
    def _gather_effect(self, request: int, lines: Callable[[], list[TextLine]]) -> None:
        self.post_message(self.EffectReady(request, lines()))

    @on(EffectReady)
    def _take_effect(self, message: EffectReady) -> None:
        if message.request == self._card_request:
            self.query_one("#card", TextView).show(message.lines)

    def _reading_lines(self, reading: Entry) -> list[TextLine]:
        head = self._board.head_of(reading.ref) if self._board is not None else None
        return reading_lines(self.session.library, reading, head, self.why_not_taken() or "")

    def _summary_lines(self) -> list[TextLine]:
        """Return what was decided on the retro under the cursor, or on everything."""
        name, text = self._finished, self._summary
        key = key_shown(COPY_REVIEW, self.remem.keys)
        return finished_lines(name, text, key) if text else []

    @property
    def _summary(self) -> str:
        board = self._board
        return board.summaries.get(self._finished, board.summary) if board is not None else ""

    def after_first_frame(self) -> None:
        self._gather_card()

    def _gather_card(self) -> None:
        self._card_request += 1
        if self._item is not None and self.remem.has_begun:
            self._gather_in_thread(self._card_request, self._item)

    @work(thread=True, exclusive=True, group="card", exit_on_error=False, description="card")
    def _gather_in_thread(self, request: int, item: Item) -> None:
        with steady(), behind_the_screen():
            for found in cards(
                self.session,
                item,
                self.remem.keys,
                lambda: request == self._card_request,
                self._edited.get(item.id),
            ):
                self.post_message(self.CardReady(request, found))

    @on(CardReady)
    def _take_card(self, message: CardReady) -> None:
        if message.request == self._card_request:
            self._card = message.card
            self._draw_card()
            self.refresh_bars()

    @on(TextView.Resized, "#card, #writes")
    def _lay_out_card(self) -> None:
        self._draw_card()

    def _draw_card(self, *, fresh: bool = False) -> None:
        """Draw the card; where there is no third pane, what is written stands below it."""
        found = self._card
        if found is None:
            return
        about, writes = self.query_one("#card", TextView), self.query_one("#writes", TextView)
        wide = self.app.size.width >= WIDE
        side = writes if wide else about
        # With room for the scrollbar, there or not: its coming must not draw another table.
        table = table_lines(found, max(side.size.width - 3, 20), self.remem.glyphs)
        room = about.size.width - 3 if self.app.size.width >= BESIDE else 0
        likes = like_lines(self.session.library, found, room)
        written = write_lines(self.session, found, whole=self._whole_diff)
        # The empty sign keeps the gutter, so that no text jumps when a diff comes.
        retro = self._board.heads.get(found.item.group) if self._board is not None else None
        owner = owner_of(self.session.library, found.item.ref)
        edited = self._edited.get(found.item.id, {})
        ways = [each for each in settle_conflict.SETTLES if not self.why_not(each)]
        settles = [(key_shown(v, self.remem.keys), v.title) for v in ways]
        item, coming = found.item, self._coming(found.item) if edited else None
        item = reworded(item, {**coming.fields, **edited}) if coming is not None else item
        told = (found.conflicts, edited, owner, settles if found.opposed else ())
        head, *rest = card_lines(item, retro, *told)
        lines = [*self._compared_lines(about), replace(head, sign=" "), *rest]
        lines += sureness_lines(self.session.library, found.item, self.remem.glyphs)
        lines += block(found.code)
        alike = alike_lines(item, found.conflicts)
        if wide:
            about.show([*lines, *alike, *block(likes)], fresh=fresh)
            writes.show([*table, *block(written)], fresh=fresh)
        elif found.unreviewed is not None:
            lines += [*alike, *block(written), *block(table), *block(likes)]
            about.show(lines, fresh=fresh)
        else:
            title = next(
                (n for n, line in enumerate(lines) if line.tone is Tone.STRONG), len(lines) - 1
            )
            lines[title + 1 : title + 1] = brief_lines(self.session, found)
            lines += [*block(table), *block(alike), *block(likes), *block(written)]
            about.show(lines, fresh=fresh)

    def action_detail_down(self) -> None:
        self._scroll(1)

    def action_detail_up(self) -> None:
        self._scroll(-1)

    def _scroll(self, rows: int) -> None:
        """Scroll the card, and where that has an end, what is written."""
        about, writes = self.query_one("#card", TextView), self.query_one("#writes", TextView)
        for view in (about, writes) if rows > 0 else (writes, about):
            before = view.scroll_offset.y
            view.scroll_lines(rows)
            if view.scroll_offset.y != before:
                return

    def texts_to_copy(self) -> str:
        if self._item is not None:
            return self._item.title
        if self._reading is not None:
            return self._reading.title
        if self._comparison is not None:
            return "\n".join(line.text for line in self.query_one("#card", TextView).lines)
        return self._summary

    def action_show_diff(self) -> None:
        """Show additions line by line too, or in one line again."""
        self._whole_diff = not self._whole_diff
        self._draw_card()
        view = self.query_one("#writes" if self.app.size.width >= WIDE else "#card", TextView)
        heads = [number for number, line in enumerate(view.lines) if line.mark == WRITES]
        if self._whole_diff and heads:
            view.go_to(len(view.lines) - 1)
        view.go_to(heads[0] if self._whole_diff and heads else 0)

    def action_show_why(self) -> None:
        """Go to where the card says why the item waits, and say it."""
        about = self.query_one("#card", TextView)
        self.call_pane(about)
        why = (number for number, line in enumerate(about.lines) if line.mark == WHY_IT_WAITS)
        about.go_to(next(why, -1))
        if self._item is not None:
            self.say(f"{WHY.title}: {self._item.why}")

    @property
    def _opposed(self) -> Sequence[Ref] | None:
        """What in force may say otherwise than the item; `None` = the card does not tell yet."""
        card = self._card
        return card.opposed if card is not None and card.item == self._item else None

    @property
    def unjudged(self) -> Item | None:
        return self._item if self._opposed is None else None
