"""Changes to the three stores, planned as splices: set fields, give a status, add, remove.

It decides which words and defaults SNIPER has (FORMATS 1.2–1.4); how bytes change is
`edit/yaml_splice`'s concern.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.core.numbered_records import (
    additions,
    id_in_ref,
    need_free,
    next_ids,
    whole,
)
from remem.core.system import Addition, Ground
from remem.edit import yaml_splice
from remem.edit.yaml_edit import REMOVE
from remem.edit.yaml_write import render
from remem.model.change import Create, Effect, Json
from remem.model.entry import Entry, Ref, Status, kind_text
from remem.model.record import field_names, read_record, read_status, status_word
from remem.model.source import Source, need_writable
from remem.systems.sniper.records import DECISION, DEFAULTS, RECORDS, from_bare
from remem.systems.sniper.seen import looked_at, mark_of
from remem.systems.sniper.stores import BY_KIND, FOLDER, Store, StoreEntries, entries_of


@dataclass(frozen=True, slots=True)
class Keeper:
    """Whose stores entries are added to: a repository's own, or those of its workspace."""

    format: str
    folder: Path
    place: str


def set_fields(source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
    """Plan to set fields by name or dotted path; `None` takes one out.

    Raises:
        NotPossible: The kind has no such field, or does not take that value.
        Refused: The entry or its file is read only.
    """
    entries = _writable(source, entry)
    item = entries.value(entries.number(entry))
    wanted = _superseding(source, entries, entry, whole(item, fields))
    return _set(source, entry, entries, item, wanted)


def _set(
    source: Source,
    entry: Entry,
    entries: StoreEntries,
    item: Mapping[str, Any],
    wanted: Mapping[str, Any],
) -> tuple[Effect, ...]:
    """Plan to set whole fields of an item of a store that may be written."""
    _check(entries, item, entry, wanted)
    named = _as_in_file(entries, item, entry, wanted)
    changed = {
        name: REMOVE if value is None and name != "superseded_by" else value
        for name, value in named.items()
    }
    edits = yaml_splice.set_fields(source.data, entries.spans, entries.number(entry), changed)
    return source.splices(edits)


def set_status(source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
    """Plan to write the kind's own word for a status; nothing where the entry has it.

    An entry that `retro ingest` put into force by itself loses the mark of that.

    Raises:
        NotPossible: The kind has no word for it.
    """
    if entry.status is status:
        return _look_at(source, entry) if status is Status.ACTIVE else ()
    word = status_word(
        f"SNIPER {kind_text(entry.kind)}",
        RECORDS[entry.kind].words,
        status,
        supersede="set `superseded_by` to the id of the decision that replaces it",
        instead=(
            f"remove it instead: `remem remove {entry.ref.without_place()}`; undo brings it back"
        ),
    )
    wanted: dict[str, Any] = {"status": word}
    entries = _writable(source, entry)
    item = entries.value(entries.number(entry))
    if status is Status.ACTIVE and item.get("superseded_by"):
        wanted["superseded_by"] = None
    if status is Status.ACTIVE and item.get("seen") and mark_of(item):
        wanted["seen"] = looked_at(item)
    return _set(source, entry, entries, item, wanted)


def _look_at(source: Source, entry: Entry) -> tuple[Effect, ...]:
    """Plan to take the mark off an entry that `retro ingest` put into force."""
    entries = entries_of(source)
    item = entries.value(entries.number(entry))
    if not mark_of(item):
        return ()
    entries = _writable(source, entry)
    return _set(source, entry, entries, item, {"seen": looked_at(item)})


def remove(source: Source, entry: Entry) -> tuple[Effect, ...]:
    """Plan to take an item out of its list, which stays."""
    entries = _writable(source, entry)
    edits = yaml_splice.remove_item(source.data, entries.spans, entries.number(entry))
    return source.splices(edits)


def add_all(
    ground: Ground,
    sources: Sequence[Source],
    kind: str,
    several: Sequence[Mapping[str, Json]],
    *,
    foreign: bool = False,
    keeper: Keeper | None = None,
) -> tuple[Addition, ...]:
    """Plan to add entries of one kind at the end of their store, all with one edit.

    The effects are those of the first of them. What is `foreign` comes from another project and may
    have fields that nobody knows here: they are kept.

    Raises:
        NotPossible: There is no such kind or field.
        Refused: The store cannot be written.
    """
    store = BY_KIND.get(kind)
    if store is None:
        kinds = ", ".join(f"`{each}`" for each in BY_KIND)
        raise NotPossible(f"SNIPER stores no `{kind}`", hint=f"it stores {kinds}")
    keeper = keeper or Keeper("sniper", ground.root / FOLDER, ground.project)
    source = next((s for s in sources if s.format == keeper.format and s.part == store.part), None)
    if source is not None:
        need_writable(source)
    taken = () if source is None else entries_of(source).spans.ids
    prefix = RECORDS[store.kind].prefix
    names = _names(prefix, taken, several)
    pairs = zip(several, names, strict=True)
    items = [_new_item(ground, store, fields, name, foreign=foreign) for fields, name in pairs]
    path, effects = _written(keeper, store, source, items)
    place = keeper.place if source is None else source.place
    in_refs = (
        id_in_ref(store.part, prefix, name, number) for number, name in enumerate(names, len(taken))
    )
    return additions((Ref(keeper.format, name, place) for name in in_refs), path, effects)


def _names(prefix: str, taken: Sequence[str], several: Sequence[Mapping[str, Json]]) -> list[str]:
    """Return the id of each new item: its own, if it brings a free one, or the next.

    Raises:
        NotPossible: One is taken, or empty.
    """
    own = [name for fields in several if isinstance(name := fields.get("id"), str)]
    seen = {*taken}
    for name in own:
        need_free(name, seen)
        seen.add(name)
    free = iter(next_ids(prefix, (*taken, *own), len(several)))
    given = (fields.get("id") for fields in several)
    return [name if isinstance(name, str) else next(free) for name in given]


def _written(
    keeper: Keeper, store: Store, source: Source | None, items: list[dict[str, Any]]
) -> tuple[Path, tuple[Effect, ...]]:
    """Return the file that items go to, and what adds them there."""
    if source is None:
        path = keeper.folder / f"{store.part}.yaml"
        rows: list[Any] = [*items]
        return path, (Create(path, render({store.key: rows})),)
    entries = entries_of(source)
    entries.recall()
    is_bare = entries.is_bare
    written = [_to_bare(item, store) for item in items] if is_bare else items
    edits = yaml_splice.add_items(source.data, "" if is_bare else store.key, written)
    return source.path, source.splices(edits)


def _writable(source: Source, entry: Entry) -> StoreEntries:
    need_writable(source, entry)
    entries = entries_of(source)
    entries.recall()
    return entries


def _new_item(
    ground: Ground, store: Store, fields: Mapping[str, Json], name: str, *, foreign: bool
) -> dict[str, Any]:
    """Return the item as it will be read: defaults, in the order of the tables."""
    model = RECORDS[store.kind]
    today = ground.given.clock.today().isoformat()
    item: dict[str, Any] = {"id": name}
    given = {**fields} if foreign else whole({}, fields)
    if store.kind == DECISION:
        given.setdefault("decision", given.get("title"))
        given.setdefault("title", given.get("decision"))
    for field, default in DEFAULTS[store.kind].items():
        value = given.pop(field, None)
        if value is None:
            value = list(default) if isinstance(default, tuple) else default
        if field == "source" and value is None:
            value = {"type": "manual", "ref": "user-added", "date": today}
        if not _is_empty(value) or field in (model.text_field, "superseded_by"):
            item[field] = value
    item |= {field: value for field, value in given.items() if not _is_empty(value)}
    unknown = [field for field in given if field not in field_names(model) and field != "id"]
    if unknown and not foreign:
        raise NotPossible(_no_field(store.kind, unknown[0]), hint=_fields_hint(store.kind))
    _, faults = read_record(model, item)
    if faults:
        raise NotPossible(faults[0].message, hint=faults[0].hint)
    if not str(item[model.text_field]).strip():
        raise NotPossible(f"`{model.text_field}` is empty", hint="write what agents should know")
    return item


def _is_empty(value: object) -> bool:
    """Tell whether a field says nothing; an empty list of roles says everyone."""
    if isinstance(value, Mapping):
        return all(map(_is_empty, value.values()))
    return value is None or (isinstance(value, str) and not value.strip())


def _to_bare(item: Mapping[str, Any], store: Store) -> dict[str, Any]:
    """Return an item under the names that a file with a bare list has (FORMATS 1.1)."""
    source = item["source"]
    named: dict[str, Any] = {}
    for field, value in item.items():
        if field == RECORDS[store.kind].text_field:
            named["text"] = value
        elif field == "source":
            named |= {"source": source["type"], "created": source["date"]}
        else:
            named[field] = value
    if source["type"] in ("retro", "review_gate") and "seen" not in named:
        # One word is left of where it came from, and the retro it was met in has to be known.
        named["seen"] = [{"ref": source.get("ref", ""), "date": source.get("date", "")}]
    return named


def _as_in_file(
    entries: StoreEntries, item: Mapping[str, Any], entry: Entry, wanted: Mapping[str, Any]
) -> dict[str, Any]:
    """Return field names as this item has them: a bare list says `text` for the rule."""
    if not entries.is_bare:
        return dict(wanted)
    field = RECORDS[entry.kind].text_field
    if field in item:
        return dict(wanted)
    return {"text" if name == field else name: value for name, value in wanted.items()}


def _superseding(
    source: Source, entries: StoreEntries, entry: Entry, wanted: dict[str, Any]
) -> dict[str, Any]:
    """Naming the decision that takes its place also takes the old one out of force."""
    successor = wanted.get("superseded_by")
    if not successor:
        return wanted
    names = entries.spans.ids
    if successor == entry.ref.id or successor not in names:
        raise NotPossible(
            f"there is no other decision `{successor}` in `{source.path.name}`",
            hint="write the id of the decision that replaces it",
        )
    return {**wanted, "status": wanted.get("status", "superseded")}


def _check(
    entries: StoreEntries, item: Mapping[str, Any], entry: Entry, wanted: Mapping[str, Any]
) -> None:
    """Refuse fields and values that the kind does not have."""
    model = RECORDS[entry.kind]
    known = {*field_names(model), *item}
    for name, value in wanted.items():
        if name not in known:
            raise NotPossible(_no_field(entry.kind, name), hint=_fields_hint(entry.kind))
        if name == "id":
            need_free(str(value or ""), entries.spans.ids)
        if name == model.text_field and not str(value or "").strip():
            raise NotPossible(f"`{name}` is empty", hint="remove the entry instead")
    after = {**item, **wanted}
    named = from_bare(entry.kind, after) if entries.is_bare else after
    _, faults = read_record(model, {k: v for k, v in named.items() if v is not None})
    for fault in faults:
        if fault.field.split(".")[0] in wanted:
            raise NotPossible(fault.message, hint=fault.hint)
    if "status" in wanted:
        _, wrong = read_status(wanted["status"], model.words)
        if wrong is not None:
            raise NotPossible(wrong.message, hint=wrong.hint)


def _no_field(kind: str, name: str) -> str:
    return f"a SNIPER {kind.replace('_', '-')} has no field `{name}`"


def _fields_hint(kind: str) -> str:
    names = ", ".join(f"`{name}`" for name in DEFAULTS[kind])
    return f"its fields are {names}"
