"""A pack: project memory in one file to carry elsewhere, without what ties it to its project.

It reads packs, which are strangers' files, and prints them (FORMATS 1.12). What becomes of an entry
that comes in is decided in `systems/sniper/pack_plan.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from types import GenericAlias
from typing import Any, Final, get_type_hints

from remem.base.errors import Refused
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.edit.yaml_read import MAX_FILE, parse_document
from remem.edit.yaml_write import render
from remem.model.change import Json
from remem.model.record import Record, read_record
from remem.systems.sniper.records import (
    ANTI_PATTERN,
    CONVENTION,
    DECISION,
    RECORDS,
    Stored,
    from_bare,
)
from remem.systems.sniper.stores import STORES, Store

NAME: Final = "sniper-memory-export.yaml"
"""What a pack is called where nobody names it."""
_SENTENCES: Final = re.compile(r"(?<=[.!?;])\s+")
_OF_PROJECT: Final = re.compile(
    r"\bsprint[ -]?#?\d+\b|\b(?:[A-Z]{2,}|story)-\d+\b|\bstor(?:y|ies) #?\d+\b"
    r"|\b\d+ (?:of|/) \d+ (?:\w+ )?stories\b",
    re.IGNORECASE,
)
"""What only the project knows: `Sprint 2`, `sprint-7-retro`, `STORY-051`, `7 of 8 stories`."""
MOST: Final = 10_000
"""Entries that come in with one pack: nobody could look at more."""


@dataclass(frozen=True, slots=True)
class Packed:
    """One entry of a pack."""

    kind: str
    number: int
    """Place in its list, from 1."""
    text: str
    name: str
    """The id that it brings along; empty = none."""
    fields: Mapping[str, Json]
    """What it says, without what belongs to the project it comes from."""
    fault: str = ""
    """Why it cannot be an entry, as one sentence without a full stop."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as it was read."""

    exported_from: str
    exported_at: str
    items: tuple[Packed, ...]


def pack_bytes(project: str, date: str, stored: Mapping[str, Sequence[Mapping[str, Any]]]) -> bytes:
    """Return the file of a pack.

    Args:
        project: Where it comes from.
        date: `YYYY-MM-DD`.
        stored: Kind → the values of its entries, as a store holds them.

    Raises:
        Refused: A text holds half of a character.
    """
    head: dict[str, Any] = {
        "exported_from": project,
        "exported_at": date,
        "version": VERSION,
    }
    lists: dict[str, Any] = {
        store.key: [carried(each) for each in stored.get(store.kind, ())] for store in STORES
    }
    return render({**head, **lists})


def carried(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of an entry goes into a pack, or comes out of one."""
    return {key: each for key, each in value.items() if key not in LEFT_BEHIND}


def without_sprints(text: str) -> str:
    """Return a rationale without its sentences that name a sprint or a story of one project."""
    if not _OF_PROJECT.search(text):
        return text
    kept = (part for part in _SENTENCES.split(text) if not _OF_PROJECT.search(part))
    return " ".join(kept).strip()


def is_pack(data: bytes) -> bool:
    """Tell whether bytes are a pack's, so that another one may be written in their place."""
    value = parse_document(data, MAX_FILE).value
    wanted = {"exported_from", "version"}
    return isinstance(value, Mapping) and value.keys() >= wanted


def read_pack(name: str, data: bytes) -> Pack:
    """Read a pack.

    Args:
        name: What it is called where it is spoken of.
        data: Its bytes.

    Raises:
        Refused: It cannot be read, has another version, or is no pack.
    """
    document = parse_document(data, MAX_FILE)
    broken = next((each for each in document.problems if each.blocks_writing), None)
    if broken is not None:
        line = f":{broken.line}" if broken.line else ""
        raise Refused(f"`{name}{line}`: {broken.message}", hint=broken.hint or _MEND)
    value = document.value
    if not isinstance(value, Mapping) or not any(store.key in value for store in STORES):
        keys = ", ".join(f"`{store.key}`" for store in STORES)
        raise Refused(f"`{name}` is not a pack", hint=f"a pack contains {keys}")
    version = value.get("version")
    if version is not None and str(version).strip() != VERSION:
        raise Refused(
            f"`{name}` is a version-{str(version)[:40]} pack",
            hint=f"remem reads version {VERSION}",
        )
    lists = {store: _list_of(name, store, value) for store in STORES}
    many = sum(map(len, lists.values()))
    if many > MOST:
        raise Refused(
            f"`{name}` holds {count(many, 'entry', 'entries')} (limit {MOST:,})",
            hint="export fewer entries (`remem export REF…`), or split the file",
        )
    return Pack(
        str(value.get("exported_from") or ""),
        str(value.get("exported_at") or ""),
        tuple(item for store, listed in lists.items() for item in _packed(store, listed)),
    )


_MEND: Final = "fix it in an editor"


def _list_of(name: str, store: Store, value: Mapping[str, Any]) -> list[Any]:
    found = value.get(store.key)
    if found is None:
        return []
    if not isinstance(found, list):
        raise Refused(f"`{store.key}` of `{name}` is not a list", hint=_MEND)
    return found


def _packed(store: Store, listed: Sequence[Any]) -> Iterator[Packed]:
    model = RECORDS[store.kind]
    for number, item in enumerate(listed, start=1):
        if not isinstance(item, Mapping):
            yield Packed(store.kind, number, "", "", {}, "it is not a mapping")
            continue
        value = {key: each for key, each in item.items() if each is not None}
        fields = carried(from_bare(store.kind, value))
        if store.kind == DECISION:
            fields.setdefault("decision", fields.get("title", ""))
            fields.setdefault("title", fields["decision"])
        own = item.get("id")
        record, faults = read_record(model, {**fields, "id": f"{model.prefix}-000"})
        fault = faults[0].message if faults else "" if record.text.strip() else "it has no text"
        name = own.strip() if isinstance(own, str) else ""
        yield Packed(store.kind, number, record.text, name, fields, fault)


VERSION: Final = "1.0"
LEFT_BEHIND: Final = frozenset({"id", "source", "status", "superseded_by", "seen", "overrides"})
"""Keys that name what only one project has: its ids, sprints and stories, and where it stands."""


def pack_model() -> type[Record]:
    """Return the model of a pack's file, for its schema."""
    packed = {kind: _as_packed(model) for kind, model in RECORDS.items()}
    lists = {"conventions": CONVENTION, "anti_patterns": ANTI_PATTERN, "decisions": DECISION}
    head: dict[str, Any] = dict.fromkeys(("exported_from", "exported_at", "version"), str)
    several = {key: GenericAlias(tuple, (packed[kind], ...)) for key, kind in lists.items()}
    return _made("Pack", {**head, **several}, dict.fromkeys(lists, ()))


def _as_packed(model: type[Stored]) -> type[Record]:
    hints = get_type_hints(model, include_extras=True)
    kept = [each for each in fields(model) if each.name not in LEFT_BEHIND]
    keys = {each.name: hints[each.name] for each in kept}
    defaults = {each.name: each.default for each in kept if each.default is not MISSING}
    return _made(f"Packed{model.__name__}", keys, defaults)


def _made(title: str, keys: Mapping[str, Any], defaults: Mapping[str, Any]) -> type[Record]:
    body = {"__annotations__": keys, "__doc__": "", **defaults}
    made: type[Record] = type(title, (Record,), body)
    return made
