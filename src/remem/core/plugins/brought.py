"""What the plug-ins of a library bring besides their memory: kinds to add, and verbs."""

from __future__ import annotations

from typing import Any

from remem.core.library import Library
from remem.core.plugins.guard import Guarded
from remem.core.verbs.verb import Writing


def kinds_brought(library: Library) -> tuple[str, ...]:
    """Return the kinds of plug-ins of which an entry can be added."""
    held = (each for each in library.formats if isinstance(each, Guarded))
    return tuple(kind for each in held for kind in each.kinds)


def verbs_brought(library: Library) -> tuple[Writing[Any], ...]:
    """Return the verbs of plug-ins, in their order."""
    held = (each for each in library.formats if isinstance(each, Guarded))
    return tuple(verb for each in held for verb in each.verbs)
