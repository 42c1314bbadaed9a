"""The line at the bottom: the keys that work here, in groups, greyed with the reason where not.

Which keys those are is the screen's to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.reactive import var
from textual.strip import Strip

from remem.tui.content import Span, Spans, Tone, span, width_of
from remem.tui.glyphs import Glyphs
from remem.tui.widgets.line_view import LineView, justify


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


class KeyBar(LineView, can_focus=False):
    """One line of keys, the first ones of every group before the rest."""

    DEFAULT_CSS = """
    KeyBar { height: 1; background: $panel; color: $foreground; overflow: hidden; }
    """

    hints: var[tuple[KeyHint, ...]] = var((), init=False)
    last: var[KeyHint | None] = var(None, init=False)
    """What always stands at the right edge: help."""

    @dataclass
    class Pressed(Message):
        """A key was clicked."""

        verb: str

    def watch_hints(self) -> None:
        self.refresh()

    def watch_last(self) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        hint = hint_at(self.hints, self.last, self.line_width, self.glyphs, event.x)
        if hint is not None and not hint.blocked:
            self.post_message(self.Pressed(hint.verb))

    def render_line(self, y: int) -> Strip:
        width = self.line_width
        return self.draw(key_line(self.hints, self.last, width, self.glyphs), width)


def key_line(hints: Sequence[KeyHint], last: KeyHint | None, width: int, glyphs: Glyphs) -> Spans:
    """Return the line in exactly `width` cells; keys that find no room are in the help."""
    shown, reasons = _fitting(hints, last, width, glyphs)
    left = tuple(part for _, parts in _laid_out(shown, glyphs, reasons) for part in parts)
    right = (*_drawn(last, ""), Span(" ")) if last else ()
    return justify(left, right, width, glyphs)


def hint_at(
    hints: Sequence[KeyHint], last: KeyHint | None, width: int, glyphs: Glyphs, x: int
) -> KeyHint | None:
    """Return what is drawn at cell `x` of `key_line`."""
    shown, reasons = _fitting(hints, last, width, glyphs)
    at = 0
    for hint, parts in _laid_out(shown, glyphs, reasons):
        at += width_of(parts)
        if x < at:
            return hint
    if last and x >= width - width_of(_drawn(last, "")) - 1:
        return last
    return None


def _fitting(
    hints: Sequence[KeyHint], last: KeyHint | None, width: int, glyphs: Glyphs
) -> tuple[list[KeyHint], bool]:
    """Return the hints that have room, and whether reasons have room too."""
    room = width - (width_of(_drawn(last, "")) + 2 if last else 0)
    everything = list(hints)
    for reasons in (True, False):
        if _size(everything, glyphs, reasons) <= room:
            return everything, reasons
    # What can act stays longest; among equals, what was named first.
    by_worth = sorted(everything, key=lambda hint: bool(hint.blocked))
    kept: list[KeyHint] = []
    for hint in by_worth:
        trial = [other for other in everything if other in kept or other is hint]
        if _size(trial, glyphs, reasons=False) <= room:
            kept.append(hint)
    return [hint for hint in everything if hint in kept], False


def _size(hints: list[KeyHint], glyphs: Glyphs, reasons: bool) -> int:
    return sum(width_of(parts) for _, parts in _laid_out(hints, glyphs, reasons))


def _laid_out(hints: list[KeyHint], glyphs: Glyphs, reasons: bool) -> list[tuple[KeyHint, Spans]]:
    laid: list[tuple[KeyHint, Spans]] = []
    group = ""
    for hint in hints:
        if not group:
            lead: Spans = (Span(" "),)
        elif group == hint.group:
            lead = (Span("  "),)
        else:
            lead = (Span(f" {glyphs.separator} ", Tone.DIM),)
        laid.append((hint, (*lead, *_drawn(hint, hint.blocked if reasons else ""))))
        group = hint.group
    return laid


def _drawn(hint: KeyHint, reason: str) -> Spans:
    if not hint.blocked:
        return (span(hint.key, Tone.KEY), span(f" {hint.title}"))
    # Brackets tell it without colour.
    because = f": {reason}" if reason else ""
    return (span(f"({hint.key} {hint.title}{because})", Tone.DIM),)
