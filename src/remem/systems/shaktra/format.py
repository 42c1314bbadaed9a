"""Shaktra's memory as a format: what lies where, and who answers for it (FORMATS 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from remem.core.system import Addition, AddsMany, Ground, Parts
from remem.edit.yaml_write import render as render_yaml
from remem.model.change import Effect, Json
from remem.model.entry import Entry, FileSpan, Status, digest_of
from remem.model.prompt import Ask, Offer
from remem.model.record import Record
from remem.model.source import Source
from remem.store.io import Unreadable
from remem.systems.shaktra import layer
from remem.systems.shaktra.documents import read_document, settings_in
from remem.systems.shaktra.lists import read_list, read_of
from remem.systems.shaktra.records import ANTI_PATTERN, PRINCIPLE, PROCEDURE, SHAKTRA, Settings
from remem.systems.shaktra.source import SETTINGS_FILE, ListSource, discover, stores_among

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting


class Shaktra(AddsMany, Parts):
    """Principles, anti-patterns and procedures of one repository, and what its stories observed."""

    name = SHAKTRA
    kinds = (PRINCIPLE, ANTI_PATTERN, PROCEDURE)

    def discover(self, ground: Ground) -> Iterator[Source]:
        yield from discover(ground, lambda: _settings(ground))

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        if isinstance(source, ListSource):
            return read_list(source, data, before)
        return read_document(replace(source, data=data, digest=digest_of(data)))

    def waits(self, library: Library) -> Sequence[Waiting]:
        from remem.systems.shaktra.waiting import Observed

        return (Observed(),)

    def waiting(self, source: Source) -> Iterator[Entry]:
        yield from (entry for entry in source.entries if entry.status is Status.CANDIDATE)

    def record(self, source: Source, entry: Entry) -> Record | None:
        return read_of(source, entry).record

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        return dict(read_of(source, entry).value)

    def body(self, source: Source, entry: Entry) -> str:
        if isinstance(entry.at, FileSpan):
            return source.data[entry.at.start : entry.at.end].decode("utf-8", "replace")
        return render_yaml(dict(self.fields(source, entry))).decode("utf-8", "replace")

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        from remem.systems.shaktra import edits

        return edits.set_fields(source, entry, fields)

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        from remem.systems.shaktra import edits

        return edits.set_status(source, entry, status)

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        from remem.systems.shaktra import edits

        return edits.remove(source, entry)

    def add_all(
        self,
        ground: Ground,
        sources: Sequence[Source],
        kind: str,
        several: Sequence[Mapping[str, Json]],
    ) -> tuple[Addition, ...]:
        from remem.systems.shaktra import edits

        return edits.add_all(ground, sources, kind, several)

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        own = [source for source in sources if source.format == self.name]
        found = layer.offer(ground, own, ask)
        return () if found is None else (found,)

    def role_names(self, ground: Ground, sources: Sequence[Source]) -> tuple[str, ...]:
        own = [source for source in sources if source.format == self.name]
        entries = (entry for store in stores_among(own) for entry in store.entries)
        return tuple(dict.fromkeys(role for entry in entries for role in entry.roles or ()))


def _settings(ground: Ground) -> Settings:
    """Return what the settings say now; without a readable file, the defaults."""
    try:
        return settings_in(ground.disk.read(ground.root / SETTINGS_FILE))
    except Unreadable:
        return Settings()
