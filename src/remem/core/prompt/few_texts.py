"""Counts the tokens of what one command asks for, as exactly as tiktoken and ready much sooner.

tiktoken copies 200,000 tokens into tables of its own before it counts a word, which takes longer
than most commands do. Few texts need few of these tokens: here the vocabulary is looked up as its
file spells it, and texts are split with tiktoken's own pattern. What might be split otherwise, and
what is better left to a faster program, is told apart and left to tiktoken.
"""

from __future__ import annotations

import unicodedata
from binascii import b2a_base64
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

_MOST: Final = 600_000
"""Characters that take about as long as loading tiktoken does."""
_LONG: Final = 1_000
"""Bytes of one word from which on it is left to tiktoken: merging takes the square of that."""
_NO_TOKEN: Final = 1 << 32
"""Higher than any rank."""
_AT_A_TIME: Final = 64 * 1024
"""Bytes of a vocabulary that are read in one go."""
_ASIDE: Final = frozenset("SP")
"""First letters of the categories of characters that patterns do not tell from unassigned ones."""
_UNSETTLED: Final = frozenset(("Cn", "Cs"))
"""Categories of what was no character then, and of what is none by itself."""


class Ranks(dict[bytes, bytes]):
    """The rank of each token, both as they are spelt; it can be held weakly."""

    __slots__ = ("__weakref__",)


class FewTexts:
    """Counts texts until they are too many."""

    def __init__(self, pattern: str, ranks: Ranks) -> None:
        """Take over a vocabulary.

        Args:
            pattern: Splits a text into words, as tiktoken has it.
            ranks: What `ranks_of` makes of the vocabulary.
        """
        import regex

        self._words: Callable[[str], Sequence[str]] = regex.compile(pattern).findall
        self._ranks = ranks
        self._sizes: dict[str, int] = {}
        self._settled: set[str] = set()
        self._left = _MOST

    def size(self, text: str) -> int | None:
        """Return the tokens of a text; `None` = it is left to tiktoken."""
        if self._left < len(text) or not (text.isascii() or self._is_settled(text)):
            return None
        self._left -= len(text)
        sizes, number = self._sizes, 0
        for word in self._words(text):
            size = sizes.get(word)
            if size is None:
                data = word.encode()
                if len(data) > _LONG:
                    return None
                is_token = self._rank(data) < _NO_TOKEN
                size = sizes[word] = 1 if is_token else self._merged(data)
            number += size
        return number

    def _is_settled(self, text: str) -> bool:
        """Tell whether every version of Unicode since 3.2 takes each character for the same."""
        new = {*text} - self._settled
        if not all(map(_is_settled, new)):
            return False
        self._settled |= new
        return True

    def _merged(self, data: bytes) -> int:
        """Return how many tokens a word is that is none: the lowest rank is joined first."""
        parts = [data[at : at + 1] for at in range(len(data))]
        ranks = [self._rank(one + two) for one, two in pairwise(parts)]
        while ranks and (lowest := min(ranks)) < _NO_TOKEN:
            at = ranks.index(lowest)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
            del ranks[at]
            if at:
                ranks[at - 1] = self._rank(parts[at - 1] + parts[at])
            if at < len(ranks):
                ranks[at] = self._rank(parts[at] + parts[at + 1])
        return len(parts)

    def _rank(self, token: bytes) -> int:
        spelt = self._ranks.get(b2a_base64(token, newline=False))
        return _NO_TOKEN if spelt is None else int(spelt)


def ranks_of(vocabulary: bytes) -> Ranks:
    """Return the rank of each token, as it is spelt: a command asks for few of them.

    Args:
        vocabulary: Lines of a token in base64 and its rank.
    """
    ranks = Ranks()
    at = 0
    while at < len(vocabulary):
        end = vocabulary.find(b"\n", at + _AT_A_TIME) + 1 or len(vocabulary)
        words = vocabulary[at:end].split()
        ranks.update(zip(words[::2], words[1::2], strict=True))
        at = end
    return ranks


def _is_settled(character: str) -> bool:
    if unicodedata.category(character)[0] in _ASIDE:
        return True
    return unicodedata.ucd_3_2_0.category(character) not in _UNSETTLED
