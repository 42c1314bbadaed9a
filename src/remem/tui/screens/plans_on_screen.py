"""Plans on the screen: keys are taken while one is made, it is shown, and a person says yes or no.

What a plan that stands there does to files is remembered until it is confirmed, so that what is
carried out is what was seen. What is planned, and what a yes does, is the screens' own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from textual.screen import ModalScreen

from remem.tui.screens.base import RememScreen
from remem.tui.verbs import APPLY_PLAN
from remem.views.long_text import TextLine, text_line
from remem.views.spans import Tone

if TYPE_CHECKING:
    from remem.core.shown_plan import ShownPlan
    from remem.model.change import Intent
    from remem.tui.screens.plan import PlanningScreen

NOTHING_WRITTEN: Final = "cancelled; nothing was written"


class PlansOnScreen(RememScreen):
    """A screen that shows plans before they are carried out."""

    def __init__(self) -> None:
        super().__init__()
        self._plans: tuple[tuple[Intent, ShownPlan], ...] = ()
        """What was planned when a plan was shown last."""
        self._planning: PlanningScreen | None = None
        """What stands on the screen while a plan is made."""

    def showed(self, *plans: tuple[Intent, ShownPlan]) -> None:
        """Remember what the plan on the screen does to files, for when it is confirmed."""
        self._plans = plans

    def plan_shown(self, intent: Intent) -> ShownPlan | None:
        """Return what the plan that was shown last does to files, if it was of this intent."""
        return next((plan for asked, plan in self._plans if asked == intent), None)

    @asynccontextmanager
    async def planning(self, title: str) -> AsyncIterator[PlanningScreen]:
        """Take the keys while a plan is made in the block, which `ask_plan` then shows.

        What is typed before the plan is there reaches no other screen, on which the plan would
        then come up over something else.

        Args:
            title: What is planned.
        """
        from remem.tui.screens.plan import PlanningScreen

        self._planning = planning = PlanningScreen(title)

        def say_if_left(_: None) -> None:
            if planning.is_left:
                self.say(f"{title}: {NOTHING_WRITTEN}")

        await self.app.push_screen(planning, say_if_left)
        try:
            yield planning
        finally:
            self._planning = None
            planning.done()

    def put_up(
        self, plan: ModalScreen[bool], answer: Callable[[bool | None], Awaitable[None]]
    ) -> None:
        """Show the overlay of a plan, unless the person left while it was made."""
        if self._planning is not None:
            if self._planning.is_left:
                return
            self._planning.done()
        self.app.push_screen(plan, answer)

    def ask_plan(
        self,
        title: str,
        lines: Sequence[TextLine],
        go_on: Callable[[], Awaitable[None]],
        *,
        apply: str = APPLY_PLAN.title,
        careful: bool = False,
    ) -> None:
        """Show a plan; go on if it is confirmed, and else say that nothing was written.

        Args:
            title: Of the plan.
            lines: What would happen.
            go_on: Does it.
            apply: What doing it is called.
            careful: As for `PlanScreen`.
        """
        from remem.tui.screens.plan import PlanScreen

        async def answer(yes: bool | None) -> None:
            if yes:
                await go_on()
            else:
                self.say(f"{title}: {NOTHING_WRITTEN}")

        plan = PlanScreen(title, lines, apply=apply, careful=careful, seconds=self.remem.seconds)
        self.put_up(plan, answer)


def changed_lines(changed: str) -> list[TextLine]:
    """Return why a plan is shown again; nothing where it is shown for the first time."""
    return [text_line(changed, Tone.WARN), TextLine("")] if changed else []
