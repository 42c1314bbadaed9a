"""Reads Shaktra's records and says what is wrong with them beyond a type (FORMATS 5.1).

Nothing raises: a value that cannot be used gives way to one that can, beside a fault.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from remem.model.entry import Status
from remem.model.record import (
    Fault,
    Path,
    Record,
    read_record,
    read_status,
)
from remem.systems.shaktra.records import (
    CATEGORIES,
    CHECK,
    FINDING,
    PHASES,
    PRINCIPLE,
    PROCEDURE,
    RECORDS,
    RELATIONSHIPS,
    START,
    TYPES,
    WORKFLOWS,
    IncidentSettings,
    MemorySettings,
    Observation,
    Principle,
    Settings,
    Stored,
    plain,
)

PENALTIES: Final = ("confidence_weaken", "confidence_contradict")
LEAST_IMPORTANT: Final = 1
MOST_IMPORTANT: Final = 10
ENTRY_ID: Final = re.compile(r"(?:PR|AP|PC)-\d+")
SHORTEST: Final = 20
LONGEST: Final = 500
"""Characters that a principle may have."""
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_COUNTED: Final = ("id", "type", "text", "principle_id", "relationship")


def read_stored(kind: str, value: Mapping[str, Any]) -> tuple[Stored, Status, tuple[Fault, ...]]:
    """Return an entry's record, its status and what is wrong with it, each field once."""
    model = RECORDS[kind]
    record, faults = read_record(model, value)
    if not 0 <= record.confidence <= 1:
        usable = {**value, "confidence": _share(record.confidence)}
        record, _ = read_record(model, usable)
    status, wrong = read_status(record.status, model.words)
    late = (*_missing(value, model.REQUIRED), *_entry_faults(record, value))
    return record, status, _once(*faults, *late, *((wrong,) if wrong else ()))


def read_observation(value: Mapping[str, Any]) -> tuple[Observation, tuple[Fault, ...]]:
    """Return an observation and what is wrong with it, each field once."""
    record, faults = read_record(Observation, value)
    late = (*_missing(value, Observation.REQUIRED), *_observation_faults(record, value))
    return record, _once(*faults, *late)


def keeps_from_counting(fault: Fault) -> bool:
    """Tell whether an observation cannot be made sense of with this fault."""
    field = str(fault.path[0]) if fault.path else ""
    if field == "importance":
        return fault.code != "missing"
    return field in _COUNTED and fault.code in ("missing", "value")


def read_settings(value: Mapping[str, Any]) -> tuple[Settings, tuple[Fault, ...]]:
    """Return the settings; of a number that makes no sense its default, of a penalty its amount."""
    settings, faults = read_record(Settings, value)
    memory, of_memory = _numbers(MemorySettings, settings.memory, "memory", _memory_number)
    incident, of_incident = _numbers(IncidentSettings, settings.incident, "incident", _multiplier)
    return Settings(memory=memory, incident=incident), (*faults, *of_memory, *of_incident)


def _once(*faults: Fault) -> tuple[Fault, ...]:
    known: dict[Path, Fault] = {}
    for fault in faults:
        known.setdefault(fault.path[:1], fault)
    return tuple(known.values())


def _missing(value: Mapping[str, Any], required: tuple[str, ...]) -> Iterator[Fault]:
    for name in required:
        if value.get(name) is None:
            yield Fault("missing", (name,), f"`{name}` is missing", f"add `{name}`")


def _share(found: float) -> float:
    return START if math.isnan(found) else min(1.0, max(0.0, found))


def _wrong(name: str, found: object, wanted: str, hint: str = "") -> Fault:
    return Fault("value", (name,), f"`{name}` is {_shown(found)}, {wanted}", hint)


def _shown(found: object) -> str:
    return f"`{found}`"


def _entry_faults(record: Stored, value: Mapping[str, Any]) -> Iterator[Fault]:
    prefix = record.prefix
    if not re.fullmatch(rf"{prefix}-\d+", record.id):
        yield _wrong("id", record.id, f"not `{prefix}-` and digits", f"write `{prefix}-001`")
    if not record.says.strip():
        name = record.text_field
        yield Fault("value", (name,), f"`{name}` is empty", "write what agents should know")
    held = value.get("confidence")
    if isinstance(held, int | float) and not 0 <= held <= 1:
        yield _wrong("confidence", held, "not from 0 to 1", "the nearest of these is used")
    if record.kind == PRINCIPLE and isinstance(record, Principle):
        yield from _principle_faults(record)
    count = getattr(record, "source_count", 1)
    if count < 0:
        yield _wrong("source_count", count, "below 0", "write how many observations support it")
    if record.kind == PROCEDURE:
        yield from _unknown_words("applies_to", getattr(record, "applies_to", ()), WORKFLOWS)
    for name in ("created", "last_reinforced"):
        text = getattr(record, name, None)
        if text and not is_date(text):
            yield _wrong(name, text, "not a date", 'write `"2026-05-04"`')


