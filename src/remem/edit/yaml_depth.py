"""How deep the brackets of a YAML text can nest at most, told without parsing it.

The fast reader takes squared time for deep brackets, so that whoever writes them could stop it. The
bound is rather too high than too low: what lies in quotes and comments counts as a reader sees it,
whether a line begins inside quotes or not, and only what closes on its own line is taken off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_ASIDE: Final = re.compile(
    rb"(?<![^\s\[{,:])(?:\"(?:[^\"\\]|\\.?)*(?:\"|$)|'(?:[^']|'')*(?:'|$))|(?<!\S)#.*"
)
"""Quotes, to the end of the line where they go on, and comments."""
_REST_OF_QUOTES: Final = (
    re.compile(rb"(?:[^\"\\]|\\.?)*\""),
    re.compile(rb"(?:[^']|'')*'"),
)
_PLAIN_PAIR: Final = re.compile(rb"\[[^\[\]{}\"'#\n]*\]|\{[^\[\]{}\"'#\n]*\}")
_NO_BRACKETS: Final = bytes(code for code in range(256) if code not in b"[]{}")
_OPENING: Final = b"[{"


def may_nest_deeper(text: bytes, levels: int) -> bool:
    """Tell whether brackets may nest deeper than that many levels, which are one at least."""
    if _openers(text) <= levels:
        return False
    # Most brackets hold a few words, and close with nothing between that could hide it.
    text, levels = _PLAIN_PAIR.sub(b"", text), levels - 1
    if _openers(text) <= levels:
        return False
    below = 0
    for line in text.splitlines():
        if b"[" not in line and b"{" not in line:
            continue
        ways = [_climb(way, levels) for way in _ways_to_begin(line)]
        if below + max(peak for peak, _ in ways) > levels:
            return True
        below += max(left for _, left in ways)
    return False


def _openers(text: bytes) -> int:
    return text.count(b"[") + text.count(b"{")


def _ways_to_begin(line: bytes) -> Iterator[bytes]:
    """Yield what counts of a line: outside quotes, and where it begins inside either of them."""
    yield _ASIDE.sub(b"", line)
    for rest in _REST_OF_QUOTES:
        inside = rest.match(line)
        if inside is not None:
            yield _ASIDE.sub(b"", line[inside.end() :])


def _climb(line: bytes, levels: int) -> tuple[int, int]:
    """Return how deep a line goes, and how deep it ends; looks no further than past the levels."""
    depth = peak = 0
    for sign in line.translate(None, _NO_BRACKETS):
        depth = depth + 1 if sign in _OPENING else max(depth - 1, 0)
        peak = max(peak, depth)
        if peak > levels:
            break
    return peak, depth
