"""What doing something with verified memory comes to: verdicts, warnings, and the events they make.

Values alone; what they are made of is the service's business.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from remem.base.errors import NotPossible, Unacknowledged
from remem.base.frozen import dataclass
from remem.core.checks.secrets import Finding, Kind, examine
from remem.model.citation import Citation, CitationStatus, Verdict
from remem.systems.facts.database.row_records import BadMemory
from remem.systems.facts.opposed import Opposed
from remem.systems.facts.records import (
    Actor,
    Event,
    EventName,
    Memory,
    NewMemory,
    Stored,
    judgement,
)
from remem.systems.facts.row_edits import require

MOST: Final = 200
"""Memories of one answer."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A memory with what a look at its citations found."""

    memory: Memory
    verdicts: tuple[Verdict, ...]
    """In the order of its citations; fewer where one could not be read from its row."""
    findings: tuple[Finding, ...] = ()
    """What its texts hold that a reader should know of."""

    @property
    def verdict(self) -> CitationStatus:
        """What all doors say of it."""
        return judgement(self.memory, self.verdicts)

    @property
    def is_there(self) -> bool:
        """What was not compared are lines that are there: who looks at them may anchor them."""
        unread = [each for each in self.verdicts if each.status is CitationStatus.UNCHECKED]
        return self.verdict is CitationStatus.UNCHECKED and all(each.is_there for each in unread)


@dataclass(frozen=True, slots=True)
class Kept:
    """What storing came to, and what to know about it."""

    stored: Stored
    findings: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()
    retire: tuple[Memory, ...] = ()
    """Beyond the soft limit: memories that served nobody, the longest idle first."""
    opposed: tuple[Opposed, ...] = ()
    """What it possibly conflicts with; it stands beside them until somebody decides."""


@dataclass(frozen=True, slots=True)
class History:
    """What became of one fact: all that ever stood for it, and what happened to them."""

    chain: tuple[Looked, ...]
    """Oldest first; only what is active has verdicts."""
    events: tuple[Event, ...]
    """The last first."""


@dataclass(frozen=True, slots=True)
class Cited:
    """What stands at a cited place."""

    citation: Citation
    content: str | None
    """`None` = nothing that could be read."""
    sha: str = ""
    error: str = ""


class NotHeld(NotPossible):
    """A memory's citations do not hold, so it is not refreshed."""

    code = "not-held"

    def __init__(
        self, looked: Looked, hint: str = "supersede it with citations that hold, or invalidate it"
    ) -> None:
        failed = [str(each) for each in looked.verdicts if not each.is_valid]
        what = "; ".join(failed) or "its citations cannot be read"
        super().__init__(f"the fact `{looked.memory.id}` is no longer valid: {what}", hint=hint)
        self.looked = looked


def examined(*texts: str) -> tuple[Finding, ...]:
    """Return what a reader of these texts should know of."""
    return tuple(finding for text in texts for finding in examine(text))


def require_clean(findings: Iterable[Finding], acknowledged: Collection[str]) -> None:
    """Let a memory in only once a person looked at each `‼` of it: it is in force at once.

    Raises:
        Unacknowledged: Nobody named one of them by its id.
    """
    blocking = [finding for finding in findings if finding.id not in acknowledged]
    if blocking:
        told = "; ".join(f"{finding.message} ({finding.id})" for finding in blocking)
        raise Unacknowledged(
            f"the fact needs a person's review first: {told}",
            hint="remove it",
            ids=tuple(finding.id for finding in blocking),
        )


def looked_through(new: NewMemory, acknowledged: Collection[str]) -> tuple[Finding, ...]:
    """Return what a reader of a memory should know of; refused is what cannot be kept."""
    require_citations(new.citations)
    findings = examined(new.subject, new.fact, new.reason or "", new.created_by)
    require_clean(findings, acknowledged)
    require(new)
    return findings


def result(looked: Looked) -> dict[str, Any]:
    """Return what an event keeps of a look."""
    valid = sum(each.is_valid for each in looked.verdicts)
    unread = sum(each.status is CitationStatus.UNCHECKED for each in looked.verdicts)
    failed = [str(each) for each in looked.verdicts if not each.is_valid]
    return {
        "valid_citations": valid,
        "invalid_citations": len(looked.verdicts) - valid - unread,
        "reason": "; ".join(failed) or None,
    }


def judged(looked: Looked, actor: Actor) -> Event:
    """Return the event of a look that was asked for."""
    is_valid = looked.verdict is CitationStatus.VALID
    name = EventName.VERIFIED_VALID if is_valid else EventName.VERIFIED_INVALID
    return replace(event(looked.memory.id, name, actor), result=result(looked))


def event(memory: str, name: EventName, actor: Actor) -> Event:
    """Return what happened to a memory."""
    return Event(memory, name, actor.agent, actor.session, duration_ms=actor.duration_ms)


def unchecked(memory: Memory, why: str) -> Looked:
    """Return a memory whose code could not be read."""
    verdicts = tuple(
        Verdict(citation, CitationStatus.UNCHECKED, exists=False, error=why)
        for citation in memory.citations
    )
    return Looked(memory, verdicts, examined(memory.subject, memory.fact, memory.reason))


def page(limit: int) -> int:
    """Return how many memories an answer holds; raises `BadMemory` for none."""
    if limit < 1:
        raise BadMemory(f"the limit is {limit}", hint="ask for at least one fact")
    return min(limit, MOST)


def require_citations(citations: Sequence[Citation]) -> None:
    """Insist on citations: a memory that nothing proves is not kept."""
    if not citations:
        raise BadMemory(
            "a fact needs citations",
            hint="cite the lines that prove it: `--cite src/app.py:3-9`",
        )


def without_secret(citation: Citation) -> Citation:
    """Leave lines that look like they hold a secret where they are: the hash proves as much."""
    secrets = (each for each in examine(citation.snippet or "") if each.kind is Kind.SECRET)
    return replace(citation, snippet=None) if any(secrets) else citation
