"""Plans a persona's moves: which folders it has, which names are free, what the move comes to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from remem.disk.paths import collision_key, name_warning
from remem.errors import NotPossible, Refused, UnknownRef
from remem.formats.personas.discover import archived_name, base_of
from remem.formats.personas.group import Persona, group
from remem.formats.personas.layouts import NIGHT_WATCH
from remem.formats.personas.profile import Profile, profiles_of, row_edit
from remem.formats.personas.read import read_source
from remem.formats.personas.rename import renamed
from remem.formats.personas.source import PersonaSource, persona_key, persona_sources
from remem.formats.protocol import Ground
from remem.model.change import Change, Create, Effect, Intent, Json, Move, RowEdit, Splice
from remem.model.entry import Ref
from remem.model.layout import PERSONA, PROJECT, Base, Layout, Part
from remem.model.source import Source, SourceKind
from remem.text import count

_DEEP: Final = 16
"""Folders below one another in which a persona's files are counted."""

_LISTS: Final = frozenset({Part.ROSTER.value, Part.REGISTRY.value})


class Shelf(Protocol):
    """What of a library is needed here."""

    @property
    def ground(self) -> Ground: ...
    @property
    def sources(self) -> tuple[Source, ...]: ...


@dataclass(frozen=True, slots=True)
class Place:
    """A persona's folder in one layout."""

    layout: Layout
    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name


