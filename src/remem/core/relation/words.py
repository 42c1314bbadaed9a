"""One word of a text, and whether a number in it is the name of something: `PR #12`.

`comparable_text.py` cuts texts into these; what such a number counts is no quantity, so two that
differ in it speak of other things.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from remem.core.relation import oppositions as data
from remem.core.relation.content_words import STOP

HELPS: Final = data.words(
    "do does did must should shall may might can could will would need muss müssen soll sollen "
    "darf dürfen kann können gehört gehören"
)
"""Verbs behind whose subject a denial stands: `logs must not hold names`."""
ALSO: Final = data.words("and or und oder et ou")
NUMBERED: Final = data.words("pr prs pullrequest issue issues ticket tickets bug bugs gh mr mrs")
"""What has a number for its name."""
LINKED: Final = re.compile(r"/(?:issues|pull|pulls|merge_requests)/(\d+)$")
COLOURED: Final = re.compile(r"colou?r|farbe|background|css|\bhex\b")
"""Where one of these stands, `#333` is a colour and no issue."""
_TRACKS: Final = data.words(
    "tracks shows describes covers asks reports remains says fixes causes needs"
)
"""What an issue does, where `Issue 2 tokens` would ask for two."""
_REQUIRED: Final = re.compile(
    r"[-*\s`]*([A-Za-z][\w.-]*)(?:\[[\w,-]+\])?\s*(?:[<>=~!]=|[<>^~])\s*v?\d[\w.*]*`?\s*(?:$|[,;(])"
)
_LINES: Final = data.words("line zeile")
_COMPOUND: Final = re.compile(r"(?<![\w-])([a-z]+)(?:-[a-z]+)*-$")
"""The words of a name that a number ends."""
_LONGEST: Final = 60
"""Characters of such a name."""


class Token(NamedTuple):
    """A word, or what ends a clause."""

    word: str
    stem: str
    sort: str
    """`w` word, `n` name, `c` code, `#` number, `@` number of an issue, `!` denial, `|` end,
    `~` link, `.` stop word."""


def is_called(
    tokens: Sequence[Token],
    match: re.Match[str],
    measures: Mapping[str, tuple[str, float]],
    has_colours: bool,
) -> bool:
    """Tell whether a number is the name of something: `PR #12`, `issues 12 and 13`."""
    unit = match["unit"] or ""
    if not match["number"].isdecimal() or unit in measures:
        return False
    if match.string.startswith("#", max(match.start() - 1, 0)):
        return not has_colours
    if _names_one_more(tokens, match):
        return True
    before = len(tokens) - 1
    while before > 0 and (tokens[before].word in ALSO or tokens[before].word.strip() == ","):
        before -= 1
    if before < 0 or (tokens[before].sort != "@" and before + 1 != len(tokens)):
        return False
    if tokens[before].sort == "@":
        return before + 1 < len(tokens)
    if tokens[before].word not in NUMBERED:
        return False
    if tokens[before].word != "issue":
        return True
    # `Issue 2 tokens` and `must issue 2 tokens` count what is issued.
    opens = before == 0 or tokens[before - 1].sort == "|"
    counts = unit and unit not in _TRACKS and unit not in STOP
    helped = before > 0 and tokens[before - 1].word in (*HELPS, "to")
    return not (helped or (opens and counts))


def required(text: str) -> tuple[str, ...]:
    """Return the package of which a text only says the version: `pytest >= 7.0`; () = of none."""
    found = _REQUIRED.match(text)
    return () if found is None else (found[1].casefold(),)


def _names_one_more(tokens: Sequence[Token], match: re.Match[str]) -> bool:
    """Tell whether a number ends a name, `BUG-MENU-2`, or names the line that a text is about."""
    start = match.start()
    if match.string.startswith("-", max(start - 1, 0)):
        compound = _COMPOUND.search(match.string, max(start - _LONGEST, 0), start)
        return compound is not None and compound[1] in NUMBERED
    is_line = len(tokens) == 1 and tokens[0].word in _LINES
    return is_line and match.string.startswith(":", match.end("number"))
