"""The app: themes, modes and the session, nothing else.

What can be decided is in `core`, what is seen is in `screens`; keys are in `verbs.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on, work
from textual.actions import ActionParseResult
from textual.binding import BindingType
from textual.dom import DOMNode
from textual.filter import LineFilter
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input

from remem.base.assets import asset_dir
from remem.base.errors import RememError, UnknownRef
from remem.base.frozen import dataclass
from remem.base.text import count, safe_text
from remem.base.turns import behind_the_screen, change_seen, frame_drawn, key_pressed
from remem.core.library import Library
from remem.core.registered import verbs_brought
from remem.core.verbs.verb import Verb
from remem.model.change import Intent
from remem.model.entry import Ref
from remem.store.watch import Watcher
from remem.tui.garbage_when_idle import steady, sweep, take_turns
from remem.tui.latest_only import InTurn
from remem.tui.messages import CounterReady, EntriesRead, SnapshotChanged, SnapshotMade
from remem.tui.preload import load_planners, load_screens, screen_class, screen_module
from remem.tui.refresh import FollowingApp
from remem.tui.screens.base import RememScreen
from remem.tui.textual_private import drawn_text, refit_no_color
from remem.tui.verbs import PROGRAM, SCREENS, TEAM, bindings, every_verb, keymap, keys_of
from remem.tui.widgets.top_bar import TopState, Watching
from remem.views.glyphs import ASCII, UNICODE, Glyphs, glyphs_for
from remem.views.screen_state import Desk, Place

if TYPE_CHECKING:
    from textual.driver import Driver

    from remem.core.first_frame import FirstFrame
    from remem.core.session import Session
    from remem.views.typed_command import TypedCommand

TRAIL = 50
"""Steps that `backspace` can go back."""
CATCH_UP_SECONDS = 0.5
"""When the watcher has begun, and what changed before that is looked for."""
WATCH_TRIES = 5
"""How often watching is begun anew before it is given up."""
SETTLE_SECONDS = (1.0, 61.0)
"""After a change: when files that it replaced are looked at again."""
REVIEWS_SECONDS = 2.0
"""How often it is looked whether another process marked something as reviewed: one folder."""
UNATTENDED_SECONDS = 10.0
"""After a key, until nobody is taken to be there who would notice that the screen stands still."""
LEFT_TO_SCREENS = 3
"""Changes that may wait until a screen shows them; each holds its files as they were before."""
MODES = tuple(verb.id.removeprefix("screen.") for verb in SCREENS)
"""Names of the six screens, in the order of their digits."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """What was counted for the top line."""

    waiting: int = 0
    complete: bool = False
    agent: str = ""
    used: int = 0
    budget: int = 0
    exact: bool = False


def six_screens() -> Mapping[str, Callable[[], Screen[None]]]:
    """Return what makes each of the six, by mode; a screen is imported when it is first made."""
    return {mode: partial(_screen, mode) for mode in MODES}


def _screen(mode: str) -> Screen[None]:
    return screen_class(mode)()


class RememApp(FollowingApp):
    """Shows one session."""

    TITLE = "remem"
    ENABLE_COMMAND_PALETTE = False
    """It has one of its own."""
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual declares it as a field
        (0, "-one"),
        (60, "-stacked"),
        (90, "-two"),
        (132, "-three"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings((*SCREENS, TEAM)), *bindings(PROGRAM)]
    is_counted = False
    """The vocabulary is loaded, if there is one: no number of tokens will be another one."""
    is_read = False
    """Every entry was parsed once: of a newer snapshot, only what changed is left."""
    _is_behind = False
    """There is a newer snapshot, which was only shown so far."""
    _has_begun = False
    _watching = Watching.PAUSED
    _watcher: Watcher | None = None
    _is_written = False
    """A frame was handed to the terminal."""
    _waits_to_begin = False
    _touched_at = 0.0
    """When a key or the mouse was heard."""
    glyphs: Glyphs = UNICODE

    def __init__(
        self,
        session: Session,
        screens: Mapping[str, Callable[[], Screen[None]]] | None = None,
        verbs: Sequence[Verb] = (),
        *,
        start: str = "",
        seconds: Callable[[], float] = monotonic,
        commands: Callable[[], Sequence[TypedCommand]] | None = None,
        where: Sequence[str] = (),
        frame: FirstFrame | None = None,
        driver: type[Driver] | None = None,
    ) -> None:
        """Make the app.

        Args:
            session: What every screen works on.
            screens: Mode → what makes its screen; the names are those of `MODES`. Default: the six.
            verbs: Every verb there is, for keys, help and palette. Default: all of them.
            start: The mode to open on; empty = Review if something waits, else where it was left.
            seconds: A clock that only grows, for how long a key has rested.
            commands: Returns the commands of the shell that the palette offers besides the verbs.
            where: Options that make a command look where the session looks.
            frame: Keeps the first frame for the next opening; the session has its disk.
            driver: What draws on the terminal; default: Textual's for this system.

        Raises:
            BadConfig: The configured keymap cannot be.
        """
        self.session = session
        self.seconds = seconds
        self.commands = commands
        self.where = tuple(where)
        # Read as the app is made. A blank screen that nobody sees would cost a tenth of its frame.
        self.DEFAULT_MODE = start or self._first_mode()  # type: ignore[misc]
        super().__init__(driver_class=driver, css_path=asset_dir("styles") / "app.tcss")
        self._frame, self._is_taken_over = frame, driver is not None
        self._early: list[events.Key] | None = []
        """Keys that came before a screen could hear them; `None` = it can."""
        self.desk = Desk(session)
        self._brought = verbs_brought(session.library)
        """The verbs of plug-ins."""
        self._given = tuple(verbs)
        self.glyphs = glyphs_for(session.config.glyphs)
        self._ascii: LineFilter | None = None
        settings = session.config.keymap
        self.keys: Mapping[str, str] = keymap(settings, self.verbs) if settings else {}
        """Verb id → keys that replace its own."""
        self.gauge = Gauge()
        self._made: SnapshotMade | None = None
        """What the app was told last and did not hear yet."""
        self._made_lock = Lock()
        self._until_drawn = ExitStack()  # before the first frame nothing looks for garbage
        self._measuring = InTurn()
        self._settling: list[Timer] = []
        for name, make in (screens or six_screens()).items():
            self.add_mode(name, make)
        if screens is None:
            screen_module(self.DEFAULT_MODE)  # now, while nothing looks for garbage

    @cached_property
    def verbs(self) -> Sequence[Verb]:
        """Every verb there is, those of plug-ins last."""
        return (*(self._given or every_verb()), *self._brought)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return Textual's, and in ASCII the one that leaves no other sign."""
        found = super().get_line_filters()
        if self.glyphs is not ASCII:
            return found
        from remem.tui.ascii_lines import AsciiLines

        self._ascii = self._ascii or AsciiLines()
        return (*found, self._ascii)

    def on_load(self) -> None:
        take_turns(short=True)
        self._until_drawn.enter_context(steady())
        self.session.subscribe(self._hear)
        theme = self.session.config.theme
        if theme in self.available_themes:
            self.theme = theme
            self.stylesheet.set_variables(self.get_css_variables())

    def on_mount(self) -> None:
        self.theme_changed_signal.subscribe(self, lambda _: refit_no_color(self))
        # A shell had the terminal: nothing that was drawn before is on it any more.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        refit_no_color(self)
        self.set_keymap(self.keys)
        for verb in self._brought:
            if verb.key:
                keys = ",".join(keys_of(self.keys.get(verb.id, verb.key)))
                self.bind(keys, f"screen.brought('{verb.id}')", description=verb.title)

    def _first_mode(self) -> str:
        if next(self.session.library.waiting(), None) is not None:
            return "review"
        return self._left_mode()

    def _left_mode(self) -> str:
        left = self.session.left_screen.read()
        return left if left in MODES else "start"

    def begin(self) -> None:
        """Start what the first useful frame did not wait for, once it stands on the terminal.

        While Textual starts, frames are made and none is written: threads that work meanwhile would
        take a second away from it. Called again, do nothing.
        """
        if self._is_written:
            self._begin()
        else:
            self._waits_to_begin = True

    def post_display_hook(self) -> None:
        if self._batch_count:
            return
        frame_drawn()
        if self._frame is not None and not self._has_begun and not self._frame.is_drawn:
            self._take_frame(self._frame)
        if self._is_written:
            return
        self._is_written = True
        self._until_drawn.close()
        if self._waits_to_begin:
            self.call_later(self._begin)

    def _take_frame(self, frame: FirstFrame) -> None:
        """Hand over what was just drawn for the next opening, once it is all that is shown first.

        What lies on a server is not asked before that, and may be another thing each time.
        """
        screen = self.screen
        if isinstance(screen, RememScreen) and screen.is_filled and self.session.server is None:
            frame.drawn(drawn_text(self), (self.size.width, self.size.height))

    def _begin(self) -> None:
        if self._has_begun:
            return
        self._has_begun = True
        if isinstance(self.screen, RememScreen):
            self.screen.call_later(self.screen.hear)
            self.screen.after_first_frame()
        self._follow_disk()
        self.follow_server()
        self.set_timer(CATCH_UP_SECONDS, self.catch_up)
        self.set_interval(REVIEWS_SECONDS, self._look_at_reviews)
        self.set_interval(UNATTENDED_SECONDS, self._sweep)
        self._complete()

    @property
    def has_begun(self) -> bool:
        """What the first frame did not wait for has begun, and the frame is on the terminal."""
        return self._has_begun

    @property
    def is_about_to_begin(self) -> bool:
        """The screen shows what it gathered, and what its first frame did not wait for follows."""
        screen = self.screen
        return isinstance(screen, RememScreen) and screen.is_filled and not self._has_begun

    @property
    def goes_on_with_a_frame(self) -> bool:
        """The terminal shows the first frame, and nothing was drawn over it yet."""
        return self._is_taken_over and not self._is_written

    @on(events.AppFocus)
    def catch_up(self) -> None:
        """Compare every file's stamp: a watcher that begins, or is overrun, tells nothing."""
        if self._has_begun:
            self._compare()

    @work(thread=True, exclusive=True, group="catch-up", exit_on_error=False)
    def _compare(self) -> None:
        self.session.take_in()

    def on_unmount(self) -> None:
        take_turns(short=False)
        self._until_drawn.close()
        if self._watcher is not None:
            self._watcher.stop()

    def _hear(self, library: Library, own: bool) -> None:
        """Pass a snapshot on from whichever thread made it.

        While the app is busy, a newer one takes the place of what it did not hear of yet. What the
        person did is told apart from what others did, so only the last message may be changed.
        """
        with self._made_lock:
            if self._made is not None and self._made.own == own:
                self._made.library = library
                return
            self._made = SnapshotMade(library, own)
            self.post_message(self._made)

    @on(SnapshotMade)
    def _pass_on(self, message: SnapshotMade) -> None:
        # Before all else that is done with the message: from now on it stays as it is.
        with self._made_lock:
            if self._made is message:
                self._made = None
        self._is_behind = True
        for screen in self.screen_stack:
            screen.post_message(SnapshotChanged(message.library.number, message.own))
        if not any(isinstance(screen, RememScreen) for screen in self.screen_stack):
            self.follow_up()
        if message.own:
            self._settle_later()

    def _settle_later(self) -> None:
        """Look again at what was just replaced: others may have it open and go on writing."""
        for timer in self._settling:
            timer.stop()
        self._settling = [self.set_timer(delay, self._settle) for delay in SETTLE_SECONDS]

    def _look_at_reviews(self) -> None:
        if self.session.has_reviews_elsewhere:
            self._take_in_reviews()

    @work(thread=True, exclusive=True, group="reviews", exit_on_error=False)
    def _take_in_reviews(self) -> None:
        self.session.look_at_reviews()

    @work(thread=True, exclusive=True, group="settle", exit_on_error=False)
    def _settle(self) -> None:
        self.session.settle()

    @work(thread=True, group="begin", exit_on_error=False)
    def _complete(self) -> None:
        """Finish what a crash left, load the vocabulary, parse the rest, load what keys need."""
        if self._frame is not None:
            self._frame.note()
        try:
            self.session.begin()
            self.call_from_thread(self._tell_unfinished)
        except RememError as error:
            self.call_from_thread(self.show_error, error)
        # Before there are entries: it takes 30 MiB for a moment, and where they are made beside it
        # most of that is not given back.
        self.session.load_counter()
        with behind_the_screen():
            for _ in self.session.library.complete():
                pass
        self.is_read = True
        self.post_message(EntriesRead())
        load_planners()
        every_verb()
        self.is_counted = True
        self.post_message(CounterReady())
        load_screens(MODES)
        with behind_the_screen():
            self.session.keep_entries()
        if self._frame is not None:
            self._frame.keep()

    def _tell_unfinished(self) -> None:
        told = self.session.told()
        if told:
            self.tell("; ".join(told))

    @on(EntriesRead)
    def _pass_on_read(self) -> None:
        for screen in self.screen_stack:
            screen.post_message(EntriesRead())

    @on(CounterReady)
    def _recount(self) -> None:
        self.agent_chosen()

    @work(group="watch", exit_on_error=False)
    async def _follow_disk(self) -> None:
        """Read again what changes on disk until the app ends; begin anew after a failure."""
        for _ in range(WATCH_TRIES):
            self._watcher = self.session.watcher()
            polling = self.session.config.watch.polling
            self._set_watching(Watching.POLLING if polling else Watching.LIVE)
            try:
                async for dirty in self._watcher.changes():
                    change_seen()
                    await asyncio.to_thread(self.session.take_in, dirty)
                    if self.session.unfollowed > LEFT_TO_SCREENS:
                        self.follow_others()  # not waited for: what is on disk comes first
                    self._tell_unfinished()
            except (OSError, RuntimeError):
                self._set_watching(Watching.BROKEN)
                continue
            return

    def _set_watching(self, state: Watching) -> None:
        self._watching = state
        self._refresh_bars()

    def measure(self) -> None:
        """Count again what the top line shows."""
        if self._measuring.ask():
            self._measure()

    def follow_up(self) -> None:
        """Do what a change calls for besides; screens ask for it once they show the change."""
        if self._is_behind:
            self._is_behind = False
            self.follow_others()
            self.tell_news()
            self.measure()

    @work(thread=True, group="gauge", exit_on_error=False)
    def _measure(self) -> None:
        self._measuring.run(self._count)

    def _count(self) -> None:
        with steady(), behind_the_screen():
            gauge = self._counted()
        self.call_from_thread(self._gauged, gauge)

    def _counted(self) -> Gauge:
        session, desk = self.session, self.desk
        waiting, complete = len(desk.items()), session.library.is_complete
        gauge = Gauge(waiting, complete)
        if desk.whose:
            prompt = desk.prompt()
            used, budget = prompt.used, prompt.budget
            gauge = Gauge(waiting, complete, desk.whose, used, budget, prompt.exact)
        return gauge

    def _gauged(self, gauge: Gauge) -> None:
        self.gauge = gauge
        self._refresh_bars()
        self.call_after_refresh(self.forget_widgets)

    def _sweep(self) -> None:
        sweep(is_idle=monotonic() - self._touched_at >= UNATTENDED_SECONDS)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.InputEvent):
            self._touched_at = monotonic()
        if isinstance(event, events.Key) and self._early is not None and self._is_coming_up():
            self._early.append(event)
            return
        if isinstance(event, events.Key) and not event.is_forwarded:
            key_pressed()
            if await self._done(event):
                return
        await super().on_event(event)

    def _is_coming_up(self) -> bool:
        """Tell whether the first screen does not hear keys yet."""
        return not self.screen_stack or isinstance(self.screen, RememScreen)

    def hear_early(self) -> None:
        """Hear what was pressed before there was anything to press it on, in that order."""
        early, self._early = self._early or [], None
        for event in early:
            self.post_message(event)

    async def _done(self, event: events.Key) -> bool:
        """Do what a key is bound to before the next key is read; false where it is only passed on.

        Textual passes a key to the widget in focus and does what it is bound to once it came back
        up from there. Keys that arrive together (over a slow line, pasted, by a macro) would all be
        passed on before the first of them opened its line, and what was typed into a filter would
        be done letter by letter: undo, approve, reject.
        """
        if not isinstance(self.screen, RememScreen) or isinstance(self.focused, Input):
            return False
        key = event.key
        return await self._check_bindings(key, priority=True) or await self._check_bindings(key)

    def _refresh_bars(self) -> None:
        if isinstance(self.screen, RememScreen):
            self.screen.refresh_bars()

    def top_state(self, number: int) -> TopState:
        """Return what the top line of a screen shows."""
        gauge = self.gauge
        return TopState(
            root=self.session.root.name or "/",
            screen=number,
            waiting=gauge.waiting,
            complete=gauge.complete,
            agent=gauge.agent,
            used=gauge.used,
            budget=gauge.budget,
            exact=gauge.exact,
            watching=Watching.AWAY if _is_server_away(self.session.library) else self._watching,
        )

    def tell(self, text: str) -> None:
        """Say one line in a toast."""
        self.notify(safe_text(text, one_line=True), markup=False)

    def copy(self, text: str) -> None:
        """Put text on the clipboard through the terminal, hidden characters made visible."""
        shown = safe_text(text).removesuffix("\n")
        self.copy_to_clipboard(shown)
        self._tell_copied(shown)

    @work(exclusive=True, group="copy", description="copy")
    async def _tell_copied(self, shown: str) -> None:
        from remem.tui.tmux_clipboard import way_of

        way = await asyncio.to_thread(way_of, shown)
        lines = shown.count("\n") + 1
        self.tell(f"copied {count(lines, 'line')}{way}")

    def go_to(self, number: int) -> None:
        """Go to a screen and remember where from."""
        self._go(number)

    def go_to_mode(self, mode: str) -> None:
        """Go to a screen by its name."""
        self._go(MODES.index(mode))

    def agent_chosen(self) -> None:
        """Hear that the top line and Prompt show somebody else's prompt now."""
        self.measure()
        for screen in self.screen_stack:
            screen.post_message(CounterReady())

    def go_back(self) -> None:
        """Go to where the person came from."""
        if not self.desk.trail:
            self.tell("nothing to go back to")
            return
        place = self.desk.trail.pop()
        self.switch_mode(place.mode)
        self.call_after_refresh(self._take_place, place)

    def _take_place(self, place: Place) -> None:
        if isinstance(self.screen, RememScreen) and self.current_mode == place.mode:
            self.screen.return_to_place(place.key)

    def show_entry(self, ref: Ref) -> None:
        """Go to an entry on Browse."""
        self.desk.wanted = ref
        self._go(MODES.index("browse"))

    def find_everywhere(self) -> None:
        """Open the search over everything, archives and journal too."""
        from remem.tui.screens.find import FindScreen

        finder = FindScreen(self.session)
        self.push_screen(finder, lambda chosen: self._found(chosen, finder.intent))

    def _found(self, chosen: str | None, put_back: Intent | None) -> None:
        from remem.tui.screens.find import SOURCE, chosen_ref

        if put_back is not None:
            self.put_back(put_back)
            return
        ref = chosen_ref(self.session.library, chosen)
        if ref is not None:
            self.show_entry(ref)
        elif chosen is not None and chosen.startswith(SOURCE):
            self.desk.wanted = ("source", Path(chosen.removeprefix(SOURCE)))
            self._go(MODES.index("browse"))
        elif chosen is not None:
            self._go(MODES.index("history"))

    def put_back(self, intent: Intent) -> None:
        """Show what putting a text back would write, on a screen that can decide it."""
        from remem.tui.screens.deciding import DecidingScreen

        if not isinstance(self.screen, DecidingScreen):
            self._go(MODES.index("browse"))
        self.call_after_refresh(self._carry_out, intent)

    async def _carry_out(self, intent: Intent) -> None:
        from remem.tui.screens.deciding import DecidingScreen

        if isinstance(self.screen, DecidingScreen):
            await self.screen.carry_out(intent)

    def show_error(self, error: RememError) -> None:
        """Say in a toast what could not be done, and what to do; or that it is so already."""
        told = safe_text(str(error)) + (f"\n{safe_text(error.hint)}" if error.hint else "")
        self.notify(told, severity="error" if error.exit_code else "information", markup=False)

    def action_screen_start(self) -> None:
        self._go(0)

    def action_screen_browse(self) -> None:
        self._go(1)

    def action_screen_review(self) -> None:
        self._go(2)

    def action_screen_prompt(self) -> None:
        if isinstance(self.screen, RememScreen):
            self.screen.take_to_prompt()
        self._go(3)

    def action_screen_history(self) -> None:
        self._go(4)

    def action_screen_health(self) -> None:
        self._go(5)

    def action_show_team(self) -> None:
        """Go to the team table from any other screen."""
        from remem.tui.screens.team import TeamScreen

        self._go(0)
        screen = self.screen
        if isinstance(screen, TeamScreen):
            screen.call_after_refresh(screen.open_team)

    def action_palette(self) -> None:
        from remem.tui.run_commands import show_palette

        show_palette(self)

    def action_help(self) -> None:
        from remem.tui.run_commands import show_help

        show_help(self)

    def on_key(self, event: events.Key) -> None:
        """Say of a key that does nothing on this screen where it does something."""
        screen = self.screen
        if not isinstance(screen, RememScreen) or _is_done_by(screen, event.key):
            return
        from remem.tui.run_commands import offers_on

        typed = {event.key, event.character}
        for offer in offers_on(self, screen):
            verb = offer.verb
            if offer.why_not and not typed.isdisjoint(keys_of(self.keys.get(verb.id, verb.key))):
                screen.say(f"{verb.title}: not here, but {offer.why_not}")
                return

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action; the key of a greyed verb says why it does nothing."""
        screen = default_namespace if isinstance(default_namespace, RememScreen) else None
        if screen is not None and isinstance(action, str) and screen.refused(action):
            return True
        try:
            return await super().run_action(action, default_namespace, namespaces)
        except UnknownRef as error:  # gone since it was shown
            self.show_error(error)
            return True

    def action_suspend(self) -> None:
        self.action_suspend_process()

    def _go(self, number: int) -> None:
        mode = MODES[number]
        if mode != self.current_mode:
            screen = self.screen
            key = screen.place if isinstance(screen, RememScreen) else None
            self.desk.trail.append(Place(self.current_mode, key))
            del self.desk.trail[:-TRAIL]
            if isinstance(screen, RememScreen):
                screen.leave_called()  # keys go to the list when the person comes back
        elif isinstance(self.screen, RememScreen):
            self.screen.come_again()
        self.switch_mode(mode)

    async def action_quit(self) -> None:
        # What would be read is as it was: the next opening may show the frame that is known.
        if self.current_mode != self._left_mode():
            self.session.left_screen.write(self.current_mode)
        if self.desk.done:
            self.desk.leave_review(goes_on=bool(self.gauge.waiting) or not self.gauge.complete)
        await asyncio.to_thread(self.session.note_look)
        self.exit()


def _is_done_by(screen: Screen[Any], key: str) -> bool:
    """Tell whether a key is bound to something that the screen can do."""
    bound = screen.active_bindings.get(key)
    if bound is None:
        return False
    action = bound.binding.action.partition("(")[0]
    return "." in action or hasattr(bound.node, f"action_{action}")


def _is_server_away(library: Library) -> bool:
    """Tell whether a database on a server cannot be read now."""
    served = (source for source in library.sources if source.is_served)
    return any(problem.blocks_writing for source in served for problem in source.problems)
