"""Answers that fit: no longer than a client asked for, nothing twice, and what is left out counted.

Tokens are estimated from the text, on the safe side: to load a tokenizer would cost an agent more
than it saves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

_ASCII_IN_TOKEN: Final = 2.2
"""Characters of JSON that a token stands for at least, in memories with their ids and paths."""
_TOKENS_IN_OTHER: Final = 1.5
"""Tokens of a character beyond ASCII at most, but for rare scripts."""
SECRETIVE: Final = frozenset({"sha", "snippet_hash"})
"""Of use to a program alone: no model compares them."""
_EMPTY: Final[tuple[Any, ...]] = (None, [], {}, "")
_UNPRINTABLE: Final = re.compile(r"[^\x20-\x7e]")
_SHORTER: Final = ((2_000, 20), (600, 10), (200, 5), (80, 2), (40, 1), (20, 1))
"""Characters of one text and items of one list, where a single memory is too long."""
_KEPT: Final = 40
"""Characters that are never cut: ids, names, times."""


def as_text(document: Mapping[str, Any]) -> str:
    """Return a document as a client gets it: compact, and nothing in it that is not seen."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return text if text.isascii() else _UNPRINTABLE.sub(_seen, text)


def _seen(match: re.Match[str]) -> str:
    found = match[0]
    return found if found.isprintable() else json.dumps(found)[1:-1]


def tokens_of(text: str) -> int:
    """Return at least as many tokens as a text has."""
    other = 0 if text.isascii() else sum(each > "\x7f" for each in text)
    return int((len(text) - other) / _ASCII_IN_TOKEN + other * _TOKENS_IN_OTHER) + 1


def plain(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document without what tells an agent nothing: hashes, and keys without a value."""
    return {
        name: _plain(value)
        for name, value in document.items()
        if name not in SECRETIVE and value not in _EMPTY
    }


def without_empty(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document without the keys that have no value."""
    return {name: value for name, value in document.items() if value not in _EMPTY}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return plain(value)
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def brief(memory: Mapping[str, Any], *, also: Sequence[str] = ()) -> dict[str, Any]:
    """Return a memory in the few words that an agent needs; the answer names its repository."""
    kept = {name: memory[name] for name in (*_BRIEF, *also) if name in memory}
    cited = [
        {name: value for name, value in each.items() if (name, value) not in _USUAL}
        for each in memory["citations"]
    ]
    day = (memory.get("refreshed_at") or "")[:10]
    return plain({**kept, "citations": cited, "refreshed_at": day})


_USUAL: Final = (("exists", True), ("checked", "text"))
"""Of a place that was compared: its status says as much."""


_BRIEF: Final = (
    "id",
    "subject",
    "fact",
    "reason",
    "verdict",
    "citations",
    "refreshed_at",
    "verification_count",
    "findings",
    "problems",
)


class Room:
    """The list of an answer, filled from its start with what fits."""

    def __init__(self, document: Mapping[str, Any], max_tokens: int) -> None:
        """Begin with nothing in the list.

        Args:
            document: The rest of the answer.
            max_tokens: For all of it; the first item is in in any case, shortened if need be.
        """
        self._document = document
        self._left = max_tokens - tokens_of(as_text(document)) - _LEFT_OUT
        self._items: list[Any] = []

    def take(self, item: Any) -> bool:
        """Put an item into the list if it fits; tell whether it did."""
        self._left -= tokens_of(as_text({"": item}))
        if self._items and self._left < 0:
            return False
        self._items.append(item)
        return True

    def filled(self, name: str, total: int) -> dict[str, Any]:
        """Return the answer with its list, and how many of all were left out."""
        left = total - len(self._items)
        found = {**self._document, name: self._items}
        if left:
            told = f"{left} more: ask for less, or a longer answer with `max_tokens`"
            found |= {"left_out": left, "hint": told}
        return found


def capped(document: Mapping[str, Any], name: str, max_tokens: int) -> dict[str, Any]:
    """Return a document with as much of one list, from its start, as fits."""
    room = Room({**document, name: []}, max_tokens)
    items = document[name]
    for item in items:
        if not room.take(item):
            break
    return room.filled(name, len(items))


def fitted(document: Mapping[str, Any], max_tokens: int) -> dict[str, Any]:
    """Return a document with its longest texts and lists cut until it fits, hashes at last."""
    found = dict(document)
    for characters, items in _SHORTER:
        if tokens_of(as_text(found)) <= max_tokens:
            return found
        found = _cut(document, characters, items)
    return found if tokens_of(as_text(found)) <= max_tokens else plain(found)


def _cut(value: Any, characters: int, items: int) -> Any:
    if isinstance(value, str):
        left = len(value) - characters
        whole = left <= 0 or len(value) <= _KEPT
        return value if whole else f"{value[:characters]}… ({left} more characters)"
    if isinstance(value, list):
        cut: list[Any] = [_cut(each, characters, items) for each in value[:items]]
        left = len(value) - items
        return cut if left <= 0 else [*cut, f"… ({left} more)"]
    if isinstance(value, Mapping):
        return {name: _cut(each, characters, items) for name, each in value.items()}
    return value


def cut_lines(text: str, tokens: int, max_tokens: int) -> str:
    """Return as many whole lines of a text as fit, by its own share of characters in a token."""
    if tokens <= max_tokens:
        return text
    room = len(text) * max(max_tokens, 1) // tokens
    return text[: text.rfind("\n", 0, room) + 1] or text[:room]


def counted(reasons: Sequence[Mapping[str, Any]], most: int = 10) -> dict[str, Any]:
    """Return what was left out of a prompt: how many for each reason, and the first few."""
    counts: dict[str, int] = {}
    for each in reasons:
        counts[each["reason"]] = counts.get(each["reason"], 0) + 1
    return {"count": len(reasons), "reasons": counts, "first": list(reasons[:most])}


_LEFT_OUT: Final = 40
"""Tokens of the words about what is left out."""
