"""What `retro ingest`, `retro diff` and `estimates show` print."""

from __future__ import annotations

from remem.views.documents.document import Document, Part, Text
from remem.views.documents.entries import ProblemReport


class JudgedReport(Part):
    """One finding, and what came of it."""

    ref: Text
    section: str
    text: Text
    outcome: str
    """`confirmed`, `kept`, `promoted`, `counted`, `open`, `known`, `rejected`, `watched`,
    `ignored`, `note` or `empty`."""
    why: Text
    entry: Text | None
    """The entry that it became, or that says the same."""


class RetroIngestReport(Document):
    """`remem retro ingest`."""

    retro: Text
    path: Text
    written: bool
    id: str
    """Of the change; empty where nothing was written."""
    title: Text
    findings: tuple[JudgedReport, ...]
    problems: tuple[ProblemReport, ...]


class FoundReport(Part):
    """A finding in two retros, or in one of them."""

    section: str
    text: Text
    occurrences: int
    before: Text | None
    """How the earlier retro says it; `null` = it does not."""
    occurrences_before: int
    worse: bool
    """Met more often than before, of a higher severity, or recommended to codify only now."""
    better: bool = False
    ref: Text = ""
    met: tuple[Text, ...] = ()
    """Other retros in which the memory was met that says it: it was *seen again*."""
    known: Text | None = None
    """That memory."""
    waiting: str | None = None
    """Its id in the queue; `null` = it needs no decision."""
    why: Text = ""
    """Why it waits, or why it does not: decided, ignored, for reading."""


class RetroDiffReport(Document):
    """`remem retro diff`."""

    before: Text
    after: Text
    recurring: tuple[FoundReport, ...]
    """Worse and better ones too."""
    new: tuple[FoundReport, ...]
    gone: tuple[FoundReport, ...]


class MissReport(Part):
    """A kind of story that takes longer than people think."""

    pattern: Text
    typical_miss: Text
    reason: Text


class SprintReport(Part):
    """One sprint's estimates beside what they took."""

    retro: Text
    sprint: int | None
    date: Text
    estimated: float | None
    """Points; `null` = not measured."""
    actual: float | None
    factor: float | None
    underestimated: int
    overestimated: int


class EstimatesShowReport(Document):
    """`remem estimates show`."""

    velocity_factor: float
    last_updated: Text
    sprints_analyzed: int
    common_underestimates: tuple[MissReport, ...]
    sprints: tuple[SprintReport, ...]
    """Oldest first."""
    proposed_factor: float | None
    arithmetic: str
    """How the proposed factor comes about; without one, what it lacks."""


class RetroPromptReport(Document):
    """`remem retro run --prompt-only`."""

    prompt: Text
    notes: tuple[Text, ...] = ()
    """What the retro would not rest on."""