class Planner:
    """One plan in the making: the snapshot, what it looked up, what it has to tell."""

    def __init__(self, library: Shelf, intent: Intent) -> None:
        self._ground = library.ground
        self._intent = intent
        self._only = intent.text("layout")
        self._all = group(library.sources, library.ground.roles)
        self._sources = persona_sources(library.sources)
        self._notes: list[str] = []
        self._given: dict[Path, list[str]] = {}
        """Names that this plan gives away itself, by folder."""

    def living(self) -> Persona:
        """Return the persona that the intent names."""
        wanted = self._intent.text("persona")
        living = [persona for persona in self._all if not persona.archived]
        for persona in living:
            if _is_called(persona, wanted):
                return persona
        names = ", ".join(f"`{persona.name}`" for persona in living)
        raise UnknownRef(f"nobody is called `{wanted}`", hint=f"there are {names or 'none here'}")

    def archived(self) -> list[Persona]:
        """Return the archived ones that the intent names, one a place."""
        wanted = self._intent.text("persona")
        gone = [p for p in self._all if p.archived and (not self._only or self._only in p.places)]
        found = [persona for persona in gone if persona.folder == wanted]
        found = found or [persona for persona in gone if _is_called(persona, wanted)]
        if not found:
            raise UnknownRef(
                f"nobody called `{wanted}` is archived", hint="`remem persona list` names them"
            )
        if len({persona.places for persona in found}) < len(found):
            names = ", ".join(f"`{persona.folder}`" for persona in found)
            raise UnknownRef(
                f"`{wanted}` was archived {len(found)} times", hint=f"write one of {names}"
            )
        return found

    def places(self, persona: Persona) -> list[Place]:
        """Return the persona's folders, one for each layout and spelling of the name."""
        found: dict[Path, Place] = {}
        for source in persona_sources(persona.sources):
            if source.part == Part.DEFINITION or (self._only and source.layout != self._only):
                continue
            found.setdefault(source.folder, Place(source.rules, source.folder))
        if self._only and not found and self._only not in persona.places:
            places = ", ".join(f"`{place}`" for place in persona.places)
            raise UnknownRef(
                f"`{persona.name}` has nothing in `{self._only}`",
                hint=f"it lies in {places or 'no place'}",
            )
        chosen = _as_spelled(found.values(), self._intent.text("persona"))
        if len(chosen) > 1:
            listed = ", ".join(f"`{place.layout.name}`" for place in chosen)
            self._notes.append(f"all places of `{persona.name}` together: {listed}")
        return chosen

    def free_beside(self, place: Place, name: str) -> Path:
        """Return the folder's new path; a taken name gets the time, then a number."""
        others = [n for n in self._names(place.folder.parent) if n != place.name]
        given = self._given.setdefault(place.folder.parent, [])
        free = _free_name(name, f"{name}-{self._ground.clock.stamp()}", [*others, *given])
        given.append(free)
        if free != name:
            self._notes.append(
                f"`{name}` is taken in `{place.layout.name}`: the memory will lie beside the "
                f"existing one, as `{free}`"
            )
        return place.folder.with_name(free)

    def free_in_archive(self, place: Place) -> Path:
        """Return where the folder goes; stamps and numbers tell archives of one name apart."""
        pattern = place.layout.archive
        if pattern is None:
            raise NotPossible(
                f"the layout `{place.layout.name}` has no archive",
                hint="give it an `archive` place",
            )
        pattern = pattern.replace("{stamp}", self._ground.clock.stamp())
        target = base_of(self._ground, place.layout) / pattern.replace(PERSONA, place.name)
        given = self._given.setdefault(target.parent, [])
        taken = [*self._names(target.parent), *given]
        given.append(_free_name(target.name, target.name, taken))
        return target.with_name(given[-1])

    def back(self, persona: Persona) -> Move:
        """Return the way back of an archived folder."""
        source = persona_sources(persona.sources)[0]
        names = self._names(source.folder.parent)
        name = archived_name(source.rules, source.folder.name, names)
        base = base_of(self._ground, source.rules)
        target = base / source.rules.folder.replace(PERSONA, name)
        for other in self._names(target.parent):
            if collision_key(other) == collision_key(name):
                raise NotPossible(
                    f"`{other}` lives in `{source.rules.name}` already",
                    hint="rename or archive that one first, or merge the two",
                )
        return Move(source.folder, target)

    def rename_inside(
        self, persona: Persona, place: Place, name: str, folder: str
    ) -> Iterator[Splice]:
        """Yield what writes the name into the place's charter, profile, roster and registry."""
        for source in self._sources:
            is_own = source in persona.sources and source.folder == place.folder
            is_shared = source.layout == place.layout.name and source.part in _LISTS
            if is_own or is_shared:
                yield from renamed(source, place.name, name, folder)

    def rename_without_folder(self, persona: Persona, name: str) -> Iterator[Splice]:
        """Yield what writes the name where only a roster or registry knows the persona."""
        for source in self._sources:
            if source.part in _LISTS and self._only in {"", source.layout}:
                yield from renamed(source, persona.name, name, name)

    def rename_definitions(self, persona: Persona, name: str) -> Iterator[Splice | Move]:
        """Yield what renames an agent's definition: the name in it, and its file."""
        for source in persona_sources(persona.sources):
            if source.part != Part.DEFINITION or not self._is_of_chosen_tool(source):
                continue
            names = [n for n in self._names(source.path.parent) if n != source.path.name]
            free = _free_name(f"{name}.md", f"{name}-{self._ground.clock.stamp()}.md", names)
            yield from renamed(source, source.path.stem, name, free.removesuffix(".md"))
            if free != source.path.name:
                yield Move(source.path, source.path.with_name(free), source.digest)

    def rows(self, persona: Persona, after: Mapping[str, Json]) -> list[RowEdit]:
        """Return the edits of the persona's database rows that do not say so yet."""
        if self._only not in {"", NIGHT_WATCH}:
            return []
        now = int(self._ground.clock.now().timestamp() * 1000)
        return [
            row_edit(source.path, profile, after, now)
            for source in self._sources
            if source.rows
            for profile in profiles_of(source)
            if persona_key(profile.name) == persona_key(persona.name) and not _holds(profile, after)
        ]

    def note_what_stays(self, persona: Persona) -> None:
        """Tell what goes on naming a persona that is archived."""
        for source in persona_sources(persona.sources):
            if source.part == Part.DEFINITION:
                self._notes.append(
                    f"the definition `{source.name}` stays: the agent starts with an empty memory"
                )
        lists = {
            source.name
            for source in self._sources
            if source.part in _LISTS and source.layout in persona.places
        }
        self._notes += [f"`{name}` goes on naming `{persona.name}`" for name in sorted(lists)]

    def warn_of_look_alikes(self, name: str) -> None:
        """Tell if a reader may take the new name for another one."""
        warning = name_warning(name, (persona.name for persona in self._all))
        if warning:
            self._notes.append(warning)

    def layout_for_new(self) -> Layout:
        """Return the layout that the intent names, else the one that this root uses."""
        used = [source.layout for source in self._sources if source.rules.base is Base.ROOT]
        name = self._only or next(iter(used), NIGHT_WATCH)
        for layout in self._ground.layouts:
            if layout.name == name:
                return layout
        names = ", ".join(f"`{layout.name}`" for layout in self._ground.layouts)
        raise NotPossible(f"there is no layout `{name}`", hint=f"there are {names}")

    def need_free(self, layout: Layout, name: str) -> None:
        """Refuse a name that a folder or a definition of the layout has."""
        base = base_of(self._ground, layout)
        names = set(self._names(base / layout.home_of_personas))
        for profile in layout.profiles:
            folder, _, last = profile.pattern.rpartition("/")
            if last.startswith(PERSONA):
                names |= {n.removesuffix(".md") for n in self._names(base / folder)}
        for other in sorted(names):
            if collision_key(other) == collision_key(name):
                raise NotPossible(
                    f"`{other}` is taken in `{layout.name}`", hint="choose another name"
                )

    def beginnings(self, layout: Layout, name: str, role: str) -> list[Effect]:
        """Return the first files of a persona: its profile, and its memory if it has none."""
        base = base_of(self._ground, layout)
        found: list[Effect] = [
            Create(base / file.pattern.replace(PERSONA, name), text.encode())
            for file in layout.profiles
            if (text := _first_profile(file.part, name, role, layout))
        ]
        is_squad = Part.CHARTER in layout.order
        if is_squad or not found:
            file = layout.main or layout.memory[0]
            if any(sign in file.pattern for sign in "*?"):
                raise NotPossible(
                    f"the layout `{layout.name}` does not say which file a new memory is",
                    hint="make the file in your editor",
                )
            inner = file.pattern.replace(PROJECT, self._ground.project)
            text = f"# {name} — History\n\n## Learnings\n" if is_squad else ""
            path = base / layout.folder.replace(PERSONA, name) / inner
            found.append(Create(path, text.encode()))
        if any(file.part is Part.ROSTER for file in layout.shared):
            self._notes.append(f"add `{name}` to `team.md` and the registry in your editor")
        return found

    def change(self, title: str, effects: Sequence[Effect]) -> Change:
        """Return the finished change, with the receipt of what moves."""
        folders = [each for each in effects if isinstance(each, Move) and not each.planned_on]
        return Change(
            intent=self._intent,
            title=title,
            effects=tuple(effects),
            touched=dict(self._touched(folders)),
            receipt=self._receipt(folders, effects) if folders else "",
            notes=tuple(self._notes),
        )

    def _is_of_chosen_tool(self, definition: PersonaSource) -> bool:
        """Tell whether the one layout that was named, if any, is of the definition's tool."""
        tools = {layout.tool for layout in self._ground.layouts if layout.name == self._only}
        return not self._only or definition.rules.tool in tools

    def _touched(self, folders: Sequence[Move]) -> Iterator[tuple[Ref, Ref]]:
        for source, move in self._moved(folders):
            for entry in source.entries:
                rest = entry.ref.id.removeprefix(move.source.name)
                new = Ref(
                    entry.ref.format, move.target.name + rest, entry.ref.place, entry.ref.twin
                )
                yield entry.ref, new

    def _receipt(self, folders: Sequence[Move], effects: Iterable[Effect]) -> str:
        """Return how files and units add up; what does not add up is refused."""
        splices: dict[Path, list[Splice]] = {}
        for effect in effects:
            if isinstance(effect, Splice):
                splices.setdefault(effect.path, []).append(effect)
        files = sum(1 for move in folders for _ in self._ground.disk.walk(move.source, _DEEP))
        before = after = 0
        for source, _ in self._moved(folders):
            before += len(source.entries)
            data = source.data
            for splice in splices.get(source.path, ()):
                data = data[: splice.start] + splice.new + data[splice.end :]
            after += len(read_source(source, data).entries)
        if before != after:
            raise Refused(f"{before} units would become {after}", hint="nothing was written")
        return (
            f"{count(files, 'file')}, {count(before, 'unit')} = {after:,} in the new place"
            " · 0 lost, 0 added"
        )

    def _moved(self, folders: Sequence[Move]) -> Iterator[tuple[PersonaSource, Move]]:
        """Yield each memory file that lies in a folder that moves."""
        for move in folders:
            for source in self._sources:
                if source.folder == move.source and source.kind is SourceKind.MEMORY:
                    yield source, move

    def _names(self, folder: Path) -> tuple[str, ...]:
        return self._ground.disk.names(folder)


