"""The overlay that finds an entry anywhere: every format, archives and the journal too.

A large library is read by a thread while the person types.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from textual import on, work
from textual.message import Message
from textual.widgets import Input

from remem.disk.history import Logged
from remem.errors import RememError
from remem.library import Library
from remem.model.entry import Entry, Ref
from remem.tui.content import Span, Tone, content, span
from remem.tui.filtering import Filter
from remem.tui.screens.choose import ChooseScreen
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.rows import Row, Rows
from remem.workbench import Workbench

_CHANGE = "change "


class FindScreen(ChooseScreen):
    """Finds among all entries and all changes of the history; either is gone to."""

    @dataclass
    class Read(Message):
        """Everything that can be found was read."""

        rows: Rows
        search: Filter

    def __init__(self, bench: Workbench) -> None:
        super().__init__("Find everywhere", ())
        self._bench = bench

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#choices", LineList).border_subtitle = content("reading …")
        self._read()

    def dismiss(self, result: str | None = None) -> object:  # type: ignore[override]
        """Say which change the History screen should put its cursor on."""
        desk = getattr(self.app, "desk", None)
        if result is not None and result.startswith(_CHANGE) and desk is not None:
            desk.wanted = result.removeprefix(_CHANGE)
        return super().dismiss(result)

    @work(thread=True, exit_on_error=False)
    def _read(self) -> None:
        library, changes = self._bench.library, _changes(self._bench)
        entries = list(library.entries())
        keys: Sequence[Hashable] = [
            *(str(entry.ref) for entry in entries),
            *(f"{_CHANGE}{logged.id}" for logged in changes),
        ]
        texts = [f"{entry.title} {entry.ref.id}".lower() for entry in entries]
        texts += [f"{logged.title} history".lower() for logged in changes]

        def row(index: int) -> Row:
            if index < len(entries):
                return _entry_row(library, entries[index])
            return _change_row(changes[index - len(entries)])

        self.post_message(self.Read(Rows(keys, row), Filter(texts)))

    @on(Read)
    def _take_read(self, message: Read) -> None:
        self._rows, self._search = message.rows, message.search
        choices = self.query_one("#choices", LineList)
        found = self._search.find(self.query_one(Input).value)
        choices.show(self._rows.narrowed(found), decided=True)
        choices.border_subtitle = content(f"{len(found):,} of {len(self._rows):,}")


def chosen_ref(library: Library, chosen: str | None) -> Ref | None:
    """Return the entry that was chosen; `None` for a change or for nothing."""
    if chosen is None or chosen.startswith(_CHANGE):
        return None
    ref = Ref.parse(chosen)
    return ref if library.has(ref) else None


def _entry_row(library: Library, entry: Entry) -> Row:
    label = (span(entry.title), span(f"  {library.short(entry.ref)}", Tone.DIM))
    return Row(str(entry.ref), label, right=(Span(str(entry.status), Tone.DIM),))


def _change_row(logged: Logged) -> Row:
    label = (span(logged.title), span("  history", Tone.DIM))
    right = (span(logged.time.strftime("%Y-%m-%d"), Tone.DIM),)
    return Row(f"{_CHANGE}{logged.id}", label, right=right)


def _changes(bench: Workbench) -> tuple[Logged, ...]:
    try:
        return bench.history()
    except RememError:
        return ()
