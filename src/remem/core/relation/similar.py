"""When two texts say the same: normal form, fingerprint, likeness (FORMATS 0.4).

It compares texts and knows nothing of entries; which of two alike ones stays is for a person.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, Generic, TypeAlias, TypeVar

from remem.base.frozen import dataclass

K = TypeVar("K")

NEAR: Final = 0.90
"""Texts at least this much alike are near; 1 = the same words."""

_EDGE_UNDERSCORES: Final = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")
_ENDS: Final = " .,;:!"
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


@dataclass(frozen=True, slots=True)
class _Language:
    """What tells a language apart, and how it negates."""

    common: frozenset[str]
    """Its commonest words, none of which another language here shares in that role."""
    negation: re.Pattern[str]
    always: frozenset[str]
    never: frozenset[str]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LANGUAGES: Final = {
    "en": _Language(
        _words("the and of to is are be for with that this when every each must should it not"),
        re.compile(r"\b(?:no|not|never|cannot|avoid|without|\w+n't)\b"),
        _words("always"),
        _words("never"),
    ),
    "de": _Language(
        _words(
            "der die das und ist sind wird werden mit für auf ein eine einen nicht bei muss oder"
        ),
        re.compile(
            r"\b(?:nicht|nie|niemals|kein|keine|keinen|keinem|keiner|keines|ohne|vermeide|vermeiden)\b"
        ),
        _words("immer stets"),
        _words("nie niemals"),
    ),
    "fr": _Language(
        _words("le la les et est sont des du une pour avec dans pas sur chaque doit être ne qui"),
        re.compile(r"\b(?:ne|pas|jamais|aucun|aucune|sans|éviter|évite|évitez|ni)\b|\bn'(?=\w)"),
        _words("toujours"),
        _words("jamais"),
    ),
}
# Enough of other languages in Latin script to see that a text is in one of them.
_OTHERS: Final = _words(
    "el los las por para que está debe cada cuando il gli di che sono deve ogni um uma não sem com "
    "het een voor niet zijn och att är inte som på og er ikke til nie jest dla się przez ve bir "
    "için değil ja ei se"
)
_OWN_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzäöüßàâæçéèêëîïôœùûÿ")


class Alike(StrEnum):
    """In which way two texts are alike."""

    EXACT = "exact"
    NEAR = "near"
    CONTRADICTION = "contradiction"
    """Near in words, and one negates, or other numbers: a possible contradiction."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two texts are."""

    alike: Alike
    ratio: float
    """From 0.9 to 1."""
    checked: bool = True
    """False: the language has no list of negations, so contradictions are *not checked*."""


@dataclass(frozen=True, slots=True)
class Match(Generic[K]):
    """A text that is like the one that was asked for."""

    key: K
    likeness: Likeness


def norm(text: str) -> str:
    """Return the form in which texts are compared."""
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    bare = folded.replace("`", "").replace("*", "")
    if "_" in bare:
        bare = _EDGE_UNDERSCORES.sub("", bare)
    return " ".join(bare.split()).strip(_ENDS)


def fingerprint(kind: str, text: str) -> str:
    """Return 64 hexadecimal digits that stand for a text of that kind in every format."""
    return sha256(f"{kind}\0{norm(text)}".encode("utf-8", "surrogatepass")).hexdigest()


def exact(a: str, b: str) -> bool:
    """Tell whether two texts are the same in normal form."""
    return norm(a) == norm(b)


def near(a: str, b: str) -> bool:
    """Tell whether the words are at least 0.90 alike, whatever they say about each other."""
    return _ratio(_sorted_words(norm(a)), _sorted_words(norm(b))) >= NEAR


def likeness(a: str, b: str) -> Likeness | None:
    """Return how alike two texts are; `None` = not alike, or nothing to compare."""
    first, second = norm(a), norm(b)
    if not first or not second:
        return None
    if first == second:
        return _likeness(Alike.EXACT, 1.0)
    ratio = _ratio(_sorted_words(first), _sorted_words(second))
    return judged(first, second, ratio) if ratio >= NEAR else None


def numbers_in(form: str) -> tuple[str, ...]:
    """Return the numbers of a text, in order: with others it never says the same."""
    return tuple(sorted(_NUMBER.findall(form)))


_Form: TypeAlias = tuple[str, str]
"""A text in normal form, and the words of that in order."""


_REMEMBERED: Final = 4_096
"""Texts whose matches one matcher remembers."""


