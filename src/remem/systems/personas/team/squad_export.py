"""A file with some personas in it, as `squad export` writes one, so that `squad import` takes it.

Every file of theirs stands in it word for word besides, whatever layout it is of.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from remem.base.errors import NotPossible, UnknownRef
from remem.base.frozen import dataclass
from remem.base.text import count, did_you_mean
from remem.core.library import Library
from remem.model.layout import Part
from remem.model.roles import persona_key
from remem.systems.personas.source import PersonaSource, persona_sources
from remem.systems.personas.team import squad
from remem.systems.personas.team.people import Persona, everyone

NAME: Final = "squad-export.json"
_WHO: Final = frozenset({Part.CHARTER, Part.DEFINITION, Part.PROFILE})
_VERSION: Final = "1.0"


@dataclass(frozen=True, slots=True)
class Exported:
    """What is written, and how it adds up."""

    data: bytes
    receipt: str


def exported(library: Library, names: Sequence[str]) -> Exported:
    """Return some personas as one file.

    Raises:
        UnknownRef: Nobody is called that.
        NotPossible: A file of theirs is not UTF-8.
    """
    found = [_named(library, name) for name in dict.fromkeys(names)]
    agents: dict[str, dict[str, str]] = {}
    files: dict[str, str] = {}
    units = 0
    for persona in found:
        own = [s for s in persona_sources(persona.sources) if not s.rows]
        texts = {source.path: _text(source) for source in own}
        files |= {library.ground.shown(path): text for path, text in texts.items()}
        charter = next((texts[s.path] for s in own if s.part in _WHO), "")
        history = "\n".join(texts[s.path] for s in own if s.part not in _WHO | {Part.ARCHIVE})
        agents[squad.slug(persona.name)] = {"charter": charter, "history": history}
        units += persona.units
    manifest = {
        "version": _VERSION,
        "exported_at": library.ground.given.clock.now().isoformat(),
        "squad_version": "",
        "casting": {"registry": {"agents": _registered(library, found)}},
        "agents": agents,
        "skills": [],
        "files": files,
    }
    told = (
        f"{count(len(found), 'persona')} = {count(len(files), 'file')} with {count(units, 'unit')}"
    )
    return Exported(f"{json.dumps(manifest, indent=2, ensure_ascii=False)}\n".encode(), told)


def _named(library: Library, name: str) -> Persona:
    known = everyone(library)
    found = next((p for p in known if p.folder == name), None)
    found = found or next((p for p in known if persona_key(p.name) == persona_key(name)), None)
    if found is None:
        hint = did_you_mean(name, [p.name for p in known]) or "`remem persona list` names everyone"
        raise UnknownRef(f"no persona is called `{name}`", hint=hint)
    return found


def _text(source: PersonaSource) -> str:
    try:
        return source.data.decode("utf-8")
    except UnicodeDecodeError:
        raise NotPossible(
            f"`{source.name}` is not UTF-8 text", hint="save it as UTF-8, or copy the file"
        ) from None


def _registered(library: Library, found: Sequence[Persona]) -> dict[str, object]:
    keys = {persona_key(persona.name) for persona in found}
    return {
        key: dict(agent)
        for source in persona_sources(library.sources)
        if source.part == Part.REGISTRY
        for key, agent in squad.registry(source.data).items()
        if keys & {persona_key(key), persona_key(squad.registered_name(key, agent))}
    }
