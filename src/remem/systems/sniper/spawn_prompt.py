"""The text around project memory in a spawn prompt: layers, template, ownership (FORMATS 1.11)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from remem.core.library import Library
from remem.core.system import Ground
from remem.edit.yaml_read import parse_document
from remem.model.prompt import Ask, Frame, Segment
from remem.model.roles import aliases, plain
from remem.model.source import COMPOSED, ON_REQUEST, Source, SourceKind
from remem.store.io import Disk
from remem.systems.sniper.config import settings_in, settings_of
from remem.systems.sniper.retro.retro_files import SNIPER

TEMPLATE: Final = "spawn-template"
PROCESS: Final = "process"
TECHNICAL: Final = "technical"
COGNITIVE: Final = "cognitive"
DOMAIN: Final = "domain"
PACK_PROCESS: Final = "pack-process"
PROMPT: Final = "spawn-prompt"

UNKNOWN_DOMAIN: Final = "No domain-specific context available."
PROTOCOL: Final = "protocol"
LAYERS: Final = (TECHNICAL, COGNITIVE, DOMAIN, "name", "ownership", PROTOCOL)
"""What may be chosen of a prompt, besides its role."""

BASE: Final = "base-agent"
MIXIN: Final = "mixin"
_PARTS: Final = {TECHNICAL: (TECHNICAL,), COGNITIVE: (COGNITIVE, MIXIN), DOMAIN: (DOMAIN,)}
"""Kind of layer → the sources that can be it, in either generation."""

NO_PROTOCOL: Final = (
    "no protocol is in progress: prior decisions and `{protocol_id}` are filled in by `--protocol`"
)
NO_TECHNICAL: Final = (
    "No specific technical expertise assigned. Apply general engineering best practices."
)
NO_COGNITIVE: Final = "No specific cognitive style assigned. Apply balanced analytical thinking."
NO_DOMAIN: Final = (
    "No domain-specific context loaded. Refer to project documentation for domain knowledge."
)
NO_OWNERSHIP: Final = "No specific ownership assigned -- coordinate with team lead"

_PLACEHOLDER: Final = re.compile(
    r"\{(name|process_layer|technical_layer|cognitive_layer|domain_layer|memory_layer|ownership)\}"
)
_MEMORY: Final = "memory_layer"
_PROTOCOL_ID: Final = "{protocol_id}"
_OWNERSHIP_KEYS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("backend", "security", "ai-ml", "database", "api-design"), "backend"),
    "frontend": "frontend",
    "infrastructure": "infrastructure",
}


def discover_layers(ground: Ground, place: str) -> Iterator[Source]:
    """Yield the template, the persona layers of project and packs, and written spawn prompts."""
    sniper = ground.root / ".sniper"
    prompts = sniper / "spawn-prompts"
    for path in _markdown(ground.disk, prompts):
        part = TEMPLATE if path.name == "_template.md" else PROMPT
        yield _layer(path, place, part, f"spawn-prompts/{path.name}")
    for part in (PROCESS, TECHNICAL, COGNITIVE):
        for path in _markdown(ground.disk, sniper / "personas" / part):
            yield _layer(path, place, part, f"personas/{part}/{path.name}")
    for pack in _folders(ground.disk, sniper / "packs"):
        for path in _markdown(ground.disk, pack / "personas" / PROCESS):
            yield _layer(path, place, PACK_PROCESS, f"packs/{pack.name}/{path.name}")
    for pack in _folders(ground.disk, sniper / "domain-packs"):
        for path in _markdown(ground.disk, pack / "context"):
            yield _layer(path, place, DOMAIN, f"domain-packs/{pack.name}/{path.name}")


def discover_agents(ground: Ground, place: str, config: bytes) -> Iterator[Source]:
    """Yield the base agents and their mixins, where the settings are of the newer generation."""
    base = settings_in(config).agents.base
    if not base:
        return
    claude = ground.root / ".claude"
    for path in _markdown(ground.disk, claude / "agents"):
        if path.stem in base:
            yield _layer(path, place, BASE, f"base agent {path.name}")
    for path in _markdown(ground.disk, claude / "personas" / COGNITIVE):
        yield _layer(path, place, MIXIN, f"mixin {path.name}")


def discover_knowledge(ground: Ground, place: str, config: bytes) -> Iterator[Source]:
    """Yield the manifest of domain knowledge with its files, and each protocol's decisions."""
    if not settings_in(config).agents.base:
        return
    sniper = ground.root / ".sniper"
    folder = sniper / "knowledge"
    manifest = folder / MANIFEST
    if ground.disk.kind(manifest) == "file":
        yield _layer(manifest, place, KNOWLEDGE, f"knowledge/{MANIFEST}")
    for path in ground.disk.walk(folder, 3, ".md"):
        yield _layer(path, place, KNOWLEDGE, f"knowledge/{path.relative_to(folder).as_posix()}")
    for protocol in _folders(ground.disk, sniper / "artifacts"):
        for name in (DECISIONS, META):
            path = protocol / name
            if ground.disk.kind(path) == "file":
                yield _layer(path, place, LOGGED, f"artifacts/{protocol.name}/{name}")


