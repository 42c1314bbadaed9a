"""What can be told of all that a pattern finds without looking: letters in it, lines that it spans.

Most files have those letters nowhere, and most patterns keep to one line, so that of a long file
only what a change adds need be read. Whatever is not followed here is not known; it is never
guessed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from remem.base.frozen import dataclass

Need: TypeAlias = "str | tuple[tuple[Need, ...], ...]"
"""Letters, or several ways of which one is there, each with all that it needs."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What is known of whatever a pattern finds."""

    needs: tuple[Need, ...] = ()
    """All of these stand in it; () = none are known."""
    reach: int | None = None
    """Lines with something on them into which it goes on, at most; `None` = however many."""

    @property
    def needs_several_lines(self) -> bool:
        """True where whatever it finds holds the end of a line."""
        return "\n" in self.needs

    def may_stand_in(self, text: str) -> bool:
        """Tell at once that a text cannot have it."""
        return _has(self.needs, text)


@lru_cache(maxsize=4096)
def shape_of(pattern: str) -> Shape:
    """Return what is known of a pattern; of one with odd syntax that is nothing."""
    text = _RESETS.sub(r"\1", pattern)
    folds = text.startswith("(?i)")
    text = text.removeprefix("(?i)")
    if _ODD.search(text):
        return Shape()
    try:
        found, end = _ways(text, 0)
    except _NotFollowed:
        return Shape()
    if end < len(text):
        return Shape()
    is_far = found.reach >= _FAR or (found.reach and _REPEATS.search(text))
    return Shape(() if folds else found.needs, None if is_far else found.reach)


def _has(needs: tuple[Need, ...], text: str) -> bool:
    return all(
        each in text if isinstance(each, str) else any(_has(way, text) for way in each)
        for each in needs
    )


_RESETS: Final = re.compile(r"(?<!\\)((?:\\\\)*)\\K")
_ODD: Final = re.compile(
    r"\\[AZzGRXLpPNxuUhHvfr0]|[*+?}]\+|\{[a-zA-Z]|\[\[|&&|\|\||--|~~|\[:|\{[^}]*[<=~]"
)
"""Anchors of the whole text, what gives nothing back, and syntax that is not followed here."""
_REPEATS: Final = re.compile(r"\\[1-9g]|\(\?P=")
_TIMES: Final = re.compile(r"(?:(?P<sign>[*+?])|\{(?P<least>\d*)(?P<most>,\d*)?\})\??")
_GROUP: Final = re.compile(r"\((?:\?:|\?P?<[A-Za-z_]\w*>|(?!\?|\*))")
_AROUND: Final = re.compile(r"\(\?<?[=!]")
_FAR: Final = 1_000_000
_BLANK_SET: Final = re.compile(r"\[(?:\\[snt]|[ \t\n])+\]")
_MAY_BREAK: Final = re.compile(r"\\[snWD]|\n|[\x00-\t]-|\\t-")


class _NotFollowed(Exception):
    """The pattern has something that is not followed here."""


class _Row(NamedTuple):
    """What is known of a part of a pattern."""

    needs: tuple[Need, ...]
    reach: int


class _Sign(NamedTuple):
    """One thing that may be repeated."""

    end: int
    letter: str = ""
    """The one that it is; empty = it may be several."""
    needs: tuple[Need, ...] = ()
    reach: int = 0
    repeated: int = 0
    """How far it goes when it stands there however often."""


def _ways(text: str, at: int) -> tuple[_Row, int]:
    """Read what may stand there instead of each other, to the end or to that of the group."""
    rows: list[_Row] = []
    while True:
        row, at = _row(text, at)
        rows.append(row)
        if text[at : at + 1] != "|":
            break
        at += 1
    reach = sum(each.reach for each in rows)
    if len(rows) == 1:
        return rows[0], at
    is_known = all(each.needs for each in rows)
    return _Row((tuple(each.needs for each in rows),) if is_known else (), reach), at


def _row(text: str, at: int) -> tuple[_Row, int]:
    """Read what stands one behind the other."""
    needs, run, reach = list[Need](), "", 0
    while at < len(text) and text[at] not in "|)":
        sign = _sign(text, at)
        times = _TIMES.match(text, sign.end)
        at = times.end() if times else sign.end
        is_there, is_again = _often(times)
        if is_there and sign.letter:
            run += sign.letter
        if run and not (is_there and sign.letter and not is_again):
            needs.append(run)
            run = ""
        if is_there:
            needs += sign.needs
        reach += sign.repeated if is_again else sign.reach
    if run:
        needs.append(run)
    return _Row(tuple(needs), reach), at


def _often(times: re.Match[str] | None) -> tuple[bool, bool]:
    """Return whether what comes before must be there, and whether it may be there again."""
    if times is None:
        return True, False
    if times["sign"]:
        return times["sign"] == "+", times["sign"] != "?"
    return times["least"] not in ("", "0"), True


def _sign(text: str, at: int) -> _Sign:
    char = text[at]
    if char == "\\":
        return _escaped(text, at)
    if char == "[":
        return _set(text, at)
    if char == "(":
        return _group(text, at)
    if char in ".^$":
        return _Sign(at + 1)
    if char == "\n":
        return _Sign(at + 1, needs=("\n",), reach=1, repeated=1)
    return _Sign(at + 1, char)


def _escaped(text: str, at: int) -> _Sign:
    letter = text[at + 1 : at + 2]
    if not letter:
        raise _NotFollowed
    if letter in "sn":
        return _Sign(at + 2, needs=("\n",) if letter == "n" else (), reach=1, repeated=1)
    if letter in "WD":
        return _Sign(at + 2, reach=1, repeated=_FAR)
    if letter == "g":
        raise _NotFollowed
    return _Sign(at + 2, "" if letter.isalnum() else letter)


def _set(text: str, at: int) -> _Sign:
    """Read a set of characters; its first sign may be its own end."""
    end = at + (2 if text[at + 1 : at + 2] == "^" else 1)
    end += text[end : end + 1] == "]"
    while end < len(text) and text[end] != "]":
        end += 2 if text[end] == "\\" else 1
    end += 1
    found = text[at:end]
    if _BLANK_SET.fullmatch(found):
        return _Sign(end, reach=1, repeated=1)
    names_breaks = _MAY_BREAK.search(found) is not None
    if found.startswith("[^"):
        is_kept = any(each in found for each in ("\\n", "\\s", "\n"))
        return _Sign(end) if is_kept else _Sign(end, reach=1, repeated=_FAR)
    return _Sign(end, reach=1, repeated=_FAR) if names_breaks else _Sign(end)


def _group(text: str, at: int) -> _Sign:
    around, group = _AROUND.match(text, at), _GROUP.match(text, at)
    opened = around or group
    if opened is None:
        raise _NotFollowed
    inner, end = _ways(text, opened.end())
    if text[end : end + 1] != ")":
        raise _NotFollowed
    far = _FAR if inner.reach else 0
    needs = () if around else inner.needs
    return _Sign(end + 1, needs=needs, reach=inner.reach, repeated=far)
