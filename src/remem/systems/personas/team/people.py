"""Everyone who has a memory, a profile or a row here, and who works nowhere any more.

Sources of one name are put together; some are named by nothing but a roster or a row. Files are
stronger than lists: who has any is at work. A prompt asks for it before anything is planned, so it
loads nothing that writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Protocol

from remem.base.frozen import dataclass
from remem.core.system import Ground
from remem.model.layout import Part
from remem.model.roles import persona_key
from remem.model.source import Source, SourceKind
from remem.systems.personas.persona_layouts import SHARED_OWNER
from remem.systems.personas.profiles.profile import profiles_of
from remem.systems.personas.source import PersonaSource, persona_sources
from remem.systems.personas.team import squad
from remem.systems.personas.team.squad_lists import is_out


@dataclass(frozen=True, slots=True)
class Persona:
    """A named agent, with all of its places; each archived one stands for itself."""

    name: str
    roles: tuple[str, ...] = ()
    """What the configuration says it works as."""
    title: str = ""
    """Its role in the words of its profile, charter or roster."""
    places: tuple[str, ...] = ()
    """Layouts that hold files of it; empty for one that only a database or registry names."""
    sources: tuple[Source, ...] = field(default=(), repr=False)
    """Its own files: memory, then profile."""
    units: int = 0
    """Of its memory that is in force."""
    put_away: int = 0
    """Units in its archives, which are never loaded."""
    archived: bool = False
    folder: str = ""
    """Of an archived one: the folder's name, with its stamp."""
    inactive: bool = False
    """Its team's lists say that it does not work now."""

    @property
    def state(self) -> str:
        """`active`, `inactive` where lists say so, `archived` in an archive."""
        if self.archived and self.sources:
            return "archived"
        return "inactive" if self.archived or self.inactive else "active"


@dataclass(slots=True)
class _Found:
    name: str
    title: str = ""
    sources: list[PersonaSource] = field(default_factory=list)


def group(sources: Sequence[Source], roles: Mapping[str, tuple[str, ...]]) -> tuple[Persona, ...]:
    """Return everyone, living ones first, each part in the order of their names.

    Args:
        sources: Those of a library; other formats' are passed over.
        roles: Persona → roles, from the configuration.
    """
    found = persona_sources(sources)
    by_key = {persona_key(name): names for name, names in roles.items()}
    living = [
        _persona(each, by_key.get(key, ()), archived=False) for key, each in _living(found).items()
    ]
    retired = [
        _persona(each, by_key.get(persona_key(each.name), ()), archived=True)
        for each in _retired(found).values()
    ]
    return (*sorted(living, key=_order), *sorted(retired, key=_order))


def _order(persona: Persona) -> tuple[str, str]:
    return (persona_key(persona.name), persona.folder)


def _persona(found: _Found, roles: tuple[str, ...], *, archived: bool) -> Persona:
    memory = [source for source in found.sources if source.kind is SourceKind.MEMORY]
    others = [source for source in found.sources if source.kind is not SourceKind.MEMORY]
    return Persona(
        name=found.name,
        roles=roles,
        title=found.title,
        places=tuple(dict.fromkeys(source.layout for source in found.sources)),
        sources=(*memory, *others),
        units=sum(len(source.entries) for source in memory if source.part != Part.ARCHIVE),
        put_away=sum(len(source.entries) for source in memory if source.part == Part.ARCHIVE),
        archived=archived,
        folder=found.sources[0].folder.name if archived else "",
    )


def _living(sources: Iterable[PersonaSource]) -> dict[str, _Found]:
    people: dict[str, _Found] = {}
    rosters: list[PersonaSource] = []
    for source in sources:
        if source.part in {Part.ROSTER, Part.REGISTRY} or source.rows:
            rosters.append(source)
        elif source.owner and source.owner != SHARED_OWNER and not source.archived:
            each = people.setdefault(persona_key(source.owner), _Found(source.owner))
            each.sources.append(source)
            each.title = each.title or _title_in(source)
    for source in rosters:
        for keys, name, title in _named_in(source):
            known = next((people[key] for key in keys if key in people), None)
            if known is None:
                known = people.setdefault(keys[0], _Found(name))
            known.name = name
            known.title = known.title or title
    return people


def _retired(sources: Iterable[PersonaSource]) -> dict[tuple[str, str], _Found]:
    people: dict[tuple[str, str], _Found] = {}
    for source in sources:
        if source.archived and source.owner:
            key = (source.layout, source.folder.name)
            each = people.setdefault(key, _Found(source.owner))
            each.sources.append(source)
            each.title = each.title or _title_in(source)
    return people


def _title_in(source: PersonaSource) -> str:
    if source.part == Part.CHARTER:
        return squad.charter_title(source.data)[1]
    if source.part == Part.PROFILE:
        return next((profile.role for profile in profiles_of(source)), "")
    return ""


def _named_in(source: PersonaSource) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield the keys, the name and the role of everyone whom a roster or database names."""
    if source.part == Part.REGISTRY:
        for key, agent in squad.registry(source.data).items():
            name = squad.registered_name(key, agent)
            yield (persona_key(name), persona_key(key)), name, ""
    elif source.part == Part.ROSTER:
        for member in squad.roster(source.data):
            folder = (persona_key(member.folder),) if member.folder else ()
            yield (persona_key(member.name), *folder), member.name, member.role
    else:
        for profile in profiles_of(source):
            yield (persona_key(profile.name),), profile.name, profile.role


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


def live_memory(persona: Persona) -> list[PersonaSource]:
    """Return the files of memory in use, those first that are loaded first."""
    found = [s for s in persona_sources(persona.sources) if s.kind is SourceKind.MEMORY]
    return [source for source in found if source.part != Part.ARCHIVE]


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
