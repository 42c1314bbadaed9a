"""Where units go in a memory file and how they leave it: the geometry of moving and pinning.

Each function plans on one source as it is now; what becomes of several files at once, and the proof
that nothing is lost, is `lesson_pages.py`'s. Nothing here reads a disk or writes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from remem.base.errors import NotPossible, UnknownRef
from remem.base.frozen import dataclass
from remem.edit import markdown_edit
from remem.edit.markdown import Document, Kind
from remem.edit.markdown_edit import Edit
from remem.model.entry import Entry
from remem.model.layout import Part, Reader
from remem.systems.personas.edits import parse_whole, passage_of, unit_block
from remem.systems.personas.read import DATE, ROOT_SECTION, Passage, document_of, is_dated, passages
from remem.systems.personas.source import PersonaSource

CORE_CONTEXT: Final = "core context"
"""Begins the title of the section that Squad keeps its distilled lessons in."""


@dataclass(frozen=True, slots=True)
class Carried:
    """A unit on its way to another place."""

    block: str
    """Whole lines that end in LF."""
    title: str
    """Of the heading that it stood directly below; empty = none."""
    date: str


def unit_of(source: PersonaSource, entry: Entry) -> int:
    """Return the index of an entry among the units of its file.

    Raises:
        NotPossible: It is no unit of a memory file.
        UnknownRef: The file no longer has it.
    """
    passage = passage_of(source, entry.ref)
    if passage.unit < 0:
        raise NotPossible(
            f"`{source.name}` is not a list of lessons", hint="only lessons can be moved"
        )
    return passage.unit


def carried(source: PersonaSource, units: Collection[int]) -> tuple[Carried, ...]:
    """Return units in file order, ready to stand elsewhere.

    Raises:
        NotPossible: One is front matter.
        Refused: One would not be a unit by itself.
    """
    document = document_of(source.data)
    found = []
    for passage in passages(source):
        if passage.unit not in units:
            continue
        unit = document.units[passage.unit]
        if unit.kind is Kind.FRONT_MATTER:
            raise NotPossible("front matter belongs to its file", hint="edit the file instead")
        title = document.headings[passage.heading].title if passage.heading >= 0 else ""
        found.append(Carried(unit_block(document.raw(unit)), title, passage.date))
    return tuple(found)


def left(source: PersonaSource, units: Collection[int]) -> tuple[Edit, ...]:
    """Plan to take units out.

    In `working.md` a dated section goes with its last unit (FORMATS 3.3); elsewhere headings stay.

    Raises:
        Refused: What stands around them would be read otherwise.
    """
    document = document_of(source.data)
    if len(units) == 1:
        (unit,) = units
        heading = document.units[unit].heading
        takes = source.part == Part.WORKING and heading >= 0
        takes = takes and is_dated(document.headings[heading])
        return (markdown_edit.remove_unit(document, unit, with_empty_section=takes),)
    return markdown_edit.remove_units(document, units)


def pinned(source: PersonaSource, block: str) -> Edit:
    """Plan to put units first in the head: what goes in before everything else (FORMATS 3.2).

    They stand before the first bullet of the head; of Squad's `Core Context`, where there is one.

    Raises:
        Refused: What stands there would be read otherwise.
    """
    document = parse_whole(source.data)
    own = _head_units(source)
    items = [n for n in own if document.units[n].kind is Kind.ITEM]
    if items:
        return markdown_edit.insert_before(document, items[0], block)
    return markdown_edit.insert_under(document, _head_heading(source, document), block)


def is_pinned(source: PersonaSource, unit: int) -> bool:
    """Tell whether a unit is the first bullet of the head already."""
    document = document_of(source.data)
    items = (n for n in _head_units(source) if document.units[n].kind is Kind.ITEM)
    return next(items, -1) == unit


def into_head(source: PersonaSource, block: str) -> Edit:
    """Plan to put units at the end of the head."""
    document = parse_whole(source.data)
    return markdown_edit.insert_under(document, _head_heading(source, document), block)


def into_section(source: PersonaSource, heading: int, block: str) -> Edit:
    """Plan to put units behind the last one that stands directly below a heading."""
    return markdown_edit.insert_under(parse_whole(source.data), heading, block)


def section_named(source: PersonaSource, title: str) -> int:
    """Return the last heading with that title, heading path, or start of a title.

    Raises:
        UnknownRef: There is none.
    """
    document = parse_whole(source.data)
    wanted = title.strip().casefold()
    titles = [heading.title.casefold() for heading in document.headings]
    paths = [
        " › ".join(above.title for above in document.path(number)).casefold()
        for number in range(len(titles))
    ]
    starts = [each if each.startswith(wanted) else "" for each in titles]
    for row in (titles, paths, [wanted if each else "" for each in starts]):
        for number in reversed(range(len(row))):
            if wanted and row[number] == wanted:
                return number
    known = ", ".join(f"`{heading.title}`" for heading in document.headings[-8:])
    raise UnknownRef(
        f"`{source.name}` has no section `{title}`",
        hint=f"known: {known}" if known else "it has no headings",
    )


def filed(source: PersonaSource, units: Sequence[Carried]) -> Iterator[tuple[int | None, str]]:
    """Yield where units go that come from another file: (heading, block), or (`None`, new end).

    A section with the same heading takes them; without one their section is begun again at the end
    of the file, as the layout writes sections. What had no date and no heading joins the head: its
    heading is yielded as `ROOT_SECTION` with the place that `into_head` finds.
    """
    document = parse_whole(source.data)
    known = {h.title.casefold(): n for n, h in enumerate(document.headings)}
    groups: dict[tuple[str, str], list[str]] = {}
    for unit in units:
        groups.setdefault((unit.title, unit.date), []).append(unit.block)
    ends: list[str] = []
    for (title, date), blocks in groups.items():
        block = joined(blocks)
        if title and title.casefold() in known:
            yield known[title.casefold()], block
        elif heading := _new_heading(source, title, date):
            is_tight = source.file.reader is Reader.DATED and block.startswith(("- ", "* ", "+ "))
            ends.append(f"{heading}\n{'' if is_tight else chr(10)}{block}")
        else:
            yield ROOT_SECTION, block
    if ends:
        above = "" if not _lacks_learnings(source, document) else "## Learnings\n\n"
        yield None, above + "\n".join(ends)


def appended(source: PersonaSource, block: str) -> Edit:
    """Plan to add whole sections at the end of the file, after a blank line."""
    return markdown_edit.append(parse_whole(source.data), block, blank_lines=1)


def joined(blocks: Sequence[str]) -> str:
    """Return units one after the other: bullets close together, all else parted by a blank line."""
    text = ""
    for block in blocks:
        is_item = block.startswith(("- ", "* ", "+ "))
        both = is_item and text.rpartition("\n\n")[2].startswith(("- ", "* ", "+ "))
        text += block if not text or both else f"\n{block}"
    return text


def _new_heading(source: PersonaSource, title: str, date: str) -> str:
    """Return the heading of a section that is begun again, as the layout writes it."""
    has_date = DATE.search(title) is not None
    if source.file.reader is Reader.DATED:
        return f"## {title if has_date else date}" if date else ""
    if Part.CHARTER in source.rules.order:
        if not date:
            return f"## {title}" if title else ""
        return f"### {title if has_date else f'{date} — {title}' if title else date}"
    return f"## {title or date}" if title or date else ""


def _lacks_learnings(source: PersonaSource, document: Document) -> bool:
    if Part.CHARTER not in source.rules.order:
        return False
    return not any(h.title.casefold().startswith("learnings") for h in document.headings)


def _head_units(source: PersonaSource) -> tuple[int, ...]:
    """Return the units of the head; where it has a `Core Context`, those of that."""
    document = document_of(source.data)
    head = [p for p in passages(source) if p.group == ROOT_SECTION and p.unit >= 0]
    core = [p for p in head if p.heading >= 0 and _is_core(document, p)]
    return tuple(p.unit for p in core or head)


def _is_core(document: Document, passage: Passage) -> bool:
    path = document.path(passage.heading)
    return any(heading.title.casefold().startswith(CORE_CONTEXT) for heading in path)


def _head_heading(source: PersonaSource, document: Document) -> int:
    """Return the heading of the head that units are put below; -1 = above every heading."""
    for number, heading in enumerate(document.headings):
        if heading.title.casefold().startswith(CORE_CONTEXT):
            return number
    own = _head_units(source)
    if own:
        return document.units[own[-1]].heading
    first = document.headings[0] if document.headings else None
    if first is None or is_dated(first) or first.title.casefold().startswith("learnings"):
        return -1
    return 0
