"""A system whose code is loaded where something of it is found: most roots have two of eight."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from remem.core.system import NO_FACETS, Addition, AddsMany, Facets, Ground, Parts
from remem.model.change import Derived, Effect, Json
from remem.model.entry import Entry, Status
from remem.model.prompt import Ask, Frame, Offer
from remem.model.record import Record
from remem.model.source import Source

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting


class Late:
    """Recognises a system, and hands everything else on to it."""

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

    def discover(self, ground: Ground) -> Iterator[Source]:
        if self._may_find(ground):
            yield from self._find(ground) if self._find else self.whole.discover(ground)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        return self.whole.read(source, data, before)

    def waits(self, library: Library) -> Sequence[Waiting]:
        files = library.of_format(self.name) or (self._waits_with and self._waits_with(library))
        return self.whole.waits(library) if files else ()

    def waiting(self, source: Source) -> Iterator[Entry]:
        return self.whole.waiting(source)

    def record(self, source: Source, entry: Entry) -> Record | None:
        return self.whole.record(source, entry)

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        return self.whole.fields(source, entry)

    def body(self, source: Source, entry: Entry) -> str:
        return self.whole.body(source, entry)

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        return self.whole.edit(source, entry, fields)

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        return self.whole.set_status(source, entry, status)

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        return self.whole.remove(source, entry)

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        return self.whole.add(ground, sources, kind, fields)

    def derived(self, ground: Ground, touched: Collection[Path]) -> tuple[Derived, ...]:
        return self.whole.derived(ground, touched) if self.facets.derives else ()

    def render(self, ground: Ground, sources: Sequence[Source], path: Path) -> bytes | None:
        return self.whole.render(ground, sources, path)

    def frame(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> Frame | None:
        return self.whole.frame(ground, sources, ask) if self._is_among(sources) else None

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        return self.whole.offers(ground, sources, ask) if self._is_among(sources) else ()

    def role_names(self, ground: Ground, sources: Sequence[Source]) -> tuple[str, ...]:
        return self.whole.role_names(ground, sources) if self._is_among(sources) else ()

    def _is_among(self, sources: Sequence[Source]) -> bool:
        return any(source.format == self.name for source in sources)


class LateAddsMany(Late):
    """One that plans several new entries at once."""

    def add_all(
        self,
        ground: Ground,
        sources: Sequence[Source],
        kind: str,
        several: Sequence[Mapping[str, Json]],
    ) -> tuple[Addition, ...]:
        whole = self.whole
        assert isinstance(whole, AddsMany)
        return whole.add_all(ground, sources, kind, several)
