"""Keeps coloured text readable on every ground that it is drawn on, whatever the theme.

Textual mixes a theme's text colours with black or white by one share, which leaves amber on light
grey at 2.8:1, and leaves a theme's own text as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from textual.color import Color, ColorParseError

ENOUGH: Final = 4.5
"""Between text and its ground: WCAG 2, 1.4.3, level AA."""
_TEXTS: Final = (
    "foreground",
    *(f"text-{x}" for x in ("primary", "secondary", "accent", "success", "warning", "error")),
)
_GROUNDS: Final = ("background", "surface", "panel")
_CURSORS: Final = ("block-cursor", "block-cursor-blurred")
"""What the row under the cursor is drawn with, where keys go to its list and where they do not."""
_LISTED_ON: Final = ("background", "surface")
"""What lists lie on: a cursor's own ground lets some of it through."""
_STEPS: Final = 20
"""From the theme's colour to black or white."""


def readable(colours: Mapping[str, str]) -> dict[str, str]:
    """Return the text colours of a theme with enough contrast, as near to its own as possible.

    A colour that stands out already is returned as it is; so are all where a ground is no colour
    of its own but the terminal's.
    """
    try:
        grounds = [Color.parse(colours[name]) for name in _GROUNDS]
        texts = {name: Color.parse(colours[name]) for name in _TEXTS}
    except (ColorParseError, KeyError):
        return {}
    if any(each.ansi is not None for each in (*grounds, *texts.values())):
        return {}
    plain = {name: _moved(text, grounds).hex for name, text in texts.items()}
    return {**plain, **_readable_under_the_cursor(colours)}


def _readable_under_the_cursor(colours: Mapping[str, str]) -> dict[str, str]:
    """Return the colours of text on the row under the cursor, which all of that row has."""
    found = {}
    for cursor in _CURSORS:
        own = Color.parse(colours[f"{cursor}-background"])
        grounds = [Color.parse(colours[name]) + own for name in _LISTED_ON]
        text = colours[f"{cursor}-foreground"]
        drawn = grounds[0].get_contrast_text() if text.startswith("auto") else Color.parse(text)
        found[f"{cursor}-foreground"] = _moved(grounds[0] + drawn, grounds).hex
    return found


def _moved(text: Color, grounds: Iterable[Color]) -> Color:
    """Return the first colour with enough contrast on the way to the end that is nearer to it.

    One of the two ends always has enough on one ground; on several, the better one is returned.
    """
    grounds = tuple(grounds)

    def least(colour: Color) -> float:
        return min(contrast(colour, ground) for ground in grounds)

    ends = sorted((Color(0, 0, 0), Color(255, 255, 255)), key=lambda end: contrast(text, end))
    steps = (text.blend(end, step / _STEPS) for end in ends for step in range(_STEPS + 1))
    return next((each for each in steps if least(each) >= ENOUGH), max(ends, key=least))


def contrast(one: Color, other: Color) -> float:
    """Return how much two colours differ in light, from 1 to 21, as WCAG 2 has it."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Color) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in colour.normalized
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
