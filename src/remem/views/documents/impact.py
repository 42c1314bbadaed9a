"""What a change does to prompts, as commands print it."""

from __future__ import annotations

from remem.views.documents.base import Part, Text


class ReachReport(Part):
    """What a change does to one prompt: of a role of one repository, or of an agent."""

    repository: Text
    role: Text
    """Empty for an agent."""
    agent: Text = ""
    """Who loads files by itself, or is composed for as a persona."""
    tool: Text = ""
    """Of the agent."""
    before: int
    """Tokens of what is held against the budget; of the whole prompt where there is none."""
    after: int
    budget: int
    """0 = none."""
    exact: bool
    pushed_out: tuple[Text, ...]
    """Refs that find no room any more."""
    let_in: tuple[Text, ...]
    """Refs that had no room before."""
    added: tuple[Text, ...] = ()
    """Refs that the change itself puts in."""
    removed: tuple[Text, ...] = ()
    """Refs that the change itself takes out."""
    no_room: tuple[Text, ...] = ()
    """Refs that it would put in, and that find no room."""
