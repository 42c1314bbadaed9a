"""Plain files as a format: instructions, rules and notes behind the one protocol.

Their text falls into the same units as a persona's memory, and is edited by the same plans.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from remem.base.errors import NotPossible
from remem.core.system import Addition, Ground
from remem.model.change import Json
from remem.model.entry import Entry, Problem, Status
from remem.model.layout import Reader
from remem.model.source import Source
from remem.systems.personas.read import read_source
from remem.systems.personas.source import LESSON, PersonaSource
from remem.systems.personas.unit_store import Units
from remem.systems.plain.discover import discover
from remem.systems.plain.front_matter import ruled
from remem.systems.plain.source import FORMAT, PlainSource, file_named, plain_sources


class Plain(Units):
    """Files that tools load by themselves, of no named agent."""

    name = FORMAT
    kinds: tuple[str, ...] = ()
    whose = "a plain file's entry"

    def discover(self, ground: Ground) -> Iterator[Source]:
        yield from discover(ground)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        found = self.own(source)
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

    def own(self, source: Source) -> PlainSource:
        if isinstance(source, PlainSource):
            return source
        raise NotPossible(f"`{source.name}` is not a plain file")

    def waiting(self, source: Source) -> Iterator[Entry]:
        if self.own(source).file.reader is Reader.LOG:
            yield from (each for each in source.entries if each.status is Status.CANDIDATE)

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        if kind != LESSON:
            raise NotPossible(
                f"a plain file cannot store a `{kind}`", hint="its entries are of kind `lesson`"
            )
        name = fields.get("file")
        if not isinstance(name, str) or not name:
            raise NotPossible("no target file for the lesson", hint="give the `file`")
        from remem.systems.personas.lessons import new_lesson

        return new_lesson.plan_in_file(file_named(plain_sources(sources), name), fields)


def _too_long(source: PlainSource, data: bytes) -> Iterator[Problem]:
    if not source.plain.mark:
        return
    characters = len(data.decode("utf-8", "replace"))
    if source.plain.mark < characters:
        yield Problem(
            "over-limit",
            f"`{source.name}` has {characters:,} characters; {source.plain.tool} allows "
            f"{source.plain.mark:,} in a file",
            "archive old entries, or split it into several files",
            path=source.path,
        )
