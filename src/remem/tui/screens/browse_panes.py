"""The panes of Browse: the tree of sources, the shelf of one of them, what stands on it.

It keeps order, filter and place, and gives long work to threads; deciding is `browse.py`'s.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.message import Message
from textual.widget import Widget

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.base.turns import behind_the_screen
from remem.model.entry import Entry, Ref
from remem.model.source import Source
from remem.systems.personas.team.people import Persona
from remem.systems.sniper.estimates import estimates_view
from remem.systems.sniper.records import ESTIMATES
from remem.systems.sniper.retro.retro_files import PART as RETRO
from remem.tui.content import content
from remem.tui.messages import EntriesRead
from remem.tui.screens.retro import RetroScreen
from remem.tui.widgets.input_line import InputLine, Purpose, Question
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.line_view import empty_text
from remem.tui.widgets.text_view import TextView
from remem.tui.widgets.tree_list import TreeList
from remem.views.entries.browse import (
    ALL,
    ORDERS,
    Shelf,
    arranged,
    everyone_in,
    files_in,
    persona_of,
    shelf,
    source_of,
    source_tree,
)
from remem.views.entries.entry_details import (
    ABOVE,
    entry_lines,
    group_lines,
    persona_lines,
    problem_line,
    section_line,
    source_lines,
    why_told,
)
from remem.views.entries.entry_list import SOON, Searched, entry_filter, first_found, owners_of
from remem.views.estimates import estimate_lines
from remem.views.filter import Filter, Hunt
from remem.views.list_rows import Node, Rows
from remem.views.long_text import TextLine, text_line
from remem.views.review.retro import is_estimate
from remem.views.spans import Tone

if TYPE_CHECKING:
    from remem.core.relation.who_gets import Matrix

KINDS = ("convention", "anti_pattern", "decision", "lesson")
_FIRST_SECONDS: Final = 0.004
"""How long a key may look for the rows that it shows first."""
_REST_SECONDS: Final = 0.02
"""When the rest is looked for: once those rows are drawn."""
_SLICE_SECONDS: Final = 0.004
"""How long all others are looked for before a key is heard."""
_SOURCES: Final = "sources"
"""What the typed line is about while it filters the tree."""


@dataclass(frozen=True, slots=True)
class _Shown:
    tree: tuple[Node, ...]
    personas: tuple[Persona, ...]


class ShelvesScreen(RetroScreen):
    """Shows sources, lists what they hold, and reads it out."""

    @dataclass
    class Arranged(Message):
        """A thread has put a large shelf in order."""

        request: int
        shelf: Shelf
        own: bool

    @dataclass
    class Who(Message):
        """A thread has gathered who gets which rule."""

        number: int
        """Of the snapshot."""
        matrix: Matrix

    @dataclass
    class Indexed(Message):
        """A thread has read a large shelf for the filter."""

        shelf: Shelf
        searched: Searched

    def __init__(self) -> None:
        super().__init__()
        self._personas: tuple[Persona, ...] = ()
        self._shelf: Shelf | None = None
        self._positions: Sequence[int] = ()
        """Of the entries that the filter leaves."""
        self._search: Filter | None = None
        self._searched: Searched | None = None
        """What a thread read for the filter last, of this shelf or of the one before a change."""
        self._indexing: Shelf | None = None
        """What a thread reads for the filter just now."""
        self._hunt: Hunt | None = None
        """What still looks through very many entries for what was typed last."""
        self._led_to: Widget | None = None
        """The pane that another screen led to; `esc` in it goes back there."""
        self._entered = False
        """The entries were entered from their source; `esc` in them goes back to it."""
        self._documents = False
        self._order = 0
        self._like: Entry | None = None
        """Whose likeness orders the list."""
        self._arranging = 0
        self._tells_why = False
        """The detail tells who gets an entry, and how its confidence came about."""
        self._who: ShelvesScreen.Who | None = None
        self._who_asked = -1
        """The number of the snapshot of which a thread gathers who gets what."""
        self._detail_at = 0.0
        """When it was filled: what was told before has its part in it."""
        self._filters_sources = False
        """The typed line filters the sources, and not the entries."""
        self._reading: Hashable = None
        """What the detail shows, so that a refresh of the same keeps its place."""

    def compose_panes(self) -> ComposeResult:
        tree = TreeList(id="tree", classes="pane pane-first")
        tree.border_title = content("Sources · entries, tokens")
        yield tree
        entries = LineList(
            id="entries",
            classes="pane pane-list",
            empty=empty_text("no entries here", "tab", "opens the sources"),
        )
        entries.border_title = content("Entries")
        entries.belongs = self._belongs
        yield entries
        detail = TextView(id="entry", classes="pane pane-detail", numbers=True)
        detail.border_title = content("Entry")
        yield detail

    def _belongs(self, key: Hashable) -> tuple[Hashable, Hashable]:
        """Return the file that an entry stands in, and its section there."""
        library = self.session.library
        if not isinstance(key, Ref) or not library.has(key):
            return key, key
        entry, source = library.entry(key), library.source_of(key)
        return source.path, (source.path, entry.context or entry.kind)

    def load(self) -> _Shown:
        library = self.session.library
        everyone = everyone_in(library)
        tree = source_tree(library, everyone, self.session.counter, documents=self._documents)
        return _Shown(tree, everyone)

    def fill(self, data: _Shown, *, own: bool) -> None:
        self._personas = data.personas
        empty = empty_text("no memory was found here", "i", "adds a first convention")
        self._tree.show_tree(data.tree, decided=own, empty=empty)
        self._open_shelf(own=own)
        self._go_to_wanted()

    @on(events.ScreenResume)
    def _go_to_wanted(self) -> None:
        """Put the cursor on the entry or the file that another screen led to."""
        if not self._shown:
            return  # filling does it
        wanted, self.desk.wanted = self.desk.wanted, None
        if wanted is not None:
            self._show_all_sources()
            self._led_to = self._entries
        if isinstance(wanted, Ref):
            self.go_to_entry(wanted)
        elif wanted is not None and self._tree.move_to(wanted):
            self._led_to = self._tree
            self.call_pane(self._tree)
        elif (source := source_of(wanted, self.session.library)) and len(source.entries):
            self.go_to_entry(source.entries[0].ref)  # one of very many, which the tree shows as one

    @property
    def _tree(self) -> TreeList:
        return self.query_one("#tree", TreeList)

    @property
    def _entries(self) -> LineList:
        return self.query_one("#entries", LineList)

    def go_to_entry(self, ref: Ref) -> None:
        """Put the cursor on an entry, wherever it lies, and the focus on its list."""
        self._tells_why = False
        if not self._entries.move_to(ref):
            if self._filter:
                self._drop_filter()
            self._show_all_sources()
            self._tree.move_to(ALL)
            self._open_shelf(own=True)
            self._entries.move_to(ref)
        self.call_pane(self._entries)
        self._show_detail()

    def _drop_filter(self) -> None:
        """Show everything that the filter hides."""
        self.query_one(InputLine).forget(Purpose.FILTER, self.NUMBER)
        self._filter_entries("")

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
        plain = shelf(self.session.library, self._node, self._personas)
        order = ORDERS[self._order]
        is_other = self._shelf is None or self._shelf.key != plain.key
        self._arranging += 1
        if order == "file" or len(plain.entries) <= SOON:
            self._show_shelf(arranged(plain, order, self.session.counter, self._like), own=own)
            return
        if is_other:
            self._show_shelf(plain, own=own)
        self._arrange(self._arranging, plain, order, own=own)

    # Without a description Textual spells out the arguments, every entry of them.
    @work(thread=True, exclusive=True, group="arrange", exit_on_error=False, description="order")
    def _arrange(self, request: int, plain: Shelf, order: str, *, own: bool) -> None:
        ready = arranged(plain, order, self.session.counter, self._like)
        self.post_message(self.Arranged(request, ready, own))

    @on(Arranged)
    def _take_arranged(self, message: Arranged) -> None:
        if message.request == self._arranging:
            self._show_shelf(message.shelf, own=message.own)

    def _show_shelf(self, found: Shelf, *, own: bool) -> None:
        entries = self._entries
        before = self._shelf
        is_turned = before is not None and before.order != found.order
        if before is not None and (
            before.key != found.key or (is_turned and len(found.entries) > SOON)
        ):
            # Another list: looking for the old cursor in it could read all of it.
            entries.show(Rows.of(()), decided=True)
            self._searched = None
        if before is None or not _is_same_list(before, found):
            self._search = None
        self._shelf = found
        self._positions = range(len(found.entries))
        if len(found.entries) <= SOON:
            self._search = self._read_now(found) if self._filter else None
        elif self._search is None and (self.remem.is_read or found.library.is_complete):
            self._read_later(found)
        if self._filter and self._search is not None:
            self._positions = self._search.find(self._filter)
        shown = len(self._positions) < len(found.entries)
        entries.show(found.rows.narrowed(self._positions) if shown else found.rows, decided=own)
        entries.show_subtitle(f"{self._counted()} · sorted by {found.order}")
        self._show_detail()

    def _counted(self) -> str:
        total = len(self._shelf.entries) if self._shelf is not None else 0
        shown = len(self._positions)
        told = count(total, "entry", "entries")
        return f"{shown:,} of {told}" if shown != total else told

    def _read_now(self, found: Shelf) -> Filter:
        return entry_filter(found.entries, owners_of(self.session.library)).search

    def _read_later(self, found: Shelf) -> None:
        if self._indexing is None or not _is_same_list(self._indexing, found):
            self._indexing = found
            self._index(found)

    @work(thread=True, exclusive=True, group="index", exit_on_error=False, description="index")
    def _index(self, found: Shelf) -> None:
        with behind_the_screen():
            owners = owners_of(self.session.library)
            searched = entry_filter(found.entries, owners, self._searched)
        self.post_message(self.Indexed(found, searched))

    @on(EntriesRead)
    def _index_soon(self) -> None:
        """Read what is listed for the filter, before all else that is worked out of it."""
        if self._shelf is not None and self._search is None and len(self._shelf.entries) > SOON:
            self._read_later(self._shelf)

    @on(Indexed)
    def _take_index(self, message: Indexed) -> None:
        if message.shelf is self._indexing:
            self._indexing = None
        if self._shelf is not None and _is_same_list(message.shelf, self._shelf):
            self._searched, self._search = message.searched, message.searched.search
            if self._filter:
                self._filter_entries(self._filter)

    @on(LineList.Highlighted, "#entries")
    def _point_at_entry(self, message: LineList.Highlighted) -> None:
        if self._filters:
            self.call_after_refresh(self._show_detail_after, message.time)
        else:
            self._show_detail_after(message.time)

    def _show_detail_after(self, time: float) -> None:
        if time > self._detail_at:
            self._show_detail()

    def _show_detail(self) -> None:
        """Show the file while the person is among the sources, else the entry."""
        self._detail_at = monotonic()
        view, session = self.query_one("#entry", TextView), self.session
        entry, source, persona = self._entry, self._source, self._persona
        key: Hashable
        if entry is not None and not self._is_on_tree:
            key, title = (entry.ref, self._tells_why), "Entry"
            lines = self._entry_lines(entry)
        elif source is not None:
            key, title, lines = source.path, source.name, self._source_lines(source)
        elif persona is not None:
            key, title = self._node, persona.name
            lines = self._persona_lines(persona)
        else:
            key, title = self._node, "everything"
            sources = session.library.sources
            match self._node:
                case ("format", str(name)):
                    title = session.library.format(name).facets.called or name
                    sources = session.library.of_format(name)
                case ("folder", Path() as path):
                    title = f"{path.name}/"
                    sources = tuple(files_in(session.library, path))
                case _:
                    pass
            lines = group_lines(title, sources)
        view.show_title(title)
        view.show(lines, fresh=key != self._reading)
        self._go_to_place(view, fresh=key != self._reading)
        self._reading = key

    def _source_lines(self, source: Source) -> list[TextLine]:
        if source.part != ESTIMATES:
            return source_lines(source)
        found = estimates_view(self.session.library)
        above = estimate_lines(found, self.remem.glyphs)
        head = text_line("Source", Tone.HEADING)
        return [*above, TextLine(""), head, *source_lines(source)]

    def _persona_lines(self, persona: Persona) -> list[TextLine]:
        session = self.session
        return persona_lines(persona, session.library, session.counter, self.remem.glyphs)

    def _entry_lines(self, entry: Entry) -> list[TextLine]:
        session, glyphs = self.session, self.remem.glyphs
        if not self._tells_why:
            return entry_lines(session.library, entry, session.counter, glyphs)
        now, who = session.library.number, self._who
        matrix = who.matrix if who is not None and who.number == now else None
        if matrix is None and self._who_asked != now:
            self._who_asked = now
            self._gather_who(now)
        return why_told(session.library, entry, matrix, glyphs)

    @work(thread=True, exclusive=True, group="who", exit_on_error=False, description="who")
    def _gather_who(self, number: int) -> None:
        from remem.views.prompts.who_gets import matrix_of

        with behind_the_screen():
            self.post_message(self.Who(number, matrix_of(self.session)))

    @on(Who)
    def _tell_who(self, message: Who) -> None:
        if message.number != self._who_asked:
            return  # something changed meanwhile, and another thread looks at that
        self._who = message
        if self._tells_why:
            self._show_detail()

    def action_show_why(self) -> None:
        """Turn from an entry to who gets it and how its confidence came about, and back."""
        self._tells_why = not self._tells_why
        self._show_detail()
        view = self.query_one("#entry", TextView)
        if not view.is_on_screen:
            self.call_pane(view)

    def estimate(self) -> Entry | None:
        entry = None if self._is_on_tree else self._entry
        return entry if entry is not None and is_estimate(entry) else None

    def retro_name(self) -> str:
        entry, source = self._entry, self._source
        if source is not None and source.part == RETRO:
            return source.path.stem
        if self._is_on_tree or entry is None:
            return ""
        held = self.session.library.source_of(entry)
        return held.path.stem if held.part == RETRO else ""

    def _go_to_place(self, view: TextView, *, fresh: bool) -> None:
        """Scroll a file to the section under the cursor, or a broken one to what is wrong."""
        if not self._is_on_tree and self._entry is not None:
            return
        match self._node, self._source:
            case ("section", _, str(section)), Source():
                self.call_after_refresh(view.put_at_top, section_line(view.lines, section))
            case _, Source() as source if fresh:
                places = (problem_line(view.lines, each) for each in source.problems)
                place = next((place for place in places if place is not None), None)
                if place is not None:
                    self.call_after_refresh(view.put_at_top, max(place - ABOVE, 0))
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
            # It may be gone since it was listed, and the newer list is on its way.
            if entry.ref == row.key and self.session.library.has(entry.ref):
                return entry
        library = self.session.library
        return library.entry(row.key) if isinstance(row.key, Ref) and library.has(row.key) else None

    @property
    def _source(self) -> Source | None:
        return source_of(self._node, self.session.library)

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

    def action_find_filter(self) -> None:
        """Filter the list that has the focus: the sources by their names, or the entries."""
        self._filters_sources = self._is_on_tree
        if self._is_on_tree:
            held = self._tree.filtered_by
            self.ask(Question(Purpose.FILTER, "filter sources", _SOURCES, held))
        else:
            name = f"filter {self._source.name}" if self._source is not None else self.FILTERS
            self.ask(Question(Purpose.FILTER, name, self.NUMBER, self._filter))

    def _return_from(self, question: Question) -> None:
        super()._return_from(question)
        if question.subject == _SOURCES:
            self.set_focus(self._tree)

    def set_filter(self, text: str) -> None:
        if self._filters_sources:
            self._narrow_sources(text)
        else:
            self._filter_entries(text)

    def _narrow_sources(self, text: str) -> None:
        shown, total = self._tree.narrow(text)
        self._tree.show_filter(text)
        self._tree.needles = (text.lower(),) if text else ()
        self._tree.is_narrowed = bool(text)
        line = self.query_one(InputLine)
        if line.question is not None and line.question.purpose is Purpose.FILTER:
            line.say(f"{shown:,} of {total:,}")

    def _show_all_sources(self) -> None:
        """Drop the filter of the sources: what is gone to may be among those that it hides."""
        if self._tree.filtered_by:
            self.query_one(InputLine).forget(Purpose.FILTER, _SOURCES)
            self._narrow_sources("")

    def leave_level(self) -> bool:
        if self._is_on_tree and self._tree.filtered_by:
            self._show_all_sources()
            return True
        led_to, is_narrowed = self._led_to, bool(self._filter or self._entries.marked)
        if is_narrowed or self.is_zoomed:
            return super().leave_level()
        if self._entered and self._entries.has_focus:
            self._entered = False
            self.call_pane(self._tree)
            return True
        if led_to is None or not led_to.has_focus:
            return super().leave_level()
        self._led_to = None
        self.action_back()
        return True

    def clear_filter(self) -> None:
        self._filters_sources = False
        super().clear_filter()

    def _filter_entries(self, text: str) -> None:
        super().set_filter(text)
        if text and self._search is None:
            self.query_one(InputLine).say("reading …")
        elif self._hunt is not None and self._shelf is not None:
            self.query_one(InputLine).say(f"… of {len(self._shelf.entries):,}")

    def _hunt_on(self, hunt: Hunt) -> None:
        """Look for the rest between keys, and show all with their number when it is found."""
        if hunt is not self._hunt:
            return  # something else was typed meanwhile
        if not hunt.go_on(_SLICE_SECONDS):
            self.call_later(self._hunt_on, hunt)
            return
        self._filter_entries(self._filter)

    def filter_rows(self, text: str) -> tuple[int, int]:
        found, self._hunt = self._shelf, None
        if found is None:
            return 0, 0
        if self._search is None and len(found.entries) <= SOON:
            self._search = self._read_now(found)
        if self._search is None:
            return self._filter_first(found, text)
        hunt = self._search.begin(text, self._position)
        if hunt is not None and not hunt.go_on(_FIRST_SECONDS, to_screenful=True):
            return self._show_first(found, hunt)
        self._positions = self._search.find(text)
        rows = found.rows.narrowed(self._positions) if text else found.rows
        self._entries.show(rows, decided=True)
        self._entries.show_subtitle(f"{self._counted()} · sorted by {found.order}")
        return len(self._positions), len(found.entries)

    @property
    def _position(self) -> int:
        """Where what is under the cursor stands among all that the shelf holds."""
        cursor = self._entries.cursor
        return self._positions[cursor] if cursor < len(self._positions) else 0

    def _show_first(self, found: Shelf, hunt: Hunt) -> tuple[int, int]:
        """Show what was found around the cursor; where that is nothing, the list waits for more."""
        self._hunt = hunt
        if hunt.found:
            self._positions = hunt.found
            self._entries.show(found.rows.narrowed(self._positions), decided=True)
        self.set_timer(_REST_SECONDS, lambda: self._hunt_on(hunt))
        return len(self._positions), len(found.entries)

    def _filter_first(self, found: Shelf, text: str) -> tuple[int, int]:
        """Show a screen of what a filter leaves until all is read; how many there are comes then.

        Where nothing is found so soon, everything stays: nobody may take it for nothing at all.
        """
        size = len(found.entries)
        first = first_found(found.entries, owners_of(self.session.library), text) if text else ()
        self._positions = first or range(size)
        self._entries.show(found.rows.narrowed(first) if first else found.rows, decided=True)
        return len(self._positions), size

    @on(LineList.Opened, "#tree")
    def _enter_entries(self) -> None:
        has_entries = self._shelf is not None and len(self._shelf.entries)
        self._entered = bool(has_entries)
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


def _is_same_list(one: Shelf, other: Shelf) -> bool:
    """Tell whether two shelves hold the same entries at the same places."""
    return one is other or (
        one.library is other.library
        and one.key == other.key
        # Another order may be another one for the same snapshot: by tokens once they are exact.
        and one.order == other.order == "file"
    )
