"""The team on Start: everyone in a table that is ordered, filtered and marked.

What is decided on the marked ones is one change. What the table says comes from the system.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.widget import Widget

from remem.base.errors import RememError
from remem.base.text import count
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import ARCHIVE, MERGE, RESTORE
from remem.model.change import Intent, Json
from remem.model.roles import persona_key
from remem.systems.personas.persona_verbs import (
    PERSONA_ARCHIVE,
    PERSONA_COMPACT,
    PERSONA_MERGE,
    PERSONA_RENAME,
    PERSONA_RESTORE,
    SECTIONS_ARCHIVE,
)
from remem.tui.screens.fixing import FixingScreen
from remem.tui.screens.renaming import RenamingScreen
from remem.tui.verbs import ARCHIVE_OLD, ORDER, PACK_EXPORT, TEAM, UNDO, bindings, key_shown
from remem.tui.widgets.input_line import Purpose, Question
from remem.tui.widgets.key_bar import KeyHint
from remem.tui.widgets.line_list import LineList
from remem.views.list_rows import Rows

if TYPE_CHECKING:
    from remem.systems.personas.team.team_table import Decisions, Line, Member
    from remem.views.long_text import TextLine

_OLD = "Archive old sections"
_EXPORT = "export personas"
_PAIR = 2
_SIGNS = 5
"""Cells of a row before its name."""
_ACTS = (ARCHIVE, RESTORE, PERSONA_RENAME, MERGE, ARCHIVE_OLD, PERSONA_COMPACT, PACK_EXPORT)
TEAM_VERBS = (*_ACTS, ORDER)
"""What acts on the team alone."""


class TeamScreen(FixingScreen, RenamingScreen):
    """Switches its list of agents to the table of the team, and back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings((TEAM, ARCHIVE_OLD, ORDER, PERSONA_COMPACT, PACK_EXPORT))
    ]

    def __init__(self) -> None:
        super().__init__()
        self._is_team = False
        self._members: tuple[Member, ...] = ()
        self._is_gathered = False
        self._logs: tuple[Decisions, ...] = ()
        self._sort = "name"
        self._is_fresh = False
        """The table was asked for, and its first row has not been shown yet."""

    def panes_here(self) -> list[Widget]:
        panes = super().panes_here()
        return [pane for pane in panes if not (self._is_team and pane.id == "worth")]

    def load_team(self) -> None:
        """Gather the table, where it is shown; a thread's."""
        if self._is_team:
            from remem.systems.personas.team.team_table import decisions, team

            session = self.session
            counter = session.load_counter()
            # What the inbox knows as reviewed is not new, whoever wrote the file.
            self._members = team(session.library, counter)
            self._logs = decisions(session.library, counter)
            self._is_gathered = True

    def team_rows(self) -> Rows:
        """Return the table in its order."""
        from remem.systems.personas.team.team_table import ordered
        from remem.views.team import team_rows

        width = self.query_one("#who", LineList).line_width or self.size.width
        lines: Sequence[Line] = (*self._members, *self._logs) if self._members else ()
        in_order = ordered(lines, self._sort)
        return team_rows(in_order, self._sort, width - _SIGNS, is_read=self._is_gathered)

    def team_title(self) -> str:
        """Return what stands above the table: that it is one, and how to go back."""
        from remem.views.team import until

        growth = f" · growth up to {day}" if (day := until(self._members)) else ""
        return f"Team{growth} · {key_shown(TEAM, self.remem.keys)} back to agents"

    @on(events.Resize)
    def _fit_team(self) -> None:
        """Draw the columns that fit the new width."""
        if self._is_team:
            self.call_after_refresh(self.refresh_team)

    def open_team(self) -> None:
        """Show the table, where it is not shown yet."""
        if not self._is_team:
            self.action_show_team()

    def come_again(self) -> None:
        if self._is_team:
            self.action_show_team()

    def hint(self, verb: Verb) -> KeyHint:
        shown = super().hint(verb)
        return replace(shown, title="Agents") if verb is TEAM and self._is_team else shown

    def action_show_team(self) -> None:
        """Switch between the agents and the team."""
        self._is_team = self._is_fresh = not self._is_team
        who = self.query_one("#who", LineList)
        who.clear_marks()
        # The table takes the place of what is worth a look: thirty rows want it, and the cursor.
        self.query_one("#worth", LineList).display = not self._is_team
        self.set_class(self._is_team, "is-team")
        self.call_pane(who)
        self.refresh_team()
        self.refresh_bars()
        self.renew_later(own=True)

    def begin_at_first(self) -> None:
        """Put the cursor on the first of the team when the table comes."""
        who = self.query_one("#who", LineList)
        if self._is_fresh and self._members:
            self._is_fresh = False
            who.action_move_first()

    def action_show_order(self) -> None:
        """Ask for an order; the cursor is on the one after that of now."""
        reason = self.why_not(ORDER)
        if reason:
            self.say(f"{ORDER.title}: {reason}")
            return
        from remem.tui.screens.choose import ChooseScreen
        from remem.views.team import order_choices

        choices = order_choices(self._sort)
        orders = [each.id for each in choices]
        after = orders[(orders.index(self._sort) + 1) % len(orders)]
        self.app.push_screen(ChooseScreen("Sort the team by", choices, at=after), self._order_by)

    def _order_by(self, chosen: str | None) -> None:
        if chosen is not None:
            self._sort = chosen
            self.refresh_team()
            self.query_one("#who", LineList).action_move_first()

    def refresh_team(self) -> None:
        """Show the table anew."""
        raise NotImplementedError

    def member_at(self, key: Hashable) -> Member | None:
        """Return whose row that is."""
        found = (m for m in self._members if key == ("persona", m.persona.name, m.persona.folder))
        return next(found, None) if self._is_team else None

    def log_at(self, key: Hashable) -> Decisions | None:
        """Return the team's decisions that have that row."""
        return next((each for each in self._logs if key == each.key), None)

    @property
    def _log(self) -> Decisions | None:
        """The team's decisions, where the cursor is on them and nobody is marked."""
        who = self.query_one("#who", LineList)
        is_there = self._is_team and self.list_pane is who and who.row is not None
        return self.log_at(who.row.key) if is_there and who.row and not who.marked else None

    @property
    def team_targets(self) -> Sequence[Member]:
        """The marked ones, else the one under the cursor."""
        who = self.query_one("#who", LineList)
        if not self._is_team or self.list_pane is not who:
            return ()
        keys = who.marked or ((who.row.key,) if who.row is not None else ())
        return [m for m in map(self.member_at, keys) if m is not None]

    def team_lines(self, member: Member) -> list[TextLine]:
        """Return who somebody is, for the pane beside the table."""
        from remem.views.entries.entry_details import persona_lines
        from remem.views.team import start_lines

        session, glyphs = self.session, self.remem.glyphs
        lines = persona_lines(member.persona, session.library, session.counter, glyphs)
        return [*lines, *start_lines(session, member, glyphs)]

    def meant(self, verb: Verb) -> Verb:
        if not self._is_team:
            return super().meant(verb)
        whole: dict[Verb, Verb] = {
            ARCHIVE: PERSONA_ARCHIVE,
            RESTORE: PERSONA_RESTORE,
            MERGE: PERSONA_MERGE,
        }
        return whole.get(verb) or super().meant(verb)

    def why_not(self, asked: Verb) -> str | None:
        if asked is ORDER:
            return None if self._is_team else "only the team table can be sorted"
        if asked not in _ACTS:
            return super().why_not(asked)
        if self._log is not None:
            if asked is ARCHIVE_OLD:
                return None
            key = key_shown(ARCHIVE_OLD, self.remem.keys)
            return f"works on personas; {key} archives old decisions"
        found = self.team_targets
        if self._is_team and not self._members:
            from remem.views.team import NOBODY

            return f"{NOBODY} here" if self._is_gathered else "the team is still being read"
        if not found:
            return "press `E` and select a persona in the team table"
        archived = [m.persona.archived for m in found]
        if asked is RESTORE:
            return None if all(archived) else "it is not archived"
        if any(archived):
            return "it is archived; restore it first"
        if asked is PERSONA_RENAME and len(found) > 1:
            return "works on one persona at a time"
        if asked is MERGE:
            return self._why_no_merge(found)
        if asked is PERSONA_COMPACT:
            return self._why_no_compacting(found)
        return None

    def _why_no_compacting(self, found: Sequence[Member]) -> str | None:
        from remem.tui import reflect_and_compact

        library = self.session.library
        if len(found) == 1:
            short = reflect_and_compact.why_not_compact(library, found[0].persona.name, "")
            if short:
                return short
        return reflect_and_compact.why_no_agent(
            self.session, f"compact {quote(found[0].persona.name)}"
        )

    def _why_no_merge(self, found: Sequence[Member]) -> str | None:
        if len(found) > _PAIR:
            return "mark the one that goes and the one that takes its memory, no more"
        return None if all(each.persona.sources for each in found) else "it has no memory"

    async def action_archive(self) -> None:
        await self._together(ARCHIVE, PERSONA_ARCHIVE)

    async def action_restore(self) -> None:
        await self._together(RESTORE, PERSONA_RESTORE)

    async def _together(self, asked: Verb, does: Verb, **more: Json) -> None:
        reason = self.why_not(asked)
        if reason:
            self.say(f"{does.title}: {reason}")
        elif not self.is_unsteady():
            names = [m.name for m in self.team_targets]
            told: dict[str, Json] = {"persona": names[0], **more}
            told |= {"others": [*names[1:]]} if names[1:] else {}
            await self.carry_out(Intent(does.id, {}, told))

    def action_persona_rename(self) -> None:
        reason = self.why_not(PERSONA_RENAME)
        if reason:
            self.say(f"{PERSONA_RENAME.title}: {reason}")
        elif not self.is_unsteady():
            name = self.team_targets[0].persona.name
            self.ask(Question(Purpose.NAME, f"rename {name} to", ("rename", name), name))

    async def action_merge(self) -> None:
        """Ask who takes the memory of the persona here; of two that are marked, which."""
        reason = self.why_not(MERGE)
        if reason:
            self.say(f"{PERSONA_MERGE.title}: {reason}")
            return
        from remem.tui.screens.choose import ChooseScreen
        from remem.tui.screens.personas import merging, place_choices, who_takes

        found = [each.persona for each in self.team_targets]
        among = found if len(found) == _PAIR else [each.persona for each in self._members]
        choices = place_choices(found[0]) if len(found) == 1 else []
        choices += [
            replace(each, id=f"{one.name}\n\n{each.id}", name=f"{one.name} {each.name}")
            for one in found
            for each in who_takes(one, among)
        ]

        async def answer(chosen: str | None) -> None:
            if chosen is not None:
                await self.carry_out(merging(chosen))

        self.app.push_screen(ChooseScreen("Merge the memory of a persona", choices), answer)

    def action_persona_compact(self) -> None:
        reason = self.why_not(PERSONA_COMPACT)
        if reason:
            self.say(f"{PERSONA_COMPACT.title}: {reason}")
            return
        from remem.tui import reflect_and_compact

        names = [each.persona.name for each in self.team_targets]
        if len(names) > 1:
            reflect_and_compact.compact_all(self, names)
        else:
            reflect_and_compact.compact(self, names[0], "", "")

    def action_pack_export(self) -> None:
        """Ask where the marked personas go, all in one file."""
        reason = self.why_not(PACK_EXPORT)
        if reason:
            self.say(f"{PACK_EXPORT.title}: {reason}")
            return
        from remem.systems.personas.team.squad_export import NAME

        what = count(len(self.team_targets), "persona")
        self.ask(Question(Purpose.NAME, f"export {what} to", (_EXPORT,), NAME))

    def _export(self, name: str) -> None:
        from remem.store.cache_file import put
        from remem.systems.personas.team.squad_export import exported

        path = self.session.root / Path(name.strip()).expanduser()
        try:
            found = exported(self.session.library, [each.name for each in self.team_targets])
            put(self.session.disk, path, found.data)
        except RememError as error:
            self.remem.show_error(error)
            return
        self.query_one("#who", LineList).clear_marks()
        undo = key_shown(UNDO, self.remem.keys)
        self.say(f"exported to {path.name}, which `{undo}` does not remove: {found.receipt}")

    def action_archive_old(self) -> None:
        reason = self.why_not(ARCHIVE_OLD)
        if reason:
            self.say(f"{ARCHIVE_OLD.title}: {reason}")
        elif not self.is_unsteady():
            log = self._log
            if log is not None:
                asked = (_OLD, log.source.layout)
                label = "Archive decisions dated before"
                self.ask(Question(Purpose.NAME, label, asked, log.old_before))
                return
            from remem.systems.personas.team.team_table import old_day

            day = old_day(self.session.library)
            self.ask(Question(Purpose.NAME, "Archive sections dated before", (_OLD,), day))

    async def answer(self, question: Question, text: str) -> None:
        match question.subject:
            case ("rename", str(name)):
                told: dict[str, Json] = {"persona": name, "to": text.strip()}
                await self.carry_out(Intent(PERSONA_RENAME.id, {}, told))
            case (str(asked), str(layout)) if asked == _OLD:
                old: dict[str, Json] = {"team": True, "before": text.strip(), "layout": layout}
                await self.carry_out(Intent(SECTIONS_ARCHIVE.id, {}, old))
            case (str(asked),) if asked == _OLD:
                await self._together(ARCHIVE_OLD, SECTIONS_ARCHIVE, before=text.strip())
            case (str(asked),) if asked == _EXPORT:
                self._export(text)
            case _:
                await super().answer(question, text)

    async def carry_out(self, intent: Intent, *, seen: bool = False) -> bool:
        stands = await super().carry_out(intent, seen=seen)
        if stands and self._is_team:
            self.query_one("#who", LineList).clear_marks()
            if intent.verb in (PERSONA_RENAME.id, PERSONA_MERGE.id):
                self._go_to_persona(intent)
        return stands

    def return_to(self, intent: Intent) -> bool:
        return super().return_to(intent) or (self._is_team and self._go_to_persona(intent))

    def _go_to_persona(self, intent: Intent) -> bool:
        """Put the cursor on the persona that a change is about, by the name it has by now."""
        who = self.query_one("#who", LineList)
        for archived in (False, True):
            for name in filter(None, map(intent.text, ("persona", "to", "into"))):
                found = (m for m in self._members if m.archived is archived and _is_called(m, name))
                for key in (("persona", m.persona.name, m.persona.folder) for m in found):
                    if self._filter and not who.rows.holds(key):
                        self.clear_filter()
                    if who.move_to(key):
                        return True
        return False


def _is_called(member: Member, name: str) -> bool:
    called = (member.persona.name, member.persona.folder)
    return persona_key(name) in {persona_key(each) for each in called if each}
