"""How each tool lists the agents that its own rows find, to the one that may call them.

No two tools do it the same way. Each way here was seen of the tools themselves, which the proofs of
their rows name. Claude Code's agents are personas: `personas/layer.py` lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from remem.core.system import Ground
from remem.model.loader import FOR_A_PERSON, AgentList, Tool
from remem.model.prompt import Ask
from remem.model.source import Source
from remem.systems.loading.load_rules import Way, Work, ways_of
from remem.systems.loading.opencode_agents import Placed, listed_agents, mode_name
from remem.systems.personas.claude_agents import front_matter
from remem.systems.personas.layer import definitions_around, described
from remem.systems.plain.source import plain_sources

Listed = tuple[str, Placed]
"""How an agent is listed, and its file."""


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
            ways = [way for way in _ways(ground, sources, tool, ask) if way.is_listed]
            return tuple(_by_name(ground, sources, tool, ways, ground.root / ask.folder))
        case AgentList.FILES:
            return tuple(_file_by_file(_ways(ground, sources, tool, ask)))
        case AgentList.SLUGS:
            return tuple(_slugs(_ways(ground, sources, tool, ask)))
        case AgentList.MODES:
            return tuple(listed_agents(ground, ask, _ways(ground, sources, tool, ask)))
        case AgentList.ROLES:
            return tuple(_roles(_ways(ground, sources, tool, ask)))


def _ways(ground: Ground, sources: Sequence[Source], tool: Tool, ask: Ask) -> Sequence[Way]:
    """Return the files that rows of agents come to, by their names in each folder.

    With those that only a person starts, which may stand in the place of others.
    """
    found = ways_of(tool, plain_sources(sources), Work.of(ground, tool, ask))
    is_taken = (way for way in found if way.is_listed or way.why == FOR_A_PERSON)
    ways = (way for way in is_taken if way.loads.lists_agents)
    return sorted(ways, key=lambda way: way.reached.path.name)


def _by_name(
    ground: Ground, sources: Sequence[Source], tool: Tool, ways: Iterable[Way], start: Path
) -> Iterator[Listed]:
    own = [(int(way.reached.scope != "user"), way.source, way.reached.path) for way in ways]
    theirs = [
        (2, source, source.path)
        for title in tool.takes_agents_of
        for source in definitions_around(ground, sources, title, start)
        if _is_taken_over(tool, source)
    ]
    found: dict[str, Listed] = {}
    for _, source, path in sorted([*own, *theirs], key=lambda each: each[0]):
        named = described(source, path)
        if named is not None:
            found.setdefault(named[0], (_bold(*named), source))
    for name in sorted(found):
        yield found[name]


def _is_taken_over(tool: Tool, source: Source) -> bool:
    from remem.systems.loading.agent_refusals import is_kept_for_a_person
    from remem.systems.plain.front_forms import fault_of

    is_kept = is_kept_for_a_person(front_matter(source.data))
    return fault_of(tool.id, "agent", source.data) is None and not is_kept


def _file_by_file(ways: Iterable[Way]) -> Iterator[Listed]:
    found: dict[str, Listed] = {}
    for way in sorted(ways, key=lambda way: way.reached.scope == "user"):
        name, said = way.source.named
        found.setdefault(name, (_bold(name, said), way.source))
    return iter(found.values())


def _slugs(ways: Iterable[Way]) -> Iterator[Listed]:
    found: dict[str, Listed] = {}
    for way in ways:
        name, said = way.source.named
        found.setdefault(name, (f"- {name} -> {said}", way.source))
    return iter(found.values())


def alike_agents(ground: Ground, sources: Sequence[Source], tool: Tool, ask: Ask) -> Iterator[str]:
    """Say of which agents that are called alike in one folder nobody can tell which is taken."""
    found: dict[tuple[str, Path, str], Way] = {}
    for way in _ways(ground, sources, tool, ask) if tool.agents is AgentList.MODES else ():
        inner = way.reached.path.relative_to(way.reached.folder).parts[0]
        other = found.setdefault((mode_name(way), way.reached.folder, inner), way)
        if other is not way:
            yield (
                f"not confirmed: `{other.source.name}` and `{way.source.name}` are called alike; "
                f"{tool.title} takes the one that it reads last, which changes from start to start"
            )


def _roles(ways: Iterable[Way]) -> Iterator[Listed]:
    from remem.systems.loading.agent_refusals import as_toml

    found: dict[str, Listed] = {}
    for way in sorted(ways, key=lambda way: (way.reached.scope == "user", -way.depth)):
        values = as_toml(way.source.data)
        name = str(values["name"])
        found.setdefault(name, (f"{name}: {{\n{values['description']}\n}}", way.source))
    for name in sorted(found):
        yield found[name]


def _bold(name: str, said: str) -> str:
    return f"- **{name}**: {said}"
