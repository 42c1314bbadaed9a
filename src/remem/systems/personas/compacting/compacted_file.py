"""What of a memory file is compacted, and how the file and its archive look afterwards.

A region is a run of whole units: all from the top of the memory, its old sections, or one section.
What lies around it, and whatever agents append meanwhile, is nobody's business here. The archive
gets the region's bytes as they are. A long region is asked about in parts, each a region itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from remem.base.errors import Already, ChangedOnDisk, NotPossible, Refused
from remem.base.frozen import dataclass
from remem.edit import markdown
from remem.edit.markdown import BOM, Document, Kind, Unit
from remem.model.change import Create, Splice
from remem.model.entry import digest_of
from remem.model.layout import Part
from remem.store.io import Disk, Unreadable
from remem.systems.personas.edits import can_be_encoded, need_writable, parse_whole, unit_block
from remem.systems.personas.read import DATE, is_dated
from remem.systems.personas.source import PersonaSource

MAX_REGION: Final = 1_000_000
"""Bytes that are compacted at once; the newest beyond that stay as they are."""
MOST_OF_A_PART: Final = 32_000
"""Bytes of one question: of more than that no model condenses line by line."""
_CONFLICT: Final = re.compile(rb"^(?:<{7}|>{7})(?: |\r?$)", re.MULTILINE)
_BASE: Final = re.compile(r"(?:(\d{1,9}):)?(\d{1,9})-([0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class Region:
    """The part of a memory that a compaction stands for."""

    source: PersonaSource
    document: Document
    start: int
    """In bytes of the file."""
    end: int
    first: int
    """Index in the document of its first unit."""
    count: int
    """How many units it has."""
    is_narrowed: bool = False
    """It begins further down than a memory's region does."""

    @property
    def units(self) -> tuple[Unit, ...]:
        return self.document.units[self.first : self.first + self.count]

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each unit, without marker and indentation."""
        return tuple(self.document.text(unit) for unit in self.units)

    @property
    def raw(self) -> bytes:
        return self.source.data[self.start : self.end]

    @property
    def base(self) -> str:
        """What names the bytes that were looked at: from where, how many, and their digest."""
        start = f"{self.start}:" if self.is_narrowed else ""
        return f"{start}{self.end}-{digest_of(self.source.data[: self.end])}"

    def section_of(self, index: int) -> str:
        """Return the title of the heading above a unit of the region; empty = none."""
        heading = self.units[index].heading
        return self.document.headings[heading].title if heading >= 0 else ""


def line_count(data: bytes) -> int:
    """Return how many lines there are; a final line end adds none (FORMATS 3.2)."""
    return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


def region_of(source: PersonaSource, base: str = "") -> Region:
    """Return what of a memory can be compacted.

    Args:
        source: The memory.
        base: `Region.base` of the one that was looked at: only what stood there then is taken.

    Raises:
        NotPossible: It is read only, holds a merge conflict, or has no unit that can be taken.
        ChangedOnDisk: What stood there then reads otherwise now.
    """
    document = _document(source)
    first, start = _beginning(source, document)
    known_start, end = _known_span(source, base) if base else (None, len(source.data))
    if known_start is not None:
        start = known_start
        first = _first_from(document, start)
    fitting = [unit for unit in document.units[first:] if unit.end <= end]
    units, end = _within_limit(source, document, first, start, fitting, end)
    following = document.units[first + len(units) : first + len(units) + 1]
    # A unit that has grown since it was looked at is another one, and stays.
    end = min([end, *(unit.start for unit in following if unit.start < end)])
    return Region(source, document, start, end, first, len(units), known_start is not None)


def older(region: Region, before: str) -> Region:
    """Return the sections of a region that are dated before a day, up to the first that is not.

    What stands above the first dated section is old only where it has headings of its own.

    Args:
        region: The whole.
        before: `2026-03-01`.

    Raises:
        Already: Nothing there is older.
    """
    source, document = region.source, region.document
    inside = [h for h in document.headings if region.start <= h.start < region.end]
    dated = [h for h in inside if is_dated(h)]
    newer = next((h.start for h in dated if _day_in(h.title) >= before), region.end)
    old = [h for h in dated if h.start < newer]
    if not old:
        raise Already(
            f"nothing at the top of `{source.name}` is dated before {before}",
            hint="sections without a full date in the heading are kept",
        )
    start = old[0].start if inside and inside[0] is old[0] else region.start
    return _between(region, start, newer)


def section(region: Region, heading: int) -> Region:
    """Return what stands below one heading of a region, those below it too; the heading stays.

    Raises:
        Already: Nothing stands there.
    """
    document = region.document
    chosen = document.headings[heading]
    behind = document.headings[heading + 1 :]
    end = next((h.start for h in behind if h.level <= chosen.level), len(region.source.data))
    start = max(_behind_line(region.source.data, chosen.end), region.start)
    return _between(region, start, min(end, region.end))


def _between(region: Region, start: int, end: int) -> Region:
    first = _first_from(region.document, start)
    units = [unit for unit in region.document.units[first:] if unit.end <= end]
    if not units:
        raise Already(
            f"nothing to compact in that part of `{region.source.name}`",
            hint="look at it with `remem persona show`",
        )
    is_narrowed = region.is_narrowed or start != region.start
    return Region(region.source, region.document, start, end, first, len(units), is_narrowed)


def _first_from(document: Document, start: int) -> int:
    found = (i for i, unit in enumerate(document.units) if unit.start >= start)
    return next(found, len(document.units))


def _day_in(title: str) -> str:
    match = DATE.search(title)
    return match[0] if match is not None else ""


def parts_of(region: Region, most: int = MOST_OF_A_PART) -> tuple[Region, ...]:
    """Return a region in parts of at most so many bytes, cut between sections where that can be.

    Put together they are the region; a unit that is larger is a part of its own.
    """
    units, document = region.units, region.document
    starts = [region.start, *(_block_start(document, a, b) for a, b in pairwise(units))]
    cuts = [0]
    for number in range(1, len(units)):
        at = cuts[-1]
        if units[number].end - starts[at] <= most:
            continue
        half = starts[at] + most // 2
        sections = [
            each
            for each in range(at + 1, number + 1)
            if units[each].heading != units[each - 1].heading and starts[each] >= half
        ]
        cuts.append(sections[-1] if sections else number)
    ends = [*(starts[cut] for cut in cuts[1:]), region.end]
    behind = [*cuts[1:], len(units)]
    return tuple(
        Region(
            region.source,
            document,
            starts[cut],
            end,
            region.first + cut,
            last - cut,
            region.is_narrowed or cut > 0,
        )
        for cut, end, last in zip(cuts, ends, behind, strict=True)
    )


def _block_start(document: Document, before: Unit, unit: Unit) -> int:
    """Return where a unit's block begins: at the first heading between it and the one before."""
    headings = (h.start for h in document.headings if before.end <= h.start < unit.start)
    return next(headings, unit.start)