def _principle_faults(record: Principle) -> Iterator[Fault]:
    if record.text.strip() and not SHORTEST <= len(record.text) <= LONGEST:
        message = f"`text` has {len(record.text):,} characters"
        yield Fault("value", ("text",), message, f"{SHORTEST} to {LONGEST} are expected")
    yield from _unknown_words("categories", record.categories, CATEGORIES)
    for name, found, limit in (
        ("categories", record.categories, 3),
        ("guidance", record.guidance, 5),
    ):
        if not 1 <= len(found) <= limit:
            hint = f"1 to {limit} are expected"
            yield Fault("value", (name,), f"`{name}` has {len(found)} items", hint)


def _unknown_words(name: str, found: tuple[str, ...], known: tuple[str, ...]) -> Iterator[Fault]:
    for word in found:
        if plain(word) not in known:
            names = ", ".join(f"`{each}`" for each in known)
            yield _wrong(name, word, "which is not allowed", f"allowed: {names}")


def is_date(text: str) -> bool:
    """Tell whether a text begins with a day that there is."""
    match = _DATE.match(text)
    if match is None:
        return False
    try:
        date.fromisoformat(match[0])
    except ValueError:
        return False
    return len(text) == len(match[0]) or text[len(match[0])] in "Tt "


def _observation_faults(record: Observation, value: Mapping[str, Any]) -> Iterator[Fault]:
    if not re.fullmatch(r"OB-\d+", record.id):
        yield _wrong("id", record.id, "not `OB-` and digits", "write `OB-001`")
    if record.type not in TYPES:
        yield _wrong("type", value.get("type"), "which is not an observation type", _one_of(TYPES))
    if not record.text.strip():
        yield Fault("value", ("text",), "`text` is empty", "say what was noticed")
    if not LEAST_IMPORTANT <= record.importance <= MOST_IMPORTANT:
        yield _wrong("importance", record.importance, "not from 1 to 10", "10 is the maximum")
    if record.phase and plain(record.phase) not in PHASES:
        yield _wrong("phase", record.phase, "which is not a phase", _one_of(PHASES))
    if record.type == FINDING and record.resolved is None:
        hint = "say whether it is resolved; until then it is read as not resolved"
        yield Fault("missing", ("resolved",), "`resolved` is missing", hint)
    if record.type == CHECK:
        yield from _check_faults(record, value)


def _check_faults(record: Observation, value: Mapping[str, Any]) -> Iterator[Fault]:
    if not record.principle_id:
        hint = "write the id of the entry that was checked"
        yield Fault("missing", ("principle_id",), "`principle_id` is missing", hint)
    elif not ENTRY_ID.fullmatch(record.principle_id):
        yield _wrong("principle_id", record.principle_id, "not an id", "write `PR-001`")
    if record.relationship is None:
        hint = _one_of(RELATIONSHIPS)
        yield Fault("missing", ("relationship",), "`relationship` is missing", hint)
    elif record.relationship not in RELATIONSHIPS:
        found = value.get("relationship")
        yield _wrong("relationship", found, "which is unknown", _one_of(RELATIONSHIPS))


def _one_of(words: tuple[str, ...]) -> str:
    return f"write one of {', '.join(f'`{word}`' for word in words)}"


def _numbers(
    model: type[Any], found: Record, part: str, judge: Callable[[str, float], str]
) -> tuple[Any, tuple[Fault, ...]]:
    """Return settings in which every number makes sense, and a fault for each that did not."""
    defaults, kept, faults = model(), dict[str, float](), list[Fault]()
    for name, default in vars(defaults).items():
        if name.startswith("_"):
            continue
        held = getattr(found, name)
        wanted = judge(name, held)
        kept[name] = held
        if wanted and name in PENALTIES and -1 <= held < 0:
            kept[name] = -held
            hint = f"it is read as `{-held:g}`; write it without the sign"
            faults.append(Fault("value", (part, name), f"`{part}.{name}` is `{held:g}`", hint))
        elif wanted:
            kept[name] = default
            message = f"`{part}.{name}` is `{held:g}`, {wanted}"
            hint = f"the default `{default:g}` is used"
            faults.append(Fault("value", (part, name), message, hint))
    return model(**kept), tuple(faults)


def _memory_number(name: str, held: float) -> str:
    """Return why a number makes no sense; empty = it does."""
    if name.startswith(("confidence_", "briefing_")):
        return "" if 0 <= held <= 1 else "not from 0 to 1"
    return "" if held >= 0 else "below 0"


def _multiplier(name: str, held: float) -> str:
    return "" if 0 <= held < math.inf else "below 0"
