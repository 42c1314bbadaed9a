"""Health: what is wrong, where, and the verb that mends it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType

from remem.base.assets import asset_dir
from remem.base.frozen import dataclass
from remem.core.conflict import INTO_SHOWN
from remem.core.library import Library
from remem.core.plugins.contract import CODE as PLUG_IN
from remem.core.relation.pairs import Pair
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import ARCHIVE, EDIT, MERGE, REJECT, RESTORE, SUPERSEDE, verb
from remem.model.change import Intent, Json
from remem.systems.personas.persona_verbs import PERSONA_ABSORB
from remem.tui.content import content
from remem.tui.screens.deciding import Target
from remem.tui.screens.mending import MendingScreen
from remem.tui.verbs import COPY, FILTER, FIX, OPEN, UNDO, WHO, bindings, key_shown
from remem.tui.widgets.key_bar import KeyHint
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.line_view import empty_text
from remem.tui.widgets.text_view import TextView
from remem.views.document import TextLine, text_line, text_lines
from remem.views.entries import SOON
from remem.views.entry import ABOVE, entry_lines, problem_line, source_lines
from remem.views.health import Ailment, ailments
from remem.views.paths import label
from remem.views.rows import Row, Rows
from remem.views.spans import Span, Tone, span


@dataclass(frozen=True, slots=True)
class _Found:
    library: Library
    ailments: list[Ailment]
    is_whole: bool


class HealthScreen(MendingScreen):
    """Shows every problem, the ones that stop writing first."""

    CSS_PATH = asset_dir("styles") / "health.tcss"
    NUMBER = 5
    VERBS: ClassVar[tuple[Verb, ...]] = (
        OPEN, FIX, EDIT, ARCHIVE, RESTORE, MERGE, SUPERSEDE, REJECT, FILTER, COPY, UNDO, WHO,
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [*bindings((WHO,))]

    def __init__(self) -> None:
        super().__init__()
        self._ailments: dict[Hashable, Ailment] = {}
        self._library: Library | None = None
        """The snapshot that they were found in."""
        self._rows = Rows.of(())
        self._reading: Hashable = None
        """What the detail shows, so that a refresh of the same keeps its place."""
        self._is_whole = False
        """Everything was read before they were looked for."""

    def compose_panes(self) -> ComposeResult:
        empty = empty_text("nothing wrong was found", "0", "goes to the start")
        problems = LineList(id="problems", classes="pane pane-list", empty=empty)
        problems.border_title = content("problems")
        yield problems
        where = TextView(id="where", classes="pane pane-detail", numbers=True)
        where.border_title = content("where")
        yield where

    def load(self) -> _Found:
        session, library = self.session, self.session.library
        is_small = sum(len(source.entries) for source in library.sources) <= SOON
        thorough = is_small or library.is_complete
        return _Found(library, ailments(session, session.agents(), thorough=thorough), thorough)

    def fill(self, data: _Found, *, own: bool) -> None:
        self._library = data.library
        self._ailments = {ailment.key: ailment for ailment in data.ailments}
        self._rows = Rows.of([*self._grouped()])
        problems = self.query_one("#problems", LineList)
        self._is_whole = data.is_whole
        if self._filter:
            self.set_filter(self._filter)
        else:
            problems.show(self._rows, decided=own)
            problems.show_subtitle(self._counted(len(self._ailments)))
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
        groups: dict[str, list[Ailment]] = {}
        for ailment in self._ailments.values():
            groups.setdefault(self._group(ailment), []).append(ailment)
        for name, found in groups.items():
            right = (span(f"{len(found)}", Tone.DIM),)
            yield Row(("group", name), (span(name),), right=right, is_header=True)
            yield from map(self._row, found)

    def _group(self, ailment: Ailment) -> str:
        if ailment.path is not None:
            return label(self.session, ailment.path)
        if ailment.problem.code == PLUG_IN:
            return "plug-ins"
        return "budgets" if ailment.role is not None else "settings"

    def _row(self, ailment: Ailment) -> Row:
        problem = ailment.problem
        sign = Span("‼", Tone.BAD) if problem.blocks_writing else Span("!", Tone.WARN)
        line = f"line {problem.line}  " if problem.line else ""
        key, does = self._mends(ailment)
        right = (span(line, Tone.DIM), Span(key, Tone.KEY), Span(f" {does}", Tone.DIM))
        return Row(ailment.key, (span(problem.message),), sign, right)

    def _mends(self, ailment: Ailment) -> tuple[str, str]:
        """Return the key that mends it, or leads to where it is mended, and what it does."""
        if ailment.vanished is not None:
            return key_shown(FIX, self.remem.keys), RESTORE.title
        if ailment.ghost is not None:
            return key_shown(FIX, self.remem.keys), PERSONA_ABSORB.title
        if ailment.pair is not None:
            does = SUPERSEDE if ailment.pair.is_contradiction else MERGE
            return key_shown(does, self.remem.keys), does.title
        if ailment.worry is not None and ailment.worry.verb:
            return key_shown(FIX, self.remem.keys), verb(ailment.worry.verb).title
        if ailment.entry is not None:
            blocked = EDIT.why_not(self.session.library, ailment.entry)
            return ("enter", "Show") if blocked else (key_shown(EDIT, self.remem.keys), EDIT.title)
        if ailment.role is not None:
            return ("enter", "Prompt")
        return ("enter", "Browse") if ailment.source is not None else ("enter", "Show")

    @property
    def _ailment(self) -> Ailment | None:
        row = self.query_one("#problems", LineList).row
        return self._ailments.get(row.key) if row is not None else None

    @on(LineList.Highlighted, "#problems")
    def _show_where(self) -> None:
        view = self.query_one("#where", TextView)
        ailment = self._ailment
        key = ailment.key if ailment is not None else None
        view.show(self._lines(ailment) if ailment is not None else (), fresh=key != self._reading)
        if ailment is not None and key != self._reading:
            place = problem_line(view.lines, ailment.problem)
            if place is not None and ailment.entry is None:
                # After the text was laid out; a little of what leads to the place stays above it.
                self.call_after_refresh(view.put_at_top, max(place - ABOVE, 0))
        self._reading = key

    def _lines(self, ailment: Ailment) -> list[TextLine]:
        head = [text_line(ailment.problem.message, Tone.BAD)]
        head += [text_line(ailment.problem.hint, Tone.DIM)] if ailment.problem.hint else []
        head.append(TextLine(""))
        session, source = self.session, ailment.source
        library = self._library or session.library
        if ailment.vanished is not None:
            return [*head, *text_lines(ailment.vanished.body.decode("utf-8", "replace"))]
        if ailment.ghost is not None:
            ghost = ailment.ghost
            places = (f"made again  {ghost.old}", f"its memory  {ghost.new}")
            return [*head, *map(text_line, places)]
        if ailment.pair is not None:
            glyphs = self.remem.glyphs
            for each in (ailment.pair.first, ailment.pair.second):
                head += [*entry_lines(library, each, session.counter, glyphs), TextLine("")]
            return head
        if ailment.entry is not None:
            lines = entry_lines(library, ailment.entry, session.counter, self.remem.glyphs)
            return [*head, *lines]
        if source is None:
            return head
        # The problem stands above already.
        is_own = ailment.problem in source.problems
        return [*([] if is_own else head), *source_lines(source)]

    def targets(self) -> Sequence[Target]:
        ailment = self._ailment
        if ailment is None:
            return []
        return [each for each in (ailment.vanished or ailment.entry,) if each is not None]

    def why_not(self, asked: Verb) -> str | None:
        ailment = self._ailment
        if asked is FIX:
            return None if self._fixes else "no key mends this; `enter` shows where it is"
        if asked is MERGE:
            is_pair = ailment is not None and ailment.pair is not None
            return None if is_pair else "there are no two entries here that say the same"
        if asked is SUPERSEDE:
            is_pair = ailment is not None and ailment.pair is not None
            return None if is_pair else "there are no two entries here that say otherwise"
        if asked is REJECT:
            is_lost = ailment is not None and ailment.vanished is not None
            return None if is_lost else "nothing that vanished is under the cursor"
        if asked is RESTORE and ailment is not None and ailment.vanished is not None:
            return None
        return super().why_not(asked)

    @on(LineList.Opened, "#problems")
    def _open(self) -> None:
        ailment = self._ailment
        if ailment is None:
            return
        if ailment.entry is not None:
            self.remem.show_entry(ailment.entry.ref)
        elif ailment.role is not None:
            self.desk.choose(None, ailment.role)
            self.remem.go_to_mode("prompt")
            self.remem.agent_chosen()
        elif ailment.source is not None:
            self.desk.wanted = ("source", ailment.source.path)
            self.remem.go_to_mode("browse")
        else:
            self.call_pane(self.query_one("#where", TextView))

    async def action_restore(self) -> None:
        ailment = self._ailment
        if ailment is None or ailment.vanished is None:
            await super().action_restore()
        elif not self.is_unsteady():
            await self.carry_out(Intent(RESTORE.id, {ailment.vanished.ref: ""}))

    @property
    def _fixes(self) -> str:
        """What mends the row under the cursor, in a word; empty where no verb does."""
        found = self._ailment
        if found is None:
            return ""
        if found.vanished is not None:
            return RESTORE.title
        if found.ghost is not None:
            return PERSONA_ABSORB.title
        if found.worry is not None and found.worry.verb:
            return verb(found.worry.verb).title
        if found.pair is None:
            return ""
        return SUPERSEDE.title if found.pair.is_contradiction else MERGE.title

    async def action_fix(self) -> None:
        ailment, reason = self._ailment, self.why_not(FIX)
        if ailment is None or reason:
            self.say(f"{FIX.title}: {reason or 'there is nothing under the cursor'}")
        elif ailment.worry is not None and ailment.worry.verb:
            await self.mend(ailment.worry, ailment.entry)
        elif ailment.pair is not None and ailment.pair.is_contradiction:
            self._ask_which_stays(ailment.pair)
        elif ailment.pair is not None:
            await self._plan_merge(ailment.pair)
        elif self.is_unsteady():
            return
        elif ailment.vanished is not None:
            await self.show_planned(Intent(RESTORE.id, {ailment.vanished.ref: ""}))
        elif ailment.ghost is not None:
            ghost = ailment.ghost
            named: dict[str, Json] = {"persona": ghost.persona, "layout": ghost.layout}
            await self.carry_out(Intent(PERSONA_ABSORB.id, arguments=named))

    def hint(self, verb: Verb) -> KeyHint:
        shown = super().hint(verb)
        return replace(shown, title=self._fixes or shown.title) if verb is FIX else shown

    async def action_merge(self) -> None:
        ailment, reason = self._ailment, self.why_not(MERGE)
        if ailment is not None and ailment.pair is not None:
            await self._plan_merge(ailment.pair)
        else:
            self.say(f"{MERGE.title}: {reason}")

    def action_supersede(self) -> None:
        pair, reason = self._ailment.pair if self._ailment else None, self.why_not(SUPERSEDE)
        if pair is None or reason:
            self.say(f"{SUPERSEDE.title}: {reason}")
        else:
            self._ask_which_stays(pair)

    def _ask_which_stays(self, pair: Pair) -> None:
        """Ask which of two that contradict each other stays in force, and show what that writes."""
        if self.is_unsteady():
            return
        from remem.tui.screens.choose import ChooseScreen
        from remem.views.choice import Choice

        library, both = self.session.library, {str(e.ref): e for e in (pair.first, pair.second)}
        choices = [Choice(ref, library.short(each.ref), each.title) for ref, each in both.items()]

        async def answer(chosen: str | None) -> None:
            if chosen:
                (old,) = (each for ref, each in both.items() if ref != chosen)
                shown = {each.ref: each.digest for each in (both[chosen], old)}
                self.saw(shown)
                await self.show_planned(Intent(SUPERSEDE.id, shown, {"instead_of": str(old.ref)}))

        self.app.push_screen(ChooseScreen("Which one stays in force", choices), answer)

    async def _plan_merge(self, pair: Pair) -> None:
        """Show what merging would write; two texts are never put together unseen."""
        if self.is_unsteady():
            return
        first, second = pair.first, pair.second
        pins: dict[str, Json] = {"into": str(first.ref), INTO_SHOWN: first.digest}
        await self.show_planned(Intent(MERGE.id, {second.ref: second.digest}, pins))

    async def action_edit(self) -> None:
        ailment, reason = self._ailment, self.why_not(EDIT)
        if ailment is None or ailment.entry is None or reason:
            self.say(f"{EDIT.title}: {reason or 'there is no entry under the cursor'}")
            return
        await self.write_anew(ailment.entry.ref, ailment.entry.digest)

    def filter_rows(self, text: str) -> tuple[int, int]:
        kept = [
            row
            for row in self._rows
            if not row.is_header and text.lower() in row.label[0].text.lower()
        ]
        shown = Rows.of(kept) if text else self._rows
        problems = self.query_one("#problems", LineList)
        problems.show(shown, decided=True)
        problems.show_subtitle(self._counted(len(kept)))
        return len(kept), len(self._ailments)

    def _counted(self, kept: int) -> str:
        """Return how many there are, and how many of them a filter leaves."""
        total = f"{'' if self._is_whole else '≈'}{len(self._ailments):,}"
        reading = "" if self._is_whole else ", still reading …"
        return f"{kept:,} of {total}{reading}" if self._filter else f"{total}{reading}"

    def texts_to_copy(self) -> str:
        lines: list[str] = []
        for row in self.query_one("#problems", LineList).rows:
            text = "".join(part.text for part in row.label)
            lines.append(f"\n## {text}" if row.is_header else f"- {text}")
        return "\n".join(lines).strip()
