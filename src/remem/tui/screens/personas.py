"""What Browse can do with whole personas: merge, move, rename, reflect, compact.

The verbs are the systems' and `core/verbs`'; here a person says which, and sees the plan. How a
reflection and a compaction go is told in `reflect_and_compact.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from shlex import quote
from typing import Any

from remem.base.errors import RememError
from remem.base.text import count
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import MERGE
from remem.model.change import Intent
from remem.systems.personas.compacting.compact_memory import topic_name
from remem.systems.personas.moving.several_places import (
    Difference,
    difference,
    free_places,
    places_of,
    shared_places,
)
from remem.systems.personas.persona_verbs import (
    MOVE,
    PERSONA_COMPACT,
    PERSONA_MERGE,
    PERSONA_MOVE,
    PERSONA_REFLECT,
)
from remem.systems.personas.source import PersonaSource
from remem.systems.personas.team.people import Persona
from remem.tui import reflect_and_compact
from remem.tui.screens.choose import ChooseScreen
from remem.tui.screens.lessons import LessonsScreen
from remem.tui.screens.renaming import RenamingScreen
from remem.tui.widgets.input_line import Question
from remem.views.list_rows import Choice
from remem.views.long_text import TextLine, text_line
from remem.views.spans import Tone

_SHOWN = 12
"""Units of a difference that are listed for each place."""


def who_takes(persona: Persona, among: Iterable[Persona]) -> list[Choice]:
    """Return which of some can take a persona's memory, each by name."""
    return [
        Choice(each.name, f"into {each.name}", each.title, count(each.units, "unit"))
        for each in among
        if not each.archived and each.name != persona.name and each.sources
    ]


def place_choices(persona: Persona) -> list[Choice]:
    """Return which of a persona's own places can take another one's memory."""
    return [
        Choice(
            f"{persona.name}\n{one.name}\n{other.name}",
            f"{one.name} → {other.name}",
            "its own places",
            f"{len(difference(persona, one, other).only_one):,} new",
        )
        for one, other in permutations(places_of(persona), 2)
    ]


def merging(chosen: str) -> Intent:
    """Return what a choice asks for: `persona`, the place that goes or nothing, who takes it."""
    goes, place, into = chosen.split("\n")
    named = {"from": place, "to": into} if place else {"into": into}
    return Intent(PERSONA_MERGE.id, {}, {"persona": goes, **named})


