"""What a pack holds: entries of the three stores, without what belongs to one project alone.

Only shapes and words (FORMATS 1.12).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import GenericAlias
from typing import Any, Final, get_type_hints

from remem.model.record import Record
from remem.systems.sniper.records import ANTI_PATTERN, CONVENTION, DECISION, RECORDS, Stored

VERSION: Final = "1.0"
LEFT_BEHIND: Final = frozenset({"id", "source", "status", "superseded_by", "seen", "overrides"})
"""Keys that name what only one project has: its ids, sprints and stories, and where it stands."""


def pack_model() -> type[Record]:
    """Return the model of a pack's file, for its schema."""
    packed = {kind: _packed(model) for kind, model in RECORDS.items()}
    lists = {"conventions": CONVENTION, "anti_patterns": ANTI_PATTERN, "decisions": DECISION}
    head: dict[str, Any] = dict.fromkeys(("exported_from", "exported_at", "version"), str)
    several = {key: GenericAlias(tuple, (packed[kind], ...)) for key, kind in lists.items()}
    return _made("Pack", {**head, **several}, dict.fromkeys(lists, ()))


def _packed(model: type[Stored]) -> type[Record]:
    hints = get_type_hints(model, include_extras=True)
    kept = [each for each in fields(model) if each.name not in LEFT_BEHIND]
    keys = {each.name: hints[each.name] for each in kept}
    defaults = {each.name: each.default for each in kept if each.default is not MISSING}
    return _made(f"Packed{model.__name__}", keys, defaults)


def _made(title: str, keys: Mapping[str, Any], defaults: Mapping[str, Any]) -> type[Record]:
    body = {"__annotations__": keys, "__doc__": "", **defaults}
    made: type[Record] = type(title, (Record,), body)
    return made
