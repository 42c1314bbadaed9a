"""What `duplicates` prints."""

from __future__ import annotations

from remem.views.documents.base import Document, Part, Text


class CopyReport(Part):
    """One copy of a rule."""

    ref: Text
    kind: str
    path: Text
    text: Text


class CostReport(Part):
    """What being told twice costs one agent."""

    agent: Text
    tokens: int
    """Of the copies beyond the first, at every start."""


class RuleReport(Part):
    """A rule that an agent is told more than once."""

    keep: Text
    """The copy that is suggested to stay."""
    is_exact: bool
    """False: the copies say it in other words."""
    copies: tuple[CopyReport, ...]
    costs: tuple[CostReport, ...]
    """The dearest first."""


class DuplicatesReport(Document):
    """`remem duplicates`."""

    encoding: str
    exact: bool
    """False: token counts are estimates."""
    rules: tuple[RuleReport, ...]
    """The dearest first."""
