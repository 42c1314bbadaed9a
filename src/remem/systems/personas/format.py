"""Personas as a format: every layout's memory behind the one protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from remem.base.errors import NotPossible
from remem.core.system import Addition, Ground
from remem.model.change import Effect, Json
from remem.model.entry import Entry
from remem.model.layout import Base, LoaderRule, Part
from remem.model.prompt import Ask, Frame, Offer
from remem.model.source import LoaderKind, Source
from remem.systems.personas import claude_agents, edits, layer
from remem.systems.personas.discover import FORMAT, discover
from remem.systems.personas.profiles import profile
from remem.systems.personas.read import read_source
from remem.systems.personas.source import LESSON, PersonaSource, persona_sources
from remem.systems.personas.team import squad
from remem.systems.personas.unit_store import Units


class Personas(Units):
    """Memory of named agents: Night Watch, Claude Code, Squad, and layouts that a user adds."""

    name = FORMAT
    kinds = (LESSON,)
    whose = "a persona's memory"

    def discover(self, ground: Ground) -> Iterator[Source]:
        yield from discover(ground)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        found = self.own(source)
        if profile.is_database(found):
            return profile.read_database(found)
        read = read_source(found, data, before if isinstance(before, PersonaSource) else None)
        if found.part == Part.DEFINITION:
            definition = claude_agents.read_definition(data, found.path.stem)
            if not definition.skipped:
                return replace(read, owner=definition.name)
            problem = claude_agents.skipped_problem(found, definition.skipped)
            # It is nobody's: no agent starts with it, and no verb of a persona acts on it.
            loader = LoaderRule(kind=LoaderKind.NOT_KNOWN).loader()
            problems = (*read.problems, problem)
            return replace(read, owner="", loader=loader, problems=problems)
        return read

    def own(self, source: Source) -> PersonaSource:
        if isinstance(source, PersonaSource):
            return source
        raise NotPossible(f"`{source.name}` is not a persona's memory")

    def waiting(self, source: Source) -> Iterator[Entry]:
        if source.part == Part.INBOX:
            yield from source.entries

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        if entry.kind != "decision":
            return super().fields(source, entry)
        text = self.body(source, entry)
        decision: dict[str, Json] = {"title": entry.title}
        if entry.date:
            decision["date"] = entry.date
        decision.update(squad.decision_fields(text))
        return {**decision, edits.FIELD: text}

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        others = {name: each for name, each in fields.items() if name != edits.FIELD}
        if entry.kind != "decision" or not others:
            return super().edit(source, entry, fields)
        text, said = fields.get(edits.FIELD, self.body(source, entry)), dict[str, str]()
        for name, each in others.items():
            if not isinstance(each, str) or len(each.splitlines()) != 1:
                raise NotPossible(f"`{name}` of a decision is one line", hint="edit its `text`")
            said[name] = each
        after = squad.with_decision_fields(str(text), entry.title, said)
        if after is None:
            names = ", ".join(f"`{each}`" for each in self.fields(source, entry))
            raise NotPossible(
                f"this decision has no field `{next(iter(others))}`", hint=f"it has {names}"
            )
        return super().edit(source, entry, {edits.FIELD: after})

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        if kind != LESSON:
            raise NotPossible(
                f"a persona's memory cannot store a `{kind}`",
                hint="its entries are of kind `lesson`",
            )
        from remem.systems.personas.lessons import new_lesson

        return new_lesson.plan_lesson(ground, persona_sources(sources), fields)

    def frame(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> Frame | None:
        return layer.frame(ground, persona_sources(sources), ask) if ask.persona else None

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        return layer.offers(ground, persona_sources(sources), ask) if ask.persona else ()

    def role_names(self, ground: Ground, sources: Sequence[Source]) -> tuple[str, ...]:
        names = {
            source.owner
            for source in persona_sources(sources)
            if source.part == Part.DEFINITION and source.owner and source.rules.base is Base.ROOT
        }
        return tuple(sorted(names))
