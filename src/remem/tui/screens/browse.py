"""Browse: the tree of sources, the entries of one of them, one entry."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from textual.binding import BindingType

from remem.assets import asset_dir
from remem.curation.verbs import (
    ADD,
    APPROVE,
    ARCHIVE,
    EDIT,
    PERSONA_ARCHIVE,
    PERSONA_RENAME,
    PERSONA_RESTORE,
    REJECT,
    REMOVE,
    RESTORE,
    Verb,
)
from remem.errors import RememError
from remem.model.change import Intent
from remem.model.entry import Entry, Ref, Status
from remem.tui.browsing import (
    ALL,
)
from remem.tui.editing import edited_fields
from remem.tui.screens.choose import Choice, ChooseScreen
from remem.tui.screens.deciding import RESTING, Target
from remem.tui.screens.shelves import ShelvesScreen
from remem.tui.verbs import COPY, FILTER, HIDDEN, OPEN, ORDER, UNDO, bindings
from remem.tui.widgets.prompt_line import Purpose, Question
from remem.tui.widgets.text_view import TextView

KINDS = ("convention", "anti_pattern", "decision", "lesson")


class BrowseScreen(ShelvesScreen):
    """Shows every source and every entry."""

    CSS_PATH = asset_dir("styles") / "browse.tcss"
    AUTO_FOCUS = "#entries"
    NUMBER = 1
    VERBS: ClassVar[tuple[Verb, ...]] = (
        OPEN, FILTER, EDIT, ARCHIVE, PERSONA_RENAME, ADD, APPROVE, REJECT, ORDER, COPY,
        UNDO,
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [*bindings((HIDDEN, ORDER))]

    def __init__(self) -> None:
        super().__init__()
        self._words: dict[Hashable, str | None] = {}
        """Kind of entry and status → why its format has no word for it."""

    def targets(self) -> Sequence[Target]:
        library = self.workbench.library
        if self._is_on_tree:
            # The list may not even be drawn: nothing in it is under anybody's cursor.
            return []
        marked = self._entries.marked
        found = [library.entry(key) for key in marked if isinstance(key, Ref) and library.has(key)]
        return found or ([self._entry] if self._entry is not None else [])

    def why_not(self, asked: Verb) -> str | None:
        if asked is PERSONA_RENAME:
            persona = self._persona
            if persona is None:
                return "choose a persona among the sources"
            return "it is archived; restore it first" if persona.archived else None
        if asked is ARCHIVE and self._is_on_tree:
            return None if self._persona else "choose a persona among the sources"
        if asked is ARCHIVE:
            return self._why_not_away()
        return super().why_not(asked)

    def _why_not_away(self) -> str | None:
        """Return why `x` can neither archive the targets nor bring them back."""
        library = self.workbench.library
        found = [library.entry(each.ref) for each in self.targets() if library.has(each.ref)]
        is_back = bool(found) and all(entry.status in RESTING for entry in found)
        wanted = Status.ACTIVE if is_back else Status.ARCHIVED
        reason = super().why_not(RESTORE if is_back else ARCHIVE)
        reasons = (self._has_no_word(entry, wanted) for entry in found)
        return reason or next((each for each in reasons if each), None)

    def _has_no_word(self, entry: Entry, wanted: Status) -> str | None:
        """Return why the entry's format cannot give it that status; asked once for each kind."""
        library = self.workbench.library
        source = library.source_of(entry)
        key = (source.format, source.layout, source.part, entry.kind, entry.status, wanted)
        if key not in self._words:
            try:
                library.format_of(entry).set_status(source, entry, wanted)
                self._words[key] = None
            except RememError as error:
                self._words[key] = str(error)
        return self._words[key]

    def texts_to_copy(self) -> str:
        library, found = self.workbench.library, self.targets()
        if self._is_on_tree and self._node != ALL:
            return "\n".join(line.text for line in self.query_one("#entry", TextView).lines)
        entries = [library.entry(each.ref) for each in found if library.has(each.ref)]
        return "\n".join(
            library.format_of(entry).body(library.source_of(entry), entry) for entry in entries
        )

    async def action_archive(self) -> None:
        persona = self._persona
        if not self._is_on_tree or persona is None:
            await super().action_archive()
            return
        asked = PERSONA_RESTORE if persona.archived else PERSONA_ARCHIVE
        await self.carry_out(Intent(asked.id, {}, {"persona": persona.folder or persona.name}))

    def action_persona_rename(self) -> None:
        persona = self._persona
        if persona is None:
            self.say(f"{PERSONA_RENAME.title}: {self.why_not(PERSONA_RENAME)}")
            return
        self.ask(Question(Purpose.NAME, f"rename {persona.name} to", persona.name, persona.name))

    async def action_edit(self) -> None:
        entry, reason = self._entry, self.why_not(EDIT)
        if entry is None or reason:
            self.say(f"{EDIT.title}: {reason or 'there is nothing under the cursor'}")
            return
        fields = await edited_fields(self.remem, entry.ref)
        if fields:
            await self.carry_out(Intent(EDIT.id, {entry.ref: entry.digest}, {"fields": fields}))

    async def action_remove(self) -> None:
        await self.decide(REMOVE)

    def action_add(self) -> None:
        kinds = [Choice(kind, kind.replace("_", " ")) for kind in KINDS]
        self.app.push_screen(ChooseScreen("Add what", kinds), self._ask_text)

    def _ask_text(self, kind: str | None) -> None:
        if kind is not None:
            words = kind.replace("_", " ")
            self.ask(Question(Purpose.NAME, f"new {words}", ("add", kind)))

    async def answer(self, question: Question, text: str) -> None:
        match question.subject:
            case ("add", str(kind)):
                arguments = {"kind": kind, "text": text.strip(), **self._whose_memory(kind)}
                await self.carry_out(Intent(ADD.id, {}, arguments))
            case str(name) if question.purpose is Purpose.NAME:
                arguments = {"persona": name, "to": text.strip()}
                await self.carry_out(Intent(PERSONA_RENAME.id, {}, arguments))
            case _:
                await super().answer(question, text)

    async def carry_out(self, intent: Intent, *, seen: bool = False) -> bool:
        """Apply an intent, and follow a persona to its new name."""
        stands = await super().carry_out(intent, seen=seen)
        if stands and intent.verb == PERSONA_RENAME.id:
            self._tree.move_to(("persona", intent.text("to"), ""))
        return stands

    def _whose_memory(self, kind: str) -> dict[str, str]:
        persona = self._persona
        return {"persona": persona.name} if kind == "lesson" and persona is not None else {}
