"""What the rules make of a retro's finding (FORMATS 1.7); nothing is written here."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from remem.base.text import count
from remem.model.change import Json
from remem.model.origin import origin_of
from remem.systems.sniper.retro.retro_entries import sprint_named
from remem.systems.sniper.retro.retro_record import Finding, Retro

UNTRACKED: Final = "marked as tracked, but no entry covers it"
"""Of a gate failure that a retro calls tracked, where memory does not say it."""


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


def sureness(finding: Finding) -> str:
    """Return ` with high confidence` where the retro says so; else what makes the rules sure."""
    if finding.says_confidence:
        return f" with {finding.confidence} confidence"
    return f", {count(finding.occurrences, 'occurrence')}" if finding.occurrences else ""


def met_in(fields: Mapping[str, Json]) -> frozenset[str]:
    """Return the retros, reviews and files in which an entry was met, by their stems."""
    origin = origin_of(fields)
    seen = fields.get("seen")
    items = seen if isinstance(seen, list) else []
    refs = {str(one.get("ref") or "") for one in items if isinstance(one, Mapping)}
    return frozenset(refs | ({origin.ref} if origin is not None else set()))


def is_met_again(fields: Mapping[str, Json], stem: str, retro: Retro, finding: Finding) -> bool:
    """Tell whether a finding is one more occurrence of a candidate (FORMATS 1.7).

    Args:
        fields: What the candidate holds.
        stem: File name of the retro.
        retro: It.
        finding: In it.
    """
    if stem in met_in(fields):
        return False
    if finding.section != "review_gate_failures":
        return finding.recommendation in ("codify", "monitor")
    origin = origin_of(fields)
    if origin is None:
        return True
    before = sprint_named(origin.ref)
    if before is not None and retro.sprint is not None:
        return retro.sprint > before
    return not origin.date or not retro.date or retro.date > origin.date
