"""The tools that load plain files by themselves, as data: which, in what order, and when."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from remem.model.loader import Above, AgentList, Below, Keeps, Listing, Loads, Names, Proof, Tool
from remem.model.source import LoaderKind
from remem.systems.plain.plain_layouts import AGENTS, CLAUDE_AGENTS, CLAUDE_OWN
from remem.systems.plain.tools.further_tools import FURTHER_TOOLS
from remem.systems.plain.tools.late_proofs import LATE
from remem.systems.plain.tools.proofs import FACTS, PROOFS
from remem.systems.plain.tools.tool_ids import (
    CLAUDE,
    CODEX,
    CODEX_MEMORY,
    CODEX_UNTRUSTED,
    GEMINI,
    OPENCODE,
    UNTRUSTED,
)

MEMORIES_OFF: Final = (
    "memories are off: `memories` in `[features]` of `~/.codex/config.toml` is not `true`"
)

_EDITORS_ALONE: Final = "Cline's editors detect it; its command line does not read it"

_SEEN: Final = "2026-11-28"
_LISTS: Final = 8
"""The stage of what is listed, behind all that is loaded whole."""
_TO_ACKNOWLEDGE: Final = (
    "Gemini CLI asks a person about each new one, and keeps the answer where remem does not look"
)


def _agents(
    layout: str, says: str, version: str, above: Above = Above.NONE, never: str = ""
) -> Loads:
    return Loads(
        layout=layout,
        stage=_LISTS,
        above=above,
        never=never,
        loader=LoaderKind.DESCRIBED,
        lists_agents=True,
        proofs=(Proof(says=says, read=_SEEN, version=version),),
    )


_QWEN_SEEN: Final = "Qwen Code 0.24.4"
_QWEN_SAYS: Final = (
    "the working folder's before a person's, by the names of the files; not without `name`, "
    "`description` and a task, nor with a name of other signs than letters, digits, `_` and `-` or "
    "an `approvalMode` that it does not know"
)
_COMMANDS: Final = (
    Proof(
        says="listed behind all skills, by name; one in a folder is called `folder:name`; the "
        "working folder's before a person's, a skill before both; not without `description`, nor "
        "with `disable-model-invocation`",
        read=_SEEN,
        version=_QWEN_SEEN,
    ),
)
_QWEN_LISTED: Final = (
    *(
        Loads(
            layout=layout,
            stage=_LISTS,
            loader=LoaderKind.DESCRIBED,
            lists=True,
            are_commands=True,
            proofs=_COMMANDS,
        )
        for layout in ("qwen-commands", "qwen-user-commands")
    ),
    _agents("qwen-agents", _QWEN_SAYS, _QWEN_SEEN),
    _agents("qwen-user-agents", _QWEN_SAYS, _QWEN_SEEN),
)
_NO_GLOB: Final = ("",)
"""It takes no glob for all files: a rule with any waits for one that it fits."""
_LOCAL: Final = 5
_RULES: Final = 6
_KEPT: Final = 7
"""Stages, behind the instruction files and before the lists."""


def _qwen_seen(says: str) -> tuple[Proof, ...]:
    return (Proof(says=says, read=_SEEN, version=_QWEN_SEEN),)


_RULED: Final = _qwen_seen(
    "of the top of the checkout, or of the working folder without one, at any depth, behind those "
    "of a person; with `paths` not at the start, `**` neither; imports are not followed"
)
_INDEXED: Final = _qwen_seen("the person's before the project's, behind all rules")
_QWEN_KEEPS: Final = (
    Loads(
        layout="qwen-local-md",
        stage=_LOCAL,
        above=Above.ONLY_CHECKOUT,
        proofs=_qwen_seen("of the top of the checkout alone, behind all instruction files"),
    ),
    *(
        Loads(
            layout=layout,
            stage=_RULES,
            above=Above.ONLY_TOP,
            every=_NO_GLOB,
            keeps=Keeps.BARE,
            imports=False,
            proofs=_RULED,
        )
        for layout in ("qwen-user-rules", "qwen-rules")
    ),
    *(
        Loads(layout=layout, stage=_KEPT, imports=False, proofs=_INDEXED)
        for layout in ("qwen-memories", "qwen-memory")
    ),
    *(
        Loads(layout=layout, stage=_KEPT, imports=False, proofs=_qwen_seen("none at the start"))
        for layout in ("qwen-memories-topics", "qwen-memory-topics")
    ),
)
_OPENCODE_SEEN: Final = "OpenCode 1.18.33"
_OPENCODE_SAYS: Final = (
    "by name, at any depth, with those of `agent` in its settings, which files add to key by key; "
    "not with `mode: primary` or `disable`; of those called alike that of "
    "`~/.opencode`, then that of the highest folder, then that of `~/.config/opencode`; with a "
    "value of another kind than it takes OpenCode does not start; one that is no YAML is skipped"
)
_OPENCODE_LISTED: Final = (
    _agents("opencode-agents", _OPENCODE_SAYS, _OPENCODE_SEEN, Above.CHECKOUT),
    _agents("opencode-user-agents", _OPENCODE_SAYS, _OPENCODE_SEEN),
)
_CODEX_SEEN: Final = "Codex 0.171.0"
_CODEX_SAYS: Final = (
    "by name, at any depth; the nearest folder's before those above it and a person's; not without "
    "`name`, `description` and `developer_instructions`, nor with a value of another kind"
)
_CODEX_LISTED: Final = (
    _agents("codex-agents", _CODEX_SAYS, _CODEX_SEEN, Above.CHECKOUT, never=UNTRUSTED),
    _agents("codex-user-agents", _CODEX_SAYS, _CODEX_SEEN),
)
_GEMINI_SEEN: Final = "Gemini CLI 0.61.0"
_GEMINI_LISTED: Final = (
    _agents(
        "gemini-user-agents",
        "by the names of the files; not one whose `name` has other signs than small letters, "
        "digits, `_` and `-`, nor one with a key that it does not know or a value of another kind, "
        "as names of tools that are not its own",
        _GEMINI_SEEN,
    ),
    _agents(
        "gemini-agents", "none that nobody was asked about", _GEMINI_SEEN, never=_TO_ACKNOWLEDGE
    ),
)

_CLAUDE_CODE: Final = Tool(
    id=CLAUDE,
    title="Claude Code",
    names=Names.WORDS,
    imports=4,
    asks_outside=True,
    file_bytes=4_194_304,
    lists_agents=True,
    listed=1_536,
    listing_percent=1,
    loads=(
        Loads(layout="claude-user-md", stage=0, keeps=Keeps.BARE),
        Loads(layout="claude-user-rules", stage=0, by_disk=True, keeps=Keeps.BARE),
        Loads(layout="claude-md", above=Above.ALL, below=Below.ON_WORK, keeps=Keeps.BARE),
        Loads(layout="claude-dot-md", above=Above.ALL, below=Below.ON_WORK, keeps=Keeps.BARE),
        Loads(
            layout="claude-rules",
            above=Above.ALL,
            below=Below.ON_WORK,
            by_disk=True,
            keeps=Keeps.BARE,
        ),
        Loads(
            layout=AGENTS,
            is_own=False,
            above=Above.ALL,
            below=Below.ON_WORK,
            unless=CLAUDE_OWN,
            unless_beside=CLAUDE_OWN,
            keeps=Keeps.BARE,
        ),
        Loads(
            layout=CLAUDE_AGENTS,
            above=Above.ALL,
            below=Below.ON_WORK,
            unless=CLAUDE_OWN,
            keeps=Keeps.BARE,
        ),
        Loads(layout="claude-local-md", above=Above.ALL, below=Below.ON_WORK, keeps=Keeps.BARE),
        Loads(layout="claude-memory", stage=2, keeps=Keeps.BARE),
        Loads(layout="claude-memory-topics", stage=2),
        Loads(
            layout="claude-memory-work-trees",
            stage=2,
            never="a work tree has the notes of its repository's main folder",
        ),
        Loads(layout="claude-user-skills", is_own=False, stage=3, lists=True),
        Loads(
            layout="claude-skills", stage=3, above=Above.PROJECT, below=Below.ON_WORK, lists=True
        ),
        Loads(
            layout="claude-commands", stage=3, above=Above.PROJECT, below=Below.ON_WORK, lists=True
        ),
        Loads(layout="claude-user-commands", is_own=False, stage=3, lists=True),
    ),
    unseen=(
        "the organization's managed `CLAUDE.md`, where there is one",
        "folders that were added with `--add-dir`",
        "skills and agents that come with Claude Code, with plug-ins and with servers",
    ),
)

_CODEX: Final = Tool(
    id=CODEX,
    title="Codex",
    loads=(
        *(
            Loads(layout=layout, is_own=False, stage=0, never=MEMORIES_OFF)
            for layout in CODEX_MEMORY
        ),
        Loads(layout="codex-user-override", stage=0),
        Loads(layout="codex-user", stage=0, unless_beside=("codex-user-override",)),
        Loads(layout="agents-override-md", above=Above.CHECKOUT),
        Loads(
            layout=AGENTS,
            above=Above.CHECKOUT,
            unless_beside=("agents-override-md",),
            even_empty=True,
        ),
        *(
            Loads(
                layout=layout,
                is_own=False,
                stage=3,
                above=above,
                loader=LoaderKind.DESCRIBED,
                lists=True,
            )
            for layout, above in (
                ("agents-skills", Above.CHECKOUT),
                ("codex-skills", Above.CHECKOUT),
                ("agents-user-skills", Above.NONE),
                ("codex-user-skills", Above.NONE),
            )
        ),
        *_CODEX_LISTED,
    ),
    agents=AgentList.ROLES,
    listing=Listing.SCOPES,
    follows_no="file",
    most_bytes=32_768,
    has_public_tokens=True,
    unseen=(
        CODEX_UNTRUSTED,
        "agents that `config.toml` itself describes",
    ),
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
        Loads(layout="cursorrules"),
    ),
    unseen=(
        "user rules and team rules, which are kept in its settings",
        "where it puts `.cursorrules` among its rules",
    ),
)

_COPILOT: Final = Tool(
    id="copilot",
    title="GitHub Copilot",
    imports=8,
    inlines=True,
    quotes=True,
    ends_first=True,
    listing=Listing.PLACES,
    listing_room=15_000,
    listing_taken=769,
    tables_rules=True,
    agents=AgentList.NAMES,
    takes_agents_of=("Claude Code",),
    loads=(
        Loads(layout="copilot-user", stage=0),
        Loads(layout="copilot-instructions", above=Above.CHECKOUT, below=Below.ON_WORK),
        *(
            Loads(
                layout=layout,
                is_own=False,
                stage=2,
                above=Above.CHECKOUT,
                below=Below.ON_WORK,
                imports="gemini" not in layout,
            )
            for layout in (
                AGENTS,
                "claude-md",
                "copilot-odd-case",
                "gemini-md",
                "copilot-odd-gemini",
            )
        ),
        Loads(layout="copilot-user-paths", stage=3, imports=False),
        Loads(
            layout="copilot-paths",
            stage=3,
            above=Above.TOP,
            no_linked_folders_from=2,
            below=Below.ON_WORK,
            imports=False,
        ),
        Loads(
            layout="claude-rules",
            no_linked_folders_from=2,
            is_own=False,
            stage=3,
            above=Above.TOP,
            every=("**", "**/*", "*"),
            keeps=Keeps.FRONT,
            imports=False,
        ),
        *(
            Loads(
                layout=layout,
                is_own=is_own,
                stage=4,
                above=above,
                loader=LoaderKind.DESCRIBED,
                lists_agents=True,
            )
            for layout, is_own, above in (
                ("copilot-agents", True, Above.PROJECT),
                ("squad-coordinator", False, Above.PROJECT),
                ("copilot-user-agents", True, Above.NONE),
            )
        ),
        *(
            Loads(
                layout=layout,
                is_own=is_own,
                stage=5,
                above=above,
                loader=LoaderKind.DESCRIBED,
                lists=True,
            )
            for layout, is_own, above in (
                ("github-skills", True, Above.CHECKOUT),
                ("agents-skills", False, Above.CHECKOUT),
                ("claude-skills-below", False, Above.CHECKOUT),
                ("copilot-user-skills", True, Above.NONE),
                ("agents-user-skills", False, Above.NONE),
            )
        ),
        Loads(
            layout="claude-commands",
            is_own=False,
            most_parts=3,
            stage=5,
            above=Above.TOP,
            loader=LoaderKind.DESCRIBED,
            lists=True,
            are_commands=True,
        ),
    ),
    unseen=(
        "personal and organization instructions, which are kept on the forge",
        "what its editors load otherwise: this is its command line",
    ),
)

_VSCODE: Final = Tool(
    id="vscode",
    title="VS Code",
    loads=(
        Loads(layout="copilot-instructions", is_own=False),
        Loads(
            layout=AGENTS,
            is_own=False,
            below=Below.ON_WORK,
            unknown="in what order its own harness takes these files, and which of those below",
        ),
        Loads(layout="claude-md", is_own=False),
        Loads(layout="copilot-paths", is_own=False, stage=3),
        Loads(layout="claude-rules", is_own=False, stage=3),
    ),
    unseen=(
        "personal instructions, which are kept in its settings",
        "what another harness loads: this is its own, which it calls Local",
    ),
)

_SQUAD: Final = Tool(
    id="squad-coordinator",
    title="Squad coordinator",
    loads=(
        Loads(
            layout="squad-coordinator",
            unknown="whether its front matter is handed on, and where it stands among what Copilot "
            "loads",
        ),
    ),
    unseen=("what GitHub Copilot, in which it runs, loads itself",),
)

_GEMINI: Final = Tool(
    id=GEMINI,
    title="Gemini CLI",
    listing=Listing.LAST,
    imports=5,
    inlines=True,
    stays=True,
    loads=(
        Loads(layout="gemini-user", stage=0),
        Loads(layout="gemini-md", above=Above.CHECKOUT, below=Below.ON_WORK),
        Loads(layout="gemini-user-skills", is_own=False, stage=3, lists=True),
        Loads(layout="agents-user-skills", is_own=False, stage=3, lists=True, most_parts=4),
        Loads(layout="gemini-skills", is_own=False, stage=3, lists=True),
        Loads(layout="agents-skills", is_own=False, stage=3, lists=True, most_parts=4),
        *_GEMINI_LISTED,
    ),
    agents=AgentList.SLUGS,
)

_QWEN: Final = Tool(
    id="qwen-code",
    title="Qwen Code",
    imports=5,
    inlines=True,
    stays=True,
    skips_indented=True,
    listing=Listing.NAMES,
    names=Names.WORDS,
    leaves_hidden=True,
    loads=(
        Loads(layout="qwen-user", stage=0),
        Loads(layout="qwen-md", stage=0, above=Above.ALL),
        Loads(layout="qwen-user-agents-md"),
        Loads(layout=AGENTS, is_own=False, above=Above.ALL),
        *_QWEN_KEEPS,
        Loads(layout="qwen-skills", stage=_LISTS, loader=LoaderKind.DESCRIBED, lists=True),
        Loads(layout="qwen-user-skills", stage=_LISTS, loader=LoaderKind.DESCRIBED, lists=True),
        Loads(
            layout="agents-skills",
            is_own=False,
            stage=_LISTS,
            loader=LoaderKind.DESCRIBED,
            lists=True,
        ),
        Loads(
            layout="agents-user-skills",
            is_own=False,
            stage=_LISTS,
            loader=LoaderKind.DESCRIBED,
            lists=True,
        ),
        *_QWEN_LISTED,
    ),
    agents=AgentList.FILES,
    unseen=("commands in `.toml`, memory of a team, and what extensions bring",),
)

_OPENCODE: Final = Tool(
    id=OPENCODE,
    title="OpenCode",
    from_below=True,
    listing=Listing.NAMES,
    names=Names.TEXTS,
    lists_any_alike=True,
    loads=(
        Loads(layout="opencode-user", stage=0),
        Loads(layout="claude-user-md", is_own=False, stage=0, unless_there=("opencode-user",)),
        Loads(layout=AGENTS, is_own=False, above=Above.PROJECT),
        Loads(layout="claude-md", is_own=False, above=Above.PROJECT, unless=(AGENTS,)),
        *(
            Loads(
                layout=layout,
                is_own=layout in {"opencode-skills", "opencode-user-skills"},
                no_dots_from=1 if layout in {"opencode-skills", "opencode-user-skills"} else -1,
                stage=3,
                above=above,
                loader=LoaderKind.DESCRIBED,
                lists=True,
            )
            for layout, above in (
                ("opencode-skills", Above.CHECKOUT),
                ("agents-skills", Above.CHECKOUT),
                ("claude-skills-below", Above.CHECKOUT),
                ("opencode-user-skills", Above.NONE),
                ("agents-user-skills", Above.NONE),
                ("claude-user-skills", Above.NONE),
            )
        ),
        *_OPENCODE_LISTED,
    ),
    agents=AgentList.MODES,
    unseen=("what `instructions` and `skills` of its settings fetch from the network",),
)

_WINDSURF: Final = Tool(
    id="windsurf",
    title="Windsurf",
    also=("Devin Desktop", "Devin"),
    loads=(
        Loads(layout="windsurf-user", stage=0),
        Loads(
            layout="devin-rules",
            above=Above.PROJECT,
            below=Below.AT_START,
            unknown="whether those of `.windsurf/rules` join where there are such too",
        ),
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
    by_name=True,
    loads=(
        Loads(layout=AGENTS, is_own=False, called="Workspace AGENTS.md", keeps=Keeps.NO_FRONT),
        Loads(layout="cline-rules", loader=LoaderKind.WHOLE, no_linked_files_from=1),
        Loads(layout="cline-dot-rules", loader=LoaderKind.WHOLE, no_linked_files_from=2),
        Loads(layout="cline-workflows"),
        Loads(
            layout="cline-rules-below",
            never="Cline's command line reads the rules of the folder itself; its editors say more",
        ),
        Loads(layout="cursorrules", is_own=False, never=_EDITORS_ALONE),
        Loads(layout="windsurfrules", is_own=False, never=_EDITORS_ALONE),
        Loads(layout="cline-user-agents", called="Global AGENTS.md"),
        Loads(layout="cline-user", loader=LoaderKind.WHOLE),
        Loads(layout="memory-bank", stage=3, is_own=False),
    ),
    unseen=(
        "rules that an organization puts below `.cline/`",
        "what its editors load otherwise: this is its command line",
    ),
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
    """Return a tool with what proves its rules, at the start and while the agent works."""
    order = [layout for id_, layout in LATE if id_ == tool.id]
    loads = (
        replace(
            each,
            proofs=PROOFS.get((tool.id, each.layout), each.proofs),
            late=LATE.get((tool.id, each.layout), ()),
            late_order=order.index(each.layout) + 1 if each.layout in order else 0,
        )
        for each in tool.loads
    )
    return replace(tool, loads=tuple(loads), facts=FACTS.get(tool.id, ()))


TOOLS: Final[tuple[Tool, ...]] = (
    *(
        _proven(tool)
        for tool in (
            _CLAUDE_CODE,
            _CODEX,
            _CURSOR,
            _COPILOT,
            _VSCODE,
            _SQUAD,
            _GEMINI,
            _QWEN,
            _OPENCODE,
            _WINDSURF,
            _CLINE,
            _SERENA,
        )
    ),
    *FURTHER_TOOLS,
)
