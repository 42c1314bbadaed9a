"""What remem keeps itself in `.remem/` of the gate: what it found, and what stood before."""

from __future__ import annotations

from typing import Annotated

from remem.model.record import Record, Shaped


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


class Accepted(Record):
    """Places of a rule that the gate does not tell any more."""

    rule: str
    """Its ref, as people write it."""
    text: str = ""
    """What it said then."""
    reason: str = ""
    """Why they are no violations; empty = they stood there when the baseline was made."""
    by: str = ""
    date: str = ""
    places: tuple[str, ...] = ()
    """`path#mark` each; `*3` behind one that stood there three times."""


class Baseline(Record):
    """The file of all places that the gate does not tell any more."""

    baseline: tuple[Accepted, ...] = ()
