"""Plans where lessons stand: in which section, with which persona, or first in the head."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, NotPossible, UnknownRef
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.draft import chosen
from remem.core.library import Library
from remem.model.change import Change, Create, Intent
from remem.model.entry import Entry, Ref
from remem.model.roles import persona_key
from remem.model.source import SourceKind
from remem.systems.personas.edits import unit_block
from remem.systems.personas.layer import layout_of
from remem.systems.personas.lessons.lesson_pages import Pages, by_source
from remem.systems.personas.lessons.new_lesson import memory_of, new_memory
from remem.systems.personas.memory_files import where_units_go
from remem.systems.personas.memory_files.where_units_go import Carried
from remem.systems.personas.read import ROOT_SECTION
from remem.systems.personas.source import PersonaSource, persona_sources
from remem.systems.plain.source import PlainSource, file_named, plain_sources

if TYPE_CHECKING:
    from remem.model.done_by_others import Unreviewed
    from remem.systems.personas.persona_verbs import Move

_PLACE: Final = re.compile(
    r"(?P<persona>[^@/#]*)(?:@(?P<layout>[^/#]*))?(?:/(?P<file>[^#]*))?(?:#(?P<section>.*))?",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where lessons go: `NAME@LAYOUT/FILE#SECTION`, of which each part may be left out."""

    persona: str = ""
    layout: str = ""
    file: str = ""
    section: str | None = None
    """Empty = the head; `None` = where lessons of their date and heading stand there."""

    @classmethod
    def parse(cls, text: str) -> Place:
        """Read a place.

        Raises:
            NotPossible: There is nothing in it.
        """
        match = _PLACE.fullmatch(text.strip())
        if match is None or not text.strip():
            raise NotPossible(
                "no target file for the lesson",
                hint="write `NAME`, `#Section`, or `NAME@layout/file.md#Section`",
            )
        name, layout, file = (match[part] or "" for part in ("persona", "layout", "file"))
        return cls(name.strip(), layout.strip(), file.strip(), match["section"])


def plan_move(library: Library, intent: Intent, args: Move) -> Change:
    """Plan to move lessons to another section, file or persona, in one change.

    Args:
        library: Where they stand.
        intent: Names them.
        args: `to` is the place, as `Place` says.

    Raises:
        NotPossible: Something is no lesson, a file is read only, or nothing would change.
        UnknownRef: There is no such persona, file or section.
        Refused: A file would be read otherwise.
    """
    return plan_put(library, intent, args.to, chosen(library, intent), "Move")


def plan_put(
    library: Library,
    intent: Intent,
    to: str,
    entries: Sequence[Entry],
    verb: str,
    lost: Sequence[Unreviewed] = (),
) -> Change:
    """Plan to let lessons stand at a place, in one change: they leave where they stood.

    Args:
        library: Where they stand.
        intent: What asks for it.
        to: The place, as `Place` says.
        entries: The lessons.
        verb: What the change is called.
        lost: Lessons that an agent took out, which come back there.
    """
    place = Place.parse(to)
    found = by_source(library, entries, where_units_go.unit_of, whole_lists=True)
    sources = [source for source, _ in found.values()]
    target, is_new = _target(library, sources, place)
    pages = Pages(library)
    pages.open(target, is_new=is_new)
    moving: list[Carried] = []
    for source, units in found.values():
        moving += where_units_go.carried(source, units)
    for each in lost:
        moving.append(Carried(unit_block(each.text_before), "", ""))
        pages.expect((), each.title)
    if is_new and isinstance(target, PlainSource):
        moving = [replace(each, title="") for each in moving]
    # In its own file a lesson leaves first; elsewhere it comes before it leaves.
    own = found.get(target.path)
    if own is not None:
        pages.put(target, where_units_go.left(target, own[1]))
    _put_in(pages, target, moving, place.section)
    for source, units in found.values():
        if source.path != target.path:
            pages.put(pages.open(source), where_units_go.left(pages.now(source), units))
    said = dict.fromkeys(entry.ref for entry in entries)
    names = _names(library, [e.ref for e in entries] + [each.ref for each in lost])
    return pages.change(intent, f"{verb} {names} to {_where(target, place)}", said)


def plan_pin(library: Library, intent: Intent) -> Change:
    """Plan to put lessons first in the head of their file, which goes in before all else.

    Raises:
        NotPossible: Something is no lesson, or stands there already.
        Refused: The file would be read otherwise.
    """
    entries = chosen(library, intent)
    pages = Pages(library)
    for source, units in by_source(
        library, entries, where_units_go.unit_of, whole_lists=True
    ).values():
        if len(units) == 1 and where_units_go.is_pinned(source, units[0]):
            raise Already(
                f"`{library.short(entries[0].ref)}` is already at the top",
                hint="move it elsewhere with `move`",
            )
        moving = where_units_go.carried(source, units)
        now = pages.put(source, where_units_go.left(source, units))
        for each in reversed(moving):
            now = pages.put(now, (where_units_go.pinned(now, each.block),))
    said = dict.fromkeys(entry.ref for entry in entries)
    return pages.change(intent, f"Pin {_names(library, [e.ref for e in entries])}", said)


