"""Start: who starts with what, the five things most worth a look, and how it grew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.worker import get_current_worker

from remem.base.assets import asset_dir
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import EDIT, verb
from remem.core.waiting.kinds import UNREVIEWED
from remem.tui.content import content
from remem.tui.screens.team import TEAM_VERBS, TeamScreen
from remem.tui.verbs import (
    AGAIN,
    COPY,
    EVERYWHERE,
    FILTER,
    FIX,
    OPEN,
    TEAM,
    UI_VERBS,
    UNDO,
    key_shown,
)
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.line_view import empty_text
from remem.tui.widgets.text_view import TextView
from remem.views.list_rows import Row, Rows
from remem.views.spans import Span
from remem.views.start import (
    Depth,
    Overview,
    agent_lines,
    as_markdown,
    beside,
    finding_lines,
    first_overview,
    key_of,
    overview,
    role_lines,
    start_rows,
    worth_rows,
)

if TYPE_CHECKING:
    from remem.core.checks.attention import Finding
    from remem.core.prompt.agents import Agent
    from remem.model.entry import Entry
    from remem.model.trend import Growth
    from remem.tui.screens.deciding import Target
    from remem.views.long_text import TextLine


_WHO: Final = "Context at startup"


class StartScreen(TeamScreen):
    """The first look at a root."""

    CSS_PATH = asset_dir("styles") / "start.tcss"
    NUMBER = 0
    FILTERS = "filter rows"
    VERBS: ClassVar[tuple[Verb, ...]] = (
        OPEN, TEAM, FIX, EDIT, FILTER, EVERYWHERE, COPY, UNDO, *TEAM_VERBS,
    )  # fmt: skip

    @dataclass
    class Grew(Message):
        """One more commit was looked at."""

        growth: Growth

    def __init__(self) -> None:
        super().__init__()
        self._overview: Overview | None = None
        self._growth: Growth | None = None
        self._grown_on: object = None
        """How git stood, and how it was counted, when the history was last looked at."""
        self._is_on_worth = False
        """The list of findings had the focus after that of the agents."""
        self._rows = Rows.of(())

    def compose_panes(self) -> ComposeResult:
        with Vertical(id="overview"):
            empty = empty_text("no agent and no memory was found here", "1 i", "adds a first entry")
            who = LineList(id="who", classes="pane pane-list", empty=empty)
            who.border_title = content(_WHO)
            yield who
            calm = empty_text("nothing urgent", "5", "lists every problem")
            worth = LineList(id="worth", classes="pane", empty=calm)
            worth.border_title = content("Needs attention")
            yield worth
        files = TextView(id="files", classes="pane pane-detail", numbers=True)
        files.border_title = content("Loaded files")
        yield files

    def load(self) -> Overview:
        self.load_team()
        session, shown = self.session, self._overview
        if shown is None:
            return first_overview(session)
        if not session.library.is_complete:
            return overview(session, Depth.AGENTS)
        if shown.is_whole:
            return overview(session, Depth.ROLES, growth=self._growth)
        if shown.found is None:
            return overview(session, Depth.FINDINGS, growth=self._growth)
        is_same = (self._shown, self._stamp) == (session.library.number, self.stamp)
        known = shown.found if is_same else None
        return overview(session, Depth.ROLES, growth=self._growth, known=known)

    def fill(self, data: Overview, *, own: bool) -> None:
        is_first = self._overview is None
        self._overview = data
        self._show_all()
        if data.is_whole:
            self._look_back()
        elif data.found is not None or (is_first and self.remem.is_read):
            self.renew_later(own=False)  # the rest: nothing more is told to who is gone to later

    def after_first_frame(self) -> None:
        if self._overview is not None and not self._overview.agents:
            self.renew_later(own=False)

    def _show_all(self) -> None:
        if self._overview is None:
            return
        exact = self.session.counter.exact
        glyphs = self.remem.glyphs
        self._rows = (
            self.team_rows()
            if self._is_team
            else start_rows(
                self._overview,
                glyphs,
                self._now(),
                exact=exact,
                settled=exact or self.remem.is_counted,
            )
        )
        if self._is_team:
            self.query_one("#who", LineList).border_title = content(self.team_title())
        else:
            title = f"{_WHO}{beside(self.session.library)}"
            self.query_one("#who", LineList).border_title = content(title)
        if self._filter:
            self.set_filter(self._filter)
        else:
            self.query_one("#who", LineList).show(self._rows, decided=True)
        self.begin_at_first()
        found = self._overview.found
        keys = [self._mends(each) for each in found.first] if found is not None else []
        worth = self.query_one("#worth", LineList)
        worth.show(worth_rows(found, keys), decided=True)
        more = found.more if found is not None else 0
        # Health lists more than what ranks here, so its rows are not what this list leaves out.
        worth.border_subtitle = content(
            f"and {more:,} more · Health lists minor ones too" if more else ""
        )
        self._show_detail(fresh=False)

    def in_footer(self) -> tuple[Verb, ...]:
        """Offer what acts on the team before all else, where that is shown."""
        if not self._is_team:
            return self.VERBS
        return (
            OPEN,
            *TEAM_VERBS,
            *(verb for verb in self.VERBS if verb not in (OPEN, *TEAM_VERBS)),
        )

    def _now(self) -> Growth | None:
        """Return the history with what everyone starts with now at its end."""
        growth, found = self._growth, self._overview
        if growth is None or found is None or not growth.points or not found.is_whole:
            return growth
        from remem.model.trend import Point

        last = growth.points[-1]
        return replace(growth, points=(*growth.points[:-1], Point(last.day, dict(found.starters))))

    def _look_back(self) -> None:
        """Look at the history once, and again when git moved or tokens are counted otherwise."""
        from remem.code import git

        stands = (git.state(self.session.disk, self.session.root), self.session.counter.exact)
        if stands != self._grown_on:
            self._grown_on = stands
            self._grow()

    @work(thread=True, exclusive=True, group="growth", exit_on_error=False)
    def _grow(self) -> None:
        worker = get_current_worker()
        for growth in self.session.growing():
            if worker.is_cancelled:
                return
            self.post_message(self.Grew(growth))

    @on(Grew)
    def _take_growth(self, message: Grew) -> None:
        self._growth = message.growth
        files = self.query_one("#files", TextView)
        if message.growth.is_whole:
            files.border_subtitle = content("")
            self.renew_later(own=False)
        else:
            told = f"history: {message.growth.done} of {message.growth.planned} · esc to stop"
            files.border_subtitle = content(told)
            self._show_all()

    def action_leave(self) -> None:
        """Stop looking back first; what was found of the history stays."""
        stopped = self.workers.cancel_group(self, "growth")
        if any(not worker.is_finished for worker in stopped):
            self.query_one("#files", TextView).border_subtitle = content("history: stopped")
            return
        super().action_leave()

    @property
    def list_pane(self) -> LineList:
        """The list that had the focus last and holds something; that of the agents at first."""
        worth = self.query_one("#worth", LineList)
        return worth if self._is_on_worth and worth.row else self.query_one("#who", LineList)

    @property
    def _row(self) -> Row | None:
        return self.list_pane.row

    @property
    def _agent(self) -> Agent | None:
        if self._row is None or self._overview is None:
            return None
        match self._row.key:
            case ("agent", str(layout), str(name)):
                found = self._overview.agents
                return next((a for a in found if (a.layout, a.name) == (layout, name)), None)
            case _:
                return None

    @property
    def _finding(self) -> Finding | None:
        found = self._overview.found if self._overview is not None else None
        if self._row is None or found is None:
            return None
        match self._row.key:
            case ("worth", key):
                return next((each for each in found.first if key_of(each) == key), None)
            case _:
                return None

    @on(LineList.Highlighted)
    def _follow_cursor(self) -> None:
        finding = self._finding
        # The screen's digit then leads to what the cursor is on.
        self.desk.wanted = key_of(finding) if finding is not None else None
        self._show_detail(fresh=True)

    @on(events.DescendantFocus)
    def _follow_focus(self, event: events.DescendantFocus) -> None:
        if isinstance(event.widget, LineList):
            self._is_on_worth = event.widget.id == "worth"
            self._follow_cursor()
            self.refresh_bars()

    @on(TextView.Resized)
    def _lay_out(self) -> None:
        self._show_detail(fresh=False)

    def _show_detail(self, *, fresh: bool) -> None:
        files = self.query_one("#files", TextView)
        is_finding = self._finding is not None
        files.border_title = content("Details" if is_finding or self._is_team else "Loaded files")
        files.show(self._detail_lines(), fresh=fresh)

    def _detail_lines(self) -> list[TextLine]:
        session, glyphs, growth = self.session, self.remem.glyphs, self._now()
        agent, finding = self._agent, self._finding
        columns = self.query_one("#files", TextView).sure_width
        member = self.member_at(self._row.key) if self._row is not None else None
        if member is not None:
            return self.team_lines(member)
        log = self.log_at(self._row.key) if self._row is not None and self._is_team else None
        if log is not None:
            from remem.views.team import decisions_lines

            return decisions_lines(log)
        if agent is not None:
            return agent_lines(session, agent, growth, glyphs, columns)
        if finding is not None:
            return finding_lines(session, finding, growth, glyphs, columns)
        match self._row.key if self._row is not None else None:
            case ("role", str(role)):
                return role_lines(role, growth, glyphs, columns)
            case _:
                return []

    def _mends(self, finding: Finding) -> tuple[str, str]:
        """Return the key that mends a finding, or opens where it is, and what that does."""
        issue = finding.issue
        if issue is not None and issue.verb:
            return key_shown(FIX, self.remem.keys), verb(issue.verb).title
        entry = self._entry_of(finding)
        if entry is not None and not EDIT.why_not(self.session.library, entry):
            return key_shown(EDIT, self.remem.keys), EDIT.title
        if self._file_of(finding) is not None:
            return key_shown(EDIT, self.remem.keys), "Open file"
        if finding.kind == UNREVIEWED:
            return "enter", "Review"
        if finding.agent is not None:
            return "enter", "Prompt"
        return "enter", "Browse" if entry is not None or finding.path is not None else "Health"

    def _entry_of(self, finding: Finding | None) -> Entry | None:
        ref = finding.ref if finding is not None else None
        library = self.session.library
        return library.entry(ref) if ref is not None and library.has(ref) else None

    def targets(self) -> Sequence[Target]:
        entry = self._entry_of(self._finding)
        return [entry] if entry is not None else []

    def why_not(self, asked: Verb) -> str | None:
        finding = self._finding
        if asked is FIX:
            can = finding is not None and finding.issue is not None and finding.issue.verb
            return None if can else "no automatic fix; `enter` shows where it is"
        if asked in TEAM_VERBS:
            return super().why_not(asked)
        if asked not in (EDIT, AGAIN) and (asked in self.VERBS or asked in UI_VERBS):
            return None
        if asked is EDIT and (self._file is not None or self.targets()):
            return None if self._file is not None else super().why_not(asked)
        return "no entry selected"

    async def action_fix(self) -> None:
        finding, reason = self._finding, self.why_not(FIX)
        if finding is None or finding.issue is None or reason:
            self.say(f"{FIX.title}: {reason}")
            return
        await self.mend(finding.issue, self._entry_of(finding))

    @property
    def _file(self) -> tuple[Path, int] | None:
        """The file that `e` opens, with the line, where it edits no entry."""
        finding = self._finding
        return self._file_of(finding) if finding is not None else None

    def _file_of(self, finding: Finding) -> tuple[Path, int] | None:
        if not finding.problem.blocks_writing:
            return None
        path = self.file_of(self._entry_of(finding), finding.problem.path, finding.path)
        return (path, finding.problem.line) if path is not None else None

    async def action_edit(self) -> None:
        if self._file is not None:
            await self.open_at(*self._file)
            return
        reason, found = self.why_not(EDIT), self.targets()
        if reason or not found:
            self.say(f"{EDIT.title}: {reason}")
            return
        await self.write_anew(found[0].ref, found[0].digest)

    @on(LineList.Opened)
    def _open(self, message: LineList.Opened) -> None:
        finding = self._finding
        match message.row.key:
            case ("agent", _, _):
                self._to_prompt(self._agent)
            case ("persona", _, _):
                self.desk.wanted = message.row.key
                self.remem.go_to_mode("browse")
            case ("decisions", _, _):
                log = self.log_at(message.row.key)
                self.desk.wanted = ("source", log.source.path) if log is not None else None
                self.remem.go_to_mode("browse")
            case ("role", str(role)):
                self._to_prompt(None, role)
            case ("worth", _) if finding is not None:
                self._go_to_finding(finding)
            case _:
                self.call_pane(self.query_one("#files", TextView))

    def _go_to_finding(self, finding: Finding) -> None:
        """Go to where it is: the agent's start, the entry, or its file."""
        if finding.kind == UNREVIEWED:
            self.desk.wanted = (UNREVIEWED, finding.path)
            self.remem.go_to_mode("review")
        elif finding.agent is not None:
            self._to_prompt(finding.agent)
        elif finding.ref is not None and self.session.library.has(finding.ref):
            self.remem.show_entry(finding.ref)
        elif finding.path is not None:
            self.desk.wanted = ("source", finding.path)
            self.remem.go_to_mode("browse")
        else:
            self.remem.go_to_mode("health")

    def take_to_prompt(self) -> None:
        agent = self._agent or (self._finding.agent if self._finding is not None else None)
        match self._row.key if self._row is not None else None:
            case ("role", str(role)):
                self.desk.choose(None, role)
            case _ if agent is not None:
                self.desk.choose(agent)
            case _:
                return
        self.remem.agent_chosen()

    def _to_prompt(self, agent: Agent | None, role: str = "") -> None:
        self.desk.wanted = None
        self.desk.choose(agent, role)
        self.remem.go_to_mode("prompt")
        self.remem.agent_chosen()

    def action_show_zoom(self) -> None:
        super().action_show_zoom()
        # What holds both lists takes no room where the detail is alone.
        is_alone = self.query_one("#files").has_class("-zoomed")
        self.query_one("#overview").set_class(is_alone, "-away")

    def refresh_team(self) -> None:
        self._show_all()

    @property
    def filtered_pane(self) -> LineList:
        return self.query_one("#who", LineList)

    def filter_rows(self, text: str) -> tuple[int, int]:
        every = [*self._rows]
        found = [n for n, row in enumerate(every) if not row.is_header and _holds(row.label, text)]
        heads = [n for n, row in enumerate(every) if row.stays] if found else []
        # What is hidden keeps its mark.
        shown = self._rows.narrowed(sorted({*heads, *found})) if text else self._rows
        total = sum(not row.is_header for row in self._rows)
        self.filtered_pane.show(shown, decided=True)
        who = count(total, "row") if self._is_team else f"{total:,} agents and roles"
        self.filtered_pane.show_subtitle(f"{len(found):,} of {who}" if text else "")
        return len(found), total

    def texts_to_copy(self) -> str:
        if self._overview is None:
            return ""
        return as_markdown(self._overview, self.session.root.name, self._now())


def _holds(parts: tuple[Span, ...], text: str) -> bool:
    return text.lower() in "".join(part.text for part in parts).lower()
