"""The part of the app that tells of retros which come while it is open; nothing is written.

What is told is `news.py`'s; here is when, and on which screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual import on, work
from textual.widget import AwaitMount

from remem.tui.in_turn import InTurn
from remem.tui.messages import SnapshotMade
from remem.tui.news import Arrival, arrivals, came, news_line, stamps_of
from remem.tui.private import (
    ForgetsLines,
    ForgetsWidgets,
    ForgetsWork,
    OneToast,
    ParsesOnce,
    SilentlyFatal,
)
from remem.tui.steady import steady
from remem.tui.verbs import HEALTH, REVIEW, key_shown
from remem.tui.widgets.news_bar import NewsBar
from remem.tui.widgets.prompt_line import PromptLine
from remem.views.spans import Spans, plain

if TYPE_CHECKING:
    from remem.core.session import Session
    from remem.views.desk import Desk

_REVIEW: Final = REVIEW.id.removeprefix("screen.")


class NewsApp(ForgetsLines, ForgetsWidgets, ForgetsWork, OneToast, ParsesOnce, SilentlyFatal):
    """Keeps a line of news on the screen until Review is gone to."""

    session: Session
    desk: Desk
    keys: Mapping[str, str]

    _retros: Mapping[Path, str] = {}
    _arrived: frozenset[Path] = frozenset()
    """Retros that came and were not gone to yet."""
    _has_news = False
    """Something came that was not told of yet."""
    _news: Spans = ()

    @cached_property
    def _news_in_turn(self) -> InTurn:
        return InTurn()

    def on_mount(self) -> None:
        self._retros = stamps_of(self.session.library)

    @on(SnapshotMade)
    def _notice(self, message: SnapshotMade) -> None:
        """Find out whether somebody else's retro came."""
        before, self._retros = self._retros, stamps_of(message.library)
        new = came(before, self._retros)
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
        with steady():
            items = self.desk.items()
        found = arrivals(self.session.library, self._arrived, items)
        self.call_from_thread(self._take_news, found)

    def _take_news(self, found: Sequence[Arrival]) -> None:
        """Say on Review what came; elsewhere keep it in sight until Review is gone to."""
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
        """Go to a screen, and take the news along; on Review they are seen."""
        if mode == _REVIEW:
            self._arrived, self._news = frozenset(), ()
        switched = super().switch_mode(mode)
        self.call_after_refresh(self._draw_news)
        return switched

    def _draw_news(self) -> None:
        """Put the line of news on the screen, below an overlay too, or take it away."""
        screen = next((each for each in self.screen_stack[::-1] if each.query(PromptLine)), None)
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
            screen.mount(bar, before=screen.query_one(PromptLine))
