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
    table |= dict.fromkeys(map(ord, "─┄┅┈┉╌╍═╴╶╸╺╼╾▔▁"), "-")
    table[ord("━")] = "="  # of the pane that has the focus
    table |= dict.fromkeys(map(ord, "│┃┆┇┊┋╎╏║╵╷╹╻╽╿▏▕▎▍▌▐"), "|")
    table |= dict.fromkeys(map(ord, "░"), ".")
    table |= {ord(char): " " for char in "▂▃▄▅▆▇▖▗▘▝"}  # ends of a scrollbar
    for each in fields(UNICODE):
        drawn = getattr(UNICODE, each.name)
        if not drawn.isascii():
            table[ord(drawn)] = getattr(ASCII, each.name)
    signs = "·.•*‼E…~⋯~≈~×x±=−-–-—-‘'’'“\"”\"→>←<↑^↓v⇥>⏎$≠!≤<≥>◐o●*○o✓x✗!▸+▾-›>‹<⟦[⟧]"
    table |= {ord(sign): plain for sign, plain in zip(signs[::2], signs[1::2], strict=True)}
    return table


TABLE: Final = _table()


class AsciiLines(LineFilter):
    """Puts an ASCII sign of the same width in the place of each other sign."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment
            if segment.text.isascii()
            else Segment(segment.text.translate(TABLE), segment.style, segment.control)
            for segment in segments
        ]
