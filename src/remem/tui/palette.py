"""Finds a verb by its name: the command palette's list, made from the verbs that can act here."""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine, Iterator
from functools import partial
from typing import Any

from textual.command import DiscoveryHit, Hit, Provider
from textual.dom import DOMNode

from remem.core.registered import verbs_brought
from remem.tui.screens.base import RememScreen
from remem.tui.screens.deciding import DecidingScreen
from remem.tui.verbs import action_of


class VerbCommands(Provider):
    """Offers every verb that can act where the person is, those without a key too."""

    async def discover(self) -> AsyncIterator[DiscoveryHit]:
        for title, help_text, run in self._commands():
            yield DiscoveryHit(title, run, help=help_text)

    async def search(self, query: str) -> AsyncIterator[Hit]:
        matcher = self.matcher(query)
        for title, help_text, run in self._commands():
            score = matcher.match(title)
            if score > 0:
                yield Hit(score, matcher.highlight(title), run, help=help_text)

    def _commands(self) -> Iterator[tuple[str, str, partial[Coroutine[Any, Any, None]]]]:
        """Yield title, help and what runs it, each verb once though it may have several keys."""
        seen: set[str] = set()
        for node, binding, enabled, tooltip in self.screen.active_bindings.values():
            if binding.id is None or binding.id in seen or not enabled:
                continue
            seen.add(binding.id)
            yield binding.description, tooltip, partial(self._run, binding.action, node)
        screen = self.screen
        if not isinstance(screen, RememScreen):
            return
        for verb in screen.VERBS:
            if not verb.key and not screen.blocked(verb):
                yield verb.title, verb.help, partial(self._run, action_of(verb), screen)
        if isinstance(screen, DecidingScreen):
            for verb in verbs_brought(screen.session.library):
                if not screen.blocked(verb):
                    run = partial(self._run, f"brought('{verb.id}')", screen)
                    yield verb.title, verb.help, run

    async def _run(self, action: str, node: DOMNode) -> None:
        await self.app.run_action(action, node)
