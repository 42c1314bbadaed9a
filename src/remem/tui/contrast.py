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
    return {name: _moved(text, grounds).hex for name, text in texts.items()}


def _moved(text: Color, grounds: Iterable[Color]) -> Color:
    grounds = tuple(grounds)
    end = grounds[0].get_contrast_text(1.0)
    steps = (text.blend(end, step / _STEPS) for step in range(_STEPS + 1))
    enough = (each for each in steps if all(contrast(each, g) >= ENOUGH for g in grounds))
    return next(enough, end)


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
