"""Reflection and compaction on Browse: what a persona learnt, and a shorter memory.

It says for whom; how both go is told in `condense.py`.
"""

from __future__ import annotations

from remem.core.verbs.verb import Verb
from remem.systems.personas.compact import topic_name
from remem.systems.personas.reflect_verbs import PERSONA_COMPACT, PERSONA_REFLECT
from remem.systems.personas.source import PersonaSource
from remem.tui import condense
from remem.tui.screens.shelves import ShelvesScreen
from remem.tui.widgets.prompt_line import Question


class ReflectingScreen(ShelvesScreen):
    """Asks a persona."""

    def why_not(self, asked: Verb) -> str | None:
        if asked is PERSONA_REFLECT:
            return self._why_nobody()
        if asked is PERSONA_COMPACT:
            return self._why_nobody() or self._why_short_enough()
        return super().why_not(asked)

    def action_persona_reflect(self) -> None:
        """Ask what happened, then ask the persona."""
        if not self._says_why_not(PERSONA_REFLECT):
            name, layout = self._whose
            condense.ask_what_happened(self, (condense.REFLECT, name, layout))

    def action_persona_compact(self) -> None:
        if not self._says_why_not(PERSONA_COMPACT):
            condense.compact(self, *self._whose, self._topic)

    async def answer(self, question: Question, text: str) -> None:
        match question.subject:
            case (condense.REFLECT, *others):
                subject = (condense.REFLECT, *map(str, others))
                condense.heard(self, subject, text)
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

    def _why_short_enough(self) -> str | None:
        return condense.why_not_compact(self.session.library, *self._whose, self._topic)

    def _says_why_not(self, asked: Verb) -> bool:
        reason = self.why_not(asked)
        if reason:
            self.say(f"{asked.title}: {reason}")
        return bool(reason)
