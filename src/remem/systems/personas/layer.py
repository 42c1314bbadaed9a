"""What a persona brings to a prompt: memory by priority, the text around it, the order of files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Final

from remem.core.system import Ground
from remem.edit.markdown import Document
from remem.model.entry import Entry
from remem.model.layout import Base, Layout, Part, Reader
from remem.model.memo import kept
from remem.model.prompt import Ask, Frame, Offer, Piece, Reason, Section, Segment, Verdict
from remem.model.roles import persona_key
from remem.model.source import LoaderKind, Source, SourceKind
from remem.systems.personas.claude_agents import (
    Definition,
    definition_body,
    described_agent,
    listed_agent,
    memory_folder,
    read_definition,
    started_from,
)
from remem.systems.personas.discover import definitions_below, memory_below
from remem.systems.personas.profiles.profile import profile_of, profiles_of
from remem.systems.personas.read import ROOT_SECTION, Passage, document_of, passages
from remem.systems.personas.source import PersonaSource, persona_sources

_MEMORY: Final = "memory"
_HEADINGS: Final[Mapping[str, tuple[str, str]]] = {
    Part.CORE: ("core lessons", "## Core Lessons"),
    Part.WORKING: ("working memory", "## Working Memory"),
}
_PLAIN: Final = ("persona memory", "## Memory")
_LIVE: Final = frozenset({Part.MAIN.value, Part.CORE.value, Part.WORKING.value})


def loading_order(
    sources: Sequence[Source], persona: str, layout: str = "", project: str = ""
) -> tuple[Source, ...]:
    """Return what a tool loads for a persona, in its order; what it leaves alone is not there.

    Args:
        sources: Those of a library; other formats' are passed over.
        persona: Name of the persona or agent; spelling as in `persona_key`.
        layout: Where several keep a memory of that name; empty = the one that is loaded.
        project: Whose memory, where the tool keeps several apart; empty = every one.
    """
    found = persona_sources(sources)
    layout = layout or layout_of(found, persona)
    rules = next((source.rules for source in found if source.layout == layout), None)
    if rules is None:
        return ()
    definition = definition_source(found, persona)
    order: list[Source] = []
    for part in rules.order:
        if part is Part.DEFINITION and definition is not None:
            order.append(definition)
            continue
        order += [
            source
            for source in found
            if source.part == part
            and _is_loaded_for(source, persona, layout, project)
            and (part is not Part.MAIN or _is_its_memory(source, definition))
        ]
    return tuple(order)


def _is_its_memory(source: PersonaSource, definition: PersonaSource | None) -> bool:
    is_there = definition is None or is_in_its_folder(source, definition)
    return is_there and _scope_is_loaded(source, definition)


def is_in_its_folder(source: PersonaSource, definition: PersonaSource) -> bool:
    """Tell whether a memory lies where its tool looks for that of an agent."""
    is_by_name = Part.DEFINITION in source.rules.order
    return not is_by_name or source.folder.name == memory_folder(definition.owner)


def as_started(
    ground: Ground, sources: Sequence[PersonaSource], start: Path
) -> tuple[PersonaSource, ...]:
    """Return the files of agents as they count for who is started in a folder.

    Claude Code 2.1.332 looks for a project's memory of its agents where it is started, and nowhere
    above (seen on 2026-11-28).
    """
    if start == ground.root:
        return tuple(sources)
    stay = (source for source in sources if not _lies_where_started(source))
    return (*stay, *memory_below(ground, start))


def _lies_where_started(source: PersonaSource) -> bool:
    rules = source.rules
    is_memory = source.part == Part.MAIN and Part.DEFINITION in rules.order
    return is_memory and rules.base is Base.ROOT


def memory_loaded(
    sources: Sequence[PersonaSource], definition: PersonaSource
) -> Iterator[PersonaSource]:
    """Yield the memory that an agent has at its start as its definition says."""
    for source in sources:
        is_its_tools = source.rules.tool == definition.rules.tool and not source.archived
        is_own = source.part == Part.MAIN and is_in_its_folder(source, definition)
        if is_its_tools and is_own and _scope_is_loaded(source, definition):
            yield source


def loaded_text(source: Source) -> bytes:
    """Return what of a source a tool hands on: a definition without its front matter."""
    return definition_body(source.data) if source.part == Part.DEFINITION else source.data


def layout_of(sources: Sequence[PersonaSource], persona: str) -> str:
    """Return the place that a persona is composed from when nobody names one."""
    own = [source for source in sources if _belongs(source, persona) and not source.archived]
    memory = [source for source in own if source.kind is SourceKind.MEMORY]
    definition = definition_source(sources, persona)
    loaded = [source for source in memory if _scope_is_loaded(source, definition)]
    first = next(iter([*loaded, *memory, *own]), None)
    if first is not None:
        return first.layout
    with_row = (
        source.layout
        for source in sources
        if any(persona_key(each.name) == persona_key(persona) for each in profiles_of(source))
    )
    return next(with_row, "")


def definition_source(sources: Sequence[PersonaSource], persona: str) -> PersonaSource | None:
    """Return the definition of an agent; the root's own comes before the home folder's."""
    return next((s for s in sources if s.part == Part.DEFINITION and _belongs(s, persona)), None)


def frame(ground: Ground, sources: Sequence[PersonaSource], ask: Ask) -> Frame | None:
    """Return the profile, charter or definition of a persona, with the place of its memory."""
    layout = ask.layout or layout_of(sources, ask.persona)
    rules = next((each for each in ground.layouts if each.name == layout), None)
    if rules is None:
        return None
    text, note = _profile_text(sources, ask.persona, rules)
    # Memory goes to the end, parted from the profile by a blank line.
    return Frame((Segment("profile", text),) if text else (), note)


def offers(ground: Ground, sources: Sequence[PersonaSource], ask: Ask) -> tuple[Offer, ...]:
    """Return the memory layers of a persona; everyone else's memory is not even asked about."""
    layout = ask.layout or layout_of(sources, ask.persona)
    project = ask.project or ground.project
    definition = definition_source(sources, ask.persona)
    found = [_team_offer(source) for source in sources if _is_team_memory(source, layout)]
    out: list[Verdict] = []
    for source in sources:
        if not _belongs(source, ask.persona) or source.kind is not SourceKind.MEMORY:
            continue
        why = _why_out(source, layout, project, definition)
        if why is None:
            found.append(_memory_offer(source))
        else:
            out += [Verdict(entry.ref, *why) for entry in source.entries]
    if out:
        found = found or [Offer(_PLAIN[0])]
        found[-1] = replace(found[-1], verdicts=(*found[-1].verdicts, *out))
    return tuple(found)


