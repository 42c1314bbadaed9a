"""Characters that hide something from a reader, and not those that a script needs.

What a terminal is given is another question (`base/text.py`): there all that draws nothing is made
visible. Here a person is asked only where a text may say more than it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from remem.base.lazy_pattern import lazy_pattern
from remem.base.text import Hidden, hidden

_IDEOGRAPH: Final = "\u3005\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MONGOLIAN: Final = "\u1800-\u180a\u1810-\u18af"
_RIGHT_TO_LEFT: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_WITHOUT_BLANKS: Final = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u1a20-\u1aaf"
_DRAWN_TWO_WAYS: Final = (
    "#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u27bf\u2934\u2935\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_ORDINARY: Final = "|".join(
    (
        "(?<=[^\\W\\d_]{2})\u00ad(?=[^\\W\\d_]{2})",  # where a word may be broken
        f"(?<=[{_IDEOGRAPH}])[\ufe00-\ufe02\U000e0100-\U000e01ef](?![\ufe00-\ufe0f\U000e0100-\U000e01ef])",
        f"(?<=[{_MONGOLIAN}])[\u180b-\u180f]",
        f"(?<=[{_DRAWN_TWO_WAYS}])\ufe0e",
        f"(?<=[{_WITHOUT_BLANKS}])\u200b(?=[{_WITHOUT_BLANKS}])",
    )
)
_STRAY_EMOJI_STYLE: Final = f"(?<![{_DRAWN_TWO_WAYS}])\ufe0f"
_BLANKS: Final = "[\u00a0\u2000-\u200a\u202f\u205f]{3,}"
_LIKE_LATIN: Final = "аеорсухіјѕһԁԛԝАВЕЅІЈКМНОРСТХοανικρτυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
_WORD: Final = r"[^\W\d_]{4,}"
_LATIN: Final = lazy_pattern("[A-Za-z]")
_BETWEEN_LATIN: Final = (
    "(?<=[A-Za-z])[\u0370-\u03ff\u0400-\u052f]{1,2}(?=[A-Za-z])|[\u0531-\u0587\u13a0-\u13ff]"
)
"""Letters of another alphabet in a Latin word; at its end those of Greek and Cyrillic may be an
inflection, and at its beginning a sign of mathematics."""
_DRAWN_AS_LATIN: Final = "[\U0001d400-\U0001d6a3]{3,}|[\u24b6-\u24e9]{3,}"
"""Words in letters of mathematics, or in circles."""


def unseen(text: str) -> tuple[Hidden, ...]:
    """Return what a reader would not see or takes for something else, in order."""
    ordinary = {at.start() for at in _compiled(_ORDINARY).finditer(text)}
    ordinary.update(_marks_of_direction(text))
    found = [each for each in hidden(text) if each.offset not in ordinary]
    if found and found[0].offset == 0 and text[0] == "\ufeff":
        del found[0]
    found += _others(text)
    return tuple(sorted(found, key=lambda each: each.offset))


def _marks_of_direction(text: str) -> Iterator[int]:
    """Yield where a mark of direction orders a line that is written from the right."""
    if not _compiled("[\u200e\u200f\u061c]").search(text):
        return
    for line in _compiled(r"[^\n]+").finditer(text):
        if _compiled(f"[{_RIGHT_TO_LEFT}]{{2}}").search(line[0]):
            for mark in _compiled("[\u200e\u200f\u061c]").finditer(line[0]):
                yield line.start() + mark.start()


def _others(text: str) -> Iterator[Hidden]:
    for match in _compiled(_STRAY_EMOJI_STYLE).finditer(text):
        yield _hidden(match.start(), "variation selector", text)
    for match in _compiled(_BLANKS).finditer(text):
        for place in range(*match.span()):
            yield _hidden(place, "blank", text)
    if text.isascii():
        return
    for match in _compiled(_WORD).finditer(text):
        word = match[0]
        if word.isascii() or not _LATIN.search(word):
            continue
        within = {
            at for each in _compiled(_BETWEEN_LATIN).finditer(word) for at in range(*each.span())
        }
        for place, letter in enumerate(word):
            if letter in _LIKE_LATIN or place in within:
                yield _hidden(match.start() + place, "look-alike", text)
    for match in _compiled(_DRAWN_AS_LATIN).finditer(text):
        for place in range(*match.span()):
            yield _hidden(place, "look-alike", text)


def _hidden(place: int, kind: str, text: str) -> Hidden:
    return Hidden(place, kind, f"⟦U+{ord(text[place]):04X}⟧")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
