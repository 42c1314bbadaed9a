"""What a tool takes as the value of a key, and what is said of one that it does not take."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from remem.base.frozen import dataclass

_Fits = Callable[[Any], bool]
_SHOWN: Final = 40
"""Signs of a wrong value that are shown."""
_COLOURS: Final = frozenset({"primary", "secondary", "accent", "success", "warning", "error"})
_MAY: Final = frozenset({"allow", "ask", "deny"})
_FLAT: Final = frozenset({"webfetch", "websearch", "todowrite", "doom_loop", "question"})
"""Permissions of OpenCode that have no patterns below them."""


@dataclass(frozen=True, slots=True)
class Takes:
    """What a tool takes for one key."""

    said: str
    """In words, after *takes*."""
    fits: _Fits


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a tool does not take a file."""

    said: str
    """As a clause: `` `mode` is `helper`, and it takes … ``."""
    line: int
    """From 1, in the file."""
    stops: bool = False
    """The tool does not start because of it."""


def is_text(value: Any) -> bool:
    """Tell whether a value is a text."""
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e308


def _is_count(value: Any) -> bool:
    return _is_number(value) and value > 0 and value == int(value)


def is_texts(value: Any) -> bool:
    """Tell whether a value is a list of texts."""
    return isinstance(value, list) and all(map(is_text, value))


def _are_switches(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(each, bool) for each in value.values())


def are_mappings(value: Any) -> bool:
    """Tell whether a value is an object whose values are objects."""
    return isinstance(value, dict) and all(isinstance(each, dict) for each in value.values())


def one_of(*words: str) -> Takes:
    """Return what takes one of some words."""
    named = [f"`{word}`" for word in words]
    return Takes(f"{', '.join(named[:-1])} or {named[-1]}", lambda value: value in words)


def or_nothing(takes: Takes) -> Takes:
    """Return what takes an empty value as well."""
    return Takes(takes.said, lambda value: value is None or takes.fits(value))


TEXT: Final = Takes("a text", is_text)
NUMBER: Final = Takes("a number", _is_number)
COUNT: Final = Takes("a whole number above 0", _is_count)
SWITCH: Final = Takes("`true` or `false`", lambda value: isinstance(value, bool))
TEXTS: Final = Takes("a list of texts", is_texts)
KEYS: Final = Takes("keys with values", lambda value: isinstance(value, dict))
TEXT_OR_TEXTS: Final = Takes("a text or a list of texts", lambda v: is_text(v) or is_texts(v))
SWITCHES: Final = Takes("tools with `true` or `false` each", _are_switches)


def is_colour(value: Any) -> bool:
    """Tell whether OpenCode takes a value for a colour."""
    is_hex = is_text(value) and re.fullmatch(r"#[0-9a-fA-F]{6}", value) is not None
    return is_hex or value in (*_COLOURS, "info")


def are_permissions(value: Any) -> bool:
    """Tell whether OpenCode takes a value for permissions."""
    if not isinstance(value, dict):
        return is_text(value) and value in _MAY
    return all(_is_permission(str(key), each) for key, each in value.items())


def _is_permission(key: str, value: Any) -> bool:
    if isinstance(value, dict) and key not in _FLAT:
        return all(is_text(each) and each in _MAY for each in value.values())
    return is_text(value) and value in _MAY


def line_of(key: str, data: bytes, start: int = 0) -> int:
    """Return the line, from 1, in which a key first stands at or behind a place; 1 = nowhere."""
    pattern = re.compile(
        rb"^[ \t]*[\"']?%s[\"']?[ \t]*[:=]" % re.escape(key.encode()), re.MULTILINE
    )
    found = pattern.search(data, start)
    return data.count(b"\n", 0, found.end()) + 1 if found is not None else 1


def shown(value: Any) -> str:
    """Say in a few words what a value is."""
    if value is None:
        return "empty"
    if isinstance(value, list):
        texts = [each for each in value if isinstance(each, str)]
        return f"a list: {_short(', '.join(texts))}" if texts else "a list"
    if isinstance(value, dict):
        return (
            f"keys with values: {_short(', '.join(map(str, value)))}" if value else "without keys"
        )
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return _short(str(value))


def _short(said: str) -> str:
    line = " ".join(said.split())
    return f"`{line[:_SHOWN]}…`" if len(line) > _SHOWN else f"`{line}`"
