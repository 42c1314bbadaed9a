"""What remem keeps itself in `.remem/`: rejections, what was counted or found, proposals."""

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


class Consumed(Record):
    """An observation that a consolidation has counted."""

    story: str
    observation: str
    sha256: Annotated[str, Shaped("^[0-9a-f]{64}$")]
    """Of what it said; under the same id another one may come."""
    moved: dict[str, tuple[float, ...]] | None = None
    """Entry's id → its confidence before and after; `None` = counted before this was kept."""


class Consumptions(Record):
    """The file of all observations that were counted."""

    consolidated: tuple[Consumed, ...] = ()


class Place(Record):
    """Where the gate found a rule broken."""

    path: str
    """From the root, with slashes."""
    line: int = 0
    """From 1, when it was found."""
    mark: Annotated[str, Shaped("^[0-9a-f]{12}$")]
    """Stands for the path and the line's text: the same place found again has the same."""
    text: str = ""
    """The line; empty where a file lacks something, and where it is not to be copied."""


class GateFinding(Record):
    """A rule that the gate found broken, and that nobody looked at yet."""

    rule: str
    """Its ref, as people write it."""
    text: str
    """What it said then."""
    looked: str = ""
    """What was looked at; empty = what the work tree adds to the last commit."""
    date: str = ""
    places: tuple[Place, ...] = ()


class GateFindings(Record):
    """The file of all that the gate found and that waits."""

    findings: tuple[GateFinding, ...] = ()


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
