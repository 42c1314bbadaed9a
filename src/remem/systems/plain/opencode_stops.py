"""What keeps OpenCode from starting: a wrong value in an agent, a command or its settings.

It then loads nothing at all. So it was seen of OpenCode 1.18.33 on 2026-11-28; a value that was not
asked about is let through.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from remem.base.lazy_pattern import lazy_pattern
from remem.core.system import Ground
from remem.model.entry import Problem
from remem.model.loader import STOPS
from remem.store.io import Unreadable
from remem.systems.plain.front_forms import What, fault_in, fault_of
from remem.systems.plain.json_with_comments import as_json_with_comments
from remem.systems.plain.opencode_commands import command_files, up_to_top
from remem.systems.plain.opencode_settings import faults_in
from remem.systems.plain.source import PlainSource
from remem.systems.plain.taken_values import Fault
from remem.systems.plain.tools.tool_ids import OPENCODE

_AGENTS: Final = ("opencode-agents", "opencode-user-agents")
"""Layouts of its agents."""
_FILES: Final = ("opencode.json", "opencode.jsonc")
_USERS: Final = (*(f".config/opencode/{name}" for name in _FILES), ".config/opencode/config.json")
_SETTINGS: Final = (*_FILES, *(f".opencode/{name}" for name in _FILES))
_FILE: Final = lazy_pattern(rb"\{file:(?P<path>[^}]+)\}")
"""What puts a file's text in settings, as OpenCode takes it."""


def stops(ground: Ground, sources: Sequence[PlainSource], folder: Path) -> Iterator[Problem]:
    """Yield what keeps OpenCode from starting in a folder, each with file and line.

    Args:
        ground: Where the root and the home folder are.
        sources: The plain files.
        folder: Where it is started.
    """
    around = up_to_top(ground, folder)
    for source in sources:
        if any(
            way.layout in _AGENTS and (way.scope == "user" or way.folder in around)
            for way in source.reached
        ):
            yield from _told(ground, source.path, fault_of(OPENCODE, "agent", source.data))
    for path in command_files(ground, folder):
        data = _read(ground, path)
        fault = None if data is None else fault_of(OPENCODE, "command", data)
        yield from _told(ground, path, fault)
    for path in _settings(ground, around):
        data = _read(ground, path)
        if data is not None:
            fault = _file_that_is_gone(ground, path, data) or fault_in_settings(data)
            yield from _told(ground, path, fault)


def _settings(ground: Ground, around: Sequence[Path]) -> Iterator[Path]:
    yield from (ground.home / each for each in _USERS)
    yield from (up / each for up in around for each in _SETTINGS)


def _read(ground: Ground, path: Path) -> bytes | None:
    try:
        return ground.disk.read(path)
    except Unreadable:
        return None


def _file_that_is_gone(ground: Ground, path: Path, data: bytes) -> Fault | None:
    """Return that settings name a file as `{file:…}` that is not there, wherever in them.

    It is put in before anything is read, so a comment counts as well, but for a whole line of it.
    """
    for found in _FILE.finditer(data):
        line = data.rfind(b"\n", 0, found.start()) + 1
        if data[line : found.start()].lstrip().startswith(b"//"):
            continue
        said = found["path"].decode("utf-8", "replace")
        at = ground.home / said[2:] if said.startswith("~/") else path.parent / said
        if ground.disk.kind(at) in (None, "folder"):
            number = data.count(b"\n", 0, found.start()) + 1
            return Fault(f"it names `{said}`, and no such file is there", number, stops=True)
    return None


def fault_in_settings(data: bytes) -> Fault | None:
    """Return the first thing in settings of OpenCode that keeps it from starting."""
    if not data.strip():
        return None
    try:
        value = as_json_with_comments(data)
    except (ValueError, RecursionError):
        return Fault("it is no JSON that can be read", 1, stops=True)
    if not isinstance(value, dict):
        return Fault("it is no object with keys", 1, stops=True)
    return next(_faults(value, data), None)


def _faults(value: Mapping[str, Any], data: bytes) -> Iterator[Fault]:
    """Yield what is wrong in settings: they say of agents and commands what their files say."""
    yield from faults_in(value, data)
    kinds: tuple[tuple[str, What], ...] = (
        ("agent", "agent"),
        ("mode", "agent"),
        ("command", "command"),
    )
    for key, kind in kinds:
        inside = value.get(key, {})
        if not isinstance(inside, dict):
            yield _wrong(key, "names with keys each", data)
            continue
        for name, each in inside.items():
            start = max(data.find(json.dumps(name, ensure_ascii=False).encode()), 0)
            if not isinstance(each, dict):
                yield _wrong(name, "keys with values", data)
                continue
            if kind == "command" and not isinstance(each.get("template"), str):
                yield _wrong(name, "a `template`", data)
            found = fault_in(OPENCODE, kind, each, data, start)
            if found is not None:
                yield found


def _wrong(key: str, takes: str, data: bytes) -> Fault:
    at = max(data.find(json.dumps(key, ensure_ascii=False).encode()), 0)
    said = f"`{key}` in it takes {takes}, and has something else"
    return Fault(said, data.count(b"\n", 0, at) + 1, stops=True)


def _told(ground: Ground, path: Path, fault: Fault | None) -> Iterator[Problem]:
    if fault is not None and fault.stops:
        yield Problem(
            STOPS,
            f"OpenCode does not start here because of `{ground.shown(path)}`: {fault.said}",
            "correct the value, or remove its line; until then no file is loaded",
            path,
            fault.line,
        )
