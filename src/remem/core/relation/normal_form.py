"""When two texts are one: normal form, fingerprint, and the words for how alike two are."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from typing import Final, NamedTuple

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern

MANY: Final = 64
"""Texts about the same from which on they are no longer told one by one."""
_TEXTS: Final = 512
"""Texts of which it is remembered what tells their language."""
_EDGE_UNDERSCORES: Final = lazy_pattern(r"(?<![^\W_])_+|_+(?![^\W_])")
_ENDS: Final = " .,;:!"
_NUMBER: Final = lazy_pattern(r"\d+(?:[.,]\d+)*")
_WORD: Final = lazy_pattern(r"[^\W\d_]+(?:'[^\W\d_]+)?")

_LABEL: Final = 6
"""Words that a label has at most."""
_LABELS_END: Final = (":", "*", "_", "`", *"0123456789Z")
_MARKUP: Final = lazy_pattern(r"^#+\s+|[*_`>]")
_DATED: Final = lazy_pattern(r"(?:[^:]{1,40}:)?\s*\(?\d{4}-\d\d-\d\d(?:[T ][\d:.+-]*Z?)?\)?")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LANGUAGES: Final = {
    "en": _words(
        "the and of to is are be for with that this when every each must should it not always never"
    ),
    "de": _words(
        "der die das und ist sind wird werden mit für auf ein eine einen nicht bei muss oder immer "
        "stets nie niemals"
    ),
    "fr": _words(
        "le la les et est sont des du une pour avec dans pas sur chaque doit être ne qui toujours "
        "jamais"
    ),
}
"""Languages of which we know how they deny: their commonest words, which no other one here has."""
# Enough of other languages in Latin script to see that a text is in one of them.
_OTHERS: Final = _words(
    "el los las por para que está debe cada cuando il gli di che sono deve ogni um uma não sem com "
    "het een voor niet zijn och att är inte som på og er ikke til nie jest dla się przez ve bir "
    "için değil ja ei se"
)
_NONE: Final = "another"
_WHOSE: Final = {
    word: [name for name, common in (*_LANGUAGES.items(), (_NONE, _OTHERS)) if word in common]
    for word in _OTHERS.union(*_LANGUAGES.values())
}
"""Common word → the languages that have it."""
_LATIN: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
_OWN_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzäöüßàâæçéèêëîïôœùûÿ")


_CHINESE: Final = lazy_pattern("[\u4e00-\u9fff]")


class Alike(StrEnum):
    """In which way two texts are alike."""

    EXACT = "exact"
    NEAR = "near"
    CONTRADICTION = "contradiction"
    """About the same, and one denies, answers otherwise or gives other values."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two texts are."""

    alike: Alike
    ratio: float
    """How much of their words they share, up to 1."""
    checked: bool = True
    """False: the language has no list of negations, so contradictions are *not checked*."""
    because: str = ""
    """What decided it, as a clause; empty where they say the same."""


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


def numbers_in(form: str) -> tuple[str, ...]:
    """Return the numbers of a text, in order: with others it never says the same."""
    return tuple(sorted(_NUMBER.findall(form)))


def is_label(text: str) -> bool:
    """Tell whether a text only names what stands below it: a label, a heading, a bare date."""
    line = text.strip()
    if "\n" in line or not line or not line.endswith(_LABELS_END):
        return line.startswith("#") and "\n" not in line
    plain = _MARKUP.sub("", line).strip()
    if plain.endswith(":"):
        return ":" not in plain[:-1] and len(plain.split()) <= _LABEL
    return _DATED.fullmatch(plain) is not None


def is_listed(*forms: str) -> bool:
    """Tell whether texts in normal form are in a language of which we know how it denies.

    Short rules have few common words: without any the letters decide, and English is assumed. Of
    several texts the words and letters of all count together.
    """
    told = [*map(_language_of, forms)]
    if any(each.is_chinese for each in told):
        return True
    *met, others = map(sum, zip(*(each.common for each in told), strict=True))
    best = max(met)
    if others > best:
        return False
    if best == 0 and not all(each.is_latin for each in told):
        return False
    return best > 1 or all(each.is_own for each in told)


class _Language(NamedTuple):
    """What tells which language a text is in."""

    is_chinese: bool
    common: Sequence[int] = (0,) * (len(_LANGUAGES) + 1)
    """How many common words of each language that we know it has, and at last of all others."""
    is_latin: bool = True
    is_own: bool = True
    """It has no letter but those of the languages that we know."""


@lru_cache(maxsize=_TEXTS)
def _language_of(form: str) -> _Language:
    if not form.isascii() and _CHINESE.search(form) is not None:
        return _Language(is_chinese=True)
    words = Counter(_WORD.findall(form.replace("’", "'")))
    met = dict.fromkeys((*_LANGUAGES, _NONE), 0)
    for word in words.keys() & _WHOSE.keys():
        for language in _WHOSE[word]:
            met[language] += words[word]
    letters = set().union(*words) - {"'"}
    return _Language(False, tuple(met.values()), letters <= _LATIN, letters <= _OWN_LETTERS)
