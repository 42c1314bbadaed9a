"""Verified memory as a format: what lies where, and who answers for it (FORMATS 6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from remem.base.errors import NotPossible
from remem.core.system import Addition, Ground, Parts
from remem.model.change import Effect, Json
from remem.model.entry import Entry, Status
from remem.model.prompt import Ask, Offer
from remem.model.source import Source
from remem.systems.facts import layer, read
from remem.systems.facts.source import FORMAT, VerifiedSource, discover, memory_at, verified_sources

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting


class Verified(Parts):
    """Facts about this repository with the lines that prove them, in a database of its own."""

    name = FORMAT
    kinds = ()
    """None by a line of text: a memory is stored with citations, by `remem memory store`."""

    def discover(self, ground: Ground) -> Iterator[Source]:
        yield from discover(ground)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        known = before if isinstance(before, VerifiedSource) else None
        return read.read(_own(source), known)

    def waits(self, library: Library) -> Sequence[Waiting]:
        from remem.systems.facts.stale import Stale

        return (Stale(),)

    def waiting(self, source: Source) -> Iterator[Entry]:
        return iter(())

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        own = _own(source)
        return read.fields_of(own, memory_at(own, entry))

    def body(self, source: Source, entry: Entry) -> str:
        return read.as_text(memory_at(_own(source), entry))

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        raise _not_like_this("correct a fact by superseding it")

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        if status is entry.status:
            return ()
        raise _not_like_this(f"a fact cannot be set to {status}")

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        raise _not_like_this("facts are never deleted")

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        raise NotPossible("a fact needs citations", hint="use `remem memory store --cite`")

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        own = verified_sources(sources)
        # Before a server was asked there is nothing to say, not even that there is nothing.
        known = (source for source in own if source.proofs is not None or source.unread)
        return tuple(map(layer.offer, known))


def _own(source: Source) -> VerifiedSource:
    assert isinstance(source, VerifiedSource)
    return source


def _not_like_this(message: str) -> NotPossible:
    return NotPossible(message, hint="supersede it, or invalidate it: `remem memory --help`")
