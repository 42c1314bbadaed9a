"""Shows what renaming a persona would write, and offers to rewrite the mentions in prose too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from textual import on
from textual.containers import Horizontal
from textual.widgets import Button

from remem.model.change import Change, Intent
from remem.systems.personas.persona_verbs import PERSONA_RENAME
from remem.systems.personas.references import OFFERED
from remem.tui.content import content
from remem.tui.screens.deciding import NOTHING_WRITTEN, DecidingScreen
from remem.tui.screens.plan import PlanButton, PlanScreen
from remem.tui.verbs import TAKE_IN, key_shown
from remem.views.document import TextLine
from remem.views.plan import plan_lines


class RenamingScreen(DecidingScreen):
    """Asks before a rename whether the mentions of the old name are rewritten."""

    def show_plan(self, intent: Intent, change: Change) -> None:
        """Show what would happen; a rename offers to rewrite references too."""
        leaves_words = any(note.endswith(OFFERED) for note in change.notes)
        if intent.verb != PERSONA_RENAME.id or not (leaves_words or intent.flag("references")):
            super().show_plan(intent, change)
            return
        screen = OfferScreen(
            change.title,
            plan_lines(self.session, change),
            apply=PERSONA_RENAME.title,
            taken=intent.flag("references"),
            seconds=self.remem.seconds,
        )

        async def answer(yes: bool | None) -> None:
            if screen.is_turned:
                turned = not intent.flag("references")
                other = replace(intent, arguments={**intent.arguments, "references": turned})
                self.show_plan(other, await asyncio.to_thread(self.session.plan, other))
            elif yes:
                await self.carry_out(intent, seen=True)
            else:
                self.say(f"{change.title}: {NOTHING_WRITTEN}")

        self.app.push_screen(screen, answer)


class OfferScreen(PlanScreen):
    """Asks once; `space` asks again, with the references in the plan, or without them."""

    def __init__(
        self,
        title: str,
        lines: Sequence[TextLine],
        *,
        apply: str,
        taken: bool,
        seconds: Callable[[], float],
    ) -> None:
        """Make the overlay.

        Args:
            title: As for `PlanScreen`.
            lines: As for `PlanScreen`.
            apply: As for `PlanScreen`.
            taken: The plan has the references in it.
            seconds: As for `PlanScreen`.
        """
        super().__init__(title, lines, apply=apply, seconds=seconds)
        self._is_taken = taken
        self.is_turned = False
        """The person wants the other plan."""

    def on_mount(self) -> None:
        super().on_mount()
        box = "[x]" if self._is_taken else "[ ]"
        label = f"{box} Rewrite references too ({key_shown(TAKE_IN)})"
        more = PlanButton(content(label), id="more", compact=True)
        self.query_one(Horizontal).mount(more, after="#no")

    @on(Button.Pressed, "#more")
    def action_plan_part(self) -> None:
        self.is_turned = True
        self.dismiss(result=False)
