"""What every command that writes prints, and the history."""

from __future__ import annotations

from remem.model.report.base import Document, Part, Text
from remem.model.report.entries import EntryReport


class EffectReport(Part):
    """What a change does to one file."""

    path: Text
    does: Text
    diff: Text
    """Unified; empty where no bytes are shown."""


class TouchedReport(Part):
    """An entry that a change is about."""

    before: Text
    after: Text | None
    """Its ref afterwards; `null` = it leaves memory."""


class ChangeWords(Part):
    """A change, planned or made."""

    id: str
    """Empty while it is only planned."""
    verb: str
    title: Text
    reason: Text
    effects: tuple[EffectReport, ...]
    touched: tuple[TouchedReport, ...]
    receipt: Text
    notes: tuple[Text, ...]
    warnings: tuple[Text, ...]


class ChangeReport(Document):
    """Every command that writes; with `--dry-run` nothing was written."""

    change: ChangeWords
    written: bool
    undone: bool
    """True when the change was taken back by this command."""


class LogReport(Part):
    """A change that was made."""

    id: str
    """Accepted by `remem undo` and `remem redo`."""
    time: str
    actor: str
    """`person`, `agent` or `auto`."""
    door: str
    """`tui`, `cli` or `mcp`."""
    title: Text
    undone: bool


class HistoryReport(Document):
    """`remem history`, newest first."""

    changes: tuple[LogReport, ...]


class SearchReport(Document):
    """`remem search`; changes only with `--everywhere`."""

    entries: tuple[EntryReport, ...]
    changes: tuple[LogReport, ...]
