"""Reads a learning in whichever shape it was written, and says what does not conform (FORMATS 2.5).

Nothing raises, and nothing is changed: what an older shape means is put under the published names,
beside one fault for each field that is not as the schema wants it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from remem.base.frozen import dataclass
from remem.model.entry import Status
from remem.model.record import (
    Fault,
    Record,
    dotted,
    exact,
    field_names,
    read_record,
    read_status,
)
from remem.systems.learnings.records import (
    ID,
    WORDS,
    Event,
    Learning,
    Origin,
    Scope,
    is_time,
    time_of,
)

Plain: TypeAlias = dict[str, Any]

UPGRADE: Final = "`remem learn upgrade` converts it"
_RENAMED: Final = {"created": "created_at", "updated": "updated_at"}
_TIMES: Final = ("created_at", "updated_at", "expires_at")
_NUMBERED: Final = frozenset({"date", "applies_to", "effectiveness", "category"})
_PROVEN: Final = 0.8
_UNPROVEN: Final = 0.5
_OWN_WORD: Final = {
    Status.CANDIDATE: "draft",
    Status.ACTIVE: "active",
    Status.ARCHIVED: "deprecated",
    Status.SUPERSEDED: "deprecated",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """A learning as it was understood."""

    record: Learning
    plain: Plain
    """What the file says under the published names, without nulls; unknown keys kept."""
    faults: tuple[Fault, ...] = ()
    """In the names and places of the file."""
    assumed: tuple[str, ...] = ()
    """Of `status` and `confidence`, what the file does not say."""
    heading: str = ""

    @property
    def is_writable(self) -> bool:
        """True when a verb may add to it: at most keys that the schema does not know are wrong."""
        return all(fault.code == "unknown-key" for fault in self.faults)

    @property
    def conforms(self) -> bool:
        return not self.faults


def read_learning(
    value: Mapping[str, Any],
    *,
    stem: str,
    texts: Mapping[str, str] | None = None,
    heading: str = "",
) -> Reading:
    """Read one record.

    Args:
        value: What its file, or its front matter, holds.
        stem: Name of the file without its ending, which the id should be.
        texts: What a Markdown body says; such a file is not as the schema wants it.
        heading: The body's first heading.
    """
    bare = without_nulls(value)
    if texts is None and set(Learning.REQUIRED) <= bare.keys() and not _has_days(bare):
        record = exact(Learning, bare)
        if record is not None and 0 <= record.confidence <= 1:
            return Reading(record, bare, tuple(_faults(record, bare, stem)), ())
    plain, faults = _published({**bare, **(texts or {})})
    if texts is not None:
        message = "this is Markdown; a learning is a `.yaml` file"
        faults.insert(0, Fault("shape", (), message, UPGRADE))
    faults += _mend_words(plain)
    assumed = tuple(name for name in ("status", "confidence") if name not in plain)
    record, wrong = read_record(Learning, plain)
    known = {fault.path[:1] for fault in faults}
    late = (*wrong, *_faults(record, plain, stem))
    seen: dict[tuple[int | str, ...], Fault] = {}
    for fault in (*faults, *(each for each in late if each.path[:1] not in known)):
        seen.setdefault(fault.path, fault)
    return Reading(record, plain, tuple(seen.values()), assumed, heading)


def without_nulls(value: Mapping[str, Any]) -> Plain:
    """Return a mapping without what is null: that stands for absent (FORMATS 2.2)."""
    return {
        key: without_nulls(each)
        if isinstance(each, Mapping)
        else [without_nulls(item) if isinstance(item, Mapping) else item for item in each]
        if isinstance(each, list)
        else each
        for key, each in value.items()
        if each is not None
    }


def _published(value: Mapping[str, Any]) -> tuple[Plain, list[Fault]]:
    """Put what older shapes say under the published names."""
    if isinstance(value.get("source"), str) and _NUMBERED & value.keys():
        return _from_numbered(value)
    plain, faults = Plain(), list[Fault]()
    for key, each in value.items():
        name = _RENAMED.get(key, key)
        if name != key and name not in value:
            faults.append(Fault("shape", (key,), f"rename key `{key}` to `{name}`", UPGRADE))
            plain[name] = as_time(str(each))
        else:
            plain[key] = each
    source = plain.get("source")
    if isinstance(source, str):
        faults.append(Fault("shape", ("source",), "`source` is text, not a mapping", UPGRADE))
        plain["source"] = {"type": "retro", "protocol_id": source}
    elif isinstance(source, Mapping):
        plain["source"] = _source(source, plain, faults)
    return plain, faults


def _source(source: Mapping[str, Any], plain: Plain, faults: list[Fault]) -> Plain:
    found = Plain(source)
    if "protocol" in found and "protocol_id" not in found:
        message = "rename key `source.protocol` to `source.protocol_id`"
        faults.append(Fault("shape", ("source", "protocol"), message, UPGRADE))
        found["protocol_id"] = found.pop("protocol")
    if "phase" in found:
        message = "`source.phase` belongs in `scope.phases`"
        faults.append(Fault("shape", ("source", "phase"), message, UPGRADE))
        phase, scope = found.pop("phase"), plain.get("scope", {})
        if isinstance(scope, Mapping) and not scope.get("phases"):
            plain["scope"] = {**scope, "phases": [phase]}
    return found


def _from_numbered(value: Mapping[str, Any]) -> tuple[Plain, list[Fault]]:
    """Read `L001-slug.yaml`: flat, with a protocol for its source and phases as `applies_to`."""
    proven = str(value.get("effectiveness", "")).strip().casefold() == "proven"
    told = [f"{name}: {value[name]}" for name in ("category", "title") if value.get(name)]
    told += [f"was {value['id']}"] if value.get("id") else []
    plain: Plain = {
        "id": value.get("id", ""),
        "status": "validated" if proven else "active",
        "confidence": _PROVEN if proven else _UNPROVEN,
        "source": {
            "type": "retro",
            "protocol_id": value["source"],
            **({"detail": "; ".join(told)} if told else {}),
        },
        "learning": value.get("learning", ""),
    }
    if "date" in value:
        plain["created_at"] = as_time(str(value["date"]))
    phases = value.get("applies_to")
    if phases:
        plain["scope"] = {"phases": [phases] if isinstance(phases, str) else phases}
    flat = {"id", "source", "learning", "date", "applies_to", "effectiveness", "category", "title"}
    plain |= {key: each for key, each in value.items() if key not in flat}
    return plain, [Fault("shape", (), "old record format (v1)", UPGRADE)]


def as_time(value: str) -> str:
    """Return a bare date as the midnight that begins it; anything else as it is."""
    is_day = len(value) == len("2026-05-04") and time_of(value) is not None
    return f"{value}T00:00:00Z" if is_day else value


def _is_day(value: object) -> bool:
    return value is not None and as_time(str(value)) != str(value)


def _has_days(value: Mapping[str, Any]) -> bool:
    """Tell whether a day stands where a time should."""
    items = value.get("history")
    held = (item.get("timestamp") for item in _mappings(items))
    return any(map(_is_day, (*map(value.get, _TIMES), *held)))


def _mappings(items: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(items, list):
        yield from (item for item in items if isinstance(item, Mapping))


def _mend_days(plain: Plain) -> Iterator[Fault]:
    """Take days as the midnights that begin them."""
    for name in _TIMES:
        if _is_day(plain.get(name)):
            yield Fault("value", (name,), f"`{name}` is a date without a time", UPGRADE)
            plain[name] = as_time(str(plain[name]))
    items = plain.get("history")
    if not isinstance(items, list):
        return
    history = [*items]
    for number, item in enumerate(items):
        if isinstance(item, Mapping) and _is_day(item.get("timestamp")):
            path = ("history", number, "timestamp")
            message = f"`history.{number + 1}.timestamp` is a date without a time"
            yield Fault("value", path, message, UPGRADE)
            history[number] = {**item, "timestamp": as_time(str(item["timestamp"]))}
    plain["history"] = history


def _mend_words(plain: Plain) -> list[Fault]:
    """Take words and numbers as they were meant, so that the record can be read."""
    faults = [*_mend_days(plain)]
    if "status" in plain:
        status, fault = read_status(plain["status"], WORDS)
        word = str(plain["status"]).strip().casefold()
        plain["status"] = word if word in WORDS else _OWN_WORD[status]
        faults += [fault] if fault is not None else []
    given = plain.get("confidence")
    if given is not None and not _is_share(given):
        found = f"the text `{given}`" if isinstance(given, str) else f"`{given}`"
        message = f"`confidence` is {found}, not a number from 0 to 1"
        faults.append(Fault("value", ("confidence",), message, "write it like `0.5`"))
        del plain["confidence"]
    return faults


def _is_share(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, int | float) and 0 <= value <= 1


def _faults(record: Learning, plain: Plain, stem: str) -> Iterator[Fault]:
    """Yield what the schema would say, and an id that is not the file's name."""
    for name in Learning.REQUIRED:
        if name not in plain:
            yield Fault("missing", (name,), f"`{name}` is missing", f"add `{name}`")
    yield from _wrong_id(record, stem)
    if "learning" in plain and not record.learning.strip():
        yield Fault(
            "missing", ("learning",), "`learning` is empty", "write what agents should know"
        )
    for name in _TIMES:
        yield from _wrong_time((name,), getattr(record, name))
    yield from _wrong_parts(plain)
    yield from _unknown((), plain, Learning)
    for name, model in (("source", Origin), ("scope", Scope)):
        held = plain.get(name)
        if isinstance(held, Mapping):
            yield from _unknown((name,), held, model)


