"""How each tool lists the agents that its own rows find, to the one that may call them.

No two tools do it the same way. Each way here was seen of the tools themselves, which the proofs of
their rows name. Claude Code's agents are personas: `personas/layer.py` lists them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from remem.base.collation import collated
from remem.core.system import Ground
from remem.model.loader import AgentList, Tool
from remem.model.prompt import Ask
from remem.model.source import Source
from remem.systems.loading.load_rules import Way, Work, ways_of
from remem.systems.personas.claude_agents import definition_body, front_matter
from remem.systems.personas.layer import definitions_around, described
from remem.systems.plain.source import PlainSource, plain_sources

Listed = tuple[str, Source]
"""How an agent is listed, and its file."""

_TAKEN_NAME: Final = re.compile(r"(?![-_])[^\W_](?:[\w-]{0,48}[^\W_])")
"""Names of 2 to 50 letters, digits, `_` and `-`; the last two neither first nor last."""
_RESERVED: Final = frozenset(
    {"self", "system", "user", "model", "tool", "config", "default", "main"}
)
_SLUG: Final = re.compile(r"[a-z0-9_-]+")
_SLUG_KEYS: Final = frozenset(
    {
        "kind",
        "name",
        "description",
        "display_name",
        "tools",
        "mcp_servers",
        "model",
        "temperature",
        "max_turns",
        "timeout_mins",
    }
)
"""Keys of an agent of Gemini CLI; with another one it is skipped."""
_PRIMARY: Final = frozenset({"build", "plan"})
"""Agents of OpenCode that a person starts; a file of that name changes them."""
_NOT_DESCRIBED: Final = "This subagent should only be called manually by the user."


def agents_found(
    ground: Ground, sources: Sequence[Source], tool: Tool, ask: Ask
) -> tuple[Listed, ...]:
    """Return how a tool lists the agents that its rows find, in its order.

    Args:
        ground: Where the root is.
        sources: Those of a library.
        tool: Whose list.
        ask: Says in which folder it is started.
    """
    match tool.agents:
        case AgentList.NONE:
            return ()
        case AgentList.NAMES:
            return tuple(_by_name(ground, sources, tool, ground.root / ask.folder))
        case AgentList.FILES:
            return tuple(_file_by_file(_ways(ground, sources, tool, ask)))
        case AgentList.SLUGS:
            return tuple(_slugs(_ways(ground, sources, tool, ask)))
        case AgentList.MODES:
            return tuple(_by_mode(_ways(ground, sources, tool, ask)))
        case AgentList.ROLES:
            return tuple(_roles(_ways(ground, sources, tool, ask)))


def _ways(ground: Ground, sources: Sequence[Source], tool: Tool, ask: Ask) -> Sequence[Way]:
    """Return the files that rows of agents come to, by their names in each folder."""
    found = ways_of(tool, plain_sources(sources), Work.of(ground, ask))
    ways = (way for way in found if way.loads.lists_agents and way.is_listed)
    return sorted(ways, key=lambda way: way.reached.path.name)


def _by_name(
    ground: Ground, sources: Sequence[Source], tool: Tool, start: Path
) -> Iterator[Listed]:
    around = {start, *start.parents}
    rows = [loads.layout for loads in tool.loads if loads.lists_agents]
    own = [
        (way.scope != "user", source)
        for source in plain_sources(sources)
        for way in source.reached
        if way.layout in rows and (way.scope == "user" or way.folder in around)
    ]
    theirs = [
        (2, source)
        for title in tool.takes_agents_of
        for source in definitions_around(ground, sources, title, start)
    ]
    found: dict[str, Listed] = {}
    for _, source in sorted([*own, *theirs], key=lambda each: each[0]):
        named = described(source)
        if named is not None:
            found.setdefault(named[0], (_bold(*named), source))
    for name in sorted(found):
        yield found[name]


def _file_by_file(ways: Iterable[Way]) -> Iterator[Listed]:
    found: dict[str, Listed] = {}
    for way in sorted(ways, key=lambda way: way.reached.scope == "user"):
        name, said = _told(way.source)
        is_name = _TAKEN_NAME.fullmatch(name) and name.casefold() not in _RESERVED
        if is_name and said and definition_body(way.source.data).strip():
            found.setdefault(name, (_bold(name, said), way.source))
    return iter(found.values())


def _slugs(ways: Iterable[Way]) -> Iterator[Listed]:
    found: dict[str, Listed] = {}
    for way in ways:
        values, (name, said) = front_matter(way.source.data), _told(way.source)
        is_own = not way.reached.path.name.startswith("_") and values.keys() <= _SLUG_KEYS
        is_fit = isinstance(values.get("name"), str) and values.get("kind", "local") == "local"
        if is_own and is_fit and said and _SLUG.fullmatch(name):
            found.setdefault(name, (f"- {name} -> {said}", way.source))
    return iter(found.values())


def _by_mode(ways: Iterable[Way]) -> Iterator[Listed]:
    found: dict[str, Listed | None] = {}
    for way in sorted(ways, key=_read_at):
        values, (name, said) = front_matter(way.source.data), _told(way.source)
        name = name or _place_below_agents(way)
        is_for_a_person = values.get("mode") == "primary" or values.get("disable") is True
        text = f"- {name}: {said or _NOT_DESCRIBED}"
        found[name] = None if is_for_a_person or name in _PRIMARY else (text, way.source)
    for name in sorted(found, key=collated):
        listed = found[name]
        if listed is not None:
            yield listed


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


def _roles(ways: Iterable[Way]) -> Iterator[Listed]:
    found: dict[str, Listed] = {}
    for way in sorted(ways, key=lambda way: (way.reached.scope == "user", -way.depth)):
        values = _as_toml(way.source.data)
        said = [values.get(key) for key in ("name", "description", "developer_instructions")]
        if all(isinstance(each, str) and each.strip() for each in said):
            name = str(said[0])
            found.setdefault(name, (f"{name}: {{\n{said[1]}\n}}", way.source))
    for name in sorted(found):
        yield found[name]


def _as_toml(data: bytes) -> Mapping[str, Any]:
    import tomllib  # few have such a file

    try:
        return tomllib.loads(data.decode())
    except ValueError:
        return {}


def _told(source: PlainSource) -> tuple[str, str]:
    """Return name and description as they stand in front matter; empty = there is none."""
    parts = source.told.parts
    if parts is None:
        return "", ""
    return parts.name, parts.description if parts.is_described else ""


def _bold(name: str, said: str) -> str:
    return f"- **{name}**: {said}"
