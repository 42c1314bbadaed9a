"""What keeps Codex from starting: settings that it cannot read, or a value of another kind.

So it was seen of Codex 0.171.0 on 2026-11-28: it then loads nothing at all. A key that several
files set counts once, with the value that wins; what was not asked about is let through.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from remem.core.system import Ground
from remem.model.entry import Problem
from remem.model.loader import STOPS
from remem.store.io import Unreadable
from remem.systems.plain.tools.tool_ids import Said

_OLD: Final = "profile"
_LEVELS: Final = ("trusted", "untrusted")
_OF_PERSON: Final = frozenset({"notify", "otel"})
"""Keys that a project's settings have no say in."""
_LINE: Final = re.compile(r"\(at line (\d+),")


def read_settings(ground: Ground, path: Path) -> Mapping[str, Any] | None:
    """Return what a settings file of Codex says; `None` = it is not there, or cannot be read."""
    try:
        return _parsed(ground, path)
    except (Unreadable, ValueError, RecursionError):
        return None


def _parsed(ground: Ground, path: Path) -> Mapping[str, Any]:
    return tomllib.loads(ground.disk.read(path).decode("utf-8-sig"))


def stops(ground: Ground, paths: Sequence[Path], found: Said, users: Said) -> Problem | None:
    """Return what keeps Codex from starting; `None` = nothing that is known.

    Args:
        ground: Where the root and the home folder are.
        paths: Its settings files that count in a folder.
        found: What those say, the one that wins first.
        users: Those of them that are a person's own.
    """
    return next(_all(ground, paths, found, users), None)


def _all(ground: Ground, paths: Sequence[Path], found: Said, users: Said) -> Iterator[Problem]:
    for path in paths:
        fault = _unreadable(ground, path)
        if fault is not None:
            why, line = fault
            hint = "correct the file; until then no file is loaded"
            yield _problem(ground, ground.shown(path), why, hint, line)
    for name, value in users:
        if _OLD in value:
            hint = "take the key out, and name the profile with `--profile`"
            yield _problem(ground, name, f"`{_OLD}` is no key of it any more", hint)
    for name, value in found:
        yield from _levels(ground, name, value)
    for name, key, takes in (*_wrong(found, users), *_wrong_servers(found)):
        yield _wrong_value(ground, name, key, takes)


def _unreadable(ground: Ground, path: Path) -> tuple[str, int] | None:
    """Return why a file is no TOML, and in which line."""
    try:
        _parsed(ground, path)
    except Unreadable:
        return None
    except (ValueError, RecursionError) as error:
        line = _LINE.search(str(error))
        return "it is no TOML that can be read", int(line[1]) if line else 1
    return None


