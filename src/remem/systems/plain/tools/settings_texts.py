"""How each tool reads its settings, and what it does about those that it cannot take.

Each was started on 2026-11-28 on files that differ in one thing (Claude Code 2.1.332, Gemini CLI
0.61.0, Qwen Code 0.24.4). Gemini CLI does not start with a file that it cannot read, Qwen Code not
with one of the person's own; Claude Code leaves it aside, with all that it says, and so does Qwen
Code one of the project. What was not asked is let through. What keeps Codex and OpenCode from
starting stands elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.core.system import Ground
from remem.model.entry import Problem
from remem.model.loader import STOPS, Tool
from remem.store.io import Unreadable
from remem.systems.plain.json_with_comments import as_json_with_comments, without_comments
from remem.systems.plain.taken_values import (
    KEYS,
    SWITCH,
    TEXT,
    TEXT_OR_TEXTS,
    TEXTS,
    Fault,
    Takes,
    line_of,
    one_of,
    or_nothing,
    shown,
)
from remem.systems.plain.tools.tool_ids import CLAUDE, GEMINI, OPENCODE, QWEN

LEFT_ASIDE: Final = "settings-left-aside"
_UNREAD: Final = "it is no {} that can be read"
_NO_OBJECT: Final = "it is no object with keys"
_LIST: Final = Takes("a list", lambda value: isinstance(value, list))
_NAMES: Final = or_nothing(TEXT_OR_TEXTS)
_OF_CLAUDE: Final[Mapping[str, Takes]] = {
    **dict.fromkeys(
        (
            *("$schema", "agent", "outputStyle", "model", "autoMemoryDirectory", "apiKeyHelper"),
            *("language", "plansDirectory"),
        ),
        TEXT,
    ),
    **dict.fromkeys(
        (
            *("autoMemoryEnabled", "includeCoAuthoredBy", "enableAllProjectMcpServers"),
            *("alwaysThinkingEnabled", "spinnerTipsEnabled", "disableAllHooks"),
            *("respectGitignore", "prefersReducedMotion"),
        ),
        SWITCH,
    ),
    **dict.fromkeys(
        (
            *("env", "enabledPlugins", "sandbox", "attribution", "worktree", "skillOverrides"),
            *("statusLine", "fileSuggestion", "permissions"),
        ),
        KEYS,
    ),
    **dict.fromkeys(("claudeMdExcludes", "companyAnnouncements"), TEXTS),
}
_PERMISSIONS: Final[Mapping[str, Takes]] = {
    **dict.fromkeys(("allow", "ask", "deny"), _LIST),
    "additionalDirectories": TEXTS,
    "defaultMode": one_of(
        *("default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto", "manual")
    ),
}
_CONTEXT: Final[Mapping[str, Mapping[str, Takes]]] = {
    GEMINI: {"fileName": _NAMES, "includeDirectories": _NAMES},
    QWEN: {"fileName": _NAMES},
}
_STOPPING: Final = frozenset({GEMINI})
"""Tools that do not start with settings that they cannot read."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What one file of settings says, as its tool takes it."""

    value: Mapping[str, Any]
    fault: Fault | None = None
    """Why the tool does not start with it, or leaves it aside; then it says nothing."""


def settings_of(tool: str, path: Path, data: bytes) -> Settings:
    """Return what a file says to a tool.

    Args:
        tool: Its id.
        path: Of the file; its ending tells what it is written in.
        data: Its bytes.
    """
    kind = "TOML" if path.suffix == ".toml" else "JSON"
    try:
        value = _parsed(tool, path, data)
    except (ValueError, RecursionError):
        return Settings({}, Fault(_UNREAD.format(kind), 1, stops=tool in _STOPPING))
    if not isinstance(value, dict):
        return Settings({}, Fault(_NO_OBJECT, 1, stops=tool in (*_STOPPING, QWEN)))
    fault = next(_faults(tool, value, data), None)
    return Settings(value if fault is None else {}, fault)


def _parsed(tool: str, path: Path, data: bytes) -> object:
    if path.suffix == ".yml":
        from remem.edit.yaml_read import parse_document

        return parse_document(data).value
    if path.suffix == ".toml":
        import tomllib  # few have such a file

        return tomllib.loads(data.decode("utf-8-sig"))
    if tool == OPENCODE:
        return as_json_with_comments(data)
    if tool == GEMINI:
        return json.loads(without_comments(data.decode()))
    return json.loads(without_comments(data.decode("utf-8-sig")) if tool == QWEN else data)


def _faults(tool: str, value: Mapping[str, Any], data: bytes) -> Iterator[Fault]:
    if tool == CLAUDE:
        yield from _wrong(value, _OF_CLAUDE, data, stops=False)
        permissions = value.get("permissions")
        if isinstance(permissions, dict):
            yield from _wrong(permissions, _PERMISSIONS, data, stops=False)
    elif tool in _CONTEXT and isinstance(context := value.get("context"), dict):
        yield from _wrong(context, _CONTEXT[tool], data, stops=True)


def _wrong(
    value: Mapping[str, Any], taken: Mapping[str, Takes], data: bytes, *, stops: bool
) -> Iterator[Fault]:
    for key, takes in taken.items():
        if key in value and not takes.fits(value[key]):
            said = f"`{key}` is {shown(value[key])}, and it takes {takes.said}"
            yield Fault(said, line_of(key, data), stops=stops)


def held(ground: Ground, tool: Tool, places: Iterator[tuple[Path, str]]) -> Iterator[Problem]:
    """Yield what is wrong with settings of a tool, file by file.

    Args:
        ground: Has the disk.
        tool: Whose settings they are.
        places: Each file, there or not, and what it is called.
    """
    for path, name in places:
        try:
            fault = settings_of(tool.id, path, ground.disk.read(path)).fault
        except Unreadable:
            continue
        if fault is None:
            continue
        if fault.stops or _is_needed(tool, name, fault):
            said = f"{tool.title} does not start here because of `{name}`: {fault.said}"
            yield Problem(STOPS, said, "correct it, or remove the file", path, fault.line)
        else:
            said = f"{tool.title} leaves `{name}` aside, with all that it says: {fault.said}"
            yield Problem(LEFT_ASIDE, said, "correct it", path, fault.line)


def _is_needed(tool: Tool, name: str, fault: Fault) -> bool:
    """Tell whether Qwen Code ends for want of a file; a person's own says what it may do."""
    is_unread = fault.said == _UNREAD.format("JSON")
    return tool.id == QWEN and name.startswith("~/") and is_unread
