"""The file that stands for a tool's own system prompt, as its environment or its settings name it.

Seen of Gemini CLI 0.61.0, Qwen Code 0.24.4 and Codex 0.171.0 on 2026-11-28. The first two take
`GEMINI_SYSTEM_MD` and `QWEN_SYSTEM_MD` from `.env` files too: 1 and true stand for `system.md` in
their own folder, 0 and false for none, and all else is a path. None of the three starts where the
file is not there. Gemini CLI's page on it, read that day, says the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.core.system import Ground
from remem.model.entry import Problem
from remem.model.layout import Base, LoaderRule, Reader
from remem.model.loader import STOPS, Above, Keeps, Loads, PlainLayout, Proof, Tool
from remem.store.io import Unreadable, real_path
from remem.systems.plain.plain_layouts import CODEX_DOCS, QWEN_DOCS
from remem.systems.plain.tools.named_places import named_place
from remem.systems.plain.tools.tool_ids import CODEX, GEMINI, QWEN, Said

_KEY_OF_CODEX: Final = "model_instructions_file"
_VARIABLES: Final = {GEMINI: ("GEMINI_SYSTEM_MD", ".gemini"), QWEN: ("QWEN_SYSTEM_MD", ".qwen")}
"""Tool → its variable, and its own folder."""
_PAGES: Final = {
    GEMINI: "https://geminicli.com/docs/cli/system-prompt",
    QWEN: QWEN_DOCS,
    CODEX: CODEX_DOCS,
}
"""Only the first says so; of the others these are the pages on instructions."""
_VERSIONS: Final = {
    GEMINI: "Gemini CLI 0.61.0",
    QWEN: "Qwen Code 0.24.4",
    CODEX: "Codex 0.171.0",
}
_LISTED_BY: Final = ("${AgentSkills}", "${SubAgents}")
"""What Gemini CLI puts its lists of skills and of agents in place of; without, there are none."""
_LINE: Final = lazy_pattern(
    r"""^[ \t]*(?:export[ \t]+)?(?P<key>[\w.-]+)(?:[ \t]*=[ \t]*|:[ \t]+)"""
    r"""(?P<value>'[^']*'|"[^"]*"|`[^`]*`|[^#\r\n]*)""",
    8,  # MULTILINE
)


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A file that is to stand for a system prompt."""

    path: Path
    key: str
    """By which it is named: `GEMINI_SYSTEM_MD`."""
    settings: str
    """In which file."""

    @property
    def said(self) -> str:
        return f"`{self.key}` in `{self.settings}`"


def prompt_layouts(ground: Ground, tools: Sequence[tuple[str, str, Said]]) -> Iterator[PlainLayout]:
    """Yield a layout for each file that stands for a system prompt and lies where remem reads.

    Args:
        ground: Where the root and the home folder are.
        tools: Id and title of each tool, with its settings.
    """
    for tool, title, settings in tools:
        found = prompt_file(ground, tool, ground.root, settings)
        place = None if found is None else named_place(ground, found.path, found.settings)
        if place is None:
            continue
        base, file = place
        yield PlainLayout(
            name=layout_of(tool),
            tool=title,
            scope="user" if base is Base.HOME else "project",
            base=base,
            files=(file,),
            reader=Reader.DOCUMENT,
            loader=LoaderRule(),
            archive=f"{file}-archive.md",
            claim=_PAGES[tool],
        )


def with_prompt(ground: Ground, tool: Tool, folder: Path, settings: Said) -> Tool:
    """Return a tool with the file that stands for its system prompt; the same = there is none.

    Args:
        ground: Where the root and the home folder are.
        tool: Gemini CLI, Qwen Code or Codex.
        folder: Where it is started.
        settings: Its settings.
    """
    found = prompt_file(ground, tool.id, folder, settings)
    if found is None:
        return tool
    shown = ground.shown(found.path)
    if ground.disk.kind(found.path) != "file":
        said = f"names `{shown}`, and no such file is there"
        return replace(tool, stopped=_stopping(ground, tool, found, said))
    if tool.id == CODEX and _is_blank(ground, found.path):
        said = f"names `{shown}`, which is empty"
        return replace(tool, stopped=_stopping(ground, tool, found, said))
    is_read = named_place(ground, found.path, found.settings) is not None
    if tool.id == GEMINI and is_read:
        tool = _as_listed(ground, tool, found, shown)
    if not is_read or prompt_file(ground, tool.id, ground.root, settings) != found:
        lists = (f"which lists `{shown}` keeps",) if tool.id == GEMINI and not is_read else ()
        unseen = (*tool.unseen, f"`{shown}`, which {found.said} names", *lists)
        return replace(tool, unseen=unseen)
    row = Loads(
        layout=layout_of(tool.id),
        is_own=False,
        stage=-1,
        above=Above.ALL,
        keeps=Keeps.TEXT,
        imports=False,
        is_prompt=True,
        proofs=(
            Proof(
                says="the file stands for the tool's own system prompt",
                read="2026-11-28",
                version=_VERSIONS[tool.id],
            ),
        ),
    )
    return replace(tool, loads=(row, *tool.loads))


def prompt_file(ground: Ground, tool: str, folder: Path, settings: Said) -> PromptFile | None:
    """Return the file that stands for a tool's system prompt where it is started, there or not."""
    if tool == CODEX:
        for name, value in settings:
            said = value.get(_KEY_OF_CODEX)
            if isinstance(said, str):
                own = ground.place(name).parent
                return PromptFile(_at(ground, own, said), _KEY_OF_CODEX, name)
        return None
    variable, own_folder = _VARIABLES[tool]
    for name, given in _values(ground, tool, folder, settings):
        if given.casefold() in ("0", "false"):
            return None
        if given:
            is_usual = given.casefold() in ("1", "true")
            path = f"{own_folder}/system.md" if is_usual else given
            return PromptFile(_at(ground, folder, path), variable, name)
    return None


