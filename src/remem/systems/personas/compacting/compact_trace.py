"""Which old lines a compacted line stands for, found from their words alone.

A line that says what no old line says is invented; one that changes a number or a "never" is in
doubt. The same texts always give the same answer, and no model is asked: words that were replaced
by others are not found again, so what is well said anew may count as invented, never the reverse.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from remem.base.frozen import dataclass
from remem.core.checks.secrets import examine
from remem.core.relation.matching import likeness
from remem.core.relation.normal_form import Alike, norm

KNOWN: Final = 0.5
"""Share of a line's words, rare ones counting more, that has to stand in its old lines."""
_PART: Final = 0.25
"""Share of both texts that has to be common to them where neither holds half of the other."""
_LEAST: Final = 2
"""Words that two texts have to share; all of them where one has no more."""
_LONG: Final = 40
"""Different words from which a text shares some with nearly any other."""
_STEM: Final = 6
_WORD: Final = re.compile(r"[^\W_]+(?:[.'’/_-][^\W_]+)*")
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_NUMBER_WORD: Final = re.compile(r"[a-z]+")
_COUNTED: Final = "two three four five six seven eight nine ten eleven twelve"
_NUMBER_WORDS: Final = {
    word: str(number)
    for number, word in enumerate(
        (
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ),
        2,
    )
}
_ENDINGS: Final = ("ings", "ing", "ies", "ed", "es", "s")
_SMALL: Final = (
    "a an and are as at be been before but by can do does for from had has have if in into is it "
    "its more must no not of on once one only or our out over should so than that the their them "
    "then there they this to too use used using was we were when where which while who will with "
    "without you your always never every each all any "
    "der die das und ist nicht mit für auf ein eine den dem des im zu le la les et est des du une "
    "un pas pour avec dans sur"
)
_COMMON: Final = frozenset(_SMALL.split())
"""Words that tell no text apart."""
_NEGATION: Final = re.compile(
    r"\b(?:not|never|no|avoid|without|cannot|\w+n['’]t|nicht|nie|kein\w*|ohne|pas|jamais|sans)\b"
)


class Verdict(StrEnum):
    """What is thought of a line of the answer."""

    KEPT = "kept"
    """It already in the memory, word for word."""
    TRACED = "traced"
    DOUBTFUL = "doubtful"
    """It has old lines, and says something that they do not: a number, the opposite."""
    INVENTED = "invented"
    """No old line says it."""

    @property
    def is_taken(self) -> bool:
        """True for what is accepted unless a person says otherwise."""
        return self in (Verdict.KEPT, Verdict.TRACED)


@dataclass(frozen=True, slots=True)
class Traced:
    """A line of the answer with the old ones that it stands for."""

    text: str
    verdict: Verdict
    units: tuple[int, ...] = ()
    """Indexes of old units, the closest first; none for what is invented."""
    known: float = 0.0
    """Share of its words that old lines have, rare ones counting more."""
    new: tuple[str, ...] = ()
    """Its words that stand in none of them."""
    doubt: str = ""
    """What to look at, as a clause."""


def trace(lines: Sequence[str], units: Sequence[str]) -> tuple[Traced, ...]:
    """Return each line with the units that it stands for."""
    index = _Index(units)
    return tuple(index.traced(line) for line in lines)


def words_of(text: str) -> dict[str, str]:
    """Return what tells a text apart: stem of each word → the word, in the order of the text."""
    found = (match[0].casefold() for match in _WORD.finditer(text))
    telling = (w for w in found if w not in _COMMON and (len(w) > 2 or w.isdigit()))
    return {_stem(word): word for word in telling}


def _stem(word: str) -> str:
    if any(char.isdigit() for char in word):
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    return word.removesuffix("e")[:_STEM]


class _Index:
    """Old units by their words."""

    def __init__(self, units: Sequence[str]) -> None:
        self._units = units
        self._words = [words_of(unit) for unit in units]
        self._by_word: dict[str, list[int]] = {}
        for number, words in enumerate(self._words):
            for word in words:
                self._by_word.setdefault(word, []).append(number)
        self._by_norm: dict[str, int] = {}
        for number, unit in enumerate(units):
            self._by_norm.setdefault(norm(unit), number)
        self._weights = [self._weight(words) for words in self._words]

    def traced(self, line: str) -> Traced:
        same = self._by_norm.get(norm(line))
        hides = "; ".join(each.message for each in examine(line))
        if same is not None and not hides:
            return Traced(line, Verdict.KEPT, (same,), 1.0)
        words = words_of(line)
        units = self._related(words)
        there = {word for unit in units for word in self._words[unit]}
        new = tuple(word for stem, word in words.items() if stem not in there)
        total = self._weight(words)
        known = self._weight(stem for stem in words if stem in there) / total if total else 0.0
        if not units or known < KNOWN:
            return Traced(line, Verdict.INVENTED, (), known, new, hides)
        doubt = hides or self._doubt(line, units)
        return Traced(
            line, Verdict.DOUBTFUL if doubt else Verdict.TRACED, tuple(units), known, new, doubt
        )

    def _related(self, words: Mapping[str, str]) -> list[int]:
        shared: Counter[int] = Counter()
        for word in words:
            shared.update(self._by_word.get(word, ()))
        of_line = self._weight(words)
        found: list[tuple[float, int]] = []
        for number, many in shared.items():
            theirs = self._words[number]
            if many < min(_LEAST, len(words), len(theirs)):
                continue
            common = self._weight(word for word in words if word in theirs)
            of_unit = self._weights[number]
            here, there = common / of_line, common / of_unit
            is_in_it = here >= KNOWN and (len(theirs) <= _LONG or many > _LEAST)
            if is_in_it or there >= KNOWN or (here >= _PART and there >= _PART):
                found.append((-(here + there), number))
        return [number for _, number in sorted(found)]

    def _doubt(self, line: str, units: Sequence[int]) -> str:
        numbers = {number for unit in units for number in _numbers(self._units[unit])}
        strange = [number for number in _numbers(line) if number not in numbers]
        if strange:
            return f"no old line says {', '.join(f'`{n}`' for n in strange)}"
        alike = likeness(line, self._units[units[0]])
        if alike is not None and alike.alike is Alike.CONTRADICTION:
            return "it may say the opposite of the old line"
        told = [_negates(self._units[unit]) for unit in units]
        if _negates(line) and not any(told):
            return "it forbids something that no old line forbids"
        if told[0] and not _negates(line):
            return "it drops a prohibition of the old line"
        return ""

    def _weight(self, words: Iterable[str]) -> float:
        total = len(self._units)
        return sum(
            math.log((total + 1) / max(len(self._by_word.get(word, ())), 1)) + 0.2 for word in words
        )


def _negates(text: str) -> bool:
    return _NEGATION.search(text.casefold()) is not None


def _numbers(text: str) -> list[str]:
    """Return every number of a text once; small ones may be words."""
    words = (_NUMBER_WORDS.get(word) for word in _NUMBER_WORD.findall(text.casefold()))
    return list(dict.fromkeys([*_NUMBER.findall(text), *(word for word in words if word)]))
