"""The whole text of an entry: what two of them are compared by.

A heading is no text: a log of decisions has many that are called `Alternatives considered`, and
what each of them decided stands below it.
"""

from __future__ import annotations

from remem.core.library import Library
from remem.model.entry import Entry, FileSpan
from remem.model.source import Source


def whole_text(source: Source, entry: Entry) -> str:
    """Return all that an entry says; its title where that is all."""
    if not source.is_headed:
        return entry.title
    at = entry.at
    span = source.data[at.start : at.end] if isinstance(at, FileSpan) else source.data
    return span.decode("utf-8-sig", "replace").strip()


def whole_of(library: Library, entry: Entry) -> str:
    """Return all that an entry of the library says."""
    return whole_text(library.source_of(entry), entry)
