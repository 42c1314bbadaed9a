"""The line at the top: root, screens, what waits, the chosen agent's budget, the watcher.

It draws what it is told and reports which screen was clicked.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from textual import events
from textual.message import Message
from textual.reactive import var
from textual.strip import Strip

from remem.base.frozen import dataclass
from remem.tui.widgets.line_view import LineView, justify
from remem.views.glyphs import Glyphs
from remem.views.spans import (
    Span,
    Spans,
    Tone,
    clip,
    number,
    short_number,
    span,
    token_bar,
    width_of,
)

SCREENS: Final = ("Start", "Browse", "Review", "Prompt", "History", "Health")
_REVIEW: Final = 2


class Watching(StrEnum):
    """What the watcher does; the word is shown where there is room."""

    LIVE = "live"
    POLLING = "polling"
    PAUSED = "starting"
    BROKEN = "not watching"
    AWAY = "server away"
    """A database on a server cannot be read: what is shown of it is old, or nothing."""


@dataclass(frozen=True, slots=True)
class TopState:
    """Everything that the line shows."""

    root: str
    """The folder's name."""
    screen: int = 0
    """The current one, 0 to 5."""
    waiting: int = 0
    complete: bool = True
    """False: entries are still being read, so that counts carry `≈`."""
    agent: str = ""
    used: int = 0
    budget: int = 0
    exact: bool = True
    watching: Watching = Watching.LIVE


class TopBar(LineView, can_focus=False):
    """One line that gives up detail before it gives up meaning."""

    DEFAULT_CSS = """
    TopBar {
        height: 1;
        background: $panel;
        color: $foreground;
        overflow: hidden;
        /* On the grey of a light panel dim text has too little contrast. */
        &:light > .line-view--dim { text-style: none; }
    }
    """

    state: var[TopState] = var(TopState(""), init=False)

    @dataclass
    class ScreenChosen(Message):
        """A screen's name was clicked."""

        number: int

    def watch_state(self) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        number = screen_at(top_line(self.state, self.line_width, self.glyphs), event.x)
        if number is not None:
            self.post_message(self.ScreenChosen(number))

    def render_line(self, y: int) -> Strip:
        return self.draw(top_line(self.state, self.line_width, self.glyphs), self.line_width)


def top_line(state: TopState, width: int, glyphs: Glyphs) -> Spans:
    """Return the line in exactly `width` cells, with as much detail as fits."""
    for left, right in _versions(state, glyphs):
        if width_of(left) + width_of(right) + 1 <= width:
            break
    return justify(left, right, width, glyphs)


def screen_at(line: Spans, x: int) -> int | None:
    """Return the number of the screen whose name is drawn at cell `x`."""
    at = 0
    for text, tone in line:
        end = at + width_of((Span(text),))
        if at <= x < end:
            digit = text.strip().lstrip("[").strip()[:1]
            is_screen = tone in (Tone.ACCENT, Tone.DIM, Tone.STRONG) and digit.isdecimal()
            return int(digit) if is_screen and int(digit) < len(SCREENS) else None
        at = end
    return None


def _versions(state: TopState, glyphs: Glyphs) -> Iterator[tuple[Spans, Spans]]:
    """Yield the line from rich to bare; the names of the screens stay almost to the end."""
    waiting = _waiting(state, glyphs)
    agent, short_agent = _agent(state, glyphs, bar=12), _agent(state, glyphs, bar=0)
    watcher, light = _watcher(state, glyphs, words=True), _watcher(state, glyphs, words=False)
    names, tabs = _screens(state, all_names=True), _screens(state, all_names=True, counted=True)
    digits = _screens(state, all_names=False, counted=True)
    close = _close_screens(state)
    root, short_root = _root(state, 16, glyphs), _root(state, 10, glyphs)
    yield (*_root(state, 24, glyphs), *names), (*waiting, *agent, *watcher)
    yield (*root, *names), (*waiting, *short_agent, *light)
    yield (*root, *tabs), (*short_agent, *light)
    yield (*root, *names), (*waiting, *light)
    yield (*root, *tabs), light
    yield (*root, *close), light
    yield (*short_root, *close), light
    yield close, light
    yield close, light if state.watching is Watching.BROKEN else ()
    yield (*root, *digits), (*short_agent, *light)
    yield (*short_root, *digits), (*_percent(state, glyphs), *light)
    yield (Span(" "), *digits), (*_percent(state, glyphs), *light)


