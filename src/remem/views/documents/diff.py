"""What `diff` prints."""

from __future__ import annotations

from remem.views.documents.document import Document, Part, Text


class EntryChangeReport(Part):
    """One entry that differs."""

    happened: str
    """`added`, `removed`, `changed` or `moved`."""
    ref: Text
    kind: str
    path: Text
    """Where it stands, or stood; from the root where it lies there."""
    was_ref: Text
    """Its ref before, where that was another one."""
    was_at: Text
    """Where it stood before, if elsewhere."""
    before: Text | None
    """Its text before, under the same title the lines that went; `null` = it was not there."""
    after: Text | None
    """Its text after, under the same title the lines that came; `null` = it is gone."""
    status_before: str
    status_after: str


class AgentChangeReport(Part):
    """What somebody's start does."""

    name: Text
    tool: Text
    """The tool of an agent; `role` for a role."""
    tokens_before: int
    tokens_after: int
    exact: bool
    """False: token counts are estimates."""
    budget: int
    """Tokens that memory may take; 0 = no such budget."""
    is_new: bool
    is_gone: bool
    came_in: tuple[Text, ...]
    went_out: tuple[Text, ...]
    pushed_out: tuple[Text, ...]
    """In before; for want of room no longer."""
    let_in: tuple[Text, ...]
    """Without room before; in now."""
    reworded: tuple[Text, ...]
    """In before and after, in other words."""
    differs: bool
    """The text of the start is another one, or one of the two is not there."""


class ContradictionReport(Part):
    """Two rules that may say opposite things, one of them new."""

    ref: Text
    text: Text
    other_ref: Text
    other_text: Text


class DiffReport(Document):
    """`remem diff`."""

    range: Text
    before: str
    """Id of the commit."""
    after: str
    """Id of the commit; empty = the work tree."""
    encoding: str
    exact: bool
    files: tuple[Text, ...]
    """That hold memory and differ."""
    entries: tuple[EntryChangeReport, ...]
    agents: tuple[AgentChangeReport, ...]
    """All of them; those that nothing happened to have equal numbers."""
    contradictions: tuple[ContradictionReport, ...]
    unread: dict[Text, Text]
    """Files that cannot be read before or after, with the reason: they are not compared."""
