"""What the command `applied` prints."""

from __future__ import annotations

from collections.abc import Mapping

from remem.views.documents.base import Document, Part, Text


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
    """False: git gave no answer here, so that code is not counted."""
    code_whole: bool
    """False: code names ids so often that some were left out."""
