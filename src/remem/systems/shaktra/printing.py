"""How one entry of Shaktra's is printed in a prompt (FORMATS 5.3)."""

from __future__ import annotations

from remem.model.prompt import one_line
from remem.systems.shaktra.records import AntiPattern, Principle, Stored


def says_nothing(record: Stored) -> bool:
    """Tell whether an entry has no text."""
    if isinstance(record, AntiPattern):
        return not (record.failed_approach + record.recommended_approach).strip()
    return not record.text.strip()


def piece(record: Stored) -> str:
    """Return the entry's lines in a prompt."""
    if isinstance(record, AntiPattern):
        texts = (one_line(record.failed_approach), one_line(record.recommended_approach))
        return f"- **{record.id}** ({record.severity}) {' → '.join(filter(None, texts))}"
    line = f"- **{record.id}** ({record.confidence:.2f}) {one_line(record.text)}"
    guidance = record.guidance if isinstance(record, Principle) else ()
    return "\n".join((line, *(f"  - {one_line(each)}" for each in guidance)))
