"""What every plan about a whole persona is made with: to rename, archive, restore, merge, move.

Which folders it has, which names are free, and what the move comes to. Pure but for a look at which
names are taken, which has to be true when the plan is made: a folder without files is in nobody's
list of sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from remem.base.errors import NotPossible, Refused, UnknownRef
from remem.base.text import count, did_you_mean
from remem.core.no_text_lost import need_kept
from remem.core.system import Ground
from remem.model.change import Change, Delete, Effect, Intent, Json, Move, RowEdit, Splice
from remem.model.entry import Ref, digest_of
from remem.model.layout import PERSONA, Layout, Part
from remem.model.roles import persona_key
from remem.model.source import SourceKind
from remem.store.paths import collision_key, name_warning
from remem.systems.personas.claude_agents import SKIPPED
from remem.systems.personas.discover import archived_name, base_of, link_to_memory
from remem.systems.personas.lessons.waiting_lessons import follow
from remem.systems.personas.moving.find_references import GITHUB_AGENTS, Going, unowned
from remem.systems.personas.moving.name_in_files import renamed
from remem.systems.personas.moving.rewrite_references import Wanted, applied, followed
from remem.systems.personas.persona_layouts import NIGHT_WATCH
from remem.systems.personas.profiles.profile import Profile, is_database, profiles_of, row_edit
from remem.systems.personas.read import read_source
from remem.systems.personas.source import PersonaSource, persona_sources
from remem.systems.personas.team import squad, squad_lists
from remem.systems.personas.team.people import Persona, Shelf, everyone
from remem.systems.personas.team.team_lists import LISTS, Lists, Place, folder_name, knows

DEEP: Final = 16
"""Folders below one another in which a persona's files are counted."""


