"""What a team shares in `.remem/` of what waits: proposals, and what was decided on such.

A proposal is a candidate that has no home in its format, whoever made it; a person rejects it, or
keeps a candidate as one.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from remem.model.record import Record, Shaped

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


class Rejection(Record):
    """A proposal that a person does not want to see again."""

    fingerprint: Annotated[str, Shaped("^[0-9a-f]{64}$")]
    kind: str
    text: str
    reason: str
    by: str
    date: str
    source: str
    """Retro stem, pack file, `mcp`, or story id."""


class Rejections(Record):
    """The file of all rejections."""

    rejected: tuple[Rejection, ...] = ()


class KeptCandidate(Record):
    """A candidate that a person decided to keep as one."""

    ref: str
    """As people write it, without its place."""
    fingerprint: Annotated[str, Shaped("^[0-9a-f]{64}$")]
    """Of its kind, its text, and where it was met by then."""
    date: str
    by: str


class KeptCandidates(Record):
    """The file of all candidates that stay candidates."""

    kept: tuple[KeptCandidate, ...] = ()
