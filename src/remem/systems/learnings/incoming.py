"""What a learning will hold that comes of a signal or of a protocol's retro (FORMATS 2.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from remem.base.text import count
from remem.core.library import Library
from remem.core.relation.similar import likeness
from remem.model.change import Json
from remem.model.entry import Entry, Ref
from remem.model.source import Source
from remem.systems.learnings.read import signal_of
from remem.systems.learnings.records import IMPROVEMENT_START, LEARNING, STARTS
from remem.systems.learnings.signals import MANUAL_START, SIGNAL_START, SOURCES
from remem.systems.learnings.source import LearningSource, record_of
from remem.systems.sniper import retros
from remem.systems.sniper.config import settings_of
from remem.systems.sniper.retro_record import Finding


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
    where = f"{section}, item {finding.number}"
    if finding.area:
        where = f"{where} ({finding.area})"
    return {
        "learning": finding.text,
        "confidence": STARTS["retro"] if finding.asks else IMPROVEMENT_START,
        "source": {
            "type": "retro",
            "protocol_id": source.path.stem,
            "detail": ": ".join(filter(None, (where, finding.evidence))),
        },
    }


def proposed(library: Library, source: Source) -> tuple[Entry, ...]:
    """Return the items of a protocol's retro that may become learnings, the first few.

    What says what to do goes before what only says what was amiss. What the learnings that came
    of the retro already say is left out.
    """
    document, retro = retros.parsed(source)
    if retro is None or not isinstance(document.value, Mapping):
        return ()
    made = came_of(library, source)
    known = tuple(dict.fromkeys(text for entry in made for text in (entry.title, entry.label)))
    most = settings_of(library.of_format("sniper")).learning.max_per_retro
    paired = tuple(zip(source.entries, retro.findings, strict=False))
    found = [
        entry
        for first in (True, False)
        for entry, finding in paired
        if finding.waits and finding.kind == LEARNING and finding.asks is first
        if not any(likeness(entry.title, text) for text in known)
    ]
    return tuple(found[: max(0, most)])


def why_not_proposed(library: Library, source: Source, entry: Entry) -> str:
    """Return in a clause why an item of a protocol's retro is none of those that are proposed."""
    for each in came_of(library, source):
        if any(likeness(entry.title, text) for text in (each.title, each.label)):
            return f"`{library.short(each.ref)}` came of this retro and says it"
    most = settings_of(library.of_format("sniper")).learning.max_per_retro
    return f"a retro proposes at most {count(most, 'learning')}, what says what to do first"


def came_of(library: Library, retro: Source) -> tuple[Entry, ...]:
    """Return the learnings that came of a retro: it names them, or they name it; each once."""
    value = retros.parsed(retro)[0].value
    findings = value.get("findings") if isinstance(value, Mapping) else None
    found = {entry.ref: entry for entry in _named(library, findings)}
    found |= {entry.ref: entry for entry in _made_of(library, retro)}
    return tuple(found.values())


def _made_of(library: Library, retro: Source) -> Iterator[Entry]:
    """Yield the learnings whose source is that retro; only those are parsed."""
    name = retro.path.stem
    for source in library.of_format(LEARNING):
        if isinstance(source, LearningSource) and name.encode() in source.data:
            record = record_of(source)
            if record is not None and record.source.protocol_id == name:
                yield from source.entries


def _named(library: Library, findings: object) -> Iterator[Entry]:
    names = findings.get("learning_ids") if isinstance(findings, Mapping) else None
    for name in dict.fromkeys(map(str, names)) if isinstance(names, list) else ():
        ref = Ref(LEARNING, name, library.ground.project)
        if library.has(ref):
            yield library.entry(ref)
