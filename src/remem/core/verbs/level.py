"""Whether a system is the level above an entry of another one: that of its workspace."""

from __future__ import annotations

from remem.core.library import Library
from remem.model.entry import Entry


def is_below(library: Library, entry: Entry) -> bool:
    """Tell whether promoting an entry leads to another system."""
    levels = (each.facets.rises for each in library.formats)
    return any(rises(library, entry) for rises in levels if rises is not None)
