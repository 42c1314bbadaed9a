"""The tools that load plain files by themselves, as data: which, in what order, and when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from remem.model.loader import Above, Below, Loads, PlainLayout, Tool
from remem.model.source import LoaderKind
from remem.systems.plain.layouts import (
    AGENTS,
    CLAUDE_AGENTS,
    CLAUDE_DOCS,
    CLAUDE_OWN,
    CLINE_DOCS,
    CLINE_ORDER,
    COPILOT_DOCS,
    CURSOR_DOCS,
    PLAIN,
    WINDSURF_AGENTS,
)

CLAUDE: Final = "claude-code"
_SETTINGS: Final = 3
"""The stage of what a person's own layouts add."""
_BUILT_IN: Final = frozenset(layout.name for layout in PLAIN)
_NOT_IN_AN_ID: Final = re.compile(r"[^a-z0-9]+")

_CLAUDE_CODE: Final = Tool(
    id=CLAUDE,
    title="Claude Code",
    imports=4,
    asks_outside=True,
    loads=(
        Loads(layout="claude-user-md", stage=0, strips_comments=True),
        Loads(layout="claude-user-rules", stage=0, by_disk=True, strips_comments=True),
        Loads(layout="claude-md", above=Above.ALL, below=Below.ON_WORK, strips_comments=True),
        Loads(
            layout="claude-rules",
            above=Above.ALL,
            below=Below.ON_WORK,
            by_disk=True,
            strips_comments=True,
        ),
        Loads(
            layout=AGENTS,
            is_own=False,
            above=Above.ALL,
            below=Below.ON_WORK,
            unless=CLAUDE_OWN,
            unless_beside=CLAUDE_OWN,
            strips_comments=True,
            claim=CLAUDE_DOCS,
            unknown="versions before 2.1.277, and a setting, leave `AGENTS.md` alone",
        ),
        Loads(
            layout=CLAUDE_AGENTS,
            above=Above.ALL,
            unless=CLAUDE_OWN,
            strips_comments=True,
        ),
        Loads(layout="claude-local-md", above=Above.ALL, below=Below.ON_WORK, strips_comments=True),
        Loads(layout="claude-memory", stage=2),
        Loads(layout="claude-memory-topics", stage=2),
    ),
    unseen=(
        "the organization's managed `CLAUDE.md`, where there is one",
        "folders that were added with `--add-dir`, and `claudeMdExcludes`",
    ),
)

_CODEX: Final = Tool(
    id="codex",
    title="Codex",
    loads=(
        Loads(layout="codex-user-override", stage=0),
        Loads(layout="codex-user", stage=0, unless_beside=("codex-user-override",)),
        Loads(layout="agents-override-md", above=Above.CHECKOUT),
        Loads(layout="agents-md", above=Above.CHECKOUT, unless_beside=("agents-override-md",)),
    ),
    most_bytes=32_768,
    unseen=("other names of files that `project_doc_fallback_filenames` sets",),
)

_CURSOR: Final = Tool(
    id="cursor",
    title="Cursor",
    loads=(
        Loads(layout="cursor-rules", below=Below.ON_WORK),
        Loads(layout="agents-md", is_own=False, below=Below.ON_WORK, claim=CURSOR_DOCS),
        Loads(
            layout="cursorrules",
            unknown="its documentation calls this file old, and says no place in the order",
        ),
    ),
    unseen=("user rules and team rules, which are kept in its settings",),
)

_COPILOT: Final = Tool(
    id="copilot",
    title="GitHub Copilot",
    loads=(
        Loads(
            layout="copilot-user",
            stage=0,
            unknown="whether editors read it; the command line does",
        ),
        Loads(layout="copilot-instructions", above=Above.PROJECT),
        Loads(layout="copilot-paths", above=Above.PROJECT),
        Loads(
            layout="agents-md",
            is_own=False,
            above=Above.PROJECT,
            below=Below.ON_WORK,
            claim=COPILOT_DOCS,
            unknown="how the nearest of several takes precedence over those above it",
        ),
        Loads(
            layout="claude-md",
            is_own=False,
            loader=LoaderKind.NOT_KNOWN,
            claim=COPILOT_DOCS,
            unknown="it is named as another way to give instructions, not when it is read",
        ),
        Loads(
            layout="gemini-md",
            is_own=False,
            loader=LoaderKind.NOT_KNOWN,
            claim=COPILOT_DOCS,
            unknown="it is named as another way to give instructions, not when it is read",
        ),
    ),
    unseen=("personal and organization instructions, which are kept on the forge",),
)

