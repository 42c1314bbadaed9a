"""What the doors answer about verified memory: results as the documents that every door shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from remem.core.checks.secrets import Finding, redacted
from remem.model.citation import Citation, CitationStatus, Verdict
from remem.model.entry import Status
from remem.systems.facts.database.row_records import stamp_text
from remem.systems.facts.records import Stats, Telemetry, Usage
from remem.systems.facts.verdicts import Cited, History, Kept, Looked
from remem.views.documents.memory import (
    AnchoredReport,
    EventReport,
    FindingReport,
    MemoryCitationReport,
    MemoryConflictReport,
    MemoryHistoryReport,
    MemoryReanchorReport,
    MemoryReport,
    MemoryStatsReport,
    MemoryStoreReport,
    MemoryVerifyReport,
    UsageReport,
    VerdictReport,
)

LONGEST = 20_000
"""Characters of code in one answer about a place; one line may be a whole program."""


def told(looked: Looked) -> MemoryReport:
    """Return a memory with its verdicts; secrets in its texts are cut to their beginning."""
    memory = looked.memory
    return MemoryReport(
        id=memory.id,
        repo=memory.repository,
        subject=redacted(memory.subject),
        fact=redacted(memory.fact),
        reason=redacted(memory.reason) or None,
        citations=tuple(map(_cited, looked.verdicts)),
        status=memory.status.value,
        verdict=looked.verdict.value,
        refreshed_at=_time(memory.refreshed_at),
        verification_count=memory.verification_count,
        created_at=_time(memory.created_at),
        created_by=memory.created_by or None,
        supersedes=memory.supersedes or None,
        superseded_by=memory.superseded_by or None,
        findings=told_findings(looked.findings),
        problems=tuple(problem.message for problem in memory.problems),
    )


def told_history(history: History) -> MemoryHistoryReport:
    """Return a chain of memories; of those that are no more in force nothing was compared."""
    return MemoryHistoryReport(
        chain=tuple(map(_told_link, history.chain)),
        events=tuple(
            EventReport(
                id=each.memory,
                event=each.name.value,
                at=_time(each.at),
                by=each.agent or None,
                reason=redacted(str((each.result or {}).get("reason") or "")) or None,
            )
            for each in history.events
        ),
    )


def _told_link(looked: Looked) -> MemoryReport:
    report = told(looked)
    if looked.memory.status is Status.ACTIVE:
        return report
    cited = tuple(_stored(each) for each in looked.memory.citations)
    return replace(report, verdict=CitationStatus.UNCHECKED.value, citations=cited)


def told_findings(findings: Iterable[Finding]) -> tuple[FindingReport, ...]:
    """Return what a reader should know of."""
    return tuple(FindingReport(kind=each.kind.value, message=each.message) for each in findings)


def told_kept(kept: Kept) -> MemoryStoreReport:
    """Return what storing came to."""
    return MemoryStoreReport(
        id=kept.stored.id,
        status=kept.stored.status,
        findings=told_findings(kept.findings),
        warnings=kept.warnings,
        retire=tuple(memory.id for memory in kept.retire),
        conflicts=tuple(
            MemoryConflictReport(
                id=each.memory.id,
                subject=each.memory.subject,
                fact=each.memory.fact,
                because=each.because,
            )
            for each in kept.opposed
        ),
    )


def kept_lines(kept: Kept) -> Iterator[str]:
    """Yield what is to be said of a fact that was stored: warnings, conflicts, what to retire."""
    for finding in kept.findings:
        yield f"warning: {finding.message}"
    for warning in kept.warnings:
        yield f"warning: {warning}"
    for against in kept.opposed:
        other = against.memory
        yield f"warning: possible conflict with `{other.id[:8]}` ({against.because}): {other.fact}"
    if kept.opposed:
        yield "hint: `remem memory supersede` or `invalidate` the one that is wrong"
    if kept.retire:
        yield "hint: `remem memory retire` lists unused facts; the least used:"
        for each in kept.retire:
            yield f"  {each.id}  {each.subject}"


def told_reanchored(looked: Sequence[Looked], made: Mapping[str, str]) -> MemoryReanchorReport:
    """Return which facts moved with their lines, and which are left to decide on.

    Args:
        looked: Those that do not hold as they are.
        made: Fact → the one that took its place, where anything was written.
    """
    moved = [each for each in looked if each.verdict is CitationStatus.MOVED]
    left = (each for each in looked if each.verdict is not CitationStatus.MOVED)
    return MemoryReanchorReport(
        anchored=tuple(
            AnchoredReport(
                id=each.memory.id,
                subject=each.memory.subject,
                moves=_failing(each),
                new_id=made.get(each.memory.id),
            )
            for each in moved
        ),
        left=tuple(told_verdicts(each.memory.id, each.verdicts, each.verdict) for each in left),
    )


def reanchored_rows(looked: Sequence[Looked]) -> list[tuple[str, str]]:
    """Return id and citation of all that does not hold, what moved first."""
    ordered = sorted(looked, key=lambda each: each.verdict is not CitationStatus.MOVED)
    return [(each.memory.id, failing) for each in ordered for failing in _failing(each)]


def _failing(looked: Looked) -> tuple[str, ...]:
    return tuple(str(verdict) for verdict in looked.verdicts if not verdict.is_valid)


def told_verdicts(
    memory: str, verdicts: Sequence[Verdict], status: CitationStatus
) -> VerdictReport:
    """Return the verdicts on the citations of one memory, or of none."""
    return VerdictReport(
        id=memory,
        valid=status is CitationStatus.VALID,
        status=status.value,
        citations=tuple(map(_verdict, verdicts)),
    )


def told_looks(looked: Sequence[Looked]) -> MemoryVerifyReport:
    """Return what a verification of memories found."""
    verdicts = [each.verdict for each in looked]
    valid = verdicts.count(CitationStatus.VALID)
    unchecked = verdicts.count(CitationStatus.UNCHECKED)
    return MemoryVerifyReport(
        results=tuple(
            told_verdicts(each.memory.id, each.verdicts, each.verdict) for each in looked
        ),
        valid_count=valid,
        invalid_count=len(verdicts) - valid - unchecked,
        unchecked_count=unchecked,
    )


def told_place(cited: Cited) -> MemoryCitationReport:
    """Return what stands at a place, cut where it is longer than an answer may be."""
    content, error = cited.content, cited.error
    if content is not None and len(content) > LONGEST:
        content = content[:LONGEST]
        error = f"only the first {LONGEST:,} characters are shown"
    content = redacted(content) if content is not None else None
    return MemoryCitationReport(
        path=cited.citation.path,
        line_start=cited.citation.line_start,
        line_end=cited.citation.line_end,
        content=content,
        sha=cited.sha or None,
        exists=cited.content is not None,
        error=error or None,
    )


def told_stats(
    stats: Stats, telemetry: Telemetry, usage: Sequence[Usage], now: datetime
) -> MemoryStatsReport:
    """Return how the memories of a repository have served."""
    return MemoryStatsReport(
        repo=stats.repository,
        active_count=stats.active,
        superseded_count=stats.superseded,
        invalid_count=stats.invalid,
        avg_verifications=round(stats.average_verifications, 2),
        last_refresh=_time(stats.last_refresh),
        first_memory=_time(stats.first_memory),
        latest_memory=_time(stats.latest_memory),
        events={name.value: number for name, number in telemetry.counts.items()},
        invalid_rate=_rounded(telemetry.invalid_rate, 4),
        average_ms=_rounded(telemetry.average_ms, 1),
        unused=sum(not each.applied for each in usage),
        usage=tuple(_usage(each, now) for each in usage),
    )


def stats_lines(stats: MemoryStatsReport) -> Iterator[tuple[str, str]]:
    """Yield the figures of a repository's facts, each with its name."""
    yield "repository", stats.repo
    yield "active", str(stats.active_count)
    yield "superseded", str(stats.superseded_count)
    yield "invalid", str(stats.invalid_count)
    for name, number in stats.events.items():
        yield name.replace("_", " "), str(number)
    rate = stats.invalid_rate
    yield "not valid", "never verified" if rate is None else f"{rate:.1%}"
    yield "never used", f"{stats.unused} of {len(stats.usage)} listed"


def _usage(usage: Usage, now: datetime) -> UsageReport:
    return UsageReport(
        id=usage.memory.id,
        subject=redacted(usage.memory.subject),
        applied=usage.applied,
        retrieved=usage.retrieved,
        last_applied=_time(usage.last_applied),
        age_days=_days(usage.memory.created_at, now),
        idle_days=_days(usage.memory.refreshed_at, now),
    )


def _cited(verdict: Verdict) -> dict[str, Any]:
    """Return a citation as it is stored, with what became of it; not the lines that stand there."""
    found = verdict.to_json()
    found.pop("content", None)
    return {**found, **_stored(verdict.citation), "status": verdict.status.value}


def _stored(citation: Citation) -> dict[str, Any]:
    stored: dict[str, Any] = citation.to_json()
    stored.pop("snippet", None)
    return stored


def _verdict(verdict: Verdict) -> dict[str, Any]:
    found: dict[str, Any] = verdict.to_json()
    content = found.get("content")
    if isinstance(content, str):
        found["content"] = redacted(content[:LONGEST])
    return found


def _time(value: datetime | None) -> str | None:
    return None if value is None else stamp_text(value)


def _days(since: datetime | None, now: datetime) -> int | None:
    return None if since is None else max(0, (now - since).days)


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
