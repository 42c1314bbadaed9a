"""What `status` prints."""

from __future__ import annotations

from remem.model.report.base import Document, Part, Text
from remem.model.report.entries import ProblemReport


class LoadedFileReport(Part):
    """A file that an agent gets at its start."""

    path: Text
    tokens: int
    """What the file adds to the start."""
    loaded: int
    """Tokens of the part that the agent gets."""
    total: int
    """Tokens of the whole file."""


class AgentReport(Part):
    """An agent and what it starts with."""

    name: Text
    tool: Text
    tokens: int
    exact: bool
    """False: `tokens` is an estimate."""
    files: tuple[LoadedFileReport, ...]


class SourceReport(Part):
    """A place that holds memory."""

    name: Text
    format: str
    layout: str
    place: Text
    kind: str
    """`store`, `memory` or `document`."""
    path: Text
    owner: Text
    """The persona that it belongs to; empty for what all share."""
    scope: str
    loader: str
    archived: bool
    writable: bool
    entries: int
    problems: int


class StatusReport(Document):
    """`remem status`."""

    root: Text
    home: Text
    agents: tuple[AgentReport, ...]
    sources: tuple[SourceReport, ...]
    counts: dict[str, dict[str, int]]
    """Kind → status → number of entries."""
    queue: int
    """How many items wait for a decision."""
    problems: tuple[ProblemReport, ...]
    unread: tuple[Text, ...]
    """Places that hold memory which remem does not read."""
    pending: tuple[Text, ...]
    """Changes that were cut short; the next command that writes settles them."""
