"""Which texts only tell of one time: how a run ended, what was done, what something may take.

Their numbers and names belong to that one time, so that two of them differ and neither is wrong. It
knows no subject: whether two are of the same time nobody says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import takewhile
from typing import Final

from remem.base.lazy_pattern import lazy_pattern
from remem.core.relation.comparable_text import ASKS, IS, Reading
from remem.core.relation.oppositions import ARTICLES, NUMERALS, words
from remem.core.relation.stems import sense_of
from remem.core.relation.words import Token

_TESTS: Final = words("test suite spec")
_BUILDS: Final = words("build compile lint")
_RESULTS: Final = words("pass fail failure skip bestanden fehlgeschlagen")
_FOUND: Final = words("error warning fehler warnung")
_ASKED: Final = words(
    "must should shall need needs may can max min least most allow allows allowed tolerate "
    "tolerates accept accepts muss müssen soll sollen darf dürfen"
)
"""Words of a text that asks for a number of them."""
_ORDERS: Final = ASKS | words("do don't avoid ensure require add make verwende vermeide")
"""Words with which a text begins that asks for something."""
_MUST: Final = words("must should shall never always muss müssen soll sollen immer nie niemals")
"""Words that ask wherever they stand."""
_DONE: Final = words(
    "added authored committed covered created deleted documented extended merged fixed "
    "implemented refactored reviewed tagged updated verified wrote hinzugefügt erstellt "
    "behoben geschrieben"
)
"""What was done once. What lasts is left out: `moved`, `switched`, `set`."""
_HEADED: Final = _DONE | words("changed modified touched")
"""The same where a heading ends with it: `Files changed: 8`."""
_EVERY: Final = words("all alle the die")
_HEADING: Final = 3
"""Words that such a heading has at most."""
_EXAMPLE: Final = lazy_pattern(
    r"(?:❌|✗|✘|⛔|🚫|👎|(?:incorrect|correct|wrong|bad|good)(?: example)? ?[:：(])"
)
"""Begins a line over code that shows how it is done, or how it is not."""
_CONTENTS: Final = lazy_pattern(r"(?:[0-9.]+ )?\[[^\]]*\]\(#[^)]*\)?")
"""A line of a table of contents."""
_DONE_MARKS: Final = ("✅", "✓", "✔")
_FIELDS: Final = words(
    "build confidence created date duration effort impact priority result results risk severity "
    "status time timestamp updated verdict"
) | {"build status", "last updated"}
"""What a line says of what it stands below, and of nothing else."""
_ESTIMATES: Final = words("estimate estimated effort schätzung aufwand")


@cache
def _stems(*lists: frozenset[str]) -> frozenset[str]:
    return frozenset(sense_of(word) for each in lists for word in each)


def are_no_rules(one: str, other: str) -> bool:
    """Tell whether two texts in normal form say nothing that one could follow and break the other.

    So it is where one names an example or a heading, where both have one field of what they stand
    below, and where they report what is done.
    """
    if any(p.match(form) for p in (_EXAMPLE, _CONTENTS) for form in (one, other)):
        return True
    label, _ = _field(one)
    if label in _FIELDS and label == _field(other)[0]:
        return True
    if not all(any(mark in form for mark in _DONE_MARKS) for form in (one, other)):
        return False
    # At its beginning the mark stands before what is to be done as well.
    return any(_is_marked_done(form) for form in (one, other))


def _field(form: str) -> tuple[str, str]:
    label, _, said = form.partition(":")
    return label.strip(), said.strip()


def _is_marked_done(form: str) -> bool:
    return form.endswith(_DONE_MARKS) or _field(form)[1].startswith(_DONE_MARKS)


def asks(text: str) -> bool:
    """Tell whether a text says what is to be done, and not only how something is or was."""
    said = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text.casefold().replace("’", "'"))
    return bool(said) and (said[0] in _ORDERS or not _MUST.isdisjoint(said))


def is_told_once(text: Reading) -> bool:
    """Tell whether a text reports one deed or one guess, and asks for nothing."""
    return _tells_a_deed(text) or _guesses(text)


def tells_results(text: Reading) -> bool:
    """Tell whether a text reports how a run ended.

    What names a condition or a bound asks for it. What a run took is none of its results.
    """
    if text.restricts or any(token.word in _ASKED for token in text.tokens):
        return False
    said, results = text.signs.keys(), _stems(_RESULTS)
    if said & _stems(_TESTS) and said & results:
        return True
    counted = [each for each in text.amounts if each.of in _stems(_RESULTS, _FOUND)]
    if len({each.of for each in counted}) > 1:
        return True
    if not counted or not said & _stems(_BUILDS):
        return False
    has_none = not all(each.value for each in counted)
    return bool(said & results) or has_none or text.head in _stems(_BUILDS)


def _tells_a_deed(text: Reading) -> bool:
    """Tell whether a clause begins with what was done, and not with what it was set to.

    The name of a file may stand before it: `` `src/log.py` - updated 4 lines ``. A heading, or what
    was counted, ends with it: `Files changed: 3`, `37 new tests added`.
    """
    opening = [*takewhile(lambda token: token.sort != "|", text.tokens)]
    if opening and opening[-1].word in _HEADED and len(opening) < len(text.tokens):
        is_heading = len(opening) <= _HEADING and len(opening) + 1 < len(text.tokens)
        if is_heading or (opening[0].sort == "#" and opening[-1].word in _DONE):
            return True
    if _counts_what_was_done(opening):
        return True
    before = ""
    for token in text.tokens:
        if token.word in _DONE and before in ("", "|", "c"):
            return not any(
                one.word in ("to", "auf", "zu") and other.sort == "#"
                for one, other in zip(text.tokens, text.tokens[1:], strict=False)
            )
        before = token.sort
    return False


def _counts_what_was_done(opening: Sequence[Token]) -> bool:
    """Tell whether it opens with how many were dealt with: `All five findings merged into one`.

    `Two findings are merged` says how it is done.
    """
    said = [token for token in opening if token.word not in _EVERY]
    if not said or not (said[0].sort == "#" or said[0].word in NUMERALS.keys() - ARTICLES):
        return False
    done = next((at for at, token in enumerate(said) if token.word in _DONE), 0)
    return bool(done) and not any(t.word in IS or t.word in _ASKED for t in said[:done])


def _guesses(text: Reading) -> bool:
    """Tell whether it opens with a guess at something that it does not name: `Estimate: 80 lines`.

    It stands below what it is about.
    """
    telling = [token for token in text.tokens if token.sort != "|"]
    return len(telling) > 1 and telling[0].word in _ESTIMATES and telling[1].sort == "#"
