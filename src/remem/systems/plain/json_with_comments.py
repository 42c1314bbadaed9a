"""JSON as settings are written by hand: with comments, and a comma behind the last value."""

from __future__ import annotations

import json
import re
from typing import Final

from remem.base.lazy_pattern import lazy_pattern

_STRING: Final = r'(?P<text>"(?:[^"\\]|\\[\s\S])*(?:"|\Z))'
_NO_JSON: Final = lazy_pattern(rf"{_STRING}|//[^\r\n]*|/\*[\s\S]*?(?:\*/|(?P<open>\Z))")
"""Texts, and comments. What is never closed goes on to the end: else each sign in it would be tried
as a beginning of its own."""
_LAST_COMMA: Final = lazy_pattern(rf"{_STRING}|,(?P<end>\s*[\]}}])")


def as_json_with_comments(data: bytes) -> object:
    """Return what JSON says that may have comments and a comma behind its last value.

    Raises:
        ValueError: It cannot be read.
    """
    text = without_comments(data.decode("utf-8-sig"))
    return json.loads(_LAST_COMMA.sub(lambda found: found["text"] or found["end"], text))


def without_comments(text: str) -> str:
    """Return JSON without its comments."""

    def kept(found: re.Match[str]) -> str:
        return found["text"] or ("" if found["open"] is None else found[0])

    return _NO_JSON.sub(kept, text)