def _profile_text(sources: Sequence[PersonaSource], persona: str, rules: Layout) -> tuple[str, str]:
    if Part.DEFINITION in rules.order:
        definition = definition_source(sources, persona)
        return (_text(definition_body(definition.data)), "") if definition is not None else ("", "")
    if Part.PROFILE in rules.order:
        profile = profile_of(sources, persona)
        note = "the system prompt override replaces the profile" if profile.override.strip() else ""
        return profile.compiled(), note
    charter = next(
        (
            source
            for source in sources
            if source.part == Part.CHARTER
            and source.layout == rules.name
            and not source.archived
            and _belongs(source, persona)
        ),
        None,
    )
    return (_text(charter.data), "") if charter is not None else ("", "")


def _why_out(
    source: PersonaSource, layout: str, project: str, definition: PersonaSource | None
) -> tuple[Reason, str] | None:
    if source.archived or source.part == Part.ARCHIVE:
        return Reason.STATUS, "it is archived"
    if source.layout != layout:
        return Reason.NOT_LOADED, f"it is in `{source.layout}`, another place of this persona"
    if source.project and source.project != project:
        return Reason.SCOPE, f"it is memory for the project `{source.project}`"
    if source.part not in _LIVE:
        return Reason.NOT_LOADED, "the agent opens this file itself when it needs it"
    if not _scope_is_loaded(source, definition):
        return Reason.NOT_LOADED, f"the definition does not load `{source.scope}` memory"
    return None


