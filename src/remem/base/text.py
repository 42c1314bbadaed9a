"""The one gate for text that remem did not write, and counts with nouns that agree.

It makes hidden and terminal-active characters visible. It knows nothing of widgets or markup, and
it never changes what is stored: only what is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sized
from functools import cache
from typing import Final

from remem.base.frozen import dataclass

_HIDDEN_CLASS: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but newline and tab, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction
    "\u00ad\u034f\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff"  # zero width
    "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # letters and signs that draw nothing
    "\u180b-\u180f\ufe00-\ufe0e\U000e0100-\U000e01ef"  # variation selectors, VS16 left alone
    "\u2028\u2029"
    "\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
    "\ud800-\udfff\ue000-\uf8ff\U000f0000-\U0010ffff"  # surrogates, private use
    "\ufdd0-\ufdef\ufffe\uffff"
    + "".join(
        f"{chr(plane | 0xFFFE)}{chr(plane | 0xFFFF)}" for plane in range(0x10000, 0xF0000, 0x10000)
    )
)
_EMOJI: Final = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2934\u2935"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
# Letters and marks of scripts in which a joiner changes the shape of a word. Digits, punctuation
# and what is hidden itself (U+061C, U+17B4) stay out, so that a kept joiner has kept neighbours.
_JOINING: Final = (
    "\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06df-\u06e8\u06ea-\u06ef\u06fa-\u06fc\u06ff"
    "\u0710-\u074a\u0750-\u077f\u07ca-\u07f5\u0870-\u0887\u0889-\u088e\u08a0-\u08e1\u08e3-\u08ff"
    "\ufb50-\ufbb1\ufbd3-\ufd3d\ufe70-\ufefc"
    "\u0900-\u0963\u0971-\u09e3\u09f0\u09f1\u0a01-\u0a5e\u0a70-\u0ae3\u0b01-\u0b63\u0b71-\u0be3"
    "\u0c00-\u0c63\u0c80-\u0ce3\u0d00-\u0d63\u0d7a-\u0de5\u0df2\u0df3\u0f40-\u0fbc"
    "\u1000-\u103f\u1050-\u108f\u1780-\u17b3\u17b6-\u17d3\ua8e0-\ua8ff"
)
_VIRAMA: Final = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"

# As texts: compiling them takes longer than most commands have anything to show.
_HIDDEN: Final = f"[{_HIDDEN_CLASS}]"
# Most characters are one of these; a few ranges are ten times faster to pass over than all others.
_ORDINARY_CLASS: Final = (
    "\n\t -~\xa0-\xac\xae-\u034e\u0370-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u27ff"
    "\u3000-\u312f\u3400-\u9fff\uac00-\ud7a3\ufe0f\U0001f000-\U0001faff" + _JOINING
)
# Tried first: the other takes a millisecond to compile, and most that is shown needs no more.
_WESTERN: Final = "[\n\t -~\xa0-\xac\xae-\u024f\u2010-\u2027\u2190-\u21ff\u2500-\u25ff]*"
_ORDINARY: Final = f"[{_ORDINARY_CLASS}]*"
_UNUSUAL: Final = f"[^{_ORDINARY_CLASS}]"
_JOINED: Final = "|".join(
    (
        f"(?<=[{_EMOJI}])\u200d(?=[{_EMOJI}])",
        f"(?<=[{_EMOJI}]\ufe0f)\u200d(?=[{_EMOJI}])",
        f"(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])",
        # Malayalam and Sinhala end words with it.
        f"(?<=[{_VIRAMA}])\u200d(?![\u200b-\u200f\u2060-\u206f\ufeff])",
    )
)
# The three flags that Unicode recommends; any other run of tag characters may carry a message.
_FLAGS: Final = (
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
)

_BIDI: Final = frozenset((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
_ZERO_WIDTH: Final = frozenset(
    (0xAD, 0x034F, 0x200B, 0x200C, 0x200D, *range(0x2060, 0x2066), 0xFEFF)
)
_FILLERS: Final = frozenset((0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0))


@dataclass(frozen=True, slots=True)
class Hidden:
    """A character that a reader would not see, or that a terminal would obey."""

    offset: int
    """In characters, from 0."""
    kind: str
    """`control`, `direction`, `zero width`, `tag`, `variation selector`, `blank`, `private use` or
    `other`."""
    shown: str
    """How `safe_text` draws it: `⟦U+202E⟧`."""


def safe_text(text: str, *, one_line: bool = False) -> str:
    """Return `text` with every hidden or terminal-active character made visible.

    Joiners inside emoji, Arabic and Indic words, the flags that Unicode recommends and the emoji
    variation selector stay as they are; the rest follows the table of GROUND 8.3. Doing it twice
    changes nothing.

    Args:
        text: Anything, lone surrogates included.
        one_line: Draw newlines as `⏎` and tabs as `⇥`; they stay otherwise.
    """
    if text.isascii() and text.isprintable():
        return text
    shown = text if _is_ordinary(text) else _compiled(_UNUSUAL).sub(_show, text)
    return shown.replace("\n", "⏎").replace("\t", "⇥") if one_line else shown


def hidden(text: str) -> tuple[Hidden, ...]:
    """Return what `safe_text` would mark in `text`, in order.

    A carriage return that ends a line with its newline is a line end and not reported.
    """
    if (text.isascii() and text.isprintable()) or _is_ordinary(text):
        return ()
    return tuple(
        Hidden(match.start(), _kind(ord(match[0])), _show(match))
        for match in _compiled(_UNUSUAL).finditer(text)
        if _is_hidden(match) and not (match[0] == "\r" and text.startswith("\n", match.end()))
    )


def count(things: int | Sized, one: str, many: str = "") -> str:
    """Return the number with its noun: `1 entry`, `1,204 entries`.

    Args:
        things: The number, or what is to be counted.
        one: The noun for exactly one.
        many: The noun for all other numbers; empty = `one` with an `s`.
    """
    number = things if isinstance(things, int) else len(things)
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def _is_ordinary(text: str) -> bool:
    """Tell whether no character of a text is hidden, or would be with others around it."""
    western = _compiled(_WESTERN).match(text)
    end = 0 if western is None else western.end()
    return end == len(text) or _compiled(_ORDINARY).fullmatch(text, end) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _show(match: re.Match[str]) -> str:
    if not _is_hidden(match):
        return match[0]
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xE0020 <= code <= 0xE007E:
        return f"⟦tag:{chr(code - 0xE0000)}⟧"
    return f"⟦U+{code:04X}⟧"


def _is_hidden(match: re.Match[str]) -> bool:
    """Tell whether a character is hidden, and no emoji, flag or word needs it."""
    text, at = match.string, match.start()
    if _compiled(_HIDDEN).match(match[0]) is None:
        return False
    if "\U000e0061" <= match[0] <= "\U000e007f":
        flag = text.rfind("\U0001f3f4", max(0, at - 6), at)
        return flag < 0 or not text.startswith(_FLAGS, flag)
    return _compiled(_JOINED).match(text, at) is None


def _kind(code: int) -> str:
    if code < 0xA0:
        return "control"
    if code in _BIDI:
        return "direction"
    if code in _ZERO_WIDTH:
        return "zero width"
    if code in _FILLERS:
        return "blank"
    if 0xE0000 <= code <= 0xE007F:
        return "tag"
    if 0x180B <= code <= 0x180F or 0xFE00 <= code <= 0xFE0E or 0xE0100 <= code <= 0xE01EF:
        return "variation selector"
    if 0xE000 <= code <= 0xF8FF or code >= 0xF0000:
        return "private use"
    return "other"


def did_you_mean(word: str, known: Iterable[str], *, most: int = 1) -> str:
    """Return the question with the nearest of the known words, or an empty text."""
    near = nearest(word, known, most=most)
    return f"did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""


def nearest(word: str, known: Iterable[str], *, most: int = 1) -> list[str]:
    """Return the known words that are most like this one, whatever its case; best first."""
    names = {each.casefold(): each for each in known}
    from difflib import get_close_matches

    return [names[each] for each in get_close_matches(word.casefold(), names, n=most)]


QUOTED: Final = 48
"""Characters of an entry's title in a message, so that a toast stays one line of 80 columns."""


def quoted(title: str, most: int = QUOTED) -> str:
    """Return an entry's title as a message names it: one line of at most so many characters."""
    title = " ".join(title.split())
    return f'"{title[: most - 1].rstrip()}…"' if len(title) > most else f'"{title}"'


JS_BLANK: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What `trim()` takes off."""


def js_length(text: str) -> int:
    """Return the length of a text in units of UTF-16: a sign beyond the first plane counts two."""
    return len(text) + sum(sign > "\uffff" for sign in text) if not text.isascii() else len(text)


def js_head(text: str, most: int) -> str:
    """Return the first units of a text; a sign that would be torn in two is left out."""
    if js_length(text) <= most:
        return text
    return text.encode("utf-16-le", "surrogatepass")[: 2 * most].decode("utf-16-le", "ignore")


def is_js_blank(data: bytes) -> bool:
    """Tell whether nothing but blanks stands in UTF-8 text."""
    return not data.strip() or not data.decode("utf-8", "replace").strip(JS_BLANK)
