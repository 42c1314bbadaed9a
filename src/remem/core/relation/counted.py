"""The numbers of a text, and what each of them is a number of."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from remem.core.relation import oppositions as data
from remem.core.relation.words import Token

DATED: Final = "isodate"
"""The unit of a date."""


class Amount(NamedTuple):
    """A number, and what it is a number of."""

    value: float
    unit: str
    """Empty = none."""
    of: str
    """The stem of the next word, and empty at the end."""
    said: str
    is_article: bool = False
    is_name: bool = False
    """It tells one of a series from the others, `Run 9`: it counts nothing."""
    counts: bool = False
    """What it is a number of stands right behind it."""
    is_version: bool = False
    """It stands behind a name, `Python 3`, or is called a version."""


def counts(token: Token) -> bool:
    """Tell whether a word or a number says something of its own."""
    return token.sort in "wnc#"


def is_of_series(before: Token, behind: list[Token]) -> bool:
    """Tell whether a number is the name of one of a series, and counts neither word beside it.

    `Run 4 workers` counts them; so may `run 4 at once`, where it is no name.
    """
    if before.word.removesuffix("s") not in data.SERIES:
        return False
    if before.word == "run" and before.sort != "n":
        return False
    after = behind[0].word if behind and behind[0].sort == "w" else ""
    return not after.endswith("s") or after.endswith(("ss", "is", "us"))


def amount_of(token: Token, behind: list[Token], *, is_name: bool) -> Amount:
    """Return what a number says that stands before some words."""
    digits = token.word
    if token.stem == DATED:
        said = f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"
        return Amount(float(digits), DATED, _next(behind), said)
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+", digits):
        digits = digits.replace(",", "")
    try:
        value = float(digits.replace(",", "."))
    except ValueError:
        value = float(hash(digits) % 1_000_003)
    unit, worth = data.units().get(token.stem, ("", 1.0))
    said = f"{token.word} {token.stem}".strip()
    of = _next(behind)
    is_beside = bool(of) and behind[0].stem == of and behind[0].sort == "w"
    return Amount(value * worth, unit, of, said, is_name=is_name and not unit, counts=is_beside)


def numeral_of(token: Token, behind: list[Token]) -> Amount:
    """Return what a number says that is written as a word."""
    unit, worth = "", 1.0
    if behind and behind[0].word in data.units():
        unit, worth = data.units()[behind[0].word]
    value, of = data.NUMERALS[token.word] * worth, _next(behind)
    is_beside = bool(of) and behind[0].stem == of and behind[0].sort == "w"
    said = f"{token.word} {behind[0].word}" if unit else token.word
    return Amount(value, unit, of, said, token.word in data.ARTICLES, counts=is_beside)


def _next(behind: list[Token]) -> str:
    return next((each.stem for each in behind if counts(each) and each.sort != "#"), "")
