"""Answers that fit: no longer than a client asked for, and what is left out is counted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

CHARACTERS: Final = 2.5
"""Characters of JSON that a token stands for at least, in memories with their ids and paths."""
SECRETIVE: Final = frozenset({"sha", "snippet_hash"})
"""Of use to a program alone: no model compares them."""


def without_hashes(value: Any) -> Any:
    """Return a document without the hashes of what it cites."""
    if isinstance(value, Mapping):
        return {name: without_hashes(each) for name, each in value.items() if name not in SECRETIVE}
    return [without_hashes(each) for each in value] if isinstance(value, list) else value


def capped(document: Mapping[str, Any], name: str, max_tokens: int) -> dict[str, Any]:
    """Return a document with as much of one list, from its start, as fits.

    Args:
        document: What would be answered.
        name: Of the list that gives way.
        max_tokens: For all of it; the first item stays in any case.
    """
    items = document[name]
    room = max_tokens * CHARACTERS - _length({**document, name: []}) - _LEFT_OUT
    kept: list[Any] = []
    for item in items:
        room -= _length(item) + 2
        if kept and room < 0:
            break
        kept.append(item)
    left = len(items) - len(kept)
    told = f"{left} more; ask for a longer answer with `max_tokens`, or for less" if left else ""
    return {**document, name: kept, **({"left_out": left, "hint": told} if left else {})}


def cut_lines(text: str, tokens: int, max_tokens: int) -> str:
    """Return as many whole lines of a text as fit, by its own share of characters in a token."""
    if tokens <= max_tokens:
        return text
    room = len(text) * max_tokens // tokens
    return text[: text.rfind("\n", 0, room) + 1] or text[:room]


def counted(reasons: Sequence[Mapping[str, Any]], most: int = 10) -> dict[str, Any]:
    """Return what was left out of a prompt: how many for each reason, and the first few."""
    counts: dict[str, int] = {}
    for each in reasons:
        counts[each["reason"]] = counts.get(each["reason"], 0) + 1
    return {"count": len(reasons), "reasons": counts, "first": list(reasons[:most])}


_LEFT_OUT: Final = 120


def _length(value: Any) -> int:
    return len(json.dumps(value))
