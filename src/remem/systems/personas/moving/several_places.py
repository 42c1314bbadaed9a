"""One persona in several places: what differs between them, and moving or merging one into another.

A place is a layout, and in layouts that keep projects apart the project too: `claude-user`,
`night-watch/acme`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from remem.base.errors import NotPossible, Refused, UnknownRef
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.no_text_lost import need_kept
from remem.core.relation.already_said import whole_text
from remem.core.relation.normal_form import norm
from remem.core.system import Ground
from remem.model.change import Change, Clear, Effect, Intent, Move
from remem.model.entry import Entry, Ref
from remem.model.layout import PERSONA, PROJECT, Layout, Part
from remem.model.source import SourceKind
from remem.systems.personas.discover import base_of
from remem.systems.personas.memory_files.join_files import Joining, read_after
from remem.systems.personas.moving.find_references import Going
from remem.systems.personas.moving.merge_personas import counterpart
from remem.systems.personas.moving.name_in_files import rescoped
from remem.systems.personas.moving.persona_planner import DEEP, Planner
from remem.systems.personas.moving.rewrite_references import Wanted
from remem.systems.personas.new_persona import main_path
from remem.systems.personas.source import PersonaSource, persona_sources
from remem.systems.personas.team.people import Persona, Shelf, live_memory
from remem.systems.personas.team.team_lists import Place

if TYPE_CHECKING:
    from remem.systems.personas.persona_verbs import PersonaMerge, PersonaMove


@dataclass(frozen=True, slots=True)
class Where:
    """One place of a persona's memory."""

    layout: Layout
    project: str = ""

    @property
    def name(self) -> str:
        """As people write it."""
        return f"{self.layout.name}/{self.project}" if self.project else self.layout.name


@dataclass(frozen=True, slots=True)
class Difference:
    """How two places of one persona differ, unit by unit; files in order."""

    one: Where
    other: Where
    both: tuple[tuple[Entry, Entry], ...]
    only_one: tuple[Entry, ...]
    only_other: tuple[Entry, ...]


def places_of(persona: Persona) -> tuple[Where, ...]:
    """Return where a persona's memory in use lies, in the order of its files."""
    found = (Where(s.rules, s.project) for s in live_memory(persona))
    return tuple({where.name: where for where in found}.values())


def difference(persona: Persona, one: Where, other: Where) -> Difference:
    """Return which units two places have in common; what is said twice counts twice."""
    left = [(source, entry) for source in _memory_at(persona, one) for entry in source.entries]
    waiting: dict[str, list[Entry]] = {}
    for source in _memory_at(persona, other):
        for entry in source.entries:
            waiting.setdefault(norm(whole_text(source, entry)), []).append(entry)
    both: list[tuple[Entry, Entry]] = []
    only: list[Entry] = []
    for source, entry in left:
        same = waiting.get(norm(whole_text(source, entry)))
        if same:
            both.append((entry, same.pop(0)))
        else:
            only.append(entry)
    rest = tuple(entry for entries in waiting.values() for entry in entries)
    return Difference(one, other, tuple(both), tuple(only), rest)


def shared_places(persona: Persona, namesakes: Sequence[Path]) -> Iterator[str]:
    """Yield what to tell of places that other repositories of the same name use too.

    Args:
        persona: Whose places.
        namesakes: Other roots with the name of this one.
    """
    for where in places_of(persona):
        others = [root for root in namesakes if root.name == where.project]
        if others:
            names = ", ".join(f"`{root}`" for root in others)
            yield f"`{where.name}` is shared by name: it is also the memory of {names}"


def place_named(ground: Ground, persona: Persona, name: str, *, is_used: bool) -> Where:
    """Return the place of that name.

    Args:
        ground: Its layouts, and the project that is meant where none is named.
        persona: Whose place.
        name: A layout, or a layout with a project.
        is_used: The persona has to have memory there.

    Raises:
        UnknownRef: There is no such place.
    """
    used = places_of(persona)
    layout_name, _, project = name.partition("/")
    layout = next((each for each in ground.layouts if each.name == layout_name), None)
    if not is_used and layout is not None:
        return _place(ground, layout, project)
    fitting = [w for w in used if w.name == name or (not project and w.layout.name == name)]
    mine = [where for where in fitting if where.project in ("", ground.project)] or fitting
    if len(mine) == 1:
        return mine[0]
    listed = ", ".join(f"`{where.name}`" for where in used) or "no place"
    raise UnknownRef(f"`{persona.name}` has no memory in `{name}`", hint=f"it lies in {listed}")


