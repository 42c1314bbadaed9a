"""What an agent that loads files itself has at its start: raw lines, cut where its loader cuts.

Which files those are, and in which order, the personas' layouts say. Nothing is composed here but
the profile of a tool that composes one itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from remem.formats.personas.format import Personas
from remem.formats.personas.offer import layout_of, loaded_text, loading_order
from remem.formats.personas.profile import profiles_of
from remem.formats.personas.source import PersonaSource, persona_key, persona_sources
from remem.formats.protocol import Ground
from remem.model.entry import Entry, FileSpan, Ref, WholeFile
from remem.model.layout import Layout, Part
from remem.model.prompt import Ask, Layer, Line, Prompt, Reason, Unit, Verdict
from remem.model.source import Loader, LoaderKind, Source, SourceKind
from remem.prompt.compose import Composing, segment_layer
from remem.prompt.tokens import Counter

_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """One file of an agent's start."""

    path: Path
    name: str
    tokens: int
    """Of what is loaded."""
    total: int
    """Tokens of the whole file, as its tool would hand it on."""

    @property
    def is_cut(self) -> bool:
        return self.tokens < self.total


@dataclass(frozen=True, slots=True)
class Agent:
    """Somebody who starts with memory, and what they start with."""

    name: str
    tool: str
    layout: str
    tokens: int
    """Of the whole start, as loaded."""
    exact: bool
    files: tuple[LoadedFile, ...]
    """In loading order."""

    @property
    def ask(self) -> Ask:
        """What to ask `as_loaded` for to see the start."""
        return Ask(agent=self.name, persona=self.name, layout=self.layout)


@dataclass(frozen=True, slots=True)
class _RawLine:
    """A line of a file; offsets are bytes in the file."""

    number: int
    """From 1."""
    start: int
    end: int
    """Without its line end."""


def as_loaded(
    formats: Iterable[Composing],
    ground: Ground,
    sources: Sequence[Source],
    ask: Ask,
    counter: Counter,
) -> Prompt:
    """Return what an agent gets at its start, each line with its file and entry.

    Args:
        formats: One of them reads the agent's files and knows the text around its memory.
        ground: Says which project it is, and which layouts there are.
        sources: Those of a library.
        ask: Names the agent, or the persona.
        counter: Counts tokens.
    """
    name = ask.agent or ask.persona
    found = persona_sources(sources)
    layout = _layout(ground, ask.layout or layout_of(found, name))
    if layout is None:
        note = f"no agent called `{name}` loads files here"
        return Prompt(ask, counter.encoding, counter.exact, (), 0, as_loaded=True, notes=(note,))
    order = loading_order(found, name, layout.name, ask.project or ground.project)
    files = [source for source in order if source.loader.kind is not LoaderKind.COMPOSED]
    asked = replace(ask, persona=name, layout=layout.name)
    profile = _profile(formats, ground, sources, asked, layout, counter)
    layers = [*profile, *(_layer(source, counter) for source in files)]
    layers = [replace(layer, gap=1 if index else 0) for index, layer in enumerate(layers)]
    prompt = Prompt(
        ask=ask,
        encoding=counter.encoding,
        exact=counter.exact,
        layers=tuple(layers),
        tokens=0,
        verdicts=tuple(_verdicts(found, files, name, layout, counter)),
        as_loaded=True,
        unseen=_unseen(layout),
    )
    return replace(prompt, tokens=counter.count(prompt.text))


def agents(ground: Ground, sources: Sequence[Source], counter: Counter) -> tuple[Agent, ...]:
    """Return who starts with what, tool by tool in the order of the layouts, then by name."""
    found = persona_sources(sources)
    tools: dict[str, list[Layout]] = {}
    for layout in ground.layouts:
        if layout.order:
            tools.setdefault(layout.tool or layout.name, []).append(layout)
    return tuple(
        _agent(ground, found, name, tool, places, counter)
        for tool, layouts in tools.items()
        for name, places in _who(found, layouts).items()
    )


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


