"""Contracts between repositories: browsed and validated, never composed and never written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from remem.edit.yaml_read import Document, parse_document
from remem.edit.yaml_write import render
from remem.model.entry import Entry, Problem, Ref, Status, WholeFile, digest_of
from remem.model.record import (
    dotted,
    read_record,
)
from remem.model.source import Source
from remem.model.workspace import Repository
from remem.systems.sniper.retro.retro_entries import line_of
from remem.systems.workspace.records import CONTRACT, Contract, contracts_in

PART: Final = "contracts"
_VERSION: Final = re.compile(r"\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?")


def read_contracts(source: Source, repositories: tuple[Repository, ...]) -> Source:
    """Return the file with one entry for each contract in it, and what is wrong with them."""
    document = _parsed(source.data)
    problems = [replace(problem, path=source.path) for problem in document.problems]
    value = document.value
    if value is not None and not isinstance(value, Mapping) and not problems:
        message = "not a contract: it has no `key: value` lines"
        problems.append(
            Problem("shape", message, "write `contract:` with its name", source.path, 1)
        )
    entries: list[Entry] = []
    taken: set[str] = set()
    for path, raw in contracts_in(value):
        entry = _entry(source, document, path, raw, repositories)
        if entry.ref.id in taken:
            entry = replace(entry, ref=replace(entry.ref, id=f"{entry.ref.id}/{len(entries) + 1}"))
        taken.add(entry.ref.id)
        entries.append(entry)
    return replace(source, entries=tuple(entries), problems=(*source.problems, *problems))


def record_of(source: Source, entry: Entry) -> Contract | None:
    """Return the contract of an entry."""
    raw = fields_of(source, entry)
    return read_record(Contract, raw)[0] if raw else None


def fields_of(source: Source, entry: Entry) -> Mapping[str, Any]:
    """Return what a contract says."""
    number = next((n for n, each in enumerate(source.entries) if each.ref == entry.ref), None)
    found = contracts_in(_parsed(source.data).value)
    return found[number][1] if number is not None and number < len(found) else {}


def body_of(source: Source, entry: Entry) -> str:
    """Return a contract as its file has it; one of several as its values."""
    if len(source.entries) == 1:
        return source.data.decode("utf-8", "replace")
    return render(dict(fields_of(source, entry))).decode("utf-8", "replace")


@lru_cache(maxsize=64)
def _parsed(data: bytes) -> Document:
    return parse_document(data)


def _entry(
    source: Source,
    document: Document,
    path: tuple[int | str, ...],
    raw: Mapping[str, Any],
    repositories: tuple[Repository, ...],
) -> Entry:
    record, faults = read_record(Contract, raw)
    head = record.contract
    stem = source.path.name.removesuffix(source.path.suffix).removesuffix(".contract")
    name = head.name.strip() or "/".join((stem, *(str(p + 1) for p in path if isinstance(p, int))))
    wrong = [
        *((fault.path, fault.code, fault.message, fault.hint) for fault in faults),
        *_oddities(record, repositories),
    ]
    version = f" {head.version}" if head.version else ""
    between = f": {' and '.join(head.between)}" if head.between else ""
    return Entry(
        ref=Ref(source.format, f"{CONTRACT}/{name}", source.place),
        kind=CONTRACT,
        title=f"{name}{version}{between}",
        status=Status.ACTIVE,
        at=WholeFile(source.path),
        digest=digest_of(repr(raw).encode("utf-8", "surrogatepass")),
        date=head.last_updated,
        problems=tuple(
            Problem(
                code,
                message,
                hint,
                source.path,
                line_of(document.lines, (*path, *at)),
                field=dotted(at),
            )
            for at, code, message, hint in wrong
        ),
    )


def _oddities(
    record: Contract, repositories: tuple[Repository, ...]
) -> Iterator[tuple[tuple[int | str, ...], str, str, str]]:
    """Yield what a contract says that cannot be, with where it says it."""
    head = record.contract
    if head.version and not _VERSION.fullmatch(head.version):
        message = f"`version` is `{head.version}`, which is not a semantic version"
        yield ("contract", "version"), "value", message, "write it like `1.4.0`"
    if head.between and len(head.between) < 2:
        message = "a contract needs at least two repositories"
        yield ("contract", "between"), "value", message, "name consumer and provider"
    for at, name in _named(record):
        if repositories and not any(each.is_called(name) for each in repositories):
            message = f"`{name}` is not a repository of this workspace"
            yield at, "unknown-repository", message, "fix the name, or list the repository"
    seen: set[tuple[str, str]] = set()
    for number, each in enumerate(record.endpoints):
        key = (each.method.upper(), each.path)
        if key in seen:
            message = f"`{each.method} {each.path}` is listed twice"
            yield ("endpoints", number), "duplicate", message, "keep one of them"
        seen.add(key)


def _named(record: Contract) -> Iterator[tuple[tuple[int | str, ...], str]]:
    """Yield every repository that a contract names, with where it does."""
    for number, name in enumerate(record.contract.between):
        yield ("contract", "between", number), name
    for number, shared in enumerate(record.shared_types):
        if shared.repo:
            yield ("shared_types", number, "repo"), shared.repo
    for number, event in enumerate(record.events):
        if event.producer:
            yield ("events", number, "producer"), event.producer
        for place, name in enumerate(event.consumers):
            yield ("events", number, "consumers", place), name
