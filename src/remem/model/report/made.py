"""What commands print that make something, and what all print that fail."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from remem.model.report.base import Document, Part, Text


class ErrorWords(Part):
    """What went wrong."""

    code: str
    """A permanent word: `unknown-ref`, `changed-on-disk`, `usage`, …"""
    message: Text
    hint: Text
    """What to do; may be empty."""


class ErrorReport(Document):
    """What any command prints when it could not do what it was asked."""

    error: ErrorWords


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