def _agent(
    ground: Ground,
    sources: Sequence[PersonaSource],
    name: str,
    tool: str,
    places: Sequence[str],
    counter: Counter,
) -> Agent:
    layout = _loaded_place(ground, sources, name, places)
    ask = Ask(agent=name, persona=name, layout=layout)
    prompt = as_loaded((Personas(),), ground, sources, ask, counter)
    order = loading_order(sources, name, layout, ground.project)
    files = [source for source in order if source.loader.kind is not LoaderKind.COMPOSED]
    layers = prompt.layers[-len(files) :] if files else ()
    loaded = [
        LoadedFile(source.path, source.name, layer.tokens, counter.count(_whole(source)))
        for source, layer in zip(files, layers, strict=True)
    ]
    return Agent(name, tool, layout, prompt.tokens, counter.exact, tuple(loaded))


def _loaded_place(
    ground: Ground, sources: Sequence[PersonaSource], name: str, places: Sequence[str]
) -> str:
    """Return the layout whose memory is loaded; where none is, the first."""
    for place in places:
        order = loading_order(sources, name, place, ground.project)
        if any(source.owner and source.kind is SourceKind.MEMORY for source in order):
            return place
    return places[0]


def _layout(ground: Ground, name: str) -> Layout | None:
    return next((layout for layout in ground.layouts if layout.name == name), None)


def _profile(
    formats: Iterable[Composing],
    ground: Ground,
    sources: Sequence[Source],
    ask: Ask,
    layout: Layout,
    counter: Counter,
) -> Iterator[Layer]:
    """Yield the profile where the tool composes it itself instead of loading a file."""
    if not layout.composed:
        return
    for each in formats:
        own = [source for source in sources if source.format == each.name]
        frame = each.frame(ground, own, ask)
        if frame is not None:
            for segment in frame.segments:
                if not segment.is_memory:
                    yield segment_layer(segment, counter)
            return


def _layer(source: Source, counter: Counter) -> Layer:
    lines = _cut(source)
    refs = _refs(source, lines)
    shown = tuple(
        Line(text, counter.count(text) if text else 0, ref, f"{source.name}:{line.number}")
        for line, ref in zip(lines, refs, strict=True)
        for text in (_decoded(source.data[line.start : line.end]),)
    )
    budget, unit = _limit(source.loader, _body(source)[1])
    text = "\n".join(line.text for line in shown)
    return Layer(source.name, shown, counter.count(text), budget, unit)


def _body(source: Source) -> tuple[int, bytes]:
    """Return what a tool hands on of a file, and where in the file it starts."""
    body = loaded_text(source).removeprefix(_BOM)
    return len(source.data) - len(body), body


def _whole(source: Source) -> str:
    return _decoded(_body(source)[1].removesuffix(b"\n"))


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _cut(source: Source) -> tuple[_RawLine, ...]:
    """Return the lines that a loader lets through; the first one of a tail may be a part."""
    start, data = _body(source)
    loader = source.loader
    match loader.kind:
        case LoaderKind.HEAD:
            lines = tuple(_raw_lines(source, start))
            lines = lines[: loader.lines] if loader.lines else lines
            if not loader.bytes:
                return lines
            return tuple(line for line in lines if line.end - start <= loader.bytes)
        case LoaderKind.TAIL:
            kept = data.decode("utf-8", "surrogateescape")[-loader.characters :]
            tail = len(kept.encode("utf-8", "surrogateescape"))
            return tuple(_raw_lines(source, len(source.data) - tail))
        case LoaderKind.WHOLE:
            return tuple(_raw_lines(source, start))
        case _:
            return ()


def _raw_lines(source: Source, start: int) -> Iterator[_RawLine]:
    """Yield lines that end in a newline; a carriage return before it stays in the line."""
    data = source.data[start:]
    if not data:
        return
    number = 1 + source.data.count(b"\n", 0, start)
    for line in data.removesuffix(b"\n").split(b"\n"):
        yield _RawLine(number, start, start + len(line))
        start += len(line) + 1
        number += 1