def free_places(ground: Ground, persona: Persona) -> tuple[Where, ...]:
    """Return where a persona has no memory yet, and may have."""
    used = {where.name for where in places_of(persona)}
    found = (_place(ground, layout, "") for layout in ground.layouts)
    return tuple(where for where in found if where.name not in used)


def _place(ground: Ground, layout: Layout, project: str) -> Where:
    """Return a place of a layout; without a name it is that of this project."""
    keeps_apart = PROJECT in _main_pattern(layout)
    return Where(layout, (project or ground.project) if keeps_apart else "")


def plan_move(library: Shelf, intent: Intent, args: PersonaMove) -> Change:
    """Plan to move a persona's memory to a place where it has none yet.

    Raises:
        UnknownRef: Nobody is called that, or there is no such place.
        NotPossible: There is a memory already, or a file has no counterpart there.
        Refused: The units would not add up.
    """
    planner = Planner(library, intent, args.persona)
    persona, one, other = _asked(planner, library, args)
    if _memory_at(persona, other):
        raise NotPossible(
            f"`{persona.name}` already has a memory in `{other.name}`",
            hint=f"`remem persona merge {persona.name} --from {one.name} --to {other.name}`",
        )
    old, new = _folder(planner, persona, one), _folder(planner, persona, other)
    planner.need_folder(old)
    is_alike = one.layout.memory == other.layout.memory
    targets = {
        source: _root(new, other) / _inner(source) if is_alike else _foreign(source, new, other)
        for source in _all_at(persona, one)
    }
    moves: list[Effect] = [Move(_root(old, one), _root(new, other))]
    if not is_alike or library.ground.disk.kind(_root(new, other)) is not None:
        moves = [Move(source.path, target, source.digest) for source, target in targets.items()]
        moves += _cleared(_root(old, one), persona, one)
    effects = [*_waiting(planner, persona, one, other), *_scopes(persona, one, other), *moves]
    effects = [*_addresses(planner, persona, effects, (one, old)), *effects]
    units = _follow(planner, library, targets, effects)
    need_kept(library, effects)
    title = f"Move {persona.name} from {one.name} to {other.name}"
    receipt = (
        f"{count(len(targets), 'file')}, {count(units, 'unit')} = {units:,} in {other.name}"
        " · 0 lost, 0 added"
    )
    return replace(planner.change(title, effects), receipt=receipt)


def _follow(
    planner: Planner, library: Shelf, targets: Mapping[PersonaSource, Path], moves: Sequence[Effect]
) -> int:
    """Note where each unit goes, and return how many there are."""
    sources = persona_sources(library.sources)
    after = read_after(library.ground, sources, moves, targets.values())
    for source, target in targets.items():
        new = after[target].entries
        if [entry.digest for entry in source.entries] != [entry.digest for entry in new]:
            raise Refused(
                f"`{source.name}` would be parsed differently in its new place",
                hint="merge it into a memory there instead",
            )
        pairs = zip(source.entries, new, strict=True)
        planner.touched.update({old.ref: other.ref for old, other in pairs})
    return sum(len(source.entries) for source in targets)


