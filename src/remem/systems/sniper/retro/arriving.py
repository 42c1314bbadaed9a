"""Retros that come while somebody looks on; it loads nothing until one did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from remem.systems.sniper.retro.retro_files import files_of

if TYPE_CHECKING:
    from remem.core.arrivals import Arrival
    from remem.core.library import Library
    from remem.core.waiting.item import Item
    from remem.model.source import Source


class ArrivingRetros:
    """Tells how much a retro found, and how much of that waits."""

    def sources(self, library: Library) -> Sequence[Source]:
        """Return the retros as they lie."""
        return files_of(library)

    def arrival(self, source: Source, items: Sequence[Item]) -> Arrival:
        """Return what a retro found; its items stand in a group of its name."""
        from remem.core.arrivals import Arrival
        from remem.systems.sniper.retro import retro_entries

        name = source.path.stem
        waiting = sum(item.group == name for item in items)
        is_broken = retro_entries.parsed(source)[1] is None
        return Arrival(name, "retro", len(source.entries), waiting, is_broken)
