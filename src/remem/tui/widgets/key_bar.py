"""The line at the bottom: the keys that can act here, in groups; undo and help at its right edge.

Which keys those are is the screen's to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual import events
from textual.message import Message
from textual.reactive import var
from textual.strip import Strip

from remem.base.frozen import dataclass
from remem.tui.widgets.line_view import LineView, justify
from remem.views.glyphs import Glyphs
from remem.views.spans import Span, Spans, Tone, span, width_of

MOST: Final = 7
"""Keys that the line holds besides the pinned ones; the help has the rest."""


@dataclass(frozen=True, slots=True)
class KeyHint:
    """One key of the footer."""

    verb: str
    """Id of the verb."""
    key: str
    """As it is drawn: `a`, `ctrl+d`, `space`."""
    title: str
    group: str
    blocked: str = ""
    """Why it cannot act here; empty = it can."""
    is_suggested: bool = False
    """It is what remem would do here; a sign before the key says so."""


class KeyBar(LineView, can_focus=False):
    """One line of keys: as many as have room, in their order, and the pinned ones always."""

    DEFAULT_CSS = """
    KeyBar { height: 1; background: $panel; color: $foreground; overflow: hidden; }
    """

    hints: var[tuple[KeyHint, ...]] = var((), init=False)
    pinned: var[tuple[KeyHint, ...]] = var((), init=False)
    """What always stands at the right edge, whatever else there is."""

    @dataclass
    class Pressed(Message):
        """A key was clicked."""

        verb: str

    def watch_hints(self) -> None:
        self.refresh()

    def watch_pinned(self) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        hint = hint_at(self.hints, self.pinned, self.line_width, self.glyphs, event.x)
        if hint is not None and not hint.blocked:
            self.post_message(self.Pressed(hint.verb))

    def render_line(self, y: int) -> Strip:
        width = self.line_width
        return self.draw(key_line(self.hints, self.pinned, width, self.glyphs), width)


def key_line(
    hints: Sequence[KeyHint], pinned: Sequence[KeyHint], width: int, glyphs: Glyphs
) -> Spans:
    """Return the line in exactly `width` cells; keys that find no room are in the help."""
    left = tuple(
        part
        for _, parts in _laid_out(_fitting(hints, pinned, width, glyphs), glyphs)
        for part in parts
    )
    right = tuple(part for _, parts in _at_the_edge(pinned, glyphs) for part in parts)
    return justify(left, right, width, glyphs)


def hint_at(
    hints: Sequence[KeyHint], pinned: Sequence[KeyHint], width: int, glyphs: Glyphs, x: int
) -> KeyHint | None:
    """Return what is drawn at cell `x` of `key_line`."""
    at = 0
    for hint, parts in _laid_out(_fitting(hints, pinned, width, glyphs), glyphs):
        at += width_of(parts)
        if x < at:
            return hint
    edge = _at_the_edge(pinned, glyphs)
    at = width - sum(width_of(parts) for _, parts in edge)
    for hint, parts in edge:
        if at <= x < at + width_of(parts):
            return hint
        at += width_of(parts)
    return None


def _fitting(
    hints: Sequence[KeyHint], pinned: Sequence[KeyHint], width: int, glyphs: Glyphs
) -> list[KeyHint]:
    """Return the hints that can act and have room beside the pinned ones."""
    room = width - sum(width_of(parts) for _, parts in _at_the_edge(pinned, glyphs)) - 1
    live = [hint for hint in hints if not hint.blocked]
    # What remem would do has its room before all else, and keeps its place among the others.
    kept = [hint for hint in live if hint.is_suggested]
    for hint in live:
        if hint in kept or len(kept) == MOST:
            continue
        trial = sorted([*kept, hint], key=live.index)
        if sum(width_of(parts) for _, parts in _laid_out(trial, glyphs)) <= room:
            kept = trial
    return kept


def _laid_out(hints: list[KeyHint], glyphs: Glyphs) -> list[tuple[KeyHint, Spans]]:
    laid: list[tuple[KeyHint, Spans]] = []
    group = ""
    for hint in hints:
        if not group:
            lead: Spans = (Span(" "),)
        elif group == hint.group:
            lead = (Span("  "),)
        else:
            lead = (Span(f" {glyphs.separator} ", Tone.DIM),)
        laid.append((hint, (*lead, *_drawn(hint, glyphs))))
        group = hint.group
    return laid


def _at_the_edge(pinned: Sequence[KeyHint], glyphs: Glyphs) -> list[tuple[KeyHint, Spans]]:
    """Return the pinned keys, each with two cells after it, the last with one."""
    ends = ("  ",) * (len(pinned) - 1) + (" ",)
    return [
        (hint, (*_drawn(hint, glyphs), Span(end))) for hint, end in zip(pinned, ends, strict=False)
    ]


def _drawn(hint: KeyHint, glyphs: Glyphs) -> Spans:
    if not hint.blocked:
        if hint.is_suggested:
            return (span(f"{glyphs.suggested}{hint.key}", Tone.ACCENT), span(f" {hint.title}"))
        return (span(hint.key, Tone.KEY), span(f" {hint.title}"))
    # Brackets tell it without colour.
    return (span(f"({hint.key} {hint.title})", Tone.DIM),)
