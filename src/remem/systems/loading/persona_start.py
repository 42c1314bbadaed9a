"""What a named agent that loads files itself has at its start, as its layout and its tool say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from remem.base.frozen import dataclass
from remem.core.prompt.agents import Shared, Sharing
from remem.core.prompt.compose import segment_layer
from remem.core.prompt.counter import Counter
from remem.core.system import Ground
from remem.model.layout import Layout, Part
from remem.model.loader import Tool
from remem.model.prompt import Ask, Layer, LeftOut, Line, Prompt, Reason, Verdict
from remem.model.roles import persona_key
from remem.model.source import WHOLE, LoaderKind, Source
from remem.systems.loading.as_loaded import skills_named, unseen
from remem.systems.loading.loader_cut import cut_of, whole_text
from remem.systems.loading.skill_lists import DESCRIPTIONS
from remem.systems.loading.tool_files import SharedFiles
from remem.systems.personas.claude_agents import (
    front_matter,
    may_call_skills,
    memory_folder,
    omits_instructions,
    skills_of,
)
from remem.systems.personas.layer import agents_listed, as_started, loading_order
from remem.systems.personas.source import PersonaSource, persona_sources
from remem.systems.plain.tools.tools_of_project import tool_named

if TYPE_CHECKING:
    from remem.systems.loading.agent_lists import Listed

_AGENTS: Final = "descriptions of agents"


@dataclass(frozen=True, slots=True)
class PersonaStart:
    """A named agent's start, and the files it is made of."""

    prompt: Prompt
    sources: tuple[Source, ...]
    """In loading order."""


def persona_start(
    ground: Ground,
    sources: Sequence[Source],
    ask: Ask,
    layout: Layout,
    counter: Counter,
    sharing: Sharing | None = None,
) -> PersonaStart:
    """Return what a named agent gets; `ask` names it and may name its layout.

    Of several agents of one snapshot, `sharing` gathers once what they are all given.
    """
    name = ask.agent or ask.persona
    sharing = sharing or SharedFiles(ground, sources, counter)
    found = persona_sources(sharing.about(name))
    there = as_started(ground, found, ground.root / ask.folder)
    order = loading_order(there, name, layout.name, ask.project or ground.project)
    tool = tool_named(layout.tool, sharing.tools(ask.folder))
    off = tool.memory_off if tool is not None and Part.DEFINITION in layout.order else ""
    order = tuple(x for x in order if x.part != Part.MAIN) if off else order
    files = [source for source in order if source.loader.kind is not LoaderKind.COMPOSED]
    asked = replace(ask, persona=name, layout=layout.name)
    first = [source for source in files if source.part == Part.DEFINITION]
    values = front_matter(first[0].data) if first else {}
    shared = _shared(tool, layout, values, ask, sharing)
    named = skills_of(values) if tool is not None and tool.lists_agents else ()
    skills = skills_named(tool, sources, named) if tool is not None and named else ()
    rest = [source for source in files if source.part != Part.DEFINITION]
    own = [*first, *shared.sources, *rest, *skills]
    layers = [
        *_profile(ground, sources, asked, layout, counter),
        *(cut_of(source).layer(counter) for source in first),
        *(each for each in shared.layers if each.name != DESCRIPTIONS or may_call_skills(values)),
        *(cut_of(source).layer(counter) for source in rest),
        *(cut_of(source, WHOLE).layer(counter) for source in skills),
    ]
    layers.sort(key=lambda layer: layer.joins is not None)
    loaded, names = {each.path for each in skills}, {each.name for each in skills}
    left = [
        *(x for x in shared.left if x.path not in loaded),
        *_left(found, files, name, layout, off, counter),
    ]
    verdicts = [*_verdicts(found, files, name, layout, off, counter)]
    for source in skills:
        verdicts += cut_of(source, WHOLE).verdicts(counter)
    prompt = Prompt(
        ask=ask,
        encoding=counter.encoding,
        exact=False,
        layers=tuple(_spaced(layers)),
        tokens=sum(layer.tokens for layer in layers),
        verdicts=(*verdicts, *(x for x in shared.verdicts if x.layer not in names)),
        as_loaded=True,
        unseen=tuple(_unseen(layout, first, "" if off else values.get("memory"))),
        notes=(*shared.notes, *_not_given(named, skills)),
        left=tuple(left),
    )
    return PersonaStart(prompt, tuple(own))


def _unseen(layout: Layout, first: Sequence[Source], memory: object) -> Iterator[str]:
    """Yield what is not shown: also memory that links give several, which one of them is shown."""
    from remem.systems.personas.discover import SHARED

    yield from unseen(layout.tool or layout.name, composed=layout.composed)
    for problem in (each for source in first for each in source.problems):
        if problem.code == SHARED and memory == layout.scope:
            yield f"its memory: {problem.message}"


def _not_given(named: Sequence[str], skills: Sequence[Source]) -> Iterator[str]:
    there = {source.path.parent.name for source in skills}
    for name in named:
        if name not in there:
            yield f"`skills` names `{name}`: no such skill is available to agents"