def is_newer(sources: Sequence[Source]) -> bool:
    """Tell whether a root is of the generation that has agents of Claude Code."""
    return bool(settings_of(sources).agents.base)


def frame(sources: Sequence[Source], ask: Ask) -> Frame | None:
    """Return the text around memory; `None` where neither generation has one for the role."""
    template = next((source for source in sources if source.part == TEMPLATE), None)
    process = _process(sources, ask.role)
    if template is None or not ask.role or not process:
        found = _newer_frame(sources, ask)
        return found or _without_layers(ask, has_template=template is not None)
    asked, notes = dict(ask.layers), list[str]()
    technical = _technical(sources, ask.role)
    if asked.get(TECHNICAL):
        technical = _named_layer(sources, TECHNICAL, asked[TECHNICAL], notes)
    cognitive = None
    if asked.get(COGNITIVE):
        cognitive = _named_layer(sources, COGNITIVE, asked[COGNITIVE], notes)
    domain = None
    if asked.get(DOMAIN):
        domain = _named_layer(_in_pack(sources, notes), DOMAIN, asked[DOMAIN], notes)
    no_domain = UNKNOWN_DOMAIN if asked.get(DOMAIN) else NO_DOMAIN
    texts = {
        "name": asked.get("name") or ask.persona or ask.role,
        "process_layer": process,
        "technical_layer": _text(technical) if technical else NO_TECHNICAL,
        "cognitive_layer": _text(cognitive) if cognitive else NO_COGNITIVE,
        "domain_layer": _text(domain) if domain else no_domain,
        "ownership": _ownership(
            sources,
            asked.get("ownership") or (technical.path.stem if technical else plain(ask.role)),
        ),
    }
    return Frame(tuple(_segments(_text(template), texts)), note="; ".join(notes))


def _without_layers(ask: Ask, *, has_template: bool) -> Frame | None:
    """Return a note where layers were asked for that nothing can hold."""
    asked = [f"{name} `{value}`" for name, value in ask.layers if value and name != PROTOCOL]
    if not asked or not ask.role:
        return None
    lacks = (
        f"no process persona for `{ask.role}`"
        if has_template
        else "no `.sniper/spawn-prompts/_template.md`"
    )
    return Frame((), note=f"not composed: {', '.join(asked)}; there is {lacks}")


def has_name(library: Library) -> bool:
    """Tell whether prompts here are made of a template, which says how the agent is called."""
    return any(source.part == TEMPLATE for source in library.of_format(SNIPER))


def layers_of(library: Library) -> Mapping[str, tuple[str, ...]]:
    """Return what can be chosen for each kind of layer: technical, cognitive, domain, ownership."""
    sources = library.of_format(SNIPER)
    found = {
        kind: tuple(dict.fromkeys(s.path.stem for s in sources if s.part in parts))
        for kind, parts in _PARTS.items()
    }
    return {**found, "ownership": tuple(settings_of(sources).ownership)}


def _named_layer(
    sources: Sequence[Source], part: str, name: str, notes: list[str]
) -> Source | None:
    """Return the layer of that name; where there is none, a note says what there is."""
    layers = [source for source in sources if source.part == part]
    found = next((s for s in layers if plain(s.path.stem) == plain(name)), None)
    if found is None:
        there = ", ".join(f"`{source.path.stem}`" for source in layers) or "none"
        notes.append(f"unknown {part} layer `{name}`; choose from {there}")
    return found


def _in_pack(sources: Sequence[Source], notes: list[str]) -> list[Source]:
    """Return the contexts of the domain pack that the settings name; all, where they name none."""
    pack = settings_of(sources).domain_pack
    found = [source for source in sources if source.part == DOMAIN]
    if not pack and found:
        notes.append("no `domain_pack` is configured, so all packs are used")
    return [each for each in found if pack in (None, "", each.path.parent.parent.name)]


