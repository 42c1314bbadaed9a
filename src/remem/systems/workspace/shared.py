"""What the newer shape of a workspace says by itself: texts and decisions in its configuration.

They have no fields but their text, so that they are read, listed and composed, and changed by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from remem.edit.yaml_read import Document, parse_document
from remem.model.entry import Entry, Problem, Ref, Status, WholeFile, digest_of
from remem.model.record import read_record
from remem.model.source import Source
from remem.systems.sniper.records import (
    ANTI_PATTERN,
    CONVENTION,
    DECISION,
    AntiPattern,
    Convention,
    Decision,
    Stored,
)
from remem.systems.workspace.records import ProjectsFile, SharedDecision

PART: Final = "shared"
_STEP: Final = {CONVENTION: 2, ANTI_PATTERN: 4, DECISION: 3}
"""Where each stands under a budget: no text says how severe it is."""


def read_shared(source: Source) -> Source:
    """Return the configuration with one entry for each text in it."""
    document, records = _parsed(source.data)
    problems = [replace(problem, path=source.path) for problem in document.problems]
    entries = tuple(_entry(source, document, name, record) for name, record in records.items())
    # Finding the workspace met them before.
    met = {replace(problem, blocks_writing=False) for problem in problems}
    others = (problem for problem in source.problems if problem not in met)
    return replace(source, entries=entries, problems=(*others, *problems))


def record_of(source: Source, entry: Entry) -> Stored | None:
    """Return a text as the record that a store would hold of it."""
    return _parsed(source.data)[1].get(entry.ref.id)


def fields_of(source: Source, entry: Entry) -> Mapping[str, Any]:
    """Return what the configuration says of an entry."""
    record = record_of(source, entry)
    if isinstance(record, Decision):
        named = {"id": record.id, "title": record.title, "decision": record.decision}
        date = record.source.date if record.source else ""
        return named | {"rationale": record.context or "", "date": date}
    return {record.text_field: record.text} if record is not None else {}


def part_of(kind: str) -> str:
    """Return the section of a prompt in which a kind stands."""
    return {CONVENTION: "conventions", ANTI_PATTERN: "anti-patterns", DECISION: "decisions"}[kind]


def _entry(source: Source, document: Document, name: str, record: Stored) -> Entry:
    line = document.lines.get(_path(name, record, document), 0)
    problems: tuple[Problem, ...] = ()
    if not record.text.strip():
        message = f"`{name}` has no text"
        problems = (Problem("no-text", message, "write it, or remove it", source.path, line),)
    return Entry(
        ref=Ref(source.format, name, source.place),
        kind=record.kind,
        title=record.text,
        status=Status.ACTIVE if record.text.strip() else Status.CANDIDATE,
        at=WholeFile(source.path),
        digest=digest_of(repr(record).encode("utf-8", "surrogatepass")),
        rank=(_STEP[record.kind],),
        date=record.source.date if record.source else "",
        problems=problems,
    )


def _path(name: str, record: Stored, document: Document) -> tuple[int | str, ...]:
    if isinstance(record, Decision):
        return ("shared", "architectural_decisions")
    key = "conventions" if isinstance(record, Convention) else "anti_patterns"
    return ("shared", key, int(name.rpartition("/")[2]) - 1)


@lru_cache(maxsize=8)
def _parsed(data: bytes) -> tuple[Document, Mapping[str, Stored]]:
    document = parse_document(data)
    value = document.value if isinstance(document.value, Mapping) else {}
    file, _ = read_record(ProjectsFile, {k: v for k, v in value.items() if v is not None})
    return document, dict(_records(file))


def _records(file: ProjectsFile) -> Iterator[tuple[str, Stored]]:
    shared = file.shared
    for number, text in enumerate(shared.conventions, 1):
        name = f"{PART}/conv/{number}"
        yield name, Convention(id=name, rule=text)
    for number, text in enumerate(shared.anti_patterns, 1):
        name = f"{PART}/ap/{number}"
        yield name, AntiPattern(id=name, description=text)
    taken: set[str] = set()
    for number, decision in enumerate(shared.architectural_decisions, 1):
        name = decision.id if decision.id and decision.id not in taken else f"{PART}/dec/{number}"
        taken.add(name)
        yield name, _decision(name, decision)


def _decision(name: str, decision: SharedDecision) -> Decision:
    text = decision.decision or decision.title
    read, _ = read_record(
        Decision,
        {
            "id": name,
            "title": decision.title or text,
            "decision": text,
            "context": decision.rationale,
            "source": {"type": "", "ref": "", "date": decision.date},
        },
    )
    return read