def plan_merge_places(library: Shelf, intent: Intent, args: PersonaMerge) -> Change:
    """Plan to put a persona's memory in one place at the end of that in another, and archive it.

    Raises:
        UnknownRef: Nobody is called that, or there is no such place.
        NotPossible: There is no memory to merge into, or nothing to merge.
        Refused: The units would not add up.
    """
    planner = Planner(library, intent, args.persona)
    persona, one, other = _asked(planner, library, args)
    into = _memory_at(persona, other)
    if not into:
        raise NotPossible(
            f"`{persona.name}` has no memory in `{other.name}` yet",
            hint=f"`remem persona move {persona.name} --from {one.name} --to {other.name}`",
        )
    today = library.ground.given.clock.today().isoformat()
    sources = persona_sources(library.sources)
    joining = Joining(library.ground, sources, f"From {one.name} ({today})")
    new = into[0].folder
    is_alike = one.layout.memory == other.layout.memory
    for source in _memory_at(persona, one):
        same = _root(new, other) / _inner(source)
        if is_alike:
            rooted = replace(source, path=same, folder=new, project=other.project)
            same = counterpart(rooted, new, into)
        joining.add(source, same if is_alike else _main_at(library.ground, into, other).path)
    joined = joining.finish()
    if not joined.added:
        raise NotPossible(f"`{one.name}` has no units of `{persona.name}`")
    planner.touched.update(joined.touched)
    away = _away(planner, persona, one)
    planner.touched.update(_copies(library, away))
    need_kept(library, [*joined.effects, *away])
    away = [*_waiting(planner, persona, one, other), *away]
    place = (one, _memory_at(persona, one)[0].folder)
    away = [*_addresses(planner, persona, [*joined.effects, *away], place), *away]
    change = planner.change(
        f"Merge {persona.name} of {one.name} into {other.name}", [*joined.effects, *away]
    )
    receipt = (
        f"units {joined.there + joined.added:,} = {joined.there:,} of {other.name} + "
        f"{joined.added:,} of {one.name} · 0 lost, 0 added"
    )
    return replace(change, receipt=receipt)


def _addresses(
    planner: Planner, persona: Persona, effects: Sequence[Effect], place: tuple[Where, Path]
) -> list[Effect]:
    """Return what lets the paths to folders and files that move follow; the name stays.

    Args:
        planner: Knows the root.
        persona: Whose they are.
        effects: What moves.
        place: From where, with the persona's folder there.
    """
    (where, folder), ground = place, planner.ground
    folders = {e.source: e.target for e in effects if isinstance(e, Move) and not e.planned_on}
    goings = [g for g in planner.goings(persona, persona.name, folders) if g.to_place]
    files = {
        each.source: each.target
        for each in effects
        if isinstance(each, Move) and each.planned_on and each.source.is_relative_to(folder)
    }
    if files:
        home = base_of(ground, where.layout) / where.layout.home_of_personas
        is_empty = files.keys() >= set(ground.disk.walk(folder, DEEP))
        into = f"/{ground.shown(next(iter(files.values())).parent)}" if is_empty else ""
        told = ((s.relative_to(folder).as_posix(), ground.shown(t)) for s, t in files.items())
        name, at = persona.name, folder.relative_to(home).as_posix()
        going = Going(where.layout, name, at, folder, name, into, files=tuple(told))
        goings.append(going)
    return planner.nothing_left_behind(goings, effects, Wanted())


def _waiting(planner: Planner, persona: Persona, one: Where, other: Where) -> list[Effect]:
    """Return what lets lessons that wait go to the other place, where that is another layout."""
    if one.layout.name == other.layout.name:
        return []
    name = other.layout.name
    return planner.follow(persona, lambda _: {"layout": name}, one.layout.name)


def _copies(library: Shelf, away: Sequence[Effect]) -> dict[Ref, Ref | None]:
    """Return the archived units of files that move one by one, as added."""
    files = [each.target for each in away if isinstance(each, Move) and each.planned_on]
    after = read_after(library.ground, persona_sources(library.sources), away, files)
    return {entry.ref: entry.ref for source in after.values() for entry in source.entries}


def _asked(
    planner: Planner, library: Shelf, args: PersonaMerge | PersonaMove
) -> tuple[Persona, Where, Where]:
    """Return who is meant, from where and to where; who lies in one place alone is moved from it.

    Raises:
        NotPossible: It is not clear which two places are meant.
    """
    persona, ground = planner.living(), library.ground
    here = places_of(persona)
    if not args.other or (not args.one and len(here) != 1):
        raise name_two(persona)
    one = place_named(ground, persona, args.one or here[0].name, is_used=True)
    other = place_named(ground, persona, args.other, is_used=False)
    if one.name == other.name:
        raise NotPossible(f"`{one.name}` is one place", hint="name two of them")
    return persona, one, other


def name_two(persona: Persona) -> NotPossible:
    """Return what is told where two places of a persona have to be named."""
    places = places_of(persona)
    names = ", ".join(f"`{where.name}`" for where in places) or "no place"
    if len(places) == 1:
        return NotPossible(
            f"`{persona.name}` has only one place here: {names}",
            hint="another one is named with `--from` and `--to`",
        )
    return NotPossible(
        f"ambiguous: `{persona.name}` has several places",
        hint=f"give `--from` and `--to`; its places: {names}",
    )


