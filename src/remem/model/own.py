"""What remem keeps itself in `.remem/`: rejections and proposals (FORMATS 7)."""

from __future__ import annotations

from typing import Annotated, Any

from remem.model.marks import Shaped
from remem.model.record import Record


class Rejection(Record):
    """A proposal that a person does not want to see again."""

    fingerprint: Annotated[str, Shaped("^[0-9a-f]{64}$")]
    kind: str
    text: str
    reason: str
    by: str
    date: str
    source: str
    """Retro stem, pack file, `mcp`, or story id."""


class Rejections(Record):
    """The file of all rejections."""

    rejected: tuple[Rejection, ...] = ()


class Proposal(Record):
    """A candidate that has no home in its format yet."""

    kind: str
    """The entry kind that it would become."""
    target: str = ""
    """Name of the format that it would go to; empty = the one that keeps that kind."""
    fields: dict[str, Any]
    evidence: str = ""
    by: str = ""
    door: str = ""
    date: str = ""
    why: str = ""
    """Why it waits for a person, as one sentence."""
