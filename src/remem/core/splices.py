"""Edits of one file as effects: what a verb plans, bound to the bytes that it was planned on."""

from __future__ import annotations

from collections.abc import Iterable

from remem.edit.yaml_edit import Edit
from remem.model.change import Splice
from remem.model.source import Source


def as_splices(source: Source, edits: Iterable[Edit]) -> tuple[Splice, ...]:
    """Return the edits of a source's file as effects."""
    return tuple(
        Splice(
            source.path,
            edit.start,
            edit.end,
            source.data[edit.start : edit.end],
            edit.new,
            source.digest,
        )
        for edit in edits
    )
