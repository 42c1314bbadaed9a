"""What `remem consolidate` and `remem migrate` print."""

from __future__ import annotations

from remem.views.documents.base import Document, Part, Text


class ShareReport(Part):
    """What one observation does to an entry."""

    observation: Text
    """`STORY/OB-001`."""
    does: Text
    """`reinforce`, `weaken`, `contradict`."""
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
    doubts: tuple[DoubtReport, ...]
    """What in force may say otherwise."""


class MergedReport(Part):
    """Two entries that say the same."""

    stays: Text
    leaves: Text
    overlap: float


class DoubtReport(Part):
    """Something in force that may say otherwise."""

    ref: Text
    text: Text
    words: Text
    """What both say."""


class UnsureReport(Part):
    """An observation that waits for a person: it may say otherwise than what is in force."""

    observation: Text
    text: Text
    ref: Text
    """The entry that it would bear out."""
    does: Text
    delta: float
    after: float
    doubts: tuple[DoubtReport, ...]


class AlikeReport(Part):
    """Two entries that only a person merges: their texts are not the same."""

    stays: Text
    stays_text: Text
    leaves: Text
    leaves_text: Text
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
    waiting: tuple[UnsureReport, ...]
    alike: tuple[AlikeReport, ...]
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