def _document(source: PersonaSource) -> Document:
    need_writable(source)
    if _CONFLICT.search(source.data):
        raise NotPossible(
            f"`{source.name}` has merge conflict markers",
            hint="resolve the conflict, then compact it",
        )
    return parse_whole(source.data)


def _known_span(source: PersonaSource, base: str) -> tuple[int | None, int]:
    match = _BASE.fullmatch(base)
    if match is None:
        raise NotPossible(
            f"`{base}` is not a valid base",
            hint="`--prompt-only` prints it: `4096-` and 32 digits",
        )
    start, end = int(match[1]) if match[1] else None, int(match[2])
    if end > len(source.data) or digest_of(source.data[:end]) != match[3]:
        raise ChangedOnDisk(
            f"`{source.name}` changed in the part to compact",
            hint="ask again: the answer is for an older text",
        )
    return start, end


def _beginning(source: PersonaSource, document: Document) -> tuple[int, int]:
    """Return the first unit that may go, and the byte at which the region starts.

    Front matter and a title at the top stay; where a layout has a section for what was learnt, all
    above that section stays, too.
    """
    start = len(BOM) if source.data.startswith(BOM) else 0
    first = 0
    if document.units and document.units[0].kind is Kind.FRONT_MATTER:
        first, start = 1, _behind_line(source.data, document.units[0].end)
    start = max(start, _behind_what_stays(source, document, first))
    first = max(first, _first_from(document, start))
    following = [unit.start for unit in document.units[first : first + 1]]
    following += [heading.start for heading in document.headings if heading.start >= start][:1]
    return first, min(following, default=len(source.data))


def _behind_what_stays(source: PersonaSource, document: Document, first: int) -> int:
    """Return the byte behind the title, or behind the head where a layout has one; else 0."""
    if Part.CHARTER in source.rules.order:
        for heading in document.headings:
            if heading.level <= 2 and heading.title.casefold().strip(" :") == "learnings":
                return _behind_line(source.data, heading.end)
            if is_dated(heading):
                return heading.start
    title = document.headings[0] if document.headings else None
    if title is None or title.level != 1 or title.first_unit > first or is_dated(title):
        return 0
    return _behind_line(source.data, title.end)


def _within_limit(
    source: PersonaSource,
    document: Document,
    first: int,
    start: int,
    units: Sequence[Unit],
    end: int,
) -> tuple[Sequence[Unit], int]:
    """Cut off what is too much for one question: the newest stays as it is."""
    fitting = [unit for unit in units if unit.end - start <= MAX_REGION]
    if not fitting:
        what = "one entry alone is too long to compact" if units else "it has no lessons yet"
        raise Already(
            f"nothing to compact in `{source.name}`: {what}",
            hint="edit it by hand, or archive its old sections",
        )
    if len(fitting) == len(units):
        return units, end
    following = document.units[first + len(fitting)]
    headings = [h.start for h in document.headings if fitting[-1].end <= h.start]
    return fitting, min([following.start, *headings[:1]])


