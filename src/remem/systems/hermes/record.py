"""The record of a write that Hermes staged: who wants to write what, and when it was staged."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from remem.base.clock import moment_at
from remem.base.frozen import dataclass

_LATEST: Final = 1 << 36
"""Seconds since the epoch that still are a date."""


@dataclass(frozen=True, slots=True)
class Held:
    """One write that Hermes staged."""

    id: str
    subsystem: str
    action: str
    summary: str
    origin: str
    created: str
    """The day; empty = it does not say."""
    payload: Mapping[str, Any]

    @property
    def text(self) -> str:
        """What it would write, for people and for the gate that looks for secrets."""
        said = [self.payload.get(name) for name in ("content", "new_string", "file_content")]
        said += [each.get("content") for each in self.operations if isinstance(each, dict)]
        return "\n".join(each for each in said if isinstance(each, str) and each)

    @property
    def operations(self) -> Sequence[Any]:
        found = self.payload.get("operations")
        return found if isinstance(found, list) else ()


@lru_cache(maxsize=256)
def held_in(data: bytes) -> Held | None:
    """Return the write that a file holds; `None` = it is none."""
    try:
        told = json.loads(data.decode("utf-8-sig"))
    except ValueError:
        return None
    if not isinstance(told, dict) or not isinstance(told.get("payload"), dict):
        return None
    at = told.get("created_at")
    day = ""
    if isinstance(at, int | float) and 0 < at < _LATEST:
        day = moment_at(int(at * 1_000_000)).date().isoformat()
    words = {name: str(told.get(name) or "") for name in ("id", "subsystem", "summary", "origin")}
    action = str(told["payload"].get("action") or told.get("action") or "")
    return Held(action=action, created=day, payload=told["payload"], **words)