class Matcher(Generic[K]):
    """Finds the texts that are like one text among many."""

    def __init__(self, texts: Iterable[tuple[K, str]], before: Matcher[Any] | None = None) -> None:
        """Index the texts.

        Args:
            texts: Each with a key of its own.
            before: What it has worked out of texts that are still here is taken over.
        """
        known = before.forms if before is not None else {}
        self.forms: dict[str, _Form] = {}
        self.found: dict[str, Mapping[str, Likeness]] = {}
        """What is like each text that was asked for."""
        self._keys: list[K] = []
        self._first: dict[str, int] = {}
        self._again: dict[str, list[int]] = {}
        """Further places of a text, for the few that stand there more than once."""
        for place, (key, text) in enumerate(texts):
            self._keys.append(key)
            if text in self._first:
                self._again.setdefault(text, []).append(place)
                continue
            self._first[text] = place
            self.forms[text] = known.get(text) or _form(text)
        self._all = _Comparable(self.forms)
        self._found_before = before.found if before is not None else {}
        self._new = self._all
        if known:
            new = {text: form for text, form in self.forms.items() if text not in known}
            self._new = _Comparable(new)

    def like(self, text: str) -> tuple[Match[K], ...]:
        """Return every match, the most alike first, equals in the order they were given."""
        matches = [
            (likeness.alike is not Alike.EXACT, -likeness.ratio, place, likeness)
            for other, likeness in self._likenesses(text).items()
            for place in (self._first[other], *self._again.get(other, ()))
        ]
        matches.sort(key=lambda match: match[:3])
        return tuple(Match(self._keys[place], likeness) for _, _, place, likeness in matches)

    def _likenesses(self, text: str) -> Mapping[str, Likeness]:
        found = self.found.get(text)
        if found is None:
            found = self._compared(text)
            if len(self.found) >= _REMEMBERED:
                self.found.clear()
            self.found[text] = found
        return found

    def _compared(self, text: str) -> Mapping[str, Likeness]:
        """Compare with all texts, or where that was done before, with those that came since."""
        before = self._found_before.get(text)
        if before is None:
            return self._all.like(text)
        still = {other: likeness for other, likeness in before.items() if other in self.forms}
        return {**still, **self._new.like(text)}


class _Comparable:
    """Texts in the shape that many are compared in at once."""

    def __init__(self, forms: Mapping[str, _Form]) -> None:
        self._texts = list(forms)
        self._norms = [norm for norm, _ in forms.values()]
        self._sorted = [ordered for _, ordered in forms.values()]

    def like(self, text: str) -> Mapping[str, Likeness]:
        from rapidfuzz import fuzz, process

        wanted, ordered = _form(text)
        if not wanted:
            return {}
        found = process.extract(
            ordered,
            self._sorted,
            scorer=fuzz.ratio,
            processor=None,
            score_cutoff=NEAR * 100,
            limit=None,
        )
        return {
            self._texts[place]: _told(wanted, self._norms[place], score / 100)
            for _, score, place in found
        }


def _told(wanted: str, other: str, ratio: float) -> Likeness:
    return _likeness(Alike.EXACT, 1.0) if wanted == other else judged(wanted, other, ratio)


def _form(text: str) -> _Form:
    """Return a text as it is compared: its normal form, and the words of that in order."""
    plain = norm(text)
    return plain, _sorted_words(plain)


def _sorted_words(text: str) -> str:
    return " ".join(sorted(text.split()))


def _ratio(a: str, b: str) -> float:
    """Return how alike two lists of words are, from 0 to 1; 0 where that is below `NEAR`."""
    # What they have in common, in order, is no longer than what they have in common in any order.
    # Most pairs fall by that, and then the library, which takes long to load, is not needed.
    if 2 * (Counter(a) & Counter(b)).total() < NEAR * (len(a) + len(b)):
        return 0.0
    from rapidfuzz import fuzz

    return fuzz.ratio(a, b, processor=None, score_cutoff=NEAR * 100) / 100


def judged(a: str, b: str, ratio: float, *, same_numbers: bool | None = None) -> Likeness:
    """Tell near texts from possible contradictions.

    Args:
        a: In normal form.
        b: In normal form, and another text.
        ratio: How much of their words they share.
        same_numbers: Whether `numbers_in` is the same of both; `None` = nobody looked.
    """
    if same_numbers is None:
        same_numbers = numbers_in(a) == numbers_in(b)
    if not same_numbers:
        return _likeness(Alike.CONTRADICTION, ratio)
    a, b = a.replace("’", "'"), b.replace("’", "'")
    language = _language(f"{a} {b}")
    if language is None:
        return _likeness(Alike.NEAR, ratio, checked=False)
    if _contradict(a, b, language):
        return _likeness(Alike.CONTRADICTION, ratio)
    return _likeness(Alike.NEAR, ratio)


@lru_cache(maxsize=4_096)
def _likeness(alike: Alike, ratio: float, *, checked: bool = True) -> Likeness:
    """Return the one object for a likeness: among thousands of like texts many are equal."""
    return Likeness(alike, ratio, checked)


def negations_of(text: str) -> re.Pattern[str] | None:
    """Return what negates in the language of a text in normal form; `None` = nobody listed it."""
    language = _language(text)
    return language.negation if language is not None else None


def _contradict(a: str, b: str, language: _Language) -> bool:
    if (language.negation.search(a) is None) != (language.negation.search(b) is None):
        return True
    first, second = set(_WORD.findall(a)), set(_WORD.findall(b))
    return _turns(first, second, language) or _turns(second, first, language)


def _turns(one: set[str], other: set[str], language: _Language) -> bool:
    """Tell whether one says always where the other says never."""
    return not (one.isdisjoint(language.always) or other.isdisjoint(language.never)) and (
        one.isdisjoint(language.never)
    )


def _language(text: str) -> _Language | None:
    """Return the language of a text if it is one with a list of negations.

    Short rules have few common words: without any the letters decide, and English is assumed.
    """
    words = Counter(_WORD.findall(text))
    hits = {
        name: sum(words[word] for word in language.common | language.always | language.never)
        for name, language in _LANGUAGES.items()
    }
    best = max(hits, key=lambda name: hits[name])
    if sum(words[word] for word in _OTHERS) > hits[best]:
        return None
    letters = {letter for word in words for letter in word if letter != "'"}
    if hits[best] == 0 and not letters <= frozenset("abcdefghijklmnopqrstuvwxyz"):
        return None
    return _LANGUAGES[best] if letters <= _OWN_LETTERS or hits[best] > 1 else None
