"""Everyone who has a memory, a profile or a row here, put together from all layouts.

A prompt asks for it before anything is planned, so it loads nothing that writes.
"""

from __future__ import annotations

from typing import Protocol

from remem.core.system import Ground
from remem.model.source import Source
from remem.systems.personas.group import Persona, group
from remem.systems.personas.retired import with_retired
from remem.systems.personas.source import persona_sources


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
