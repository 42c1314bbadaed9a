"""Browse: the tree of sources, the entries of one of them, one entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual.binding import BindingType

from remem.base.assets import asset_dir
from remem.base.frozen import dataclass
from remem.core.checks.detect_in_code import code_root
from remem.core.registered import kinds_brought
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import (
    ADD,
    APPROVE,
    ARCHIVE,
    EDIT,
    MERGE,
    PROMOTE,
    REJECT,
    REMOVE,
    RESTORE,
)
from remem.model.change import Intent, Json
from remem.model.entry import Entry, Ref
from remem.model.source import Source
from remem.systems.personas.persona_verbs import (
    LESSON_PIN,
    MOVE,
    PERSONA_ARCHIVE,
    PERSONA_COMPACT,
    PERSONA_EDIT,
    PERSONA_NEW,
    PERSONA_REFLECT,
    PERSONA_RENAME,
    PERSONA_RESTORE,
)
from remem.systems.personas.source import LESSON
from remem.systems.sniper.estimates import estimates_view
from remem.systems.sniper.records import ESTIMATES
from remem.systems.sniper.sniper_verbs import DETECT, ESTIMATES_TAKE, PACK_IMPORT
from remem.tui.screens.choose import ChooseScreen
from remem.tui.screens.compare_past import compare_with_past
from remem.tui.screens.deciding import CHECKED, Target
from remem.tui.screens.packing import PackingScreen
from remem.tui.screens.personas import PersonasScreen
from remem.tui.verbs import (
    COMPARE,
    COPY,
    FILTER,
    HIDDEN,
    LOADED,
    OPEN,
    ORDER,
    PACK_EXPORT,
    UNDO,
    WHO,
    WHY,
    bindings,
)
from remem.tui.widgets.input_line import Purpose, Question
from remem.tui.widgets.key_bar import KeyHint
from remem.tui.widgets.text_view import TextView
from remem.views.compare_past import EntryThen, FileThen, Subject
from remem.views.entries.browse import ALL, KINDS, PERSONA, Home, asked_kind, home_of
from remem.views.list_rows import Choice

_ASKED: Final = (
    ("persona", "name of the new persona"),
    ("role", "its role in a few words (enter to skip)"),
    ("soul", "its values (enter to skip)"),
    ("style", "its style (enter to skip)"),
    ("skill", "its working rules (enter to skip)"),
)


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What is known of a new persona so far: its name, then what it is, line by line.

    All but the name may stay empty.
    """

    told: tuple[str, ...] = ()
    """Answers, in the order of the questions."""

    @property
    def question(self) -> Question | None:
        """What is asked next; `None` = all is known."""
        if len(self.told) == len(_ASKED):
            return None
        purpose = Purpose.REASON if self.told else Purpose.NAME
        return Question(purpose, _ASKED[len(self.told)][1], self)

    def answered(self, text: str) -> Newcomer:
        """Return what is known with one more answer."""
        return replace(self, told=(*self.told, text.strip()))

    @property
    def intent(self) -> Intent:
        """What makes the persona."""
        told = {name: text for (name, _), text in zip(_ASKED, self.told, strict=True) if text}
        return Intent(PERSONA_NEW.id, {}, told)


