"""Turns the bytes of a learning or a signal into its entry, with a problem for each wrong field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Final, Literal

from remem.base.frozen import dataclass
from remem.edit.markdown import front_matter_end
from remem.edit.yaml_read import Document, parse_document
from remem.model.entry import Entry, Problem, Status, WholeFile, digest_of
from remem.model.record import (
    Fault,
    Record,
    Word,
    dotted,
    read_record,
)
from remem.systems.learnings.read_any_shape import UPGRADE, Reading, read_learning, without_nulls
from remem.systems.learnings.records import LEARNING, Learning, status_of, time_of
from remem.systems.learnings.source import SIGNAL, VELOCITY, LearningSource, OneEntry

_BOLD: Final = re.compile(r"\*\*(learning|anti-pattern|correction):?\*\*:?\s*", re.IGNORECASE)
_HEADING: Final = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
_SETTLED: Final = re.compile(
    rb"^status:[ \t]*[\"']?(?:active|validated|deprecated)[\"']?[ \t]*(?:#.*)?\r?$", re.MULTILINE
)
_MAY_ASK: Final = (b"expires_at", b"recurrence_detected", b"contradicted_by")
_MAX: Final = 1 << 20
_UPGRADE: Final = "learn.upgrade"
"""The verb that puts older shapes right."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What the file of a record holds."""

    reading: Reading | None
    """`None` where it is no record at all."""
    fields: Mapping[str, Any]
    """As the file has them."""
    problems: tuple[Problem, ...]


def read(source: LearningSource, data: bytes) -> LearningSource:
    """Return the source with its one entry, not yet parsed, or with what is wrong with the file."""
    source = replace(source, data=data, digest=digest_of(data), problems=source.placed)
    match source.part:
        case part if part == LEARNING:
            return replace(source, entries=OneEntry(source.ref, lambda: _entry(source)))
        case part if part == SIGNAL:
            return _read_signal(source)
        case part if part == VELOCITY:
            document = parse_document(data)
            problems = _file_problems(source, document, "executions")
            return replace(source, problems=(*source.placed, *problems))
        case _:
            return source


def may_wait(source: LearningSource) -> bool:
    """Tell from the bytes alone whether the record may wait for a person."""
    data = source.data
    if source.part != LEARNING or any(sign in data for sign in _MAY_ASK):
        return True
    return b"status" in data and len(_SETTLED.findall(data)) != 1


def parsed(source: LearningSource) -> Parsed:
    """Return what a record's file holds."""
    return _parsed(source.data, source.path.stem, source.is_markdown)


def reading_of(source: LearningSource) -> Reading | None:
    """Return the record with what was wrong with it; `None` where the file holds none."""
    return parsed(source).reading


@lru_cache(maxsize=1024)
def _parsed(data: bytes, stem: str, is_markdown: bool) -> Parsed:
    if is_markdown:
        return _parsed_markdown(data, stem)
    document = parse_document(data)
    if not isinstance(document.value, Mapping):
        return Parsed(None, {}, document.problems or (_no_record(),))
    reading = read_learning(document.value, stem=stem)
    return Parsed(reading, document.value, _problems(document, reading.faults, 0))


def _parsed_markdown(data: bytes, stem: str) -> Parsed:
    end = front_matter_end(data)
    if not end or len(data) > _MAX:
        return Parsed(None, {}, (_no_record(),))
    lines = data[:end].splitlines(keepends=True)
    document = parse_document(b"".join(lines[1:-1]))
    if not isinstance(document.value, Mapping):
        return Parsed(None, {}, document.problems or (_no_record(),))
    body = data[end:].decode("utf-8", "replace").strip()
    heading = match[1] if (match := _HEADING.search(body)) else ""
    texts = _texts(body, heading)
    reading = read_learning(document.value, stem=stem, texts=texts, heading=heading)
    return Parsed(reading, {**document.value, **texts}, _problems(document, reading.faults, 1))


def _texts(body: str, heading: str) -> dict[str, str]:
    """Return the three texts of a Markdown body; without labels the whole body is the learning."""
    found: dict[str, str] = {}
    for paragraph in re.split(r"\r?\n[ \t]*\r?\n", body):
        label = _BOLD.match(paragraph.strip())
        if label is not None:
            name = label[1].casefold().replace("-", "_")
            found.setdefault(name, paragraph.strip()[label.end() :].strip())
    if "learning" in found:
        return found
    whole = _HEADING.sub("", body, count=1).strip() if heading else body
    return {**found, "learning": whole or heading}


def _problems(document: Document, faults: tuple[Fault, ...], offset: int) -> tuple[Problem, ...]:
    late = tuple(
        Problem(
            fault.code,
            fault.message,
            fault.hint,
            line=_line(document, fault.path, offset),
            field=dotted(fault.path),
            mends=_UPGRADE if fault.hint == UPGRADE else "",
        )
        for fault in faults
    )
    return (*document.problems, *late)


def _line(document: Document, path: tuple[int | str, ...], offset: int) -> int:
    while path:
        if path in document.lines:
            return document.lines[path] + offset
        path = path[:-1]
    return 1


def _no_record() -> Problem:
    hint = "add `id:`, `learning:` and the other fields, or remove the file"
    return Problem("shape", "this is not a learning record", hint, line=1, blocks_writing=True)


