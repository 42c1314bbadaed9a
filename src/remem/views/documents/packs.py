"""What `export` and `import` print."""

from __future__ import annotations

from remem.views.documents.document import Document, Part, Text


class ExportedReport(Document):
    """The pack of one repository."""

    repository: Text | None
    """Its name where a whole workspace is exported."""
    path: Text
    """The file; empty where none was written."""
    written: bool
    entries: tuple[Text, ...]
    """Refs of what is in it."""
    notes: tuple[Text, ...]
    text: Text
    """The pack itself."""


class ExportReport(ExportedReport):
    """`remem export`."""

    repositories: tuple[ExportedReport, ...]
    """Of a whole workspace the pack of each; then there is no other."""


class PlaceReport(Part):
    """What an entry would have in the prompt of one role."""

    role: Text
    tokens: int
    reason: str | None
    """Why it would be out; `null` = it would be in."""


class ArrivingReport(Part):
    """One entry of a pack, and what becomes of it."""

    kind: str
    text: Text
    outcome: str
    """`added`, `same id`, `same text`, `rejected`, `held back` or `unreadable`."""
    why: Text
    ref: Text | None
    """The candidate that it becomes."""
    like: Text | None
    """The entry that says the same, or nearly, or the opposite."""
    suspects: tuple[Text, ...]
    """Hidden characters, secrets, risky instructions in it."""
    prompts: tuple[PlaceReport, ...]
    """What approving all of the pack would give it; only with `--dry-run`."""


class RoleEffectReport(Part):
    """What approving all of a pack would do to the prompt of one role."""

    role: Text
    tokens_before: int
    tokens_after: int
    budget: int
    """Of the memory layers together; 0 = none."""
    pushed_out: tuple[Text, ...]
    """What would go for want of room."""
    let_in: tuple[Text, ...]


class ImportedReport(Document):
    """What became of a pack in one repository."""

    repository: Text | None
    """Its name where a whole workspace takes the pack in."""
    pack: Text
    exported_from: Text
    exported_at: Text
    written: bool
    id: str
    """Of the change; empty where nothing was written."""
    title: Text
    entries: tuple[ArrivingReport, ...]
    prompts: tuple[RoleEffectReport, ...]
    """What approving all of it would do to each role; only with `--dry-run`."""
    warnings: tuple[Text, ...]


class ImportReport(ImportedReport):
    """`remem import`."""

    repositories: tuple[ImportedReport, ...]
    """Of a whole workspace what became of it in each; then there is nothing else."""