def _wrong_id(record: Learning, stem: str) -> Iterator[Fault]:
    if not record.id:
        return
    if not ID.fullmatch(record.id):
        message = f"`id` is `{record.id}`, not like `L-20260504-7be1`"
        yield Fault("value", ("id",), message, UPGRADE)
    elif record.id != stem:
        message = f"`id` is `{record.id}`, and the file is called `{stem}`"
        yield Fault("value", ("id",), message, "give the file the name of the id")


def _wrong_parts(plain: Plain) -> Iterator[Fault]:
    source = plain.get("source")
    if isinstance(source, Mapping) and "type" not in source:
        yield Fault("missing", ("source", "type"), "`source.type` is missing", "add `type: human`")
    items = plain.get("history")
    for number, item in enumerate(items if isinstance(items, list) else ()):
        if not isinstance(item, Mapping):
            continue
        for name in ("timestamp", "event"):
            if name not in item:
                field = f"history.{number + 1}.{name}"
                path = ("history", number, name)
                yield Fault("missing", path, f"`{field}` is missing", f"add `{name}`")
        yield from _unknown(("history", number), item, Event)
        yield from _wrong_time(("history", number, "timestamp"), str(item.get("timestamp", "")))


def _wrong_time(path: tuple[int | str, ...], text: str) -> Iterator[Fault]:
    if text and not is_time(text):
        message = f"`{dotted(path)}` is `{text}`, not a time"
        yield Fault("value", path, message, "write it like `2026-05-04T10:00:00Z`")


def _unknown(
    path: tuple[int | str, ...], value: Mapping[str, Any], model: type[Record]
) -> Iterator[Fault]:
    names = field_names(model)
    for key in value:
        if key not in names:
            message = f"unknown key in a learning: `{dotted((*path, key))}`"
            yield Fault("unknown-key", (*path, key), message, UPGRADE)