def _belongs(source: PersonaSource, persona: str) -> bool:
    return bool(source.owner) and persona_key(source.owner) == persona_key(persona)


def _is_loaded_for(source: PersonaSource, persona: str, layout: str, project: str) -> bool:
    if source.archived or source.layout != layout or source.loader.kind is LoaderKind.NOT_KNOWN:
        return False
    if project and source.project and source.project != project:
        return False
    is_row = any(persona_key(each.name) == persona_key(persona) for each in _rows(source))
    is_team = source.part == Part.TEAM and not source.owner
    return _belongs(source, persona) or is_team or is_row


def _rows(source: PersonaSource) -> tuple[Definition, ...]:
    return tuple(Definition(str(row.get("name") or ""), "") for row in source.rows)


def _scope_is_loaded(source: PersonaSource, definition: PersonaSource | None) -> bool:
    """Tell whether an agent's definition loads the scope that a memory lies in."""
    if definition is None or Part.DEFINITION not in source.rules.order:
        return True
    return read_definition(definition.data, definition.path.stem).memory == source.scope


@kept
def _memory_offer(source: PersonaSource) -> Offer:
    layer, title = _HEADINGS.get(source.part, _PLAIN)
    found = passages(source)
    ranks = _ranks(source, found)
    sections = {_MEMORY: Section(_MEMORY, title)}
    pieces: list[Piece] = []
    document = document_of(source.data) if found else None
    before: Passage | None = None
    for entry, passage, rank in zip(source.entries, found, ranks, strict=True):
        if document is not None:
            pieces.append(_piece(source, document, entry, passage, before, rank))
            if _key(passage.heading) not in sections:
                sections |= _sections(document, passage)
        before = passage
    return Offer(layer, tuple(pieces), sections, cap=source.file.budget)


def _piece(
    source: PersonaSource,
    document: Document,
    entry: Entry,
    passage: Passage,
    before: Passage | None,
    rank: tuple[int, ...],
) -> Piece:
    between = document.data[before.end : passage.start] if before is not None else b""
    return Piece(
        ref=entry.ref,
        text=_text(source.data[passage.start : passage.end]),
        rank=rank,
        section=_key(passage.heading),
        gap=int(len(between.splitlines()) > 1),
    )


def _ranks(source: PersonaSource, found: Sequence[Passage]) -> Iterator[tuple[int, ...]]:
    """Yield each passage's place: the head, then sections newest to oldest, top to bottom inside.

    A section without a date counts as no older than what stands above it: files grow at their end.
    """
    if source.part == Part.CORE:
        yield from ((0, 0, index) for index in range(len(found)))
        return
    newest = ""
    dates: dict[int, str] = {}
    for passage in found:
        if passage.group != ROOT_SECTION and passage.group not in dates:
            newest = max(newest, passage.date)
            dates[passage.group] = passage.date or newest
    order = sorted(dates, key=lambda group: (dates[group], group), reverse=True)
    places = {group: place for place, group in enumerate(order)}
    for index, passage in enumerate(found):
        is_head = passage.group == ROOT_SECTION
        yield (0, 0, index) if is_head else (1, places[passage.group], index)


def _sections(document: Document, passage: Passage) -> dict[str, Section]:
    """Return the headings that a passage stands under, each printed with its first piece."""
    sections: dict[str, Section] = {}
    path = _path(document, passage)
    for above, index in zip((None, *path), path, strict=False):
        heading = document.headings[index]
        line = _text(document.data[heading.start : heading.end])
        following = document.data[heading.end :].lstrip(b"\r").removeprefix(b"\n")
        is_loose = following[:1] in {b"\r", b"\n"}
        parent = _MEMORY if above is None else _key(above)
        sections[_key(index)] = Section(_key(index), line, parent, gap=int(is_loose))
    return sections


def _path(document: Document, passage: Passage) -> tuple[int, ...]:
    """Return the indexes of the headings above a passage, its section's dated one included."""
    path: list[int] = []
    at = passage.heading
    while at >= 0:
        path.insert(0, at)
        at = document.headings[at].parent
    if passage.group != ROOT_SECTION and passage.group not in path:
        path.insert(0, passage.group)
    return tuple(path)


