"""Turns the bytes of a memory file into entries, with the refs of FORMATS 3.2."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from threading import Lock
from typing import Final, Generic, TypeVar

from remem.base.frozen import dataclass
from remem.base.text import JS_BLANK, js_length
from remem.edit.markdown import Document, Heading, Kind, Unit, is_text, parse, text_start
from remem.edit.markdown_reparse import parse_again
from remem.model.entry import Entry, FileSpan, Problem, Ref, Status, WholeFile, digest_of
from remem.model.layout import Part, Reader
from remem.model.source import Deferred, LoaderKind
from remem.systems.personas.memory_files import log_entries
from remem.systems.personas.source import LESSON, PersonaSource
from remem.systems.personas.team import squad

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_LEAST: Final = 3
"""Kept however long they are: a file, what an edit would make of it, and one beside it."""
_MOST_BYTES: Final = 4_000_000


class Kept(Generic[K, V]):
    """The last few results, by the bytes they were made of and what else they depend on.

    Unlike those of a cached function they may come from what was known of other bytes.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._found = OrderedDict[tuple[bytes, K], V]()
        self._bytes = 0
        self._lock = Lock()

    def get(self, data: bytes, key: K) -> V | None:
        with self._lock:
            found = self._found.get((data, key))
            if found is not None:
                self._found.move_to_end((data, key))
            return found

    def put(self, data: bytes, key: K, value: V) -> V:
        """Keep and return a value; of two that were made at once the last one stays."""
        with self._lock:
            if (data, key) not in self._found:
                self._bytes += len(data)
            self._found[data, key] = value
            self._found.move_to_end((data, key))
            while len(self._found) > self._size or (
                self._bytes > _MOST_BYTES and len(self._found) > _LEAST
            ):
                (old, _), _ = self._found.popitem(last=False)
                self._bytes -= len(old)
        return value