class PersonasScreen(LessonsScreen, RenamingScreen):
    """Asks what a verb on whole personas needs to know."""

    def __init__(self) -> None:
        super().__init__()
        self._namesakes: tuple[Path, ...] = ()
        """Other repositories of this one's name."""

    def load(self) -> Any:
        with suppress(RememError):  # a history that cannot be read stops no one from looking
            self._namesakes = self.session.past.namesakes()
        return super().load()

    def why_not(self, asked: Verb) -> str | None:
        if self.is_on_persona and asked in (MERGE, MOVE):
            persona = self._persona
            if persona is None or persona.archived:
                return "it is archived; restore it first"
            return None if places_of(persona) else "it has no memory"
        if asked is PERSONA_REFLECT:
            return self._why_nobody() or self._why_no_agent("reflect")
        if asked is PERSONA_COMPACT:
            short = self._why_nobody() or self._why_short_enough()
            return short or self._why_no_agent("compact")
        return super().why_not(asked)

    def meant(self, verb: Verb) -> Verb:
        if self.is_on_persona and verb in (MERGE, MOVE):
            return PERSONA_MERGE if verb is MERGE else PERSONA_MOVE
        return super().meant(verb)

    async def action_merge(self) -> None:
        persona, reason = self._persona, self.why_not(MERGE)
        if not self.is_on_persona or persona is None or reason:
            await super().action_merge()
            return
        takers = who_takes(persona, self._personas)
        others = [replace(each, id=f"{persona.name}\n\n{each.id}") for each in takers]
        choices = [*place_choices(persona), *others]

        async def answer(chosen: str | None) -> None:
            if chosen is not None:
                await self.carry_out(merging(chosen))

        title = f"Merge the memory of {persona.name}"
        self.app.push_screen(ChooseScreen(title, choices), answer)

    def action_move(self) -> None:
        persona, reason = self._persona, self.why_not(MOVE)
        if not self.is_on_persona or persona is None or reason:
            super().action_move()
            return
        free = free_places(self.session.library.ground, persona)
        choices = [
            Choice(f"{one.name}\n{other.name}", f"{one.name} → {other.name}", other.layout.tool)
            for one in places_of(persona)
            for other in free
        ]

        async def answer(chosen: str | None) -> None:
            if chosen is not None:
                one, _, other = chosen.partition("\n")
                arguments = {"persona": persona.name, "from": one, "to": other}
                await self.carry_out(Intent(PERSONA_MOVE.id, {}, {**arguments}))

        self.app.push_screen(ChooseScreen(f"Move the memory of {persona.name}", choices), answer)

    async def carry_out(self, intent: Intent, *, seen: bool = False) -> bool:
        """Apply an intent, and go to the persona that took another one's memory."""
        stands = await super().carry_out(intent, seen=seen)
        if stands and intent.verb == PERSONA_MERGE.id and intent.text("into"):
            self._tree.move_to(("persona", intent.text("into"), ""))
        return stands

    def _persona_lines(self, persona: Persona) -> list[TextLine]:
        """Return who a persona is, and how its places differ where it has several."""
        lines = super()._persona_lines(persona)
        used = places_of(persona)
        for told in shared_places(persona, self._namesakes):
            lines += [TextLine(""), text_line(told, Tone.WARN)]
        for place, one in enumerate(used):
            for other in used[place + 1 :]:
                lines += [TextLine(""), *_difference_lines(difference(persona, one, other))]
        return lines

    def action_persona_reflect(self) -> None:
        """Ask what happened, then ask the persona."""
        if not self._says_why_not(PERSONA_REFLECT):
            name, layout = self._whose
            reflect_and_compact.ask_what_happened(self, (reflect_and_compact.REFLECT, name, layout))

    def action_persona_compact(self) -> None:
        if not self._says_why_not(PERSONA_COMPACT):
            reflect_and_compact.compact(self, *self._whose, self._topic)

    async def answer(self, question: Question, text: str) -> None:
        match question.subject:
            case (reflect_and_compact.REFLECT, *others):
                subject = (reflect_and_compact.REFLECT, *map(str, others))
                reflect_and_compact.heard(self, subject, text)
            case _:
                await super().answer(question, text)

    @property
    def _whose(self) -> tuple[str, str]:
        """Return the persona under the cursor, and the place of the file that is looked at."""
        persona, source = self._persona, self._source
        layout = source.layout if source is not None else ""
        return (persona.name if persona is not None else ""), layout

    @property
    def _topic(self) -> str:
        """The file on one topic that is looked at; empty where it is the memory itself."""
        source = self._source
        return topic_name(source) if isinstance(source, PersonaSource) else ""

    def _why_nobody(self) -> str | None:
        persona = self._persona
        if persona is None:
            return "select a persona in the list of sources"
        return "it is archived; restore it first" if persona.archived else None

    def _why_no_agent(self, does: str) -> str | None:
        return reflect_and_compact.why_no_agent(self.session, f"{does} {quote(self._whose[0])}")

    def _why_short_enough(self) -> str | None:
        return reflect_and_compact.why_not_compact(self.session.library, *self._whose, self._topic)

    def _says_why_not(self, asked: Verb) -> bool:
        reason = self.why_not(asked)
        if reason:
            self.say(f"{asked.title}: {reason}")
        return bool(reason)


def _difference_lines(told: Difference) -> list[TextLine]:
    title = f"{told.one.name} and {told.other.name}: {count(len(told.both), 'unit')} in both"
    lines = [text_line(title, Tone.HEADING)]
    for where, entries in ((told.one, told.only_one), (told.other, told.only_other)):
        lines.append(text_line(f"{len(entries):,} only in {where.name}", Tone.DIM))
        lines += [text_line(f"  {' '.join(e.title.split())}") for e in entries[:_SHOWN]]
        if len(entries) > _SHOWN:
            lines.append(text_line(f"  and {len(entries) - _SHOWN:,} more", Tone.DIM))
    return lines
