"""What `remem consolidate` and `remem migrate` print."""

from __future__ import annotations

from remem.model.report.base import Document, Part, Text


class ShareReport(Part):
    """What one observation does to an entry."""

    observation: Text
    """`STORY/OB-001`."""
    does: Text
    """`reinforce`, `weaken`, `contradict`, `repeat`."""
    delta: float
    after: float
    how: Text


class ConsolidatedReport(Part):
    """An entry that is there already, and what becomes of it."""

    ref: Text
    before: float
    after: float
    because: tuple[ShareReport, ...]
    status: Text
    """What it would be: `active`, `archived`, `superseded`."""
    why: Text
    """Of the status, where that changes."""


class NewReport(Part):
    """An entry that comes of observations."""

    kind: Text
    text: Text
    confidence: float
    observations: tuple[Text, ...]
    why: Text
    proposed: bool
    """It waits for a person."""


class MergedReport(Part):
    """Two entries that say the same."""

    stays: Text
    leaves: Text
    overlap: float


class ArchivedReport(Part):
    """An entry that goes out of force."""

    ref: Text
    confidence: float
    why: Text


class LeftReport(Part):
    """An observation that nothing comes of, and why."""

    observation: Text
    place: Text
    why: Text


class ConsolidateReport(Document):
    """`remem consolidate`: the whole plan, written or not."""

    story: Text
    applied: bool
    id: str
    """Of the change; empty where nothing was written."""
    entries: tuple[ConsolidatedReport, ...]
    new: tuple[NewReport, ...]
    merged: tuple[MergedReport, ...]
    archived: tuple[ArchivedReport, ...]
    dropped: tuple[LeftReport, ...]
    """Looked at, and not looked at again."""
    left_out: tuple[LeftReport, ...]
    """They count once they are mended, or fit in."""
    receipt: Text


class MigratedReport(Part):
    """One principle, and what it was."""

    ref: Text
    was: Text
    text: Text
    confidence: float
    status: Text


class MigrateReport(Document):
    """`remem migrate shaktra` without `--apply`."""

    principles: tuple[MigratedReport, ...]
