"""Plain files as a format: instructions, rules and notes behind the one protocol.

Their text falls into the same units as a persona's memory, and is edited by the same plans.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from remem.errors import NotPossible
from remem.formats.personas import effects, lesson
from remem.formats.personas.read import read_source
from remem.formats.personas.source import LESSON, PersonaSource
from remem.formats.plain.discover import discover
from remem.formats.plain.front import ruled
from remem.formats.plain.source import FORMAT, PlainSource, file_named, plain_sources
from remem.formats.protocol import Addition, Ground
from remem.model.change import Derived, Effect, Json
from remem.model.entry import Entry, FileSpan, Problem, Status
from remem.model.prompt import Ask, Frame, Offer
from remem.model.record import Record
from remem.model.source import Source


class Plain:
    """Files that tools load by themselves, of no named agent."""

    name = FORMAT
    kinds: tuple[str, ...] = ()

    def discover(self, ground: Ground) -> Iterator[Source]:
        yield from discover(ground)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        found = _own(source)
        read = read_source(found, data, before if isinstance(before, PersonaSource) else None)
        if not isinstance(read, PlainSource) or found.archived:
            return read
        told = ruled(data, found.plain.front, found.loader)
        problems = [*read.problems, *_too_long(found, data)]
        if told.problem is not None:
            named = f"`{found.name}`: {told.problem.message}"
            problems.append(replace(told.problem, message=named, path=found.path))
        if told.loader == read.loader and told.told == read.told and not problems:
            return read
        return replace(read, loader=told.loader, told=told.told, problems=tuple(problems))

    def waiting(self, source: Source) -> Iterator[Entry]:
        yield from ()

    def record(self, source: Source, entry: Entry) -> Record | None:
        return None

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        dated: dict[str, Json] = {"date": entry.date} if entry.date else {}
        return {effects.FIELD: entry.title, **dated}

    def body(self, source: Source, entry: Entry) -> str:
        if isinstance(entry.at, FileSpan):
            return source.data[entry.at.start : entry.at.end].decode("utf-8", "replace")
        return source.data.decode("utf-8-sig", "replace")

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        return effects.plan_fields(_own(source), entry, fields, "a plain file's entry")

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        return effects.status_effects(_own(source), entry, status)

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        return effects.plan_removal(_own(source), entry)

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        if kind != LESSON:
            raise NotPossible(
                f"a plain file takes no `{kind}`", hint="its entries are of kind `lesson`"
            )
        name = fields.get("file")
        if not isinstance(name, str) or not name:
            raise NotPossible("nothing says where the lesson goes", hint="give the `file`")
        return lesson.plan_in_file(file_named(plain_sources(sources), name), fields)

    def derived(self, ground: Ground, touched: Collection[Path]) -> tuple[Derived, ...]:
        return ()

    def render(self, ground: Ground, sources: Sequence[Source], path: Path) -> bytes | None:
        return None

    def frame(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> Frame | None:
        return None

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        return ()

    def role_names(self, ground: Ground, sources: Sequence[Source]) -> tuple[str, ...]:
        return ()


def _own(source: Source) -> PlainSource:
    """Return the source as this format made it.

    Raises:
        NotPossible: It is another format's.
    """
    if isinstance(source, PlainSource):
        return source
    raise NotPossible(f"`{source.name}` is not a plain file")


def _too_long(source: PlainSource, data: bytes) -> Iterator[Problem]:
    if not source.plain.mark:
        return
    characters = len(data.decode("utf-8", "replace"))
    if source.plain.mark < characters:
        yield Problem(
            "over-limit",
            f"`{source.name}` has {characters:,} characters; {source.plain.tool} allows "
            f"{source.plain.mark:,} in a file",
            "archive what is old, or part it into several files",
            path=source.path,
        )