def _memory_at(persona: Persona, where: Where) -> list[PersonaSource]:
    return [s for s in live_memory(persona) if Where(s.rules, s.project).name == where.name]


def _all_at(persona: Persona, where: Where) -> list[PersonaSource]:
    """Return every file of memory in a place, archives too."""
    found = [s for s in persona_sources(persona.sources) if s.kind is SourceKind.MEMORY]
    return [s for s in found if Where(s.rules, s.project).name == where.name]


def _folder(planner: Planner, persona: Persona, where: Where) -> Path:
    """Return the persona's folder in a layout, as it is or would be called."""
    own = [s for s in persona_sources(persona.sources) if s.part != Part.DEFINITION]
    here = next((s.folder for s in own if s.layout == where.layout.name), None)
    names = [s.folder.name for s in own]
    return here or planner.home_of(where.layout, next(iter(names), persona.name))


def _main_pattern(layout: Layout) -> str:
    return (layout.main or layout.memory[0]).pattern


def _root(folder: Path, where: Where) -> Path:
    """Return the folder that a place's files lie in."""
    pattern = _main_pattern(where.layout)
    if PROJECT not in pattern:
        return folder
    return folder / pattern[: pattern.index(PROJECT) + len(PROJECT)].replace(PROJECT, where.project)


def _inner(source: PersonaSource) -> Path:
    """Return a file's path below the folder that its place's files lie in."""
    return source.path.relative_to(_root(source.folder, Where(source.rules, source.project)))


def _foreign(source: PersonaSource, folder: Path, other: Where) -> Path:
    """Return where a file goes in a layout of another kind."""
    main = _root(folder, other) / Path(_main_pattern(other.layout)).name
    if source.part in (Part.MAIN, Part.WORKING):
        return main
    if source.part == Part.ARCHIVE:
        return main.with_name(other.layout.unit_archive)
    if source.part == Part.TOPIC and any(f.part is Part.TOPIC for f in other.layout.memory):
        return _root(folder, other) / _inner(source)
    raise NotPossible(
        f"`{other.name}` has no place for `{source.name}`",
        hint="create a memory there, then merge the two into one file",
    )


def _main_at(ground: Ground, into: Sequence[PersonaSource], other: Where) -> PersonaSource:
    first = next((s for s in into if s.part in (Part.MAIN, Part.WORKING)), None)
    if first is not None:
        return first
    path = main_path(ground, other.layout, into[0].folder.name, other.project)
    return replace(into[0], path=path)


def _scopes(persona: Persona, one: Where, other: Where) -> Iterator[Effect]:
    """Yield what lets the agent's definition load the memory in its new scope."""
    if not other.layout.scope or Part.DEFINITION not in other.layout.order:
        return
    for source in persona_sources(persona.sources):
        if source.part == Part.DEFINITION and Part.DEFINITION in one.layout.order:
            yield from rescoped(source, other.layout.scope)


def _away(planner: Planner, persona: Persona, where: Where) -> list[Effect]:
    """Return what archives one place: the folder if all of it is that place, else its files."""
    files = _all_at(persona, where)
    folder = files[0].folder
    target = planner.free_in_archive(Place(where.layout, folder))
    own = {source.path for source in files}
    others = [
        s for s in persona_sources(persona.sources) if s.folder == folder and s.path not in own
    ]
    profiles = {
        base_of(planner.ground, where.layout) / f.pattern.replace(PERSONA, folder.name)
        for f in where.layout.profiles
    }
    has_profile = any(
        folder in path.parents and planner.ground.disk.kind(path) for path in profiles
    )
    if not others and not has_profile:
        return [Move(folder, target)]
    moves = [Move(s.path, target / s.path.relative_to(folder), s.digest) for s in files]
    return [*moves, *_cleared(_root(folder, where), persona, where)]


def _cleared(root: Path, persona: Persona, where: Where) -> list[Clear]:
    """Return the folders that may be empty once a place's files are gone, innermost first."""
    folders = {parent for s in _all_at(persona, where) for parent in s.path.parents}
    found = [each for each in folders if each == root or root in each.parents]
    found += [root.parent] if where.project else []
    return [Clear(each) for each in sorted(found, key=lambda path: -len(path.parts))]
