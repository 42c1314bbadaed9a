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
    for name, key, takes in _wrong(found):
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


def _wrong(found: Said) -> Iterator[tuple[str, str, str]]:
    """Yield the file, the key and what that takes, of each value of another kind."""
    for key, (is_right, takes) in _TAKES.items():
        name, value = valued(found, key)
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


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


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
}
_TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "features": ON_BY,
    "memories": (USED_BY, "generate_memories"),
}
"""Tables, and their switches that were asked about."""