PARTING: Final = re.compile(rb"^\xc2\xa7[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
"""A line that parts entries: `§` alone."""
DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
ROOT_SECTION: Final = -1
"""Stands where a heading's index would: text above every heading."""

_CONFLICT: Final = tuple(
    re.compile(sign, re.MULTILINE) for sign in (rb"^<{7} ", rb"^={7}\r?$", rb"^>{7}(?: |\r?$)")
)
"""What begins, parts and ends a conflict, in this order."""
_LEARNINGS: Final = "learnings"


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
    known_as: str = ""
    """What its ref is made with where it names itself; empty = section and text."""


_documents = Kept[None, Document](32)
_passages = Kept[tuple[Reader, str], tuple[Passage, ...]](64)
_entries = Kept[tuple[object, ...], Sequence[Entry]](32)
"""What a preview made of a file is what the file holds once the change was made."""


def document_of(data: bytes) -> Document:
    """Take bytes apart, once for reading, planning and composing."""
    return _documents.get(data, None) or _documents.put(data, None, parse(data))


def read_source(
    source: PersonaSource, data: bytes, before: PersonaSource | None = None
) -> PersonaSource:
    """Return the source with its entries; entries that did not change come from `before`."""
    source = replace(source, data=data, digest=digest_of(data))
    if not is_text(data):
        return replace(source, problems=(*source.placed, _not_text(source, data)))
    problems = (*source.placed, *_over_limit(source), *_unresolved(source))
    return replace(source, entries=_entries_of(source, before), problems=problems)


def _not_text(source: PersonaSource, data: bytes) -> Problem:
    """Say which line makes a file no text: the first with a NUL byte, or that is not UTF-8."""
    lines = data.split(b"\n")
    nul = next((number for number, line in enumerate(lines, 1) if b"\0" in line), 0)
    number = nul or next(number for number, line in enumerate(lines, 1) if not is_text(line))
    what, hint = ("holds a NUL byte", "remove it") if nul else ("is not UTF-8", "save it as UTF-8")
    return Problem(
        "not-text",
        f"`{source.name}` {what} (line {number:,})",
        f"{hint}; until then remem only shows the file",
        path=source.path,
        line=number,
        blocks_writing=True,
    )


def _entries_of(source: PersonaSource, before: PersonaSource | None) -> Sequence[Entry]:
    if before is not None and before.digest and before.data == source.data:
        return before.entries
    key = (source.key, source.place, source.ref_id, source.part, source.archived, source.file)
    known = _entries.get(source.data, key)
    if known is not None:
        return known
    if before is None or (isinstance(before.entries, Deferred) and not before.entries.is_complete):
        # Who starts with what is shown before anybody looks into the entries.
        return Deferred(lambda: _entries.put(source.data, key, _made(source, None)))
    return _entries.put(source.data, key, _made(source, before))


def _made(source: PersonaSource, before: PersonaSource | None) -> Sequence[Entry]:
    if before is None or not before.entries:
        return entries_of(source, passages(source))
    if source.file.reader in {Reader.DATED, Reader.OUTLINE}:
        head, tail = _read_again(source, before)
        return entries_again(source, passages(source), before.entries, head, tail)
    known = {entry.ref: entry for entry in before.entries}
    return tuple(
        old if (old := known.get(entry.ref)) == entry and old is not None else entry
        for entry in entries_of(source, passages(source))
    )


def _read_again(source: PersonaSource, before: PersonaSource) -> tuple[int, int]:
    """Take the file apart where it changed; return how many passages stayed at each end."""
    again = parse_again(document_of(before.data), source.data)
    document, known = again.document, passages(before)
    _documents.put(source.data, None, document)
    # What stands below another heading than before belongs to something else.
    tail = again.tail if again.same_headings else 0
    stop = len(document.units) - tail
    changed = _of_units(document, source.file.reader, range(again.head, stop))
    moved, by = len(source.data) - len(before.data), len(document.units) - len(known)
    rest = known[len(known) - tail :]
    if moved or by:
        rest = tuple(_moved(passage, moved, by) for passage in rest)
    _passages.put(source.data, _key(source), (*known[: again.head], *changed, *rest))
    return again.head, tail


def _moved(passage: Passage, bytes_: int, units: int) -> Passage:
    return Passage(
        passage.start + bytes_,
        passage.end + bytes_,
        passage.text,
        passage.section,
        passage.context,
        passage.date,
        passage.unit + units,
        passage.heading,
        passage.group,
    )


def passages(source: PersonaSource) -> tuple[Passage, ...]:
    """Return what the file holds, in file order, nothing twice."""
    key = _key(source)
    found = _passages.get(source.data, key)
    if found is not None:
        return found
    return _passages.put(source.data, key, _passages_in(source.data, *key))


def _key(source: PersonaSource) -> tuple[Reader, str]:
    return source.file.reader, source.path.name


def _passages_in(data: bytes, reader: Reader, name: str) -> tuple[Passage, ...]:
    if not is_text(data):
        return ()
    match reader:
        case Reader.DOCUMENT:
            return ()
        case Reader.WHOLE:
            return _whole(data, name)
        case Reader.DECISIONS:
            return tuple(_decisions(document_of(data)))
        case Reader.PARTED:
            return tuple(_parted(data))
        case Reader.LOG:
            return tuple(_logged(document_of(data)))
        case Reader.DATED | Reader.OUTLINE:
            document = document_of(data)
            return tuple(_of_units(document, reader, range(len(document.units))))


def _of_units(document: Document, reader: Reader, numbers: range) -> Iterator[Passage]:
    return (_dated if reader is Reader.DATED else _outlined)(document, numbers)


def is_dated(heading: Heading) -> bool:
    """Tell whether a heading carries a whole date; a month alone is none."""
    return DATE.search(heading.title) is not None


def _whole(data: bytes, name: str) -> tuple[Passage, ...]:
    if not data.strip():
        return ()
    text = data.decode("utf-8-sig")
    match = DATE.search(text)
    return (Passage(0, len(data), text, "", name, match[0] if match else ""),)


def _parted(data: bytes) -> Iterator[Passage]:
    """Yield what stands between lines of `§`, without the blank around it."""
    at = text_start(data)
    for sign in (*PARTING.finditer(data), None):
        part = data[at : sign.start() if sign is not None else len(data)]
        text = part.strip()
        if text:
            start = at + len(part) - len(part.lstrip())
            yield Passage(start, start + len(text), text.decode(), "", "", "")
        at = sign.end() if sign is not None else len(data)


def _dated(document: Document, numbers: range) -> Iterator[Passage]:
    """Sections start at dated headings only, whatever their level (FORMATS 3.2)."""
    above = ROOT_SECTION
    last_dated = []
    for index, heading in enumerate(document.headings):
        above = index if is_dated(heading) else above
        last_dated.append(above)
    below: dict[int, tuple[str, str, str, int]] = {}
    for number in numbers:
        unit = document.units[number]
        if unit.heading not in below:
            group = last_dated[unit.heading] if unit.heading >= 0 else ROOT_SECTION
            title = document.headings[group].title if group >= 0 else ""
            path = [heading.title for heading in document.path(unit.heading)]
            if title and title not in path:
                path.insert(0, title)
            below[unit.heading] = (title, " › ".join(path), _date(title), group)
        yield _passage(document, number, unit, *below[unit.heading])


def _outlined(document: Document, numbers: range) -> Iterator[Passage]:
    """Sections nest; the head ends at the first dated heading or `Learnings` (FORMATS 4.2)."""
    headings = document.headings
    head_end = next(
        (i for i, h in enumerate(headings) if is_dated(h) or _is_learnings(h)), len(headings)
    )
    below: dict[int, tuple[str, str, str, int]] = {}
    for number in numbers:
        unit = document.units[number]
        if unit.heading not in below:
            path = document.path(unit.heading)
            dated = next((heading for heading in reversed(path) if is_dated(heading)), None)
            below[unit.heading] = (
                path[-1].title if path else "",
                " › ".join(heading.title for heading in path),
                _date(dated.title) if dated is not None else "",
                _group(document, unit.heading, head_end),
            )
        yield _passage(document, number, unit, *below[unit.heading])


def _passage(
    document: Document, number: int, unit: Unit, section: str, context: str, date: str, group: int
) -> Passage:
    return Passage(
        unit.start,
        unit.end,
        document.text(unit),
        section,
        context,
        date,
        number,
        unit.heading,
        group,
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


def _logged(document: Document) -> Iterator[Passage]:
    """Yield each entry of a log as one, and what stands around them by its units."""
    data, spans = document.data, {}
    for index, stop in log_entries.entry_headings(document):
        heading = document.headings[index]
        end = _end_of_text(data, heading.start, stop)
        text = data[heading.end : max(end, heading.end)].decode()
        path = [above.title for above in document.path(heading.parent)]
        told = log_entries.fields_of(text, heading.title)
        spans[heading.start] = Passage(
            start=heading.start,
            end=end,
            text=text,
            section=heading.title,
            context=" › ".join(path),
            date=_date(told.get("logged", "")),
            heading=index,
            group=index,
            known_as=told.get("id", ""),
        )
    starts = [*spans]
    ends = [each.end for each in spans.values()]
    for number, unit in enumerate(document.units):
        last = bisect_right(starts, unit.start) - 1
        if last >= 0 and unit.start < ends[last]:
            continue
        (spans[unit.start],) = _outlined(document, range(number, number + 1))
    yield from (spans[start] for start in sorted(spans))


def _end_of_text(data: bytes, start: int, stop: int) -> int:
    """Return the end of the last line that is not blank; blanks at its end belong to it."""
    last = start + len(data[start:stop].rstrip())
    return stop - len(data[last:stop].lstrip(b" \t\x0b\x0c"))


def _unresolved(source: PersonaSource) -> Iterator[Problem]:
    """Yield where git left both sides of a conflict in the file."""
    start, at = -1, 0
    if b"<<<<<<< " not in source.data:
        return  # megabytes are not searched line by line
    for sign in _CONFLICT:
        found = sign.search(source.data, at)
        if found is None:
            return
        start, at = found.start() if start < 0 else start, found.end()
    units = document_of(source.data).units
    if any(u.kind is Kind.FENCE and u.start <= start < u.end for u in units):
        return
    yield Problem(
        "conflict-markers",
        f"`{source.name}` has unresolved git conflict markers",
        "resolve them in your editor; until then agents read both sides",
        path=source.path,
        line=source.data.count(b"\n", 0, start) + 1,
    )


def _over_limit(source: PersonaSource) -> Iterator[Problem]:
    """Yield what of the file its tool does not take, or says should not be."""
    loader, data = source.loader, source.data
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    characters = 0
    if loader.kind is LoaderKind.HEAD and loader.characters:
        own = data.decode("utf-8", "replace").strip(JS_BLANK)
        lines, characters = own.count("\n") + 1, js_length(own)
    if loader.kind is LoaderKind.HEAD and (
        0 < loader.lines < lines
        or 0 < loader.bytes < len(data)
        or 0 < loader.characters < characters
    ):
        size = f"{characters:,} characters" if loader.characters else f"{len(data):,} bytes"
        yield Problem(
            "over-limit",
            f"`{source.name}` has {lines:,} lines and {size}; only the {loader} are loaded",
            "archive old entries, or move them to topic files",
            path=source.path,
        )
    if loader.kind is LoaderKind.ENDS and loader.bytes < len(data):
        yield Problem(
            "over-limit",
            f"`{source.name}` has {len(data):,} bytes; only the {loader} are loaded",
            "archive old entries",
            path=source.path,
        )
    characters = len(data.decode())
    if loader.kind is LoaderKind.TAIL and characters > loader.characters:
        yield Problem(
            "over-limit",
            f"`{source.name}` has {characters:,} characters; only the {loader} are loaded",
            "archive old entries, or compact it",
            path=source.path,
        )
    if source.is_over_mark and source.file.reader is not Reader.DECISIONS:
        yield Problem(
            "over-limit",
            f"`{source.name}` has {len(data):,} bytes; {source.rules.tool} expects less than "
            f"{source.file.mark:,}",
            "archive old entries",
            path=source.path,
        )


_HEX: Final = 6
"""Digits of a ref as long as they tell units apart."""


def entries_of(source: PersonaSource, found: Sequence[Passage]) -> tuple[Entry, ...]:
    """Return an entry for each passage of the file."""
    status, kind = _status(source), _kind(source)
    return tuple(
        _entry(source, index, passage, ref, status, kind)
        for index, (ref, passage) in enumerate(zip(_refs(source, found), found, strict=True))
    )


def entries_again(
    source: PersonaSource, found: Sequence[Passage], before: Sequence[Entry], head: int, tail: int
) -> tuple[Entry, ...]:
    """Return what `entries_of` would, keeping what did not change.

    Args:
        source: The file now.
        found: All its passages.
        before: The entries that it had.
        head: So many passages at its beginning are as they were.
        tail: So many at its end are as they were, moved at most.
    """
    status, kind = _status(source), _kind(source)
    refs = _new_refs(source, found, before, head, tail)
    stop, by = len(found) - tail, len(before) - len(found)
    known = {entry.ref: entry for entry in before[head : len(before) - tail]}
    made = [*before[:head]]
    for index in range(head, stop):
        entry = _entry(source, index, found[index], refs[index], status, kind)
        old = known.get(entry.ref)
        made.append(old if old is not None and old == entry else entry)
    rest = before[len(before) - tail :]
    if by or (rest and _at(source, found[stop]) != rest[0].at):
        made += [_moved_by(source, i, found[i], before[i + by]) for i in range(stop, len(found))]
    else:
        made += rest
    for index, ref in refs.items():
        if made[index].ref != ref:
            made[index] = _entry(source, index, found[index], ref, status, kind)
    return tuple(made)


def _new_refs(
    source: PersonaSource, found: Sequence[Passage], before: Sequence[Entry], head: int, tail: int
) -> dict[int, Ref]:
    """Return the refs of what changed, and of all whose refs go by it: twins, and clashes."""
    stop, by = len(found) - tail, len(before) - len(found)
    at = len(source.ref_id) + 1
    concerned = {_hash(found[i])[:_HEX] for i in range(head, stop)}
    concerned |= {entry.ref.id[at : at + _HEX] for entry in before[head : len(before) - tail]}
    group = [i for i in range(head) if before[i].ref.id[at : at + _HEX] in concerned]
    group += range(head, stop)
    group += [
        i for i in range(stop, len(found)) if before[i + by].ref.id[at : at + _HEX] in concerned
    ]
    return dict(zip(group, _refs(source, [found[i] for i in group]), strict=True))


def _entry(
    source: PersonaSource, index: int, passage: Passage, ref: Ref, status: Status, kind: str
) -> Entry:
    if passage.known_as and status is Status.ACTIVE:
        status = log_entries.status_of(passage.text)
    return Entry(
        ref=ref,
        kind=kind,
        title=_title(source, passage),
        status=status,
        at=_at(source, passage),
        digest=digest_of(source.data[passage.start : passage.end]),
        rank=(index,),
        context=passage.context,
        date=passage.date,
    )


def _moved_by(source: PersonaSource, index: int, passage: Passage, entry: Entry) -> Entry:
    return Entry(
        entry.ref,
        entry.kind,
        entry.title,
        entry.status,
        _at(source, passage),
        entry.digest,
        rank=(index,),
        context=entry.context,
        date=entry.date,
    )


def _status(source: PersonaSource) -> Status:
    if source.archived or source.part == Part.ARCHIVE:
        return Status.ARCHIVED
    return Status.CANDIDATE if source.part == Part.INBOX else Status.ACTIVE


def _kind(source: PersonaSource) -> str:
    is_decision = source.file.reader in {Reader.DECISIONS, Reader.WHOLE}
    return "decision" if is_decision else LESSON


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
        case Reader.LOG if passage.known_as:
            return log_entries.title_of(passage.text, passage.section)
        case _:
            return passage.text


def _refs(source: PersonaSource, found: Sequence[Passage]) -> Iterator[Ref]:
    """Yield a ref for each: six digits of its hash, more on a clash, a number for twins."""
    hashes = [_hash(passage) for passage in found]
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


def _hash(passage: Passage) -> str:
    text = passage.known_as or f"{passage.section}\0{passage.text}"
    return sha256(text.encode("utf-8", "replace")).hexdigest()


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
