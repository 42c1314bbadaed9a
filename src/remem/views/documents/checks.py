"""What `check` prints."""

from __future__ import annotations

from remem.views.documents.base import Document, Part, Text


class ViolationReport(Part):
    """A place that breaks a rule."""

    path: Text
    """From the root, with slashes."""
    line: int
    text: Text
    """The line, at most 200 characters of it; empty where a file lacks something."""


class CheckedReport(Part):
    """One rule, held against what was looked at."""

    ref: Text
    repository: Text | None
    """Only where several were looked at."""
    kind: str
    title: Text
    outcome: str
    """`pass`, `warn` or `skip`; a rule that was not checked is skipped."""
    severity: str
    blocking: bool
    files: int
    """How many files it was held against."""
    violations: tuple[ViolationReport, ...]
    missing: bool
    """They are files or folders that lack something, and no lines."""
    accepted: int
    """Places that the baseline or a line of the code accepts; they are none of the violations."""
    instead: Text
    """What to do in its place."""
    because: Text
    decision: Text
    detail: Text


class UnreadReport(Part):
    """A file that could not be looked at."""

    path: Text
    why: Text


class FaultReport(Part):
    """Something that is wrong with memory itself."""

    ref: Text | None
    code: str
    severity: str
    message: Text
    hint: Text
    path: Text | None
    line: int
    """From 1; 0 where there is none."""


class OpinionReport(Part):
    """What the agent command thinks of a rule that no machine checks; nobody checked it."""

    ref: Text
    verdict: str
    """`breaks`, `keeps` or `unsure`."""
    because: Text
    lines: tuple[ViolationReport, ...]
    """What it cites, as far as the change has it."""


class CheckPromptReport(Document):
    """`remem check --prompt-only`."""

    prompt: Text
    notes: tuple[Text, ...] = ()
    """What the prompt leaves out."""


class CheckReport(Document):
    """`remem check`."""

    failed: bool
    """Something weighs as much as `--fail-on` says, or blocks."""
    files: int
    checked: int
    """Rules that were checked."""
    violated: int
    """Rules that are broken somewhere."""
    checks: tuple[CheckedReport, ...]
    unread: tuple[UnreadReport, ...]
    """Files that were not looked at, and files of rules that were not read."""
    passed_over: tuple[UnreadReport, ...]
    """Files that nobody writes by hand."""
    memory: tuple[FaultReport, ...]
    """Only with `--memory`."""
    recorded: int | None
    """Only with `--record`: how many places wait now that did not before."""
    baseline: int | None
    """Only with `--baseline`: how many places are accepted now."""
    opinions: tuple[OpinionReport, ...] | None
    """Only with `--ask-agent`."""
    notes: tuple[Text, ...]
    """What of an answer was left out, or why there is none."""
