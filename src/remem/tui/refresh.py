"""The part of the app that follows others while it is open, and tells of files which come.

What is told of comes of comparing snapshots, in one line; when and on which screen is the app's. A
server of verified memory is asked again and again: no screen waits for it, and what it said last is
shown. Nothing is written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual import on, work
from textual.app import App
from textual.reactive import var
from textual.strip import Strip
from textual.widget import AwaitMount

from remem.base.turns import behind_the_screen, give_way
from remem.core.arrivals import Arrival, arrivals, came, stamps_of
from remem.tui.garbage_when_idle import steady
from remem.tui.latest_only import InTurn
from remem.tui.messages import SnapshotMade
from remem.tui.textual_private import (
    DrawsAfterBatches,
    ForgetsLines,
    ForgetsWidgets,
    ForgetsWork,
    OneToast,
    ParsesOnce,
    ReadableText,
    SilentlyFatal,
)
from remem.tui.verbs import HEALTH, REVIEW, key_shown
from remem.tui.widgets.input_line import InputLine
from remem.tui.widgets.line_view import LineView
from remem.views.spans import Span, Spans, Tone, plain

if TYPE_CHECKING:
    from remem.core.session import Session
    from remem.views.screen_state import Desk


class NewsBar(LineView, can_focus=False):
    """One line."""

    DEFAULT_CSS = """
    NewsBar { height: 1; background: $panel; color: $foreground; overflow: hidden; }
    """

    told: var[Spans] = var((), init=False)

    def watch_told(self) -> None:
        self.refresh()

    def render_line(self, y: int) -> Strip:
        sign = Span(f" {self.glyphs.waiting} ", Tone.ACCENT)
        return self.draw((sign, *self.told), self.line_width)


_REVIEW: Final = REVIEW.id.removeprefix("screen.")


_LONGEST_SECONDS: Final = 30.0


class FollowingApp(
    DrawsAfterBatches,
    ReadableText,
    ForgetsLines,
    ForgetsWidgets,
    ForgetsWork,
    OneToast,
    ParsesOnce,
    SilentlyFatal,
    App[None],
):
    """Follows what others do: files that come, decisions that they touch, rows on a server.

    News stay on the screen until Review is gone to. A server's rows are followed as the watcher
    follows files.
    """

    session: Session
    desk: Desk
    keys: Mapping[str, str]

    ask_seconds = 2.0
    """Between two questions to a server whether anything changed."""
    rest_times = 20
    """A server is left alone this many times longer than it took to answer, up to half a minute."""

    _stamps: Mapping[Path, str] = {}
    _arrived: frozenset[Path] = frozenset()
    """Files that came and were not gone to yet."""
    _has_news = False
    """Something came that was not told of yet."""
    _news: Spans = ()

    @cached_property
    def _news_in_turn(self) -> InTurn:
        return InTurn()

    def on_mount(self) -> None:
        self._stamps = stamps_of(self.session.library)

    @on(SnapshotMade)
    def _notice(self, message: SnapshotMade) -> None:
        """Find out whether a file of somebody else came."""
        before, self._stamps = self._stamps, stamps_of(message.library)
        new = came(before, self._stamps)
        if new and not message.own:
            self._arrived |= new
            self._has_news = True

    def tell_news(self) -> None:
        """Tell of what came; for when it is on the screen, as to count it takes a while."""
        if self._has_news:
            self._has_news = False
            if self._news_in_turn.ask():
                self._read_news()

    @work(thread=True, group="news", exit_on_error=False)
    def _read_news(self) -> None:
        self._news_in_turn.run(self._find_news)

    def _find_news(self) -> None:
        with steady(), behind_the_screen():
            items = self.desk.items()
        found = arrivals(self.session.library, self._arrived, items)
        self.call_from_thread(self._take_news, found)

    def _take_news(self, found: Sequence[Arrival]) -> None:
        """Say on Review what came; elsewhere keep it in sight until Review is gone to."""
        from remem.views.arrivals import news_line

        review, health = (key_shown(screen, self.keys) for screen in (REVIEW, HEALTH))
        if self.current_mode == _REVIEW:
            self._arrived = frozenset()
            if found:
                line = plain(news_line(found, review="", health=health))
                self.notify(line, markup=False)
            return
        self._news = news_line(found, review=review, health=health) if found else ()
        self._draw_news()

    def switch_mode(self, mode: str) -> AwaitMount:
        """Go to a screen, and take the news along; on Review they are seen.

        What a toast said of the screen before goes with it.
        """
        if mode != self.current_mode:
            self.leave_said()
        if mode == _REVIEW:
            self._arrived, self._news = frozenset(), ()
        switched = super().switch_mode(mode)
        self.call_after_refresh(self._draw_news)
        return switched

    def _draw_news(self) -> None:
        """Put the line of news on the screen, below an overlay too, or take it away."""
        screen = next((each for each in self.screen_stack[::-1] if each.query(InputLine)), None)
        if screen is None:
            return
        bars = screen.query(NewsBar)
        if not self._news:
            bars.remove()
        elif bars:
            bars.first().told = self._news
        else:
            bar = NewsBar()
            bar.told = self._news
            screen.mount(bar, before=screen.query_one(InputLine))

    @cached_property
    def _following(self) -> InTurn:
        return InTurn()

    def follow_others(self) -> None:
        """Look after the decisions that others may have touched."""
        if self._following.ask():
            self._follow_others()

    @work(thread=True, group="follow", exit_on_error=False)
    def _follow_others(self) -> None:
        self._following.run(self._follow_behind_the_frame)

    def _follow_behind_the_frame(self) -> None:
        with behind_the_screen():
            give_way()
            self.session.follow()

    @work(group="watch", exit_on_error=False)
    async def follow_server(self) -> None:
        """Ask until the app ends; at once nothing where no server is configured."""
        if self.session.server is None:
            return
        loop = asyncio.get_running_loop()
        # The first time, most of it is spent on loading what talks to a server.
        await asyncio.to_thread(self.session.ask_server)
        while True:
            began = loop.time()
            await asyncio.to_thread(self.session.ask_server)
            took = loop.time() - began
            await asyncio.sleep(
                max(self.ask_seconds, min(self.rest_times * took, _LONGEST_SECONDS))
            )
