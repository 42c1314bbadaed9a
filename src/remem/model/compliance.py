"""What the review gate finds: a check for each rule, the places that break it (FORMATS 1.9)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from remem.model.detect import Detect


class Outcome(StrEnum):
    """How a rule fared; what was not checked is never called passed."""

    PASS = "pass"
    WARN = "warn"
    SKIP = "skip"


class Severity(StrEnum):
    """How much a violation weighs."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def weight(self) -> int:
        return SEVERITIES.index(self)


SEVERITIES: Final = (Severity.LOW, Severity.MEDIUM, Severity.HIGH)


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """One place that breaks a rule."""

    path: str
    """From the root, with slashes."""
    line: int
    """From 1."""
    text: str
    """The line as it stands; empty where a file lacks something."""


@dataclass(frozen=True, slots=True)
class Rule:
    """An entry that the gate enforces, in the words of no system."""

    ref: str
    """As people write it, without the place where there is only one."""
    id: str
    """As the compliance section names it."""
    kind: str
    title: str
    severity: Severity
    blocks: bool
    """The gate is strict, and the rule is enforced by it."""
    detect: Detect | None = None
    turned_down: tuple[str, ...] | None = None
    """What it decided against, one sentence each; `None` = it is no decision."""
    facts: tuple[tuple[str, str], ...] = ()
    """What it says besides, each behind its word: `instead`, `because`, `decision`, `look at` …"""

    def says(self, *words: str) -> str:
        """Return what stands behind the first of these words that has something; empty = none."""
        told = dict(self.facts)
        return next((told[word] for word in words if told.get(word)), "")


@dataclass(frozen=True, slots=True)
class Check:
    """One rule, held against what was looked at."""

    rule: Rule
    outcome: Outcome
    files: int = 0
    """How many files it was held against."""
    violations: tuple[Violation, ...] = ()
    """By path and line."""
    is_missing: bool = False
    """Its violations are files that lack what it requires, and no lines."""
    detail: str = ""
    """Why it was not checked; else what the rule says to its violations."""
    missed: str = ""
    """In which files it could not be checked, and why; empty = in none."""

    @property
    def ref(self) -> str:
        return self.rule.ref

    @property
    def id(self) -> str:
        return self.rule.id

    @property
    def kind(self) -> str:
        return self.rule.kind

    @property
    def title(self) -> str:
        return self.rule.title

    @property
    def severity(self) -> Severity:
        return self.rule.severity

    @property
    def blocks(self) -> bool:
        return self.rule.blocks


@dataclass(frozen=True, slots=True)
class Compliance:
    """All that the gate found."""

    checks: tuple[Check, ...]
    files: int
    """How many files were looked at."""
    unread: tuple[tuple[str, str], ...] = ()
    """Files that could not be looked at, each with the reason."""

    def of_kind(self, kind: str) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.kind == kind)

    def fails(self, floor: Severity) -> bool:
        """Tell whether something weighs as much as `floor`, or blocks."""
        broken = (check for check in self.checks if check.violations)
        return any(check.blocks or check.severity.weight >= floor.weight for check in broken)
