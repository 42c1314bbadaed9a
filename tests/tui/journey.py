"""Drives the app by verb and reads its screen, so that a changed key breaks no test."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self
from unicodedata import lookup

from textual.events import Key
from textual.keys import REPLACED_KEYS, _character_to_key, _get_unicode_name_from_key
from textual.pilot import Pilot
from textual.worker import Worker, WorkerCancelled

from remem.core.verbs.verb import Verb
from remem.tui.app import RememApp
from remem.tui.screens.base import RememScreen
from remem.tui.screens.plan import PlanningScreen
from remem.tui.textual_private import screen_text
from remem.tui.verbs import keys_of

IDLE = 2
"""Looks in a row that find nothing under way: what one refresh calls for begins after the next."""


LITTLE = 0.002
"""Seconds of work in which nothing is drawn and nothing is gathered."""
FIRST_READ = 2.0
"""Seconds that a screen may take for it; one whose files cannot be read stays empty."""
PATIENCE = 120.0
"""Seconds."""


async def until(holds: Callable[[], bool]) -> None:
    """Wait for what a thread brings."""
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends, "it did not come to pass"
        await asyncio.sleep(0.005)


@dataclass
class Journey:
    """A person at the keyboard."""

    pilot: Pilot[Any]
    _reads_until: float = 0.0

    async def use(self, *verbs: Verb) -> Self:
        """Press the verbs' keys and wait until everything has come to rest."""
        for verb in verbs:
            await self._press(_named(keys_of(verb.key)[0]))
        return await self.rest()

    async def types(self, text: str) -> Self:
        """Type into the line that is open."""
        for letter in text:
            await self._press(_named(letter))
        return await self.rest()

    async def reason(self, digit: str) -> Self:
        """Take the stock reason that a digit fills in."""
        await self._press(digit)
        await self._press("enter")
        return await self.rest()

    async def _press(self, key: str) -> None:
        """Press a key and wait until every widget has done what it called for.

        The pilot's own way looks 20 ms long whether the process works, twice for each key.
        """
        name = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
        character: str | None
        try:
            character = lookup(_get_unicode_name_from_key(REPLACED_KEYS.get(name, name)))
        except KeyError:
            character = name if len(name) == 1 else None
        self.pilot.app.post_message(Key(name, character))
        await self.pilot.pause(0)

    async def rest(self) -> Self:
        """Wait until nothing is under way; what follows the disk never ends and does not count."""
        idle = 0
        self._reads_until = time.monotonic() + FIRST_READ
        while idle < IDLE:
            await self.pilot.pause()
            under_way = self._under_way()
            idle = 0 if under_way or self._is_about_to_begin else idle + 1
            for worker in under_way:
                with suppress(WorkerCancelled):
                    await worker.wait()
            if idle == 1 and await self._is_still():
                break
        return self

    async def _is_still(self) -> bool:
        """Tell, without the pilot's look of 20 ms, whether nothing followed from the first one."""
        before = time.process_time()
        for _ in range(IDLE):
            await self.pilot.pause(0)
        is_little = time.process_time() - before < LITTLE
        return is_little and not self._under_way() and not self._is_about_to_begin

    @property
    def _is_about_to_begin(self) -> bool:
        app = self.pilot.app
        is_planning = any(isinstance(each, PlanningScreen) for each in app.screen_stack)
        is_begun = not isinstance(app, RememApp) or not app.is_about_to_begin
        return is_planning or self._is_unread or not is_begun

    @property
    def _is_unread(self) -> bool:
        """A screen gathers what it shows first in no worker, but in a thread of its own."""
        screen = self.pilot.app.screen
        is_empty = isinstance(screen, RememScreen) and not screen.is_filled
        return is_empty and time.monotonic() < self._reads_until

    def _under_way(self) -> list[Worker[Any]]:
        workers = self.pilot.app.workers
        return [each for each in workers if each.group != "watch" and not each.is_finished]

    def sees(self, *texts: str) -> Self:
        shown = screen_text(self.pilot.app)
        for text in texts:
            assert text in shown, f"`{text}` is not on this screen:\n{shown}"
        return self

    def sees_not(self, *texts: str) -> Self:
        shown = screen_text(self.pilot.app)
        for text in texts:
            assert text not in shown, f"`{text}` is on this screen:\n{shown}"
        return self


def _named(key: str) -> str:
    """Return what the pilot calls a key: a space has a name there."""
    return "space" if key == " " else key
