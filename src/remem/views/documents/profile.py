"""What `persona show` tells about who a persona is."""

from __future__ import annotations

from remem.views.documents.base import Part, Text


class ProfileReport(Part):
    """Who a persona is, as its prompt begins."""

    text: Text
    """Compiled; empty where nothing says who it is."""
    tokens: int
    path: Text
    """The file that says it; empty for a row of a database, or for none yet."""
    writable: bool
    why_not: Text
    """Why `persona edit` cannot change it; empty when it can."""
    override: bool
    """A system prompt override replaces the compiled profile; memory still follows."""
