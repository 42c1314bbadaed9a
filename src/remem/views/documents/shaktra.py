"""What `remem consolidate` and `remem migrate` print."""

from __future__ import annotations

from collections.abc import Mapping

from remem.views.documents.document import Document, Part, Text
from remem.views.documents.prompt import ExcludedReport


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
    """An observation that waits for a person: it may say otherwise than what is active."""

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


class BriefedReport(Part):
    """An entry that the story is briefed with."""

    ref: Text
    kind: str
    text: Text
    semantic: int
    """How much of the story it speaks of, from 0 to 10."""
    confidence: float
    score: float
    """Both multiplied; the best come first."""
    relevance: Text
    roles: tuple[Text, ...]


class BriefReport(Document):
    """`remem brief`; with `--dry-run` nothing was written."""

    story: Text
    workflow: str
    keywords: tuple[Text, ...]
    active: int
    """Entries in force, among which was chosen."""
    tier: int
    """How Shaktra itself would look through so many: 1 all at once, 2 filtered, 3 in chunks."""
    entries: tuple[BriefedReport, ...]
    excluded: tuple[ExcludedReport, ...]
    path: Text
    id: str
    """Of the change; empty where nothing was written."""
    written: bool
    notes: tuple[Text, ...]


class PlaceReport(Part):
    """A line of code that names an entry."""

    path: Text
    line: int


class UseReport(Part):
    """What became of one entry."""

    ref: Text
    title: Text
    status: str
    logged: int
    """Times that a log says it was applied."""
    agents: Mapping[Text, int]
    """By which agents, the busiest first."""
    code: tuple[PlaceReport, ...]
    observed: int
    """Observations that name it."""
    briefed: tuple[Text, ...]
    """Stories whose briefing names it."""
    neglected: bool
    """It was briefed often, and nothing here says that it was applied."""


class AppliedReport(Document):
    """`remem applied`; nothing of it is kept."""

    entries: tuple[UseReport, ...]
    unknown: Mapping[Text, int]
    """Ids that logs name and no store has, with how often."""
    logs: int
    """Logs that were counted."""
    code_searched: bool
    """False: git failed here, so that code is not counted."""
    code_whole: bool
    """False: code names ids so often that some were left out."""
