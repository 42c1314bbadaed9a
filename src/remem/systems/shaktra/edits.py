"""Changes to Shaktra's lists, planned as splices: set fields, give a status, add, remove.

It decides which fields, words and defaults Shaktra has (FORMATS 5.1); how bytes change is
`edit/yaml_splice`'s concern.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Any, Final, get_type_hints

from remem.base.errors import NotPossible
from remem.core.numbered_records import additions, need_free, next_ids, whole
from remem.core.system import Addition, Ground
from remem.edit import yaml_splice
from remem.edit.yaml_edit import REMOVE
from remem.edit.yaml_write import render
from remem.model.change import Create, Effect, Json
from remem.model.entry import Entry, Ref, Status, kind_text
from remem.model.record import (
    Fault,
    Record,
    field_names,
    status_word,
)
from remem.model.source import Source, need_writable
from remem.systems.shaktra.documents import settings_of
from remem.systems.shaktra.faults import read_observation, read_stored
from remem.systems.shaktra.lists import number_of
from remem.systems.shaktra.records import (
    ANTI_PATTERN,
    DEFAULTS,
    OBSERVATION,
    RECORDS,
    SHAKTRA,
    Observation,
    roles_for,
)
from remem.systems.shaktra.source import BY_KIND, MEMORY, Kept, ListSource, store_among

_TEXTS: Final = ("text", "rule", "description", "title")
"""Names under which an entry's text is given by those who do not know the format."""
_OTHER_NAMES: Final = {
    "applies_to": "roles",
    "why_bad": "failure_mode",
    "fix_pattern": "recommended_approach",
}


