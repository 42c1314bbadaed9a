"""What the commands about learnings print beside a change."""

from __future__ import annotations

from collections.abc import Mapping

from remem.views.documents.document import Document, Part, Text


class ConfidenceRow(Part):
    """One event of a confidence's history."""

    time: Text
    event: Text
    delta: float | None
    """`null` = the history does not tell; so with `before` and `after`."""
    before: float | None
    after: float | None
    by: Text
    detail: Text
    story: Text = ""
    """Where a format counts in stories."""
    approximate: bool = False
    """It was reckoned back across 0 or 1, and may have been nearer to that."""


class ThresholdReport(Part):
    """A confidence at which something changes."""

    at: float
    means: str
    away: str


class ConfidenceReport(Part):
    """How sure an entry is, and how that came about."""

    now: float
    approximate: bool
    """The file does not say, and is read as this."""
    rows: tuple[ConfidenceRow, ...]
    """Oldest first."""
    points: tuple[float, ...]
    """The confidence after each event that is known."""
    up: ThresholdReport | None
    down: ThresholdReport | None
    what_if: tuple[Text, ...] = ()
    """What one more event of a kind would do, and what waits to be counted."""


class DecayRow(Part):
    """What idleness takes off one learning."""

    ref: Text
    title: Text
    anchor: str
    """The day on which something happened to it last."""
    idle: int
    steps: int
    before: float
    after: float
    deprecates: bool
    waits: Text = ""
    """Why it does not decay unless it is named; empty = it does."""


class DecayReport(Document):
    """`remem learn decay` without `--apply`."""

    as_of: str
    decays: tuple[DecayRow, ...]


class GroupReport(Part):
    """Learnings that could be one."""

    refs: tuple[Text, ...]
    titles: tuple[Text, ...]


class MergeReport(Document):
    """`remem learn merge` without a REF: what could be merged; nothing is written."""

    groups: tuple[GroupReport, ...]


class CuratedRow(Part):
    """What curation would do to one learning by itself."""

    ref: Text
    title: Text
    does: str
    """`merge`, `decay`, `archive`."""
    told: Text


class FlagRow(Part):
    """A learning that a person has to decide on."""

    ref: Text
    title: Text
    why: Text


class CurateReport(Document):
    """`remem learn curate` without `--apply`."""

    steps: tuple[CuratedRow, ...]
    flags: tuple[FlagRow, ...]
    counts: Mapping[str, int]
    """Learnings by status, `archived` for those in the archive."""
    average_confidence: float | None


class LearningRow(Part):
    """One learning as `remem learn list` shows it."""

    ref: Text
    title: Text
    """What its record calls it, else what it says."""
    status: str
    """In its own words: `draft`, `active`, `validated`, `deprecated`."""
    confidence: float | None
    """`null` = the file does not say."""
    roles: tuple[Text, ...] | None
    phases: tuple[Text, ...]
    archived: bool


class LearnListReport(Document):
    """`remem learn list`, the surest first."""

    learnings: tuple[LearningRow, ...]
