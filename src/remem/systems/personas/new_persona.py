"""Plans a new persona: its profile, its first memory, and its place in a team's lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.core.checks.secrets import need_clean
from remem.core.system import Ground
from remem.model.change import Change, Create, Effect, Intent, Json, Splice, texts_in
from remem.model.layout import PERSONA, PROJECT, Base, Layout, LayoutFile, Part
from remem.store.paths import collision_key, new_name
from remem.systems.personas.discover import base_of
from remem.systems.personas.moving.persona_planner import Planner
from remem.systems.personas.persona_layouts import NIGHT_WATCH
from remem.systems.personas.profiles.profile import profile_in
from remem.systems.personas.profiles.profile_edit import (
    ProfileFile,
    first_profile,
    need_profile,
    with_fields,
)
from remem.systems.personas.source import PersonaSource, persona_sources
from remem.systems.personas.team import squad_lists
from remem.systems.personas.team.people import Shelf
from remem.systems.personas.team.team_lists import LISTS, folder_name, newcomer

if TYPE_CHECKING:
    from remem.systems.personas.persona_verbs import PersonaNew

_MAIN: Final[Mapping[str, str]] = {
    "soul": "whoIAm",
    "style": "voicePrinciples",
    "skill": "additionalInstructions",
}
"""Where a text goes that is given for a part of a profile."""


def plan_new(library: Shelf, intent: Intent, args: PersonaNew) -> Change:
    """Plan to make a persona with an empty memory.

    Args:
        library: The snapshot to plan on.
        intent: What asks for it.
        args: `layout` says where, else it is the root's own. `soul`, `style` and `skill` are each a
            text, or what `persona.yaml` has there.

    Raises:
        UnsafeName: The name cannot be one.
        NotPossible: It is taken, there is no such layout, or it keeps no soul, style or skill.
    """
    planner = Planner(library, intent, args.persona, args.layout)
    ground, sources = library.ground, persona_sources(library.sources)
    name = new_name(args.persona)
    layout = _layout(ground, sources, args.layout)
    _need_free(ground, layout, folder_name(layout, name))
    planner.warn_of_look_alikes(name)
    planner.warn_of_namesake(name)
    role = "".join(char for char in args.role.strip() if char.isprintable())
    said = _said(args)
    need_clean(texts_in(said), intent, f"the profile of `{name}`")
    effects: list[Effect] = [*_beginnings(ground, layout, name, role, said)]
    for source in sources:
        if source.layout == layout.name and source.part in LISTS:
            effects += _on_list(planner, source, layout, name, role)
    return planner.change(f"New persona {name}", effects)


def _layout(ground: Ground, sources: Sequence[PersonaSource], named: str) -> Layout:
    """Return the layout that was named, else the one that this root uses."""
    used = [source.layout for source in sources if source.rules.base is Base.ROOT]
    name = named or next(iter(used), NIGHT_WATCH)
    for layout in ground.layouts:
        if layout.name == name:
            return layout
    names = ", ".join(f"`{layout.name}`" for layout in ground.layouts)
    raise NotPossible(f"no layout is called `{name}`", hint=f"known: {names}")


def _need_free(ground: Ground, layout: Layout, name: str) -> None:
    """Refuse a name that a folder or a definition of the layout has."""
    base = base_of(ground, layout)
    names = set(ground.disk.names(base / layout.home_of_personas))
    for profile in layout.profiles:
        folder, _, last = profile.pattern.rpartition("/")
        if last.startswith(PERSONA):
            names |= {n.removesuffix(".md") for n in ground.disk.names(base / folder)}
    for other in sorted(names):
        if collision_key(other) == collision_key(name):
            raise NotPossible(f"`{other}` is taken in `{layout.name}`", hint="choose another name")


def _said(args: PersonaNew) -> dict[str, Json]:
    """Return what is said of soul, style and skill, by dotted path."""
    found: dict[str, Json] = {}
    for part, field in _MAIN.items():
        value = getattr(args, part)
        if isinstance(value, dict):
            found |= {f"{part}.{name}": each for name, each in value.items()}
        elif isinstance(value, str) and value.strip():
            lines = [line.strip().removeprefix("- ") for line in value.strip().splitlines()]
            is_list = part == "skill"
            found[f"{part}.{field}"] = [*filter(None, lines)] if is_list else value.strip()
    return found


def _beginnings(
    ground: Ground, layout: Layout, name: str, role: str, said: Mapping[str, Json]
) -> Iterator[Create]:
    """Yield the first files of a persona: its profile, and its memory if it has none."""
    base = base_of(ground, layout)
    parts = {file.part for file in layout.profiles}
    if said and Part.PROFILE not in parts and Part.DEFINITION not in parts:
        told = ", ".join(sorted({f"`{each.partition('.')[0]}`" for each in said}))
        raise NotPossible(
            f"`{layout.name}` has no {told} for a persona", hint="describe it with `--role`"
        )
    folder = folder_name(layout, name)
    found = [
        Create(base / file.pattern.replace(PERSONA, folder), text)
        for file in layout.profiles
        if (text := _first_text(file, layout, name, role, said))
    ]
    yield from found
    is_squad = Part.CHARTER in layout.order
    if is_squad or not found:
        yield Create(main_path(ground, layout, folder), _first_memory(name, is_squad=is_squad))


def _first_text(
    file: LayoutFile, layout: Layout, name: str, role: str, said: Mapping[str, Json]
) -> bytes:
    text = first_profile(file.part, name, role, layout.scope).encode()
    if not said or file.part not in (Part.PROFILE, Part.DEFINITION):
        return text
    yaml = first_profile(Part.PROFILE, name, role, layout.scope).encode()
    profile = ProfileFile(name, Path("persona.yaml"), yaml)
    whole = with_fields(profile, said).rstrip(b"\n") + b"\n"
    need_profile(profile, whole)
    if file.part == Part.PROFILE:
        return whole
    told = profile_in(name, whole).compiled().partition("\n\n")[2]
    return text + f"\n{told}\n".encode()


def main_path(ground: Ground, layout: Layout, folder: str, project: str = "") -> Path:
    """Return where the main memory of a persona lies, or would lie.

    Raises:
        NotPossible: The layout does not say which file that is.
    """
    file = layout.main or layout.memory[0]
    if any(sign in file.pattern for sign in "*?"):
        raise NotPossible(
            f"the layout `{layout.name}` does not define the file for new memories",
            hint="create the file in your editor",
        )
    inner = file.pattern.replace(PROJECT, project or ground.project)
    return base_of(ground, layout) / layout.folder.replace(PERSONA, folder) / inner


def _on_list(
    planner: Planner, source: PersonaSource, layout: Layout, name: str, role: str
) -> list[Splice]:
    found = list(squad_lists.enlisted(source, newcomer(planner.ground, layout, name, role)))
    if not found and not squad_lists.names(source, name):
        planner.notes.append(f"`{source.name}` could not be extended: add `{name}` in your editor")
    return found


def _first_memory(name: str, *, is_squad: bool) -> bytes:
    return f"# {name} — History\n\n## Learnings\n".encode() if is_squad else b""
