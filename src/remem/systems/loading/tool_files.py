"""What a tool gives all its named agents alike, gathered once for those who start together.

Which agent gets it, and where in its start it stands, is `persona_start.py`'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final, TypeAlias

from remem.core.prompt.agents import Shared
from remem.core.prompt.counter import Counter
from remem.core.system import Ground
from remem.model.loader import Tool
from remem.model.prompt import Ask
from remem.model.roles import persona_key
from remem.model.source import Source
from remem.systems.loading.as_loaded import load_tool
from remem.systems.personas.source import PersonaSource, persona_sources
from remem.systems.plain.tools.tools_of_project import set_tools

_OWN_MEMORY: Final = 2
"""Stage of a tool's own notes, which its named agents do not get."""
_UNSURE: Final = "not confirmed: the order of the project's instructions and the agent's own memory"

_NOBODY: Final = ""

_Asked: TypeAlias = tuple[str, str, tuple[str, ...]]
"""A tool, the folder that it is started in, and the files that are worked on."""


class SharedFiles:
    """Gathers what is shared in one snapshot, for as long as its agents are looked at."""

    def __init__(self, ground: Ground, sources: Sequence[Source], counter: Counter) -> None:
        self._ground = ground
        self._sources = sources
        self._counter = counter
        self._known: dict[_Asked, Shared] = {}
        self._tools: dict[str, tuple[Tool, ...]] = {}

    def of(self, tool: Tool, ask: Ask) -> Shared:
        """Return what a tool gives its named agents too when it is started as `ask` says."""
        asked = (tool.id, ask.folder, ask.files)
        if asked not in self._known:
            self._known[asked] = self._gathered(tool, ask)
        return self._known[asked]

    def tools(self, folder: str) -> tuple[Tool, ...]:
        """Return the tools as their settings have them where they are started."""
        if folder not in self._tools:
            self._tools[folder] = set_tools(self._ground, folder)
        return self._tools[folder]

    def about(self, name: str) -> tuple[PersonaSource, ...]:
        """Return an agent's own files and those that are nobody's own, in the library's order."""
        found = (*self._owned.get(_NOBODY, ()), *self._owned.get(persona_key(name), ()))
        return tuple(source for _, source in sorted(found, key=lambda each: each[0]))

    @cached_property
    def _owned(self) -> Mapping[str, Sequence[tuple[int, PersonaSource]]]:
        """Files of agents by whose they are, each with its place; nobody's are under no name."""
        owned: dict[str, list[tuple[int, PersonaSource]]] = {}
        for place, source in enumerate(persona_sources(self._sources)):
            owned.setdefault(persona_key(source.owner), []).append((place, source))
        return owned

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
