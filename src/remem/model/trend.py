"""How much agents started with over time, and who made it more: plain facts, however they came."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from remem.base.frozen import dataclass

Starter = tuple[str, str]
"""Layout and name of an agent."""


@dataclass(frozen=True, slots=True)
class Point:
    """What everyone started with on a day."""

    day: date
    tokens: Mapping[Starter, int]
    """Who was there that day → tokens at their start."""

    @property
    def total(self) -> int:
        return sum(self.tokens.values())


@dataclass(frozen=True, slots=True)
class Grown:
    """A file or a writer, and the tokens that came by them since a day; less = it shrank."""

    name: str
    """Path from the root, or the name of an author."""
    tokens: int


@dataclass(frozen=True, slots=True)
class Growth:
    """The history of all starts, as far as it was looked at."""

    points: tuple[Point, ...] = ()
    """Oldest first; the last one is now. Between two of them nobody looked."""
    since: date | None = None
    """The day that files and writers are compared with; `None` = they were not compared."""
    files: tuple[Grown, ...] = ()
    """What grew most first; what stayed as it was is left out."""
    writers: tuple[Grown, ...] = ()
    """Who added most first, by the bytes that they committed; always an estimate."""
    exact: bool = False
    """The tokens of points and files were counted, not estimated."""
    done: int = 0
    """Commits that were looked at."""
    planned: int = 0
    """Commits that are looked at in the end."""
    note: str = ""
    """Why there is no history, or not all of it; empty = nothing is missing."""

    @property
    def is_whole(self) -> bool:
        return self.done >= self.planned

    def of(self, who: Starter) -> tuple[tuple[date, int], ...]:
        """Return the days on which an agent was there, with what it started with."""
        return tuple((point.day, point.tokens[who]) for point in self.points if who in point.tokens)
