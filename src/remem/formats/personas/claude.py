"""What is particular to Claude Code: agent definitions and the one scope that they load."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from remem.disk.io import Unreadable
from remem.disk.markdown import front_matter_end
from remem.disk.yaml_read import parse_document
from remem.formats.personas.source import PersonaSource, persona_key
from remem.model.entry import Problem
from remem.model.layout import Part


@dataclass(frozen=True, slots=True)
class Definition:
    """What an agent's definition says about its memory."""

    name: str
    memory: str
    """`user`, `project`, `local`, or empty where it has none."""


@lru_cache(maxsize=512)
def read_definition(data: bytes, stem: str) -> Definition:
    """Read front matter; the file's stem is the name where it gives none."""
    values = front_matter(data)
    name, memory = values.get("name"), values.get("memory")
    return Definition(
        name if isinstance(name, str) and name else stem,
        memory if isinstance(memory, str) else "",
    )


def front_matter(data: bytes) -> Mapping[str, Any]:
    """Return the values of the front matter; none if there is none or it does not parse."""
    end = front_matter_end(data)
    if not end:
        return {}
    lines = data[:end].splitlines(keepends=True)
    value = parse_document(b"".join(lines[1:-1])).value
    return value if isinstance(value, dict) else {}


def definition_body(data: bytes) -> bytes:
    """Return what the agent is told: the definition without its front matter."""
    return data[front_matter_end(data) :].lstrip(b"\r\n")


def definition_of(source: PersonaSource) -> Definition | None:
    """Read a definition while discovering; `None` if it is none or cannot be read."""
    if source.part != Part.DEFINITION:
        return None
    try:
        return read_definition(source.disk.read(source.path), source.path.stem)
    except Unreadable:
        return None


def scope_problems(found: Sequence[PersonaSource]) -> Iterator[tuple[Path, Problem]]:
    """Yield what keeps an agent's memory from being loaded, with the file it is about."""
    definitions = {
        persona_key(definition.name): definition
        for source in found
        if (definition := definition_of(source)) is not None
    }
    for source in found:
        is_memory = source.part == Part.MAIN and Part.DEFINITION in source.rules.order
        if not is_memory or source.archived:
            continue
        definition = definitions.get(persona_key(source.owner))
        problem = _why_not_loaded(source, definition)
        if problem is not None:
            yield source.path, problem


def _why_not_loaded(source: PersonaSource, definition: Definition | None) -> Problem | None:
    if definition is None:
        return Problem(
            "no-definition",
            f"no agent is defined for the memory of `{source.owner}`",
            f"write `.claude/agents/{source.owner}.md`, or archive the memory",
            path=source.path,
        )
    if not definition.memory:
        return Problem(
            "scope",
            f"the definition of `{definition.name}` has no `memory`, so this file is not loaded",
            f"set `memory: {source.scope}` in its front matter",
            path=source.path,
        )
    if definition.memory != source.scope:
        return Problem(
            "scope",
            f"`{definition.name}` loads its `{definition.memory}` memory, not the "
            f"`{source.scope}` memory in this file",
            f"move it, or set `memory: {source.scope}` in the definition",
            path=source.path,
        )
    return None
