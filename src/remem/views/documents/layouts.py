"""What `layout list` prints."""

from __future__ import annotations

from remem.views.documents.base import Document, Part, Text


class LayoutReport(Part):
    """Where files of one kind lie."""

    name: Text
    tool: Text
    """Empty = not known."""
    scope: str
    files: tuple[Text, ...]
    """Patterns below the root or the home folder."""
    loader: str
    """In words: how its files are loaded."""
    claim: Text
    """Where that is known from."""
    found: int
    """Files that are there."""


class LayoutsReport(Document):
    """`remem layout list`."""

    layouts: tuple[LayoutReport, ...]
