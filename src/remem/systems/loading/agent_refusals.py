"""Which agents of its rows a tool does not list, and why.

Each way here was seen of the tools themselves, which the proofs of their rows name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from remem.model.loader import FOR_A_PERSON, AgentList, Tool
from remem.systems.personas.claude_agents import definition_body, described_agent, front_matter
from remem.systems.plain.front_forms import fault_of
from remem.systems.plain.source import PlainSource, Reached

_TAKEN_NAME: Final = re.compile(r"(?![-_])[^\W_](?:[\w-]{0,48}[^\W_])")
"""Names of 2 to 50 letters, digits, `_` and `-`; the last two neither first nor last."""
_RESERVED: Final = frozenset(
    {"self", "system", "user", "model", "tool", "config", "default", "main"}
)
_SLUG: Final = re.compile(r"[a-z0-9_-]+")
_ROLE: Final = ("name", "description", "developer_instructions")


def why_unlisted(tool: Tool, source: PlainSource, reached: Reached) -> str:
    """Say why a tool does not list an agent; empty = it does, as far as the file alone tells."""
    fault = fault_of(tool.id, "agent", source.data)
    if fault is not None:
        return f"{tool.title} skips it: {fault.said}"
    match tool.agents:
        case AgentList.NAMES:
            return _by_name(tool, source, reached)
        case AgentList.FILES:
            return _by_file(tool, source)
        case AgentList.SLUGS:
            return _by_slug(tool, source, reached)
        case AgentList.MODES:
            values = front_matter(source.data)
            is_for_a_person = values.get("mode") == "primary" or values.get("disable") is True
            return FOR_A_PERSON if is_for_a_person else ""
        case AgentList.ROLES:
            values = as_toml(source.data)
            lacks = [key for key in _ROLE if not str(values.get(key) or "").strip()]
            return _lacking(tool, lacks)
        case AgentList.NONE:
            return ""


def as_toml(data: bytes) -> Mapping[str, Any]:
    """Return what a file of TOML says; nothing where it cannot be read."""
    import tomllib  # few have such a file

    try:
        return tomllib.loads(data.decode())
    except ValueError:
        return {}


def is_kept_for_a_person(values: Mapping[str, Any]) -> bool:
    """Tell whether an agent of Copilot says that no other agent may call it."""
    hidden = values.get("disable-model-invocation")
    return hidden is True or (hidden is None and values.get("infer") is False)


def _by_name(tool: Tool, source: PlainSource, reached: Reached) -> str:
    if reached.path.name.startswith("."):
        return f"{tool.title} skips files whose name begins with a dot"
    if described_agent(source.data, source.path) is None:
        return _lacking(tool, ["description"])
    return FOR_A_PERSON if is_kept_for_a_person(front_matter(source.data)) else ""


def _by_file(tool: Tool, source: PlainSource) -> str:
    name, said = source.named
    lacks = [key for key, value in (("name", name), ("description", said)) if not value]
    if lacks:
        return _lacking(tool, lacks)
    if not _TAKEN_NAME.fullmatch(name) or name.casefold() in _RESERVED:
        return f"{tool.title} skips it: `{name}` is no name that it takes"
    is_told = bool(definition_body(source.data).strip())
    return "" if is_told else f"{tool.title} skips it: it has no text below its front matter"


def _by_slug(tool: Tool, source: PlainSource, reached: Reached) -> str:
    values, (name, said) = front_matter(source.data), source.named
    if reached.path.name.startswith("_"):
        return f"{tool.title} skips files whose name begins with `_`"
    lacks = [key for key, value in (("name", name), ("description", said)) if not value]
    if lacks:
        return _lacking(tool, lacks)
    if not _SLUG.fullmatch(name):
        return (
            f"{tool.title} skips it: `{name}` has other signs than small letters, digits, "
            "`_` and `-`"
        )
    if values.get("kind", "local") != "local":
        return f"{tool.title} asks for it on another machine: its `kind` is not `local`"
    return ""


def _lacking(tool: Tool, keys: list[str]) -> str:
    named = " and ".join(f"no `{key}`" for key in keys)
    return f"{tool.title} skips it: it has {named}" if keys else ""
