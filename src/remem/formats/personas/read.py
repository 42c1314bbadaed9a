"""Turns the bytes of a memory file into entries, with the refs of FORMATS 3.2."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Final

from remem.disk.markdown import Document, Heading, is_text, parse
from remem.formats.personas import squad
from remem.formats.personas.source import PersonaSource
from remem.model.entry import Entry, FileSpan, Problem, Ref, Status, WholeFile, digest_of
from remem.model.layout import Part, Reader
from remem.model.source import LoaderKind

DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
ROOT_SECTION: Final = -1
"""Stands where a heading's index would: text above every heading."""

_LEARNINGS: Final = "learnings"
_HEX: Final = 6
"""Digits of a ref as long as they tell units apart."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One entry of a file before it has a ref."""

    start: int
    end: int
    text: str
    section: str
    """Heading that its ref is made with; empty in the head."""
    context: str
    date: str
    unit: int = -1
    """Index in the document's units; -1 for what is no unit."""
    heading: int = ROOT_SECTION
    """Index of the heading above it."""
    group: int = ROOT_SECTION
    """Index of the heading of the section that takes part in the budget; head = `ROOT_SECTION`."""


document_of = lru_cache(maxsize=32)(parse)
"""Takes bytes apart once for reading, planning and composing."""


def read_source(
    source: PersonaSource, data: bytes, before: PersonaSource | None = None
) -> PersonaSource:
    """Return the source with its entries; entries that did not change come from `before`."""
    source = replace(source, data=data, digest=digest_of(data))
    if not is_text(data):
        problem = Problem(
            "not-text",
            f"`{source.name}` is not UTF-8 text, or holds NUL",
            "save it as UTF-8; until then it is shown and never written",
            path=source.path,
            blocks_writing=True,
        )
        return replace(source, problems=(*source.placed, problem))
    problems = (*source.placed, *_over_limit(source))
    entries = _entries(source)
    if before is not None:
        known = {entry.ref: entry for entry in before.entries}
        entries = tuple(
            old if (old := known.get(entry.ref)) == entry and old is not None else entry
            for entry in entries
        )
    return replace(source, entries=entries, problems=problems)


@lru_cache(maxsize=64)
def passages(source: PersonaSource) -> tuple[Passage, ...]:
    """Return what the file holds, in file order, nothing twice."""
    if not is_text(source.data):
        return ()
    match source.file.reader:
        case Reader.DOCUMENT:
            return ()
        case Reader.WHOLE:
            return _whole(source)
        case Reader.DECISIONS:
            return tuple(_decisions(document_of(source.data)))
        case Reader.DATED:
            return tuple(_dated(document_of(source.data)))
        case Reader.OUTLINE:
            return tuple(_outlined(document_of(source.data)))


def is_dated(heading: Heading) -> bool:
    """Tell whether a heading carries a whole date; a month alone is none."""
    return DATE.search(heading.title) is not None


def _entries(source: PersonaSource) -> tuple[Entry, ...]:
    found = passages(source)
    status = Status.ACTIVE
    if source.part == Part.INBOX:
        status = Status.CANDIDATE
    if source.archived or source.part == Part.ARCHIVE:
        status = Status.ARCHIVED
    is_decision = source.file.reader in {Reader.DECISIONS, Reader.WHOLE}
    return tuple(
        Entry(
            ref=ref,
            kind="decision" if is_decision else "lesson",
            title=_title(source, passage),
            status=status,
            at=_at(source, passage),
            digest=digest_of(source.data[passage.start : passage.end]),
            rank=(index,),
            context=passage.context,
            date=passage.date,
        )
        for index, (ref, passage) in enumerate(zip(_refs(source, found), found, strict=True))
    )


def _at(source: PersonaSource, passage: Passage) -> FileSpan | WholeFile:
    if source.file.reader is Reader.WHOLE:
        return WholeFile(source.path)
    return FileSpan(source.path, passage.start, passage.end)


def _title(source: PersonaSource, passage: Passage) -> str:
    match source.file.reader:
        case Reader.WHOLE:
            return squad.title_of(passage.text)
        case Reader.DECISIONS:
            return squad.without_date(passage.section) or squad.title_of(passage.text)
        case _:
            return passage.text


def _refs(source: PersonaSource, found: Sequence[Passage]) -> Iterator[Ref]:
    """Yield a ref for each: six digits of its hash, more on a clash, a number for twins."""
    hashes = [
        sha256(f"{passage.section}\0{passage.text}".encode("utf-8", "replace")).hexdigest()
        for passage in found
    ]
    lengths = _lengths(set(hashes))
    seen: dict[str, int] = {}
    for full in hashes:
        count = seen[full] = seen.get(full, 0) + 1
        yield Ref(
            source.format,
            f"{source.ref_id}#{full[: lengths[full[:_HEX]]]}",
            source.place,
            twin=count if count > 1 else 0,
        )


def _lengths(hashes: set[str]) -> dict[str, int]:
    """Return how many digits tell the hashes apart that share their first six."""
    groups: dict[str, list[str]] = {}
    for full in hashes:
        groups.setdefault(full[:_HEX], []).append(full)
    lengths = {}
    for start, group in groups.items():
        length = _HEX
        while len({full[:length] for full in group}) < len(group):
            length += 1
        lengths[start] = length
    return lengths