class BrowseScreen(PersonasScreen, PackingScreen):
    """Shows every source and every entry."""

    CSS_PATH = asset_dir("styles") / "browse.tcss"
    AUTO_FOCUS = "#entries"
    NUMBER = 1
    FILTERS = "filter entries"
    VERBS: ClassVar[tuple[Verb, ...]] = (
        OPEN, FILTER, EDIT, ARCHIVE, RESTORE, PERSONA_RENAME, MOVE, LESSON_PIN, MERGE, PROMOTE, ADD,
        APPROVE, REJECT, DETECT, ORDER, COPY, WHY, LOADED, COMPARE, UNDO,
        PACK_IMPORT, PERSONA_REFLECT, PERSONA_COMPACT, WHO, PACK_EXPORT,
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings((HIDDEN, ORDER, WHY, WHO, MOVE, LESSON_PIN, DETECT, LOADED)),
        *bindings((PERSONA_COMPACT, PACK_EXPORT)),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._unchecked: dict[tuple[Ref, str], Mapping[str, str]] = {}
        """Ref and digest → the check that was typed for it and is not written.

        It is kept as long as the entry stays as it is.
        """
        self._done_below = frozenset[Ref]()
        """The lessons below a row of the tree of which something was done last."""

    def targets(self) -> Sequence[Target]:
        library = self.session.library
        if self._is_on_tree:
            # The list may not even be drawn: nothing in it is under anybody's cursor.
            return []
        marked = self._entries.marked
        found = [library.entry(key) for key in marked if isinstance(key, Ref) and library.has(key)]
        return found or ([self._entry] if self._entry is not None else [])

    def shown(self) -> dict[Ref, str]:
        """Return the targets with the digests of their rows, marked ones too."""
        rows = self._entries.rows
        near = self._entries.cursor
        places = {target: rows.find(target.ref, near) for target in self.targets()}
        return {
            target.ref: target.digest if place is None else rows.row(place).version
            for target, place in places.items()
        }

    def why_not(self, asked: Verb) -> str | None:
        if asked is PERSONA_RENAME:
            persona = self._persona
            if persona is None:
                return "select a persona in the list of sources"
            return "it is archived; restore it first" if persona.archived else None
        if asked is WHY:
            return None if self._has_entry else "select an entry"
        if asked is COMPARE and not self.retro_name():
            return None if self._then() is not None else "select an entry, a file or a retro"
        if asked is APPROVE and self.estimate() is not None:
            return self.why_not_taken()
        if asked is APPROVE and self._is_on_estimates:
            return self._why_no_factor()
        if asked in (ARCHIVE, RESTORE) and self._is_on_tree:
            return self._why_not_moved(asked)
        if asked is ORDER and self._is_on_tree and not self.has_class("-three"):
            return "entries are ordered, which are not shown here; open them first"
        return super().why_not(asked)

    def _then(self) -> Subject | None:
        """Return what `t` compares with how it was: an entry, or on the tree a file."""
        if self._is_on_tree:
            source = self._source
            return None if source is None else FileThen(source.name, source.path)
        entry = self._entry
        name = "" if entry is None else self.session.library.short(entry.ref)
        return None if entry is None else EntryThen(name, entry.ref)

    async def action_show_compare(self) -> None:
        """Compare a retro with another one, and everything else with how it was."""
        subject = self._then()
        if self.retro_name() or subject is None:
            self.compare_retros()
        else:
            await compare_with_past(self, subject)

    @property
    def _has_entry(self) -> bool:
        return not self._is_on_tree and self._entry is not None

    def meant(self, verb: Verb) -> Verb:
        if verb is APPROVE and (self.estimate() is not None or self._is_on_estimates):
            return ESTIMATES_TAKE
        if verb is EDIT and self.is_on_persona:
            return PERSONA_EDIT
        is_persona = self._is_on_tree and self._persona is not None and not self._section
        if is_persona and verb in (ARCHIVE, RESTORE):
            return PERSONA_ARCHIVE if verb is ARCHIVE else PERSONA_RESTORE
        return super().meant(verb)

    def hint(self, verb: Verb) -> KeyHint:
        shown = super().hint(verb)
        return replace(shown, title=self.called(verb) or shown.title)

    @property
    def _is_on_estimates(self) -> bool:
        source = self._source if self._is_on_tree else None
        return source is not None and source.part == ESTIMATES

    def _why_no_factor(self) -> str | None:
        found = estimates_view(self.session.library)
        if found.proposed is not None:
            return None
        return found.too_few or "the measured sprints confirm the current factor"

    async def action_approve(self) -> None:
        if self.estimate() is not None:
            await self.take_over()
        elif self._is_on_estimates:
            await self.carry_out(Intent(ESTIMATES_TAKE.id, {}, {"factor": True}))
        else:
            await super().action_approve()

    def texts_to_copy(self) -> str:
        library, found = self.session.library, self.targets()
        if self._is_on_tree and self._node != ALL:
            return "\n".join(line.text for line in self.query_one("#entry", TextView).lines)
        entries = [library.entry(each.ref) for each in found if library.has(each.ref)]
        return "\n".join(
            library.format_of(entry).reader.body(library.source_of(entry), entry)
            for entry in entries
        )

    @property
    def _section(self) -> Sequence[Entry]:
        """The lessons that are listed below the heading that the cursor of the tree is on."""
        persona, found = self._persona, self._shelf
        match self._node:
            case ("section", _, _) as node if persona is not None and not persona.archived:
                is_listed = found is not None and found.key == node
                entries = found.entries if found is not None and is_listed else ()
                return [entries[at] for at in self._positions] if entries else ()
            case _:
                return ()

    def _why_not_moved(self, asked: Verb) -> str | None:
        """Return why what the cursor of the tree is on is neither put away nor brought back."""
        library, section, persona = self.session.library, self._section, self._persona
        if section:
            reasons = (asked.why_not(library, entry) for entry in section[:CHECKED])
            return next((reason for reason in reasons if reason), None)
        if persona is None:
            return "select a persona in the list of sources"
        if persona.archived == (asked is RESTORE):
            return None
        return "already archived" if persona.archived else "it is not archived"

    async def action_archive(self) -> None:
        if self._is_on_tree:
            await self._move_persona(ARCHIVE, PERSONA_ARCHIVE)
        else:
            await super().action_archive()

    async def action_restore(self) -> None:
        if self._is_on_tree:
            await self._move_persona(RESTORE, PERSONA_RESTORE)
        else:
            await super().action_restore()

    async def _move_persona(self, asked: Verb, does: Verb) -> None:
        """Put away or bring back the persona of the row, or the lessons below its heading."""
        persona, reason, section = self._persona, self.why_not(asked), self._section
        if persona is None or reason:
            self.say(f"{(asked if section else does).title}: {reason}")
        elif self.is_unsteady():
            return
        elif section:
            shown = {entry.ref: entry.digest for entry in section}
            self._done_below = frozenset(shown)
            self.saw(shown)
            await self.carry_out(Intent(asked.id, shown))
        else:
            await self.carry_out(Intent(does.id, {}, {"persona": persona.folder or persona.name}))

    def action_persona_rename(self) -> None:
        persona = self._persona
        if persona is None:
            self.say(f"{PERSONA_RENAME.title}: {self.why_not(PERSONA_RENAME)}")
            return
        if self.is_unsteady():
            return
        self.ask(Question(Purpose.NAME, f"rename {persona.name} to", persona.name, persona.name))

    async def action_edit(self) -> None:
        if self.is_on_persona:
            await self.edit_profile()
            return
        entry, reason = self._entry, self.why_not(EDIT)
        if entry is None or reason:
            self.say(f"{EDIT.title}: {reason or 'nothing selected'}")
            return
        if not self.is_unsteady():
            await self.write_anew(entry.ref, entry.digest)

    def action_detect(self) -> None:
        """Ask what is looked for, show what that writes, and write it."""
        entry, reason = self._entry, self.why_not(DETECT)
        if entry is None or reason:
            self.say(f"{DETECT.title}: {reason or 'nothing selected'}")
            return
        if self.is_unsteady():
            return
        from remem.core.checks.detect_in_code import Codebase
        from remem.tui.screens.detect import DetectScreen
        from remem.views.entries.detect import record_of, typed_at_first

        session = self.session
        library, key = session.library, (entry.ref, entry.digest)
        record = record_of(library, entry)
        if record is None:
            return
        self.saw({entry.ref: entry.digest})
        base = Codebase(session.disk, code_root(session.root, library.source_of(entry).path))
        typed = self._unchecked.get(key) or typed_at_first(library, entry)
        panel = DetectScreen(library.short(entry.ref), record, base, typed)

        async def answer(fields: dict[str, Json] | None) -> None:
            self._unchecked[key] = panel.typed
            if fields is not None:
                await self.carry_out(
                    Intent(DETECT.id, {entry.ref: entry.digest}, {"detect": fields})
                )

        self.app.push_screen(panel, answer)

    async def action_remove(self) -> None:
        await self.decide(REMOVE)

    def action_add(self) -> None:
        home = self._home
        brought = kinds_brought(self.session.library)
        kinds = (*((LESSON,) if home is not None else ()), *KINDS, *brought, PERSONA)
        choices = [Choice(kind, asked_kind(kind, home)) for kind in kinds]
        self.app.push_screen(ChooseScreen("What to add", choices), self._ask_text)

    def _ask_text(self, kind: str | None) -> None:
        if kind == PERSONA:
            self._ask_for(Newcomer())
        elif kind is not None:
            home = self._home if kind == LESSON else None
            told = f"new {asked_kind(kind, home)}"
            self.ask(Question(Purpose.NAME, told, ("add", kind, home)))

    def _ask_for(self, newcomer: Newcomer) -> None:
        if newcomer.question is not None:
            self.ask(newcomer.question)

    async def answer(self, question: Question, text: str) -> None:
        match question.subject:
            case Newcomer() as newcomer:
                newcomer = newcomer.answered(text)
                self._ask_for(newcomer)
                if newcomer.question is None:
                    await self.carry_out(newcomer.intent)
            case ("add", str(kind), home):
                arguments: dict[str, Json] = {"kind": kind, "text": text.strip()}
                arguments["repository"] = self._repository
                if isinstance(home, Home):
                    arguments["fields"] = dict(home.fields)
                await self.carry_out(Intent(ADD.id, {}, arguments))
            case str(name) if question.purpose is Purpose.NAME:
                told: dict[str, Json] = {"persona": name, "to": text.strip()}
                await self.carry_out(Intent(PERSONA_RENAME.id, {}, told))
            case _:
                await super().answer(question, text)

    async def carry_out(self, intent: Intent, *, seen: bool = False) -> bool:
        """Apply an intent, and follow a persona to its new name."""
        stands = await super().carry_out(intent, seen=seen)
        if stands and intent.verb == PERSONA_RENAME.id:
            self._go_to_persona(intent)
        return stands

    def in_footer(self) -> tuple[Verb, ...]:
        """Offer what acts on a whole persona before all else, where the cursor is on one."""
        if not self.is_on_persona:
            return self.VERBS
        first = (OPEN, ARCHIVE, RESTORE, PERSONA_RENAME, MERGE, MOVE, EDIT)
        return (*first, *(verb for verb in self.VERBS if verb not in first))

    def return_to(self, intent: Intent) -> bool:
        if self._tree.has_focus and not self._done_below.isdisjoint(intent.shown):
            return True  # what is done next is meant for the row of the tree
        if super().return_to(intent):
            self.call_pane(self._entries)
            return True
        held = next((ref for ref in intent.shown if self.session.library.has(ref)), None)
        if held is not None:
            self.go_to_entry(held)
            return True
        return self._go_to_persona(intent)

    def _go_to_persona(self, intent: Intent) -> bool:
        """Put the cursor on the persona that a change was about, by its name of now."""
        names = {intent.text("persona"), intent.text("to")} - {""}
        if not intent.text("persona"):
            return False
        self._show_all_sources()
        for each in self._personas:
            key = ("persona", each.name, each.folder)
            if names & {each.folder, each.name} and self._tree.move_to(key):
                self.call_pane(self._tree)
                return True
        return False

    @property
    def _repository(self) -> str:
        """The repository of a workspace that the cursor is in; empty = what they share."""
        match self._node:
            case ("repository", str(name)) | ("format", _, str(name)):
                return name
            case _:
                found = self._source_here
                return found.repository if found is not None else ""

    @property
    def _source_here(self) -> Source | None:
        """The file under the cursor of the tree, or the one that the entry stands in."""
        entry, library = self._entry, self.session.library
        return self._source or (library.source_of(entry) if entry is not None else None)

    @property
    def _home(self) -> Home | None:
        """The memory that a lesson would go to which is added now."""
        if self._is_on_tree:
            return home_of(self._node, self._persona, self._source, None)
        return home_of(self._node, self._persona, self._source_here, self._entry)
