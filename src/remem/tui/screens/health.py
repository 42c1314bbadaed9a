"""Health: what is wrong, where, and the verb that mends it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType

from remem.base.assets import asset_dir
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.attention import is_dangerous
from remem.core.checks.contradictions import BESIDE
from remem.core.library import Library
from remem.core.relation.pairs import Pair
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import (
    ARCHIVE,
    EDIT,
    KEEP_BOTH,
    MERGE,
    REJECT,
    RESTORE,
    SCOPE,
    SUPERSEDE,
    verb,
)
from remem.model.change import INTO_SHOWN, Intent, Json
from remem.model.entry import Entry, Ref
from remem.systems.personas.persona_verbs import PERSONA_COMPACT, PERSONA_MERGE_RECREATED
from remem.tui.content import content
from remem.tui.screens import settle_conflict
from remem.tui.screens.deciding import Target
from remem.tui.screens.fixing import FixingScreen
from remem.tui.verbs import COPY, FILTER, FIX, OPEN, UNDO, WHO, bindings, key_shown
from remem.tui.widgets.key_bar import KeyHint
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.line_view import empty_text
from remem.tui.widgets.text_view import TextView
from remem.views import signs
from remem.views.entries.entry_details import ABOVE, entry_lines, problem_line, source_lines
from remem.views.entries.entry_list import SOON
from remem.views.health import HealthItem, distinct, health_items
from remem.views.list_rows import Row, Rows, label
from remem.views.long_text import TextLine, text_line, text_lines
from remem.views.loose_match import rank, words_of
from remem.views.spans import Span, Tone, span

ONE_ROW: Final = (FIX, ARCHIVE, RESTORE, MERGE, *settle_conflict.SETTLES, REJECT)
"""What is done to the row under the cursor, and never to several."""
NO_CONFLICT: Final = "this row is not about two conflicting entries"


@dataclass(frozen=True, slots=True)
class _Found:
    library: Library
    health_items: list[HealthItem]
    is_whole: bool


def _drawn(row: Row) -> str:
    """Return all that a row shows, what mends it too: a filter finds what can be read."""
    return " ".join(span.text for span in (*row.label, *row.right))


class HealthScreen(FixingScreen):
    """Shows every problem, the ones that stop writing first."""

    CSS_PATH = asset_dir("styles") / "health.tcss"
    NUMBER = 5
    FILTERS = "filter problems"
    VERBS: ClassVar[tuple[Verb, ...]] = (
        OPEN, FIX, EDIT, ARCHIVE, RESTORE, MERGE, *settle_conflict.SETTLES, REJECT, FILTER, COPY,
        UNDO, WHO,
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [*bindings((WHO,))]

    def __init__(self) -> None:
        super().__init__()
        self._items: dict[Hashable, HealthItem] = {}
        self._library: Library | None = None
        """The snapshot that they were found in."""
        self._rows = Rows.of(())
        self._reading: Hashable = None
        """What the detail shows, so that a refresh of the same keeps its place."""
        self._is_whole = False
        """Everything was read before they were looked for."""

    def compose_panes(self) -> ComposeResult:
        empty = empty_text("no problems found", "0", "opens Start")
        problems = LineList(id="problems", classes="pane pane-list", empty=empty)
        problems.border_title = content("Problems")
        yield problems
        where = TextView(id="where", classes="pane pane-detail", numbers=True)
        where.border_title = content("Where")
        yield where

    def load(self) -> _Found:
        session, library = self.session, self.session.library
        is_small = sum(len(source.entries) for source in library.sources) <= SOON
        thorough = is_small or library.is_complete
        return _Found(library, health_items(session, session.agents(), thorough=thorough), thorough)

    def fill(self, data: _Found, *, own: bool) -> None:
        self._library = data.library
        self._items = {each.key: each for each in distinct(data.health_items)}
        self._rows = Rows.of([*self._grouped()])
        problems = self.query_one("#problems", LineList)
        self._is_whole = data.is_whole
        if self._filter:
            self.set_filter(self._filter)
        else:
            problems.show(self._rows, decided=own)
            problems.show_subtitle(self._counted(len(self._items)))
        self._go_to_wanted()
        self._show_where()

    @on(events.ScreenResume)
    def _go_to_wanted(self) -> None:
        """Put the cursor on the finding that led here."""
        wanted = self.desk.wanted
        if wanted is not None and self.query_one("#problems", LineList).move_to(wanted):
            self.desk.wanted = None

    def _grouped(self) -> Iterator[Row]:
        """Yield the problems under the file that they are in."""
        groups: dict[str, list[HealthItem]] = {}
        for health_item in self._items.values():
            groups.setdefault(self._group(health_item), []).append(health_item)
        items = self._items.values()
        column = max((cell_len(" ".join(self._mends(each))) for each in items), default=0)
        for name, found in groups.items():
            # What mends it is a column at the edge of the whole table. A line number stands before
            # it and takes no more cells than it has digits: the rest is for the text.
            right = (span(count(len(found), "problem"), Tone.DIM),)
            yield Row(("group", name), (span(name),), right=right, is_header=True)
            yield from (self._row(each, column) for each in found)

    def _group(self, health_item: HealthItem) -> str:
        if health_item.heading or health_item.path is None:
            return health_item.heading
        return label(self.session, health_item.path)

    def _row(self, health_item: HealthItem, column: int) -> Row:
        """Return a problem's row; what mends it takes the `column` cells at the edge."""
        problem = health_item.problem
        sign = (signs.DANGER if is_dangerous(problem) else signs.PROBLEM).drawn
        key, does = self._mends(health_item)
        pad = " " * (column - cell_len(f"{key} {does}"))
        where = (span(f"line {problem.line}  ", Tone.DIM),) if problem.line else ()
        right = (*where, Span(key, Tone.KEY), span(f" {does}{pad}", Tone.DIM))
        narrow = (Span(key, Tone.KEY),)
        return Row(health_item.key, (span(problem.message),), sign, right, narrow=narrow)

    def _mends(self, health_item: HealthItem) -> tuple[str, str]:
        """Return the key that mends it, or leads to where it is mended, and what it does."""
        if health_item.vanished is not None:
            return key_shown(FIX, self.remem.keys), RESTORE.title
        if health_item.recreated is not None:
            return key_shown(FIX, self.remem.keys), PERSONA_MERGE_RECREATED.title
        if health_item.pair is not None:
            does = SUPERSEDE if health_item.pair.is_contradiction else MERGE
            return key_shown(does, self.remem.keys), does.title
        if health_item.issue is not None and health_item.issue.verb:
            return key_shown(FIX, self.remem.keys), verb(health_item.issue.verb).title
        if self._file_of(health_item) is not None:
            return key_shown(EDIT, self.remem.keys), "Open file"
        if health_item.entry is not None:
            blocked = EDIT.why_not(self.session.library, health_item.entry)
            return ("enter", "Show") if blocked else (key_shown(EDIT, self.remem.keys), EDIT.title)
        if health_item.role is not None:
            return ("enter", "Prompt")
        return ("enter", "Browse") if health_item.source is not None else ("enter", "Show")

    @property
    def _item(self) -> HealthItem | None:
        row = self.query_one("#problems", LineList).row
        return self._items.get(row.key) if row is not None else None

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _follow_focus(self) -> None:
        if self._library is not None:
            self.refresh_bars()

    @on(LineList.Highlighted, "#problems")
    def _show_where(self) -> None:
        view = self.query_one("#where", TextView)
        health_item = self._item
        key = health_item.key if health_item is not None else None
        view.show(
            self._lines(health_item) if health_item is not None else (), fresh=key != self._reading
        )
        if health_item is not None and key != self._reading:
            place = problem_line(view.lines, health_item.problem)
            if place is not None and health_item.entry is None:
                # After the text was laid out; a little of what leads to the place stays above it.
                self.call_after_refresh(view.put_at_top, max(place - ABOVE, 0))
        self._reading = key

    def _lines(self, health_item: HealthItem) -> list[TextLine]:
        head = [text_line(health_item.problem.message, Tone.BAD)]
        head += [text_line(health_item.problem.hint, Tone.DIM)] if health_item.problem.hint else []
        head.append(TextLine(""))
        session, source = self.session, health_item.source
        library = self._library or session.library
        if health_item.vanished is not None:
            return [*head, *text_lines(health_item.vanished.body.decode("utf-8", "replace"))]
        if health_item.recreated is not None:
            recreated = health_item.recreated
            places = (f"recreated in   {recreated.old}", f"memory now in  {recreated.new}")
            return [*head, *map(text_line, places)]
        if health_item.pair is not None:
            glyphs = self.remem.glyphs
            for each in (health_item.pair.first, health_item.pair.second):
                head += [*entry_lines(library, each, session.counter, glyphs), TextLine("")]
            return head
        if health_item.entry is not None:
            lines = entry_lines(library, health_item.entry, session.counter, self.remem.glyphs)
            return [*head, *lines]
        if source is None:
            return head
        # The problem stands above already.
        is_own = health_item.problem in source.problems
        return [*([] if is_own else head), *source_lines(source)]

    def targets(self) -> Sequence[Target]:
        health_item = self._item
        if health_item is None:
            return []
        return [each for each in (health_item.vanished or health_item.entry,) if each is not None]

    @property
    def _is_other_marked(self) -> bool:
        """True where marks stand for another row than the one under the cursor."""
        pane = self.query_one("#problems", LineList)
        here = pane.row.key if pane.row is not None else None
        return any(key != here for key in pane.marked)

    def why_not(self, asked: Verb) -> str | None:
        health_item = self._item
        if asked in ONE_ROW and self._is_other_marked:
            return "works on one problem at a time; `esc` clears the marks"
        if asked is FIX:
            issue = health_item.issue if health_item is not None else None
            if issue is not None and issue.verb == PERSONA_COMPACT.id:
                from remem.tui.reflect_and_compact import why_no_agent

                name = str(issue.arguments.get("persona", ""))
                return why_no_agent(self.session, f"compact {quote(name)}")
            return None if self._fixes else "no automatic fix; `enter` shows where it is"
        if asked is MERGE:
            is_pair = health_item is not None and health_item.pair is not None
            return None if is_pair else "this row is not about two duplicates"
        if asked is SUPERSEDE:
            is_pair = health_item is not None and health_item.pair is not None
            return None if is_pair else NO_CONFLICT
        if asked in (SCOPE, KEEP_BOTH):
            return None if self._clashing() is not None else NO_CONFLICT
        if asked is REJECT:
            is_lost = health_item is not None and health_item.vanished is not None
            return None if is_lost else "this row is not about a removed entry"
        if asked is EDIT and self._file is not None:
            return None
        if asked is RESTORE and health_item is not None and health_item.vanished is not None:
            return None
        return super().why_not(asked)

    @on(LineList.Opened, "#problems")
    def _open(self) -> None:
        health_item = self._item
        if health_item is None:
            return
        if health_item.entry is not None:
            self.remem.show_entry(health_item.entry.ref)
        elif health_item.role is not None:
            self.desk.choose(None, health_item.role)
            self.remem.go_to_mode("prompt")
            self.remem.agent_chosen()
        elif health_item.source is not None:
            self.desk.wanted = ("source", health_item.source.path)
            self.remem.go_to_mode("browse")
        else:
            self.call_pane(self.query_one("#where", TextView))

    async def action_restore(self) -> None:
        health_item = self._item
        if health_item is None or health_item.vanished is None:
            await super().action_restore()
        elif not self.is_unsteady():
            await self.carry_out(Intent(RESTORE.id, {health_item.vanished.ref: ""}))

    @property
    def _fixes(self) -> str:
        """What mends the row under the cursor, in a word; empty where no verb does."""
        found = self._item
        if found is None:
            return ""
        if found.vanished is not None:
            return RESTORE.title
        if found.recreated is not None:
            return PERSONA_MERGE_RECREATED.title
        if found.issue is not None and found.issue.verb:
            return verb(found.issue.verb).title
        if found.pair is None:
            return ""
        return SUPERSEDE.title if found.pair.is_contradiction else MERGE.title

    async def action_fix(self) -> None:
        health_item, reason = self._item, self.why_not(FIX)
        if health_item is None or reason:
            self.say(f"{FIX.title}: {reason or 'nothing selected'}")
        elif health_item.issue is not None and health_item.issue.verb:
            await self.mend(health_item.issue, health_item.entry)
        elif health_item.pair is not None and health_item.pair.is_contradiction:
            self._ask_which_stays(health_item.pair)
        elif health_item.pair is not None:
            await self._plan_merge(health_item.pair)
        elif self.is_unsteady():
            return
        elif health_item.vanished is not None:
            await self.show_planned(Intent(RESTORE.id, {health_item.vanished.ref: ""}))
        elif health_item.recreated is not None:
            recreated = health_item.recreated
            named: dict[str, Json] = {"persona": recreated.persona, "layout": recreated.layout}
            await self.carry_out(Intent(PERSONA_MERGE_RECREATED.id, arguments=named))

    def hint(self, verb: Verb) -> KeyHint:
        shown = super().hint(verb)
        if verb is EDIT and self._file is not None:
            return replace(shown, title="Open file")
        return replace(shown, title=self._fixes or shown.title) if verb is FIX else shown

    async def action_merge(self) -> None:
        health_item, reason = self._item, self.why_not(MERGE)
        if health_item is not None and health_item.pair is not None:
            await self._plan_merge(health_item.pair)
        else:
            self.say(f"{MERGE.title}: {reason}")

    def action_supersede(self) -> None:
        pair, reason = self._item.pair if self._item else None, self.why_not(SUPERSEDE)
        if pair is None or reason:
            self.say(f"{SUPERSEDE.title}: {reason}")
        else:
            self._ask_which_stays(pair)

    async def action_scope(self) -> None:
        clash = self._clash(SCOPE)
        if clash is not None:
            await settle_conflict.limit(self, clash)

    def action_keep_both(self) -> None:
        clash = self._clash(KEEP_BOTH)
        if clash is not None:
            settle_conflict.keep_both(self, clash)

    def _clash(self, asked: Verb) -> settle_conflict.Clash | None:
        """Return the two entries of a row that conflict, or say why a verb cannot act on them."""
        found, reason = self._clashing(), self.why_not(asked)
        if found is None or reason:
            self.say(f"{asked.title}: {reason}")
            return None
        if self.is_unsteady():
            return None
        new, other = found
        return settle_conflict.Clash(Intent(asked.id, {new.ref: new.digest}), new, [other])

    def _clashing(self) -> tuple[Entry, Entry] | None:
        """Return the two entries of the row that conflict, the one that the row is about first."""
        item = self._item
        if item is None:
            return None
        if item.pair is not None:
            both = item.pair.second, item.pair.first
            return both if item.pair.is_contradiction else None
        beside = item.issue.arguments.get(BESIDE) if item.issue is not None else None
        if item.entry is None or not isinstance(beside, str) or self._library is None:
            return None
        ref = Ref.parse(beside)
        return (item.entry, self._library.entry(ref)) if self._library.has(ref) else None

    def _ask_which_stays(self, pair: Pair) -> None:
        """Ask which of two that contradict each other stays in force, and show what that writes."""
        if self.is_unsteady():
            return
        from remem.tui.screens.choose import ChooseScreen
        from remem.views.list_rows import Choice

        library, both = self.session.library, {str(e.ref): e for e in (pair.first, pair.second)}
        choices = [Choice(ref, library.short(each.ref), each.title) for ref, each in both.items()]

        async def answer(chosen: str | None) -> None:
            if chosen:
                (old,) = (each for ref, each in both.items() if ref != chosen)
                shown = {each.ref: each.digest for each in (both[chosen], old)}
                self.saw(shown)
                await self.show_planned(Intent(SUPERSEDE.id, shown, {"instead_of": str(old.ref)}))

        self.app.push_screen(ChooseScreen("Which one to keep", choices), answer)

    async def _plan_merge(self, pair: Pair) -> None:
        """Show what merging would write; two texts are never put together unseen."""
        if self.is_unsteady():
            return
        first, second = pair.first, pair.second
        pins: dict[str, Json] = {"into": str(first.ref), INTO_SHOWN: first.digest}
        await self.show_planned(Intent(MERGE.id, {second.ref: second.digest}, pins))

    @property
    def _file(self) -> tuple[Path, int] | None:
        """The file that `e` opens, with the line, where it edits no entry."""
        item = self._item
        return self._file_of(item) if item is not None else None

    def _file_of(self, item: HealthItem) -> tuple[Path, int] | None:
        if item.vanished is not None or item.recreated is not None or item.role is not None:
            return None
        held = item.source.path if item.source is not None else None
        path = self.file_of(item.entry, item.problem.path, item.path, held)
        return (path, item.problem.line) if path is not None else None

    async def action_edit(self) -> None:
        if self._file is not None:
            await self.open_at(*self._file)
            return
        health_item, reason = self._item, self.why_not(EDIT)
        if health_item is None or health_item.entry is None or reason:
            self.say(f"{EDIT.title}: {reason or 'no entry selected'}")
            return
        await self.write_anew(health_item.entry.ref, health_item.entry.digest)

    def filter_rows(self, text: str) -> tuple[int, int]:
        words = words_of(text)
        kept = [row for row in self._rows if not row.is_header and rank(words, "", _drawn(row))]
        shown = Rows.of(kept) if text else self._rows
        problems = self.query_one("#problems", LineList)
        problems.show(shown, decided=True)
        problems.show_subtitle(self._counted(len(kept)))
        return len(kept), len(self._items)

    def _counted(self, kept: int) -> str:
        """Return how many there are, and how many of them a filter leaves."""
        about = "" if self._is_whole else "≈"
        total = f"{about}{count(len(self._items), 'problem')}"
        reading = "" if self._is_whole else ", still reading …"
        return f"{kept:,} of {total}{reading}" if self._filter else f"{total}{reading}"

    def texts_to_copy(self) -> str:
        lines: list[str] = []
        for row in self.query_one("#problems", LineList).rows:
            text = "".join(part.text for part in row.label)
            lines.append(f"\n## {text}" if row.is_header else f"- {text}")
        return "\n".join(lines).strip()
