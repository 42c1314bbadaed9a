"""What is particular to Claude Code: agent definitions and the one scope that they load."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.base.text import js_length
from remem.edit.markdown import front_matter_end, front_matter_text
from remem.edit.yaml_read import parse_document
from remem.model.entry import Problem
from remem.model.layout import Part
from remem.model.roles import persona_key
from remem.store.io import Unreadable
from remem.systems.personas.source import PersonaSource

_KEY: Final = lazy_pattern(rb"^(?P<key>[A-Za-z_-]+:[ \t]+)(?P<value>[^\r\n]+)", re.MULTILINE)
_ODD: Final = lazy_pattern(rb"[{}\[\]*&#!|>%@`]|: ")
_NAMED: Final = lazy_pattern(r"(?:[^\s,(]|\([^)]*\)?)+")
"""A name, with what stands in brackets behind it: `Bash(git add)`."""
_CALLS_SKILLS: Final = frozenset({"Skill"})
_CALLS_AGENTS: Final = frozenset({"Agent", "Task"})
_ALL: Final = "*"
_FOLDER: Final = lazy_pattern(r"[^A-Za-z0-9_-]")
SKIPPED: Final = "skipped"
"""Code of the problem of a file that is no agent, though it lies among them."""


@dataclass(frozen=True, slots=True)
class Definition:
    """What an agent's definition says about its memory."""

    name: str
    memory: str
    """`user`, `project`, `local`, or empty where it has none."""
    skipped: str = ""
    """Why Claude Code does not load it as an agent; empty = it does."""


@lru_cache(maxsize=512)
def read_definition(data: bytes, stem: str) -> Definition:
    """Read front matter; the file's stem stands for a name that it does not give."""
    values = front_matter(data)
    name, memory = values.get("name"), values.get("memory")
    return Definition(
        name if isinstance(name, str) and name else stem,
        memory if isinstance(memory, str) else "",
        _why_skipped(data, values),
    )


def _why_skipped(data: bytes, values: Mapping[str, Any]) -> str:
    if not front_matter_end(data):
        return "it has no front matter"
    if not values:
        return "its front matter cannot be read"
    lacks = [f"`{key}`" for key in ("name", "description") if not _is_text(values.get(key))]
    if lacks:
        return f"its front matter has no {' and no '.join(lacks)}"
    if not isinstance(values.get("hooks"), dict | None):
        return "its `hooks` are no events with a list each"
    name = str(values["name"])
    if name.startswith("-"):
        return f"`{name}` is not a valid agent name: it starts with `-`"
    if ":" in name:
        return f"`{name}` is not a valid agent name: it contains `:`"
    return ""


def memory_folder(name: str) -> str:
    """Return what the folder is called that Claude Code keeps the memory of an agent in.

    Seen of 2.1.332 on 2026-11-28: `two words` has `two-words`, `Ünï` has `-n-`, and a sign beyond
    the first plane of Unicode has two hyphens; case stays.
    """
    return _FOLDER.sub(lambda sign: "-" * js_length(sign[0]), name)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def skipped_problem(source: PersonaSource, why: str) -> Problem:
    """Return what is said of a file among the agents that Claude Code loads as none."""
    return Problem(
        SKIPPED,
        f"Claude Code skips `{source.name}` as an agent: {why}",
        "add `name` and `description` to its front matter, or keep it as documentation",
        path=source.path,
    )


@lru_cache(maxsize=512)
def front_matter(data: bytes) -> Mapping[str, Any]:
    """Return the values of the front matter; none if there is none or it does not parse.

    Claude Code reads what is no YAML a second time, with quotes around what YAML stumbles over.
    """
    return _strictly(data) or _as_mapping(_KEY.sub(_with_quotes, front_matter_text(data)))


def _strictly(data: bytes) -> Mapping[str, Any]:
    return _as_mapping(front_matter_text(data))


def _as_mapping(text: bytes) -> Mapping[str, Any]:
    value = parse_document(text).value if text else None
    return value if isinstance(value, dict) else {}


def _with_quotes(match: re.Match[bytes]) -> bytes:
    value = match["value"]
    if value[:1] in b"\"'" or _ODD.search(value) is None:
        return match[0]
    said = value.rstrip().replace(b"\\", rb"\\").replace(b'"', rb"\"")
    return match["key"] + b'"' + said + b'"'


def named_in(value: object) -> tuple[str, ...]:
    """Return the names in a list of front matter, which may stand on one line: `a, b` or `a b`.

    As Claude Code 2.1.332 takes them, seen on 2026-11-28: each text of a list may hold several too,
    and what is no text is passed over.
    """
    texts = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(name for each in texts if isinstance(each, str) for name in _NAMED.findall(each))


