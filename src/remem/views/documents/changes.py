"""What every command that writes prints, and the history."""

from __future__ import annotations

from remem.views.documents.document import Document, Part, Text
from remem.views.documents.entries import EntryReport, ReachReport


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
    reach: tuple[ReachReport, ...] = ()
    """With `--dry-run`: whose prompts it would change."""


class LogReport(Part):
    """A change that was made."""

    id: str
    """Accepted by `remem undo` and `remem redo`."""
    time: str
    actor: str
    """Who speaks: `person`, `agent` or `auto`."""
    door: str
    """`tui`, `cli`, `mcp` or `provider`."""
    set_off: str
    """Who set it off: `person`, `agent`, or empty for what came by itself."""
    follows: str
    """The id of the change that it followed from, or empty; undone and redone with it."""
    title: Text
    undone: bool


class OutsideReport(Part):
    """A change of one file that no door made."""

    number: int
    time: str
    """When it was seen."""
    cause: str
    """`writer`, `git` or `late`: bytes that came while remem replaced the file."""
    path: Text
    does: str
    """`creates`, `edits` or `removes`."""
    vanished: int
    """Entries that went with it and stand nowhere else."""


class DiffReport(Part):
    """Why a change was made, and what it did."""

    id: str
    reason: Text
    effects: tuple[EffectReport, ...]


class HistoryReport(Document):
    """`remem history`, newest first."""

    changes: tuple[LogReport, ...]
    outside: tuple[OutsideReport, ...]
    shown: DiffReport | None = None
    """Where the id of one change is all that was asked for."""


class LostReport(Part):
    """A file out of which a text was taken, and by what."""

    by: str
    """`change`, `outside` or `commit`."""
    id: str
    """Accepted by `remem restore --from`."""
    time: str
    title: Text
    """Of the change or the commit."""
    path: Text
    text: Text
    """The lines that had it."""
    moved_to: tuple[Text, ...]
    """Files that the same change put it into."""


class SearchReport(Document):
    """`remem search`; changes and what is lost only with `--everywhere`."""

    entries: tuple[EntryReport, ...]
    changes: tuple[LogReport, ...]
    lost: tuple[LostReport, ...]
    """Newest first: the history, then git."""
    complete: bool
    """False: not all of the past could be looked through in time."""
