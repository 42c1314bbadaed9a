"""Which words of a question or a task memories are searched by."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")
_MOST_WORDS: Final = 24
"""Of one question: more say no more."""
_COMMON: Final = (
    *("a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "do", "does", "for", "from"),
    *("has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "of", "on"),
    *("or", "our", "should", "so", "that", "the", "their", "them", "then", "there", "these"),
    *("this", "to", "was", "we", "what", "when", "where", "which", "who", "why", "will", "with"),
    *("you", "your"),
)


def words_of(asked: str) -> tuple[str, ...]:
    """Return the words that a question is about, each once, without those that stand everywhere."""
    found = dict.fromkeys(each.casefold() for each in _WORD.findall(asked))
    telling = [each for each in found if each not in _COMMON] or [*found]
    return tuple(telling[:_MOST_WORDS])