def skills_of(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the skills that a definition names: they are loaded whole."""
    return named_in(values.get("skills"))


def may_call_skills(values: Mapping[str, Any]) -> bool:
    """Tell whether an agent may call skills, and so is given their list."""
    return _has_one_of(_CALLS_SKILLS, values)


def callable_agents(values: Mapping[str, Any]) -> Set[str] | None:
    """Return the names of the agents that one may call; `None` = of all, empty = of none."""
    if not _has_one_of(_CALLS_AGENTS, values):
        return frozenset()
    said = (each.partition("(") for each in named_in(values.get("tools")))
    inner = [inside.removesuffix(")") for tool, _, inside in said if tool in _CALLS_AGENTS]
    named = {name.strip() for each in inner for name in each.split(",")} - {""}
    return None if not named or _ALL in named else named


def _has_one_of(tools: Set[str], values: Mapping[str, Any]) -> bool:
    """Tell whether an agent is given one of these tools, in whatever brackets.

    A list that names none gives none, and so does what is no list.
    """
    given = [each.partition("(")[0] for each in named_in(values.get("tools"))]
    taken = [each.partition("(")[0] for each in _withheld(values)]
    is_given = "tools" not in values or _ALL in given or not tools.isdisjoint(given)
    return is_given and tools.isdisjoint(taken)


def _withheld(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tools that an agent is not given; to withhold all withholds none."""
    names = named_in(values.get("disallowedTools"))
    return () if _ALL in names else names


def omits_instructions(values: Mapping[str, Any]) -> bool:
    """Tell whether a definition keeps the project's instructions from its agent."""
    return values.get("omitClaudeMd") is True


def started_from(path: Path) -> Path | None:
    """Return the folder in which the tool's own folder with that definition lies."""
    return next((up.parent for up in path.parents if up.name == ".claude"), None)


def listed_agent(data: bytes) -> str:
    """Return how Claude Code lists an agent to the one that may call it; empty = it does not."""
    values = front_matter(data)
    if _why_skipped(data, values):
        return ""
    return f"- {values['name']}: {values['description']} (Tools: {_tools_listed(values)})"


def _tools_listed(values: Mapping[str, Any]) -> str:
    tools, without = named_in(values.get("tools")), _withheld(values)
    if tools and _ALL not in tools:
        return ", ".join(each for each in tools if each not in without) or "None"
    return f"All tools except {', '.join(without)}" if without else "All tools"


def described_agent(data: bytes, path: Path) -> tuple[str, str] | None:
    """Return name and description of an agent as Copilot reads them; `None` = it has none."""
    values = _strictly(data)
    said, name = values.get("description"), values.get("name")
    if not _is_text(said):
        return None
    return (str(name) if _is_text(name) else _called(path)), str(said).strip()


def _called(path: Path) -> str:
    """Return what Copilot calls an agent by its place: `folder--name`."""
    parts = (*path.parts[:-1], path.stem.removesuffix(".agent"))
    below = max((at for at, part in enumerate(parts[:-1]) if part == "agents"), default=-2) + 1
    return "--".join(parts[below:])


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


def scope_problems(
    found: Sequence[PersonaSource], defined: Sequence[Definition]
) -> Iterator[tuple[Path, Problem]]:
    """Yield what keeps an agent's memory from being loaded, with the file it is about."""
    definitions: dict[str, Definition] = {}
    for each in defined:
        for key in (persona_key(each.name), persona_key(memory_folder(each.name))):
            if key not in definitions or not each.skipped:
                definitions[key] = each
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
            f"create `.claude/agents/{source.owner}.md`, or archive the memory",
            path=source.path,
        )
    if definition.skipped:
        return Problem(
            "no-definition",
            f"no agent loads the memory of `{source.owner}`: Claude Code skips its definition, "
            f"as {definition.skipped}",
            "add `name` and `description` to its front matter, or archive the memory",
            path=source.path,
        )
    if not definition.memory:
        return Problem(
            "scope",
            f"the definition of `{definition.name}` has no `memory`, so this file is not loaded",
            f"set `memory: {source.scope}` in its front matter",
            path=source.path,
        )
    folder = memory_folder(definition.name)
    if source.folder.name != folder:
        return Problem(
            "not-its-folder",
            f"`{definition.name}` has its memory in `{folder}/`, and does not load that in "
            f"`{source.folder.name}/`",
            f"rename the folder to `{folder}`",
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
