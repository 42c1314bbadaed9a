"""Matches what was typed loosely: every word has to be there, whole, begun or a little misspelt.

Pure. It ranks what matches, the best first; where a list keeps its own order, it only tells what
passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

_WORD: Final = re.compile(r"[\w@./:-]*\w")
_WHOLE, _BEGUN, _INSIDE, _ALIKE, _SCATTERED = 100, 80, 60, 40, 20
_SHORT: Final = 4
"""Letters from which a word may be misspelt; a shorter one is like too many others."""
_ES: Final = ("sses", "shes", "ches", "xes", "zes")
"""How words end whose plural has a syllable more."""
_LONG: Final = 7
"""Letters from which two may be wrong."""


def words_of(typed: str) -> tuple[str, ...]:
    """Return the words that have to match, in lower case."""
    return tuple(typed.lower().split())


def forms_of(word: str) -> tuple[str, ...]:
    """Return a word, and if its letters do not stand in it, its English singular or plural.

    Whoever looks for letters finds `tickets` by `ticket`, but not `ticket` by `tickets`.

    Args:
        word: In lower case; what is no plain word, or a short one, has one form.
    """
    if len(word) < _SHORT or not (word.isascii() and word.isalpha()):
        return (word,)
    if word.endswith("ies"):
        return (word, f"{word[:-3]}y")
    if word.endswith(_ES):
        return (word, word[:-2])
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return (word, word[:-1])
    if word.endswith("y") and word[-2] not in "aeiou":
        return (word, f"{word[:-1]}ies")
    return (word,)


def rank(words: Sequence[str], name: str, more: str = "", *, exact: bool = False) -> int:
    """Return how well every word matches; 0 = one of them does not.

    Args:
        words: In lower case.
        name: What a thing is called, which counts most; its letters may be scattered in it.
        more: What else is known of it.
        exact: Every word has to stand there as it was typed.
    """
    name, more = name.lower(), more.lower()
    named, told = _WORD.findall(name), _WORD.findall(more)
    total = 0
    for word in words:
        found = 2 * _as_typed(word, name, named) or _as_typed(word, more, told)
        if not found and not exact:
            found = 2 * _misspelt(word, named) or _misspelt(word, told)
            found = found or (_SCATTERED if is_scattered(word, name) else 0)
        if not found:
            return 0
        total += found
    if len(words) > 1 and " ".join(words) in f"{name} {more}":
        total += _WHOLE
    return total + (name.startswith(" ".join(words)) * _WHOLE) + (name == " ".join(words))


def is_scattered(word: str, text: str) -> bool:
    """Tell whether the letters of a word stand in a text in their order, near its beginnings."""
    at = -1
    for letter in word:
        at = text.find(letter, at + 1)
        if at < 0:
            return False
    return len(word) > 1


def alike(word: str, known: Iterable[str]) -> list[str]:
    """Return those of the known words that may be meant by one: misspelt, or another ending."""
    from rapidfuzz.distance import OSA  # dear, and most of what is typed is there as it is

    if len(word) < _SHORT:
        return []
    slack = 1 if len(word) < _LONG else 2
    lengths = range(len(word) - slack, len(word) + slack + 1)
    return [
        other
        for other in known
        if len(other) >= lengths[0]
        and any(OSA.distance(word, other[:size], score_cutoff=slack) <= slack for size in lengths)
    ]


def _as_typed(word: str, text: str, words: Sequence[str]) -> int:
    if word not in text:
        return 0
    if word in words:
        return _WHOLE
    return _BEGUN if any(other.startswith(word) for other in words) else _INSIDE


def _misspelt(word: str, words: Sequence[str]) -> int:
    return _ALIKE if alike(word, words) else 0
