"""Whether two texts about the same may speak against each other, or only tell of the same thing.

It words what waits, and lets nothing through: all that is about the same waits for a person
(`core/relation/subject.py`). A text may oppose another one when it forbids what that one does not,
gives other numbers, or puts something else into a short rule.
"""

from __future__ import annotations

import re
from typing import Final

from remem.core.relation.similar import negations_of, norm, numbers_in
from remem.core.relation.subject import content_words

_CLAUSE: Final = re.compile(r"[.;:,()!?\n]| but | and | dass | et ")
_FORBIDS: Final = re.compile(
    r"\b(?:forbid(?:s|den)?|prohibit(?:s|ed)?|banned|disallowed|verboten|interdite?s?)\b"
)
_REACH: Final = 3
"""Content words after a negation that it forbids."""
_SHORT: Final = 8
"""Content words up to which a text is one short rule: another word makes it another rule."""


def may_oppose(one: str, other: str) -> bool:
    """Tell whether two texts that are about the same may say opposite things."""
    first, second = norm(one), norm(other)
    negation = negations_of(f"{first} {second}")
    if negation is None:
        return True  # a language whose negations nobody listed: it was not checked
    mine, theirs = content_words(one), content_words(other)
    shared = mine.keys() & theirs.keys()
    if (_FORBIDS.search(first) is None) != (_FORBIDS.search(second) is None):
        return True
    if _forbidden(first, negation) & shared != _forbidden(second, negation) & shared:
        return True
    numbers, others = set(numbers_in(first)), set(numbers_in(second))
    if not (numbers <= others or others <= numbers):
        return True
    is_short = max(len(mine), len(theirs)) <= _SHORT
    return is_short and mine.keys() != shared != theirs.keys()


def _forbidden(form: str, negation: re.Pattern[str]) -> set[str]:
    """Return the stems of the words that stand behind a negation, and nowhere without one."""
    found: set[str] = set()
    free: set[str] = set()
    end = 0
    for match in negation.finditer(form):
        free |= content_words(form[end : match.start()]).keys()
        clause = _CLAUSE.split(form[match.end() :], maxsplit=1)[0]
        found |= {*[*content_words(clause)][:_REACH]}
        end = match.end() + len(clause)
    return found - free - content_words(form[end:]).keys()