def _newer_frame(sources: Sequence[Source], ask: Ask) -> Frame | None:
    """Return base agent, mixins and domain knowledge before memory, prior decisions behind it."""
    base = _base(sources, ask.role) if ask.role else None
    if base is None:
        return None
    asked = dict(ask.layers)
    wanted = settings_of(sources).agents.mixins.get(base.path.stem, ())
    if asked.get(COGNITIVE):
        wanted = (*wanted, asked[COGNITIVE])
    mixins = {source.path.stem: source for source in sources if source.part == MIXIN}
    found = [mixins[name] for name in wanted if name in mixins]
    notes = [f"the mixin `{name}` does not exist" for name in wanted if name not in mixins]
    text = "\n\n".join((_body(base), *map(_text, found)))
    segments = [Segment("base agent", text)]
    domain = domain_knowledge(sources, base, notes)
    segments += [Segment("domain knowledge", domain, gap=1)] if domain else []
    segments.append(Segment("memory", "", is_memory=True, gap=1))
    protocol = asked.get(PROTOCOL) or protocol_in_progress(sources)
    decided = prior_decisions(sources, protocol)
    segments += [Segment("prior decisions", decided, gap=1)] if decided else []
    if protocol:
        segments = [replace(s, text=s.text.replace(_PROTOCOL_ID, protocol)) for s in segments]
    else:
        notes.append(NO_PROTOCOL)
    return Frame(tuple(segments), note="; ".join(notes))


def _base(sources: Sequence[Source], role: str) -> Source | None:
    """Return the definition of a role: its own, else that of another name of it."""
    agents = {plain(source.path.stem): source for source in sources if source.part == BASE}
    names = sorted(aliases(role), key=lambda name: (name != plain(role), name))
    return next((agents[name] for name in names if name in agents), None)


def _body(source: Source) -> str:
    from remem.edit.markdown import front_matter_end

    data = source.data[front_matter_end(source.data) :]
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").strip("\n")


def role_layer_names(sources: Sequence[Source]) -> tuple[str, ...]:
    """Return the names of the process layers and of the base agents, each once."""
    layers = (source for source in sources if source.part in (PROCESS, PACK_PROCESS, BASE))
    return tuple(dict.fromkeys(source.path.stem for source in layers))


def _process(sources: Sequence[Source], role: str) -> str:
    """Return the process layer of a role: its own, else that of the wider role it belongs to."""
    for name in sorted(aliases(role), key=lambda name: (name != plain(role), name)):
        own = [s for s in sources if s.part == PROCESS and plain(s.path.stem) == name]
        packs = [s for s in sources if s.part == PACK_PROCESS and plain(s.path.stem) == name]
        if own or packs:
            return "\n\n".join(_text(layer) for layer in (*own, *packs))
    return ""


def _technical(sources: Sequence[Source], role: str) -> Source | None:
    """Return the technical layer that a role names: `backend-engineer` has `backend`."""
    wanted = {plain(role), plain(role).split("-")[0]}
    layers = (source for source in sources if source.part == TECHNICAL)
    return next((source for source in layers if plain(source.path.stem) in wanted), None)


def _ownership(sources: Sequence[Source], technical: str) -> str:
    return ", ".join(paths_owned(sources, technical)) or NO_OWNERSHIP


def paths_owned(sources: Sequence[Source], name: str) -> tuple[str, ...]:
    """Return the paths that the settings give to a role or to its technical layer."""
    key = _OWNERSHIP_KEYS.get(name) or _OWNERSHIP_KEYS.get(name.split("-")[0], name)
    return settings_of(sources).ownership.get(key, ())


def _segments(template: str, texts: Mapping[str, str]) -> Iterator[Segment]:
    """Cut the template where a layer stands on a line of its own; one pass, nothing is re-read."""
    lines: list[str] = []
    memory_is_placed = False
    for line in template.splitlines():
        name = match[1] if (match := _PLACEHOLDER.fullmatch(line.strip())) else ""
        is_memory = name == _MEMORY and not memory_is_placed
        if not is_memory and not (name.endswith("_layer") and name in texts):
            lines.append(_PLACEHOLDER.sub(lambda m: texts.get(m[1], m[0]), line))
            continue
        if lines:
            yield Segment("template", "\n".join(lines))
            lines = []
        if is_memory:
            memory_is_placed = True
            yield Segment("memory", "", is_memory=True)
        else:
            yield Segment(name.replace("_", " "), texts[name])
    if lines:
        yield Segment("template", "\n".join(lines))


def _text(source: Source) -> str:
    return source.data.decode("utf-8-sig", "replace").replace("\r\n", "\n").strip("\n")


def _layer(path: Path, place: str, part: str, name: str) -> Source:
    loader = ON_REQUEST if part == PROMPT else COMPOSED
    return Source(name, "sniper", "", place, SourceKind.DOCUMENT, path, loader, part=part)


def _markdown(disk: Disk, folder: Path) -> Iterator[Path]:
    return disk.walk(folder, 1, ".md")


def _folders(disk: Disk, folder: Path) -> Iterator[Path]:
    paths = (folder / name for name in disk.names(folder))
    return (path for path in paths if disk.kind(path) == "folder")


