"""History: every change from every door and from outside, with its diff; undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import field
from datetime import datetime
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType

from remem.base.assets import asset_dir
from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.verbs.verb import Verb
from remem.store.changes.commit import Reverted
from remem.store.history.external_changes import Outside
from remem.store.history.journal_records import Logged
from remem.tui.content import content
from remem.tui.screens.base import RememScreen
from remem.tui.verbs import COPY, DIFF, FILTER, REDO, REVIEW, UNDO, bindings, key_shown
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.line_view import empty_text
from remem.tui.widgets.text_view import TextView
from remem.views import signs
from remem.views.change_titles import logged_title
from remem.views.diff import FileDiff, diff_lines
from remem.views.list_rows import Row, Rows, label
from remem.views.long_text import TextLine, text_line
from remem.views.plan import file_lines
from remem.views.spans import Span, Spans, Tone, span


@dataclass(frozen=True, slots=True)
class _Shown:
    changes: tuple[Logged, ...]
    outside: tuple[Outside, ...]
    titles: Mapping[str, str] = field(default_factory=dict)
    """What each change is called, by its id."""
    writers: Mapping[str, str] = field(default_factory=dict)
    """Who wrote what came from outside, by its name."""
    error: RememError | None = None
    """Why the history cannot be read."""


class HistoryScreen(RememScreen):
    """Shows time, newest first."""

    CSS_PATH = asset_dir("styles") / "history.tcss"
    NUMBER = 4
    FILTERS = "filter changes"
    VERBS: ClassVar[tuple[Verb, ...]] = (UNDO, REDO, DIFF, FILTER, COPY)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings((DIFF,))]

    def __init__(self) -> None:
        super().__init__()
        self._changes: dict[str, Logged] = {}
        self._outside: dict[str, Outside] = {}
        self._writers: Mapping[str, str] = {}
        self._rows = Rows.of(())
        self._reading: Hashable = None
        """What the detail shows, so that a refresh of the same keeps its place."""

    def compose_panes(self) -> ComposeResult:
        empty = empty_text("no changes here yet", "2", "opens Review")
        changes = LineList(id="changes", classes="pane pane-list", empty=empty)
        changes.border_title = content("Changes")
        changes.belongs = self._belongs
        yield changes
        diff = TextView(id="diff", classes="pane pane-detail", numbers=True)
        diff.border_title = content("Diff")
        yield diff

    def load(self) -> _Shown:
        try:
            outside = self.session.past.outside()
            changes = self.session.past.changes()
        except RememError as error:
            return _Shown((), (), error=error)
        library = self.session.library
        titles = {logged.id: logged_title(logged, library) for logged in changes}
        return _Shown(changes, outside, titles, self.session.writers(outside))

    def fill(self, data: _Shown, *, own: bool) -> None:
        if data.error is not None:
            self.remem.show_error(data.error)
        self._changes = {logged.id: logged for logged in data.changes}
        self._outside = {each.name: each for each in data.outside}
        self._writers = data.writers
        rows = [(each.time, self._row(each, data.titles[each.id])) for each in data.changes]
        rows += [(each.time, self._outside_row(key, each)) for key, each in self._outside.items()]
        newest_first = sorted(rows, key=lambda pair: pair[0], reverse=True)
        self._rows = Rows.of([row for _, row in newest_first])
        changes = self.query_one("#changes", LineList)
        if self._filter:
            self.set_filter(self._filter)
        else:
            changes.show(self._rows, decided=True)
            changes.show_subtitle(count(len(self._rows), "change"))
        self._go_to_wanted()
        self._show_diff()

    @on(events.ScreenResume)
    def _go_to_wanted(self) -> None:
        """Put the cursor on the change that was searched for."""
        wanted = self.desk.wanted
        if wanted is not None and self.query_one("#changes", LineList).move_to(wanted):
            self.desk.wanted = None

    def _belongs(self, key: Hashable) -> tuple[Hashable, Hashable]:
        """Return the day of a change, which is all that parts them."""
        each = self._changes.get(str(key)) or self._outside.get(str(key))
        day = each.time.date() if each is not None else None
        return day, day

    def _row(self, logged: Logged, title: str) -> Row:
        tone = Tone.DIM if logged.undone else Tone.PLAIN
        # In front, where it is not cut.
        title = f"{'(undone) ' if logged.undone else ''}{title}"
        sign = (signs.OUT if logged.undone else signs.NEW).drawn
        return _row(
            logged.id, (span(title, tone),), sign, _writer(logged), logged.time, f"{logged.undone}"
        )

    def _outside_row(self, key: str, each: Outside) -> Row:
        gone = count(each.gone, "entry", "entries")
        lost = (span(f"{gone} removed  ", Tone.WARN),) if each.vanished else ()
        name = span(f"{each.does} {label(self.session, each.path)}", Tone.DIM)
        who = f"external · {self._writers[each.name]}"
        return _row(key, (*lost, name), signs.EXTERNAL.drawn, who, each.time)

    @on(LineList.Highlighted, "#changes")
    def _show_diff(self) -> None:
        row = self.query_one("#changes", LineList).row
        key = row.key if row is not None else None
        self.query_one("#diff", TextView).show(self._diff(), fresh=key != self._reading)
        self._reading = key

    def _diff(self) -> list[TextLine]:
        row = self.query_one("#changes", LineList).row
        key = str(row.key) if row is not None else ""
        outside, logged = self._outside.get(key), self._changes.get(key)
        if outside is not None:
            return self._outside_lines(outside)
        return [] if logged is None else self._logged_lines(logged)

    def _outside_lines(self, outside: Outside) -> list[TextLine]:
        lines = [
            text_line(f"external change: {self._writers[outside.name]}", Tone.STRONG),
            text_line(f"seen at {outside.time:%Y-%m-%d %H:%M}", Tone.DIM),
        ]
        for entry in outside.vanished:
            named = entry.get("title") or entry.get("ref")
            lines.append(text_line(f"removed: {named}", Tone.WARN))
        if outside.step is None:
            lines.append(text_line("too large to keep a diff", Tone.DIM))
        name = label(self.session, outside.path)
        return [*lines, *diff_lines([FileDiff(name, outside.hunks, outside.does)])]

    def _logged_lines(self, logged: Logged) -> list[TextLine]:
        lines = [
            text_line(logged_title(logged, self.session.library), Tone.STRONG),
            text_line(f"{_writer(logged)} · {logged.time:%Y-%m-%d %H:%M}", Tone.DIM),
        ]
        lines += [text_line(logged.reason, Tone.DIM)] if logged.reason else []
        lines += [text_line(logged.receipt, Tone.GOOD)] if logged.receipt else []
        if logged.settled == "git":
            lines.append(text_line("git moved since, so it is no longer checked", Tone.DIM))
        try:
            return [*lines, *file_lines(self.session, self.session.past.diff_of(logged))]
        except RememError as error:
            return [*lines, text_line(str(error), Tone.WARN), text_line(error.hint, Tone.DIM)]

    @on(LineList.Opened, "#changes")
    def action_show_diff(self) -> None:
        """Go to the diff, which at a small width is not seen beside the list."""
        self.call_pane(self.query_one("#diff", TextView))

    def blocked(self, verb: Verb) -> str:
        """Say why the change under the cursor cannot be taken back or done again."""
        if verb not in (UNDO, REDO):
            return ""
        row = self.query_one("#changes", LineList).row
        logged = self._changes.get(str(row.key)) if row is not None else None
        if verb is REDO and (logged is None or not logged.undone):
            # What was undone last is done again wherever the cursor is.
            can = any(x.undone and not x.superseded for x in self._changes.values())
            return "" if can else "nothing to redo"
        if logged is None:
            key = key_shown(REVIEW, self.remem.keys)
            return (
                "" if row is None else f"remem did not make it; Review ({key}) discards what waits"
            )
        if logged.pruned:
            return "its details are no longer kept"
        if verb is UNDO:
            return "already undone" if logged.undone else ""
        return "a newer change prevents it" if logged.superseded else ""

    async def action_undo(self) -> None:
        """Undo the change under the cursor, and go on to the one before it."""
        await self._travel_to(UNDO, self.session.undo, "Undone")
        self._pass_undone()

    async def action_redo(self) -> None:
        """Do the change under the cursor again; where that stands, what was undone last."""
        await self._travel_to(REDO, self.session.redo, "Redone")

    def _pass_undone(self) -> None:
        """Put the cursor on the next older change that stands, so that the same key goes on."""
        changes = self.query_one("#changes", LineList)
        keys = [str(row.key) for row in map(changes.rows.row, range(len(changes.rows)))]
        at = keys.index(str(changes.row.key)) if changes.row is not None else 0
        for key in keys[at:]:
            logged = self._changes.get(key)
            if logged is not None and not logged.undone:
                changes.move_to(key)
                return

    async def _travel_to(
        self, verb: Verb, way: Callable[[str | None], Reverted], said: str
    ) -> None:
        reason = self.blocked(verb)
        if reason:
            self.say(f"{verb.title}: {reason}")
            return
        row = self.query_one("#changes", LineList).row
        name = str(row.key) if row is not None else None
        there = self._changes.get(name or "")
        if verb is REDO and (there is None or not there.undone):
            name = None
        await self._travel(lambda: way(name), said)

    def filter_rows(self, text: str) -> tuple[int, int]:
        kept = [row for row in self._rows if _holds(row, text.lower())]
        shown = Rows.of(kept) if text else self._rows
        changes, total = self.query_one("#changes", LineList), len(self._rows)
        changes.show(shown, decided=True)
        told = count(total, "change")
        changes.show_subtitle(f"{len(kept):,} of {told}" if text else told)
        return len(kept), total

    def texts_to_copy(self) -> str:
        return "\n".join(f"{line.sign}{line.text}" for line in self._diff())


def _row(key: str, label: Spans, sign: Span, who: str, time: datetime, version: str = "") -> Row:
    """Make a row that still has its time where the writer finds no room."""
    when = span(f"{time:%m-%d %H:%M}", Tone.DIM)
    return Row(key, label, sign, (span(f"{who}  ", Tone.DIM), when), version, narrow=(when,))


def _writer(logged: Logged) -> str:
    return f"{logged.origin.who} · {logged.origin.door}"


def _holds(row: Row, text: str) -> bool:
    return text in "".join(part.text for part in (*row.label, *row.right)).lower()
