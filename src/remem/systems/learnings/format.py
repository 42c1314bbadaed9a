"""SNIPER's learning records as a format: what lies where, and who answers for it (FORMATS 2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from remem.base.errors import NotPossible
from remem.core.system import Addition, Ground
from remem.model.change import Delete, Derived, Effect, Json
from remem.model.entry import Entry, Status
from remem.model.prompt import Ask, Frame, Offer
from remem.model.record import Record
from remem.model.source import Source
from remem.systems.learnings import layer, read
from remem.systems.learnings.records import LEARNING
from remem.systems.learnings.source import SIGNAL, LearningSource, discover, learning_sources

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting


class Learnings:
    """Learnings of one repository, one file each, and the signals that some of them come from."""

    name = LEARNING
    kinds = (LEARNING,)

    def discover(self, ground: Ground) -> Iterator[Source]:
        yield from discover(ground)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        return read.read(_own(source), data)

    def waits(self, library: Library) -> Sequence[Waiting]:
        from remem.systems.learnings.waiting import Learnings as Waits
        from remem.systems.learnings.waiting import ProtocolFindings, Signals

        return (ProtocolFindings(), Waits(), Signals())

    def waiting(self, source: Source) -> Iterator[Entry]:
        if read.may_wait(_own(source)):
            yield from source.entries

    def record(self, source: Source, entry: Entry) -> Record | None:
        own = _own(source)
        if own.part == SIGNAL:
            return read.signal_of(own)
        reading = read.reading_of(own)
        return None if reading is None else reading.record

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        return dict(read.fields_of(_own(source)))

    def body(self, source: Source, entry: Entry) -> str:
        return source.data.decode("utf-8", "replace")

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        from remem.systems.learnings import edits

        own = _own(source)
        return edits.set_fields(own, fields, own.told())

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        from remem.systems.learnings import edits

        own = _own(source)
        return edits.set_status(own, entry, status, own.told())

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        """A signal goes to the archive; a record goes with its file."""
        from remem.systems.learnings import edits

        own = _own(source)
        if own.part == SIGNAL:
            return (edits.to_archive(own),)
        return (Delete(source.path, source.data, source.digest),)

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        (addition,) = self.add_all(ground, sources, kind, [fields])
        return addition

    def add_all(
        self,
        ground: Ground,
        sources: Sequence[Source],
        kind: str,
        several: Sequence[Mapping[str, Json]],
    ) -> tuple[Addition, ...]:
        from remem.systems.learnings import edits

        if kind != LEARNING:
            raise NotPossible(f"learnings keep no `{kind}`", hint=f"they keep `{LEARNING}`")
        return edits.add_all(ground, sources, several)

    def derived(self, ground: Ground, touched: Collection[object]) -> tuple[Derived, ...]:
        return ()

    def render(self, ground: Ground, sources: Sequence[Source], path: object) -> bytes | None:
        return None

    def frame(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> Frame | None:
        return None

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        found = layer.offer(ground, sources, ask)
        return () if found is None else (found,)

    def role_names(self, ground: Ground, sources: Sequence[Source]) -> tuple[str, ...]:
        found = (
            role for s in learning_sources(sources) for e in s.entries for role in e.roles or ()
        )
        return tuple(dict.fromkeys(found))


def _own(source: Source) -> LearningSource:
    assert isinstance(source, LearningSource)
    return source
