"""The part of the app that follows others while it is open: a server, and who touched decisions.

A server of verified memory is asked again and again. No screen waits for it: what it said last is
shown, and a server that is gone is a problem.
"""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import Final

from textual import work

from remem.tui.in_turn import InTurn
from remem.tui.watch_news import NewsApp

ASK_SECONDS: Final = 2.0
"""Between two questions whether anything changed."""
SHARE: Final = 20
"""A server is left alone this many times longer than it took to answer, up to half a minute."""
_LONGEST_SECONDS: Final = 30.0


class ServingApp(NewsApp):
    """Follows a server's rows as the watcher follows files, and decisions that others touched."""

    @cached_property
    def _following(self) -> InTurn:
        return InTurn()

    def follow_others(self) -> None:
        """Look after the decisions that others may have touched."""
        if self._following.ask():
            self._follow_others()

    @work(thread=True, group="follow", exit_on_error=False)
    def _follow_others(self) -> None:
        self._following.run(self.session.follow)

    @work(group="watch", exit_on_error=False)
    async def follow_server(self) -> None:
        """Ask until the app ends; at once nothing where no server is configured."""
        if self.session.server is None:
            return
        loop = asyncio.get_running_loop()
        # The first time, most of it is spent on loading what talks to a server.
        await asyncio.to_thread(self.session.ask_server)
        while True:
            began = loop.time()
            await asyncio.to_thread(self.session.ask_server)
            took = loop.time() - began
            await asyncio.sleep(max(ASK_SECONDS, min(SHARE * took, _LONGEST_SECONDS)))
