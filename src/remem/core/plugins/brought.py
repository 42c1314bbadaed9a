"""What the plug-ins of a library bring besides their memory: kinds to add, and verbs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remem.core.library import Library

if TYPE_CHECKING:
    from remem.core.verbs.verb import Writing


def kinds_brought(library: Library) -> tuple[str, ...]:
    """Return the kinds of plug-ins of which an entry can be added."""
    return tuple(kind for each in library.formats for kind in each.facets.adds)


def verbs_brought(library: Library) -> tuple[Writing[Any], ...]:
    """Return the verbs of plug-ins, in their order."""
    return tuple(verb for each in library.formats for verb in each.facets.verbs)