def _root(state: TopState, most: int, glyphs: Glyphs) -> Spans:
    return (Span(" "), *clip((span(state.root, Tone.STRONG),), most, glyphs), Span("  "))


def _screens(state: TopState, *, all_names: bool, counted: bool = False) -> Spans:
    """Return the screens; `counted` = what is to review stands beside the screen it is done on."""
    parts: list[Span] = []
    for place, name in enumerate(SCREENS):
        is_here = place == state.screen
        left, right = ("[", "]") if is_here else (" ", " ")
        called = f"{left}{place}{f' {name}' if all_names or is_here else ''}"
        number = _beside_review(state) if counted and place == _REVIEW else ""
        tone = Tone.ACCENT if is_here else Tone.DIM
        parts += (Span(called, tone), Span(number, Tone.WARN), Span(right, tone))
    return tuple(part for part in parts if part.text)


def _beside_review(state: TopState) -> str:
    return f" {state.waiting:,}" if state.waiting and state.complete else ""


def _close_screens(state: TopState) -> Spans:
    """Return all names with one cell between them, which the brackets take too."""
    parts: list[Span] = []
    for place, name in enumerate(SCREENS):
        is_here = place == state.screen
        before = "[" if is_here else "]" if place == state.screen + 1 else " "
        parts += (
            Span(before, Tone.ACCENT),
            Span(f"{place} {name}", Tone.ACCENT if is_here else Tone.DIM),
            Span(_beside_review(state) if place == _REVIEW else "", Tone.WARN),
        )
    parts = [part for part in parts if part.text]
    return (*parts, Span("]" if state.screen == len(SCREENS) - 1 else " ", Tone.ACCENT))


def _waiting(state: TopState, glyphs: Glyphs) -> Spans:
    if not state.complete and not state.waiting:
        return (Span(f"reading {glyphs.more}  ", Tone.DIM),)
    if not state.waiting:
        return (Span("All caught up  ", Tone.DIM),)
    shown = number(state.waiting, exact=state.complete, glyphs=glyphs)
    return (Span(f"{glyphs.waiting} {shown} to review  ", Tone.WARN),)


def _agent(state: TopState, glyphs: Glyphs, *, bar: int) -> Spans:
    if not state.agent:
        return ()
    used = number(state.used, exact=state.exact, glyphs=glyphs)
    over = state.budget and state.used > state.budget
    tone = Tone.BAD if over else Tone.PLAIN
    if not bar:
        used = short_number(state.used, exact=state.exact, glyphs=glyphs)
        limit = f"/{short_number(state.budget)}" if state.budget else ""
        name = clip((span(state.agent),), 16, glyphs)
        return (*name, Span(f" {used}{limit}{'!' if over else ''} tokens  ", tone))
    limit = f"/{state.budget:,}" if state.budget else ""
    drawn = token_bar(state.used, state.budget, bar, glyphs) if state.budget else ()
    name = clip((span(state.agent),), 20, glyphs)
    return (*name, Span(" "), *drawn, Span(f" {used}{limit}{'!' if over else ''} tokens  ", tone))


def _percent(state: TopState, glyphs: Glyphs) -> Spans:
    if not state.agent or not state.budget:
        return ()
    percent = round(100 * state.used / state.budget)
    sign = "" if state.exact else glyphs.about
    return (Span(f"{sign}{percent}% budget  ", Tone.BAD if percent > 100 else Tone.PLAIN),)


def _watcher(state: TopState, glyphs: Glyphs, *, words: bool) -> Spans:
    sign, tone = {
        Watching.LIVE: (glyphs.live, Tone.GOOD),
        Watching.POLLING: (glyphs.live, Tone.GOOD),
        Watching.PAUSED: (glyphs.paused, Tone.DIM),
        Watching.BROKEN: (glyphs.broken, Tone.BAD),
        Watching.AWAY: (glyphs.broken, Tone.BAD),
    }[state.watching]
    return (Span(f"{sign} {state.watching} " if words else f"{sign} ", tone),)
