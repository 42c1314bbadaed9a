"""What `check` prints."""

from __future__ import annotations

from remem.views.documents.document import Document, Part, Text


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


class PatternReport(Part):
    """What is looked for."""

    files: tuple[Text, ...]
    """Globs; none = every file."""
    forbid: Text | None
    require: Text | None
    ast: Text | None
    """Language of a pattern of syntax."""
    beside: Text | None
    """The file that each folder must have which holds one of these."""
    within: tuple[str, ...]
    """The parts of a file that are looked at; none = all of it."""
    imports: tuple[Text, ...]
    """Modules that are also met where a relative path leads to them."""
    message: Text | None


class RuleReport(Part):
    """What is checked of one rule, and where the code breaks it."""

    ref: Text
    title: Text
    origin: str
    """`own`, `proposed` by its words, `given` on the command line, or `none`."""
    said: Text
    """The words that a proposal was read from."""
    left: Text
    """Words that a proposal does not cover."""
    detect: PatternReport | None
    matches: tuple[ViolationReport, ...]
    """Where the code base breaks it now."""
    files: int
    """How many files it was held against."""
    whole: bool
    """False = the search was stopped before the last file, or did not begin."""
    unread: tuple[UnreadReport, ...]
    """Files that it could not be held against."""
    examples: dict[str, bool | None]
    """`positive`, `negative`: judged rightly; null = it cannot be told."""
    note: Text
    """Why no code was looked at; empty = it was."""


class DetectReport(RuleReport, Document):
    """`remem detect REF`."""


class DetectAllReport(Document):
    """`remem detect --all`."""

    rules: tuple[RuleReport, ...]
    """Rules whose hint can be read and is not checked yet."""
    unread: tuple[Text, ...]
    """Rules that are not checked and that no machine can read."""
