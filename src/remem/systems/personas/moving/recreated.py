"""Finds folders that remem moved away and an agent recreated under the old name.

It finds them and plans how their memory joins the persona's. Nobody is judged dead here who was
given the old name on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible, Refused
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.library import Library
from remem.core.no_text_lost import lines_of, need_kept
from remem.core.relation.normal_form import norm
from remem.core.system import Moves
from remem.edit import markdown_edit
from remem.edit.markdown import Document, Kind, Unit
from remem.edit.patch import splice_to
from remem.model.change import Change, Clear, Delete, Effect, Intent, Move
from remem.model.done_by_others import RecreatedFolder
from remem.model.entry import Entry, FileSpan, Problem, Ref, digest_of
from remem.model.roles import persona_key
from remem.model.source import SourceKind
from remem.store.history.journal_records import Logged
from remem.store.io import Disk, Unreadable
from remem.store.paths import collision_key
from remem.systems.personas.edits import parse_whole, unit_block
from remem.systems.personas.moving.persona_planner import DEEP, free_name
from remem.systems.personas.read import document_of, passages, read_source
from remem.systems.personas.source import PersonaSource, persona_sources

if TYPE_CHECKING:
    from remem.systems.personas.persona_verbs import PersonaMergeRecreated

_LEAVE: Final = ("persona.rename", "persona.archive")
_FILES_SHOWN: Final = 3


def recreated_folders(
    library: Library, standing: Sequence[Logged], moves: Moves
) -> tuple[RecreatedFolder, ...]:
    """Return the folders that hold memory again though remem moved them away.

    Args:
        library: The newest snapshot.
        standing: Changes that stand, newest first.
        moves: Asked for changes on whole personas only.
    """
    lies: dict[Path, Path] = {}
    """Where what once had a path lies now; a path that was given anew stands for itself."""
    living = {s.folder: s for s in persona_sources(library.sources) if _is_living(s)}
    found: list[RecreatedFolder] = []
    for logged in standing:
        verb = logged.intent.verb
        if verb == "persona.new":
            lies |= {f: f for f, s in living.items() if _is_called(s, logged.intent)}
        if not verb.startswith("persona."):
            continue
        for old, new in moves(logged.id):
            now = lies.get(new, new)
            there = living.get(old)
            if verb in _LEAVE and there is not None and old not in lies and now != old:
                is_archived = verb == "persona.archive"
                name, layout = old.name, there.layout
                moved = RecreatedFolder(logged.id, name, layout, old, now, logged.time, is_archived)
                found.append(moved)
            lies = {**lies, new: now, old: lies.get(old, now)}
    return tuple(found)


def problem_of(recreated: RecreatedFolder) -> Problem:
    """Return what is said of a recreated folder."""
    what = "archived" if recreated.archived else f"renamed to `{recreated.new.name}`"
    named = f"{recreated.persona} --layout {recreated.layout}"
    return Problem(
        "ghost",
        f"`{recreated.persona}` was {what}, but an agent recreated it in `{recreated.layout}`",
        f"`remem persona absorb {named}` merges it into the persona",
        path=recreated.old,
    )


def plan_merge_recreated(library: Library, intent: Intent, args: PersonaMergeRecreated) -> Change:
    """Plan to put a recreated folder's memory into the persona that once had its name.

    What is new goes into the file of the same name, other files go over as they are, and the
    recreated folder is removed.

    Args:
        library: The snapshot to plan on, with the recreated folder beside it.
        intent: What asks for it.
        args: `persona` is the recreated folder's name; `layout` where several have it.

    Raises:
        NotPossible: There is no such recreated folder, or two, or nothing to join.
        Refused: The units would not add up, or a file cannot be read as it would be.
    """
    recreated = _named(library, args.persona, args.layout)
    if library.ground.disk.kind(recreated.new) != "folder":
        raise NotPossible(
            f"`{recreated.new.name}` no longer exists",
            hint="rename or archive it like any other persona",
        )
    joined = _Joining(library, recreated)
    joined.plan()
    need_kept(library, joined.effects)
    title = f"Merge recreated folder {recreated.persona} into {recreated.new.name}"
    return Change(
        intent,
        title,
        tuple(joined.effects),
        touched=joined.touched,
        receipt=joined.receipt(),
        notes=tuple(joined.notes),
    )


@dataclass(frozen=True, slots=True)
class _Tally:
    """How the units of one file add up."""

    name: str
    units: int
    added: int


class _Joining:
    """The plan in the making."""

    def __init__(self, library: Library, recreated: RecreatedFolder) -> None:
        self._library = library
        self._recreated = recreated
        self._sources = {s.path: s for s in persona_sources(library.sources)}
        self._given: dict[Path, list[str]] = {}
        self._tallies: list[_Tally] = []
        self.effects: list[Effect] = []
        self.touched: dict[Ref, Ref | None] = {}
        self.notes: list[str] = []

    def plan(self) -> None:
        disk = self._library.ground.disk
        for path in disk.walk(self._recreated.old, DEEP):
            try:
                self._join(path, disk.read(path))
            except Unreadable as error:
                raise NotPossible(str(error), hint=error.hint) from error
        self.effects += (Clear(folder) for folder in _folders(disk, self._recreated.old, DEEP))

    def receipt(self) -> str:
        units = sum(each.units for each in self._tallies)
        added = sum(each.added for each in self._tallies)
        names = [f"{each.added:,} in {each.name}" for each in self._tallies if each.added]
        if len(names) > _FILES_SHOWN:
            names = [f"{added:,} in {count(names, 'file')}"]
        parts = [*names, f"{units - added:,} already there"]
        return f"units {units:,} = {' + '.join(parts)} · 0 lost, 0 added"

    def _join(self, path: Path, data: bytes) -> None:
        """Plan what becomes of one file of the recreated folder."""
        target = self._recreated.new / path.relative_to(self._recreated.old)
        source, into = self._sources.get(path), self._sources.get(target)
        if source is not None and source.kind is not SourceKind.MEMORY:
            source = None
        kind = self._library.ground.disk.kind(target)
        if kind == "file" and self._library.ground.disk.read(target) == data:
            self._leave(path, data, source, into)
        elif source is not None and into is not None and kind == "file":
            self._append(source, into)
        else:
            self._move(path, data, target, source)

    def _leave(
        self, path: Path, data: bytes, source: PersonaSource | None, into: PersonaSource | None
    ) -> None:
        self.effects.append(Delete(path, data, digest_of(data)))
        if source is not None and into is not None:
            self._tallies.append(_Tally(into.name, len(source.entries), 0))
            self.touched.update(_pairs(source.entries, into.entries))

    def _move(self, path: Path, data: bytes, target: Path, source: PersonaSource | None) -> None:
        names = self._library.ground.disk.names(target.parent)
        given = self._given.setdefault(target.parent, [])
        stamp = self._library.ground.given.clock.stamp()
        name = free_name(target.name, f"{target.stem}-{stamp}{target.suffix}", [*names, *given])
        given.append(name)
        if collision_key(name) != collision_key(target.name):
            self.notes.append(f"`{target.name}` already exists; the copy goes beside it")
        self.effects.append(Move(path, target.with_name(name), digest_of(data)))
        if source is not None:
            moved = self._recreated.new.name + "/" + name
            self._tallies.append(_Tally(moved, len(source.entries), len(source.entries)))
            after = self._library.preview((self.effects[-1],))
            there = next((s for s in after.sources if s.path == target.with_name(name)), None)
            self.touched.update(_pairs(source.entries, there.entries if there else ()))

    def _append(self, source: PersonaSource, into: PersonaSource) -> None:
        if not into.is_writable:
            raise Refused(into.why_read_only, hint="fix it in your editor first")
        known = {lines_of(_raw(into, entry)) for entry in into.entries}
        data, added = into.data, 0
        recreated = document_of(source.data)
        for entry, passage in zip(source.entries, passages(source), strict=True):
            said = lines_of(_raw(source, entry))
            if said in known:
                continue
            if passage.unit < 0:
                raise Refused(
                    f"`{source.name}` is not a list of units", hint="merge the two in your editor"
                )
            unit = recreated.units[passage.unit]
            data = _appended(parse_whole(data), recreated, unit).apply(data)
            known.add(said)
            added += 1
        after = read_source(into, data)
        there = {lines_of(_raw(after, entry)) for entry in after.entries}
        is_whole = all(lines_of(_raw(source, entry)) in there for entry in source.entries)
        if len(after.entries) != len(into.entries) + added or not is_whole:
            raise Refused(
                f"{len(into.entries)} units plus {added} new ones would be parsed as "
                f"{len(after.entries)}",
                hint="merge the two files in your editor; nothing was written",
            )
        self.effects += splice_to(into.path, into.data, data, into.digest)
        self.effects.append(Delete(source.path, source.data, source.digest))
        self._tallies.append(_Tally(into.name, len(source.entries), added))
        self.touched.update(_pairs(source.entries, after.entries))


def _raw(source: PersonaSource, entry: Entry) -> str:
    at = entry.at
    data = source.data[at.start : at.end] if isinstance(at, FileSpan) else source.data
    return data.decode("utf-8-sig", "replace")


def _appended(document: Document, recreated: Document, unit: Unit) -> markdown_edit.Edit:
    """Plan to add one unit below the heading that it stood under, made at the end if need be."""
    above = recreated.headings[unit.heading] if unit.heading >= 0 else None
    same = [
        index
        for index, heading in enumerate(document.headings)
        if above is not None and (heading.level, heading.title) == (above.level, above.title)
    ]
    if same and unit.kind is Kind.ITEM:
        return markdown_edit.append_under(document, same[-1], recreated.text(unit))
    has_title = any(each.level == 1 for each in document.headings)
    # The title of the file is the old name's; the persona's own file has one.
    path = [h for h in recreated.path(unit.heading) if h is above or h.level > 1 or not has_title]
    made = [h for h in path if h is above or not _has(document, h.title)]
    last = document.headings[-1].title if document.headings else ""
    if above is not None and above.title == last:
        made = []
    heads = "".join(f"{'#' * each.level} {each.title}\n\n" for each in made)
    return markdown_edit.append(
        document, f"{heads}{unit_block(recreated.raw(unit))}", blank_lines=1
    )


def _has(document: Document, title: str) -> bool:
    return any(heading.title == title for heading in document.headings)


def _pairs(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[tuple[Ref, Ref | None]]:
    """Yield where each unit of a recreated folder goes on."""
    by_text = {norm(entry.title): entry.ref for entry in new}
    yield from ((entry.ref, by_text.get(norm(entry.title))) for entry in old)


def _folders(disk: Disk, top: Path, depth: int) -> Iterator[Path]:
    """Yield the folders from `top` on down, innermost first."""
    for name in disk.names(top) if depth > 1 else ():
        if disk.kind(top / name) == "folder":
            yield from _folders(disk, top / name, depth - 1)
    yield top


def _named(library: Library, wanted: str, layout: str) -> RecreatedFolder:
    found = [
        recreated
        for recreated in library.aside.recreated
        if persona_key(recreated.persona) == persona_key(wanted)
        and layout in ("", recreated.layout)
    ]
    if not found:
        names = ", ".join(f"`{recreated.persona}`" for recreated in library.aside.recreated)
        raise NotPossible(
            f"no recreated folder is called `{wanted}`", hint=f"known: {names or 'none'}"
        )
    if len(found) > 1:
        places = ", ".join(f"`{recreated.layout}`" for recreated in found)
        raise NotPossible(
            f"`{wanted}` has a recreated folder in {places}", hint="name one with `--layout`"
        )
    return found[0]


def _is_living(source: PersonaSource) -> bool:
    return source.kind is SourceKind.MEMORY and not source.archived and bool(source.owner)


def _is_called(source: PersonaSource, intent: Intent) -> bool:
    return persona_key(source.owner) == persona_key(intent.text("persona"))
