"""Personas as a format: every layout's memory behind the one protocol."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from remem.errors import NotPossible
from remem.formats.personas import claude, effects, lesson, offer, profile, squad
from remem.formats.personas.discover import FORMAT, discover
from remem.formats.personas.read import read_source
from remem.formats.personas.source import LESSON, PersonaSource, persona_sources
from remem.formats.protocol import Addition, Ground
from remem.model.change import Derived, Effect, Json
from remem.model.entry import Entry, FileSpan, Status
from remem.model.layout import Base, Part
from remem.model.prompt import Ask, Frame, Offer
from remem.model.record import Record
from remem.model.source import Source


class Personas:
    """Memory of named agents: Night Watch, Claude Code, Squad, and layouts that a user adds."""

    name = FORMAT
    kinds = (LESSON,)

    def discover(self, ground: Ground) -> Iterator[Source]:
        yield from discover(ground)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        found = _own(source)
        if profile.is_database(found):
            return profile.read_database(found)
        read = read_source(found, data, before if isinstance(before, PersonaSource) else None)
        if found.part == Part.DEFINITION:
            return replace(read, owner=claude.read_definition(data, found.path.stem).name)
        return read

    def waiting(self, source: Source) -> Iterator[Entry]:
        if source.part == Part.INBOX:
            yield from source.entries

    def record(self, source: Source, entry: Entry) -> Record | None:
        return None

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        if entry.kind != "decision":
            dated: dict[str, Json] = {"date": entry.date} if entry.date else {}
            return {effects.FIELD: entry.title, **dated}
        text = self.body(source, entry)
        decision: dict[str, Json] = {"title": entry.title}
        if entry.date:
            decision["date"] = entry.date
        decision.update(squad.decision_fields(text))
        return {**decision, effects.FIELD: text}

    def body(self, source: Source, entry: Entry) -> str:
        if isinstance(entry.at, FileSpan):
            return source.data[entry.at.start : entry.at.end].decode("utf-8", "replace")
        return source.data.decode("utf-8-sig", "replace")

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        return effects.plan_fields(_own(source), entry, fields, "a persona's memory")

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        return effects.status_effects(_own(source), entry, status)

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        return effects.plan_removal(_own(source), entry)

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        if kind != LESSON:
            raise NotPossible(
                f"a persona's memory takes no `{kind}`", hint="its entries are of kind `lesson`"
            )
        return lesson.plan_lesson(ground, persona_sources(sources), fields)

    def derived(self, ground: Ground, touched: Collection[Path]) -> tuple[Derived, ...]:
        return ()

    def render(self, ground: Ground, sources: Sequence[Source], path: Path) -> bytes | None:
        return None

    def frame(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> Frame | None:
        return offer.frame(ground, persona_sources(sources), ask)

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        return offer.offers(ground, persona_sources(sources), ask)

    def role_names(self, ground: Ground, sources: Sequence[Source]) -> tuple[str, ...]:
        names = {
            source.owner
            for source in persona_sources(sources)
            if source.part == Part.DEFINITION and source.rules.base is Base.ROOT
        }
        return tuple(sorted(names))


def _own(source: Source) -> PersonaSource:
    """Return the source as this format made it; another format's is a mistake of the caller.

    Raises:
        NotPossible: It is another format's.
    """
    if isinstance(source, PersonaSource):
        return source
    raise NotPossible(f"`{source.name}` is not a persona's memory")
