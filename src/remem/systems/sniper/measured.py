"""What `retro run` measured of a sprint, as it stands below `measured` in the retro's file.

The retro's own readers pass it over; estimates are compared with it over sprints.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from remem.model.record import Record
from remem.model.tolerant import read_record

MEASURED: Final = "measured"
"""The key of a sprint retro."""


class StoryMeasured(Record):
    """One story of a sprint."""

    story: str
    points: float | None = None
    """As estimated."""
    actual: float | None = None
    """In points too: said by the stories file, else the effort by the effort of one point."""
    commits: int = 0
    files: int = 0
    added: int = 0
    removed: int = 0
    reviews: int = 0
    """Rounds of review that the commits show."""


class Measured(Record):
    """One sprint."""

    range: str = ""
    """As it was asked for; empty = no commits were looked at."""
    base: str = ""
    """The commit that the sprint began on."""
    head: str = ""
    commits: int = 0
    files: int = 0
    added: int = 0
    removed: int = 0
    unassigned: int = 0
    """Commits that belong to no story."""
    effort_per_point: float | None = None
    """What `actual` was divided by; the first sprint that was measured sets it."""
    estimated: float | None = None
    """Points of the stories that have both figures."""
    actual: float | None = None
    """Of the same stories."""
    stories: tuple[StoryMeasured, ...] = ()


def measured_of(retro: Mapping[str, Any]) -> Measured | None:
    """Return what a retro's file says was measured; `None` where nothing was."""
    found = retro.get(MEASURED)
    return read_record(Measured, found)[0] if isinstance(found, Mapping) else None
