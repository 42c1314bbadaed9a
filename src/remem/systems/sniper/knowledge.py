"""What the newer SNIPER adds to an agent of a protocol: domain knowledge, and what was decided.

Which agent needs which knowledge says its own front matter (`knowledge_sources`); how much of it
fits say the settings. What is read here is composed, and never written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from remem.edit.yaml_read import parse_document
from remem.model.source import Source
from remem.systems.sniper.config import settings_of

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
            notes.append(f"the manifest of knowledge has no `{name}`")
        for item in items:
            file = str(item.get("file") or "").rpartition("/")[2]
            if file not in files:
                notes.append(f"`{item.get('file')}` of the manifest of knowledge is not there")
                continue
            text = _text(files[file])
            tokens = _tokens(item, text)
            if tokens > left:
                notes.append(f"`{file}` is cut: domain knowledge has {left} tokens left for it")
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


def _text(source: Source) -> str:
    from remem.edit.markdown import front_matter_end

    data = source.data[front_matter_end(source.data) :]
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").strip("\n")
