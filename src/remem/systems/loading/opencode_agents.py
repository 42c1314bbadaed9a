"""The agents of OpenCode: which it lists to the others, and which one a session begins with.

Seen of OpenCode 1.18.33 on 2026-11-28. Files add to what settings say of an agent key by key, what
is read later last; those below `mode` of settings are a person's alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol

from remem.base.collation import collated
from remem.base.frozen import dataclass
from remem.core.prompt.counter import Counter
from remem.core.system import Ground
from remem.model.entry import Problem
from remem.model.loader import FOR_A_PERSON, STOPS, Keeps
from remem.model.prompt import Ask, Layer, Line
from remem.model.source import LoaderKind
from remem.systems.loading.load_rules import Way
from remem.systems.loading.skill_lists import list_layer
from remem.systems.personas.claude_agents import definition_body, front_matter
from remem.systems.plain.tools.tools_of_project import (
    SettingsFile,
    of_opencode,
    settings_of_opencode,
)

PROMPT: Final = "prompt of the agent"
_BUILT_IN: Final[Mapping[str, Mapping[str, Any]]] = {
    "build": {"mode": "primary"},
    "plan": {"mode": "primary"},
    "general": {"mode": "subagent"},
    "explore": {"mode": "subagent"},
    **{name: {"mode": "primary", "hidden": True} for name in ("compaction", "title", "summary")},
}
_FIRST: Final = ("build", "plan")
"""Agents that a person starts; a file of that name changes them."""
_NOT_DESCRIBED: Final = "This subagent should only be called manually by the user."
_KEPT: Final = ("mode", "disable", "hidden")


class Placed(Protocol):
    """A file that says something: of the library, or settings."""

    @property
    def name(self) -> str: ...
    @property
    def path(self) -> Path: ...


@dataclass(slots=True)
class _Agent:
    """What settings and files say of one agent, all of them together."""

    values: dict[str, Any]
    place: Placed | None = None
    """What speaks of it last; `None` = it is built in, and nothing does."""
    way: Way | None = None
    """The file that has its text; `None` = settings have it, or nothing."""

    @property
    def may_start(self) -> bool:
        is_off = self.values.get("disable") is True or self.values.get("hidden") is True
        return not is_off and self.values.get("mode") != "subagent"


def listed_agents(ground: Ground, ask: Ask, ways: Iterable[Way]) -> Iterator[tuple[str, Placed]]:
    """Yield the lines by which agents are listed to others, in order, each with its file."""
    found = _agents(ground, ask, ways)
    for name in sorted(found, key=collated):
        values, place = found[name].values, found[name].place
        is_for_a_person = values.get("mode") == "primary" or values.get("disable") is True
        if place is not None and not is_for_a_person and name not in _FIRST:
            yield f"- {name}: {values.get('description') or _NOT_DESCRIBED}", place


@dataclass(frozen=True, slots=True)
class Beginning:
    """The agent that a session begins with; its text stands for the tool's own system prompt."""

    name: str
    """Empty = nobody can tell which one."""
    agent: _Agent | None
    """`None` = there is none of that name."""
    default: SettingsFile | None
    """Settings that name it."""

    @property
    def problem(self) -> Problem | None:
        """That settings name one that is none, or none that may begin."""
        if self.default is None or (self.agent is not None and self.agent.may_start):
            return None
        what = "there is none of that name" if self.agent is None else "that one does not start"
        return Problem(
            STOPS,
            f"OpenCode does not start here because of `{self.default.name}`: `default_agent` is "
            f"`{self.name}`, and {what}",
            "name an agent whose `mode` is not `subagent`, and that is not hidden or disabled",
            self.default.path,
        )

    @property
    def note(self) -> str:
        """That nobody can tell which one it is; empty = it is known."""
        if self.name:
            return ""
        return (
            "not confirmed: OpenCode begins with an agent whose `mode` is `primary` or `all`, as "
            "`build` and `plan` are disabled; which one is not known"
        )

    def put_first(self, ways: tuple[Way, ...]) -> tuple[Way, ...]:
        """Return all ways, the file first that has the agent's text; the same = none has."""
        first = self.agent.way if self.agent is not None else None
        if first is None or not definition_body(first.source.data).strip():
            return ways
        loads = replace(
            first.loads, lists_agents=False, keeps=Keeps.NO_FRONT, loader=LoaderKind.WHOLE
        )
        begun = replace(first, loads=loads, why="")
        return (begun, *(way for way in ways if way is not first))

    def text_of_settings(self, counter: Counter) -> Layer | None:
        """Return the text that settings have for the agent, where no file is about it."""
        agent = self.agent
        text = agent.values.get("prompt") if agent is not None and agent.way is None else None
        if agent is None or agent.place is None or not isinstance(text, str) or not text:
            return None
        lines = [
            Line(each, counter.count(each), None, agent.place.name, agent.place.path)
            for each in text.split("\n")
        ]
        return list_layer(f"{PROMPT} `{self.name}`", lines, counter)


def beginning(ground: Ground, ask: Ask, ways: Iterable[Way]) -> Beginning:
    """Return the agent that a session begins with where `ask` says."""
    found = _agents(ground, ask, ways)
    for value, place in reversed([*settings_of_opencode(ground, ask.folder)]):
        name = value.get("default_agent")
        if isinstance(name, str):
            return Beginning(name, found.get(name), place)
    for name in _FIRST:
        if found[name].may_start:
            return Beginning(name, found[name], None)
    others = [name for name in found if found[name].may_start]
    if len(others) != 1:
        return Beginning("", None, None)
    return Beginning(others[0], found[others[0]], None)


def _agents(ground: Ground, ask: Ask, ways: Iterable[Way]) -> Mapping[str, _Agent]:
    found = {name: _Agent(dict(values)) for name, values in _BUILT_IN.items()}
    for key, more in (("mode", {"mode": "primary"}), ("agent", {})):
        for name, values, place in of_opencode(ground, ask.folder, key):
            agent = found.setdefault(name, _Agent({}))
            agent.values.update({**values, **more})
            agent.place = place
    taken = (way for way in ways if way.is_listed or way.why == FOR_A_PERSON)
    for way in sorted((way for way in taken if way.loads.lists_agents), key=_read_at):
        agent = found.setdefault(mode_name(way), _Agent({}))
        own = front_matter(way.source.data)
        agent.values.update({key: own[key] for key in _KEPT if key in own})
        described = way.source.named[1]
        agent.values.update({"description": described} if described else {})
        agent.place, agent.way = way.source, way
    return found


def mode_name(way: Way) -> str:
    """Return what OpenCode calls the agent of a file."""
    return way.source.named[0] or _place_below_agents(way)


def _read_at(way: Way) -> tuple[int, int, str]:
    """Return when OpenCode reads an agent; what it reads last counts."""
    inner = way.reached.path.relative_to(way.reached.folder)
    if way.reached.scope != "user":
        return 1, -way.depth, inner.as_posix()
    return (0 if inner.parts[0] == ".config" else 2), 0, inner.as_posix()


def _place_below_agents(way: Way) -> str:
    """Return what an agent of OpenCode is called by its place: `deep/name`."""
    parts = way.reached.path.relative_to(way.reached.folder).with_suffix("").parts
    at = next(at for at, part in enumerate(parts) if part in ("agent", "agents"))
    return "/".join(parts[at + 1 :])