def _whole(source: PersonaSource) -> tuple[Passage, ...]:
    if not source.data.strip():
        return ()
    text = source.data.decode("utf-8-sig")
    match = DATE.search(text)
    return (Passage(0, len(source.data), text, "", source.path.name, match[0] if match else ""),)


def _dated(document: Document) -> Iterator[Passage]:
    """Sections start at dated headings only, whatever their level (FORMATS 3.2)."""
    above = ROOT_SECTION
    last_dated = []
    for index, heading in enumerate(document.headings):
        above = index if is_dated(heading) else above
        last_dated.append(above)
    for number, unit in enumerate(document.units):
        group = last_dated[unit.heading] if unit.heading >= 0 else ROOT_SECTION
        title = document.headings[group].title if group >= 0 else ""
        path = [heading.title for heading in document.path(unit.heading)]
        if title and title not in path:
            path.insert(0, title)
        yield Passage(
            start=unit.start,
            end=unit.end,
            text=document.text(unit),
            section=title,
            context=" › ".join(path),
            date=_date(title),
            unit=number,
            heading=unit.heading,
            group=group,
        )


def _outlined(document: Document) -> Iterator[Passage]:
    """Sections nest; the head ends at the first dated heading or `Learnings` (FORMATS 4.2)."""
    headings = document.headings
    head_end = next(
        (i for i, h in enumerate(headings) if is_dated(h) or _is_learnings(h)), len(headings)
    )
    groups = [_group(document, index, head_end) for index in range(len(headings))]
    for number, unit in enumerate(document.units):
        path = document.path(unit.heading)
        dated = next((heading for heading in reversed(path) if is_dated(heading)), None)
        yield Passage(
            start=unit.start,
            end=unit.end,
            text=document.text(unit),
            section=path[-1].title if path else "",
            context=" › ".join(heading.title for heading in path),
            date=_date(dated.title) if dated is not None else "",
            unit=number,
            heading=unit.heading,
            group=groups[unit.heading] if unit.heading >= 0 else ROOT_SECTION,
        )


def _group(document: Document, index: int, head_end: int) -> int:
    """Return the heading that starts the entry which the heading at `index` is a part of.

    The innermost dated one; without one the outermost behind the head, below `Learnings`.
    """
    if index < head_end:
        return ROOT_SECTION
    group = index
    at = index
    while at >= head_end:
        heading = document.headings[at]
        if is_dated(heading):
            return at
        if not _is_bare_learnings(heading):
            group = at
        at = heading.parent
    return group


def _is_learnings(heading: Heading) -> bool:
    return heading.level <= 2 and heading.title.casefold().startswith(_LEARNINGS)


def _is_bare_learnings(heading: Heading) -> bool:
    return heading.title.casefold().strip(" :") == _LEARNINGS


def _date(text: str) -> str:
    match = DATE.search(text)
    return match[0] if match is not None else ""


def _decisions(document: Document) -> Iterator[Passage]:
    """Each heading that begins an entry, with all that stands before the next one."""
    starts = squad.entry_headings(document)
    first = document.headings[starts[0]].start if starts else len(document.data)
    preface = [unit for unit in document.units if unit.start < first]
    if preface:
        start, end = preface[0].start, preface[-1].end
        text = document.data[start:end].decode()
        yield Passage(start, end, text, "", "", "")
    for position, index in enumerate(starts):
        heading = document.headings[index]
        following = starts[position + 1] if position + 1 < len(starts) else -1
        stop = document.headings[following].start if following >= 0 else len(document.data)
        end = _end_of_text(document.data, heading.start, stop)
        path = [above.title for above in document.path(heading.parent)]
        text = document.data[heading.end : max(end, heading.end)].decode().strip()
        yield Passage(
            start=heading.start,
            end=end,
            text=text,
            section=heading.title,
            context=" › ".join(path),
            date=_date(heading.title) or _date(squad.decision_fields(text).get("date", "")),
            heading=index,
            group=index,
        )


def _end_of_text(data: bytes, start: int, stop: int) -> int:
    """Return the end of the last line that is not blank; blanks at its end belong to it."""
    last = start + len(data[start:stop].rstrip())
    return stop - len(data[last:stop].lstrip(b" \t\x0b\x0c"))


def _over_limit(source: PersonaSource) -> Iterator[Problem]:
    """Yield what of the file its tool does not take, or says should not be."""
    loader, data = source.loader, source.data
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    if loader.kind is LoaderKind.HEAD and (
        0 < loader.lines < lines or 0 < loader.bytes < len(data)
    ):
        yield Problem(
            "over-limit",
            f"`{source.name}` has {lines:,} lines and {len(data):,} bytes; only the {loader} "
            "are loaded",
            "archive what is old, or move it to topic files",
            path=source.path,
        )
    characters = len(data.decode())
    if loader.kind is LoaderKind.TAIL and characters > loader.characters:
        yield Problem(
            "over-limit",
            f"`{source.name}` has {characters:,} characters; only the {loader} are loaded",
            "archive what is old, or compact it",
            path=source.path,
        )
    if 0 < source.file.mark < len(data):
        yield Problem(
            "over-limit",
            f"`{source.name}` has {len(data):,} bytes; {source.rules.tool} wants it below "
            f"{source.file.mark:,}",
            "archive what is old",
            path=source.path,
        )
