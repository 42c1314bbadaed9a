"""Retros as documents: one entry for each thing that they found (FORMATS 1.7).

What comes of a finding is decided in `systems/sniper/retro/retro_rules.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from remem.base.lazy_pattern import lazy_pattern
from remem.core.library import Library
from remem.edit.yaml_read import Document, parse_document
from remem.model.entry import Entry, Problem, Ref, Status, WholeFile, digest_of
from remem.model.record import (
    Fault,
)
from remem.model.source import Source
from remem.systems.sniper.records import FINDING
from remem.systems.sniper.retro.retro_files import files_of
from remem.systems.sniper.retro.retro_record import Finding, Retro, Shape, read_retro

WRONG_SPRINT: Final = "wrong-sprint"
MOST: Final = 10_000
"""Findings that are read of one retro."""
_SPRINT: Final = lazy_pattern(r"sprint-(\d+)-")
_LISTS: Final = (
    "new_conventions",
    "new_anti_patterns",
    "review_gate_failures",
    "estimation_calibration",
    "positive_patterns",
)
_PROTOCOL_LISTS: Final = ("went_well", "needs_improvement", "action_items", "learning_ids")


def read_findings(source: Source) -> Source:
    """Return the source with one entry for each finding, in file order."""
    document, retro = parsed(source)
    problems = tuple(replace(problem, path=source.path) for problem in document.problems)
    if retro is None:
        wrong = () if problems else (_not_a_mapping(source),)
        return replace(source, problems=(*source.problems, *problems, *wrong))
    if len(retro.findings) > MOST:
        wrong = (_too_many(source, document, retro),)
        return replace(source, problems=(*source.problems, *problems, *wrong))
    faults = (
        *(_problem(source, document, fault) for fault in retro.faults),
        *_oddities(source, document, retro),
    )
    entries = tuple(_entry(source, document, retro, finding) for finding in retro.findings)
    return replace(source, entries=entries, problems=(*source.problems, *problems, *faults))


def parsed(source: Source) -> tuple[Document, Retro | None]:
    """Return the file and the retro in it; `None` where it is not readable as one."""
    return _parsed(source.data)


def held(library: Library) -> list[Source]:
    """Return the retros, the one that was held first first; of those of one day by their sprint."""
    return sorted(files_of(library), key=age_of)


def age_of(source: Source) -> tuple[str, int, str]:
    """Return what orders retros, the one that was held first first."""
    _, retro = parsed(source)
    day, sprint = ("", 0) if retro is None else (retro.date, retro.sprint or 0)
    return day, sprint, source.path.stem


def finding_of(source: Source, entry: Entry) -> tuple[Retro, Finding] | None:
    """Return the finding that an entry stands for, with its retro."""
    _, retro = parsed(source)
    if retro is None:
        return None
    finding = _named(source.data).get(entry.ref.id.removeprefix(f"{source.path.stem}/"))
    return None if finding is None else (retro, finding)


def raw_item(source: Source, finding: Finding) -> Any:
    """Return a finding as its file has it: a mapping or a text."""
    value: Any = parsed(source)[0].value
    below: Any = value.get("findings") if isinstance(value, Mapping) else None
    found = below if isinstance(below, Mapping) else {}
    for lists in (found, found.get("estimation_calibration"), value):
        if isinstance(lists, Mapping) and finding.section in lists:
            return lists[finding.section][finding.number - 1]
    raise KeyError(finding.section)


@lru_cache(maxsize=64)
def _parsed(data: bytes) -> tuple[Document, Retro | None]:
    document = parse_document(data)
    value = {} if document.value is None and not document.problems else document.value
    return document, read_retro(value) if isinstance(value, Mapping) else None


@lru_cache(maxsize=64)
def _named(data: bytes) -> Mapping[str, Finding]:
    _, retro = _parsed(data)
    return {f"{each.section}/{each.number}": each for each in (retro.findings if retro else ())}


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
        status=_status(finding),
        at=WholeFile(source.path),
        # Of the finding alone: another one that changes does not make this one stale.
        digest=digest_of(item.encode("utf-8", "surrogatepass")),
        roles=finding.roles or None,
        context=finding.section,
        date=retro.date,
        problems=tuple(_problem(source, document, fault) for fault in finding.faults),
    )


def _status(finding: Finding) -> Status:
    if finding.waits:
        return Status.CANDIDATE
    return Status.IGNORED if finding.recommendation == "ignore" else Status.FINDING


def sprint_named(stem: str) -> int | None:
    """Return the sprint that a file's name tells: 7 of `sprint-7-retro`."""
    match = _SPRINT.match(f"{stem}-")
    return int(match[1]) if match else None


def _oddities(source: Source, document: Document, retro: Retro) -> Iterator[Problem]:
    """Yield what a retro holds and nothing can come of."""
    if retro.shape is Shape.UNKNOWN:
        return
    named = sprint_named(source.path.stem)
    is_sprint = retro.shape is Shape.SPRINT
    if is_sprint and named is not None and retro.sprint is not None and named != retro.sprint:
        line = line_of(document.lines, ("sprint",))
        message = f"the file name says sprint {named}, the content says sprint {retro.sprint}"
        yield Problem(WRONG_SPRINT, message, "fix `sprint`, or rename the file", source.path, line)
    value: Any = document.value
    found = value.get("findings")
    known = _LISTS if is_sprint else _PROTOCOL_LISTS
    for name in found if isinstance(found, Mapping) else ():
        if name not in known:
            line = line_of(document.lines, ("findings", name))
            message = f"`findings.{name}` is not a retro category and is ignored"
            hint = f"the categories are {', '.join(f'`{each}`' for each in known)}"
            yield Problem("unknown-category", message, hint, source.path, line)
    for finding in retro.findings:
        if not finding.text.strip():
            path = ("findings", finding.section, finding.number - 1)
            message = f"finding {finding.number} of `{finding.section}` has no text"
            hint = "add a text, or remove it"
            yield Problem("no-text", message, hint, source.path, line_of(document.lines, path))


def _too_many(source: Source, document: Document, retro: Retro) -> Problem:
    last = retro.findings[MOST]
    line = line_of(document.lines, ("findings", last.section, last.number - 1))
    message = f"the retro has {len(retro.findings):,} findings; only {MOST:,} are read"
    return Problem("too-many", message, _SPLIT, source.path, line, blocks_writing=True)


_SPLIT: Final = "keep what several stories show, or split the file"


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
