"""A system whose code is loaded where something of it is found: most roots have two of eight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from remem.core.system import NO_FACETS, Composer, Facets, Ground, Keeper, Parts, Reader
from remem.model.source import Source

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting


class Late:
    """Tells of a system what can be told without its code, and loads that when it is asked for."""

    def __init__(
        self,
        name: str,
        kinds: tuple[str, ...],
        load: Callable[[], Parts],
        may_find: Callable[[Ground], bool],
        *,
        facets: Facets = NO_FACETS,
        find: Callable[[Ground], Iterator[Source]] | None = None,
        waits_with: Callable[[Library], Sequence[Source]] | None = None,
    ) -> None:
        """Declare a system.

        Args:
            name: Its own.
            kinds: Its own.
            load: Imports its code and makes it.
            may_find: False where its `discover` would yield nothing; asked instead of loading it.
            facets: What is told of it without loading it.
            find: Its `discover`, where that loads less than all of its code.
            waits_with: Another system's files in which what waits may become an entry of this one.
        """
        self.name = name
        self.kinds = kinds
        self.facets = facets
        self._load = load
        self._may_find = may_find
        self._find = find
        self._waits_with = waits_with

    @cached_property
    def whole(self) -> Parts:
        """Its code, loaded when it is first asked for."""
        return self._load()

    @cached_property
    def reader(self) -> Reader:
        return self.whole

    @cached_property
    def keeper(self) -> Keeper:
        return self.whole

    @cached_property
    def composer(self) -> Composer:
        return self.whole

    def discover(self, ground: Ground) -> Iterator[Source]:
        if self._may_find(ground):
            yield from self._find(ground) if self._find else self.whole.discover(ground)

    def waits(self, library: Library) -> Sequence[Waiting]:
        files = library.of_format(self.name) or (self._waits_with and self._waits_with(library))
        return self.whole.waits(library) if files else ()
