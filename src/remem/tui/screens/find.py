"""The overlay that finds a text anywhere: every format, archives, the journal and git too.

A large library is read by a thread while the person types. What took a phrase out of memory is
looked for once the person stops typing, in the history first and then in git.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar, Final

from rich.cells import set_cell_size
from textual import on, work
from textual.binding import BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Label

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.history.removed import Lost, plain
from remem.core.history.search_history import UNREAD, FoundInHistory, is_searched
from remem.core.library import Library
from remem.core.session import Session
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import RESTORE, put_back_intent
from remem.core.waiting.kinds import decided
from remem.model.change import Intent
from remem.model.entry import RESTING, Entry, Ref, Status
from remem.model.source import Source
from remem.store.history.journal_records import Logged
from remem.systems.personas.persona_verbs import PERSONA_RESTORE
from remem.systems.personas.source import PersonaSource
from remem.tui.content import content
from remem.tui.screens.choose import ChooseScreen
from remem.tui.verbs import RESTORE_FOUND, UNDO, bindings, key_shown
from remem.tui.widgets.line_list import LineList
from remem.views import signs
from remem.views.filter import Filter, Query
from remem.views.list_rows import Row, Rows
from remem.views.loose_match import forms_of, rank
from remem.views.spans import Tone, span, tail_of

PAUSE = 0.4
"""Seconds without a key after which the past is looked through."""

_WIDE = 40
"""Signs of a lost text that are shown, so that what took it has room."""
_WHERE: Final = 22
"""Cells that tell where a find stands."""
_LONGEST = 20_000
"""Characters of an entry that are searched: some are whole files."""
RANKED = 2_000
"""Matches up to which the best comes first."""
SOURCE = "source "
_CHANGE = "change "
_LOST = "lost "
_BACK = "back"


class _WithPast(Filter):
    """Finds what the plain filter finds, and behind it what is lost of the same phrase."""

    def __init__(self, found: Filter, phrase: str, places: range) -> None:
        super().__init__(())
        self._standing = found
        self._phrase = plain(phrase)
        self._places = places

    def find(self, typed: str) -> Sequence[int]:
        found = self._standing.find(typed)
        return [*found, *self._places] if plain(typed) == self._phrase else found

    def in_other_number(self, typed: str) -> Sequence[int]:
        return self._standing.in_other_number(typed)


class FindScreen(ChooseScreen):
    """Finds among all entries and all changes, and tells what took a text out; each is gone to."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings((RESTORE_FOUND,))]
    is_ranked = True

    @dataclass
    class Read(Message):
        """Everything that stands somewhere was read."""

        keys: Sequence[Hashable]
        rows: Rows
        search: Filter
        names: Sequence[str]
        """What each is called, which ranks it."""

    @dataclass
    class Past(Message):
        """A part of the past was looked through."""

        request: int
        phrase: str
        in_history: FoundInHistory
        left: str
        """What is still looked through; empty = nothing."""

    def __init__(self, session: Session) -> None:
        super().__init__("Find everywhere", ())
        self._bench = session
        self._standing: tuple[Sequence[Hashable], Rows, Filter] = ((), self._rows, self._search)
        self._names: Sequence[str] = ()
        self._request = 0
        self._timer: Timer | None = None
        self._phrase = ""
        self._lost: tuple[Lost, ...] = ()
        self._left = "reading …"
        self.intent: Intent | None = None
        """What was chosen to be put back."""

    def on_mount(self) -> None:
        super().on_mount()
        self._tell(0)
        self._read()

    def foot(self) -> str:
        return f"type to find   enter opens   {self._key(RESTORE_FOUND)} puts back   esc closes"

    def _key(self, verb: Verb) -> str:
        """Return the key of a verb as the person's settings have it."""
        return key_shown(verb, getattr(self.app, "keys", None))

    def dismiss(self, result: str | None = None) -> object:  # type: ignore[override]
        """Say which change History goes to; nothing is put back by going there."""
        desk = getattr(self.app, "desk", None)
        if result is not None and result.startswith(_LOST):
            lost = self._lost[int(result.removeprefix(_LOST))]
            if lost.kind == "commit":
                key = self._key(RESTORE_FOUND)
                self._tell_plain(f"no longer in memory; {key} shows what puts it back")
                return None
            result = f"{_CHANGE}{lost.id}"
        if result is not None and result.startswith(_CHANGE) and desk is not None:
            desk.wanted = result.removeprefix(_CHANGE)
        return super().dismiss(result)

    def action_find_restore(self) -> None:
        """Put back what is under the cursor: lost, or in an archive."""
        row = self.query_one("#choices", LineList).row
        key = str(row.key) if row is not None else ""
        lost = self._lost_at(key)
        if lost is not None:
            self.intent = self._put_back(lost)
            self.dismiss(_BACK)
            return
        if key.startswith(_CHANGE):
            self._tell_plain(f"no entry: enter goes to the change, and {self._key(UNDO)} undoes it")
            return
        ref = chosen_ref(self._bench.library, key or None)
        intent = self._from_archive(ref) if ref is not None else None
        if intent is None:
            self._tell_plain("this is still in memory; nothing to put back")
            return
        self.intent = intent
        self.dismiss(_BACK)

    def _lost_at(self, key: str) -> Lost | None:
        """Return what was lost that a row tells of: itself, or the change that took it out."""
        if key.startswith(_LOST):
            return self._lost[int(key.removeprefix(_LOST))]
        by = key.removeprefix(_CHANGE) if key.startswith(_CHANGE) else ""
        return next((each for each in self._lost if by and each.id == by), None)

    def _from_archive(self, ref: Ref) -> Intent | None:
        """Return what brings an archived entry back; by the change that archived it, if known."""
        library = self._bench.library
        entry, source = library.entry(ref), library.source_of(ref)
        if entry.status not in RESTING:
            return None
        if isinstance(source, PersonaSource) and source.archived:
            arguments = {"persona": source.folder.name, "layout": source.layout}
            return Intent(PERSONA_RESTORE.id, arguments={**arguments})
        for lost in self._lost:
            if any(step.path == source.path for step in lost.copies):
                return self._put_back(lost)
        return Intent(RESTORE.id, {ref: entry.digest})

    def _put_back(self, lost: Lost) -> Intent:
        together = [each for each in self._lost if each.id == lost.id]
        return put_back_intent(together, self._phrase)

    @work(thread=True, exit_on_error=False)
    def _read(self) -> None:
        library, changes = self._bench.library, _changes(self._bench)
        entries, sources = list(library.entries()), library.sources
        keys: Sequence[Hashable] = [
            *(str(entry.ref) for entry in entries),
            *(f"{SOURCE}{source.path}" for source in sources),
            *(f"{_CHANGE}{logged.id}" for logged in changes),
        ]
        names = [entry.row_text for entry in entries]
        names += [source.name for source in sources]
        names += [logged.title for logged in changes]
        texts = [_all_said(library, entry) for entry in entries]
        texts += [f"{source.name} {source.path.name} file".lower() for source in sources]
        texts += [f"{logged.title} history".lower() for logged in changes]

        def row(index: int) -> Row:
            if index < len(entries):
                return _entry_row(library, entries[index])
            index -= len(entries)
            if index < len(sources):
                return _source_row(sources[index])
            return _change_row(changes[index - len(sources)])

        self.post_message(self.Read(keys, Rows(keys, row), Filter(texts), names))

    @on(Read)
    def _take_read(self, message: Read) -> None:
        self._standing = (message.keys, message.rows, message.search)
        self._names = message.names
        self._left = "" if self._left == "reading …" else self._left
        self._show_all()

    @on(Input.Changed)
    def _wait(self, event: Input.Changed) -> None:
        """Look through the past once the person stops typing."""
        self._request += 1
        if self._timer is not None:
            self._timer.stop()
        self._left = ""
        if is_searched(event.value):
            request, phrase = self._request, event.value
            self._left = "searching the history …"
            self._timer = self.set_timer(PAUSE, lambda: self._look(request, phrase))
        self.call_after_refresh(self._tell_found)

    @work(thread=True, exclusive=True, group="past", exit_on_error=False, description="past")
    def _look(self, request: int, phrase: str) -> None:
        search = self._bench.history_search
        try:
            found = search.in_history(phrase)
        except RememError:
            found = UNREAD
        self.post_message(self.Past(request, phrase, found, "searching git …"))
        in_git = search.in_git(phrase)
        both = found.and_in(in_git)
        self.post_message(self.Past(request, phrase, both, ""))

    @on(Past)
    def _take_past(self, message: Past) -> None:
        if message.request != self._request:
            return
        self._phrase, self._lost = message.phrase, message.in_history.lost
        self._left = message.left
        if not message.left and not message.in_history.is_whole:
            self._left = message.in_history.why_not
        self._show_all()

    def _show_all(self) -> None:
        """List what stands, then what is lost."""
        standing, rows, search = self._standing
        count, lost = len(standing), self._lost
        self._rows, self._search = rows, search
        if lost:
            keys = [
                *(rows.key(i) for i in range(count)),
                *(f"{_LOST}{n}" for n in range(len(lost))),
            ]

            def row(index: int) -> Row:
                return rows.row(index) if index < count else _lost_row(index - count, lost)

            self._rows = Rows(keys, row)
            self._search = _WithPast(search, self._phrase, range(count, len(keys)))
        self.list_matching(self.query_one(Input).value)
        self._tell_found()

    def matching(self, text: str) -> Rows:
        """Return what matches, the best first where it is not too much to be ranked."""
        found, words = self._search.find(text), Query.parse(text).words
        others = self._search.in_other_number(text)
        needles = (*words, *(form for word in words for form in forms_of(word)[1:]))
        self.query_one("#choices", LineList).needles = needles if others else words
        if not words or len(found) > RANKED:
            return self._rows.narrowed([*found, *others])
        order = sorted(found, key=lambda place: (-self._rank(place, words), place))
        order += others
        rows = self._rows
        return Rows([rows.key(place) for place in order], lambda nth: rows.row(order[nth]))

    def _rank(self, place: int, words: Sequence[str]) -> int:
        # What is lost comes last: it was looked for by the same words.
        return rank(words, self._names[place], " ".join(words)) if place < len(self._names) else 0

    def _tell_found(self) -> None:
        if self.is_attached:
            self._tell(len(self.query_one("#choices", LineList).rows))

    def _tell(self, found: int) -> None:
        back = f"{self._key(RESTORE_FOUND)} puts it back" if self._lost else ""
        if self.query_one(Input).value:
            told = count(found, "match", "matches")
        else:
            told = f"{found:,} entries, files and changes" if found else ""
        parts = (told, self._left, back)
        self._tell_plain(" · ".join(part for part in parts if part))

    def _tell_plain(self, text: str) -> None:
        self.query_one(".overlay-title", Label).update(content(f"{self._title}  {text}"))