def _behind_line(data: bytes, at: int) -> int:
    stop = data.find(b"\n", at)
    return len(data) if stop < 0 else stop + 1


@dataclass(frozen=True, slots=True)
class NewLine:
    """A line that comes into the memory."""

    text: str


@dataclass(frozen=True, slots=True)
class OldUnit:
    """A unit of the region that stays as it is."""

    index: int


def compacted(region: Region, pieces: Iterable[NewLine | OldUnit]) -> Splice:
    """Plan to put pieces in place of the region.

    Raises:
        Refused: They, or what stands around them, would be read otherwise.
    """
    data = region.source.data
    blocks = [_block(region, piece) for piece in pieces]
    newline = region.document.newline
    new = b""
    if region.start and not data[: region.start].endswith((b"\n\n", b"\n\r\n", b"\xef\xbb\xbf")):
        new += newline.encode()
    was_item = True
    for block, is_item in blocks:
        new += (b"" if was_item and is_item else newline.encode() if new else b"") + block
        was_item = is_item
    if region.end < len(data) or region.raw.endswith((b"\n\n", b"\n\r\n")):
        new += newline.encode()
    _check(region, [block for block, _ in blocks], data[: region.start] + new + data[region.end :])
    return Splice(
        region.source.path, region.start, region.end, region.raw, new, region.source.digest
    )


def _block(region: Region, piece: NewLine | OldUnit) -> tuple[bytes, bool]:
    """Return whole lines, and whether they are an item of a list."""
    newline = region.document.newline
    if isinstance(piece, NewLine):
        if not can_be_encoded(piece.text) or not {"\n", "\r"}.isdisjoint(piece.text):
            raise Refused("a line contains NUL or a line break", hint="remove that line")
        return f"- {piece.text}{newline}".encode(), True
    unit = region.units[piece.index]
    raw = region.document.raw(unit)
    if unit.kind is Kind.ITEM and raw.startswith((b" ", b"\t")):
        raw = unit_block(raw).replace("\n", newline).encode().removesuffix(newline.encode())
    return raw + newline.encode(), unit.kind is Kind.ITEM


def _check(region: Region, blocks: Sequence[bytes], after: bytes) -> None:
    """Refuse what would be read otherwise than it is meant."""
    document, read = region.document, markdown.parse(after)
    last = region.first + region.count
    before = [document.raw(unit) for unit in document.units[: region.first]]
    behind = [document.raw(unit) for unit in document.units[last:]]
    expected = [*before, *(block.rstrip(b"\r\n") for block in blocks), *behind]
    kept = [h for h in document.headings if not region.start <= h.start < region.end]
    if [read.raw(unit).rstrip(b"\r\n") for unit in read.units] == [
        raw.rstrip(b"\r\n") for raw in expected
    ] and [h.title for h in read.headings] == [h.title for h in kept]:
        return
    raise Refused(
        "this compaction would change how the memory is parsed",
        hint="check for an unclosed code fence, or keep fewer old lines",
    )


def archived(region: Region, today: str) -> Create | Splice:
    """Plan to append the region's bytes, as they are, to the archive file beside the memory.

    Raises:
        NotPossible: The archive cannot be read.
        Refused: The end of the archive would swallow them.
    """
    source = region.source
    target = source.unit_archive
    data = _read(source.disk, target)
    newline = region.document.newline
    title = f"## {today} · compacted from {source.path.name}{newline}{newline}".encode()
    text = title + region.raw + (b"" if region.raw.endswith(b"\n") else newline.encode())
    if data is None:
        return Create(target, text)
    document = parse_whole(data)
    gap = b"" if not data or data.endswith(b"\n") else newline.encode()
    gap += b"" if not data.strip() or data.endswith((b"\n\n", b"\n\r\n")) else newline.encode()
    after, own = markdown.parse(data + gap + text), markdown.parse(text)
    expected = [*map(document.raw, document.units), *map(own.raw, own.units)]
    if [after.raw(unit) for unit in after.units] != expected:
        raise Refused(
            f"the archived text would become part of an open block at the end of `{target.name}`",
            hint="check for an unclosed code fence at its end",
        )
    return Splice(target, len(data), len(data), b"", gap + text, digest_of(data))


def _read(disk: Disk, path: Path) -> bytes | None:
    try:
        return disk.read(path)
    except Unreadable as error:
        if error.why == "missing":
            return None
        raise NotPossible(str(error), hint=error.hint) from error
