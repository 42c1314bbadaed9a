"""What a learning will hold that comes of a signal or of a protocol's retro (FORMATS 2.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from remem.formats.learnings.read import signal_of
from remem.formats.learnings.source import LearningSource
from remem.formats.sniper import retros
from remem.formats.sniper.config import settings_of
from remem.library import Library
from remem.model.change import Json
from remem.model.entry import Entry, Ref
from remem.model.learning import IMPROVEMENT_START, LEARNING, STARTS
from remem.model.retro import Finding
from remem.model.signal import MANUAL_START, SIGNAL_START, SOURCES
from remem.model.similar import likeness
from remem.model.source import Source

PROTOCOL_START: Final[Mapping[str, float]] = {
    "action_items": STARTS["retro"],
    "needs_improvement": IMPROVEMENT_START,
}
"""Lists of a protocol's retro that propose learnings, the first before the second."""


def fields_of_signal(source: LearningSource) -> dict[str, Json]:
    """Return the fields of the learning that a signal becomes."""
    signal = signal_of(source)
    detail = ": ".join(filter(None, (signal.source, signal.details or "")))
    origin: dict[str, Json] = {"type": SOURCES[signal.type]}
    if detail:
        origin["detail"] = detail
    fields: dict[str, Json] = {
        "learning": signal.text,
        "confidence": MANUAL_START if signal.type == "manual" else SIGNAL_START,
        "source": origin,
    }
    if signal.affected_files:
        fields["scope"] = {"files": list(signal.affected_files)}
    return fields


def fields_of_finding(source: Source, finding: Finding) -> dict[str, Json]:
    """Return the fields of the learning that an item of a protocol's retro becomes."""
    section = finding.section.replace("_", " ")
    return {
        "learning": finding.text,
        "confidence": PROTOCOL_START[finding.section],
        "source": {
            "type": "retro",
            "protocol_id": source.path.stem,
            "detail": f"{section}, item {finding.number}",
        },
    }


def proposed(library: Library, source: Source) -> tuple[Entry, ...]:
    """Return the items of a protocol's retro that may become learnings, the first few.

    What the learnings that the retro names already say is left out.
    """
    document, retro = retros.parsed(source)
    if retro is None or not isinstance(document.value, Mapping):
        return ()
    known = _named(library, document.value.get("findings"))
    most = settings_of(library.of_format("sniper")).learning.max_per_retro
    found = [
        entry
        for section in PROTOCOL_START
        for entry in source.entries
        if entry.context == section and entry.title.strip()
        if not any(likeness(entry.title, text) for text in known)
    ]
    return tuple(found[: max(0, most)])


def _named(library: Library, findings: object) -> tuple[str, ...]:
    names = findings.get("learning_ids") if isinstance(findings, Mapping) else None
    wanted = {str(name) for name in names} if isinstance(names, list) else set()
    if not wanted:
        return ()
    refs = (Ref(LEARNING, name, library.ground.project) for name in wanted)
    return tuple(library.entry(ref).title for ref in refs if library.has(ref))