KNOWLEDGE: Final = "knowledge"
LOGGED: Final = "prior-decisions"
MANIFEST: Final = "manifest.yaml"
DECISIONS: Final = "decisions.yaml"
META: Final = "meta.yaml"
_HEADING: Final = "## Domain Knowledge"
_PRIOR: Final = "## Prior Decisions"
_CHARACTERS: Final = 4
"""Of one token, where the manifest does not say how many a file has."""
_UNDER_WAY: Final = frozenset({"in_progress", "in-progress", "running", "active"})


def domain_knowledge(sources: Sequence[Source], agent: Source, notes: list[str]) -> str:
    """Return the section of domain knowledge that an agent asks for; empty where it asks for none.

    Args:
        sources: Of the project.
        agent: The definition whose front matter names topics, tags or files.
        notes: What does not fit or is not there is added to them.
    """
    wanted = _names(_front(agent).get("knowledge_sources"))
    if not wanted:
        return ""
    files = {s.path.name: s for s in sources if s.part == KNOWLEDGE and s.path.suffix == ".md"}
    listed = [*_listed(sources)]
    left = settings_of(sources).knowledge.max_total_tokens
    parts: list[str] = []
    for name in wanted:
        items = [each for each in listed if name in _named(each)]
        if not items:
            notes.append(f"the knowledge manifest has no `{name}`")
        for item in items:
            file = str(item.get("file") or "").rpartition("/")[2]
            if file not in files:
                notes.append(f"`{item.get('file')}` in the knowledge manifest does not exist")
                continue
            text = _body(files[file])
            tokens = _tokens(item, text)
            if tokens > left:
                notes.append(f"`{file}` is truncated: domain knowledge has {left} tokens left")
                text = _cut(text, left / tokens)
            left = max(left - tokens, 0)
            parts += [text] if text else []
    return "\n\n".join((_HEADING, *parts)) if parts else ""


def prior_decisions(sources: Sequence[Source], protocol: str) -> str:
    """Return the section of what was settled in a protocol; empty where nothing was."""
    lines = [
        line
        for source in _of_protocol(sources, protocol)
        if source.path.name == DECISIONS
        for line in _decisions(source)
    ]
    return "\n".join((_PRIOR, "", *lines)) if lines else ""


def protocol_in_progress(sources: Sequence[Source]) -> str:
    """Return the one protocol that its own `meta.yaml` says is under way; empty = none, or more."""
    found = [
        source.path.parent.name
        for source in sources
        if source.part == LOGGED
        and source.path.name == META
        and str(_mapping(source).get("status") or "").casefold() in _UNDER_WAY
    ]
    return found[0] if len(found) == 1 else ""


def _of_protocol(sources: Sequence[Source], protocol: str) -> Iterator[Source]:
    for source in sources:
        if protocol and source.part == LOGGED and source.path.parent.name == protocol:
            yield source


def _decisions(source: Source) -> Iterator[str]:
    held = _mapping(source).get("decisions")
    for each in held if isinstance(held, list) else ():
        resolution = each.get("resolution") if isinstance(each, Mapping) else None
        if not isinstance(resolution, Mapping):
            continue
        chosen = resolution.get("selected_label") or resolution.get("custom_response")
        if chosen:
            name, context = each.get("id"), " ".join(str(each.get("context") or "").split())
            about = f"{context} " if context else ""
            yield f"- {f'{name}: ' if name else ''}{about}Decided: {chosen}"


def _listed(sources: Sequence[Source]) -> Iterator[Mapping[str, Any]]:
    for source in sources:
        if source.part == KNOWLEDGE and source.path.name == MANIFEST:
            held = _mapping(source).get("sources")
            yield from (each for each in held or () if isinstance(each, Mapping))


def _named(item: Mapping[str, Any]) -> frozenset[str]:
    """Return all by which an agent may ask for a file: its topic, its tags, its name."""
    file = str(item.get("file") or "")
    return frozenset({str(item.get("topic") or ""), file, *_names(item.get("tags"))})


def _tokens(item: Mapping[str, Any], text: str) -> int:
    said = item.get("tokens")
    is_said = isinstance(said, int) and not isinstance(said, bool) and said > 0
    return said if is_said and isinstance(said, int) else max(len(text) // _CHARACTERS, 1)


def _cut(text: str, share: float) -> str:
    """Return that share of a text, whole lines only."""
    return text[: int(len(text) * share)].rpartition("\n")[0]


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def _front(source: Source) -> Mapping[str, Any]:
    from remem.edit.markdown import front_matter_end

    head = source.data[: front_matter_end(source.data)].strip().strip(b"-")
    value = parse_document(head).value
    return value if isinstance(value, Mapping) else {}


def _mapping(source: Source) -> Mapping[str, Any]:
    value = parse_document(source.data).value
    return value if isinstance(value, Mapping) else {}