def _entry(source: LearningSource) -> tuple[Entry, Learning | None]:
    found = parsed(source)
    problems = tuple(replace(each, path=source.path) for each in found.problems)
    reading = found.reading
    if reading is None:
        broken = Entry(
            source.ref,
            LEARNING,
            source.path.stem,
            Status.INVALID,
            WholeFile(source.path),
            source.digest,
            problems=problems,
        )
        return broken, None
    record = reading.record
    when = record.updated_at or record.created_at
    entry = Entry(
        source.ref,
        LEARNING,
        record.learning or reading.heading or source.path.stem,
        status_of(record, archived=source.archived),
        WholeFile(source.path),
        source.digest,
        roles=record.scope.agents or None,
        rank=rank_of(record),
        date=when[:10],
        problems=problems,
        label=_label(found.fields, reading),
        phases=record.scope.phases,
    )
    return entry, record


def _label(fields: Mapping[str, Any], reading: Reading) -> str:
    """Return what older records call themselves: `title`, or the heading of a Markdown file."""
    title = fields.get("title")
    told = title if isinstance(title, str) else reading.heading
    return " ".join(told.split())


def rank_of(record: Learning) -> tuple[int | float | str, ...]:
    """Return a record's place in a prompt: sure ones first, then fresh ones, then by id."""
    when = time_of(record.updated_at or record.created_at)
    return (-record.confidence, -when.timestamp() if when else 0.0, record.id)


def _read_signal(source: LearningSource) -> LearningSource:
    document = parse_document(source.data)
    if not isinstance(document.value, Mapping):
        problems = _file_problems(source, document, "summary")
        return replace(source, problems=(*source.placed, *problems))
    signal, faults = read_signal(document.value)
    entry = Entry(
        source.ref,
        SIGNAL,
        signal.text or source.path.stem,
        Status.CANDIDATE,
        WholeFile(source.path),
        source.digest,
        context=signal.type,
        date=signal.timestamp[:10],
        problems=tuple(replace(each, path=source.path) for each in _problems(document, faults, 0)),
    )
    return replace(source, entries=(entry,))


def read_signal(value: Mapping[str, Any]) -> tuple[Signal, tuple[Fault, ...]]:
    """Read a signal, and what it lacks."""
    bare = without_nulls(value)
    signal, faults = read_record(Signal, bare)
    lacks = (
        Fault("missing", (name,), f"`{name}` is missing", f"add `{name}`")
        for name in REQUIRED
        if name not in bare
    )
    return signal, (*faults, *lacks)


def signal_of(source: LearningSource) -> Signal:
    """Return the signal that a file holds."""
    value = parse_document(source.data).value
    return read_signal(value if isinstance(value, Mapping) else {})[0]


def runs_of(source: LearningSource) -> tuple[Execution, ...]:
    """Return the runs of protocols that a velocity file tells of."""
    value = parse_document(source.data).value
    return read_record(Velocity, value)[0].executions if isinstance(value, Mapping) else ()


def fields_of(source: LearningSource) -> Mapping[str, Any]:
    """Return what a file says, as it says it."""
    if source.part == LEARNING:
        return parsed(source).fields
    value = parse_document(source.data).value
    return value if isinstance(value, Mapping) else {}


def _file_problems(source: LearningSource, document: Document, wanted: str) -> tuple[Problem, ...]:
    if isinstance(document.value, Mapping) and source.part == VELOCITY:
        _, faults = read_record(Velocity, document.value)
        found = _problems(document, faults, 0)
    else:
        hint = f"write `{wanted}:` and its value"
        wrong = Problem("shape", f"`{source.name}` has no `key: value` lines", hint, line=1)
        found = document.problems or (wrong,)
    return tuple(replace(each, path=source.path) for each in found)


SIGNAL_START: Final = 0.4
MANUAL_START: Final = 0.9
SOURCES: Final[Mapping[str, str]] = {
    "ci_failure": "ci_failure",
    "pr_review_comment": "pr_review",
    "production_error": "ci_failure",
    "manual": "human",
}
"""Type of signal → type of a learning's source."""


class Signal(Record):
    """One thing that was noticed while agents worked."""

    type: Annotated[
        Literal["ci_failure", "pr_review_comment", "production_error", "manual"], Word
    ] = "ci_failure"
    source: str = ""
    timestamp: str = ""
    summary: str = ""
    details: str | None = None
    learning: str | None = None
    relevance_tags: tuple[str, ...] | None = None
    affected_files: tuple[str, ...] | None = None

    @property
    def text(self) -> str:
        """What a learning of it would say."""
        return (self.learning or "").strip() or self.summary


REQUIRED: Final = ("type", "source", "timestamp", "summary")
"""What a signal has to say."""


class Execution(Record):
    """What one run of a protocol used."""

    protocol: str = ""
    completed_at: str = ""
    tokens_used: float | None = None
    wall_clock_seconds: float | None = None
    tokens_per_phase: Mapping[str, Any] | None = None


class Velocity(Record):
    """What protocols use on average; read only."""

    executions: tuple[Execution, ...] = ()
    rolling_averages: Mapping[str, Any] | None = None
    calibrated_budgets: Mapping[str, Any] | None = None
