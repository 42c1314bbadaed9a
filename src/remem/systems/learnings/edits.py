"""Changes of learnings as bytes: fields, a status, a new record, a move to the archive.

What an event does to a record is `systems/learnings/events.py`'s concern; here it meets the file.
What would be written is read again first: only what the schema allows is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from typing import Any, Final

from remem.base.clock import time_text
from remem.base.errors import NotPossible, Refused
from remem.core.system import Addition, Ground
from remem.core.waiting.item import hashed
from remem.edit import yaml_splice
from remem.edit.lines import spliced
from remem.edit.patch import splice_to
from remem.edit.yaml_edit import REMOVE
from remem.edit.yaml_write import render
from remem.model.change import Create, Delete, Effect, Json, Move, Splice
from remem.model.entry import Entry, Ref, Status
from remem.model.record import field_names
from remem.model.source import MEND, Source
from remem.systems.learnings import events, upgrade
from remem.systems.learnings.events import Fields, Told
from remem.systems.learnings.read import parsed
from remem.systems.learnings.read_any_shape import Reading, read_learning, without_nulls
from remem.systems.learnings.records import (
    ACTIVE,
    DEPRECATED,
    DRAFT,
    HUMAN,
    LEARNING,
    STARTS,
    Learning,
    is_expired,
)
from remem.systems.learnings.source import ARCHIVE, FOLDER, SIGNAL, SIGNALS, LearningSource

EDITABLE: Final = ("learning", "anti_pattern", "correction", "scope", "expires_at", "source")
"""What a person may set; the rest is told by events."""
_INNER: Final[Mapping[str, tuple[str, ...]]] = {
    "scope": ("agents", "phases", "files"),
    "source": ("type", "protocol_id", "detail"),
}
_DIGITS: Final = 4


def writable_reading(source: LearningSource) -> Reading:
    """Return a record that an event may be added to, of an older shape as the schema wants it.

    Raises:
        Refused: The file is read-only here.
        NotPossible: It has an older shape, and has to be upgraded first.
    """
    return _writable(source)[1]


def _writable(source: LearningSource) -> tuple[LearningSource, Reading]:
    """Return what events are added to: the source, or what an upgrade would make of it."""
    found = parsed(source)
    if found.reading is None or any(problem.blocks_writing for problem in found.problems):
        wrong = source.why_read_only or f"`{source.path.name}` holds no record that can be read"
        raise Refused(wrong, hint=MEND)
    if found.reading.is_writable:
        return source, found.reading
    today = upgrade.in_place(source)
    reading = None if today is None else parsed(today).reading
    if today is None or reading is None or not reading.is_writable:
        fault = next(each for each in found.reading.faults if each.code != "unknown-key")
        raise NotPossible(
            f"`{source.name}` does not match the schema: {fault.message}",
            hint=f"`remem learn upgrade {LEARNING}:{source.ref.id}` fixes that first",
        )
    return today, reading


def write(source: LearningSource, fields: Fields) -> tuple[Splice, ...]:
    """Plan to set fields of a record, `None` takes one out; what comes of it is checked.

    Raises:
        NotPossible: The schema does not allow it.
        Refused: The bytes cannot be changed without risk to others.
    """
    if not fields:
        return ()
    today, reading = _writable(source)
    plain = {name: each for name, each in {**reading.plain, **fields}.items() if each is not None}
    after = read_learning(plain, stem=source.path.stem)
    if not after.is_writable:
        fault = next(each for each in after.faults if each.code != "unknown-key")
        raise NotPossible(fault.message, hint=fault.hint)
    held = parsed(today).fields
    raw = {name: _as_held(held.get(name), each) for name, each in fields.items()}
    changed = {
        name: REMOVE if each is None else each
        for name, each in raw.items()
        if each is not None or name in held
    }
    try:
        splices = today.splices(yaml_splice.set_keys(today.data, changed))
    except Refused as error:
        raise Refused(f"`{source.path.name}`: {error}", hint=error.hint) from error
    if today is source:
        return splices
    written = spliced(today.data, splices)
    return splice_to(source.path, source.data, written, source.digest)


def _as_held(old: object, new: Json) -> Any:
    """Return a list with the items that were there as they were there, nulls included."""
    if not isinstance(old, list) or not isinstance(new, list):
        return new
    plain = without_nulls({"": old})[""]
    held = [was if bare == now else now for was, bare, now in zip(old, plain, new, strict=False)]
    return [*held, *new[len(held) :]]


def set_fields(
    source: LearningSource, fields: Mapping[str, Json], told: Told
) -> tuple[Effect, ...]:
    """Plan to change what a record says, as one event.

    Raises:
        NotPossible: There is no such field, or only events change it.
    """
    if source.part != LEARNING:
        raise NotPossible("a signal cannot be edited", hint="approve it, then edit the learning")
    reading = writable_reading(source)
    wanted = _whole(reading, fields)
    changed = {name: each for name, each in wanted.items() if reading.plain.get(name) != each}
    return write(source, events.edited(reading, told, changed)) if changed else ()


def _whole(reading: Reading, fields: Mapping[str, Json]) -> Fields:
    """Return fields by their own names, dotted ones put into what their field holds."""
    wanted: Fields = {}
    for path, given in fields.items():
        name, _, inner = ("learning" if path == "text" else path).partition(".")
        if name not in EDITABLE or (inner and inner not in _INNER.get(name, ())):
            raise NotPossible(_not_editable(path), hint=_fields_hint(name))
        if not inner:
            wanted[name] = given
            continue
        held = wanted.get(name, reading.plain.get(name))
        whole = {**held, inner: given} if isinstance(held, Mapping) else {inner: given}
        left: Fields = {key: each for key, each in whole.items() if each is not None}
        wanted[name] = left or None
    return wanted


def _not_editable(path: str) -> str:
    if path.partition(".")[0] in field_names(Learning):
        return f"`{path}` of a learning cannot be set by hand"
    return f"a learning has no field `{path}`"


def _fields_hint(name: str) -> str:
    if name in ("status", "confidence", "history"):
        return "`remem archive` retires it; `remem learn confirm` and others change it"
    return f"you can set {', '.join(f'`{each}`' for each in EDITABLE)}"


def set_status(
    source: LearningSource, entry: Entry, status: Status, told: Told
) -> tuple[Effect, ...]:
    """Plan the event that gives a record one of the five words.

    Raises:
        NotPossible: No event does.
    """
    if source.part != LEARNING:
        raise NotPossible("a signal has no status", hint="approve it or reject it")
    reading = writable_reading(source)
    match status:
        case Status.ACTIVE:
            return _into_force(source, reading, told)
        case Status.INVALID:
            return write(source, events.invalidated(reading, told))
        case Status.ARCHIVED if reading.record.status != DEPRECATED:
            return write(source, events.deprecated(reading, told))
        case Status.SUPERSEDED if entry.status is not Status.SUPERSEDED:
            raise NotPossible(
                "a learning is superseded by another one",
                hint="`remem learn supersede OLD --by NEW`",
            )
        case Status.CANDIDATE if entry.status is not Status.CANDIDATE:
            raise NotPossible("an active learning cannot become a draft", hint="archive it instead")
        case _:
            return ()


def _into_force(source: LearningSource, reading: Reading, told: Told) -> tuple[Effect, ...]:
    """A draft is approved, a retired one restored, and one that waits is kept or confirmed."""
    record = reading.record
    if source.archived:
        return _out_of_archive(source, reading, told)
    if record.status == DRAFT:
        return write(source, events.approved(reading, told))
    if record.status == DEPRECATED:
        return write(source, events.restored(reading, told))
    if is_expired(record, source.clock.today()):
        return write(source, events.kept(reading, told))
    return write(source, events.confirmed(reading, told)) if events.is_doubted(record) else ()


def _out_of_archive(source: LearningSource, reading: Reading, told: Told) -> tuple[Effect, ...]:
    home = source.path.parent.with_name(FOLDER.name) / source.path.name
    if reading.record.status != DEPRECATED:
        return (Move(source.path, home, source.digest),)
    data = spliced(source.data, write(source, events.restored(reading, told)))
    return (Create(home, data), Delete(source.path, source.data, source.digest))


def to_archive(source: LearningSource) -> Move:
    """Plan to move a record, or a signal, to its archive; the bytes stay."""
    folder = source.path.parent.with_name(ARCHIVE.name)
    folder = folder / SIGNALS.name if source.part == SIGNAL else folder
    return Move(source.path, folder / source.path.name, source.digest)


def add_all(
    ground: Ground,
    sources: Sequence[Source],
    several: Sequence[Mapping[str, Json]],
    told: Told | None = None,
) -> tuple[Addition, ...]:
    """Plan new records, each in a file of its own.

    Raises:
        NotPossible: A field of one of them is wrong.
    """
    told = told or Told(time_text(ground.given.clock.now()))
    taken = {source.path.stem for source in sources}
    additions: list[Addition] = []
    for fields in several:
        name = _new_id(fields, told, taken)
        taken.add(name)
        path = ground.root / FOLDER / f"{name}.yaml"
        create = Create(path, render(_new_record(name, fields, told)))
        additions.append(Addition(Ref(LEARNING, name, ground.project), path, (create,)))
    return tuple(additions)


def _new_id(fields: Mapping[str, Json], told: Told, taken: Set[str]) -> str:
    """Return an id made of what the record says, counted on from there past those that are taken.

    Planned twice it is the same, so that a plan names the file that is then written.
    """
    day = told.time[:10].replace("-", "")
    first = int(hashed(json.dumps(fields, sort_keys=True))[:_DIGITS], 16)
    for number in range(first, first + 16**_DIGITS):
        name = f"L-{day}-{number % 16**_DIGITS:0{_DIGITS}x}"
        if name not in taken:
            return name
    raise NotPossible(f"all ids `L-{day}` are taken", hint="archive learnings of that day")


def _new_record(name: str, fields: Mapping[str, Json], told: Told) -> dict[str, Any]:
    """Return a record in the order of the schema, with the start values of its source."""
    given: dict[str, Any] = {**fields}
    if "text" in given:
        given.setdefault("learning", given.pop("text"))
    given.setdefault("source", {"type": HUMAN})
    origin = given["source"]
    kind = origin.get("type", HUMAN) if isinstance(origin, Mapping) else HUMAN
    given.setdefault("confidence", STARTS.get(kind, STARTS[HUMAN]))
    status = given.get("status", ACTIVE)
    given["status"] = DRAFT if status == Status.CANDIDATE else status
    created: Fields = {"timestamp": told.time, "event": "created", "actor": told.actor}
    if told.detail:
        created["detail"] = told.detail
    given |= {"id": name, "created_at": told.time, "history": [created]}
    unknown = next((each for each in given if each not in field_names(Learning)), None)
    if unknown is not None:
        raise NotPossible(f"a learning has no field `{unknown}`", hint=_fields_hint(unknown))
    if not str(given.get("learning") or "").strip():
        raise NotPossible("`learning` is empty", hint="write what agents should know")
    item = {key: given[key] for key in field_names(Learning) if given.get(key) not in (None, "")}
    faults = read_learning(item, stem=name).faults
    if faults:
        raise NotPossible(faults[0].message, hint=faults[0].hint)
    return item
