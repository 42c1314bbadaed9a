"""Plans merging two personas: the memory of one goes to the end of the other's, then away.

The archive keeps its files whole, so that both are there to be looked at. What is said twice stays
twice: merging duplicates is a change of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.core.no_text_lost import need_kept
from remem.model.change import Change, Intent, Json, Move
from remem.model.layout import Part
from remem.systems.personas.memory_files.join_files import Joining
from remem.systems.personas.moving.find_references import paths_followed
from remem.systems.personas.moving.persona_planner import Planner
from remem.systems.personas.moving.rewrite_references import Wanted
from remem.systems.personas.new_persona import main_path
from remem.systems.personas.source import PersonaSource, persona_sources
from remem.systems.personas.team.people import Persona, Shelf, live_memory

if TYPE_CHECKING:
    from remem.systems.personas.persona_verbs import PersonaMerge

_FIRST: Final = (Part.MAIN, Part.WORKING)
"""Parts that stand for each other where a persona has only one of them."""


def plan_merge(library: Shelf, intent: Intent, args: PersonaMerge) -> Change:
    """Plan to put one persona's memory with another's, and to archive it.

    Raises:
        UnknownRef: Nobody in use is called that.
        NotPossible: They are one, or there is nothing to merge, or no one place for it.
        Refused: The units would not add up.
    """
    planner = Planner(library, intent, args.persona, args.layout)
    leaving, staying = planner.living(), planner.living(args.into)
    if leaving.name == staying.name:
        raise NotPossible(
            f"`{leaving.name}` is one persona",
            hint="merge its places with `--from` and `--to`",
        )
    today = library.ground.given.clock.today().isoformat()
    sources = persona_sources(library.sources)
    joining = Joining(library.ground, sources, f"From {leaving.name} ({today})")
    places = planner.places(leaving)
    folders = {place.folder for place in places}
    moving = [s for s in live_memory(leaving) if s.folder in folders]
    for source in moving:
        joining.add(source, _target(planner, source, moving, staying))
    away = planner.away(leaving, places)
    moved = {each.source: each.target for each in away if isinstance(each, Move)}
    goings = [*planner.goings(leaving, staying.name, moved, is_replaced=True)]
    joined = joining.finish(lambda data: paths_followed(data, goings))
    if not joined.added:
        raise NotPossible(f"`{leaving.name}` has no memory to merge", hint="archive it instead")
    planner.touched.update(joined.touched)
    kept = sum(len(s.entries) for s in _archived_units(leaving) if s.folder in folders)
    if kept:
        planner.notes.append(f"{count(kept, 'archived unit')} of `{leaving.name}` stay archived")
    planner.note_what_stays(leaving)
    only = places[0].layout.name if args.layout else ""
    waiting = planner.follow(leaving, _with(staying), only)
    effects = [*waiting, *joined.effects, *away]
    need_kept(library, effects)
    effects = [*planner.nothing_left_behind(goings, effects, Wanted()), *effects]
    change = planner.change(f"Merge {leaving.name} into {staying.name}", effects)
    receipt = (
        f"units {joined.there + joined.added:,} = {joined.there:,} of {staying.name} + "
        f"{joined.added:,} of {leaving.name} · 0 lost, 0 added"
    )
    return replace(change, receipt=receipt)


def _with(staying: Persona) -> Callable[[str], dict[str, Json]]:
    """Return what changes of a lesson that waits for who is merged into another persona."""
    places = {s.layout for s in live_memory(staying)}

    def goes_to(layout: str) -> dict[str, Json]:
        fields: dict[str, Json] = {"persona": staying.name}
        if layout and layout not in places and len(places) == 1:
            fields["layout"] = next(iter(places))
        return fields

    return goes_to


def _archived_units(persona: Persona) -> list[PersonaSource]:
    return [s for s in persona_sources(persona.sources) if s.part == Part.ARCHIVE]


def _target(
    planner: Planner, source: PersonaSource, moving: Sequence[PersonaSource], staying: Persona
) -> Path:
    """Return the file of the other persona that takes this one."""
    theirs = [s for s in persona_sources(staying.sources) if s.layout == source.layout]
    folder = next((s.folder for s in theirs if s.part != Part.DEFINITION), None)
    if folder is None and theirs:
        folder = planner.home_of(source.rules, staying.name)
    if folder is not None:
        return counterpart(source, folder, live_memory(staying))
    projects = {s.project for s in moving} - {"", planner.ground.project}
    others = {s.rules.name: s for s in persona_sources(staying.sources)}
    if len(others) != 1 or projects:
        where = ", ".join(f"`{name}`" for name in others)
        if not where:
            raise NotPossible(
                f"`{staying.name}` has no memory to merge into",
                hint=f"create one first: `remem persona new`, or rename `{moving[0].owner}`",
            )
        raise NotPossible(
            f"`{staying.name}` has nothing in `{source.layout}`, but in {where}",
            hint="move the memory there first: `remem persona move`",
        )
    other = next(iter(others.values()))
    main = next((s for s in live_memory(staying) if s.part in _FIRST), None)
    name = other.folder.name if other.part != Part.DEFINITION else staying.name
    return main.path if main is not None else main_path(planner.ground, other.rules, name)


def counterpart(source: PersonaSource, folder: Path, there: Sequence[PersonaSource]) -> Path:
    """Return the file in another folder of one layout that a file's text goes to."""
    same = folder / source.path.relative_to(source.folder)
    if source.part not in _FIRST or any(other.path == same for other in there):
        return same
    for other in there:
        is_here = other.folder == folder and other.project == source.project
        if is_here and other.part in _FIRST:
            return other.path
    return same
