"""What the rules make of a retro's finding (FORMATS 1.7); nothing is written here."""

from __future__ import annotations

from enum import StrEnum

from remem.model.retro import Finding


class Outcome(StrEnum):
    """What comes of one finding when no memory speaks against it."""

    CONFIRM = "confirm"
    """It goes into force."""
    KEEP = "keep"
    """It is kept as a candidate until it is met again."""
    WAIT = "wait"
    """A person decides without a suggestion."""
    SHOW = "show"
    """It stays in the retro."""
    HIDE = "hide"
    """It stays in the retro and is hidden unless asked for."""


def outcome(finding: Finding, *, auto_codify: bool = True) -> Outcome:
    """Decide by recommendation first, then by confidence.

    Args:
        finding: What a retro found.
        auto_codify: `memory.auto_codify` of the project's settings.
    """
    if finding.recommendation == "ignore":
        return Outcome.HIDE
    if not finding.waits:
        return Outcome.SHOW
    if finding.section == "review_gate_failures" or not auto_codify:
        return Outcome.WAIT
    return Outcome.CONFIRM if finding.confidence == "high" else Outcome.KEEP
