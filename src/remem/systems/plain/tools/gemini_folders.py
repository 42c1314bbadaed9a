"""The folders that `context.includeDirectories` of Gemini CLI adds to the working folder.

Seen of Gemini CLI 0.61.0 on 2026-11-28: its files for the agent are loaded from each of them and
from the folders above, whatever `loadMemoryFromIncludeDirectories` says, and where one of them is
not there it does not start. All settings count together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from remem.core.system import Ground
from remem.model.entry import Problem
from remem.model.loader import STOPS, Tool
from remem.store.io import real_path
from remem.systems.plain.tools.tool_ids import QWEN, Said

_KEY: Final = "includeDirectories"
_LOADS: Final = "loadFromIncludeDirectories"
"""Without it Qwen Code loads nothing from them."""


def with_folders(ground: Ground, tool: Tool, folder: Path, settings: Said) -> Tool:
    """Return a tool with the folders that its settings include.

    Args:
        ground: Where the root and the home folder are.
        tool: Gemini CLI; or Qwen Code, of which they are named and not shown.
        folder: Where it is started.
        settings: What each settings file is called and says.
    """
    if tool.id == QWEN:
        is_on = any(_context(value).get(_LOADS) for _, value in settings)
        for name, value in settings:
            if not isinstance(_context(value).get(_KEY, []), list):
                return replace(tool, stopped=_no_list(ground, tool, name))
        named = (_named(name, said) for name, said in _said(settings) if is_on)
        return replace(tool, unseen=(*tool.unseen, *named))
    for name, said in _said(settings):
        if "$" in said:
            tool = replace(tool, unseen=(*tool.unseen, _named(name, said)))
            continue
        at = ground.home / said[2:] if said.startswith("~/") else folder / said
        path = real_path(at)
        if ground.disk.kind(path) != "folder":
            return replace(tool, stopped=_missing(ground, tool, name, said))
        if path.is_relative_to(ground.root):
            ups = {path, *path.parents} - {*ground.root.parents}
            tool = replace(tool, included=tool.included | ups)
        else:
            tool = replace(tool, unseen=(*tool.unseen, _named(name, said)))
    return tool


def _named(settings: str, said: str) -> str:
    return f"its files in `{said}`, a folder that `{_KEY}` in `{settings}` adds"


def _context(value: Mapping[str, Any]) -> Mapping[str, Any]:
    found = value.get("context")
    return found if isinstance(found, dict) else {}


def _said(settings: Said) -> Iterator[tuple[str, str]]:
    for name, value in settings:
        said = _context(value).get(_KEY)
        for each in [said] if isinstance(said, str) else said if isinstance(said, list) else []:
            if isinstance(each, str) and each:
                yield name, each


def _no_list(ground: Ground, tool: Tool, settings: str) -> Problem:
    return Problem(
        STOPS,
        f"{tool.title} does not start here: `{_KEY}` in `{settings}` is no list",
        "write its folders as a list",
        ground.place(settings),
    )


def _missing(ground: Ground, tool: Tool, settings: str, said: str) -> Problem:
    return Problem(
        STOPS,
        f"{tool.title} does not start here: `{_KEY}` in `{settings}` names `{said}`, and no such "
        "folder is there",
        "make the folder, or take the name out",
        ground.place(settings),
    )