def _key(heading: int) -> str:
    return _MEMORY if heading < 0 else f"heading {heading}"


def _is_team_memory(source: PersonaSource, layout: str) -> bool:
    """Tell whether every agent of the layout's team is given this file."""
    return (
        source.layout == layout
        and source.part == Part.TEAM
        and source.file.reader is Reader.DECISIONS
        and source.loader.kind is not LoaderKind.NOT_KNOWN
    )


@kept
def _team_offer(source: PersonaSource) -> Offer:
    """Return the team's decisions as a layer of their own; every agent reads all of them."""
    newest_first = sorted(
        range(len(source.entries)), key=lambda i: (source.entries[i].date, i), reverse=True
    )
    places = {index: place for place, index in enumerate(newest_first)}
    found = zip(source.entries, passages(source), strict=True)
    return Offer(
        "team decisions",
        tuple(
            Piece(
                entry.ref,
                _text(source.data[passage.start : passage.end]),
                (places[index],),
                "",
                gap=1,
            )
            for index, (entry, passage) in enumerate(found)
        ),
    )


def _text(data: bytes) -> str:
    """Return lines as a prompt holds them: without BOM, line ends as one sign."""
    return "\n".join(
        line.decode("utf-8", "replace") for line in data.removeprefix(b"\xef\xbb\xbf").splitlines()
    )


def agents_listed(
    ground: Ground,
    sources: Sequence[Source],
    tool: str,
    start: Path,
    without: Collection[str] = (),
) -> tuple[tuple[str, PersonaSource], ...]:
    """Return how a tool lists each agent that may be called where it is started, by name.

    Args:
        ground: Where the root and the home folder are.
        sources: Those of a library.
        tool: Its title.
        start: The folder that it is started in; agents in those between it and the root count too.
        without: Names of those that may not be called.
    """
    from remem.base.collation import collated

    found = agents_around(ground, sources, tool, start)
    names = sorted(found.keys() - {*without}, key=collated)
    return tuple((listed_agent(found[name].data), found[name]) for name in names)


def agents_around(
    ground: Ground, sources: Sequence[Source], tool: str, start: Path
) -> Mapping[str, PersonaSource]:
    """Return the definition that counts of each agent there is where a tool is started, by name."""
    around = {start, *start.parents, ground.home}
    found: dict[str, PersonaSource] = {}
    for source in (*definitions_below(ground, start), *persona_sources(sources)):
        is_definition = source.part == Part.DEFINITION and source.rules.tool == tool
        is_there = is_definition and not source.archived and bool(listed_agent(source.data))
        if not is_there or started_from(source.folder) not in around:
            continue
        name = read_definition(source.data, source.path.stem).name
        known = found.get(name)
        # The nearest folder's counts; of two in one folder, the last.
        if known is None or started_from(known.folder) == started_from(source.folder):
            found[name] = source
    return found


def described(source: Source, path: Path | None = None) -> tuple[str, str] | None:
    """Return name and description of an agent, of which the latter is enough; `None` = it lacks.

    Args:
        source: Its file.
        path: As a tool finds it, where that is a link.
    """
    return described_agent(source.data, path or source.path)


def definitions_around(
    ground: Ground, sources: Sequence[Source], tool: str, start: Path
) -> Iterator[PersonaSource]:
    """Yield a tool's definitions of agents from where it is started up to the root, nearest first.

    Args:
        ground: Where the root is.
        sources: Those of a library.
        tool: Its title.
        start: The folder that it is started in.
    """
    around = {start, *start.parents}
    for source in (*definitions_below(ground, start), *persona_sources(sources)):
        is_definition = source.part == Part.DEFINITION and source.rules.tool == tool
        is_root = source.folder.is_relative_to(ground.root)
        is_there = not source.archived and started_from(source.folder) in around
        if is_definition and is_root and is_there:
            yield source


def listing_agents(sources: Sequence[Source]) -> Set[str]:
    """Return the titles of tools that list agents here."""
    return {
        source.rules.tool
        for source in persona_sources(sources)
        if source.part == Part.DEFINITION and not source.archived and listed_agent(source.data)
    }