_GEMINI: Final = Tool(
    id="gemini",
    title="Gemini CLI",
    imports=5,
    inlines=True,
    loads=(
        Loads(layout="gemini-user", stage=0),
        Loads(layout="gemini-md", above=Above.PROJECT, below=Below.ON_WORK),
    ),
    unseen=("other names of files that `context.fileName` sets",),
)

_WINDSURF: Final = Tool(
    id="windsurf",
    title="Windsurf",
    loads=(
        Loads(layout="windsurf-user", stage=0),
        Loads(layout="windsurf-rules", above=Above.PROJECT, below=Below.AT_START),
        Loads(layout="agents-md", is_own=False, below=Below.ON_WORK, claim=WINDSURF_AGENTS),
        Loads(
            layout="windsurfrules",
            unknown="its documentation does not name this file any more",
        ),
    ),
    unseen=("memories that it keeps itself, and rules of the organization",),
)

_CLINE: Final = Tool(
    id="cline",
    title="Cline",
    loads=(
        Loads(layout="cline-user", stage=0),
        Loads(layout="cline-rules"),
        Loads(layout="cursorrules", is_own=False, unless=("cline-rules",), claim=CLINE_ORDER),
        Loads(
            layout="windsurfrules",
            is_own=False,
            unless=("cline-rules",),
            loader=LoaderKind.WHOLE,
            claim=CLINE_DOCS,
        ),
        Loads(
            layout="agents-md",
            is_own=False,
            below=Below.AT_START,
            claim=CLINE_ORDER,
            unknown="when those in folders are loaded is not said, only that they are looked for",
        ),
        Loads(layout="memory-bank", stage=2, is_own=False),
    ),
    unseen=("rules that were switched off in its rules panel",),
)

_SERENA: Final = Tool(
    id="serena",
    title="Serena",
    loads=(
        Loads(layout="serena-user", stage=0),
        Loads(layout="serena-memories", unknown="how the list of names is worded"),
    ),
    unseen=("what the agent that uses Serena loads by itself",),
)

TOOLS: Final[tuple[Tool, ...]] = (
    _CLAUDE_CODE,
    _CODEX,
    _CURSOR,
    _COPILOT,
    _GEMINI,
    _WINDSURF,
    _CLINE,
    _SERENA,
)


def tools_of(layouts: Sequence[PlainLayout]) -> tuple[Tool, ...]:
    """Return the tools that are known, and those that a person's layouts name.

    Args:
        layouts: All of a ground; those that no tool's rules name are loaded as they say themselves.
    """
    known = {loads.layout for tool in TOOLS for loads in tool.loads}
    added: dict[str, list[Loads]] = {}
    for layout in layouts:
        if layout.tool and layout.name not in known and layout.name not in _BUILT_IN:
            own = Loads(layout=layout.name, stage=_SETTINGS, below=Below.AT_START)
            added.setdefault(layout.tool, []).append(own)
    named = (replace(t, loads=(*t.loads, *added.pop(t.title, ()))) for t in TOOLS)
    tools = tuple(named)
    more = (
        Tool(id=_NOT_IN_AN_ID.sub("-", title.casefold()).strip("-"), title=title, loads=(*own,))
        for title, own in added.items()
    )
    return (*tools, *more)


def tool_named(name: str, tools: Sequence[Tool] = TOOLS) -> Tool | None:
    """Return the tool with that id or title, case ignored."""
    wanted = name.strip().casefold()
    return next((t for t in tools if wanted in (t.id, t.title.casefold())), None)