class Planner:
    """One plan in the making: the snapshot, what it looked up, what it has to tell."""

    def __init__(
        self,
        library: Shelf,
        intent: Intent,
        persona: str,
        only: str = "",
        *,
        beside: bool = False,
    ) -> None:
        """Begin a plan on a persona of that name, in all of its places or in one layout."""
        self.is_beside = beside
        """What is taken gets another folder beside it, instead of being refused."""
        self._shelf = library
        self.ground = library.ground
        self._intent = intent
        self._wanted = persona
        self._only = only
        self._all = everyone(library)
        self._sources = persona_sources(library.sources)
        self.notes: list[str] = []
        self.offers = ""
        self.touched: dict[Ref, Ref | None] = {}
        """What the plan does to entries besides moving them."""
        self.lists = Lists(self.ground, self._sources, self._only, self.notes)
        self._given: dict[Path, list[str]] = {}
        """Names that this plan gives away itself, by folder."""

    def living(self, name: str = "") -> Persona:
        """Return the living persona of that name; without one, that the plan is about.

        Raises:
            UnknownRef: Nobody in use is called that; the hint names those who are called alike.
        """
        found = self.find(name)
        if found is not None:
            return found
        raise UnknownRef(
            f"no persona is called `{name or self._wanted}`", hint=self._who_is_there()
        )

    def find(self, name: str = "") -> Persona | None:
        """Return the living persona of that name, as `living` does; `None` if there is none."""
        wanted = name or self._wanted
        living = (persona for persona in self._all if not persona.archived)
        found = next((persona for persona in living if _is_called(persona, wanted)), None)
        if found is None:
            self._need_agent(wanted)
        return found

    def _need_agent(self, wanted: str) -> None:
        """Refuse the coordinator, and a file among the agents that no tool loads as one."""
        for source in self._sources:
            routes = source.rules.coordinator
            is_nobody = routes == source.folder.name and not source.owner
            if routes and is_nobody and routes == persona_key(wanted):
                raise NotPossible(
                    f"`{wanted}` is the team's coordinator and no persona",
                    hint="its notes are edited entry by entry",
                )
            skipped = next((each for each in source.problems if each.code == SKIPPED), None)
            if skipped is not None and persona_key(source.path.stem) == persona_key(wanted):
                raise NotPossible(
                    f"`{wanted}` is not an agent: {skipped.message}", hint=skipped.hint
                )

    def _who_is_there(self) -> str:
        living = [persona.name for persona in self._all if not persona.archived]
        names = ", ".join(f"`{name}`" for name in living)
        there = f"known: {names}" if names else "none here"
        return " ".join(filter(None, (did_you_mean(self._wanted, living), there)))

    def is_away(self) -> bool:
        """Tell whether the one that the plan is about lies in an archive, under that name."""
        away = [persona for persona in self._all if persona.archived and self._is_in_place(persona)]
        return any(_is_called(persona, self._wanted) for persona in away)

    def archived(self) -> list[Persona]:
        """Return the archived ones of the name that the plan is about, one a place."""
        wanted = self._wanted
        gone = [p for p in self._all if p.archived and self._is_in_place(p)]
        found = [persona for persona in gone if persona.folder == wanted]
        found = found or [persona for persona in gone if _is_called(persona, wanted)]
        if not found:
            raise UnknownRef(
                f"no archived persona is called `{wanted}`", hint="`remem persona list` lists them"
            )
        if len({persona.places for persona in found}) < len(found):
            names = ", ".join(f"`{persona.folder}`" for persona in found)
            raise UnknownRef(
                f"`{wanted}` was archived {len(found)} times", hint=f"use one of {names}"
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
                hint=f"it is in {places or 'no place'}",
            )
        chosen = _as_spelled(found.values(), self._wanted)
        if len(chosen) > 1:
            listed = ", ".join(f"`{place.layout.name}`" for place in chosen)
            told = f"includes every place of `{persona.name}`: {listed}"
            self.notes += [] if told in self.notes else [told]
        return chosen

    def places_behind_links(self, persona: Persona) -> Iterator[Place]:
        """Yield the folders of a persona of which nothing is read: they, or their file, are a link.

        A link lies in the same folder afterwards and leads where it led.
        """
        read = {source.folder for source in persona_sources(persona.sources)}
        for layout in self.ground.layouts:
            if layout.name not in persona.places or self._only not in {"", layout.name}:
                continue
            home = base_of(self.ground, layout) / layout.home_of_personas
            folder = home / folder_name(layout, persona.name)
            if folder not in read and link_to_memory(self.ground, layout, folder) is not None:
                yield Place(layout, folder)

    def free_beside(self, place: Place, name: str) -> Path:
        """Return the folder's new path; a taken name gets the time, then a number.

        Raises:
            NotPossible: It is taken, and nobody asked for a place beside it.
        """
        name = folder_name(place.layout, name)
        others = [n for n in self._names(place.folder.parent) if n != place.name]
        given = self._given.setdefault(place.folder.parent, [])
        free = free_name(name, f"{name}-{self.ground.given.clock.stamp()}", [*others, *given])
        given.append(free)
        if free != name:
            self._need_beside(name, place.layout.name)
            self.notes.append(
                f"`{name}` is taken in `{place.layout.name}`: the memory will lie beside the "
                f"existing one, as `{free}`"
            )
        return place.folder.with_name(free)

    def need_free_name(self, persona: Persona, name: str) -> None:
        """Refuse a name that somebody else has in any place, or that a team keeps for one who left.

        Raises:
            NotPossible: It is taken, and nobody asked for a place beside it.
        """
        keys = {persona_key(name), collision_key(name)}
        for each in self._all:
            if each is persona or each.archived or not keys & _keys(each):
                continue
            self._need_beside(each.name, ", ".join(each.places) or "a list or a database")
            self.notes.append(
                f"`{each.name}` already exists in {_in_places(each)}: the same name means the "
                "same persona"
            )
            return
        own = _keys(persona)
        for source in self._sources:
            if source.part not in LISTS or self._only not in {"", source.layout}:
                continue
            for called in squad_lists.names_in(source):
                known = {f(n) for n in called for f in (persona_key, collision_key)}
                if keys & known and not own & known:
                    self._need_beside(name, source.name)

    def _need_beside(self, name: str, where: str) -> None:
        if not self.is_beside:
            raise NotPossible(
                f"`{name}` is taken in {where}; nothing was written",
                hint="choose another name, merge the two, or use `--beside`",
            )

    def need_folder(self, folder: Path) -> None:
        """Refuse to move a link to memory: where it leads may hang on the folder that it is in.

        Raises:
            NotPossible: It is one.
        """
        if self.ground.disk.kind(folder) == "link":
            raise NotPossible(
                f"`{self.ground.shown(folder)}` is a link, and only folders are moved",
                hint="move or archive what it leads to, then remove the link",
            )

    def free_in_archive(self, place: Place) -> Path:
        """Return where the folder goes; stamps and numbers tell archives of one name apart."""
        self.need_folder(place.folder)
        pattern = place.layout.archive
        if pattern is None:
            raise NotPossible(
                f"the layout `{place.layout.name}` has no archive",
                hint="add `archive` to the layout",
            )
        pattern = pattern.replace("{stamp}", self.ground.given.clock.stamp())
        target = base_of(self.ground, place.layout) / pattern.replace(PERSONA, place.name)
        given = self._given.setdefault(target.parent, [])
        taken = [*self._names(target.parent), *given]
        given.append(free_name(target.name, target.name, taken))
        return target.with_name(given[-1])

    def back(self, persona: Persona) -> Move:
        """Return the way back of an archived folder."""
        source = persona_sources(persona.sources)[0]
        names = self._names(source.folder.parent)
        name = archived_name(source.rules, source.folder.name, names)
        base = base_of(self.ground, source.rules)
        target = base / source.rules.folder.replace(PERSONA, name)
        for other in self._names(target.parent):
            if collision_key(other) == collision_key(name):
                raise NotPossible(
                    f"`{other}` already exists in `{source.rules.name}`",
                    hint="rename or archive that one first, or merge the two",
                )
        return Move(source.folder, target)

    def rename_inside(
        self, persona: Persona, place: Place, name: str, folder: str
    ) -> Iterator[Splice]:
        """Yield what writes the name into the place's charter, profile, roster and registry."""
        shared = self.lists.of(place.layout, place.name, place.folder)
        for source in self._sources:
            is_own = source in persona.sources and source.folder == place.folder
            if is_own or source in shared:
                yield from renamed(source, place.name, name, folder)

    def definitions_beside(self, going: Going) -> Iterator[Move]:
        """Yield what gives a persona's definition beside the team's folder its new file name."""
        if Part.CHARTER not in going.layout.order or not going.is_renamed:
            return
        folder = base_of(self.ground, going.layout) / GITHUB_AGENTS
        for name in self._names(folder):
            path = folder / name
            stem = name.removesuffix(".md").removesuffix(".agent")
            if self.ground.disk.kind(path) != "file" or not name.endswith(".md"):
                continue
            if persona_key(stem) not in {persona_key(going.name), persona_key(going.place)}:
                continue
            target = path.with_name(squad.slug(going.to_name) + name.removeprefix(stem))
            if target != path and self.ground.disk.kind(target) is None:
                yield Move(path, target, digest_of(self.ground.disk.read(path)))

    def rename_without_folder(self, persona: Persona, name: str) -> Iterator[Splice]:
        """Yield what writes the name where only a roster or registry knows the persona."""
        for source in self._sources:
            if knows(source, persona.name) and self._only in {"", source.layout}:
                yield from renamed(source, persona.name, name, folder_name(source.rules, name))

    def rename_definitions(self, persona: Persona, name: str) -> Iterator[Splice | Move]:
        """Yield what renames an agent's definition: the name in it, and its file."""
        for source in persona_sources(persona.sources):
            if source.part != Part.DEFINITION or not self._is_of_chosen_tool(source):
                continue
            if not source.writable:
                raise NotPossible(
                    f"the definition `{self.ground.shown(source.path)}` is read here and not "
                    "renamed: it lies above the project, or is reached by a link",
                    hint="rename it where it lies, and the link to it",
                )
            names = [n for n in self._names(source.path.parent) if n != source.path.name]
            free = free_name(f"{name}.md", f"{name}-{self.ground.given.clock.stamp()}.md", names)
            if free != f"{name}.md":
                self._need_beside(f"{name}.md", source.name.rpartition("/")[0])
            yield from renamed(source, source.path.stem, name, free.removesuffix(".md"))
            if free != source.path.name:
                yield Move(source.path, source.path.with_name(free), source.digest)

    def rows(self, persona: Persona, after: Mapping[str, Json]) -> list[RowEdit]:
        """Return the edits of the persona's database rows that do not say so yet.

        Raises:
            Refused: It has a memory there, and the database cannot be read: its row would be left
                behind.
        """
        if self._only not in {"", NIGHT_WATCH}:
            return []
        self._need_readable_rows(persona)
        now = int(self.ground.given.clock.now().timestamp() * 1000)
        return [
            row_edit(source.path, profile, after, now)
            for source, profile in self._profiles(persona)
            if not _holds(profile, after)
        ]

    def rows_back(self, persona: Persona) -> list[RowEdit]:
        """Return the edits that make a persona's rows active again: those written last.

        Of several rows with one name some may have been inactive before it was archived.
        """
        found = [profile for _, profile in self._profiles(persona)]
        if any(profile.is_active for profile in found):
            return []
        last = max((profile.updated_at for profile in found), default=0)
        written_last = {profile.row_id for profile in found if profile.updated_at == last}
        edits = self.rows(persona, {"is_active": 1})
        return [edit for edit in edits if edit.key["id"] in written_last]

    def _profiles(self, persona: Persona) -> Iterator[tuple[PersonaSource, Profile]]:
        """Yield the persona's rows, with the database that each is in."""
        for source in self._sources:
            for profile in profiles_of(source) if source.rows else ():
                if persona_key(profile.name) == persona_key(persona.name):
                    yield source, profile

    def _need_readable_rows(self, persona: Persona) -> None:
        if NIGHT_WATCH not in persona.places:
            return
        for source in self._sources:
            if is_database(source) and not source.is_writable and source.problems:
                problem = source.problems[-1]
                raise Refused(
                    f"{problem.message}; nothing was written",
                    hint=f"{problem.hint}, or name another place with `--layout`",
                )

    def home_of(self, layout: Layout, folder: str) -> Path:
        """Return where a persona's folder of that name lies in a layout."""
        return base_of(self.ground, layout) / layout.folder.replace(PERSONA, folder)

    def away(self, persona: Persona, places: Sequence[Place] | None = None) -> list[Effect]:
        """Return all that puts a persona away: lists, folders, then rows."""
        edits: list[Effect] = []
        moves: list[Effect] = []
        for place in self.places(persona) if places is None else places:
            target = self.free_in_archive(place)
            edits += self.lists.retire(place, target)
            moves.append(Move(place.folder, target))
        rows = self.rows(persona, {"is_active": 0})
        if not moves and not rows:
            edits += self.lists.retire_without_folder(persona)
        return [*edits, *moves, *rows]

    def goings(
        self,
        persona: Persona,
        to_name: str,
        targets: Mapping[Path, Path],
        *,
        is_replaced: bool = False,
    ) -> Iterator[Going]:
        """Yield who goes from where: one for each folder that moves, else for each list.

        Args:
            persona: Who goes.
            to_name: The name from now on, or of who takes the work; empty = nobody does.
            targets: The folders that move, and where to.
            is_replaced: Another persona takes the work over.
        """
        named: set[str] = set()
        for place in self.places(persona):
            target = targets.get(place.folder)
            if target is not None:
                named.add(place.layout.name)
                called = place.name if Part.DEFINITION in place.layout.order else persona.name
                at = _place_below(self.ground, place.layout, target)
                here = _place_below(self.ground, place.layout, place.folder)
                to = to_name if called == persona.name or to_name != persona.name else called
                yield Going(place.layout, called, here, place.folder, to, at, is_replaced)
        for source in self._sources:
            is_listed = source.part in LISTS and knows(source, persona.name)
            is_defined = source.part == Part.DEFINITION and source in persona.sources
            chosen = source.layout not in named and self._only in {"", source.layout}
            if chosen and (is_listed or is_defined):
                named.add(source.layout)
                called = source.owner if is_defined else persona.name
                folder = self.home_of(source.rules, folder_name(source.rules, called))
                # The folder is not there yet: its agent makes it where its definition says.
                is_renamed = to_name not in {"", called} and not is_replaced
                to = folder_name(source.rules, to_name) if is_renamed else ""
                yield Going(source.rules, called, folder.name, folder, to_name, to, is_replaced)

    def nothing_left_behind(
        self, goings: Sequence[Going], effects: Sequence[Effect], wanted: Wanted
    ) -> list[Effect]:
        """Return what lets every address follow; what goes on naming who is gone is told."""
        planned = [each for each in effects if isinstance(each, Splice)]
        found = followed(self.ground, self._sources, goings, planned, wanted)
        self.notes += found.notes
        self.offers = "references" if found.leaves_words else self.offers
        self.touched.update(found.touched)
        return [*found.splices]

    def where_to(self, moved: Mapping[Path, Path]) -> str:
        """Return where folders go, for a title: ` to .squad/agents/_alumni/hill`."""
        targets = [*moved.values()]
        if not targets:
            return ""
        first = self.ground.shown(targets[0])
        return f" to {first}" + (f" and {len(targets) - 1} more" if targets[1:] else "")

    def note_unowned(self, persona: Persona, goings: Sequence[Going]) -> None:
        """Tell which work has nobody: a persona that is back gets none of what it had before."""
        for layout in {going.layout.name: going.layout for going in goings}.values():
            for path, work in unowned(self.ground, layout):
                self.notes.append(
                    f"`{self.ground.shown(path)}` has no owner for {work}: write "
                    f"`{persona.name}` there if it is theirs"
                )

    def note_what_stays(self, persona: Persona) -> None:
        """Tell what goes on naming a persona that is archived."""
        for source in persona_sources(persona.sources):
            if source.part == Part.DEFINITION and self._is_of_chosen_tool(source):
                self.notes.append(
                    f"the definition `{source.name}` stays; the agent will start "
                    "with an empty memory"
                )

    def _is_in_place(self, persona: Persona) -> bool:
        """Tell whether an archived one lies in the one place that was named, if any was."""
        if not self._only or self._only in persona.places:
            return True
        return not persona.places  # only rows and lists name it: those of that place are looked at

    def warn_of_look_alikes(self, name: str) -> None:
        """Tell if a reader may take the new name for another one."""
        warning = name_warning(name, (persona.name for persona in self._all))
        if warning:
            self.notes.append(warning)

    def warn_of_namesake(self, name: str) -> None:
        """Tell if a persona of another layout has the new name: both are shown as one."""
        key = collision_key(name)
        for each in self._all:
            if collision_key(each.name) == key and each.places and not each.archived:
                places = " and ".join(f"`{place}`" for place in each.places)
                self.notes.append(f"`{each.name}` is in {places} already; both are shown as one")

    def follow(
        self, persona: Persona, goes_to: Callable[[str], Mapping[str, Json]], layout: str = ""
    ) -> list[Effect]:
        """Return what takes along the lessons that wait for a persona; `goes_to` as in `follow`."""
        effects: list[Effect] = []
        for name in dict.fromkeys((persona.name, *(s.owner for s in persona.sources))):
            only = layout or self._only
            for ref, effect in follow(self._shelf.sources, name, goes_to, layout=only):
                self.touched[ref] = None if isinstance(effect, Delete) else ref
                if effect not in effects:
                    effects.append(effect)
        return effects

    def change(self, title: str, effects: Sequence[Effect]) -> Change:
        """Return the finished change, with the receipt of what moves."""
        folders = [each for each in effects if isinstance(each, Move) and not each.planned_on]
        need_kept(self._shelf, folders)
        return Change(
            intent=self._intent,
            title=title,
            effects=tuple(effects),
            touched=self._all_touched(folders, effects),
            receipt=self._receipt(folders, effects) if folders else "",
            notes=tuple(self.notes),
            offers=self.offers,
        )

    def _is_of_chosen_tool(self, definition: PersonaSource) -> bool:
        """Tell whether the one layout that was named, if any, is of the definition's tool."""
        tools = {layout.tool for layout in self.ground.layouts if layout.name == self._only}
        return not self._only or definition.rules.tool in tools

    def _all_touched(
        self, folders: Sequence[Move], effects: Iterable[Effect]
    ) -> dict[Ref, Ref | None]:
        """Return where each unit goes on; a copy that is archived too is named as added."""
        moved = dict(self._touched(folders, _by_path(effects)))
        copies = {new: new for old, new in moved.items() if old in self.touched and new != old}
        return {**moved, **copies, **self.touched}

    def _touched(
        self, folders: Sequence[Move], splices: Mapping[Path, Sequence[Splice]]
    ) -> Iterator[tuple[Ref, Ref]]:
        for source, move in self._moved(folders):
            entries = source.entries
            if source.path in splices:
                after = applied(source.data, splices[source.path])
                entries = read_source(source, after).entries
            for before, entry in zip(source.entries, entries, strict=False):
                rest = entry.ref.id.removeprefix(move.source.name)
                new = Ref(
                    entry.ref.format, move.target.name + rest, entry.ref.place, entry.ref.twin
                )
                yield before.ref, new

    def _receipt(self, folders: Sequence[Move], effects: Iterable[Effect]) -> str:
        """Return how files and units add up; what does not add up is refused."""
        splices = _by_path(effects)
        files = sum(1 for move in folders for _ in self.ground.disk.walk(move.source, DEEP))
        before = after = 0
        for source, _ in self._moved(folders):
            before += len(source.entries)
            data = applied(source.data, splices.get(source.path, ()))
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
        return self.ground.disk.names(folder)


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


def _place_below(ground: Ground, layout: Layout, folder: Path) -> str:
    """Return where a folder lies below that of all personas; elsewhere, from the top with `/`."""
    base = base_of(ground, layout)
    home = base / layout.home_of_personas
    if folder.is_relative_to(home):
        return folder.relative_to(home).as_posix()
    return f"/{ground.shown(folder)}"


def _by_path(effects: Iterable[Effect]) -> dict[Path, list[Splice]]:
    found: dict[Path, list[Splice]] = {}
    for effect in effects:
        if isinstance(effect, Splice):
            found.setdefault(effect.path, []).append(effect)
    return found


def _keys(persona: Persona) -> set[str]:
    """Return all that a persona is found by: its name and its folders, as any system takes them."""
    names = {persona.name, *(source.owner for source in persona.sources)} - {""}
    return {key(name) for name in names for key in (persona_key, collision_key)}


def _in_places(persona: Persona) -> str:
    return ", ".join(f"`{place}`" for place in persona.places) or "a list or a database"


def free_name(name: str, instead: str, taken: Iterable[str]) -> str:
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
