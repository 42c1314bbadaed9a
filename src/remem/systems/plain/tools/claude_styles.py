"""What the settings of Claude Code let a session begin with: an agent, and an output style.

A style is a file whose text it adds to its own. Seen of Claude Code 2.1.332 on 2026-11-28. It is
called after its `name`, else after its file; of two in one folder the last counts, a project's
before a person's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from remem.core.system import Ground
from remem.edit.markdown import front_matter_end
from remem.model.layout import Base, LoaderRule, Reader
from remem.model.loader import Keeps, Loads, PlainLayout, Proof, Tool
from remem.store.io import Unreadable
from remem.systems.plain.front_forms import values_of
from remem.systems.plain.tools.tool_ids import Said

LAYOUT: Final = "claude-output-style"
_DOCS: Final = "https://code.claude.com/docs/en/output-styles"
_FOLDER: Final = ".claude/output-styles"
_DEPTH: Final = 8
"""Folders below that of the styles that are looked into."""
_DEFAULT: Final = "default"
_STAGE: Final = 7
"""Behind all instructions, before what is listed."""
ROW: Final = Loads(
    layout=LAYOUT,
    stage=_STAGE,
    keeps=Keeps.NO_FRONT,
    imports=False,
    proofs=(
        Proof(
            says="the style that `outputStyle` of the settings names, without its front matter, "
            "at any depth; called after its `name`, else after its file; of two the last of a "
            "folder, a project's before a person's",
            read="2026-11-28",
            version="Claude Code 2.1.332",
        ),
    ),
)


def styled(ground: Ground, tool: Tool, settings: Said, *, is_below: bool) -> Tool:
    """Return the tool with the agent and the style that settings name.

    Args:
        ground: Where the root and the home folder are.
        tool: Claude Code.
        settings: What each settings file is called and says, the one that wins first.
        is_below: It is started below the root, where a style may be another file.
    """
    agent = _first(settings, "agent")
    if agent is not None:
        tool = replace(tool, begins=agent)
    style = _first(settings, "outputStyle")
    if style is None:
        return tool
    if not is_below and _layout(ground, style[0]) is not None:
        return replace(tool, loads=(*tool.loads, ROW))
    text = f"the output style `{style[0]}`, which `{style[1]}` names"
    return tool if style[0] == _DEFAULT else replace(tool, unseen=(*tool.unseen, text))


def style_layouts(ground: Ground, settings: Said) -> Iterator[PlainLayout]:
    """Yield the layout of the file of the style that settings name; none if it is built in."""
    style = _first(settings, "outputStyle")
    layout = None if style is None else _layout(ground, style[0])
    if layout is not None:
        yield layout


def _first(settings: Said, key: str) -> tuple[str, str] | None:
    """Return the text of a key in the settings that win, and what those are called."""
    return next(((v[key], name) for name, v in settings if isinstance(v.get(key), str)), None)


def _layout(ground: Ground, style: str) -> PlainLayout | None:
    """Return the layout of a style's file; `None` = it is built in, or there is none."""
    for base, top in ((Base.ROOT, ground.root), (Base.HOME, ground.home)):
        files = ground.disk.walk(top / _FOLDER, _DEPTH, ".md")
        found = [path for path in files if _called(ground, path) == style]
        file = found[-1].relative_to(top).as_posix() if found else ""
        if "*" in file:
            return None  # no layout can say that it is no pattern
        if file:
            return PlainLayout(
                name=LAYOUT,
                tool="Claude Code",
                scope="user" if base is Base.HOME else "project",
                base=base,
                files=(file,),
                reader=Reader.DOCUMENT,
                loader=LoaderRule(),
                archive=f"{_FOLDER}-archive.md",
                claim=_DOCS,
            )
    return None


def _called(ground: Ground, path: Path) -> str:
    """Return what a style is called; empty = its front matter is no YAML."""
    try:
        data = ground.disk.read(path)
    except Unreadable:
        return ""
    values = values_of(data) if front_matter_end(data) else {}
    if values is None:
        return ""
    name = values.get("name")
    return name if isinstance(name, str) and name else path.stem
