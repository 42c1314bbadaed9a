"""Draws in ASCII what remem and Textual draw with other signs; letters of other scripts stay.

It sits behind all widgets, so that borders, scrollbars, toasts and lines need not know of it.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from remem.views.glyphs import ASCII, UNICODE


def _table() -> dict[int, str]:
    table = dict.fromkeys(range(9600, 9632), "#")  # blocks
    table |= dict.fromkeys(range(9472, 9600), "+")  # corners and crossings
    table |= dict.fromkeys(map(ord, "─┄┅┈┉╌╍═╴╶╸╺╼╾▔"), "-")
    table[ord("━")] = "="  # of the pane that has the focus
    table |= dict.fromkeys(map(ord, "│┃┆┇┊┋╎╏║╵╷╹╻╽╿▏▕▎▍▌▐"), "|")
    table |= dict.fromkeys(map(ord, "░"), ".")
    table |= {ord(char): " " for char in "▁▂▃▄▅▆▇▖▗▘▝"}  # ends of a scrollbar
    for each in fields(UNICODE):
        drawn = getattr(UNICODE, each.name)
        if not drawn.isascii():
            table[ord(drawn)] = getattr(ASCII, each.name)
    # Bullets, ticks and arrows of texts and of keys, which are no sign of remem's own there.
    signs = "·.•*↓v‼E⋯.≈~×x±=−-–-—-‘'’'“\"”\"←<⇥>⏎$≠!≤<≥>◐(✓x›>⟦[⟧]"
    table |= {ord(sign): plain for sign, plain in zip(signs[::2], signs[1::2], strict=True)}
    return table


TABLE: Final = _table()


def in_ascii(text: str) -> str:
    """Return a text with an ASCII sign of the same width in the place of each other sign.

    What is under way or left out has its dots behind a blank (`reading …`), what was cut has not.
    """
    return text if text.isascii() else text.replace(" …", "..").translate(TABLE)


class AsciiLines(LineFilter):
    """Draws every line in ASCII, in the same cells."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment
            if segment.text.isascii()
            else Segment(in_ascii(segment.text), segment.style, segment.control)
            for segment in segments
        ]
