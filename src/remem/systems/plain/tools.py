"""The tools that load plain files by themselves, as data: which, in what order, and when."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Final

from remem.model.loader import Above, Below, Loads, PlainLayout, Tool
from remem.model.source import LoaderKind
from remem.systems.plain.layouts import AGENTS, CLAUDE_AGENTS, CLAUDE_OWN, PLAIN
from remem.systems.plain.proofs import FACTS, PROOFS
from remem.systems.plain.source import PlainSource

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
        Loads(layout="claude-dot-md", above=Above.ALL, below=Below.ON_WORK, strips_comments=True),
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
        Loads(layout=AGENTS, above=Above.CHECKOUT, unless_beside=("agents-override-md",)),
    ),
    most_bytes=32_768,
    unseen=("other names of files that `project_doc_fallback_filenames` sets",),
)

_CURSOR: Final = Tool(
    id="cursor",
    title="Cursor",
    loads=(
        Loads(layout="cursor-rules", below=Below.ON_WORK),
        Loads(
            layout="cursor-rules-md",
            never="Cursor ignores a plain `.md` file among its rules; its rules end in `.mdc`",
        ),
        Loads(layout=AGENTS, is_own=False, below=Below.ON_WORK),
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
        Loads(layout="copilot-instructions", above=Above.PROJECT, below=Below.ON_WORK),
        Loads(
            layout=AGENTS,
            is_own=False,
            stage=2,
            above=Above.PROJECT,
            below=Below.ON_WORK,
        ),
        Loads(
            layout="claude-md",
            is_own=False,
            stage=2,
            above=Above.PROJECT,
            below=Below.ON_WORK,
        ),
        Loads(
            layout="gemini-md",
            is_own=False,
            stage=2,
            above=Above.PROJECT,
            below=Below.ON_WORK,
        ),
        Loads(layout="copilot-user-paths", stage=3),
        Loads(layout="copilot-paths", stage=3, above=Above.PROJECT, below=Below.ON_WORK),
        Loads(layout="copilot-agents", stage=4),
        Loads(layout="copilot-user-agents", stage=4),
    ),
    unseen=(
        "personal and organization instructions, which are kept on the forge",
        "what its editors load otherwise: this is its command line",
    ),
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
        Loads(layout=AGENTS, is_own=False, below=Below.ON_WORK),
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
        Loads(
            layout=AGENTS,
            is_own=False,
            unknown="whether its editors read those in folders too; its command line reads the "
            "one at the top",
        ),
        Loads(layout="cline-rules"),
        Loads(layout="cline-dot-rules"),
        Loads(layout="cline-workflows"),
        Loads(
            layout="cline-rules-below",
            unknown="its page says all files inside, its command line reads those of the folder "
            "itself",
        ),
        Loads(
            layout="cursorrules",
            is_own=False,
            unknown="its page and its editor name it, its command line does not",
        ),
        Loads(
            layout="windsurfrules",
            is_own=False,
            loader=LoaderKind.WHOLE,
            unknown="its page and its editor name it, its command line does not",
        ),
        Loads(layout="cline-user-agents", stage=2),
        Loads(layout="cline-user", stage=2),
        Loads(layout="memory-bank", stage=3, is_own=False),
    ),
    unseen=("rules that were switched off in its rules panel",),
)

_SERENA: Final = Tool(
    id="serena",
    title="Serena",
    loads=(
        Loads(layout="serena-user", stage=0, names_below=".serena/memories"),
        Loads(layout="serena-memories", unknown="how the list of names is worded"),
    ),
    unseen=("what the agent that uses Serena loads by itself",),
)


def _proven(tool: Tool) -> Tool:
    """Return a tool with what proves its rules."""
    loads = (replace(each, proofs=PROOFS.get((tool.id, each.layout), ())) for each in tool.loads)
    return replace(tool, loads=tuple(loads), facts=FACTS.get(tool.id, ()))


TOOLS: Final[tuple[Tool, ...]] = tuple(
    _proven(tool)
    for tool in (
        _CLAUDE_CODE,
        _CODEX,
        _CURSOR,
        _COPILOT,
        _GEMINI,
        _WINDSURF,
        _CLINE,
        _SERENA,
    )
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


def used_tools(tools: Sequence[Tool], sources: Sequence[PlainSource]) -> tuple[Tool, ...]:
    """Return the tools of which a file is there that they, above all others, read.

    Where a project has no tool's own file but `AGENTS.md`, it is every tool that reads that.
    """
    found = {way.layout for source in sources for way in source.reached}
    projects = {way.layout for s in sources for way in s.reached if way.scope != "user"}
    own = {loads.layout for tool in tools for loads in tool.loads if loads.is_own}
    if projects & own == {AGENTS}:
        return tuple(t for t in tools if any(_starts_with(loads, found) for loads in t.loads))
    return tuple(t for t in tools if found & {loads.layout for loads in t.loads if loads.is_own})


def _starts_with(loads: Loads, found: Set[str]) -> bool:
    return loads.layout in found and (loads.is_own or loads.layout == AGENTS)


def tool_named(name: str, tools: Sequence[Tool] = TOOLS) -> Tool | None:
    """Return the tool with that id or title, case ignored."""
    wanted = name.strip().casefold()
    return next((t for t in tools if wanted in (t.id, t.title.casefold())), None)
