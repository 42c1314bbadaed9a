"""What `mcp install` and `mcp doctor` print."""

from __future__ import annotations

from remem.views.documents.document import Document, Part, Text


class InstallReport(Document):
    """`remem mcp install`, where it made no file: a file that it makes is told as a change."""

    client: str
    how: str
    """`command` (the client's own command was run) or `print` (a person writes it)."""
    command: tuple[Text, ...]
    """What was run, or what starts the server."""
    path: Text | None
    """Of the file that `text` belongs into."""
    text: Text | None


class FindingOfDoctor(Part):
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: Text
    hint: Text
    """What to do; empty where nothing is wrong."""


class DoctorReport(Document):
    """`remem mcp doctor`."""

    ok: bool
    checks: tuple[FindingOfDoctor, ...]
