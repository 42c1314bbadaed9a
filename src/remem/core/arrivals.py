"""Files that come while somebody looks on, and of which they are told: each system says which.

To ask which there are reads nothing, so that it can be asked of every snapshot; what is told of one
that came is read then. Nothing is kept here: who asks compares.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from remem.base.frozen import dataclass

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.system import Arriving
    from remem.core.waiting.item import Item


@dataclass(frozen=True, slots=True)
class Arrival:
    """A file that came, or came again."""

    name: str
    called: str
    """What one of its sort is called: `retro`."""
    findings: int
    waiting: int
    is_broken: bool = False
    """It cannot be read."""


def stamps_of(library: Library) -> Mapping[Path, str]:
    """Return the digest of every file of which it is told that it came."""
    return {s.path: s.digest for each in _arriving(library) for s in each.sources(library)}


def came(before: Mapping[Path, str], now: Mapping[Path, str]) -> frozenset[Path]:
    """Return the files that are new or read otherwise."""
    return frozenset(path for path, digest in now.items() if before.get(path) != digest)


def arrivals(
    library: Library, paths: Collection[Path], items: Sequence[Item]
) -> tuple[Arrival, ...]:
    """Return what is known of files that came; what is gone again is left out."""
    return tuple(
        each.arrival(source, items)
        for each in _arriving(library)
        for source in each.sources(library)
        if source.path in paths
    )


def _arriving(library: Library) -> Iterator[Arriving]:
    for each in library.formats:
        if each.facets.arriving is not None:
            yield each.facets.arriving()