def agents_layer(
    ground: Ground,
    sources: Sequence[Source],
    tool: Tool,
    ask: Ask,
    counter: Counter,
    taken: Sequence[Listed] = (),
) -> Layer | None:
    """Return the agents that a tool lists to the one that may call them; `None` = it lists none.

    Args:
        ground: Where the root and the home folder are.
        sources: Those of a library.
        tool: Whose list.
        ask: Says in which folder it is started.
        counter: Counts tokens.
        taken: How a tool lists agents that it defines none of itself, with their files.
    """
    start = ground.root / ask.folder
    own = (
        agents_listed(ground, sources, tool.title, start, tool.unlisted)
        if tool.lists_agents
        else ()
    )
    found: Sequence[Listed] = own if tool.lists_agents else taken
    lines = [
        Line(line, counter.count(line) if line else 0, None, source.name, source.path)
        for text, source in found
        for line in text.split("\n")
    ]
    if not lines:
        return None
    joined = "\n".join(line.text for line in lines)
    return Layer(_AGENTS, tuple(lines), counter.count(joined))


def _shared(
    tool: Tool | None, layout: Layout, values: Mapping[str, Any], ask: Ask, sharing: Sharing
) -> Shared:
    """Return the instructions of the project that the tool gives this agent too."""
    if tool is None or Part.DEFINITION not in layout.order or omits_instructions(values):
        return Shared()
    return sharing.of(tool, ask)


def _spaced(layers: Iterable[Layer]) -> Iterator[Layer]:
    """Yield layers that hold something, with a blank line between each two."""
    for at, layer in enumerate(layer for layer in layers if layer.lines):
        gap = 1 if at else 0
        yield layer if layer.gap == gap else replace(layer, gap=gap)


def _profile(
    ground: Ground,
    sources: Sequence[Source],
    ask: Ask,
    layout: Layout,
    counter: Counter,
) -> Iterator[Layer]:
    """Yield the profile where the tool composes it itself instead of loading a file."""
    if not layout.composed:
        return
    from remem.systems.personas.layer import frame

    around = frame(ground, persona_sources(sources), ask)
    for segment in () if around is None else around.segments:
        if not segment.is_memory:
            yield segment_layer(segment, counter)


def _verdicts(
    sources: Sequence[PersonaSource],
    loaded: Sequence[Source],
    name: str,
    layout: Layout,
    off: str,
    counter: Counter,
) -> Iterator[Verdict]:
    for source in loaded:
        yield from cut_of(source).verdicts(counter)
    for other, why in _others(sources, loaded, name, layout, off):
        reason = Reason.STATUS if _is_archived(other) else Reason.NOT_LOADED
        for entry in other.entries:
            yield Verdict(entry.ref, reason, why, layer=_named(other, loaded))


def _left(
    sources: Sequence[PersonaSource],
    loaded: Sequence[Source],
    name: str,
    layout: Layout,
    off: str,
    counter: Counter,
) -> Iterator[LeftOut]:
    for source in loaded:
        cut = cut_of(source)
        left = cut.left(cut.layer(counter).tokens, counter)
        if left is not None:
            yield left
    for other, why in _others(sources, loaded, name, layout, off):
        if not _is_archived(other):
            tokens = counter.count(whole_text(other))
            yield LeftOut(other.path, _named(other, loaded), tokens, why)


def _named(other: PersonaSource, loaded: Sequence[Source]) -> str:
    """Return what a file is called that is not loaded; one that is loaded may be called alike."""
    is_alike = any(source.name == other.name for source in loaded)
    return f"{other.layout}: {other.name}" if is_alike else other.name


def _is_archived(source: PersonaSource) -> bool:
    return source.archived or source.part == Part.ARCHIVE


def _others(
    sources: Sequence[PersonaSource],
    loaded: Sequence[Source],
    name: str,
    layout: Layout,
    off: str,
) -> Iterator[tuple[PersonaSource, str]]:
    """Yield files of the agent or its team that are not loaded, with the reason."""
    taken = {source.path for source in loaded}
    for source in sources:
        is_own = bool(source.owner) and persona_key(source.owner) == persona_key(name)
        is_teams = source.part == Part.TEAM and not source.owner and source.layout == layout.name
        if (is_own or is_teams) and source.path not in taken:
            is_off = off and source.part == Part.MAIN and not _is_archived(source)
            yield source, off if is_off else _why_not_loaded(source, loaded, layout)


def _why_not_loaded(source: PersonaSource, loaded: Sequence[Source], layout: Layout) -> str:
    if _is_archived(source):
        return "it is archived"
    if source.layout != layout.name:
        is_other = bool(source.scope) and source.scope != layout.scope
        place = f"`{source.scope}` memory" if is_other else f"the memory of `{source.layout}`"
        return f"it is in {place}, but the agent loads another place"
    definition = next((each for each in loaded if each.part == Part.DEFINITION), None)
    if source.part == Part.MAIN and definition is not None:
        folder = memory_folder(definition.owner)
        if source.folder.name != folder:
            return f"it is in `{source.folder.name}/`, but the agent loads `{folder}/`"
    if source.loader.kind is LoaderKind.ON_REQUEST:
        return "the agent opens this file itself when it needs it"
    return "the agent does not load this file at startup"
