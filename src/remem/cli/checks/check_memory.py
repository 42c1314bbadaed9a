"""What `check --memory` adds: faults of memory itself, each with its weight.

It gathers what the rooms find, what systems find missing or doubtful in their entries, and what any
entry hides, and judges nothing anew but how much a fault weighs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.cli.json_pieces import path_of
from remem.core.checks.issues import issues
from remem.core.checks.secrets import examine
from remem.core.checks.suspicious import HIDDEN_CHARACTERS
from remem.core.library import Library
from remem.core.relation.pairs import pairs, problem_of
from remem.core.repositories import views
from remem.model.change import Json, texts_in
from remem.model.detect import Severity
from remem.model.entry import Entry, FileSpan, Problem
from remem.model.source import Source

_HIGH: Final = frozenset(
    {"secret", "hidden-characters", "contradiction", "duplicate-id", "no-successor", "no-text"}
)
_LOW: Final = frozenset(
    {"no-rationale", "no-role", "no-context", "no-alternatives", "near-duplicate", "no-source"}
    | {"not-read"}
)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with memory."""

    ref: str
    """Of the entry; empty = it is about a file."""
    problem: Problem

    @property
    def severity(self) -> Severity:
        if self.problem.blocks_writing or self.problem.code in _HIGH:
            return Severity.HIGH
        return Severity.LOW if self.problem.code in _LOW else Severity.MEDIUM


def faults(library: Library) -> tuple[Fault, ...]:
    """Return what is wrong with memory, each thing once, in a steady order."""
    return tuple(dict.fromkeys(fault for view in views(library) for fault in _faults(view)))


def _faults(library: Library) -> Iterator[Fault]:
    for source, entry, problem in library.problems():
        path = problem.path or (path_of(entry.at) if entry is not None else source.path)
        yield Fault(_name(library, entry), replace(problem, path=path))
    found = [*issues(library)]
    told = {_said(each.problem) for each in found}
    for entry, problem in lint(library):
        if _said(problem) not in told:
            yield Fault(_name(library, entry), problem)
    for pair in pairs(library):
        yield Fault(_name(library, pair.second), problem_of(library, pair))
    for issue in found:
        yield Fault(library.short(issue.ref) if issue.ref is not None else "", issue.problem)


def _said(problem: Problem) -> tuple[Path | None, str, str]:
    """Return what is told once of a file; of hidden characters its own row has all of them."""
    is_whole = problem.code == HIDDEN_CHARACTERS
    return problem.path, problem.code, "" if is_whole else problem.message


def _name(library: Library, entry: Entry | None) -> str:
    return library.short(entry.ref) if entry is not None else ""


def lint(library: Library) -> Iterator[tuple[Entry, Problem]]:
    """Yield what is missing from entries and what is hidden in them, in file order."""
    for system in library.formats:
        found = system.facets.faults(library) if system.facets.faults is not None else ()
        yield from ((entry, _at(library.source_of(entry), entry, each)) for entry, each in found)
    # What only waits is read when it comes into memory.
    waits = {kind for system in library.formats for kind in system.facets.settles}
    for source in library.sources:
        for entry in source.entries:
            if entry.kind not in waits:
                fields = library.format_of(entry).reader.fields(source, entry)
                yield from ((entry, _at(source, entry, each)) for each in _hidden(fields, entry))


def _hidden(fields: Mapping[str, Json], entry: Entry) -> Iterator[Problem]:
    texts = dict.fromkeys((entry.title, *texts_in(fields)))
    for text in texts:
        for found in examine(text):
            hint = "check it with `remem show`, then fix or reject the entry"
            yield Problem(found.kind.value, found.message, hint)


def _at(source: Source, entry: Entry, problem: Problem) -> Problem:
    """Say where in its file an entry with a problem begins."""
    line = source.data.count(b"\n", 0, entry.at.start) + 1 if isinstance(entry.at, FileSpan) else 0
    return Problem(problem.code, problem.message, problem.hint, source.path, line, 0, problem.field)