def _as_spelled(places: Iterable[Place], name: str) -> list[Place]:
    """Return one folder a layout where one is spelled as asked, else all of them."""
    found = list(places)
    exact = {place.layout.name for place in found if place.name == name}
    return [place for place in found if place.name == name or place.layout.name not in exact]


def _is_called(persona: Persona, name: str) -> bool:
    """Tell whether a person may mean this one by that name: the one shown, or a folder's."""
    names = {persona.name, *(source.owner for source in persona.sources)}
    return persona_key(name) in {persona_key(each) for each in names}


def _holds(profile: Profile, after: Mapping[str, Json]) -> bool:
    now: dict[str, Json] = {"name": profile.name, "is_active": int(profile.is_active)}
    return all(now[name] == value for name, value in after.items())


def _free_name(name: str, instead: str, taken: Iterable[str]) -> str:
    """Return `name` if no other has it, else `instead`, then `instead-2`, …; `.md` stays last."""
    keys = {collision_key(other) for other in taken}
    if collision_key(name) not in keys:
        return name
    if collision_key(instead) not in keys:
        return instead
    stem, suffix = (instead[:-3], ".md") if instead.endswith(".md") else (instead, "")
    number = 2
    while collision_key(f"{stem}-{number}{suffix}") in keys:
        number += 1
    return f"{stem}-{number}{suffix}"


def _first_profile(part: Part, name: str, role: str, layout: Layout) -> str:
    match part:
        case Part.PROFILE:
            who = f"name: {_quoted(name)}\nrole: {_quoted(role)}\n"
            return f"{who}soul: {{}}\nstyle: {{}}\nskill: {{}}\n"
        case Part.DEFINITION:
            who = f"name: {_quoted(name)}\ndescription: {_quoted(role or name)}\n"
            body = f"You are {name}, {role}.\n" if role else f"You are {name}.\n"
            return f"---\n{who}memory: {layout.scope}\n---\n\n{body}"
        case Part.CHARTER:
            return f"# {name} — {role or 'Member'}\n\n## Responsibilities\n\n## Boundaries\n"
        case _:
            return ""


def _quoted(text: str) -> str:
    """Return text in double quotes, as YAML and JSON both read it."""
    return json.dumps(text, ensure_ascii=False)
