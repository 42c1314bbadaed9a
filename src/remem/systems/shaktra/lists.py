"""Reads list files: where their entries stand, and what each of them says.

Entries whose bytes did not change are taken over from the last snapshot. Changing them is
`edits.py`'s concern.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from remem.core.numbered_records import id_in_ref, twins
from remem.edit.yaml_index import Span, index
from remem.edit.yaml_read import line_of, parse_item
from remem.model.entry import Entry, FileSpan, Problem, Ref, Status, digest_of
from remem.model.record import (
    Fault,
    Record,
)
from remem.model.source import Source
from remem.systems.shaktra.faults import keeps_from_counting, read_observation, read_stored
from remem.systems.shaktra.records import (
    OBSERVATION,
    AntiPattern,
    Observation,
    Principle,
    Procedure,
    Stored,
)
from remem.systems.shaktra.source import OBSERVATIONS, Kept, ListSource, Read

DUPLICATE: Final = "duplicate-id"


def read_list(source: ListSource, data: bytes, before: Source | None) -> ListSource:
    """Return the source with its entries in file order."""
    old = before if isinstance(before, ListSource) else None
    found = index(data, source.kept.key, old.index if old else None)
    known = _known(old)
    numbers = twins(found.ids)
    source = replace(source, data=data, digest=digest_of(data), index=found)
    items: list[Read] = []
    entries: list[Entry] = []
    for number, span in enumerate(found.items):
        piece = data[span.start : span.end]
        ref = _ref(source, found.ids[number], number, numbers)
        taken = known.get(piece) if number not in numbers else None
        if taken is None:
            item = _read(source, span, is_twin=number in numbers)
            entry = _entry(source, ref, item, span, piece)
        else:
            item = taken[1]
            entry = replace(taken[0], ref=ref, at=FileSpan(source.path, span.start, span.end))
        items.append(item)
        entries.append(entry)
    problems = (replace(problem, path=source.path) for problem in found.problems)
    return replace(
        source,
        entries=tuple(entries),
        items=tuple(items),
        problems=(*source.problems, *problems),
    )


def number_of(source: Source, entry: Entry) -> tuple[ListSource, int]:
    """Return an entry's list and its place there, from 0.

    Raises:
        TypeError: The source is no list.
    """
    if not isinstance(source, ListSource):
        raise TypeError(source.name)
    start = entry.at.start if isinstance(entry.at, FileSpan) else -1
    for number, span in enumerate(source.index.items):
        if span.start == start:
            return source, number
    raise TypeError(str(entry.ref))


def read_of(source: Source, entry: Entry) -> Read:
    """Return what was read of an entry."""
    found, number = number_of(source, entry)
    return found.items[number]


def records_of(source: ListSource) -> Iterator[tuple[Entry, Stored]]:
    """Yield the entries of a store with their records."""
    for entry, item in zip(source.entries, source.items, strict=True):
        if isinstance(item.record, Principle | AntiPattern | Procedure):
            yield entry, item.record


def observed_in(sources: Sequence[Source], story: str) -> list[ListSource]:
    """Return the file of a story's observations, if there is one."""
    return [
        source
        for source in sources
        if isinstance(source, ListSource) and source.part == OBSERVATIONS and source.story == story
    ]


def _known(old: ListSource | None) -> Mapping[bytes, tuple[Entry, Read]]:
    """Return what was read before by its bytes, but for what names lines, which may differ."""
    if old is None or b"&" in old.data:
        return {}
    pairs = zip(old.index.items, old.entries, old.items, strict=True)
    return {
        old.data[span.start : span.end]: (entry, item)
        for span, entry, item in pairs
        if not entry.problems
    }


def _read(source: ListSource, span: Span, *, is_twin: bool) -> Read:
    item = parse_item(source.data, span)
    kind = source.kept.kind
    problems = [replace(problem, path=source.path) for problem in item.problems]
    record: Record
    if kind == OBSERVATION:
        record, faults = read_observation(item.value)
        status = Status.ACTIVE
    else:
        record, status, faults = read_stored(kind, item.value)
    first = line_of(source.data, span.start)
    problems += [_problem(source, fault, item.lines, first) for fault in faults]
    if is_twin:
        problems.append(_twice(source, str(item.value.get("id")), first))
    counts = not is_twin and not any(keeps_from_counting(fault) for fault in faults)
    counts = counts and not any(problem.blocks_writing for problem in item.problems)
    return Read(item.value, record, status, tuple(problems), counts)


def _entry(source: ListSource, ref: Ref, item: Read, span: Span, piece: bytes) -> Entry:
    record = item.record
    title, roles, date, context = "", None, "", ""
    rank: tuple[int | float | str, ...] = ()
    if isinstance(record, Observation):
        title, context = record.text, record.type
    elif isinstance(record, Principle | AntiPattern | Procedure):
        title, roles, date = record.says, record.roles or None, record.created
        rank = (-record.confidence, ref.id)
    return Entry(
        ref=ref,
        kind=source.kept.kind,
        title=title,
        status=item.status,
        at=FileSpan(source.path, span.start, span.end),
        digest=digest_of(piece),
        roles=roles,
        rank=rank,
        context=context,
        date=date,
        problems=item.problems,
    )


def _ref(source: ListSource, name: str, number: int, numbers: Mapping[int, int]) -> Ref:
    kept: Kept = source.kept
    if kept.kind == OBSERVATION:
        above = source.story or source.name
        return Ref(
            source.format, f"{above}/{name or number + 1}", source.place, numbers.get(number, 0)
        )
    own = id_in_ref(source.part, kept.prefix, name, number)
    return Ref(source.format, own, source.place, numbers.get(number, 0))


def _problem(source: Source, fault: Fault, lines: Mapping[str, int], first: int) -> Problem:
    line = lines.get(".".join(map(str, fault.path))) or first
    return Problem(fault.code, fault.message, fault.hint, source.path, line, field=fault.field)


def _twice(source: Source, name: str, line: int) -> Problem:
    message = f"several entries have the id `{name}`"
    hint = "give one of them the next free id"
    return Problem(DUPLICATE, message, hint, source.path, line, field="id")
