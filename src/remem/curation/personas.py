"""What a person does with a whole persona: rename, archive, restore, make a new one.

Pure but for a look at which names are taken, which has to be true when the plan is made: a folder
without files is in nobody's list of sources.
"""

from __future__ import annotations

from remem.curation.persona_moves import Planner, Shelf
from remem.disk.paths import new_name
from remem.errors import NotPossible
from remem.formats.personas.group import Persona, group
from remem.formats.personas.layouts import NIGHT_WATCH
from remem.model.change import Change, Effect, Intent, Move
from remem.model.layout import Part


def personas(library: Shelf) -> tuple[Persona, ...]:
    """Return everyone, living ones first; each archived one stands for itself."""
    return group(library.sources, library.ground.roles)


def plan_rename(library: Shelf, intent: Intent) -> Change:
    """Plan to give a persona another name, in all of its places or in the one named.

    Args:
        library: The snapshot to plan on.
        intent: Arguments `persona`, `to`, and `layout` for one place only.

    Raises:
        UnknownRef: Nobody is called that.
        UnsafeName: The new name cannot be a name.
        NotPossible: It is the same name, or there is nothing to rename.
    """
    planner = Planner(library, intent)
    persona = planner.living()
    name = new_name(intent.text("to"))
    edits: list[Effect] = []
    moves: list[Effect] = []
    as_agent = name
    for place in planner.places(persona):
        target = planner.free_beside(place, name)
        if Part.DEFINITION in place.layout.order:
            as_agent = target.name
        if target != place.folder:
            edits += planner.rename_inside(persona, place, name, target.name)
            moves.append(Move(place.folder, target))
    if not moves:
        edits += planner.rename_without_folder(persona, name)
    for effect in planner.rename_definitions(persona, as_agent):
        (moves if isinstance(effect, Move) else edits).append(effect)
    effects = [*edits, *moves, *planner.rows(persona, {"name": name})]
    if not effects:
        raise NotPossible(
            f"`{persona.name}` is called that already, or has nothing to rename",
            hint="give another name with `to`",
        )
    planner.warn_of_look_alikes(name)
    return planner.change(f"Rename {persona.name} to {name}", effects)


def plan_archive(library: Shelf, intent: Intent) -> Change:
    """Plan to put a persona's folders into the archive, out of every prompt.

    Raises:
        UnknownRef: Nobody is called that.
        NotPossible: It has no folder, or its layout no archive.
    """
    planner = Planner(library, intent)
    persona = planner.living()
    moves = [
        Move(place.folder, planner.free_in_archive(place)) for place in planner.places(persona)
    ]
    rows = planner.rows(persona, {"is_active": 0})
    if not moves and not rows:
        raise NotPossible(
            f"`{persona.name}` has no memory to archive",
            hint="only a roster or a definition names it",
        )
    planner.note_what_stays(persona)
    return planner.change(f"Archive {persona.name}", [*moves, *rows])


def plan_restore(library: Shelf, intent: Intent) -> Change:
    """Plan to bring an archived persona back under its name.

    Args:
        library: The snapshot to plan on.
        intent: `persona` is its name, or the archived folder's where several have one name;
            `layout` for one place only.

    Raises:
        UnknownRef: None or several in one place are archived under that name.
        NotPossible: The name is taken.
    """
    planner = Planner(library, intent)
    found = planner.archived()
    moves = [planner.back(persona) for persona in found]
    is_watched = any(NIGHT_WATCH in persona.places for persona in found)
    rows = planner.rows(found[0], {"is_active": 1}) if is_watched else []
    return planner.change(f"Restore {found[0].name}", [*moves, *rows])


def plan_new(library: Shelf, intent: Intent) -> Change:
    """Plan to make a persona with an empty memory.

    Args:
        library: The snapshot to plan on.
        intent: `persona` is the name; `role` says who it is; `layout` where, else the root's own.

    Raises:
        UnsafeName: The name cannot be one.
        NotPossible: It is taken, or there is no such layout.
    """
    planner = Planner(library, intent)
    name = new_name(intent.text("persona"))
    layout = planner.layout_for_new()
    planner.need_free(layout, name)
    planner.warn_of_look_alikes(name)
    role = "".join(char for char in intent.text("role").strip() if char.isprintable())
    return planner.change(f"New persona {name}", planner.beginnings(layout, name, role))
