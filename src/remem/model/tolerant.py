"""Reads plain values into a record: what does not fit becomes a fault, never an exception.

Which fields there are is the models' business, and where they stand in a file is the formats'.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from remem.model.decode import Fault, exact
from remem.model.entry import Status
from remem.model.record import Record

R = TypeVar("R", bound=Record)


def read_record(model: type[R], value: Mapping[str, Any]) -> tuple[R, tuple[Fault, ...]]:
    """Return the record and what was wrong with it, each failing field once.

    A text that arrives as a number or a truth value is taken as written, one text where a list is
    wanted is a list of one, and what cannot be read gives way to the field's default. The fields
    that a model requires are texts or mappings.
    """
    record = exact(model, value)
    if record is not None:
        return record, ()
    from remem.model.repair import mended

    return mended(model, value)


def read_status(word: object, own: Mapping[str, Status]) -> tuple[Status, Fault | None]:
    """Read a format's own status word as one of the five (FORMATS 0.3).

    Args:
        word: What the file holds; `None` = the key is missing.
        own: The words of this kind of record.
    """
    if word is None:
        return Status.ACTIVE, None
    plain = str(word).strip().casefold()
    if plain in own:
        return own[plain], None
    wanted = ", ".join(f"`{each}`" for each in own)
    fault = Fault(
        "value", ("status",), f"`status` is `{word}`, not one of {wanted}", "use one of them"
    )
    return _NEIGHBOURS.get(plain, Status.CANDIDATE), fault


_NEIGHBOURS: Final[Mapping[str, Status]] = {
    "active": Status.ACTIVE,
    "confirmed": Status.ACTIVE,
    "validated": Status.ACTIVE,
    "deprecated": Status.ARCHIVED,
    "archived": Status.ARCHIVED,
    "superseded": Status.SUPERSEDED,
    "draft": Status.CANDIDATE,
    "proposed": Status.CANDIDATE,
    "pending": Status.CANDIDATE,
    "candidate": Status.CANDIDATE,
}
