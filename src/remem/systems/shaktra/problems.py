"""What observations name and memory does not hold: nothing comes of them until it is mended."""

from __future__ import annotations

from collections.abc import Iterator

from remem.core.checks.problem import Issue
from remem.core.library import Library
from remem.edit.yaml_parse import line_of
from remem.model.entry import FileSpan, Problem
from remem.systems.shaktra.records import CHECK, SHAKTRA, Observation
from remem.systems.shaktra.source import OBSERVATIONS, ListSource, stores_among


def unknown_ids(library: Library) -> Iterator[Issue]:
    """Yield the checks of entries that are not there, each with its line."""
    sources = library.of_format(SHAKTRA)
    if not sources:
        return
    known = {name for store in stores_among(sources) for name in store.index.ids}
    for source in sources:
        if not isinstance(source, ListSource) or source.part != OBSERVATIONS:
            continue
        for entry, item in zip(source.entries, source.items, strict=True):
            record = item.record
            if not isinstance(record, Observation) or record.type != CHECK or not item.counts:
                continue
            if record.principle_id in known or not isinstance(entry.at, FileSpan):
                continue
            message = f"`{record.id}` names `{record.principle_id}`, which is not there"
            line = line_of(source.data, entry.at.start)
            hint = "write the id of the entry that was checked"
            problem = Problem("unknown-id", message, hint, source.path, line, field="principle_id")
            yield Issue(problem, entry.ref)
