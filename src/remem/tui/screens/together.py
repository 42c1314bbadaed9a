"""Several verbs as one decision: one plan, one toast, and one key that takes all of it back.

Each verb stays a change of its own in the history. What belongs together is known as long as the
program runs; afterwards they are undone one by one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from remem.errors import RememError
from remem.model.change import Intent
from remem.tui.screens.deciding import DecidingScreen

if TYPE_CHECKING:
    from remem.disk.history import Logged
    from remem.tui.document import TextLine


class TogetherScreen(DecidingScreen):
    """Carries out several intents behind one plan."""

    def __init__(self) -> None:
        super().__init__()
        self._together: list[tuple[str, ...]] = []
        """Ids of changes that were decided as one, oldest first."""
        self._unsaid_toasts: list[str] | None = None
        """What would be said now, while several changes are to say one thing."""

    async def carry_out_each(
        self, title: str, intents: Sequence[Intent], about: Sequence[TextLine] = ()
    ) -> None:
        """Show what several intents would do one after the other; apply them if that is wanted.

        Args:
            title: Of the plan.
            intents: In the order in which they are carried out.
            about: What stands above what is written.
        """
        from remem.tui.planning import plan_in_turn
        from remem.tui.screens.plan import PlanScreen

        try:
            planned = await asyncio.to_thread(plan_in_turn, self.workbench, intents)
        except RememError as error:
            self.remem.show_error(error)
            return

        async def answer(yes: bool | None) -> None:
            if yes:
                await self._carry_out_all(intents)

        self.app.push_screen(PlanScreen(title, [*about, *planned]), answer)

    async def _carry_out_all(self, intents: Sequence[Intent]) -> None:
        known = len(self.desk.done)
        with self._one_toast():
            for intent in intents:
                if not await self.carry_out(intent, seen=True):
                    break
        made = tuple(dict.fromkeys(done.change for done in self.desk.done[known:]))
        if len(made) > 1:
            self._together.append(made)

    async def action_undo(self) -> None:
        last = await asyncio.to_thread(self._next, back=True)
        parts = self._parts(last, -1)
        if not parts:
            await super().action_undo()
            return
        with self._one_toast():
            for name in reversed(parts):
                await self._travel(partial(self.workbench.undo, name), "Undone")

    async def action_redo(self) -> None:
        first = await asyncio.to_thread(self._next, back=False)
        parts = self._parts(first, 0)
        if not parts:
            await super().action_redo()
            return
        with self._one_toast():
            for name in parts:
                await self._travel(partial(self.workbench.redo, name), "Done again")

    def _next(self, *, back: bool) -> str:
        """Return the change that an undo or a redo would take; empty = it cannot be told."""
        bench = self.workbench
        try:
            journal = bench.journal
            find = journal.last_to_undo if back else journal.last_to_redo
            found: Logged | None = find(bench.root, bench.actor)
        except RememError:
            return ""  # the undo itself says what is wrong
        return found.id if found is not None else ""

    def _parts(self, name: str, place: int) -> tuple[str, ...]:
        """Return what was decided together with a change that is its first or last."""
        return next((parts for parts in self._together if parts[place] == name), ())

    @contextmanager
    def _one_toast(self) -> Iterator[None]:
        """Gather what is said meanwhile, and say it at once."""
        said: list[str] = []
        self._unsaid_toasts = said
        try:
            yield
        finally:
            self._unsaid_toasts = None
            ends = [text.rpartition(" · u ")[0] or text for text in said]
            if ends:
                back = " · u takes all of it back" if ends != said else ""
                self.say("; ".join(ends) + back)

    def say(self, text: str, *, title: str = "", bad: bool = False) -> None:
        """Show one line in a toast, or keep it for the one that tells all."""
        if self._unsaid_toasts is None or bad:
            super().say(text, title=title, bad=bad)
        else:
            self._unsaid_toasts.append(text)
