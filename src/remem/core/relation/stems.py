"""The stem of a word, what it is used for, and the questions that it answers.

Endings and synonyms of English and German words, as `oppositions.py` lists them; it reads no text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from remem.core.relation import oppositions as data
from remem.core.relation.content_words import stem_of

WORDS_KEPT: Final = 8_192
"""Words of which the stem is kept, and what it answers: what agents write never ends."""


def is_chinese(text: str) -> bool:
    """Tell whether a text has a character of a script that sets no blanks between words."""
    return not text.isascii() and any("\u3040" <= c <= "\u9fff" for c in text)


@cache
def _meant() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for line in data.SYNONYMS.strip().splitlines():
        first, *others = line.split()
        for word in (first, *others):
            found.setdefault(_bare(word), _bare(first))
    for word in data.sides():
        found.pop(_bare(word), None)
    return found


def sense_of(word: str) -> str:
    """Return the stem of a word, or of the word that stands for all that are used for one."""
    if word in data.sides():
        return word
    bare = _bare(word)
    return _meant().get(bare, bare)


@lru_cache(maxsize=WORDS_KEPT)
def unit_of(stem: str) -> tuple[str, float] | None:
    """Return what a word measures where it is a unit: `per minute`."""
    return _measures().get(stem)


@cache
def _measures() -> Mapping[str, tuple[str, float]]:
    return {sense_of(word): each for word, each in data.units().items() if len(word) > 2}


@lru_cache(maxsize=WORDS_KEPT)
def answers_of(stem: str) -> tuple[tuple[int, int], ...]:
    """Return the questions that a stem answers, and how."""
    return data.sides().get(stem) or _answering().get(_bare(stem), ())


@lru_cache(maxsize=WORDS_KEPT)
def does_answer(stem: str) -> bool:
    """Tell whether a stem answers a question or measures something."""
    return bool(answers_of(stem)) or unit_of(stem) is not None


@cache
def by_question() -> Mapping[int, tuple[tuple[str, int], ...]]:
    """Return the stems that answer each question, and how."""
    found: dict[int, dict[tuple[str, int], None]] = {}
    for word, each in data.sides().items():
        for question, side in each:
            found.setdefault(question, {})[sense_of(word), side] = None
    return {question: tuple(words) for question, words in found.items()}


@cache
def _answering() -> Mapping[str, tuple[tuple[int, int], ...]]:
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    for word, each in data.sides().items():
        bare = _bare(word)
        if len(bare) >= _LEFT or bare == word:
            found[bare] = tuple(dict.fromkeys((*found.get(bare, ()), *each)))
    return found


_LATER: Final = (
    "isierung",
    "ierung",
    "ungen",
    "ung",
    "isieren",
    "ieren",
    "iert",
    "ation",
    "ment",
    "ance",
    "ally",
    "ly",
    "able",
    "ion",
    "or",
    "er",
    "at",
)
"""Endings that make another sort of word of a stem, the longest first."""
_LEFT: Final = 4


def _bare(word: str) -> str:
    """Return the stem of an English or German word; more is taken off than in `stem_of`."""
    if is_chinese(word):
        return word
    stem = _PREFIX.sub(r"\1", stem_of(word))
    for ending in _LATER:
        if stem.endswith(ending) and len(stem) - len(ending) >= _LEFT:
            return stem.removesuffix(ending)
    ends_german = word.endswith(_GERMAN_ENDS) or stem.endswith(_GERMAN_ENDS)
    is_german = stem != stem_of(word) or not stem.isascii() or ends_german
    return _german(stem) if is_german else stem


_PREFIX: Final = re.compile(
    r"^(ab|an|auf|aus|bei|durch|ein|her|hin|nach|über|um|unter|vor|weiter|zu|zurück|)ge(?=\w{4})"
)


_GERMAN_ENDS: Final = ("en", "em", "ern")


def _german(word: str) -> str:
    for ending in ("ern", "en", "em", "er", "es", "et", "e", "n", "t"):
        if word.endswith(ending) and len(word) - len(ending) >= _LEFT:
            return word.removesuffix(ending)
    return word
