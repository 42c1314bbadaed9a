"""Browse: the tree of sources, the entries of one of them, one entry."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message

from remem.assets import asset_dir
from remem.curation.personas import personas
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
from remem.formats.personas.group import Persona
from remem.model.change import Intent
from remem.model.entry import Entry, Ref, Status
from remem.model.source import Source
from remem.tui.browsing import (
    ALL,
    FORMAT_NAMES,
    ORDERS,
    SOON,
    Shelf,
    arranged,
    entry_filter,
    owners_of,
    persona_of,
    shelf,
    source_of,
    source_tree,
)
from remem.tui.content import content
from remem.tui.editing import edited_fields
from remem.tui.filtering import Filter
from remem.tui.reading import (
    entry_lines,
    group_lines,
    persona_lines,
    problem_line,
    section_line,
    source_lines,
)
from remem.tui.screens.choose import Choice, ChooseScreen
from remem.tui.screens.deciding import RESTING, DecidingScreen, Target
from remem.tui.verbs import COPY, FILTER, HIDDEN, OPEN, ORDER, UNDO, bindings
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.line_view import empty_text
from remem.tui.widgets.prompt_line import PromptLine, Purpose, Question
from remem.tui.widgets.rows import Rows
from remem.tui.widgets.text_view import TextView
from remem.tui.widgets.tree_list import Node, TreeList

KINDS = ("convention", "anti_pattern", "decision", "lesson")


@dataclass(frozen=True, slots=True)
class _Shown:
    tree: tuple[Node, ...]
    personas: tuple[Persona, ...]


class BrowseScreen(DecidingScreen):
    """Shows every source and every entry."""

    CSS_PATH = asset_dir("styles") / "browse.tcss"
    AUTO_FOCUS = "#entries"
    NUMBER = 1
    VERBS: ClassVar[tuple[Verb, ...]] = (
        OPEN, FILTER, EDIT, ARCHIVE, PERSONA_RENAME, ADD, APPROVE, REJECT, ORDER, COPY,
        UNDO,
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [*bindings((HIDDEN, ORDER))]

    @dataclass
    class Arranged(Message):
        """A thread has put a large shelf in order."""

        request: int
        shelf: Shelf
        own: bool

    @dataclass
    class Indexed(Message):
        """A thread has read a large shelf for the filter."""

        shelf: Shelf
        search: Filter

    def __init__(self) -> None:
        super().__init__()
        self._personas: tuple[Persona, ...] = ()
        self._shelf: Shelf | None = None
        self._positions: Sequence[int] = ()
        """Of the entries that the filter leaves."""
        self._search: Filter | None = None
        self._documents = False
        self._order = 0
        self._like: Entry | None = None
        """Whose likeness orders the list."""
        self._arranging = 0
        self._words: dict[Hashable, str | None] = {}
        """Kind of entry and status → why its format has no word for it."""
        self._reading: Hashable = None
        """What the detail shows, so that a refresh of the same keeps its place."""

    def compose_panes(self) -> ComposeResult:
        tree = TreeList(id="tree", classes="pane pane-first")
        tree.border_title = content("sources")
        yield tree
        entries = LineList(
            id="entries",
            classes="pane pane-list",
            empty=empty_text("no entries here", "tab", "goes to the sources"),
        )
        entries.border_title = content("entries")
        yield entries
        detail = TextView(id="entry", classes="pane pane-detail", numbers=True)
        detail.border_title = content("entry")
        yield detail

    def load(self) -> _Shown:
        library = self.workbench.library
        everyone = personas(library)
        tree = source_tree(library, everyone, self.workbench.counter, documents=self._documents)
        return _Shown(tree, everyone)

    def fill(self, data: _Shown, *, own: bool) -> None:
        self._personas = data.personas
        empty = empty_text("no memory was found here", "i", "adds a first convention")
        self._tree.show_tree(data.tree, empty=empty)
        self._open_shelf(own=own)
        self._go_to_wanted()

    @on(events.ScreenResume)
    def _go_to_wanted(self) -> None:
        """Put the cursor on the entry or the file that another screen led to."""
        if not self._shown:
            return  # filling does it
        wanted, self.desk.wanted = self.desk.wanted, None
        if isinstance(wanted, Ref):
            self._go_to(wanted)
        elif wanted is not None and self._tree.move_to(wanted):
            self.call_pane(self._tree)

    @property
    def _tree(self) -> TreeList:
        return self.query_one("#tree", TreeList)

    @property
    def _entries(self) -> LineList:
        return self.query_one("#entries", LineList)

    def _go_to(self, ref: Ref) -> None:
        """Put the cursor on an entry, wherever it lies, and the focus on its list."""
        if not self._entries.move_to(ref):
            if self._filter:
                self._drop_filter()
            self._tree.move_to(ALL)
            self._open_shelf(own=True)
            self._entries.move_to(ref)
        self.call_pane(self._entries)
        self._show_detail()

    def _drop_filter(self) -> None:
        """Show everything that the filter hides."""
        self.query_one(PromptLine).forget(Purpose.FILTER, self.NUMBER)
        self._filter = ""

    @property
    def _node(self) -> Hashable:
        row = self._tree.row
        return row.key if row is not None else ALL

    @on(LineList.Highlighted, "#tree")
    def _choose_shelf(self) -> None:
        if self._shelf is None or self._node != self._shelf.key:
            self._open_shelf(own=True)
        self._show_detail()
        self.refresh_bars()

    def _open_shelf(self, *, own: bool) -> None:
        """List what the node holds: at once where that is quick, else as soon as it is read."""
        plain = shelf(self.workbench.library, self._node, self._personas)
        order = ORDERS[self._order]
        is_other = self._shelf is None or self._shelf.key != plain.key
        self._arranging += 1
        if order == "file" or len(plain.entries) <= SOON:
            self._show_shelf(arranged(plain, order, self.workbench.counter, self._like), own=own)
            return
        if is_other:
            self._show_shelf(plain, own=own)
        self._arrange(self._arranging, plain, order, own=own)

    @work(thread=True, exclusive=True, group="arrange", exit_on_error=False)
    def _arrange(self, request: int, plain: Shelf, order: str, *, own: bool) -> None:
        ready = arranged(plain, order, self.workbench.counter, self._like)
        self.post_message(self.Arranged(request, ready, own))

    @on(Arranged)
    def _take_arranged(self, message: Arranged) -> None:
        if message.request == self._arranging:
            self._show_shelf(message.shelf, own=message.own)

    def _show_shelf(self, found: Shelf, *, own: bool) -> None:
        entries = self._entries
        if self._shelf is not None and self._shelf.key != found.key:
            # Another list: looking for the old cursor in it could read all of it.
            entries.show(Rows.of(()), decided=True)
        self._shelf, self._search = found, None
        self._positions = range(len(found.entries))
        if len(found.entries) <= SOON:
            owners = owners_of(self.workbench.library) if self._filter else {}
            self._search = entry_filter(found.entries, owners) if self._filter else None
        elif self.workbench.library.is_complete:
            self._index(found)
        if self._filter and self._search is not None:
            self._positions = self._search.find(self._filter)
        shown = len(self._positions) < len(found.entries)
        entries.show(found.rows.narrowed(self._positions) if shown else found.rows, decided=own)
        entries.border_subtitle = content(f"{self._counted()} · by {found.order}")
        self._show_detail()

    def _counted(self) -> str:
        total = len(self._shelf.entries) if self._shelf is not None else 0
        shown = len(self._positions)
        return f"{shown:,} of {total:,}" if shown != total else f"{total:,}"

    @work(thread=True, exclusive=True, group="index", exit_on_error=False)
    def _index(self, found: Shelf) -> None:
        search = entry_filter(found.entries, owners_of(self.workbench.library))
        self.post_message(self.Indexed(found, search))

    @on(Indexed)
    def _take_index(self, message: Indexed) -> None:
        if message.shelf is self._shelf:
            self._search = message.search
            if self._filter:
                self.set_filter(self._filter)

    @on(LineList.Highlighted, "#entries")
    def _show_detail(self) -> None:
        """Show the file while the person is among the sources, else the entry."""
        view, bench = self.query_one("#entry", TextView), self.workbench
        entry, source, persona = self._entry, self._source, self._persona
        key: Hashable
        if entry is not None and not (self._is_on_tree and self._node != ALL):
            key, title = entry.ref, "entry"
            lines = entry_lines(bench.library, entry, bench.counter, self.remem.glyphs)
        elif source is not None:
            key, title, lines = source.path, source.name, source_lines(source)
        elif persona is not None:
            key, title = self._node, persona.name
            lines = persona_lines(persona, bench.counter, self.remem.glyphs)
        else:
            key, title = self._node, "everything"
            sources = bench.library.sources
            match self._node:
                case ("format", str(name)):
                    title = FORMAT_NAMES.get(name, name)
                    sources = bench.library.of_format(name)
                case _:
                    pass
            lines = group_lines(title, sources)
        view.border_title = content(title)
        view.show(lines, fresh=key != self._reading)
        self._go_to_place(view, fresh=key != self._reading)
        self._reading = key

    def _go_to_place(self, view: TextView, *, fresh: bool) -> None:
        """Scroll a file to the section under the cursor, or a broken one to what is wrong."""
        if not self._is_on_tree and self._entry is not None:
            return
        match self._node, self._source:
            case ("section", _, str(section)), Source():
                view.put_at_top(section_line(view.lines, section))
            case _, Source() as source if fresh:
                places = (problem_line(view.lines, each) for each in source.problems)
                place = next((place for place in places if place is not None), None)
                if place is not None:
                    view.go_to(place)
            case _:
                pass

    @property
    def _entry(self) -> Entry | None:
        """The entry under the cursor, without making any other."""
        row, found = self._entries.row, self._shelf
        if row is None or found is None:
            return None
        cursor = self._entries.cursor
        if cursor < len(self._positions):
            entry = found.entries[self._positions[cursor]]
            if entry.ref == row.key:
                return entry
        library = self.workbench.library
        return library.entry(row.key) if isinstance(row.key, Ref) and library.has(row.key) else None

    @property
    def _source(self) -> Source | None:
        return source_of(self._node, self.workbench.library)

    @property
    def _persona(self) -> Persona | None:
        """The persona under the cursor of the tree, or the one whose file it is."""
        return persona_of(self._node, self._personas)

    @property
    def _is_on_tree(self) -> bool:
        return self._tree.has_focus

    @on(events.DescendantFocus)
    def _turn_to(self) -> None:
        """Where there is no room for three panes, the sources stand beside the document."""
        self.query_one("#panes").set_class(self._is_on_tree, "-outline")
        if self._shelf is not None:
            self._show_detail()
            self.refresh_bars()

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

    def set_filter(self, text: str) -> None:
        super().set_filter(text)
        if text and self._search is None:
            self.query_one(PromptLine).say("reading what can be found …")

    def filter_rows(self, text: str) -> tuple[int, int]:
        found = self._shelf
        if found is None:
            return 0, 0
        if self._search is None and len(found.entries) <= SOON:
            self._search = entry_filter(found.entries, owners_of(self.workbench.library))
        if self._search is not None:
            self._positions = self._search.find(text)
            rows = found.rows.narrowed(self._positions) if text else found.rows
            self._entries.show(rows, decided=True)
            self._entries.border_subtitle = content(f"{self._counted()} · by {found.order}")
        return len(self._positions), len(found.entries)

    def texts_to_copy(self) -> str:
        library, found = self.workbench.library, self.targets()
        if self._is_on_tree and self._node != ALL:
            return "\n".join(line.text for line in self.query_one("#entry", TextView).lines)
        entries = [library.entry(each.ref) for each in found if library.has(each.ref)]
        return "\n".join(
            library.format_of(entry).body(library.source_of(entry), entry) for entry in entries
        )

    @on(LineList.Opened, "#tree")
    def _enter_entries(self) -> None:
        has_entries = self._shelf is not None and len(self._shelf.entries)
        self.call_pane(self._entries if has_entries else self.query_one("#entry", TextView))

    @on(LineList.Opened, "#entries")
    def _enter_entry(self) -> None:
        self.call_pane(self.query_one("#entry", TextView))

    def action_show_hidden(self) -> None:
        self._documents = not self._documents
        self.renew_later(own=True)

    def action_show_order(self) -> None:
        self._order = (self._order + 1) % len(ORDERS)
        self._like = self._entry
        self._open_shelf(own=True)

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
