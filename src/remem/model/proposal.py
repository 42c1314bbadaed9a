"""Proposals: candidates that have no home in their format, whoever made them."""

from __future__ import annotations

from typing import Any, Final

from remem.model.record import Record

PROPOSAL: Final = "proposal"
_TEXTS: Final = ("text", "rule", "description", "title", "learning", "fact", "failed_approach")
"""Fields that may hold a proposal's text, whichever its kind."""


class Proposal(Record):
    """A candidate that has no home in its format yet."""

    kind: str
    """The entry kind that it would become."""
    target: str = ""
    """Name of the format that it would go to; empty = the one that keeps that kind."""
    fields: dict[str, Any]
    evidence: str = ""
    by: str = ""
    door: str = ""
    date: str = ""
    why: str = ""
    """Why it waits for a person, as one sentence."""


def text_of(proposal: Proposal) -> str:
    """Return the text of what is proposed, whichever field its kind keeps it in."""
    texts = (proposal.fields.get(name) for name in _TEXTS)
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")