def chosen_ref(library: Library, chosen: str | None) -> Ref | None:
    """Return the entry that was chosen; `None` for a change, for what is lost, or for nothing."""
    if chosen is None or chosen == _BACK or chosen.startswith((_CHANGE, _LOST, SOURCE)):
        return None
    ref = Ref.parse(chosen)
    return ref if library.has(ref) else None


def _all_said(library: Library, entry: Entry) -> str:
    """Return all that an entry says, as `remem search` reads it, in lower case."""
    source = library.source_of(entry)
    body = library.format(source.format).reader.body(source, entry)[:_LONGEST]
    return (
        f"{entry.label} {entry.title} {entry.ref.id} {source.name} {entry.context} {body}".lower()
    )


def _entry_row(library: Library, entry: Entry) -> Row:
    ref = library.short(entry.ref)
    found = decided(library, entry)
    status = entry.status.value if found is None else found.short(library)
    told = "" if status == Status.ACTIVE else status
    return _row(str(entry.ref), entry.row_text, told, ref)


def _source_row(source: Source) -> Row:
    held = count(len(source.entries), "entry", "entries")
    return _row(f"{SOURCE}{source.path}", source.name, held, "file")


def _change_row(logged: Logged) -> Row:
    return _row(f"{_CHANGE}{logged.id}", logged.title, f"{logged.time:%Y-%m-%d}", "history")


def _row(key: str, name: str, told: str, where: str) -> Row:
    """Return a find, and in a column where it stands: of refs the end tells them apart."""
    column = (span(set_cell_size(tail_of(where, _WHERE), _WHERE), Tone.DIM),)
    right = (span(f"{told}  ", Tone.DIM), *column) if told else column
    return Row(key, (span(name),), right=right, narrow=column)


def _lost_row(number: int, lost: Sequence[Lost]) -> Row:
    each = lost[number]
    name = each.id[:8] if each.kind == "commit" else each.id
    went = f" → {each.copies[0].path.name}" if each.copies else ""
    by = f"  out of {each.path.name}{went}: {each.title}"
    text = " ".join(each.text.split()).removeprefix("- ")
    text = f"{text[: _WIDE - 1]}…" if len(text) > _WIDE else text
    right = (span(f"{each.kind} {name} {each.time:%Y-%m-%d}", Tone.DIM),)
    return Row(f"{_LOST}{number}", (span(text), span(by, Tone.DIM)), signs.TAKEN.drawn, right)


def _changes(session: Session) -> tuple[Logged, ...]:
    try:
        return session.past.changes()
    except RememError:
        return ()
