"""Plans that a persona is renamed, archived, or restored from the archive.

What is looked up and refused on the way, the same for every plan about a whole persona, is
`persona_planner.py`'s; where the name stands inside files is `name_in_files.py`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from remem.base.errors import Already, NotPossible
from remem.model.change import Change, Clear, Effect, Intent, Json, Move
from remem.model.layout import Part
from remem.model.roles import persona_key
from remem.store.paths import new_name
from remem.systems.personas.moving.name_in_files import renamed_in_settings
from remem.systems.personas.moving.persona_planner import Planner
from remem.systems.personas.moving.rewrite_references import Wanted
from remem.systems.personas.persona_layouts import NIGHT_WATCH
from remem.systems.personas.team.people import Shelf
from remem.systems.personas.team.team_lists import folder_name

if TYPE_CHECKING:
    from remem.systems.personas.persona_verbs import PersonaArchive, PersonaRename, PersonaRestore


def plan_rename(library: Shelf, intent: Intent, args: PersonaRename) -> Change:
    """Plan to give a persona another name, in all of its places or in the one named.

    Raises:
        UnknownRef: Nobody is called so.
        UnsafeName: The new name cannot be a name.
        NotPossible: It is the same name, or there is nothing to rename.
        Refused: The database with its row cannot be read.
    """
    planner = Planner(library, intent, args.persona, args.layout, beside=args.beside)
    name = new_name(args.to)
    persona = planner.living()
    planner.need_free_name(persona, name)
    edits: list[Effect] = []
    moves: list[Effect] = []
    names: dict[str, str] = {}
    targets: dict[Path, Path] = {}
    as_agent = name
    for place in (*planner.places(persona), *planner.places_behind_links(persona)):
        target = planner.free_beside(place, name)
        names[place.layout.name] = target.name
        targets[place.folder] = target
        if Part.DEFINITION in place.layout.order:
            is_taken = target.name != folder_name(place.layout, name)
            as_agent = target.name if is_taken else name
        edits += planner.rename_inside(persona, place, name, target.name)
        if target != place.folder:
            moves.append(Move(place.folder, target))
    if not targets:
        edits += planner.rename_without_folder(persona, name)
    for effect in planner.rename_definitions(persona, as_agent):
        (moves if isinstance(effect, Move) else edits).append(effect)
    goings = [*planner.goings(persona, name, targets)]
    for going in goings:
        moves += (each for each in planner.definitions_beside(going) if each not in moves)
    row = names.get(NIGHT_WATCH, name)  # the tool looks for a folder of the row's name
    if not args.layout:
        edits += renamed_in_settings(planner.ground, persona.name, name)
    effects = [*edits, *moves, *planner.rows(persona, {"name": row})]
    if not effects:
        raise NotPossible(
            f"`{persona.name}` already has this name, or has nothing to rename",
            hint="give another name",
        )
    planner.warn_of_look_alikes(name)
    wanted = Wanted(args.references, args.files)
    effects = [*planner.nothing_left_behind(goings, effects, wanted), *effects]
    waiting = planner.follow(persona, lambda layout: {"persona": names.get(layout, name)})
    return planner.change(f"Rename {persona.name} to {name}", [*waiting, *effects])


def plan_archive(library: Shelf, intent: Intent, args: PersonaArchive) -> Change:
    """Plan to put a persona's folders into the archive, out of every prompt.

    Raises:
        UnknownRef: Nobody is called so.
        Already: It lies in the archive.
        NotPossible: It has nothing to archive, or its layout no archive.
        Refused: The database with its row cannot be read.
    """
    planner = Planner(library, intent, args.persona, args.layout)
    if planner.find() is None and planner.is_away():
        raise Already(
            f"`{args.persona}` is already archived",
            hint="`remem persona restore` restores a persona",
        )
    persona = planner.living()
    effects = planner.away(persona)
    if not effects and any(planner.places_behind_links(persona)):
        raise NotPossible(
            f"the memory of `{persona.name}` is a link, which remem does not follow",
            hint="archive what it leads to, then remove the link",
        )
    if not effects:
        raise NotPossible(
            f"`{persona.name}` has no memory to archive", hint="it only has a definition"
        )
    planner.note_what_stays(persona)
    moved = {each.source: each.target for each in effects if isinstance(each, Move)}
    goings = [*planner.goings(persona, "", moved)]
    effects = [*planner.nothing_left_behind(goings, effects, Wanted()), *effects]
    return planner.change(f"Archive {persona.name}{planner.where_to(moved)}", effects)


def plan_restore(library: Shelf, intent: Intent, args: PersonaRestore) -> Change:
    """Plan to bring an archived persona back under its name.

    Raises:
        UnknownRef: None or several in one place are archived under that name.
        NotPossible: The name is taken.
    """
    planner = Planner(library, intent, args.persona, args.layout)
    found = planner.archived()
    edits: list[Effect] = []
    moves: list[Effect] = []
    for persona in found:
        move = planner.back(persona) if persona.sources else None
        edits += planner.lists.enlist_again(persona, move)
        moves += [move, Clear(move.source.parent)] if move is not None else []
        if move is not None and persona_key(move.target.name) != persona_key(persona.name):
            edits += planner.follow(persona, _called(move.target.name))
    is_watched = any(NIGHT_WATCH in p.places or not p.sources for p in found)
    rows = planner.rows_back(found[0]) if is_watched else []
    effects: list[Effect] = [*edits, *moves, *rows]
    back = {each.source: each.target for each in moves if isinstance(each, Move)}
    goings = [each for persona in found for each in planner.goings(persona, persona.name, back)]
    goings = [each for each in goings if each.to_place]
    effects = [*planner.nothing_left_behind(goings, effects, Wanted()), *effects]
    if not effects:
        raise NotPossible(f"nothing to restore for `{found[0].name}`")
    planner.note_unowned(found[0], goings)
    return planner.change(f"Restore {found[0].name}", effects)


def _called(name: str) -> Callable[[str], dict[str, Json]]:
    """Return what changes of a lesson that waits for a persona which has another name now."""
    return lambda _: {"persona": name}
