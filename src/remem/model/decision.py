"""Decisions on what waits that a team shares: what was rejected, and what stays a candidate."""

from __future__ import annotations

from typing import Annotated

from remem.model.record import Record, Shaped


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


class KeptCandidate(Record):
    """A candidate that a person decided to keep as one."""

    ref: str
    """As people write it, without its place."""
    fingerprint: Annotated[str, Shaped("^[0-9a-f]{64}$")]
    """Of its kind, its text, and where it was met by then."""
    date: str
    by: str


class KeptCandidates(Record):
    """The file of all candidates that stay candidates."""

    kept: tuple[KeptCandidate, ...] = ()
