"""What the command `brief` prints."""

from __future__ import annotations

from remem.views.documents.base import Document, Part, Text
from remem.views.documents.prompt import ExcludedReport


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
