"""What a machine checks of a rule (`detect:`), and what the review gate finds (FORMATS 1.9)."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from hashlib import sha256
from typing import Final

from remem.base.frozen import dataclass
from remem.model.record import Record

SNIPPET: Final = 200
"""Characters of a line that are shown."""


def mark_of(path: str, text: str) -> str:
    """Return what stands for a place: its path and its line, wherever in the file that stands."""
    return sha256(f"{path}\0{text.strip()}".encode("utf-8", "surrogatepass")).hexdigest()[:12]


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
    """The line as it stands; empty where a file or folder lacks something."""
    first: int = field(default=0, compare=False)
    """Where what it is part of begins; 0 = on the line itself."""

    @property
    def mark(self) -> str:
        """What stands for the place: its path and its line, wherever in the file that stands."""
        return mark_of(self.path, self.text)

    @property
    def snippet(self) -> str:
        """The line as it is shown: without its indentation, and never longer than a screen."""
        text = self.text.strip()
        return text if len(text) <= SNIPPET else f"{text[: SNIPPET - 1]}…"


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
    """Its violations are files or folders that lack what it requires, and no lines."""
    allowed: int = 0
    """Places that a line beside them allows."""
    known: int = 0
    """Places of the baseline: accepted, or called no violation."""
    detail: str = ""
    """Why it was not checked; else what the rule says to its violations."""
    missed: str = ""
    """In which files it could not be checked, or that it is none to check, and why; else empty."""

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
    passed_over: tuple[tuple[str, str], ...] = ()
    """Files that nobody writes by hand, each with how that is told."""
    notes: tuple[str, ...] = ()
    """What is wrong with lines that allow something."""

    def of_kind(self, kind: str) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.kind == kind)

    def fails(self, floor: Severity) -> bool:
        """Tell whether something weighs as much as `floor`, or blocks."""
        broken = (check for check in self.checks if check.violations)
        return any(check.blocks or check.severity.weight >= floor.weight for check in broken)


class AstPattern(Record):
    """A pattern of syntax instead of text."""

    ast: str
    pattern: str


class Detect(Record):
    """What a machine checks beside the hint for people: remem's own key."""

    files: tuple[str, ...] | None = None
    forbid: str | AstPattern | None = None
    require: str | AstPattern | None = None
    beside: str | None = None
    """A file that required in every folder which holds one of `files`."""
    within: str | tuple[str, ...] | None = None
    """The parts of a file that are looked at: `code`, `strings`, `texts`, `comments`."""
    imports: tuple[str, ...] | None = None
    """Modules that are forbidden by a relative path, too, beside what `forbid` finds."""
    message: str | None = None

    @property
    def looks_for_something(self) -> bool:
        return any(each is not None for each in (self.forbid, self.require, self.beside))

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of a file that are looked at; empty = all of it, line by line."""
        return (self.within,) if isinstance(self.within, str) else self.within or ()


class Examples(Record):
    """How to do it, and how not to."""

    positive: str = ""
    negative: str = ""
