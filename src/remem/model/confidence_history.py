"""What the history of a confidence is made of: its events, and the thresholds around where it is.

A system reads it from its files in its `confidence.py`; the doors draw it.
"""

from __future__ import annotations

from itertools import pairwise

from remem.base.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One event, with what it did to the confidence; `None` = the history does not tell."""

    time: str
    event: str
    delta: float | None
    before: float | None
    after: float | None
    by: str
    detail: str
    story: str = ""
    """The story that it happened in, for formats that count in stories."""
    about_before: bool = False
    """`before` is reckoned back across an end of the scale: it may have been nearer to that."""
    about_after: bool = False


@dataclass(frozen=True, slots=True)
class Threshold:
    """A confidence at which something changes."""

    at: float
    means: str
    """What happens there, one clause: `it is validated`."""
    away: str
    """What it would take: `2 reinforcements`, `3 idle steps`."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The confidence of one entry over time."""

    now: float
    approximate: bool
    """The file does not say; it is read as this."""
    status: str
    rows: tuple[Row, ...]
    """Oldest first."""
    up: Threshold | None
    """The next one above."""
    down: Threshold | None
    """The next one below."""
    what_if: tuple[str, ...] = ()
    """What one more event of a kind would do, and what waits; each without a full stop."""

    @property
    def points(self) -> tuple[float, ...]:
        """The confidence after each event, as far as it is known, oldest first.

        Where events happened in stories, it is that after each story.
        """
        told = [row for row in self.rows if row.after is not None][:1]
        known = [row.before for row in told if row.before is not None]
        last = [
            row
            for row, following in pairwise((*self.rows, None))
            if row is not None
            and (following is None or not row.story or row.story != following.story)
        ]
        return (*known, *(row.after for row in last if row.after is not None))