def layout_of(tool: str) -> str:
    """Return the name of the layout of a tool's file."""
    return f"{tool}-system-prompt"


def _values(ground: Ground, tool: str, folder: Path, settings: Said) -> Iterator[tuple[str, str]]:
    """Yield which file gives the variable, and what it says, the one that counts first."""
    variable, _ = _VARIABLES[tool]
    for path in _read_files(ground, tool, folder):
        try:
            text = ground.disk.read(path).decode("utf-8-sig", "replace")
        except Unreadable:
            continue
        if _excludes(tool, path, settings):
            continue
        said = [line["value"] for line in _LINE.finditer(text) if line["key"] == variable]
        if said:
            yield ground.shown(path), said[-1].strip().strip("'\"`")
    for name, value in settings if tool == QWEN else ():
        given = value.get("env")
        said_here = given.get(variable) if isinstance(given, dict) else None
        if isinstance(said_here, str):
            yield name, said_here


def _excludes(tool: str, path: Path, settings: Said) -> bool:
    """Tell whether settings keep the variable of a file that is not in the tool's own folder."""
    variable, own = _VARIABLES[tool]
    if path.parent.name == own:
        return False
    for _, value in settings:
        said = value.get("advanced")
        names = said.get("excludedEnvVars") if isinstance(said, dict) else None
        if isinstance(names, list) and variable in names:
            return True
    return False


def _read_files(ground: Ground, tool: str, folder: Path) -> Iterator[Path]:
    """Yield the files that are read: the nearest, and of Qwen Code the person's own behind it."""
    there = (p for p in _candidates(ground, tool, folder) if ground.disk.kind(p) == "file")
    first = next(there, None)
    if first is None:
        return
    yield first
    users = ground.home
    for path in there if tool == QWEN else ():
        if path in (users / ".qwen" / ".env", users / ".env"):
            yield path


def _candidates(ground: Ground, tool: str, folder: Path) -> Iterator[Path]:
    _, own = _VARIABLES[tool]
    for up in dict.fromkeys((folder, *folder.parents, ground.home)):
        yield up / own / ".env"
        yield up / ".env"


def _at(ground: Ground, folder: Path, path: str) -> Path:
    if path.startswith("~/"):
        return ground.home / path[2:]
    at = Path(os.path.normpath(folder / path))
    return real_path(at) if ground.disk.kind(at) == "link" else at


def _is_blank(ground: Ground, path: Path) -> bool:
    try:
        return not ground.disk.read(path).strip()
    except Unreadable:
        return False


def _stopping(ground: Ground, tool: Tool, found: PromptFile, said: str) -> Problem:
    return Problem(
        STOPS,
        f"{tool.title} does not start here: {found.said} {said}",
        "write the file, or take the name out",
        ground.place(found.settings),
    )


def _as_listed(ground: Ground, tool: Tool, found: PromptFile, shown: str) -> Tool:
    """Return Gemini CLI with the lists that the file has a place for."""
    try:
        text = ground.disk.read(found.path).decode("utf-8", "replace")
    except Unreadable:
        return tool
    skills, agents = (sign in text for sign in _LISTED_BY)
    why = f"`{shown}` stands for the system prompt, and has no "
    rows = (
        replace(row, never=row.never or f"{why}`{_LISTED_BY[0]}`")
        if row.lists and not skills
        else replace(row, never=row.never or f"{why}`{_LISTED_BY[1]}`")
        if row.lists_agents and not agents
        else row
        for row in tool.loads
    )
    return replace(tool, loads=tuple(rows))
