"""What a learning will hold that comes of a signal or of a protocol's retro (FORMATS 2.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from remem.base.text import count
from remem.core.library import Library
from remem.model.change import Json
from remem.model.entry import Entry, Ref
from remem.model.memo import kept_together
from remem.model.source import Source
from remem.systems.learnings.events import said_in
from remem.systems.learnings.read import MANUAL_START, SIGNAL_START, SOURCES, signal_of
from remem.systems.learnings.records import IMPROVEMENT_START, LEARNING, STARTS
from remem.systems.learnings.source import LearningSource, record_of
from remem.systems.sniper.config import settings_of
from remem.systems.sniper.retro import retro_entries
from remem.systems.sniper.retro.retro_record import Finding


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
    where = _where(finding)
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

    What says what to do goes before what only says what was amiss. What became a learning already,
    in whatever words, is left out.
    """
    document, retro = retro_entries.parsed(source)
    if retro is None or not isinstance(document.value, Mapping):
        return ()
    known = became(library, source)
    most = settings_of(library.of_format("sniper")).learning.max_per_retro
    each_with = tuple(zip(source.entries, retro.findings, strict=False))
    found = [
        entry
        for first in (True, False)
        for entry, finding in each_with
        if finding.waits and finding.kind == LEARNING and finding.asks is first
        if entry.ref not in known
    ]
    return tuple(found[: max(0, most)])


def why_not_proposed(library: Library, source: Source, entry: Entry) -> str:
    """Return in a clause why an item of a protocol's retro is none of those that are proposed."""
    made = became(library, source).get(entry.ref)
    if made is not None:
        return f"`{library.short(made.ref)}` came from this retro and says it"
    most = settings_of(library.of_format("sniper")).learning.max_per_retro
    return f"a retro proposes at most {count(most, 'learning')}, corrections first"


def became(library: Library, retro: Source) -> Mapping[Ref, Entry]:
    """Return by item of a protocol's retro the learning that was made of it.

    A learning says where it comes from, or it says the same, or it is about the same: whoever wrote
    it, remem or a person or SNIPER, may have put it in other words. Each list of the retro tells
    of the run in its own way, so that one learning may answer one item of each.
    """
    read, made = retro_entries.parsed(retro)[1], came_of(library, retro)
    if read is None or not made:
        return {}
    sections: dict[str, list[tuple[Entry, Finding]]] = {}
    for entry, finding in zip(retro.entries, read.findings, strict=False):
        if finding.kind == LEARNING:
            sections.setdefault(finding.section, []).append((entry, finding))
    found: dict[Ref, Entry] = {}
    for items in sections.values():
        found |= _became(library, items, made)
    return found


def _became(
    library: Library, items: Sequence[tuple[Entry, Finding]], made: Sequence[Entry]
) -> dict[Ref, Entry]:
    """Pair the items of one list with the learnings, those first that say it plainest."""
    from remem.core.relation.matching import likeness
    from remem.core.relation.subject import paired

    found: dict[Ref, Entry] = {}
    left = [*made]
    details = {each.ref: _detail_of(library, each) for each in made}

    def take(matches: Callable[[Entry, Finding, Entry], object]) -> None:
        for entry, finding in items:
            match = next((each for each in left if matches(entry, finding, each)), None)
            if match is not None and entry.ref not in found:
                found[entry.ref] = match
                left.remove(match)

    take(lambda entry, finding, each: _is_of(finding, details[each.ref]))
    take(
        lambda entry, finding, each: any(
            likeness(entry.title, text) for text in (each.title, each.label)
        )
    )
    rest = [(entry, finding) for entry, finding in items if entry.ref not in found]
    words = [" ".join((each.title, each.label, details[each.ref])) for each in left]
    pairs = paired([finding.text for _, finding in rest], words)
    return found | {rest[one][0].ref: left[two] for one, two in pairs.items()}


def _where(finding: Finding) -> str:
    """Return how a learning names the item that it comes of."""
    return f"{finding.section.replace('_', ' ')}, item {finding.number}"


def _is_of(finding: Finding, detail: str) -> bool:
    where = _where(finding)
    return detail.startswith(where) and detail[len(where) : len(where) + 1] in ("", " ", ":")


def _detail_of(library: Library, entry: Entry) -> str:
    source = library.source_of(entry)
    record = record_of(source) if isinstance(source, LearningSource) else None
    return (record.source.detail or "") if record is not None else ""


def came_of(library: Library, retro: Source) -> tuple[Entry, ...]:
    """Return the learnings that came of a retro: it names them, or they name it; each once."""
    value = retro_entries.parsed(retro)[0].value
    findings = value.get("findings") if isinstance(value, Mapping) else None
    found = {entry.ref: entry for entry in _named(library, findings)}
    found |= {entry.ref: entry for entry in _made_of(library, retro)}
    return tuple(found.values())


def merged_into(library: Library, retro: Source, entry: Entry) -> Entry | None:
    """Return the learning that an item of a protocol's retro was merged into, by what that logs."""
    sources = tuple(library.of_format(LEARNING))
    number = _merged(sources).get((retro.path.stem, place_of(library, entry)))
    return sources[number].entries[0] if number is not None else None


@kept_together
def _merged(sources: tuple[Source, ...]) -> Mapping[tuple[str, str], int]:
    """Return by protocol and place in its retro which of these learnings that was merged into.

    Every item of every retro asks for it; only learnings whose log may tell of one are parsed.
    """
    found: dict[tuple[str, str], int] = {}
    for number, source in enumerate(sources):
        if isinstance(source, LearningSource) and b", item " in source.data:
            record = record_of(source)
            for said in said_in(record.history) if record is not None else ():
                found.setdefault(said, number)
    return found


def place_of(library: Library, entry: Entry) -> str:
    """Return where an item stands in the retro of a protocol; empty for anything else."""
    found = retro_entries.finding_of(library.source_of(entry), entry)
    return _where(found[1]) if found is not None else ""


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
