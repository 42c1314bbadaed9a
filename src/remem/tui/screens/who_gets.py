"""The overlay of who gets which rule: rules × those who start here, and one rule in full.

It decides nothing and writes nothing; `enter` goes to the entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from remem.base.assets import asset_dir
from remem.base.text import count
from remem.core.relation.who_gets import Matrix, Rule
from remem.model.entry import Ref
from remem.tui.content import content
from remem.tui.verbs import CANCEL_CHOICE, bindings
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.line_view import READING, empty_text
from remem.tui.widgets.text_view import TextView
from remem.views.entries.entry_details import why_not_told
from remem.views.filter import Filter
from remem.views.glyphs import glyphs_of
from remem.views.list_rows import Rows
from remem.views.long_text import text_line
from remem.views.prompts.who_gets import legend, matrix_of, rows_of, rule_lines
from remem.views.spans import Tone

if TYPE_CHECKING:
    from remem.core.session import Session


class WhoScreen(ModalScreen[Ref | None]):
    """Narrows by typing; what is under the cursor is told below."""

    CSS_PATH = asset_dir("styles") / "overlays.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings((CANCEL_CHOICE,))]

    class Found(Message):
        """A thread has gathered who gets what."""

        def __init__(self, matrix: Matrix, rows: Rows) -> None:
            super().__init__()
            self.matrix = matrix
            self.rows = rows

    def __init__(self, session: Session, wanted: Ref | None) -> None:
        """Make the overlay.

        Args:
            session: Whose rules.
            wanted: The entry whose rule the cursor begins at.
        """
        super().__init__()
        self._bench = session
        self._wanted = wanted
        self._matrix: Matrix | None = None
        self._rules: dict[Ref, Rule] = {}
        self._rows = Rows.of(())
        self._search = Filter(())

    def compose(self) -> ComposeResult:
        with Vertical(classes="overlay"):
            yield Label(content("Rules by agent"), classes="overlay-title", id="who-title")
            yield Input(compact=True, id="who-text")
            yield LineList(self._rows, id="who-rules", empty=READING)
            yield TextView(id="who-one", empty=empty_text("no rule here"))
            yield Label(content(legend(glyphs_of(self.app))), classes="overlay-foot")
            yield Label(content("enter opens   esc closes"), classes="overlay-foot")

    def on_mount(self) -> None:
        self.query_one("#who-rules", LineList).can_focus = False
        self.query_one("#who-one", TextView).can_focus = False
        self.query_one(Input).focus()
        self._gather()

    @work(thread=True, exclusive=True, group="who", exit_on_error=False, description="who")
    def _gather(self) -> None:
        matrix = matrix_of(self._bench)
        self.post_message(self.Found(matrix, rows_of(matrix, glyphs_of(self.app))))

    @on(Found)
    def _take(self, message: Found) -> None:
        self._matrix, self._rows = message.matrix, message.rows
        self._rules = {rule.copies[0].ref: rule for rule in message.matrix.rules}
        titles = (" ".join(rule.title.split()).lower() for rule in message.matrix.rules)
        self._search = Filter(["", *titles])
        rules = self.query_one("#who-rules", LineList)
        rules.show(self._rows, decided=True)
        wanted = message.matrix.rule_of(self._wanted) if self._wanted is not None else None
        if wanted is not None:
            rules.move_to(wanted.copies[0].ref)
        drifted = sum(rule.drifted for rule in message.matrix.rules)
        rules_here = count(message.matrix.rules, "rule")
        told = f"Rules by agent · {rules_here} · {drifted:,} with different copies"
        library = self._bench.library
        if wanted is None and self._wanted is not None and library.has(self._wanted):
            entry = library.entry(self._wanted)
            told = f"Who gets {library.short(entry.ref)}: {why_not_told(library, entry)}"
        self.query_one("#who-title", Label).update(content(told))
        self._tell()

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        found = self._search.find(event.value)
        kept = sorted({0, *found}) if len(self._rows) else []
        shown = self._rows.narrowed(kept) if event.value else self._rows
        self.query_one("#who-rules", LineList).show(shown, decided=True)

    @on(LineList.Highlighted, "#who-rules")
    def _tell(self) -> None:
        rule, matrix = self._rule, self._matrix
        view = self.query_one("#who-one", TextView)
        if rule is None or matrix is None:
            is_filtered = matrix is not None and self.query_one(Input).value
            view.show((text_line("No matches", Tone.DIM),) if is_filtered else ())
            return
        lines = rule_lines(matrix, rule, self._bench.library, glyphs_of(self.app))
        view.show(lines, fresh=True)

    @property
    def _rule(self) -> Rule | None:
        row = self.query_one("#who-rules", LineList).row
        return self._rules.get(row.key) if row is not None and isinstance(row.key, Ref) else None

    @on(Input.Submitted)
    def _open(self) -> None:
        if self._rule is not None:
            self.dismiss(self._rule.copies[0].ref)

    def on_key(self, event: object) -> None:
        """Let the arrows move in the list, and pages in the rule, while the line has the focus."""
        rules, one = self.query_one("#who-rules", LineList), self.query_one("#who-one", TextView)
        match getattr(event, "key", ""):
            case "down":
                rules.action_move_down()
            case "up":
                rules.action_move_up()
            case "pagedown":
                one.action_move_page_down()
            case "pageup":
                one.action_move_page_up()
            case _:
                return

    def action_choice_cancel(self) -> None:
        self.dismiss(None)
