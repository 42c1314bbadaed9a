"""One learning of an older shape as the schema wants it.

Nothing that a record says is lost. A file that is YAML already and has the name of its id is
changed where it stands. Any other becomes a new file, under an id that the same record gets each
time (FORMATS 2.5).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

from remem.base.errors import Already, NotPossible, Refused
from remem.edit import yaml_edit, yaml_splice
from remem.edit.lines import spliced
from remem.edit.markdown import front_matter_end
from remem.edit.patch import splice_to
from remem.edit.yaml_edit import REMOVE
from remem.edit.yaml_read import parse_document
from remem.edit.yaml_write import render
from remem.model.change import Create, Delete, Effect, Splice
from remem.model.entry import Ref
from remem.model.record import Record, field_names
from remem.model.source import MEND
from remem.systems.learnings.read import parsed, read
from remem.systems.learnings.read_any_shape import Plain, Reading, read_learning, without_nulls
from remem.systems.learnings.records import ID, Event, Learning, Origin, time_of
from remem.systems.learnings.source import LearningSource

_RENAMED: Final = re.compile(rb"^(created|updated)(?=[ \t]*:)", re.MULTILINE)
_LABEL: Final = re.compile(r"\*\*(?:learning|anti-pattern|correction):?\*\*", re.IGNORECASE)
NAMING: Final = ("reinforced_by", "contradicted_by", "superseded_by")
"""Fields that hold ids of other learnings."""
_NONE: Final[Mapping[str, str]] = {}
_TOLD: Final = frozenset({"effectiveness", "phase"})
"""Older keys whose meaning goes into another field, in other words."""


def upgraded(
    source: LearningSource,
    *,
    status: str = "",
    confidence: float | None = None,
    renamed: Mapping[str, str] = _NONE,
) -> tuple[Ref, tuple[Effect, ...]]:
    """Plan to write a record as the schema wants it.

    Args:
        source: The record as it stands.
        status: Confidence for files without one.
        confidence: Confidence for files without one.
        renamed: Old id → new id of the others that are upgraded with it.

    Raises:
        NotPossible: It is so already, or something has to be said first.
        Refused: It cannot be read, or something in it would be lost.
    """
    found = parsed(source)
    if found.reading is None or any(problem.blocks_writing for problem in found.problems):
        raise Refused(f"`{source.path}` cannot be read", hint=MEND)
    reading = found.reading
    if reading.conforms:
        raise Already(f"`{source.name}` is up to date", hint="nothing to upgrade")
    item = _item(source, reading, status, confidence)
    item |= new_names(item, renamed)
    name = item["id"]
    if name == source.path.stem and not source.is_markdown:
        after = _in_place(source, item)
        return source.ref, splice_to(source.path, source.data, after, source.digest)
    target = source.path.with_name(f"{name}.yaml")
    effects = (Create(target, render(item)), Delete(source.path, source.data, source.digest))
    return Ref(source.ref.format, name, source.ref.place), effects


def new_names(held: Plain, renamed: Mapping[str, str]) -> Plain:
    """Return the fields that name other learnings as those are called from now on, if any does."""
    found: Plain = {}
    for name in NAMING:
        value = held.get(name)
        if isinstance(value, list):
            names = [renamed.get(each, each) if isinstance(each, str) else each for each in value]
            found |= {name: names} if names != value else {}
        elif isinstance(value, str) and value in renamed:
            found[name] = renamed[value]
    return found


def _item(source: LearningSource, reading: Reading, status: str, confidence: float | None) -> Plain:
    given = {"status": status or None, "confidence": confidence}
    plain = {**reading.plain, **{name: each for name, each in given.items() if each is not None}}
    for name in reading.assumed:
        if given[name] is None:
            raise NotPossible(
                f"`{source.name}` has no `{name}`",
                hint="say it: `--confidence 0.5`" if name == "confidence" else "`--status active`",
            )
    record = read_learning(plain, stem=source.path.stem).record
    item: Plain = {
        name: _plain(getattr(record, name)) for name in field_names(Learning) if name in plain
    }
    item["created_at"] = record.created_at or _created(record)
    item["source"] = _origin(source, reading, record)
    old = str(plain.get("id", ""))
    if not ID.fullmatch(old):
        item["id"] = _repeatable_id(old, record, item["created_at"])
    ordered = {name: item[name] for name in field_names(Learning) if name in item}
    faults = read_learning(ordered, stem=str(item["id"])).faults
    if faults:
        raise NotPossible(f"`{source.name}`: {faults[0].message}", hint=faults[0].hint)
    _refuse_losing(source, ordered)
    return ordered


def _plain(value: Any) -> Any:
    """Return a value of a record as a file has it; what is empty or unknown stays out."""
    if isinstance(value, Record):
        told = {n: _plain(getattr(value, n)) for n in field_names(type(value))}
        kept = {name: each for name, each in told.items() if each not in ("", [], {})}
        if isinstance(value, Event) and value.unknown:
            kept["detail"] = "; ".join(filter(None, (value.detail, *_told(value.unknown))))
        return kept
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _told(unknown: Mapping[str, Any]) -> Iterator[str]:
    for key, each in unknown.items():
        yield f"{key}: {', '.join(map(str, each)) if isinstance(each, list) else each}"


def _origin(source: LearningSource, reading: Reading, record: Learning) -> Plain:
    """Return where it came from, with all that the schema has no other place for."""
    told = [*_told(record.unknown), *_told(record.source.unknown), *_told(record.scope.unknown)]
    told += [f"title: {reading.heading}"] if reading.heading else []
    told += [f"notes: {text}"] if (text := _more(source)) else []
    old, detail = record.id, record.source.detail
    if old and not ID.fullmatch(old) and f"was {old}" not in detail:
        told.append(f"was {old}")
    whole = Origin(
        type=record.source.type,
        protocol_id=record.source.protocol_id,
        detail="; ".join(filter(None, (detail, *told))),
    )
    made: Plain = _plain(whole)
    return made


def _more(source: LearningSource) -> str:
    """Return what a Markdown body says beside its heading and the three texts."""
    if not source.is_markdown:
        return ""
    body = source.data[front_matter_end(source.data) :].decode("utf-8", "replace").strip()
    if not _LABEL.search(body):
        return ""
    parts = re.split(r"\r?\n[ \t]*\r?\n", body)
    more = [p.strip() for p in parts if not _LABEL.match(p.strip()) and not p.startswith("#")]
    return " ".join(" ".join(more).split())


def _created(record: Learning) -> str:
    """Return when it was made, as far as anything in it tells."""
    texts = (record.updated_at, *(each.timestamp for each in record.history))
    known = [text for text in texts if text and time_of(text)]
    day = re.search(r"(\d{4})(\d{2})(\d{2})", f"{record.id} {record.source.protocol_id}")
    if known:
        return min(known)
    if day is None:
        raise NotPossible("its creation time is unknown", hint="write `created_at` into the file")
    return f"{'-'.join(day.groups())}T00:00:00Z"


def _repeatable_id(old: str, record: Learning, created: str) -> str:
    digest = sha256(f"{old}\n{record.learning}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"L-{created[:10].replace('-', '')}-{digest[:4]}"


def _refuse_losing(source: LearningSource, item: Plain) -> None:
    """Hold the new record against the old one: every word that stood there stands here.

    Raises:
        Refused: One does not.
    """
    after = " ".join(_words(item))
    for key, each in without_nulls(parsed(source).fields).items():
        for word in () if key in _TOLD else _words(each):
            if word not in after:
                raise Refused(
                    f"`{source.name}`: `{word}` of `{key}` would be lost",
                    hint="fix that field in an editor first",
                )


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from () if key in _TOLD else _words(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _words(each)
    elif isinstance(value, str):
        yield " ".join(value.split())
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield f"{float(value):g}"


def _in_place(source: LearningSource, item: Plain) -> bytes:
    data = source.data
    held = parsed(source).fields
    if not {"created_at", "updated_at"} & held.keys():
        data = _RENAMED.sub(rb"\1_at", data)
    value = parse_document(data).value
    now = value if isinstance(value, Mapping) else {}
    changed = {name: each for name, each in item.items() if now.get(name) != each}
    gone = {name: REMOVE for name in now if name not in item}
    after = yaml_edit.apply(data, yaml_splice.set_keys(data, {**changed, **gone}))
    if parse_document(after).value != item:
        raise Refused(
            "the edit would change the meaning of the file", hint="edit the lines by hand"
        )
    return after


def in_place(source: LearningSource) -> LearningSource | None:
    """Return a record of an older shape as the schema wants it, read again.

    Returns:
        `None` where something has to be said first, something would be lost, or its file would
        get another name.
    """
    try:
        _, effects = upgraded(source)
    except (Already, NotPossible, Refused):
        return None
    splices = [each for each in effects if isinstance(each, Splice)]
    if len(splices) < len(effects):
        return None
    return read(source, spliced(source.data, splices))
