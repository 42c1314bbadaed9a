"""What `persona reflect` and `persona compact` print besides a change."""

from __future__ import annotations

from remem.views.documents.base import Document, Part, Text


class PersonaPromptReport(Document):
    """`remem persona reflect` and `remem persona compact` with `--prompt-only`."""

    prompt: Text
    base: str
    """Of a compaction: what `--base` takes, so that lines that come meanwhile stay."""


class OldLineReport(Part):
    """One unit of the memory."""

    number: int
    """From 1; what `--keep` takes."""
    section: Text
    text: Text


class NewLineReport(Part):
    """One line of the answer."""

    number: int
    """From 1; what `--accept` takes."""
    text: Text
    verdict: str
    """`kept`, `traced`, `doubtful` or `invented`."""
    accepted: bool
    known: float
    """Share of its words that old lines have, from 0 to 1; rare words count more."""
    new: tuple[Text, ...]
    """Its words that none of its old lines has."""
    doubt: Text
    stands_for: tuple[OldLineReport, ...]


class PersonaCompactReport(Document):
    """`remem persona compact` without `--apply`: nothing was written."""

    persona: Text
    path: Text
    base: str
    units: int
    lines: tuple[NewLineReport, ...]
    dropped: tuple[OldLineReport, ...]
    """Old units that no line stands for."""
    diff: Text
    receipt: Text
    notes: tuple[Text, ...]