def _levels(ground: Ground, name: str, value: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong in a list of folders that are trusted; a project's is read as well."""
    folders = value.get("projects", {})
    if not isinstance(folders, dict):
        yield _wrong_value(ground, name, "projects", "folders with keys each")
        return
    for folder, said in folders.items():
        if not isinstance(said, dict):
            yield _wrong_value(ground, name, folder, "keys with values")
        elif said.get("trust_level", _LEVELS[0]) not in _LEVELS:
            yield _wrong_value(ground, name, "trust_level", "`trusted` or `untrusted`")


def _wrong(found: Said, users: Said) -> Iterator[tuple[str, str, str]]:
    """Yield the file, the key and what that takes, of each value of another kind."""
    for key, (is_right, takes) in _TAKES.items():
        name, value = valued(users if key in _OF_PERSON else found, key)
        if name and not is_right(value):
            yield name, key, takes
    for table, switches in _TABLES.items():
        tables = [(name, value[table]) for name, value in found if table in value]
        if tables and not isinstance(tables[0][1], dict):
            yield tables[0][0], table, "keys with values"
            continue
        for key in switches:
            name, value = valued(of_table(found, table), key)
            if name and not isinstance(value, bool):
                yield name, key, "`true` or `false`"


def _wrong_servers(found: Said) -> Iterator[tuple[str, str, str]]:
    """Yield the same of servers that are started for it, or called; files add to each other."""
    tables = [(name, value[_SERVERS]) for name, value in found if _SERVERS in value]
    servers: dict[str, dict[str, tuple[str, Any]]] = {}
    for file, table in tables[::-1]:
        if not isinstance(table, dict) or not all(isinstance(x, dict) for x in table.values()):
            yield file, _SERVERS, "servers with keys each"
            return
        for server, keys in table.items():
            said = {key: (file, value) for key, value in keys.items()}
            servers[server] = {"": (file, None), **servers.get(server, {}), **said}
    for server, keys in servers.items():
        if "command" not in keys and "url" not in keys:
            yield keys[""][0], f"{_SERVERS}.{server}", "a `command` or a `url`"
        for key, (is_right, takes) in _OF_SERVER.items():
            if key in keys and not is_right(keys[key][1]):
                yield keys[key][0], f"{_SERVERS}.{server}.{key}", takes


def of_table(found: Said, table: str) -> Said:
    """Return what settings say in a table, the one that wins first."""
    inside = ((name, value.get(table)) for name, value in found)
    return [(name, each) for name, each in inside if isinstance(each, dict)]


def valued(found: Said, key: str) -> tuple[str, Any]:
    """Return which file sets a key, and its value, where it wins; an empty name = none does."""
    return next(((name, value[key]) for name, value in found if key in value), ("", None))


def _wrong_value(ground: Ground, name: str, key: str, takes: str) -> Problem:
    why = f"`{key}` in it takes {takes}, and has something else"
    hint = "correct the value, or remove its line; until then no file is loaded"
    return _problem(ground, name, why, hint)


def _problem(ground: Ground, name: str, why: str, hint: str, line: int = 1) -> Problem:
    message = f"Codex does not start here because of `{name}`: {why}"
    return Problem(STOPS, message, hint, ground.place(name), line)


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_said(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _one_of(*words: str, table: bool = False) -> tuple[Callable[[object], bool], str]:
    """Return whether a value is one of some words, or also a table, and how that is told."""
    named = ", ".join(f"`{word}`" for word in words[:-1])

    def is_right(value: object) -> bool:
        return (isinstance(value, str) and value in words) or (table and isinstance(value, dict))

    return is_right, f"{named} or `{words[-1]}`"


ON_BY: Final = ("memory_tool", "memories")
"""Features by which memories are on; the first that is set counts."""
USED_BY: Final = "use_memories"
"""The key in `memories` by which a session gets them."""
_TAKES: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = {
    "instructions": (_is_text, "a text"),
    "developer_instructions": (_is_text, "a text"),
    "model_instructions_file": (_is_text, "a path"),
    "model": (_is_text, "a name"),
    "project_doc_max_bytes": (_is_size, "a number from 0 on"),
    "project_doc_fallback_filenames": (_are_texts, "a list of names"),
    "project_root_markers": (_are_texts, "a list of names"),
    "approval_policy": _one_of("untrusted", "on-failure", "on-request", "never", table=True),
    "sandbox_mode": _one_of("read-only", "workspace-write", "danger-full-access"),
    "model_reasoning_effort": (_is_said, "a name"),
    "model_reasoning_summary": _one_of("auto", "concise", "detailed", "none"),
    "model_verbosity": _one_of("low", "medium", "high"),
    "model_context_window": (_is_whole, "a whole number"),
    "web_search": _one_of("disabled", "cached", "indexed", "live"),
    "personality": _one_of("none", "friendly", "pragmatic"),
    "file_opener": _one_of("vscode", "vscode-insiders", "windsurf", "cursor", "none"),
    "cli_auth_credentials_store": _one_of("file", "keyring", "auto", "ephemeral"),
    "approvals_reviewer": _one_of("user", "auto_review", "guardian_subagent"),
    "review_model": (_is_text, "a name"),
    "default_permissions": (_is_text, "a name"),
    "hide_agent_reasoning": (_is_switch, "`true` or `false`"),
    "notify": (_are_texts, "a list of texts"),
    "tui": (_is_table, "keys with values"),
    "otel": (_is_table, "keys with values"),
    "shell_environment_policy": (_is_table, "keys with values"),
    "sandbox_workspace_write": (_is_table, "keys with values"),
}
_SERVERS: Final = "mcp_servers"
_OF_SERVER: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = {
    "command": (_is_text, "a text"),
    "url": (_is_text, "a text"),
    "args": (_are_texts, "a list of texts"),
    "enabled": (_is_switch, "`true` or `false`"),
}
_TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "features": ON_BY,
    "memories": (USED_BY, "generate_memories"),
}
"""Tables, and their switches that were asked about."""