def _put_in(
    pages: Pages, target: PersonaSource, moving: Sequence[Carried], section: str | None
) -> None:
    now = pages.now(target)
    if section is None:
        for heading, block in where_units_go.filed(now, moving):
            if heading is None:
                edit = where_units_go.appended(now, block)
            elif heading == ROOT_SECTION:
                edit = where_units_go.into_head(now, block)
            else:
                edit = where_units_go.into_section(now, heading, block)
            now = pages.put(now, (edit,))
        return
    block = where_units_go.joined([each.block for each in moving])
    if not section.strip():
        pages.put(now, (where_units_go.into_head(now, block),))
        return
    heading = where_units_go.section_named(now, section)
    pages.put(now, (where_units_go.into_section(now, heading, block),))


def _target(
    library: Library, sources: Sequence[PersonaSource], place: Place
) -> tuple[PersonaSource, bool]:
    """Return the file that lessons go to, and whether it is not there yet."""
    everyone = persona_sources(library.sources)
    plain = _plain_target(library, sources[0] if sources else None, place)
    if plain is not None:
        return plain, not plain.digest
    first = sources[0] if sources else _of(everyone, place.persona)
    if not place.persona and len({source.owner for source in sources}) > 1:
        raise NotPossible(
            "these lessons are of several personas", hint="name the one that they go to"
        )
    persona = place.persona or first.owner
    is_own = persona_key(persona) == persona_key(first.owner)
    if not is_own and not any(persona_key(s.owner) == persona_key(persona) for s in everyone):
        names = sorted({s.owner for s in everyone if s.owner and not s.archived})
        known = ", ".join(f"`{name}`" for name in names)
        raise UnknownRef(
            f"no persona is called `{persona}`", hint=f"personas here: {known or 'none'}"
        )
    layout = place.layout or (first.layout if is_own else layout_of(everyone, persona))
    if place.file:
        return _file_named(everyone, persona, layout, place.file), False
    if is_own and layout == first.layout:
        return first, False
    project = first.project or library.ground.project
    known_file = memory_of(everyone, persona, layout, project)
    if known_file is not None:
        return known_file, False
    _, made = new_memory(library.ground, everyone, persona, layout, project)
    return made, True


def _of(everyone: Sequence[PersonaSource], persona: str) -> PersonaSource:
    """Return a file of a persona, who is named by whoever puts something back elsewhere.

    Raises:
        UnknownRef: Nobody is called that.
    """
    own = (s for s in everyone if persona_key(s.owner) == persona_key(persona) and not s.archived)
    found = next(own, None) if persona else None
    if found is None:
        raise UnknownRef(
            f"nothing is called `{persona}`", hint="name a persona, or a file that agents load"
        )
    return found


def _plain_target(
    library: Library, first: PersonaSource | None, place: Place
) -> PlainSource | None:
    """Return the plain file that is meant: by its path, or the one that the first lesson is in.

    One that is not there yet has no digest. `None` = lessons go to a persona, or stay with theirs.

    Raises:
        UnknownRef: A lesson of a plain file is to go to a file that is not there.
        NotPossible: No tool would load a file of that name.
    """
    name = "/".join(filter(None, (place.persona, place.file)))
    if not name and isinstance(first, PlainSource):
        return first
    try:
        return file_named(plain_sources(library.sources), name)
    except UnknownRef:
        if name.endswith(".md"):
            made = _new_file(library, name)
            if made is not None:
                return made
        owners = {persona_key(source.owner) for source in persona_sources(library.sources)}
        if isinstance(first, PlainSource) and persona_key(place.persona) not in owners:
            raise
        return None


def _new_file(library: Library, name: str) -> PlainSource | None:
    """Return a plain file that is not there yet; `None` = there is one, or no tool loads it."""
    ground = library.ground
    path = ground.place(name)
    if ".." in path.parts or ground.disk.kind(path) is not None:
        return None
    there = library.preview([Create(path, b"\n")])
    found = next((each for each in plain_sources(there.sources) if each.path == path), None)
    if found is None:
        return None
    return replace(found, data=b"", digest="", entries=(), problems=())


def _file_named(
    everyone: Sequence[PersonaSource], persona: str, layout: str, file: str
) -> PersonaSource:
    own = [
        source
        for source in everyone
        if persona_key(source.owner) == persona_key(persona)
        and source.layout == layout
        and source.kind is SourceKind.MEMORY
        and not source.archived
    ]
    for source in own:
        inner = source.ref_id.partition("/")[2]
        if file in (inner, source.path.name) or source.ref_id == f"{persona}/{file}":
            return source
    names = ", ".join(f"`{source.name}`" for source in own)
    raise UnknownRef(
        f"`{persona}` has no file `{file}` in `{layout}`", hint=f"known: {names or 'none'}"
    )


def _where(target: PersonaSource, place: Place) -> str:
    section = f"`{place.section}`" if place.section else "the head"
    return f"{section} of {target.name}" if place.section is not None else target.name


def _names(library: Library, refs: Sequence[Ref]) -> str:
    return library.short(refs[0]) if len(refs) == 1 else count(refs, "lesson")
