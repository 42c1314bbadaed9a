"""The agent with which settings of Claude Code let a session begin.

Seen of Claude Code 2.1.332 on 2026-11-28: its text stands for the system prompt, behind it stands
its memory, and what it may not call is not listed to it. Skills that it names are not loaded, and
`omitClaudeMd` means nothing: both are for an agent that another one calls. Its `initialPrompt` is
the first thing that a person seems to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.core.prompt.counter import Counter
from remem.core.system import Ground
from remem.model.loader import Tool
from remem.model.prompt import Ask, Layer, Line
from remem.model.source import Source
from remem.systems.loading.as_loaded import Loading
from remem.systems.loading.loader_cut import cut_of, whole_text
from remem.systems.loading.skill_lists import list_layer
from remem.systems.personas.claude_agents import callable_agents, front_matter, may_call_skills
from remem.systems.personas.layer import agents_around, as_started, memory_loaded
from remem.systems.personas.source import PersonaSource, persona_sources

_FIRST: Final = "initialPrompt"
_NAMED: Final = re.compile(r"(?:^|(?<=\s))@(\S*[^\s.,;:!?])")
"""Files that a person names to it, which it is given."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What a session of Claude Code begins with, beside what it begins with anyway."""

    name: str
    settings: str
    """The file that names it."""
    files: tuple[Source, ...]
    """Its definition, then its memory; none = nothing that is read here defines it."""

    @property
    def values(self) -> Mapping[str, Any]:
        return front_matter(self.files[0].data) if self.files else {}

    def limited(self, tool: Tool, known: Sequence[str]) -> Tool:
        """Return the tool without the lists that the agent is not given.

        Args:
            tool: As its settings have it.
            known: Names of all agents.
        """
        may, loads = callable_agents(self.values), tool.loads
        if not may_call_skills(self.values):
            why = f"the session begins with the agent `{self.name}`, which may not call skills"
            loads = tuple(replace(x, never=x.never or why) if x.lists else x for x in loads)
        hidden = () if may is None else (name for name in known if name not in may)
        return replace(tool, loads=loads, unlisted=(*tool.unlisted, *hidden))

    def put_into(self, loading: Loading, counter: Counter) -> None:
        """Put its text and memory first, and what it is told first last."""
        if not self.files:
            text = f"the text of the agent `{self.name}`, which `agent` in `{self.settings}` names"
            loading.unseen += (
                f"{text}: it is built in, a plugin's, behind a link that leads out, or not there",
            )
            loading.notes.append(f"not confirmed: which lists the agent `{self.name}` is given")
            return
        cuts = [cut_of(source) for source in self.files]
        shown = [cut for cut in cuts if whole_text(cut.source).strip()]
        loading.layers[:0] = [cut.layer(counter) for cut in shown]
        loading.cuts[:0] = shown
        loading.sources[:0] = [cut.source for cut in shown]
        loading.begins = bool(shown) and shown[0] is cuts[0]
        for cut in shown:
            left = cut.left(cut.layer(counter).tokens, counter)
            loading.left += () if left is None else (left,)
        at = next((n for n, x in enumerate(loading.layers) if x.joins is not None), None)
        at = len(loading.layers) if at is None else at
        loading.layers[at:at] = self._said_first(loading, counter)

    def _said_first(self, loading: Loading, counter: Counter) -> Iterator[Layer]:
        said, source = self.values.get(_FIRST), self.files[0]
        if not isinstance(said, str) or not said.strip():
            return
        if said.startswith("/"):
            loading.unseen += (f"what `{said.strip()}` brings, the `{_FIRST}` of `{self.name}`",)
            return
        for path in _NAMED.findall(said):
            loading.unseen += (f"`{path}`, which the `{_FIRST}` of `{self.name}` names",)
        lines = [
            Line(each, counter.count(each) if each else 0, None, source.name, source.path)
            for each in said.strip().split("\n")
        ]
        yield list_layer(f"`{_FIRST}` of `{self.name}`", lines, counter)


def begun(ground: Ground, sources: Sequence[Source], tool: Tool, ask: Ask) -> tuple[Begun, Tool]:
    """Return the agent that a session begins with, and the tool as it lists to that one.

    Args:
        ground: Where the root and the home folder are.
        sources: Those of a library.
        tool: Claude Code; its settings name an agent.
        ask: Says in which folder it is started.
    """
    start = ground.root / ask.folder
    known = agents_around(ground, sources, tool.title, start)
    name, settings = tool.begins
    own = as_started(ground, persona_sources(sources), start)
    files = tuple(_files(own, known, name))
    found = Begun(name, settings, files[:1] if tool.memory_off else files)
    return found, found.limited(tool, tuple(known))


def _files(
    sources: Sequence[PersonaSource], known: Mapping[str, PersonaSource], name: str
) -> Iterator[Source]:
    definition = known.get(name)
    if definition is None:
        return
    yield definition
    yield from memory_loaded(sources, definition)
