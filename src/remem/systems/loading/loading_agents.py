"""Who loads files by themselves at their start, what each of them has, and what it costs.

Tools that read plain files come first, then named agents. What a tool loads is `as_loaded.py`'s,
what a named agent loads `persona_start.py`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from remem.core.prompt.agents import Agent, LoadedFile, Sharing
from remem.core.prompt.counter import Counter, Estimate
from remem.core.prompt.start_sum import is_list
from remem.core.system import Ground
from remem.model.layout import Layout
from remem.model.loader import Tool
from remem.model.prompt import Ask, Layer, Prompt
from remem.model.roles import persona_key
from remem.model.source import Source, SourceKind
from remem.systems.loading.tool_files import SharedFiles
from remem.systems.personas.layer import (
    layout_of,
    listing_agents,
    loading_order,
)
from remem.systems.personas.profiles.profile import profiles_of
from remem.systems.personas.source import PersonaSource, persona_sources
from remem.systems.plain.source import plain_sources
from remem.systems.plain.tools.tools_of_project import (
    reading_tools,
    set_tools,
    tool_named,
    used_tools,
)

if TYPE_CHECKING:
    from remem.systems.loading.as_loaded import Loading


def as_loaded(
    ground: Ground,
    sources: Sequence[Source],
    ask: Ask,
    counter: Counter,
    sharing: Sharing | None = None,
) -> Prompt:
    """Return what an agent gets at its start, each line with its file and entry.

    Args:
        ground: Says which project it is, and which layouts there are.
        sources: Those of a library.
        ask: Names the agent, or the persona; says where it is started and what it works on.
        counter: Counts tokens.
        sharing: Gathers what several agents of one library are given alike.
    """
    from remem.systems.loading.as_loaded import tool_prompt
    from remem.systems.loading.persona_start import persona_start

    name = ask.agent or ask.persona
    named = _layout(ground, ask.layout or layout_of(persona_sources(sources), name))
    tool = _tool_asked_for(ground, ask, name) if named is None else None
    if tool is not None:
        return tool_prompt(_tool_loading(ground, sources, tool, ask, counter), ask)
    if named is None:
        note = f"no agent called `{name}` loads files here"
        return Prompt(ask, counter.encoding, counter.exact, (), 0, as_loaded=True, notes=(note,))
    return persona_start(ground, sources, ask, named, counter, sharing).prompt


def agents(ground: Ground, sources: Sequence[Source], counter: Counter) -> tuple[Agent, ...]:
    """Return who starts with what: tools that read plain files, then named agents."""
    plain = plain_sources(sources)
    tools = used_tools(ground, set_tools(ground), plain)
    sharing = SharedFiles(ground, sources, counter)
    return (
        *(_tool_agent(ground, sources, tool, counter) for tool in tools),
        *(
            _named_agent(ground, sources, name, tool, places, counter, sharing)
            for name, tool, places in _named(ground, sources)
        ),
    )


def names_of(ground: Ground, sources: Sequence[Source]) -> Iterator[tuple[str, str, str]]:
    """Yield name, tool and layout of everyone who starts here, as `agents` does, uncounted."""
    plain = plain_sources(sources)
    for tool in used_tools(ground, set_tools(ground), plain):
        yield tool.title, tool.title, tool.id
    files = SharedFiles(ground, sources, Estimate())
    for name, title, places in _named(ground, sources):
        yield name, title, _loaded_place(ground, files, name, places)


def reader_here(ground: Ground, sources: Sequence[Source], name: str) -> Tool | None:
    """Return the tool of that id or title, whatever its case, if it reads a file that is here."""
    listing = listing_agents(sources)
    return tool_named(name, reading_tools(set_tools(ground), plain_sources(sources), listing))


def sharing(ground: Ground, sources: Sequence[Source], counter: Counter) -> Sharing:
    """Return what gathers what agents of these sources are given alike."""
    return SharedFiles(ground, sources, counter)


def _tool_asked_for(ground: Ground, ask: Ask, name: str) -> Tool | None:
    tools = set_tools(ground, ask.folder)
    if ask.layout:
        return next((tool for tool in tools if tool.id == ask.layout), None)
    return tool_named(name, tools)


def _tool_agent(ground: Ground, sources: Sequence[Source], tool: Tool, counter: Counter) -> Agent:
    from remem.systems.loading.as_loaded import tool_prompt

    ask = Ask(agent=tool.title, persona=tool.title, layout=tool.id)
    loading = _tool_loading(ground, sources, tool, ask, counter)
    prompt = tool_prompt(loading, ask, judged=False)
    agent = _agent(ask, tool.title, prompt, loading.sources)
    return agent if loading.stopped is None else replace(agent, stopped=loading.stopped.message)


def _tool_loading(
    ground: Ground, sources: Sequence[Source], tool: Tool, ask: Ask, counter: Counter
) -> Loading:
    """Return what a tool loads, with the agent that it begins with and those that it lists."""
    from remem.systems.loading.agent_lists import agents_found, alike_agents
    from remem.systems.loading.as_loaded import load_tool
    from remem.systems.loading.persona_start import agents_layer
    from remem.systems.loading.references import references_layer

    first = None
    if tool.begins[0]:
        from remem.systems.loading.claude_begins import begun

        first, tool = begun(ground, sources, tool, ask)
    loading = load_tool(ground, sources, tool, ask, counter)
    if loading.stopped is not None:
        return loading
    if tool.lists_agents:
        loading.unseen += tuple(_behind_links(ground, tool, ask))
    taken = agents_found(ground, sources, tool, ask)
    loading.notes += alike_agents(ground, sources, tool, ask)
    references = references_layer(ground, tool, ask, counter)
    if references is not None:
        loading.layers.insert(int(loading.begins), references)
    layer = agents_layer(ground, sources, tool, ask, counter, taken)
    if layer is not None:
        behind = (at for at, each in enumerate(loading.layers) if _is_behind_agents(each))
        at = next(behind, len(loading.layers))
        loading.layers.insert(at, layer)
    if first is not None:
        first.put_into(loading, counter)
    return loading


def _behind_links(ground: Ground, tool: Tool, ask: Ask) -> Iterator[str]:
    """Say of each link among a tool's agents that it is not followed, as that tool follows it.

    Seen of Claude Code 2.1.332 on 2026-11-28: links to a file and to a folder, out of the project
    too.
    """
    from remem.systems.personas.discover import agents_behind_links

    for link in agents_behind_links(ground, tool.title, ground.root / ask.folder):
        yield f"agents behind the link `{ground.shown(link)}`, which remem does not follow"


def _is_behind_agents(layer: Layer) -> bool:
    from remem.systems.loading.skill_lists import DESCRIPTIONS

    return layer.name == DESCRIPTIONS or layer.joins is not None


def _named_agent(
    ground: Ground,
    sources: Sequence[Source],
    name: str,
    tool: str,
    places: Sequence[str],
    counter: Counter,
    sharing: Sharing,
) -> Agent:
    from remem.systems.loading.persona_start import persona_start

    place = _loaded_place(ground, sharing, name, places)
    ask = Ask(agent=name, persona=name, layout=place)
    layout = _layout(ground, place)
    if layout is None:
        return Agent(name, tool, place, 0, False, ())
    start = persona_start(ground, sources, ask, layout, counter, sharing)
    return _agent(ask, tool, start.prompt, start.sources)


def _agent(ask: Ask, tool: str, prompt: Prompt, sources: Sequence[Source]) -> Agent:
    tokens: dict[Path, int] = {}
    lists, around = [], 0
    for layer in prompt.layers:
        paths = {line.path for line in layer.lines if line.path is not None}
        if is_list(layer):
            lists.append((layer.name, len(paths), layer.tokens))
        elif not paths:
            around += layer.tokens
        for path in () if is_list(layer) else paths:
            tokens[path] = tokens.get(path, 0) + layer.tokens
    lost = {each.path: each for each in prompt.left}
    files = tuple(
        LoadedFile(
            source.path,
            source.name,
            tokens.get(source.path, 0),
            tokens.get(source.path, 0) + (left.tokens if left is not None else 0),
            left.why if left is not None else "",
            left is not None and left.is_meant,
        )
        for source in sources
        for left in (lost.get(source.path),)
    )
    loaded = {file.path for file in files}
    left = (each for each in prompt.left if each.path not in loaded)
    return Agent(
        ask.agent,
        tool,
        ask.layout,
        prompt.tokens,
        prompt.exact,
        files,
        tuple(LoadedFile(each.path, each.name, 0, each.tokens, each.why) for each in left),
        tuple(lists),
        around,
        prompt.unseen,
    )


def _named(ground: Ground, sources: Sequence[Source]) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield named agents with tool and layouts, tool by tool in the order of the layouts."""
    found = persona_sources(sources)
    tools: dict[str, list[Layout]] = {}
    for layout in ground.layouts:
        if layout.order:
            tools.setdefault(layout.tool or layout.name, []).append(layout)
    for tool, layouts in tools.items():
        for name, places in _who(found, layouts).items():
            yield name, tool, places


def _who(sources: Sequence[PersonaSource], layouts: Sequence[Layout]) -> dict[str, list[str]]:
    """Return the names of a tool's agents, sorted, each with its layouts."""
    places = {layout.name for layout in layouts}
    loads = {part.value for layout in layouts for part in layout.order}
    names: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    for source in sources:
        if source.layout not in places or source.archived or source.part not in loads:
            continue
        owners = [profile.name for profile in profiles_of(source) if profile.is_active]
        for owner in [source.owner] if source.owner else owners:
            name = names.setdefault(persona_key(owner), owner)
            found.setdefault(name, [])
            if source.layout not in found[name]:
                found[name].append(source.layout)
    return dict(sorted(found.items(), key=lambda item: item[0].casefold()))


def _loaded_place(ground: Ground, files: Sharing, name: str, places: Sequence[str]) -> str:
    """Return the layout whose memory is loaded; where none is, the first."""
    if len(places) == 1:
        return places[0]
    for place in places:
        order = loading_order(files.about(name), name, place, ground.project)
        if any(source.owner and source.kind is SourceKind.MEMORY for source in order):
            return place
    return places[0]


def _layout(ground: Ground, name: str) -> Layout | None:
    return next((layout for layout in ground.layouts if layout.name == name), None)