def set_fields(source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
    """Plan to set fields by name or dotted path; `None` takes one out.

    Raises:
        NotPossible: The kind has no such field, or does not take that value.
        Refused: The entry or its file is read only.
    """
    found, number = _writable(source, entry)
    value = found.items[number].value
    wanted = whole(value, _named(entry.kind, fields))
    model = type(found.items[number].record)
    wanted = {name: _as_typed(model, name, each) for name, each in wanted.items()}
    _check(found, number, entry, wanted)
    changed = {name: REMOVE if each is None else each for name, each in wanted.items()}
    edits = yaml_splice.set_fields(found.data, found.index, number, changed)
    return found.splices(edits)


def set_status(source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
    """Plan to write the kind's own word for a status; nothing where the entry has it.

    What is restored gets at least the confidence below which it would be archived again.

    Raises:
        NotPossible: The kind has no word for it.
    """
    if entry.kind == OBSERVATION:
        raise NotPossible("an observation has no status", hint="consolidate its story")
    if entry.status is status:
        return ()
    word = status_word(
        f"Shaktra {kind_text(entry.kind)}",
        RECORDS[entry.kind].words,
        status,
        supersede="merge it into the one that replaces it",
        instead="archive it instead; undo brings it back",
    )
    found, number = _writable(source, entry)
    fields: dict[str, Json] = {"status": word}
    least = found.settings().memory.confidence_archive
    held = getattr(found.items[number].record, "confidence", least)
    if status is Status.ACTIVE and held < least:
        fields["confidence"] = least
    return set_fields(source, entry, fields)


def remove(source: Source, entry: Entry) -> tuple[Effect, ...]:
    """Plan to take an item out of its list, which stays.

    Raises:
        NotPossible: It is an observation.
        Refused: The entry or its file is read only.
    """
    if entry.kind == OBSERVATION:
        raise NotPossible("an observation stays in its story", hint="edit it if it is wrong")
    found, number = _writable(source, entry)
    return found.splices(yaml_splice.remove_item(found.data, found.index, number))


def add_all(
    ground: Ground, sources: Sequence[Source], kind: str, several: Sequence[Mapping[str, Json]]
) -> tuple[Addition, ...]:
    """Plan to add entries of one kind with one edit; the effects are those of the first.

    Raises:
        NotPossible: There is no such kind or field.
        Refused: The store cannot be written.
    """
    kept = BY_KIND.get(kind)
    if kept is None:
        kinds = ", ".join(f"`{each}`" for each in BY_KIND)
        raise NotPossible(f"Shaktra stores no `{kind}`", hint=f"it stores {kinds}")
    store = store_among(sources, kept.part)
    if store is not None:
        need_writable(store)
    start = settings_of(sources).memory.confidence_start
    names = next_ids(kept.prefix, () if store is None else store.index.ids, len(several))
    items = [
        _new_item(ground, kept, _named(kind, fields), name, start)
        for fields, name in zip(several, names, strict=True)
    ]
    path = ground.root / MEMORY / f"{kept.part}.yml" if store is None else store.path
    effects: tuple[Effect, ...] = (Create(path, new_file(kept, items)),)
    if store is not None:
        key = kept.key if store.index.key or not store.index.items else ""
        effects = store.splices(yaml_splice.add_items(store.data, key, items))
    place = ground.project if store is None else store.place
    return additions((Ref(SHAKTRA, name, place) for name in names), path, effects)


def new_file(kept: Kept, items: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the bytes of a list file that is not there yet."""
    rows: list[Any] = [dict(item) for item in items]
    return render({kept.key: rows}, kept.header)


def _writable(source: Source, entry: Entry) -> tuple[ListSource, int]:
    found, number = number_of(source, entry)
    need_writable(source, entry)
    return found, number


def _named(kind: str, fields: Mapping[str, Json]) -> dict[str, Json]:
    """Return fields under Shaktra's own names."""
    model = RECORDS.get(kind)
    if model is None:
        return dict(fields)
    known = field_names(model)
    named: dict[str, Json] = {}
    for name, each in fields.items():
        if name in _TEXTS and name not in known:
            name = model.text_field
        elif name in _OTHER_NAMES and name not in known:
            name = _OTHER_NAMES[name]
        named[name] = each
    return named


def _as_typed(model: type[Record], name: str, given: Json) -> Json:
    """Return a number or truth value that was typed in as a text as what it is."""
    if not isinstance(given, str) or not _may_be_typed(given):
        return given
    hint = get_type_hints(model).get(name)
    wanted = [*hint.__args__] if isinstance(hint, UnionType) else [hint]
    if bool in wanted and given.casefold() in ("true", "false"):
        return given.casefold() == "true"
    for number in (int, float):
        if number in wanted:
            try:
                return number(given)
            except ValueError:
                continue
    return given


def _may_be_typed(text: str) -> bool:
    """Say whether a text may be a number or truth value; to look types up takes long."""
    if text.casefold() in ("true", "false"):
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


def _new_item(
    ground: Ground, kept: Kept, fields: Mapping[str, Json], name: str, start: float
) -> dict[str, Any]:
    """Return the item as it will be read: defaults, in the order of Shaktra's files."""
    model = RECORDS[kept.kind]
    given = {key: _as_typed(model, key, each) for key, each in fields.items()}
    unknown = next((key for key in given if key not in field_names(model)), None)
    if unknown is not None or "id" in given:
        raise NotPossible(_no_field(kept.kind, unknown or "id"), hint=_fields_hint(kept.kind))
    item: dict[str, Any] = {"id": name}
    for field, default in DEFAULTS[kept.kind].items():
        value = given.get(field)
        if value is None:
            value = [*default] if isinstance(default, tuple) else default
            value = start if field == "confidence" else value
            value = ground.given.clock.today().isoformat() if field == "created" else value
        if value is not None:
            item[field] = value
    if given.get("roles") is None:
        words = (*_words(item.get("categories")), *_words(item["tags"]))
        item["roles"] = [*roles_for(words)]
    if kept.kind == ANTI_PATTERN and given.get("trigger_patterns") is None:
        item["trigger_patterns"] = [*_words(item["tags"])]
    _refuse_faults(kept.kind, item, item)
    return item


def _words(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def _check(source: ListSource, number: int, entry: Entry, wanted: Mapping[str, Any]) -> None:
    """Refuse fields and values that the kind does not have."""
    value = source.items[number].value
    known = {*field_names(type(source.items[number].record)), *value}
    for name, each in wanted.items():
        if name not in known:
            raise NotPossible(_no_field(entry.kind, name), hint=_fields_hint(entry.kind))
        if name == "id":
            need_free(str(each or ""), source.index.ids)
    after = {name: each for name, each in {**value, **wanted}.items() if each is not None}
    _refuse_faults(entry.kind, after, wanted)


def _refuse_faults(kind: str, item: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse what is wrong with the fields that are set.

    Raises:
        NotPossible: It says what.
    """
    for fault in _faults(kind, item):
        # Migrated and hand-written principles have no guidance, which is told and not refused.
        is_gap = fault.path == ("guidance",) and not item.get("guidance")
        if str(fault.path[0]) in wanted and not is_gap:
            raise NotPossible(fault.message, hint=fault.hint)


def _faults(kind: str, item: Mapping[str, Any]) -> tuple[Fault, ...]:
    if kind == OBSERVATION:
        return read_observation(item)[1]
    return read_stored(kind, item)[2]


def _no_field(kind: str, name: str) -> str:
    return f"a Shaktra {kind_text(kind)} has no field `{name}` that can be set"


def _fields_hint(kind: str) -> str:
    names = DEFAULTS.get(kind) or field_names(Observation)
    return f"its fields are {', '.join(f'`{name}`' for name in names)}"
