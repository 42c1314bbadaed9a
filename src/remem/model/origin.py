"""Where an entry came from, as its own record says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from remem.model.change import Json
from remem.model.marks import Before, lower
from remem.model.record import Record
from remem.model.tolerant import read_record


class Origin(Record):
    """Where an entry came from."""

    type: Annotated[Literal["review_gate", "retro", "manual", "imported", ""], Before(lower)] = ""
    ref: str = ""
    date: str = ""
    story: str | None = None


def origin_of(fields: Mapping[str, Json]) -> Origin | None:
    """Return where an entry came from, as far as its fields tell."""
    source = fields.get("source")
    if isinstance(source, str):
        return Origin(type="", ref=source)
    return read_record(Origin, source)[0] if isinstance(source, Mapping) else None
