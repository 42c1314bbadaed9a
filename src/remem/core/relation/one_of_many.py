"""Commas that only part what is turned down together: `skipping docs, lint and tests`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from remem.core.relation.oppositions import words
from remem.core.relation.words import Token

_SKIPS: Final = words("skip skips skipping avoid avoids avoiding omit omits without no")
_LISTS: Final = words("and or und oder")
_BEGIN: Final = words("use run prefer keep write let do must should always open call")
"""What asks for something else, and ends what was turned down."""


def is_one_of_many(clause: Sequence[Token], tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a comma stands within what is turned down.

    Words alone follow it, one by one, and `and` before the last of them.
    """
    if tokens[at].word != "," or not any(each.word in _SKIPS for each in clause):
        return False
    many = 0
    for token in tokens[at + 1 :]:
        if token.word in _LISTS:
            return True
        many = 0 if token.word == "," else many + (token.sort != ".")
        if many > 1 or token.word in _BEGIN or (token.sort == "|" and token.word != ","):
            return False
    return False
