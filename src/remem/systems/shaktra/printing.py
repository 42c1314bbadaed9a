"""How one entry of Shaktra's is printed in a prompt (FORMATS 5.3)."""

from __future__ import annotations

from remem.systems.shaktra.records import AntiPattern, Principle, Stored


def one_line(text: str) -> str:
    """Return the text with its line breaks as blanks."""
    return " ".join(text.split())


def piece(record: Stored) -> str:
    """Return the entry's lines in a prompt."""
    if isinstance(record, AntiPattern):
        texts = (one_line(record.failed_approach), one_line(record.recommended_approach))
        return f"- **{record.id}** ({record.severity}) {' → '.join(filter(None, texts))}"
    line = f"- **{record.id}** ({record.confidence:.2f}) {one_line(record.text)}"
    guidance = record.guidance if isinstance(record, Principle) else ()
    return "\n".join((line, *(f"  - {one_line(each)}" for each in guidance)))
