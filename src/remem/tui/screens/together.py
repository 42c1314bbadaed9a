"""Several verbs as one decision: one plan, one toast, and one key that takes all of it back.

Each verb stays a change of its own in the history, which knows what belongs together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from remem.base.errors import RememError
from remem.model.change import Intent
from remem.tui.screens.deciding import DecidingScreen

if TYPE_CHECKING:
    from remem.views.document import TextLine


class TogetherScreen(DecidingScreen):
    """Carries out several intents behind one plan."""

    async def carry_out_each(
        self, title: str, intents: Sequence[Intent], about: Sequence[TextLine] = ()
    ) -> None:
        """Show what several intents would do one after the other; apply them if that is wanted.

        Args:
            title: Of the plan.
            intents: In the order in which they are carried out.
            about: What stands above what is written.
        """
        from remem.views.plan import plan_in_turn

        try:
            planned = await asyncio.to_thread(plan_in_turn, self.session, intents)
        except RememError as error:
            self.remem.show_error(error)
            return

        async def go_on() -> None:
            await self._carry_out_all(intents)

        self.ask_plan(title, [*about, *planned], go_on)

    async def _carry_out_all(self, intents: Sequence[Intent]) -> None:
        with self.one_toast(), self.session.as_one():
            for intent in intents:
                if not await self.carry_out(intent, seen=True):
                    break
