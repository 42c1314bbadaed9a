"""How sure an entry is and how that came about, for every system that keeps it.

It plans nothing and draws nothing: the command line and the screens show what is told here.
"""

from __future__ import annotations

from remem.core.library import Library
from remem.model.entry import Entry
from remem.model.trajectory import Trajectory


def trajectory(library: Library, entry: Entry) -> Trajectory | None:
    """Return the history of an entry's confidence; `None` for what has none."""
    read = library.format_of(entry).facets.confidence.get(entry.kind)
    return read(library, entry) if read is not None else None
