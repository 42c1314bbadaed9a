"""What the commands of `memory` print, and the tools of MCP answer."""

from __future__ import annotations

from typing import Any

from remem.views.documents.document import Document, Part, Text


class FindingReport(Part):
    """Something in a text that a reader should know of."""

    kind: str
    """`secret`, `hidden-characters` or `risky-instruction`."""
    message: Text


class MemoryReport(Part):
    """One verified memory with the verdict of a look just now."""

    id: str
    repo: Text
    subject: Text
    fact: Text
    reason: Text | None
    citations: tuple[dict[str, Any], ...]
    """As they are stored, each with its `status`, and where it stands now if it moved."""
    status: str
    """`active`, `superseded` or `invalid`."""
    verdict: str
    """`valid`, `moved`, `changed`, `missing`, `out_of_range` or `unchecked`."""
    refreshed_at: str | None
    verification_count: int
    created_at: str | None
    created_by: Text | None
    supersedes: str | None
    superseded_by: str | None
    findings: tuple[FindingReport, ...]
    problems: tuple[Text, ...]
    """What of its row could not be read as it stands."""


class MemoryConflictReport(Document):
    """A memory that what was stored possibly conflicts with."""

    id: str
    subject: Text
    fact: Text
    because: Text
    """What decided it."""


class MemoryStoreReport(Document):
    """`remem memory store`."""

    id: str
    status: str
    """`created` or `refreshed`."""
    findings: tuple[FindingReport, ...]
    warnings: tuple[Text, ...]
    retire: tuple[str, ...]
    """Beyond the soft limit: ids of the memories that served least."""
    conflicts: tuple[MemoryConflictReport, ...]
    """Active memories that it possibly conflicts with; nothing was changed in them."""


class MemoryRecentReport(Document):
    """`remem memory recent`."""

    repo: Text
    memories: tuple[MemoryReport, ...]


class MemorySearchReport(Document):
    """`remem memory search-path`."""

    repo: Text
    path: Text
    memories: tuple[MemoryReport, ...]


class MemoryWordsReport(Document):
    """`remem memory search`."""

    repo: Text
    query: Text
    memories: tuple[MemoryReport, ...]
    """Those that hold all of the words first."""


class EventReport(Part):
    """Something that happened to a memory."""

    id: str
    event: str
    """`created`, `verified_valid`, `verified_invalid`, `refreshed`, `superseded`, `corrected`, …"""
    at: str | None
    by: Text | None
    reason: Text | None


class MemoryHistoryReport(Document):
    """`remem memory history`."""

    chain: tuple[MemoryReport, ...]
    """Everything that ever stood for the fact, oldest first; what is not in force is unchecked."""
    events: tuple[EventReport, ...]
    """The last first."""


class VerdictReport(Part):
    """What became of the citations of one memory."""

    id: str
    """Empty for citations that were given by themselves."""
    valid: bool
    """Every citation was compared, and holds."""
    status: str
    """`valid`, `moved`, `changed`, `missing`, `out_of_range` or `unchecked`."""
    citations: tuple[dict[str, Any], ...]


class MemoryVerifyReport(Document):
    """`remem memory verify`."""

    results: tuple[VerdictReport, ...]
    valid_count: int
    invalid_count: int
    unchecked_count: int
    """Not compared, or not to be read: neither valid nor invalid."""


class AnchoredReport(Part):
    """A memory whose citations moved."""

    id: str
    subject: Text
    moves: tuple[Text, ...]
    """One sentence for each citation that moved."""
    new_id: str | None
    """Of the memory that took its place; `null` under `--dry-run`."""


class MemoryReanchorReport(Document):
    """`remem memory reanchor`."""

    anchored: tuple[AnchoredReport, ...]
    left: tuple[VerdictReport, ...]
    """What does not hold and did not move either: a person decides."""


class MemoryRefreshReport(Document):
    """`remem memory refresh`."""

    success: bool
    id: str
    verification_count: int


class MemoryInvalidateReport(Document):
    """`remem memory invalidate`."""

    success: bool
    id: str


class MemorySupersedeReport(Document):
    """`remem memory supersede`."""

    new_memory_id: str
    old_memory_id: str


class MemoryAppliedReport(Document):
    """`remem memory log-applied`."""

    logged: bool
    id: str


class MemoryCitationReport(Document):
    """`remem memory read-citation`."""

    path: Text
    line_start: int
    line_end: int
    content: Text | None
    sha: str | None
    exists: bool
    error: Text | None


class UsageReport(Part):
    """How one active memory has served."""

    id: str
    subject: Text
    applied: int
    retrieved: int
    last_applied: str | None
    age_days: int | None
    """Since it was stored."""
    idle_days: int | None
    """Since it was refreshed."""


class MemoryStatsReport(Document):
    """`remem memory stats`."""

    repo: Text
    active_count: int
    superseded_count: int
    invalid_count: int
    avg_verifications: float
    last_refresh: str | None
    first_memory: str | None
    latest_memory: str | None
    events: dict[str, int]
    """Every event by name, those that never happened with 0."""
    invalid_rate: float | None
    """Share of verifications that failed; `null` = there was none."""
    average_ms: float | None
    """What a verification took; `null` = none was timed."""
    unused: int
    """Active memories that were never applied, of those listed in `usage`."""
    usage: tuple[UsageReport, ...]
    """Those that served least first."""
