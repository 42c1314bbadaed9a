"""Retros as documents: one entry for each thing that they found (FORMATS 1.7).

What comes of a finding is decided in `curation/retro.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from remem.disk.yaml_read import Document, parse_document
from remem.model.entry import Entry, Problem, Ref, Status, WholeFile, digest_of
from remem.model.retro import FINDING, Finding, Retro, read_retro
from remem.model.source import Source
from remem.model.tolerant import Fault

PART: Final = "retro"


def read_findings(source: Source) -> Source:
    """Return the source with one entry for each finding, in file order."""
    document, retro = parsed(source)
    problems = tuple(replace(problem, path=source.path) for problem in document.problems)
    if retro is None:
        wrong = () if problems else (_not_a_mapping(source),)
        return replace(source, problems=(*source.problems, *problems, *wrong))
    faults = tuple(_problem(source, document, fault) for fault in retro.faults)
    entries = tuple(_entry(source, document, retro, finding) for finding in retro.findings)
    return replace(source, entries=entries, problems=(*source.problems, *problems, *faults))


def parsed(source: Source) -> tuple[Document, Retro | None]:
    """Return the file and the retro in it; `None` where it is not readable as one."""
    return _parsed(source.data)


def finding_of(source: Source, entry: Entry) -> tuple[Retro, Finding] | None:
    """Return the finding that an entry stands for, with its retro."""
    _, retro = parsed(source)
    if retro is None:
        return None
    name = entry.ref.id.removeprefix(f"{source.path.stem}/")
    found = (each for each in retro.findings if f"{each.section}/{each.number}" == name)
    finding = next(found, None)
    return None if finding is None else (retro, finding)


def raw_item(source: Source, finding: Finding) -> Any:
    """Return a finding as its file has it: a mapping or a text."""
    value = parsed(source)[0].value
    lists: Any = value.get("findings", {}) if isinstance(value, Mapping) else {}
    if finding.section not in lists:
        lists = lists.get("estimation_calibration", {})
    return lists[finding.section][finding.number - 1]


@lru_cache(maxsize=64)
def _parsed(data: bytes) -> tuple[Document, Retro | None]:
    document = parse_document(data)
    value = {} if document.value is None and not document.problems else document.value
    return document, read_retro(value) if isinstance(value, Mapping) else None


def _entry(source: Source, document: Document, retro: Retro, finding: Finding) -> Entry:
    item = json.dumps(raw_item(source, finding), sort_keys=True, default=str)
    return Entry(
        ref=Ref(
            source.format,
            f"{source.path.stem}/{finding.section}/{finding.number}",
            source.place,
        ),
        kind=FINDING,
        title=finding.text,
        status=Status.CANDIDATE if finding.waits else Status.ACTIVE,
        at=WholeFile(source.path),
        # Of the finding alone: another one that changes does not make this one stale.
        digest=digest_of(item.encode("utf-8", "surrogatepass")),
        roles=finding.roles or None,
        context=finding.section,
        date=retro.date,
        problems=tuple(_problem(source, document, fault) for fault in finding.faults),
    )


def _not_a_mapping(source: Source) -> Problem:
    hint = "write `sprint:` and `findings:`"
    return Problem("shape", "this is not a retro", hint, source.path, line=1)


def _problem(source: Source, document: Document, fault: Fault) -> Problem:
    line = line_of(document.lines, fault.path)
    return Problem(fault.code, fault.message, fault.hint, source.path, line, field=fault.field)


def line_of(lines: Mapping[tuple[int | str, ...], int], path: tuple[int | str, ...]) -> int:
    """Return the line of a field, or of the nearest one around it that is known; 0 = none."""
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return 0
