"""Folders of the home folder that a variable moves for one tool, and that others read all the same.

`CLAUDE_CONFIG_DIR` is Claude Code's own: OpenCode goes on reading `~/.claude/CLAUDE.md`. Such a
file has a layout of its own here, under the usual name with an ending.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from remem.core.system import Ground, moved_name
from remem.model.layout import Base
from remem.model.loader import PlainLayout, Tool
from remem.systems.plain.plain_layouts import PLAIN

_ENDING: Final = "-usual"


def usual_layouts(ground: Ground) -> Iterator[PlainLayout]:
    """Yield the layouts by which others than the tool that was moved read the usual folders."""
    if not ground.moved:
        return
    from remem.systems.plain.tools.tool_data import TOOLS

    for layout in PLAIN:
        readers = [tool for tool in TOOLS if _reads(tool, layout)]
        is_moved = any(moved_name(name, ground.moved) != name for name in layout.files)
        if layout.base is Base.HOME and is_moved and readers:
            yield replace(layout, name=f"{layout.name}{_ENDING}", tool=readers[0].title)


def usual_names(ground: Ground) -> Mapping[str, str]:
    """Return the layouts that were moved and are read where they usually lie: name → name there."""
    return {each.name.removesuffix(_ENDING): each.name for each in usual_layouts(ground)}


def as_usual(tool: Tool, names: Mapping[str, str]) -> Tool:
    """Return a tool that reads the usual folders, whatever moved those of another one."""
    owned = {layout.name for layout in PLAIN if layout.tool == tool.title}
    theirs = {name: usual for name, usual in names.items() if name not in owned}
    if not theirs:
        return tool
    rows = (replace(row, layout=theirs.get(row.layout, row.layout)) for row in tool.loads)
    return replace(tool, loads=tuple(rows))


def _reads(tool: Tool, layout: PlainLayout) -> bool:
    return tool.title != layout.tool and any(row.layout == layout.name for row in tool.loads)
