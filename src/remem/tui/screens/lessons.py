"""What Browse can do with the lessons of a persona, and with who it is.

Its panes are `browse_panes.py`'s; here are the verbs that ask where, into which, or to what first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping

from textual import on, work
from textual.message import Message

from remem.base.errors import NotPossible, RememError
from remem.base.frozen import dataclass
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import EDIT, MERGE, PROMOTE
from remem.model.change import INTO_SHOWN, Intent, Json
from remem.model.entry import Entry, Ref
from remem.model.source import Source
from remem.systems.personas.persona_verbs import LESSON_PIN, MOVE, PERSONA_EDIT, is_lesson
from remem.systems.personas.profiles.profile_edit import profile_file
from remem.systems.personas.source import PersonaSource
from remem.systems.personas.team.people import Persona
from remem.tui.editor import edited_text
from remem.tui.screens.browse_panes import ShelvesScreen
from remem.tui.verbs import LOADED, key_shown
from remem.views.entries.entry_details import fact_line
from remem.views.list_rows import Choice
from remem.views.long_text import TextLine
from remem.views.prompts.memory_document import Weights, is_memory, memory_lines, reaches, weigh
from remem.views.review.lesson_choices import lessons_like, places

_KEPT = 8
"""Files whose costs are kept."""


class LessonsScreen(ShelvesScreen):
    """Weighs a persona's memory, and asks what a verb on lessons needs to know."""

    @dataclass
    class Weighed(Message):
        """A thread has counted a file."""

        key: Hashable
        weights: Weights

    def __init__(self) -> None:
        super().__init__()
        self._weights: dict[Hashable, Weights] = {}
        self._other_way = False
        """Show the prompt the other way: composed where it is loaded, loaded where composed."""
        self._unsaved: dict[str, bytes] = {}
        """Profiles that were written and did not read, by persona."""

    def _source_lines(self, source: Source) -> list[TextLine]:
        plain = super()._source_lines(source)
        if not is_memory(source) or not source.entries:
            return plain
        weights = self._weights_of(source)
        key = key_shown(LOADED, self.remem.keys)
        return memory_lines(plain, source, weights, self.remem.glyphs, key)

    def _entry_lines(self, entry: Entry) -> list[TextLine]:
        lines = super()._entry_lines(entry)
        library = self.session.library
        if not library.has(entry.ref):
            return lines
        weights = self._weights_of(library.source_of(entry))
        said = reaches(entry, weights) if weights is not None else ""
        place = next((i for i, line in enumerate(lines) if line.mark == "tokens"), None)
        if said and place is not None:
            lines.insert(place + 1, fact_line("prompt", said))
        return lines

    def _weights_of(self, source: Source) -> Weights | None:
        """Return what a memory costs, or have it counted: the screen does not wait for that."""
        if not is_memory(source) or not isinstance(source, PersonaSource):
            return None
        loaded = not self._other_way
        key = (source.path, source.digest, self.session.counter.exact, loaded)
        if key not in self._weights:
            self._weigh(key, source, loaded=loaded)
        return self._weights.get(key)

    @work(thread=True, exclusive=True, group="weigh", exit_on_error=False, description="weigh")
    def _weigh(self, key: Hashable, source: Source, *, loaded: bool) -> None:
        self.post_message(self.Weighed(key, weigh(self.session, source, loaded=loaded)))

    @on(Weighed)
    def _take_weights(self, message: Weighed) -> None:
        while len(self._weights) >= _KEPT:
            del self._weights[next(iter(self._weights))]
        self._weights[message.key] = message.weights
        if self.is_attached:
            self._show_detail()

    def why_not(self, asked: Verb) -> str | None:
        if asked is LOADED:
            return None if is_memory(self._memory) else "it is for a persona's memory; see Prompt"
        if asked is EDIT and self.is_on_persona:
            return self._why_not_told()
        if asked is PROMOTE and self._chosen_lessons:
            return None
        return super().why_not(asked)

    @property
    def _memory(self) -> Source | None:
        entry = None if self._is_on_tree else self._entry
        return self._source if entry is None else self.session.library.source_of(entry)

    @property
    def is_on_persona(self) -> bool:
        """Whether the cursor is on a persona among the sources."""
        match self._node:
            case ("persona", _, _):
                return self._is_on_tree
            case _:
                return False

    @property
    def _chosen_lessons(self) -> list[Entry]:
        library = self.session.library
        found = [library.entry(each.ref) for each in self.targets() if library.has(each.ref)]
        return found if found and all(map(is_lesson, found)) else []

    def _why_not_told(self) -> str | None:
        persona = self._persona
        if persona is None or persona.archived:
            return "it is archived; restore it first"
        try:
            profile_file(self.session.library, persona.name)
        except RememError as error:
            return str(error)
        return None

    def action_show_loaded(self) -> None:
        """Switch between what the agent's tool loads and what remem would compose."""
        reason = self.why_not(LOADED)
        if reason:
            self.say(f"{LOADED.title}: {reason}")
            return
        self._other_way = not self._other_way
        self._show_detail()

    async def action_lesson_pin(self) -> None:
        await self.decide(LESSON_PIN)

    def action_move(self) -> None:
        """Ask where the lessons go, then move them there."""
        found = self.ready(MOVE)
        if found is not None:
            shown, entries = found
            choices = places(self.session.library, entries, self._personas)
            self.choose("Move to", choices, lambda place: Intent(MOVE.id, shown, {"to": place}))

    async def action_promote(self) -> None:
        if not self._chosen_lessons:
            await super().action_promote()
            return
        found = self.ready(PROMOTE)
        if found is not None:
            shown, entries = found
            self.choose_promotion(shown, entries)

    async def action_merge(self) -> None:
        """Ask which lesson takes the others in; of several marked ones it is the one chosen."""
        found = self.ready(MERGE)
        if found is None:
            return
        shown, entries = found
        library = self.session.library
        if not all(map(is_lesson, entries)):
            self.say(f"{MERGE.title}: only lessons can be merged here; merge candidates in Review")
            return
        if len(entries) > 1:
            choices = [
                Choice(str(each.ref), " ".join(each.title.split()), library.source_of(each).owner)
                for each in entries
            ]
        else:
            choices = await asyncio.to_thread(lessons_like, library, entries[0])
        self.choose("Merge into", choices, lambda into: self._merge(shown, into))

    def _merge(self, shown: Mapping[Ref, str], into: str) -> Intent:
        entry = self.session.library.entry(Ref.parse(into))
        leaving = {ref: digest for ref, digest in shown.items() if ref != entry.ref}
        self.saw({entry.ref: entry.digest})
        pins: dict[str, Json] = {"into": into, INTO_SHOWN: shown.get(entry.ref, entry.digest)}
        return Intent(MERGE.id, leaving, pins)

    async def edit_profile(self) -> None:
        """Open the file that says who the persona is, and take over what was written."""
        reason, persona = self.why_not(EDIT), self._persona
        if reason or persona is None:
            self.say(f"{PERSONA_EDIT.title}: {reason or 'select a persona in the list of sources'}")
            return
        try:
            await self._edit_profile(persona)
        except RememError as error:
            self.remem.show_error(error)

    async def _edit_profile(self, persona: Persona) -> None:
        file = profile_file(self.session.library, persona.name)
        offered = self._unsaved.pop(persona.name, file.text)
        written = edited_text(self.remem, offered, file.path.name)
        if written is None:
            if offered != file.text:
                self._unsaved[persona.name] = offered
                self.say("not saved; your text is kept and opens again here")
            return
        if written == file.text:
            return
        text = written
        arguments: dict[str, Json] = {"persona": persona.name, "digest": file.digest}
        try:
            arguments["text"] = text.decode()
        except UnicodeDecodeError:
            raise NotPossible("your text is not UTF-8", hint="save it as UTF-8") from None
        if not await self.carry_out(Intent(PERSONA_EDIT.id, {}, arguments)):
            self._unsaved[persona.name] = text
            self.say("your text is kept and opens again here")