def _limit(loader: Loader, data: bytes) -> tuple[int | None, Unit]:
    """Return the limit that cuts this file, or that would first."""
    match loader.kind:
        case LoaderKind.HEAD:
            head = b"".join(data.splitlines(keepends=True)[: loader.lines or None])
            if loader.bytes and (not loader.lines or len(head) > loader.bytes):
                return loader.bytes, Unit.BYTES
            return loader.lines, Unit.LINES
        case LoaderKind.TAIL:
            return loader.characters, Unit.CHARACTERS
        case _:
            return None, Unit.TOKENS


def _spans(source: Source) -> tuple[tuple[int, int, Entry], ...]:
    """Return where each entry lies in the file, in file order."""
    spans = []
    for entry in source.entries:
        if isinstance(entry.at, FileSpan):
            spans.append((entry.at.start, entry.at.end, entry))
        elif isinstance(entry.at, WholeFile):
            spans.append((0, len(source.data), entry))
    return tuple(sorted(spans, key=lambda span: span[:2]))


def _refs(source: Source, lines: Sequence[_RawLine]) -> Iterator[Ref | None]:
    """Yield the ref of the entry that each line belongs to."""
    spans = _spans(source)
    at = 0
    for line in lines:
        while at < len(spans) and spans[at][1] <= line.start:
            at += 1
        inside = at < len(spans) and spans[at][0] <= max(line.start, line.end - 1)
        yield spans[at][2].ref if inside else None


def _verdicts(
    sources: Sequence[PersonaSource],
    loaded: Sequence[Source],
    name: str,
    layout: Layout,
    counter: Counter,
) -> Iterator[Verdict]:
    for source in loaded:
        yield from _cut_verdicts(source, counter)
    taken = {source.path for source in loaded}
    for source in sources:
        is_own = bool(source.owner) and persona_key(source.owner) == persona_key(name)
        is_teams = source.part == Part.TEAM and not source.owner and source.layout == layout.name
        if (is_own or is_teams) and source.path not in taken:
            why = _why_not_loaded(source, layout)
            for entry in source.entries:
                yield Verdict(entry.ref, Reason.NOT_LOADED, why, layer=source.name)


def _cut_verdicts(source: Source, counter: Counter) -> Iterator[Verdict]:
    """Yield a verdict on each entry of a loaded file: in only if all of it is."""
    start, _ = _body(source)
    lines = _cut(source)
    first, last = (lines[0].start, lines[-1].end + 1) if lines else (0, 0)
    for begin, end, entry in _spans(source):
        tokens = counter.count(_decoded(source.data[begin:end]))
        if max(begin, start) >= first and end <= last:
            yield Verdict(entry.ref, tokens=tokens, layer=source.name)
            continue
        is_cut = begin < last and end > first
        detail = f"the agent loads only the {source.loader}"
        if is_cut:
            detail = f"a part of it is cut: {detail}"
        yield Verdict(entry.ref, Reason.NOT_LOADED, detail, tokens, layer=source.name)


def _why_not_loaded(source: PersonaSource, layout: Layout) -> str:
    if source.archived or source.part == Part.ARCHIVE:
        return "it is archived"
    if source.layout != layout.name:
        place = f"`{source.scope}` memory" if source.scope else f"`{source.layout}`"
        return f"it lies in {place}, and the agent loads another place"
    if source.loader.kind is LoaderKind.ON_REQUEST:
        return "the agent opens this file itself when it needs it"
    return "the agent does not load this file at its start"


def _unseen(layout: Layout) -> tuple[str, ...]:
    tool = layout.tool or layout.name
    return (
        f"the system text of {tool}",
        f"what {tool} says about its tools",
        "files that the agent opens while it works",
    )
