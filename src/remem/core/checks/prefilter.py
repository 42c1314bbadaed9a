"""Tells at once that a pattern stands in no line of a text, as most patterns do.

The pattern is relaxed until whatever it finds in a line it finds in the lines joined as well. It
may find more: then the lines are looked at one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import regex

_PLAIN_GROUPS: Final = re.compile(r"\((?:\?(?::|=|<=|P<\w+>|i\))|(?!\?|\*))")
"""What a group may begin with that finds no less in a longer text."""
_NEGATIVE: Final = re.compile(r"\(\?<?!")
_ODD: Final = re.compile(r"\\[AZzGKRXL]|[*+?}]\+|\{[a-zA-Z]|\[\[|&&|\|\||--|~~")
"""Anchors of the whole text, what gives nothing back, and syntax that is not followed here."""
_QUANTIFIER: Final = frozenset("*+?{")


@lru_cache(maxsize=4096)
def relaxed(pattern: str) -> regex.Pattern[str] | None:
    """Return a pattern that stands in joined lines wherever this one stands in one of them.

    `None` = none is known.
    """
    import regex

    if _ODD.search(pattern):
        return None
    text = "".join(_kept(pattern))
    if text.count(_UNKNOWN):
        return None
    try:
        return regex.compile(text, regex.MULTILINE)
    except regex.error:
        return None


_UNKNOWN: Final = "\0"


def _kept(pattern: str) -> Iterator[str]:
    """Yield the pattern without what must not follow or go before."""
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            yield pattern[at : at + 2]
            at += 2
        elif char == "[":
            end = _end_of_set(pattern, at)
            yield pattern[at:end]
            at = end
        elif _NEGATIVE.match(pattern, at):
            at = _end_of_group(pattern, at)
            if pattern[at : at + 1] in _QUANTIFIER:
                yield _UNKNOWN
        elif char == "(" and not _PLAIN_GROUPS.match(pattern, at):
            yield _UNKNOWN
            return
        else:
            yield char
            at += 1


def _end_of_set(pattern: str, at: int) -> int:
    """Return where a set of characters ends; its first sign may be its own end."""
    at += 2 if pattern[at + 1 : at + 2] == "^" else 1
    at += pattern[at : at + 1] == "]"
    while at < len(pattern) and pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return at + 1


def _end_of_group(pattern: str, at: int) -> int:
    depth = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 2
            continue
        if char == "[":
            at = _end_of_set(pattern, at)
            continue
        depth += (char == "(") - (char == ")")
        at += 1
        if not depth:
            break
    return at
