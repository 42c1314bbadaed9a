"""What all six screens share: bars, panes, the typed line, time travel, and the way a verb is done.

A screen says what it shows and which verbs it has; here is how they behave everywhere the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.message import Message
from textual.worker import Worker, WorkerState

from remem.base.errors import RememError, UnknownRef
from remem.base.frozen import dataclass
from remem.core.verbs.verb import Verb
from remem.model.change import Intent
from remem.model.entry import Ref
from remem.tui.messages import CounterReady, SnapshotChanged
from remem.tui.screens.panes import TellingScreen
from remem.tui.verbs import (
    BACK,
    COPY,
    EVERYWHERE,
    FILTER,
    HELP,
    LEAVE,
    NEXT_MATCH,
    PREVIOUS_MATCH,
    TIME,
    UNDO,
    action_of,
    bindings,
    key_shown,
)
from remem.tui.widgets.input_line import (
    AZERTY_STOCK_KEYS,
    STOCK_KEYS,
    InputLine,
    Purpose,
    Question,
)
from remem.tui.widgets.key_bar import KeyBar, KeyHint
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.line_view import LineView
from remem.tui.widgets.top_bar import TopBar
from remem.views.change_titles import logged_title
from remem.views.filter import Query

if TYPE_CHECKING:
    from remem.core.session import Session
    from remem.store.changes.commit import Reverted
    from remem.tui.app import RememApp
    from remem.views.screen_state import Desk


_LOADING: Final = "load"
"""The group of the workers that gather what screens show."""
_CAME_TO_NOTHING: Final = frozenset({WorkerState.ERROR, WorkerState.CANCELLED})
_PATIENCE: Final = 1.0
"""Seconds that a screen waits with its first frame for what it shows: until it is there, no key is
heard and no change is passed on to any screen."""
_PATIENCE_ON_A_FRAME: Final = 10.0
"""The same where the frame stands already: empty panes would take it away."""
CHANGED_ROW: Final = "this row changed meanwhile; move the cursor before you decide"
OTHER_ROW: Final = "another row came under the cursor; move the cursor before you decide"
_VANISHED: Final = "this row is gone; move the cursor before you decide"


class RememScreen(TellingScreen):
    """One of the six; subclasses give panes and rows."""

    NUMBER: ClassVar[int]
    """Its digit."""
    FILTERS: ClassVar[str] = "filter"
    """What its filter does, and to what, as the line says in which it is typed."""
    VERBS: ClassVar[tuple[Verb, ...]] = ()
    """The verbs that its footer shows, in order."""
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings((BACK, FILTER, NEXT_MATCH, PREVIOUS_MATCH, EVERYWHERE, LEAVE, COPY)),
        *bindings(TIME),
    ]

    @dataclass
    class Gathered(Message):
        """What `load` returned came back from its thread."""

        request: int
        number: int
        data: Any
        own: bool

    def __init__(self) -> None:
        super().__init__()
        self._shown = 0
        """Number of the snapshot on the screen."""
        self._stamp: Hashable = None
        """What the shown data depended on besides; see `stamp`."""
        self._reasons: dict[str, str] = {}
        """Action → why it cannot act, as the footer shows it."""
        self._request = 0
        """Of the newest read."""
        self._taken = 0
        """Of the read that is shown; an older one that comes late is dropped."""
        self._is_gathering = False
        self._wanted: bool | None = None
        """Asked for while something is gathered: whether all that changed was the person's own."""
        self._filter = ""
        self._asked_from: LineView | None = None
        """The pane that had the focus when the typed line opened."""
        self._bars_are_of: Hashable = None
        """The row that they were drawn for."""
        self._bars_at = 0.0
        """When the bars were drawn: what was told before has its part in them."""

    @property
    def remem(self) -> RememApp:
        """The app, as what it is."""
        return cast("RememApp", self.app)

    @property
    def is_filled(self) -> bool:
        """It shows what it gathered, and not only that it waits for it."""
        return bool(self._shown)

    @property
    def desk(self) -> Desk:
        return self.remem.desk

    @property
    def session(self) -> Session:
        return self.remem.session

    def compose(self) -> ComposeResult:
        self.take_width()
        yield TopBar()
        with Container(id="panes"):
            yield from self.compose_panes()
        yield from self.compose_status()
        is_azerty = self.session.config.keymap.get("preset") == "azerty"
        yield InputLine(
            stock_keys=AZERTY_STOCK_KEYS if is_azerty else STOCK_KEYS,
            is_late=not self.remem.has_begun,
        )
        yield KeyBar()

    def compose_panes(self) -> ComposeResult:
        """Yield the panes: `.pane-first`, `.pane-list`, `.pane-detail`."""
        yield from ()

    def compose_status(self) -> ComposeResult:
        """Yield the line between panes and footer, where a screen has one."""
        yield from ()

    def load(self) -> Any:
        """Gather what the screen shows; runs in a thread and touches no widget."""
        raise NotImplementedError

    def fill(self, data: Any, *, own: bool) -> None:
        """Show what `load` gathered and keep the place.

        Args:
            data: What `load` returned.
            own: What changed did so by the person's own decision.
        """
        raise NotImplementedError

    def texts_to_copy(self) -> str:
        """Return what `y` copies here; empty for nothing."""
        return ""

    async def on_mount(self) -> None:
        self.query_one(TopBar).state = self.remem.top_state(self.NUMBER)
        first = asyncio.ensure_future(self.renew(own=True))
        patience = _PATIENCE_ON_A_FRAME if self.remem.goes_on_with_a_frame else _PATIENCE
        await asyncio.wait({first}, timeout=patience)
        if first.done():
            first.result()
        else:
            first.add_done_callback(self._take_late)
        self.call_after_refresh(self._focus_first)

    def _take_late(self, first: asyncio.Future[None]) -> None:
        """Say what the first read fell over, as nobody waits for it any more."""
        if not first.cancelled() and (error := first.exception()) is not None:
            self._say_unread(error)

    async def _focus_first(self) -> None:
        if self.focused is None:
            self.main_pane.focus()
        # Else once its first frame stands on the terminal: what is typed into is no part of that.
        if self.remem.has_begun or not self.is_filled:
            await self.hear()

    async def hear(self) -> None:
        """Hear keys from now on, those first that were pressed before there was a screen."""
        await self.query_one(InputLine).complete()
        self.remem.hear_early()

    @property
    def stamp(self) -> Hashable:
        """What the data depends on besides the snapshot."""
        return self.session.counter.exact

    @property
    def place(self) -> Hashable:
        """What `backspace` comes back to: the key of the row under the cursor."""
        row = self.list_pane.row if self.list_pane is not None else None
        return row.key if row is not None else None

    def take_to_prompt(self) -> None:
        """Choose whose prompt is shown, where the row under the cursor says who."""

    def return_to_place(self, key: Hashable) -> None:
        """Put the cursor where `place` was."""
        if self.list_pane is not None and key is not None:
            self.list_pane.move_to(key)

    @on(events.ScreenResume)
    def _return(self) -> None:
        now = (self.session.library.number, self.stamp)
        if self._shown and now != (self._shown, self._stamp):
            self.renew_later(own=False)
        elif self._shown:
            self.refresh_bars()

    @on(SnapshotChanged)
    def _follow(self, message: SnapshotChanged) -> None:
        if message.number > self._shown:
            self.renew_later(own=message.own)
        else:
            self.remem.follow_up()

    @on(CounterReady)
    def _recount(self) -> None:
        self.renew_later(own=False)

    async def renew(self, *, own: bool) -> None:
        """Show the newest snapshot before the next key is heard."""
        self._request += 1
        request, number = self._request, self.session.library.number
        try:
            data = await asyncio.to_thread(self.load)
        except RememError as error:
            self.remem.show_error(error)
            return
        if request > self._taken:
            self._taken = request
            self._show(number, data, own=own)

    def renew_later(self, *, own: bool) -> None:
        """Show the newest snapshot as soon as it is gathered; keys go on meanwhile.

        One is gathered at a time and always shown: others may write faster than a screen reads, and
        dropped for what is newer, nothing would ever be shown.
        """
        if self._is_gathering:
            self._wanted = own if self._wanted is None else self._wanted and own
            return
        self._is_gathering = True
        self._request += 1
        self._gather(self._request, own=own)

    def _gather_what_was_wanted(self) -> None:
        """Begin anew if that was asked for since it was begun."""
        self._is_gathering = False
        wanted, self._wanted = self._wanted, None
        if wanted is not None and self.is_attached:
            self.renew_later(own=wanted)

    @work(thread=True, group=_LOADING, exit_on_error=False, description="load")
    def _gather(self, request: int, *, own: bool) -> None:
        number = self.session.library.number
        self.post_message(self.Gathered(request, number, self.load(), own))

    @work(thread=True, group="review", exit_on_error=False, description="keep review")
    def keep_review(self) -> None:
        """Write down how far the review is, behind the screen."""
        self.desk.keep_review()

    async def _on_message(self, message: Message) -> None:
        """Do not fall over what is gone since it was shown: the newer snapshot is on its way."""
        try:
            await super()._on_message(message)
        except UnknownRef:
            if self.session.library.number <= self._shown:
                raise
            self.renew_later(own=False)

    @on(Gathered)
    def _take(self, message: Gathered) -> None:
        if message.request > self._taken:
            self._taken = message.request
            # The same snapshot, only counted anew: nobody else changed anything.
            own = message.own or message.number == self._shown
            self._show(message.number, message.data, own=own)
        self._gather_what_was_wanted()

    @on(Worker.StateChanged)
    def _fail(self, event: Worker.StateChanged) -> None:
        """Say what a thread could not gather; everything else keeps working."""
        if event.worker.group == _LOADING and event.state in _CAME_TO_NOTHING:
            self._gather_what_was_wanted()
        if event.state is not WorkerState.ERROR:
            return
        self.remem.follow_up()
        self._say_unread(event.worker.error)

    def _say_unread(self, error: BaseException | None) -> None:
        if isinstance(error, RememError):
            self.remem.show_error(error)
        else:
            self.say(f"could not read this: {type(error).__name__}", bad=True)

    def _show(self, number: int, data: Any, *, own: bool) -> None:
        if not self.is_attached:
            return
        self._shown, self._stamp = number, self.stamp
        self.fill(data, own=own)
        self.refresh_bars()
        self.call_after_refresh(self._await_frame)

    async def _await_frame(self) -> None:
        # Panes say in their own turn that they have to be drawn; only then does a frame come.
        await asyncio.sleep(0)
        self.call_after_refresh(self._go_on)

    def _go_on(self) -> None:
        """Let begin what would have kept the screen waiting."""
        self.remem.begin()
        self.remem.follow_up()

    def after_first_frame(self) -> None:
        """Ask for what the first frame of all did not wait for."""

    def refresh_bars(self) -> None:
        """Draw both bars again."""
        self._bars_at = monotonic()
        self._bars_are_of = self._row_pointed_at
        self.query_one(TopBar).state = self.remem.top_state(self.NUMBER)
        hints = tuple(self.hint(verb) for verb in self.VERBS)
        self._reasons = {
            action_of(verb): hint.blocked for verb, hint in zip(self.VERBS, hints, strict=True)
        }
        bar = self.query_one(KeyBar)
        by_id = {hint.verb: hint for hint in hints}
        shown = (by_id[verb.id] for verb in self.in_footer() if verb is not UNDO)
        bar.hints = tuple(hint for hint in shown if hint.key)
        bar.pinned = (self.hint(UNDO), self.hint(HELP))
        self.refresh_bindings()

    def in_footer(self) -> tuple[Verb, ...]:
        """Return what the footer offers, in the order in which it finds room."""
        return self.VERBS

    def blocked(self, verb: Verb) -> str:
        """Return why a verb cannot act here now; empty when it can."""
        return ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return None if self.why_grey(action) else True

    def why_grey(self, action: str) -> str:
        """Return why the key of a verb does nothing, as the footer has it; empty = it acts."""
        if self._bars_are_of != self._row_pointed_at:
            # Keys that come fast are done before the bars are drawn for the row they led to.
            meant = next((verb for verb in self.VERBS if action_of(verb) == action), None)
            return self.blocked(meant) if meant is not None else ""
        return self._reasons.get(action, "")

    @property
    def _row_pointed_at(self) -> Hashable:
        pane = self.pointed_pane
        row = pane.row if pane is not None else None
        return row.key if row is not None else None

    def refused(self, action: str) -> bool:
        """Say why a greyed verb does nothing; false for one that can act."""
        reason = self.why_grey(action)
        if not reason:
            return False
        title = next(verb.title for verb in self.VERBS if action_of(verb) == action)
        self.say(f"{title}: {reason}")
        return True

    def meant(self, verb: Verb) -> Verb:
        """Return what a verb's key does to what is under the cursor, where it is another verb."""
        return verb

    def hint(self, verb: Verb) -> KeyHint:
        """Return how the footer shows a verb; one without a key is for the palette."""
        key = key_shown(verb, self.remem.keys) if verb.key else ""
        meant = self.meant(verb)
        title = meant.label or meant.title
        return KeyHint(verb.id, key, title, meant.group, self.blocked(verb))

    @on(KeyBar.Pressed)
    async def _press(self, message: KeyBar.Pressed) -> None:
        await self.run_action(message.verb.replace(".", "_"))

    @on(TopBar.ScreenChosen)
    def _go(self, message: TopBar.ScreenChosen) -> None:
        self.remem.go_to(message.number)

    @on(LineList.Highlighted)
    @on(LineList.Marked)
    def _point(self, message: LineList.Highlighted | LineList.Marked) -> None:
        if self._filters:
            # What is typed comes first: what can be done with another row is told in its own frame.
            self.call_after_refresh(self._refresh_bars_after, message.time)
        else:
            self._refresh_bars_after(message.time)

    def _refresh_bars_after(self, time: float) -> None:
        if time > self._bars_at:
            self.refresh_bars()

    @property
    def _filters(self) -> bool:
        """A filter is being typed."""
        question = self.query_one(InputLine).question
        return question is not None and question.purpose is Purpose.FILTER

    @on(LineList.Unsettled)
    def _unsettle(self, message: LineList.Unsettled) -> None:
        if not self.is_current or message.view is not self.pointed_pane:
            return  # an overlay says more, and its keys must not be hidden; verbs say it too
        # The line itself comes first: to make room for a toast takes as long again.
        said = _VANISHED if message.vanished else CHANGED_ROW
        self.call_after_refresh(self.say, OTHER_ROW if message.view.is_unpointed else said)

    @on(LineList.Settled)
    def _resettle(self) -> None:
        self.call_after_refresh(self.remem.withdraw, _VANISHED)

    def ask(self, question: Question) -> None:
        """Open the typed line."""
        if isinstance(self.focused, LineView):
            self._asked_from = self.focused
        self.query_one(InputLine).ask(question)

    def _return_from(self, question: Question) -> None:
        """Focus what a filter narrowed, or else the pane that something was asked from."""
        asked_from = self._asked_from
        is_there = asked_from is not None and asked_from.is_attached and asked_from.display
        pane = asked_from if is_there and question.purpose is not Purpose.FILTER else None
        # Now, not when its turn comes: the next question may take the focus before that.
        self.set_focus(pane or self.main_pane)

    def action_find_filter(self) -> None:
        self.ask(Question(Purpose.FILTER, self.FILTERS, self.NUMBER, self._filter))

    @on(InputLine.Changed)
    async def _filter_live(self, message: InputLine.Changed) -> None:
        if message.question.purpose is Purpose.FILTER:
            self.set_filter(message.text)
            # The list and the count ask for their frame before the typed line gets its own.
            await asyncio.sleep(0)

    @on(InputLine.Answered)
    async def _answered(self, message: InputLine.Answered) -> None:
        self._return_from(message.question)
        if message.question.purpose is not Purpose.FILTER:
            await self.answer(message.question, message.text)

    @on(InputLine.Left)
    def _left(self, message: InputLine.Left) -> None:
        self._return_from(message.question)
        if message.question.purpose is Purpose.FILTER:
            self.set_filter("")

    async def answer(self, question: Question, text: str) -> None:
        """Take what was typed for a reason or a name."""

    def set_filter(self, text: str) -> None:
        """Filter the list; the count is shown beside the typed text."""
        self._filter = text
        shown, total = self.filter_rows(text)
        (self.filtered_pane or self.main_pane).show_filter(text)
        if self.filtered_pane is not None:
            self.filtered_pane.needles = Query.parse(text).words
            self.filtered_pane.is_narrowed = bool(text) and total > 0
        line = self.query_one(InputLine)
        if line.question is not None and line.question.purpose is Purpose.FILTER:
            line.say(f"{shown:,} of {total:,}")

    @property
    def filtered_pane(self) -> LineList | None:
        """The list that a filter narrows."""
        return self.list_pane

    def filter_rows(self, text: str) -> tuple[int, int]:
        """Narrow the list; return how many rows it shows and how many there are."""
        return 0, 0

    def action_find_next(self) -> None:
        self._step_match(1)

    def action_find_previous(self) -> None:
        self._step_match(-1)

    def say_nothing_is_searched(self) -> None:
        """Say of a key that steps through matches why there are none."""
        self.say(f"press {key_shown(FILTER, self.remem.keys)} and type a search first")

    def _step_match(self, step: int) -> None:
        pane = self.main_pane
        if not self._filter:
            self.say_nothing_is_searched()
            return
        if isinstance(pane, LineList):
            pane.action_move_down() if step > 0 else pane.action_move_up()

    def action_find_everywhere(self) -> None:
        self.remem.find_everywhere()

    def action_leave(self) -> None:
        """Go one level back: zoom, called pane, filter, marks; never out of the program."""
        self.leave_level()

    def leave_level(self) -> bool:
        """Go one level back; false where there was none to leave."""
        if self.close_pane():
            return True
        if self._filter:  # marks gathered in one filter are kept for what the next one finds
            self.clear_filter()
            return True
        return self.list_pane is not None and self.list_pane.clear_marks()

    def clear_filter(self) -> None:
        """Show everything again."""
        self.query_one(InputLine).forget(Purpose.FILTER, self.NUMBER)
        self.set_filter("")

    def come_again(self) -> None:
        """Hear that the person asked for this screen while on it."""

    def action_back(self) -> None:
        self.remem.go_back()

    def action_copy(self) -> None:
        text = self.texts_to_copy()
        if not text:
            self.say("nothing to copy here")
            return
        self.remem.copy(text)

    async def action_undo(self) -> None:
        await self._travel(self.session.undo, "Undone")

    async def action_redo(self) -> None:
        await self._travel(self.session.redo, "Redone")

    async def _travel(self, way: Callable[[], Reverted], said: str) -> None:
        try:
            reverted = await asyncio.to_thread(way)
        except RememError as error:
            self.remem.show_error(error)
            return
        note = self.desk.undone if reverted.logged.undone else self.desk.redone
        every = (reverted.logged, *reverted.with_it)
        for each in every:
            note(each.id)
        self.keep_review()
        pointed = [(pane, pane.row) for pane in self.query(LineList)]
        await self.renew(own=True)
        if not any(self.return_to(each.intent) for each in every):
            for pane, row in pointed:
                if row is not None and (pane.row is None or pane.row.key != row.key):
                    # The change took the row along, and nobody pointed at the one that is there.
                    pane.unsettle()
        merged = "" if reverted.exact else "; later changes are kept"
        library = self.session.library
        titles = "; ".join(logged_title(each, library) for each in every)
        self.say(f"{said}: {titles}{merged}")

    def return_to(self, intent: Intent) -> bool:
        """Put the cursor on what an undo or a redo brought back, even where a filter hides it.

        Returns:
            Whether anything of it is shown here.
        """
        pane = self.list_pane
        if pane is None:
            return False
        keys = [key for key in map(self.key_of, intent.shown) if key is not None]
        if any(pane.move_to(key) for key in keys):
            return True
        if not self._filter or not any(map(pane.rows.holds, keys)):
            return False
        self.clear_filter()
        return any(pane.move_to(key) for key in keys)

    def key_of(self, ref: Ref) -> Hashable:
        """Return the key of the row that shows an entry."""
        return ref
