"""Where an entry came from, as its own record says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias, get_args

from remem.model.change import Json
from remem.model.record import Before, Record, lower, read_record

_Kind: TypeAlias = Literal["review_gate", "retro", "manual", "imported", ""]
_KINDS: Final = frozenset(get_args(_Kind))


class Origin(Record):
    """Where an entry came from."""

    type: Annotated[_Kind, Before(lower)] = ""
    ref: str = ""
    date: str = ""
    story: str | None = None


def origin_of(fields: Mapping[str, Json]) -> Origin | None:
    """Return where an entry came from, as far as its fields tell."""
    source = fields.get("source")
    if isinstance(source, str):
        return Origin(type="", ref=source)
    if not isinstance(source, Mapping):
        return None
    # Other systems' records have words of their own here: they tell nothing, and are no mistake.
    kind = source.get("type")
    known = (
        source if kind is None or str(kind).strip().lower() in _KINDS else {**source, "type": ""}
    )
    return read_record(Origin, known)[0]
