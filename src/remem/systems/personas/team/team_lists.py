"""What a team's lists say of a persona that leaves, comes back, or joins.

It plans edits of rosters and registries, and notes which of them a person has to edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.core.system import Ground
from remem.model.change import Move, Splice
from remem.model.layout import PERSONA, Layout, Part
from remem.systems.personas.claude_agents import memory_folder
from remem.systems.personas.discover import base_of
from remem.systems.personas.source import PersonaSource, persona_sources
from remem.systems.personas.team import squad, squad_lists
from remem.systems.personas.team.people import Persona
from remem.systems.personas.team.squad_lists import Newcomer

LISTS: Final = frozenset({Part.ROSTER.value, Part.REGISTRY.value})
"""Parts that name a team's members."""


@dataclass(frozen=True, slots=True)
class Place:
    """A persona's folder in one layout."""

    layout: Layout
    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name


class Lists:
    """The rosters and registries of a root."""

    def __init__(
        self, ground: Ground, sources: Sequence[PersonaSource], only: str, notes: list[str]
    ) -> None:
        """Say where they are.

        Args:
            ground: Where the root is.
            sources: All of the format.
            only: The one layout to look at; empty = all.
            notes: Takes what a person has to do by hand.
        """
        self._ground = ground
        self._sources = sources
        self._only = only
        self._notes = notes

    def retire(self, place: Place, target: Path) -> Iterator[Splice]:
        """Yield what a team's lists say of somebody whose folder goes into the archive."""
        away = _below_home(self._ground, place.layout, target)
        for source in self.of(place.layout, place.name, place.folder):
            yield from self._said(source, place.name, squad_lists.retired(source, place.name, away))

    def of(self, layout: Layout, name: str, folder: Path) -> list[PersonaSource]:
        """Return the lists that say who somebody is; a folder that nothing knows has no row.

        Without charter, row and key it belongs to nobody on the team, and no list leads to it.

        Args:
            layout: Of the team.
            name: Of the folder, where the persona works.
            folder: Where it lies now.
        """
        found = self._lists_of(layout.name)
        inner = (each.pattern.removeprefix(f"{layout.folder}/") for each in layout.profiles)
        has_profile = any(self._ground.disk.kind(folder / file) == "file" for file in inner)
        if has_profile or any(squad_lists.lists(source, name) for source in found):
            return found
        rosters = [each for each in found if each.part == Part.ROSTER]
        tables = [each for each in rosters if squad.members_table(each.data) is not None]
        self._notes += [
            f"`{each.name}` does not list `{name}`, and stays as it is" for each in tables
        ]
        return [each for each in rosters if each not in tables]

    def retire_without_folder(self, persona: Persona) -> Iterator[Splice]:
        """Yield what retires somebody whom only a team's lists name."""
        name = persona.name
        for source in (each for each in self._lists_of(self._only) if knows(each, name)):
            yield from self._said(source, name, squad_lists.retired(source, name, name))

    def enlist_again(self, persona: Persona, move: Move | None) -> Iterator[Splice]:
        """Yield what a team's lists say of somebody who comes back."""
        if move is None:
            who = Newcomer(persona.name, persona.title, "—", "")
            for source in self._lists_of(self._only):
                yield from squad_lists.returned(source, persona.name, who, persona.name)
            return
        layout, name = persona_sources(persona.sources)[0].rules, move.target.name
        place = _below_home(self._ground, layout, move.source)
        who = newcomer(self._ground, layout, name, _role(persona))
        for source in self.of(layout, name, move.source):
            yield from squad_lists.returned(source, place, who, name)

    def _lists_of(self, layout: str) -> list[PersonaSource]:
        return [s for s in self._sources if s.part in LISTS and layout in ("", s.layout)]

    def _said(self, source: PersonaSource, name: str, edits: Iterable[Splice]) -> Iterator[Splice]:
        """Yield the edits of a list; where it names somebody and cannot be edited, say so."""
        found = list(edits)
        if not found and squad_lists.names(source, name):
            self._notes.append(f"`{source.name}` still names `{name}`; change it in your editor")
        yield from found


def knows(source: PersonaSource, name: str) -> bool:
    """Tell whether somebody without a folder may stand in a list.

    One list alone may name them: a roster that does not is left as it is.
    """
    if source.part == Part.ROSTER:
        return squad_lists.has_row(source, name)
    return source.part in LISTS


def newcomer(ground: Ground, layout: Layout, name: str, role: str) -> Newcomer:
    """Return who joins a team, as its lists write it."""
    charter = next((f.pattern for f in layout.profiles if f.part is Part.CHARTER), layout.folder)
    since = ground.given.clock.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Newcomer(name, role, charter.replace(PERSONA, folder_name(layout, name)), since)


def folder_name(layout: Layout, name: str) -> str:
    """Return what the folder of a persona with that name is called in a layout."""
    if Part.DEFINITION in layout.order:
        return memory_folder(name)
    return squad.slug(name) if layout.kebab else name


def _role(persona: Persona) -> str:
    """Return the role in an archived persona's charter, which `group` does not read."""
    charters = (s for s in persona_sources(persona.sources) if s.part == Part.CHARTER)
    return persona.title or next((squad.charter_title(s.data)[1] for s in charters), "")


def _below_home(ground: Ground, layout: Layout, folder: Path) -> str:
    """Return where a folder lies below that of all personas: `_alumni/hill`."""
    home = base_of(ground, layout) / layout.home_of_personas
    return folder.relative_to(home).as_posix() if folder.is_relative_to(home) else folder.name
