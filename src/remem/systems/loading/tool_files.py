"""What a tool gives all its named agents alike, gathered once for those who start together.

Which agent gets it, and where in its start it stands, is `persona_start.py`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from remem.core.prompt.starts import Shared
from remem.core.prompt.tokens import Counter
from remem.core.system import Ground
from remem.model.loader import Tool
from remem.model.prompt import Ask
from remem.model.source import Source
from remem.systems.loading.as_loaded import load_tool

_OWN_MEMORY: Final = 2
"""Stage of a tool's own notes, which its named agents do not get."""
_UNSURE: Final = "not confirmed: the order of the project's instructions and the agent's own memory"

_Asked: TypeAlias = tuple[str, str, tuple[str, ...]]
"""A tool, the folder that it is started in, and the files that are worked on."""


class SharedFiles:
    """Gathers what is shared in one snapshot, for as long as its agents are looked at."""

    def __init__(self, ground: Ground, sources: Sequence[Source], counter: Counter) -> None:
        self._ground = ground
        self._sources = sources
        self._counter = counter
        self._known: dict[_Asked, Shared] = {}

    def of(self, tool: Tool, ask: Ask) -> Shared:
        """Return what a tool gives its named agents too when it is started as `ask` says."""
        asked = (tool.id, ask.folder, ask.files)
        if asked not in self._known:
            self._known[asked] = self._gathered(tool, ask)
        return self._known[asked]

    def _gathered(self, tool: Tool, ask: Ask) -> Shared:
        loads = tuple(x for x in tool.loads if x.stage < _OWN_MEMORY or x.lists)
        own = replace(tool, loads=loads)
        loading = load_tool(self._ground, self._sources, own, ask, self._counter)
        notes = [*loading.notes, _UNSURE] if loading.layers else loading.notes
        return Shared(
            tuple(replace(layer, gap=1) for layer in loading.layers),
            tuple(loading.sources),
            tuple(loading.left),
            tuple(loading.verdicts()),
            tuple(dict.fromkeys(notes)),
        )
