"""The patterns that cut a text into tokens: one for what the text has, and none for what it lacks.

Chinese and Japanese characters stand for words by themselves. A set that names them takes two
milliseconds to compile, so texts without them are cut by patterns that know of none; what is found
is the same.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from remem.base.lazy_pattern import lazy_pattern

CJK: Final = "\u3040-\u30ff\u3400-\u9fff"
"""Characters that stand for words by themselves, as a set in a pattern names them."""


def characters_in(text: str) -> str:
    """Return which characters a pattern for a text has to tell from letters; empty = none."""
    is_without = text.isascii() or max(text) < CJK[0]
    return "" if is_without or not any(CJK[0] <= each <= CJK[-1] for each in {*text}) else CJK


@cache
def plain_words(cjk: str) -> re.Pattern[str]:
    """Return what finds words and numbers, whatever stands between them."""
    return re.compile(rf"[^\W_{cjk}]+(?:['’][^\W\d_{cjk}]+)?")


CHARACTERS: Final = lazy_pattern(rf"[{CJK}]+")
"""Finds runs of such characters."""
ENDS: Final = ".;:,()!?\n—–¦，。；：！？、"
"""Characters that end a stretch of words."""
_CODE: Final = r"¤\w+|(?P<code>`[^`\n]+`)|(?P<path>"
_SLASHED: Final = r"(?:https?://|[.~]{0,2}/)?[\w.@-]+(?:/[\w.@*{}-]*)+|"
_PATH: Final = (
    r"(?<![\w.])[./][\w@][\w.@-]*|(?<![\w.])(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{7,40}(?!\w))"
    r"|(?:(?<![\w.])v(?=\d+\.\d))?(?P<number>\d+(?:[.,:]\d+)*)(?:\s?(?P<unit>%|[^\W\d_]+))?|"
)
_NAMED: Final = re.compile(r"[\d_=]")
"""What every name has in it that is no word."""


def _plain_word(cjk: str) -> str:
    return rf"[^\W\d_{cjk}]+(?:['’][^\W\d_{cjk}]+)?"


@cache
def naming(cjk: str) -> re.Pattern[str]:
    """Return what finds that which every token has in it that is neither a word nor an end."""
    return re.compile(rf"[`/\d_={cjk}]|\.[\w@]")


@cache
def words_alone(cjk: str) -> re.Pattern[str]:
    """Return what finds the tokens of a text that has words and ends alone."""
    return re.compile(rf"¤\w+|{_plain_word(cjk)}|[{ENDS}]+")


def token_pattern(text: str, cjk: str) -> re.Pattern[str]:
    """Return what finds the tokens of a text, without trying for what it cannot have."""
    return finding("/" in text, _NAMED.search(text) is not None, cjk)


@cache
def finding(has_slash: bool, has_names: bool, cjk: str) -> re.Pattern[str]:
    """Return what finds the tokens of texts that have such paths, names and characters or none."""
    slashed = _SLASHED if has_slash else ""
    name = rf"(?P<name>[^\W\d_{cjk}]+(?:\d|_+(?=\w))[^\W{cjk}]*|\w+=\w+)|" if has_names else ""
    run = f"(?P<cjk>[{cjk}]+)|" if cjk else ""
    said = f"{run}(?P<word>{_plain_word(cjk)})|(?P<end>[{ENDS}]+)"
    return re.compile(f"{_CODE}{slashed}{_PATH}{name}{said}")
