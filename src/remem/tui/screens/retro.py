"""What a person does with retros wherever one is under the cursor: compare, take over estimates.

Review and Browse say which retro and which finding is meant; Review shows two side by side.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from remem.base.errors import PlanChanged, RememError
from remem.core.verbs.verb import Verb
from remem.model.change import Intent
from remem.model.entry import Entry
from remem.systems.sniper.sniper_verbs import ESTIMATES_TAKE
from remem.tui.screens.deciding import DecidingScreen
from remem.tui.screens.plans_on_screen import changed_lines
from remem.tui.verbs import COMPARE, bindings
from remem.views.review.retro import retros_of, with_the_one_before

if TYPE_CHECKING:
    from remem.views.long_text import TextLine


class TogetherScreen(DecidingScreen):
    """Carries out several intents behind one plan."""

    async def carry_out_each(
        self,
        title: str,
        intents: Sequence[Intent],
        about: Sequence[TextLine] = (),
        left: Sequence[TextLine] = (),
        *,
        changed: str = "",
    ) -> None:
        """Show what several intents would do one after the other; apply them if that is wanted.

        Args:
            title: Of the plan.
            intents: In the order in which they are carried out.
            about: What stands above what is written.
            left: What stands below it.
            changed: Why it is shown again.
        """
        from remem.views.plan import plan_in_turn

        async def go_on() -> None:
            try:
                _, now = await asyncio.to_thread(plan_in_turn, self.session, intents, reaches=False)
                for was, is_now in zip(plans, now, strict=True):
                    was.check(is_now)
            except PlanChanged as error:
                await self.renew(own=False)
                await self.carry_out_each(title, intents, about, left, changed=str(error))
            except RememError as error:
                self.remem.show_error(error)
            else:
                self.showed(*zip(intents, plans, strict=True))
                await self._carry_out_all(intents)

        try:
            async with self.planning(title):
                planned, plans = await asyncio.to_thread(plan_in_turn, self.session, intents)
                self.ask_plan(title, [*changed_lines(changed), *about, *planned, *left], go_on)
        except RememError as error:
            self.remem.show_error(error)

    async def _carry_out_all(self, intents: Sequence[Intent]) -> None:
        with self.one_toast(), self.session.as_one():
            for intent in intents:
                if not await self.carry_out(intent, seen=True):
                    break


class RetroScreen(TogetherScreen):
    """A screen on which a retro can be under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings((COMPARE,))]

    def retro_name(self) -> str:
        """Return the retro under the cursor, by its file's stem; empty = there is none."""
        return ""

    def estimate(self) -> Entry | None:
        """Return what a retro says about the estimates, if that is under the cursor."""
        return None

    def why_not(self, asked: Verb) -> str | None:
        if asked is COMPARE:
            return self._why_not_compared()
        return super().why_not(asked)

    def _why_not_compared(self) -> str | None:
        names = [source.path.stem for source in retros_of(self.session.library)]
        name = self.retro_name()
        if name and name not in names:
            return "this retro cannot be read"
        if not names:
            return "no retro was found here"
        return None if len(names) > 1 else "there is no other retro"

    def why_not_taken(self) -> str | None:
        """Return why what is under the cursor cannot be taken over into the estimates."""
        entry = self.estimate()
        if entry is None:
            return "choose what a retro says about the estimates"
        return ESTIMATES_TAKE.why_not(self.session.library, entry)

    async def take_over(self) -> None:
        """Take what is under the cursor over into the estimates."""
        entry, reason = self.estimate(), self.why_not_taken()
        if entry is None or reason:
            self.say(f"{ESTIMATES_TAKE.title}: {reason}")
            return
        if not self.is_unsteady():
            shown = {entry.ref: entry.digest}
            self.saw(shown)
            await self.carry_out(Intent(ESTIMATES_TAKE.id, shown))

    async def action_show_compare(self) -> None:
        """Show the retro under the cursor beside the one before it."""
        self.compare_retros()

    def compare_retros(self) -> None:
        """Show the retro under the cursor, or the newest, beside the one before it, in Review."""
        reason = self._why_not_compared()
        if reason:
            self.say(f"{COMPARE.title}: {reason}")
            return
        before, after = with_the_one_before(self.session.library, self.retro_name())
        self.compare(before.path.stem, after.path.stem)

    def compare(self, before: str, after: str) -> None:
        """Show two retros side by side."""
        self.desk.compared = before, after
        self.remem.go_to_mode("review")

    def compare_with_another(self, here: str) -> None:
        """Ask which other retro is shown beside one, by the stem of its file."""
        from remem.tui.screens.choose import ChooseScreen
        from remem.views.list_rows import Choice

        names = [source.path.stem for source in retros_of(self.session.library)]
        others = [name for name in reversed(names) if name != here]

        def take(chosen: str | None) -> None:
            if chosen is not None and chosen in others:
                pair = sorted((chosen, here), key=names.index)
                self.compare(pair[0], pair[1])
                self.renew_later(own=True)

        choices = [Choice(name, name) for name in others]
        self.app.push_screen(ChooseScreen(f"Compare {here} with", choices), take)
