"""What systems find missing or doubtful in their entries, and what any entry hides.

It mends nothing. What a file breaks outright is told by reading it; what two entries have in
common by comparing them elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from remem.core.checks.secrets import examine
from remem.core.library import Library
from remem.model.change import Json, texts_in
from remem.model.entry import Entry, FileSpan, Problem
from remem.model.source import Source


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
