"""Prompts that were composed already: a snapshot never changes, and neither does what it gives.

They go with their snapshot; nothing here keeps one alive.
"""

from __future__ import annotations

from typing import TypeAlias
from weakref import WeakKeyDictionary

from remem.core.library import Library
from remem.core.prompt.tokens import Counter
from remem.model.prompt import Ask, Prompt

_Asked: TypeAlias = tuple[Ask, Counter]


class Prompts:
    """Composes what was not composed yet."""

    def __init__(self, most: int = 32) -> None:
        """Keep the prompts of so many asks for each snapshot, the first ones asked go first."""
        self._most = most
        self._made: WeakKeyDictionary[Library, dict[_Asked, Prompt]] = WeakKeyDictionary()

    def of(self, library: Library, ask: Ask, counter: Counter) -> Prompt:
        made = self._made.setdefault(library, {})
        known = made.get((ask, counter))
        if known is not None:
            return known
        from remem.core.prompt.compose import compose

        prompt = compose(library.formats, library.ground, library.sources, ask, counter)
        if len(made) >= self._most:
            made.pop(next(iter(made)), None)
        made[ask, counter] = prompt
        return prompt
