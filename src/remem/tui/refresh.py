"""The part of the app that follows others while it is open, and tells of retros which come.

What is told of comes of comparing snapshots, in one line; when and on which screen is the app's. A
server of verified memory is asked again and again: no screen waits for it, and what it said last is
shown. Nothing is written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual import on, work
from textual.app import App
from textual.reactive import var
from textual.strip import Strip
from textual.widget import AwaitMount

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.base.turns import behind_the_screen
from remem.core.library import Library
from remem.systems.sniper.retro.retro_files import files_of
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
from remem.views.spans import Span, Spans, Tone, plain, span

if TYPE_CHECKING:
    from remem.core.session import Session
    from remem.core.waiting.item import Item
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
    """Follows what others do: retros that come, decisions that they touch, rows on a server.

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
        with steady(), behind_the_screen():
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
        self._following.run(self.session.follow)

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


@dataclass(frozen=True, slots=True)
class Arrival:
    """A retro that came, or came again."""

    name: str
    findings: int
    waiting: int
    is_broken: bool = False
    """It cannot be read."""


def stamps_of(library: Library) -> Mapping[Path, str]:
    """Return the digest of every retro's file."""
    return {source.path: source.digest for source in files_of(library)}


def came(before: Mapping[Path, str], now: Mapping[Path, str]) -> frozenset[Path]:
    """Return the retros that are new or read otherwise."""
    return frozenset(path for path, digest in now.items() if before.get(path) != digest)


def arrivals(
    library: Library, paths: Collection[Path], items: Sequence[Item]
) -> tuple[Arrival, ...]:
    """Return what is known of retros that came; what is gone again is left out."""
    from remem.systems.sniper.retro import retro_entries

    return tuple(
        Arrival(
            name=source.path.stem,
            findings=len(source.entries),
            waiting=sum(item.group == source.path.stem for item in items),
            is_broken=retro_entries.parsed(source)[1] is None,
        )
        for source in files_of(library)
        if source.path in paths
    )


def news_line(found: Sequence[Arrival], *, review: str, health: str) -> Spans:
    """Return one line on all that came: `sprint-7-retro came: 12 findings, 9 wait · 2 to see them`.

    Args:
        found: At least one.
        review: The key of Review; empty = the person is there.
        health: The key of Health.
    """
    broken = sum(each.is_broken for each in found)
    named = found[0].name if len(found) == 1 else count(found, "retro")
    what = span(named, Tone.STRONG)
    if broken == len(found):
        return (what, Span(" is new but cannot be read", Tone.WARN), *_hint(health, "see why"))
    findings = sum(each.findings for each in found)
    waiting = sum(each.waiting for each in found)
    told = f" came: {count(findings, 'finding')}, {waiting:,} to review"
    lost = f", {count(broken, 'file')} cannot be read" if broken else ""
    return (what, Span(told), Span(lost, Tone.WARN), *_hint(review, "see them"))


def _hint(key: str, does: str) -> Spans:
    if not key:
        return ()
    return (Span(" · ", Tone.DIM), Span(key, Tone.KEY), Span(f" to {does}", Tone.DIM))
