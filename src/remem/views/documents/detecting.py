"""What `detect` prints."""

from __future__ import annotations

from remem.views.documents.base import Document, Part, Text
from remem.views.documents.checks import UnreadReport, ViolationReport


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
