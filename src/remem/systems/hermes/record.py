"""The record of a write that Hermes staged: who wants to write what, and when it was staged."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from remem.base.clock import moment_at
from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.model.change import Json

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
        said = [self.payload.get(name) for name in _TEXTS]
        said += [each.get("content") for each in self.operations if isinstance(each, dict)]
        return "\n".join(each for each in said if isinstance(each, str) and each)

    @property
    def operations(self) -> Sequence[Any]:
        found = self.payload.get("operations")
        return found if isinstance(found, list) else ()

    def edited(self, data: bytes, fields: Mapping[str, Json]) -> bytes:
        """Return its file with another text to write; every other byte stays.

        Raises:
            NotPossible: It writes several texts, or something else was to be changed.
        """
        mine = [name for name in _TEXTS if isinstance(self.payload.get(name), str)]
        if len(mine) != 1 or self.operations:
            raise NotPossible(
                "this write has not exactly one text",
                hint="approve it and edit the entries, or reject it",
            )
        given = {mine[0] if name == "text" else name: value for name, value in fields.items()}
        text = given.get(mine[0])
        if {*given} != {*mine} or not isinstance(text, str) or not text.strip():
            raise NotPossible(
                f"only `{mine[0]}` can be edited, to a text", hint="reject it instead"
            )
        said = data.decode("utf-8")
        wanted = json.loads(said.removeprefix("\ufeff"))
        wanted["payload"][mine[0]] = text
        for found in re.finditer(rf'"{mine[0]}"\s*:\s*"', said):
            _, end = json.JSONDecoder().raw_decode(said, found.end() - 1)
            made = f"{said[: found.end() - 1]}{json.dumps(text, ensure_ascii=False)}{said[end:]}"
            if json.loads(made.removeprefix("\ufeff")) == wanted:
                return made.encode("utf-8")
        raise NotPossible(f"`{mine[0]}` was not found in its file", hint="reject it instead")


_TEXTS: Final = ("content", "new_string", "file_content")


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
