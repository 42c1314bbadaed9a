"""What commands print that make something, and what all print that fail."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from remem.views.documents.document import Document, Part, Text


class ErrorWords(Part):
    """What went wrong."""

    code: str
    """A permanent word: `unknown-ref`, `changed-on-disk`, `conflict`, `usage`, …"""
    message: Text
    hint: Text
    """What to do; may be empty."""


class ConflictReport(Part):
    """What was decided on, and reads otherwise now."""

    ref: Text
    """Accepted wherever a command takes a REF, unless `theirs` is `null`."""
    base: Text | None
    """As it was shown; `null` = not known."""
    theirs: Text | None
    """As it stands now; `null` = gone."""
    yours: Text | None
    """As the decision would leave it; `null` = it would take it away, or cannot be done."""


class ErrorReport(Document):
    """What any command prints when it could not do what it was asked."""

    error: ErrorWords
    conflict: ConflictReport | None = None
    """Where the code is `conflict`; left away otherwise."""


class DemoReport(Document):
    """`remem demo --json`: the workspace was built and not opened."""

    project: Text
    home: Text


class SchemaReport(Document):
    """`remem schema --json`; with `--write` the files that were written."""

    schemas: dict[str, dict[str, Any]] = field(default_factory=dict)
    written: tuple[Text, ...] = ()


class ScreenshotReport(Document):
    """`remem screenshot`."""

    written: tuple[Text, ...]
