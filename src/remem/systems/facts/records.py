"""Verified memory as its tables have it: hypotheses about a repository, and what happened to them.

A citation has a module of its own, and whether one holds is the business of `citations.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final, Literal

from remem.base.frozen import dataclass
from remem.core.system import (
    SHARED,
)
from remem.model.citation import Citation, CitationStatus, Verdict, together
from remem.model.entry import Problem, Status

SOFT_LIMIT: Final = 1000
"""Active memories of one repository; beyond it a warning asks to retire some (FORMATS 6.2)."""
LONGEST_KEY: Final = 2500
"""Bytes of repository, subject and fact together: they are one key, and PostgreSQL's end there."""


_ID: Final = re.compile("-?".join(f"([0-9a-f]{{{count}}})" for count in (8, 4, 4, 4, 12)))


def known_id(text: str) -> str:
    """Return an id as the tables write it; empty if it is none."""
    match = _ID.fullmatch(text.strip().lower().removeprefix("verified:"))
    return "-".join(match.groups()) if match else ""


def id_from(*parts: str) -> str:
    """Make an id (a random UUID in its form) of something that nobody else has."""
    digits = sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return known_id(f"{digits[:12]}4{digits[13:16]}a{digits[17:32]}")


def timed_id(at: datetime, digits: str) -> str:
    """Make an id (a UUID of version 7) that sorts by time, so that a database appends it.

    Args:
        at: When it happened.
        digits: An id that nobody else has.
    """
    plain = digits.replace("-", "")
    since = f"{max(int(at.timestamp() * 1_000), 0):012x}"
    return known_id(f"{since[-12:]}7{plain[13:16]}a{plain[17:]}")


class EventName(StrEnum):
    """What can happen to a memory (FORMATS 6.1)."""

    CREATED = "created"
    RETRIEVED = "retrieved"
    VERIFIED_VALID = "verified_valid"
    VERIFIED_INVALID = "verified_invalid"
    CORRECTED = "corrected"
    REFRESHED = "refreshed"
    SUPERSEDED = "superseded"
    APPLIED = "applied"


JUDGED: Final = (EventName.VERIFIED_VALID, EventName.VERIFIED_INVALID, EventName.REFRESHED)
"""The events that say whether a memory held when it was last looked at."""


@dataclass(frozen=True, slots=True)
class Memory:
    """One row of `agent_memory`: a fact and the places in the code that prove it."""

    id: str
    """A lower-case UUID."""
    repository: str
    """`owner/name`."""
    subject: str
    fact: str
    citations: tuple[Citation, ...]
    reason: str = ""
    status: Status = Status.ACTIVE
    """Active, superseded or invalid."""
    supersedes: str = ""
    """The id of the memory whose place it took."""
    superseded_by: str = ""
    """The id of the memory that took its place."""
    created_by: str = ""
    created_at: datetime | None = None
    """In UTC, as all times here; `None` = the row holds none that can be read."""
    refreshed_at: datetime | None = None
    last_verified_at: datetime | None = None
    last_verified_by: str = ""
    verification_count: int = 0
    tenant: str = SHARED
    has_held: bool = False
    """The last time its citations were looked at they were all valid: it goes first in a prompt."""
    applied: int = field(default=0, compare=False)
    """How often it was used; counted where a root's own file is read."""
    failed: int = field(default=0, compare=False)
    """How often it did not hold when somebody looked; counted in the same places."""
    problems: tuple[Problem, ...] = ()
    """What of its row could not be read as it stands."""
    row: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """The columns that verbs change, as a SQLite file has them, for undo to bring back."""


def judgement(memory: Memory, verdicts: Sequence[Verdict]) -> CitationStatus:
    """Return the verdict on a memory, the one for every door.

    It is valid only if every citation was compared with the lines that were kept of it, and every
    one could be read from its row.
    """
    found = together(verdicts)
    is_whole = not any(each.field == "citations" for each in memory.problems)
    return found if is_whole or found is not CitationStatus.VALID else CitationStatus.MISSING


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory that is asked to be kept."""

    repository: str
    subject: str
    fact: str
    citations: tuple[Citation, ...]
    reason: str | None = None
    """`None` = the reason of the memory that is there already stays."""
    created_by: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """What is put in the place of a memory."""

    fact: str
    """It may be the same where only the citations moved."""
    citations: Sequence[Citation] | None = None
    """`None` = those of the old one."""
    reason: str | None = None
    """`None` = that of the old one."""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """What storing came to."""

    id: str
    status: Literal["created", "refreshed"]
    conflicts: tuple[str, ...] = ()
    """Ids of the memories that it may conflict with, where somebody looked."""


@dataclass(frozen=True, slots=True)
class Event:
    """One row of `agent_memory_telemetry`."""

    memory: str
    """The id of the memory."""
    name: EventName
    agent: str = ""
    session: str = ""
    result: Mapping[str, Any] | None = None
    """`{valid_citations, invalid_citations, reason}` of a verification."""
    duration_ms: int | None = None
    at: datetime | None = None
    """`None` = when it is logged."""


@dataclass(frozen=True, slots=True)
class Actor:
    """On whose behalf something happens to a memory, for its events."""

    agent: str = ""
    session: str = ""
    duration_ms: int | None = None
    """What reading the cited places took."""


NOBODY: Final = Actor()


@dataclass(frozen=True, slots=True)
class Stats:
    """The row of `agent_memory_stats` for one repository."""

    repository: str
    active: int = 0
    superseded: int = 0
    invalid: int = 0
    average_verifications: float = 0.0
    """Of active memories."""
    last_refresh: datetime | None = None
    """Of active memories."""
    first_memory: datetime | None = None
    latest_memory: datetime | None = None


@dataclass(frozen=True, slots=True)
class Telemetry:
    """What the events of one repository add up to."""

    counts: Mapping[EventName, int] = field(default_factory=dict)
    """Every event, those that never happened with 0."""
    average_ms: float | None = None
    """What a verification took; `None` = none was timed."""

    @property
    def verified(self) -> int:
        """How often a memory was looked at; it is before every refresh, too."""
        return sum(self.counts.get(name, 0) for name in JUDGED)

    @property
    def invalid_rate(self) -> float | None:
        """Share of verifications that failed, 0 to 1; `None` = there was none."""
        failed = self.counts.get(EventName.VERIFIED_INVALID, 0)
        return failed / self.verified if self.verified else None


@dataclass(frozen=True, slots=True)
class Usage:
    """How one active memory has served."""

    memory: Memory
    applied: int = 0
    retrieved: int = 0
    last_applied: datetime | None = None


_WORD: Final = re.compile(r"[^\W_]+")
_MOST_WORDS: Final = 24
"""Of one question: more say no more."""
_COMMON: Final = (
    *("a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "do", "does", "for", "from"),
    *("has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "of", "on"),
    *("or", "our", "should", "so", "that", "the", "their", "them", "then", "there", "these"),
    *("this", "to", "was", "we", "what", "when", "where", "which", "who", "why", "will", "with"),
    *("you", "your"),
)


def words_of(asked: str) -> tuple[str, ...]:
    """Return the words that a question is about, each once, without those that stand everywhere."""
    found = dict.fromkeys(each.casefold() for each in _WORD.findall(asked))
    telling = [each for each in found if each not in _COMMON] or [*found]
    return tuple(telling[:_MOST_WORDS])
