"""Shows what renaming a persona would write, and offers to rewrite the mentions in prose too."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from remem.model.change import Change, Intent
from remem.systems.personas.persona_verbs import PERSONA_RENAME
from remem.tui.screens.deciding import DecidingScreen
from remem.tui.screens.plans_on_screen import NOTHING_WRITTEN, changed_lines

_REFERENCES: Final = "references"
"""The flag of a rename that rewrites the old name in prose too."""


class RenamingScreen(DecidingScreen):
    """Asks before a rename whether the mentions of the old name are rewritten."""

    async def show_plan(self, intent: Intent, change: Change, changed: str = "") -> None:
        """Show what would happen; a rename offers to rewrite references too."""
        is_offered = change.offers == _REFERENCES or intent.flag(_REFERENCES)
        if intent.verb != PERSONA_RENAME.id or not is_offered:
            await super().show_plan(intent, change, changed)
            return
        # Loaded when a rename is asked for: the first frame wants none of it.
        from remem.core.shown_plan import plan_of
        from remem.tui.screens.plan import OfferScreen
        from remem.views.plan import plan_lines
        from remem.views.prompts.plan_impact import reach_lines

        self.showed((intent, plan_of(self.session, change)))
        reached = await asyncio.to_thread(reach_lines, self.session, [change])
        screen = OfferScreen(
            change.title,
            [*changed_lines(changed), *plan_lines(self.session, change, reached)],
            apply=PERSONA_RENAME.title,
            taken=intent.flag(_REFERENCES),
            seconds=self.remem.seconds,
        )

        async def answer(yes: bool | None) -> None:
            if screen.is_turned:
                turned = not intent.flag(_REFERENCES)
                other = replace(intent, arguments={**intent.arguments, _REFERENCES: turned})
                await self.show_planned(other)
            elif yes:
                await self.carry_out(intent, seen=True)
            else:
                self.say(f"{change.title}: {NOTHING_WRITTEN}")

        self.put_up(screen, answer)
