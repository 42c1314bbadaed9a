"""Everyone who has a memory, a profile or a row here, and who works nowhere any more.

Files are stronger than lists: who has any is at work. A prompt asks for it before anything is
planned, so it loads nothing that writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from remem.core.system import Ground
from remem.model.layout import Part
from remem.model.roles import persona_key
from remem.model.source import Source
from remem.systems.personas import squad
from remem.systems.personas.group import Persona, group
from remem.systems.personas.profile import profiles_of
from remem.systems.personas.source import PersonaSource, persona_sources
from remem.systems.personas.squad_lists import is_out


class Shelf(Protocol):
    """What of a library is needed here."""

    @property
    def ground(self) -> Ground: ...
    @property
    def sources(self) -> tuple[Source, ...]: ...


def everyone(library: Shelf) -> tuple[Persona, ...]:
    """Return all personas, living ones first; whom rows and lists retired is archived."""
    found = group(library.sources, library.ground.roles)
    return with_retired(found, persona_sources(library.sources))


def with_retired(
    everyone: Sequence[Persona], sources: Sequence[PersonaSource]
) -> tuple[Persona, ...]:
    """Return everyone; whom all lists call retired is inactive.

    Whom nothing else knows stands among the archived.

    Args:
        everyone: Living ones first, as `group` gives them.
        sources: All of the format.
    """
    said = _said(sources)
    archived = {persona_key(each.name) for each in everyone if each.archived}
    living: list[Persona] = []
    gone: list[Persona] = []
    for each in everyone:
        states = said.get(persona_key(each.name), [])
        if each.archived:
            gone.append(each)
        elif each.sources or not states or any(states):
            is_out = bool(states) and not any(states)
            living.append(replace(each, inactive=True) if is_out else each)
        elif persona_key(each.name) not in archived:
            gone.append(replace(each, archived=True))
    gone.sort(key=lambda each: (persona_key(each.name), each.folder))
    return (*living, *gone)


def _said(sources: Sequence[PersonaSource]) -> dict[str, list[bool]]:
    """Return for each name whether every list that has a word on it calls it active."""
    said: dict[str, list[bool]] = {}
    for source in sources:
        for names, is_active in _words_in(source):
            for name in {persona_key(name) for name in names}:
                said.setdefault(name, []).append(is_active)
    return said


def _words_in(source: PersonaSource) -> Iterator[tuple[tuple[str, ...], bool]]:
    if source.rows:
        for profile in profiles_of(source):
            yield (profile.name,), profile.is_active
    elif source.part == Part.ROSTER:
        for member in squad.roster(source.data):
            yield (member.name,), not is_out(member.status)
    elif source.part == Part.REGISTRY:
        for key, agent in squad.registry(source.data).items():
            status = agent.get("status")
            if isinstance(status, str):
                yield (key, squad.registered_name(key, agent)), not is_out(status)
