"""What proves the rules of the tools: sentences of their own pages, and what they did when run.

A run is the first request of the tool, started with an empty environment, a home of its own and a
stub of the model on this machine. Where page and run disagree the run decides, and both stand here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from remem.model.loader import Fact, Proof
from remem.systems.plain.plain_layouts import (
    AGENTS,
    CLAUDE_AGENTS,
    CLAUDE_DOCS,
    CLINE_CODE,
    CLINE_DOCS,
    CLINE_WORKFLOWS,
    CODEX_DOCS,
    CODEX_MEMORIES,
    COPILOT_AGENTS,
    COPILOT_DOCS,
    COPILOT_SKILLS,
    CURSOR_DOCS,
    DEVIN_DOCS,
    GEMINI_DOCS,
    MEMORY_BANK_DOCS,
    OPENCODE_DOCS,
    QWEN_DOCS,
    SERENA_DOCS,
    SQUAD_DOCS,
    VSCODE_DOCS,
    WINDSURF_DOCS,
)

_READ: Final = "2026-11-23"
_READ_LATER: Final = "2026-11-25"
_CODEX_SOURCE: Final = "https://github.com/openai/codex/tree/main/codex-rs/ext/memories"
_WINDSURF_PLUGINS: Final = "https://docs.windsurf.com/plugins/cascade/memories"


def _claude(says: str) -> Proof:
    return Proof(says=says, page=CLAUDE_DOCS, read=_READ, version="2.1.283")


def _claude_did(says: str) -> Proof:
    return Proof(says=says, read=_READ, version="Claude Code 2.1.330")


def _did_now(says: str, version: str = "Claude Code 2.1.332") -> Proof:
    return Proof(says=says, read="2026-11-28", version=version)


def _codex_did(says: str) -> Proof:
    return Proof(says=says, read=_READ, version="Codex 0.169.0")


def _gemini_did(says: str) -> Proof:
    return Proof(says=says, read=_READ, version="Gemini CLI 0.61.0")


def _qwen_did(says: str) -> Proof:
    return Proof(says=says, read=_READ, version="Qwen Code 0.24.4")


def _opencode_did(says: str) -> Proof:
    return Proof(says=says, read=_READ, version="OpenCode 1.18.33")


def _cline_did(says: str) -> Proof:
    return Proof(says=says, read=_READ, version="Cline 3.0.65")


def _copilot(says: str) -> Proof:
    return Proof(says=says, page=COPILOT_DOCS, read=_READ)


def _copilot_did(says: str) -> Proof:
    return Proof(says=says, read=_READ, version="Copilot CLI 1.0.102")


def _cline(says: str) -> Proof:
    return Proof(says=says, page=CLINE_DOCS, read=_READ)


def _cline_code(says: str) -> Proof:
    return Proof(says=says, page=CLINE_CODE, read=_READ, version="Cline 3.0.65")


_AUTO: Final = (
    "The first 200 lines of `MEMORY.md`, or the first 25KB, whichever comes first, are "
    "loaded at the "
    "start of every conversation."
)
_ABOVE: Final = (
    "Claude Code loads `CLAUDE.md` and `CLAUDE.local.md` from your current working directory and "
    "every directory above it."
)
_CODEX_SAYS: Final = (
    "In each directory along the path, it checks for `AGENTS.override.md`, then `AGENTS.md`, then "
    "any fallback names in `project_doc_fallback_filenames`. Codex includes at most one file per "
    "directory."
)
_CODEX_HOME: Final = (
    "Codex reads `AGENTS.override.md` if it exists. Otherwise, Codex reads `AGENTS.md`. Codex uses "
    "only the first non-empty file at this level."
)
_DETECTED: Final = "Automatically detected"
_ALWAYS: Final = "Local | `.github/copilot-instructions.md`, `AGENTS.md`, or `CLAUDE.md`"
_TARGETED: Final = (
    "Local | `.github/instructions/**/*.instructions.md` or Markdown files in `.claude/rules`"
)
_LOCAL: Final[Mapping[str, str]] = {
    **dict.fromkeys(("copilot-instructions", AGENTS, "claude-md"), _ALWAYS),
    **dict.fromkeys(("copilot-paths", "claude-rules"), _TARGETED),
}
"""What VS Code says of its own harness."""

PROOFS: Final[Mapping[tuple[str, str], tuple[Proof, ...]]] = {
    ("claude-code", "claude-user-md"): (
        _claude(
            "User instructions | `~/.claude/CLAUDE.md` | Personal preferences for all projects"
        ),
        _claude_did("it stands first, and its imports from outside need no approval"),
    ),
    ("claude-code", "claude-user-rules"): (
        _claude("Claude Code loads user-level rules before project rules."),
        _claude_did("behind the user's `CLAUDE.md`, before the project's"),
    ),
    ("claude-code", "claude-md"): (
        _claude(_ABOVE),
        _claude_did("one that is empty, or holds a comment alone, is not there"),
    ),
    ("claude-code", "claude-dot-md"): (
        _claude(
            "A project CLAUDE.md can be stored in either `./CLAUDE.md` or `./.claude/CLAUDE.md`."
        ),
        _claude_did("behind the `CLAUDE.md` of its folder, before its rules"),
    ),
    ("claude-code", "claude-rules"): (
        _claude("Rules without a `paths` field are loaded unconditionally and apply to all files."),
        _claude_did("in the order in which the disk lists them, not by name"),
        _claude_did('`paths: "**"` and `**/**` alone are loaded at the start, `**/*` is not'),
    ),
    ("claude-code", AGENTS): (
        _claude(
            "every `AGENTS.md` and `.claude/AGENTS.md` in your working directory and the "
            "directories "
            "above it"
        ),
        _claude("a subdirectory's `AGENTS.md`, when Claude opens a file there with the Read tool"),
        _claude_did(
            "behind the rules of its folder; not where a `CLAUDE.md` stands there or above"
        ),
    ),
    ("claude-code", CLAUDE_AGENTS): (
        _claude_did("behind the `AGENTS.md` of its folder, also above the working folder"),
    ),
    ("claude-code", "claude-local-md"): (
        _claude("Within each directory, `CLAUDE.local.md` is appended after `CLAUDE.md`."),
        _claude_did("behind the rules of its folder"),
    ),
    ("claude-code", "claude-memory"): (
        _claude(_AUTO),
        _claude_did("last; a folder and a work tree of a repository have that of its top"),
    ),
    ("codex", "codex-memory-summary"): (
        Proof(says="Memories are off by default", page=CODEX_MEMORIES, read=_READ_LATER),
        Proof(
            says="Large `memory_summary.md` files are truncated at "
            "[MEMORY_TOOL_DEVELOPER_INSTRUCTIONS_SUMMARY_TOKEN_LIMIT].",
            page=_CODEX_SOURCE,
            read=_READ_LATER,
            version="its source at 247e740: 2,500 tokens, of four bytes each, the middle left out; "
            "5,000 before",
        ),
        Proof(
            says="in each first request of a session, where memories are on; another one without "
            "them is of the agent that sums memories up beside it",
            read="2026-11-28",
            version="Codex 0.171.0",
        ),
    ),
    ("codex", "codex-memory"): (
        Proof(
            says="MEMORY.md (searchable registry; primary file to query)",
            page=_CODEX_SOURCE,
            read=_READ_LATER,
            version="its template `read_path.md`",
        ),
    ),
    ("codex", "codex-memory-sources"): (
        Proof(
            says="`raw_memories.md` (merged raw memories, latest first)",
            page=_CODEX_SOURCE,
            read=_READ_LATER,
            version="its README",
        ),
    ),
    ("claude-code", "claude-memory-work-trees"): (
        _claude_did("a folder and a work tree of a repository have the notes of its top"),
    ),
    ("claude-code", "claude-memory-topics"): (
        _claude("Claude Code doesn't load topic files […] at startup."),
    ),
    ("claude-code", "claude-user-skills"): (
        _claude_did("name and description are listed, before the project's"),
    ),
    ("claude-code", "claude-skills"): (
        _claude_did(
            "of the working folder and those above it, called after their folder; without "
            "`description` the first line, with `when_to_use` behind it; not with "
            "`disable-model-invocation`, nor with `paths` at the start"
        ),
    ),
    ("claude-code", "claude-commands"): (
        _claude_did("listed behind the skills; one in a folder is called `folder:name`"),
    ),
    ("claude-code", "claude-user-commands"): (_claude_did("listed behind the project's"),),
    ("codex", "codex-user-override"): (Proof(says=_CODEX_HOME, page=CODEX_DOCS, read=_READ),),
    ("codex", "codex-user"): (Proof(says=_CODEX_HOME, page=CODEX_DOCS, read=_READ),),
    ("codex", "agents-override-md"): (Proof(says=_CODEX_SAYS, page=CODEX_DOCS, read=_READ),),
    ("codex", AGENTS): (
        Proof(says=_CODEX_SAYS, page=CODEX_DOCS, read=_READ),
        _codex_did("not beside an `AGENTS.override.md`, though that is empty"),
    ),
    **{
        ("codex", layout): (
            Proof(
                says="name and description are listed, a project's before a person's, each by "
                "name; without a name it has its folder's, and one above 64 characters is not "
                "listed",
                read="2026-11-28",
                version="Codex 0.171.0",
            ),
        )
        for layout in ("agents-skills", "codex-skills", "agents-user-skills", "codex-user-skills")
    },
    **{
        ("gemini", layout): (
            _gemini_did(
                "listed, a person's before those of the working folder, none from above; of 76 "
                "some changed places from start to start"
            ),
        )
        for layout in ("gemini-user-skills", "agents-user-skills", "gemini-skills", "agents-skills")
    },
    ("cursor", "cursor-rules"): (
        Proof(
            says="Project rules live in `.cursor/rules` as `.mdc` files and are "
            "version-controlled. "
            "They are scoped using path patterns, invoked manually, or included based on "
            "relevance.",
            page=CURSOR_DOCS,
            read=_READ,
        ),
    ),
    ("cursor", "cursor-rules-md"): (
        Proof(
            says="A plain `.md` file in `.cursor/rules` is ignored by the rules system because it "
            "has no frontmatter to specify `description`, `globs`, and `alwaysApply`.",
            page=CURSOR_DOCS,
            read=_READ,
        ),
    ),
    ("cursor", AGENTS): (
        Proof(
            says="Agent instructions in markdown format. Simple alternative to `.cursor/rules`.",
            page=CURSOR_DOCS,
            read=_READ,
        ),
    ),
    ("cursor", "cursorrules"): (
        Proof(
            says="`.cursorrules` (legacy): still supported, but no longer recommended",
            page="https://docs.cursor.com/context/rules",
            read=_READ,
            version="from its Korean copy of July 2025",
        ),
    ),
    ("copilot", "copilot-user"): (
        _copilot(
            "You can specify instructions within your own home directory, by creating a file at "
            "`$HOME/.copilot/copilot-instructions.md`."
        ),
        _copilot_did("it stands first"),
    ),
    ("copilot", "copilot-user-paths"): (
        _copilot(
            "`$HOME/.copilot/instructions/**/*.instructions.md`: Modular user-level instructions."
        ),
        _copilot_did("before the project's modular files, each with its front matter"),
    ),
    ("copilot", "copilot-instructions"): (
        _copilot(
            "`.github/copilot-instructions.md`: Repository-wide instructions, discovered in the "
            "standard locations."
        ),
        _copilot_did("of the top, the working folder and those between, before `AGENTS.md`"),
    ),
    ("copilot", AGENTS): (
        _copilot(
            "the repository root, the current working directory, intermediate directories "
            "between them, and any directories nested in the path of a file it is working on"
        ),
        _copilot_did("of the top, the working folder and those between"),
    ),
    ("copilot", "claude-md"): (
        _copilot("Alternatively, you can use `CLAUDE.md` and `GEMINI.md` files."),
        _copilot_did(
            "beside `AGENTS.md`, and in the working folder too; `.claude/CLAUDE.md` never"
        ),
    ),
    ("copilot", "gemini-md"): (
        _copilot("Alternatively, you can use `CLAUDE.md` and `GEMINI.md` files."),
        _copilot_did("behind `CLAUDE.md`"),
    ),
    ("copilot", "copilot-paths"): (
        _copilot("a file with an `applyTo` value applies only to matching files"),
        _copilot_did(
            "at the start with `**`, `**/*`, `*` or without `applyTo`; of others the "
            "pattern and the "
            "path are listed"
        ),
    ),
    ("copilot", "claude-rules"): (
        _copilot_did(
            "of the top and the working folder, with their front matter; at the start without "
            "`paths` and with `**`, `**/*` or `*`; of others glob and path are listed"
        ),
    ),
    ("copilot", "copilot-odd-case"): (
        _copilot_did("`agents.md` and `Agents.md` count as `AGENTS.md`"),
    ),
    ("copilot", "copilot-odd-gemini"): (_copilot_did("`gemini.md` counts as `GEMINI.md`"),),
    **{
        ("copilot", layout): (
            Proof(
                says="Project skills, stored in your repository (.github/skills, .claude/skills, "
                "or .agents/skills)",
                page=COPILOT_SKILLS,
                read=_READ,
            ),
            _copilot_did("at any depth below it"),
        )
        for layout in ("github-skills", "agents-skills", "claude-skills-below")
    },
    **{
        ("copilot", layout): (_copilot_did("listed behind the project's"),)
        for layout in ("copilot-user-skills", "agents-user-skills")
    },
    ("copilot", "claude-commands"): (
        _copilot_did("those of the folder itself, listed behind all skills"),
    ),
    ("copilot", "copilot-agents"): (
        Proof(
            says="Project (.github/agents/)",
            page=COPILOT_AGENTS,
            read=_READ,
        ),
        _copilot_did("any `.md` below it with a `description`: that alone is listed"),
    ),
    ("copilot", "copilot-user-agents"): (
        Proof(says="User (~/.copilot/agents/)", page=COPILOT_AGENTS, read=_READ),
    ),
    ("copilot", "squad-coordinator"): (
        _copilot_did("any `.md` below it with a `description`: that alone is listed"),
    ),
    **{
        ("vscode", layout): (Proof(says=says, page=VSCODE_DOCS, read=_READ),)
        for layout, says in _LOCAL.items()
    },
    ("squad-coordinator", "squad-coordinator"): (
        Proof(
            says="`.github/agents/squad.agent.md` — coordinator agent […] Open GitHub Copilot and "
            "select Squad from the agent list.",
            page=SQUAD_DOCS,
            read=_READ,
        ),
    ),
    ("gemini", "gemini-user"): (
        Proof(
            says="Global context file: `~/.gemini/GEMINI.md` (in your user home directory).",
            page=GEMINI_DOCS,
            read=_READ,
        ),
    ),
    ("gemini", "gemini-md"): (
        Proof(
            says="The CLI searches for `GEMINI.md` files in your configured workspace directories "
            "and their parent directories.",
            page=GEMINI_DOCS,
            read=_READ,
        ),
        Proof(
            says="When a tool accesses a file or directory, the CLI automatically scans for "
            "`GEMINI.md` files in that directory and its ancestors up to a trusted root.",
            page=GEMINI_DOCS,
            read=_READ,
        ),
    ),
    ("qwen-code", "qwen-user"): (_qwen_did("it stands first"),),
    ("qwen-code", "qwen-md"): (
        _qwen_did("of the working folder and all above it, also above the checkout, from above"),
    ),
    ("qwen-code", "qwen-user-agents-md"): (_qwen_did("behind every `QWEN.md`"),),
    ("qwen-code", AGENTS): (
        Proof(says="The default context filename is AGENTS.md.", page=QWEN_DOCS, read=_READ),
        _qwen_did("behind every `QWEN.md`, from the same folders"),
    ),
    **{
        ("qwen-code", layout): (_qwen_did("those of the working folder and a person's, by name"),)
        for layout in ("qwen-skills", "qwen-user-skills", "agents-skills", "agents-user-skills")
    },
    ("opencode", "opencode-user"): (_opencode_did("it stands first"),),
    ("opencode", "claude-user-md"): (
        _opencode_did("where there is no `~/.config/opencode/AGENTS.md`"),
    ),
    ("opencode", AGENTS): (
        Proof(
            says="OpenCode loads the global file followed by every `AGENTS.md` from the current "
            "workspace directory toward the home directory.",
            page=OPENCODE_DOCS,
            read=_READ,
        ),
        _opencode_did("up to the top of the checkout, the nearest first"),
    ),
    ("opencode", "claude-md"): (
        _opencode_did("where no `AGENTS.md` stands there or above, the nearest first"),
    ),
    **{
        ("opencode", layout): (
            _opencode_did("all by name, at any depth; not without `name` and `description`"),
        )
        for layout in (
            "opencode-skills",
            "claude-skills-below",
            "agents-skills",
            "opencode-user-skills",
            "agents-user-skills",
            "claude-user-skills",
        )
    },
    ("windsurf", "windsurf-user"): (
        Proof(
            says="`global_rules.md` - rules applied across all workspaces",
            page=_WINDSURF_PLUGINS,
            read=_READ,
        ),
    ),
    ("windsurf", "devin-rules"): (
        Proof(
            says="write it as a Rule in `.devin/rules/` (or the older `.windsurf/rules/`)",
            page=DEVIN_DOCS,
            read=_READ,
            version="from its Chinese copy",
        ),
    ),
    ("windsurf", "windsurf-rules"): (
        Proof(
            says="All `.windsurf/rules` directories within your current workspace and its "
            "sub-directories",
            page=_WINDSURF_PLUGINS,
            read=_READ,
            version="from its Chinese copy",
        ),
    ),
    ("windsurf", AGENTS): (
        Proof(
            says="Automatic: root = always on, subdirectory = glob",
            page=WINDSURF_DOCS,
            read=_READ,
            version="from its Chinese copy",
        ),
    ),
    ("cline", AGENTS): (
        _cline("AGENTS.md | `AGENTS.md`, `~/.agents/AGENTS.md`"),
        _cline_did("that of the working folder alone; it stands among the rules, under W"),
        _cline_did("its front matter is taken out, and its comments are not"),
    ),
    ("cline", "cline-rules"): (
        _cline(
            "Cline processes all `.md` and `.txt` files inside `.clinerules/`, combining them into "
            "a unified set of rules."
        ),
        _cline_code("the files `.md`, `.markdown` and `.txt` of the folder itself"),
        _cline_did(
            "of the working folder alone, all rules sorted by name; `paths` keeps none out at the "
            "start"
        ),
    ),
    ("cline", "cline-dot-rules"): (
        _cline_code("`.cline/rules` is looked for behind `.clinerules`"),
    ),
    ("cline", "cline-rules-below"): (
        _cline_did("one in a folder below `.clinerules` does not exist"),
    ),
    ("cline", "cline-workflows"): (
        Proof(
            says="Workflows | Step-by-step task automation | Invoked with /workflow.md",
            page=CLINE_WORKFLOWS,
            read=_READ,
        ),
    ),
    ("cline", "cursorrules"): (_cline(f"Cursor Rules | `.cursorrules` | {_DETECTED}"),),
    ("cline", "windsurfrules"): (_cline(f"Windsurf Rules | `.windsurfrules` | {_DETECTED}"),),
    ("cline", "cline-user-agents"): (
        _cline(
            "Cline also reads cross-tool global AGENTS instructions from `~/.agents/AGENTS.md`."
        ),
    ),
    ("cline", "cline-user"): (
        _cline(
            "If you don't find global rules in `~/Documents/Cline/Rules`, check `~/Cline/Rules`."
        ),
    ),
    ("cline", "memory-bank"): (
        Proof(
            says="Memory Bank files are regular markdown files in your project that both you and "
            "Cline can access.",
            page=MEMORY_BANK_DOCS,
            read=_READ,
        ),
    ),
    ("serena", "serena-memories"): (
        Proof(
            says="When the agent starts working on a project, it receives the list of available "
            "memories.",
            page=SERENA_DOCS,
            read=_READ,
        ),
    ),
    ("serena", "serena-user"): (
        Proof(
            says="Global memories use the top-level topic `global`, i.e. whenever a memory name "
            "starts with `global/`, it is stored in the global memories directory",
            page=SERENA_DOCS,
            read=_READ,
        ),
    ),
}
"""By the tool's id and the layout."""

FACTS: Final[Mapping[str, tuple[Fact, ...]]] = {
    "claude-code": (
        Fact(
            rule="`CLAUDE_CONFIG_DIR` moves `~/.claude`",
            proof=Proof(
                says="`CLAUDE.md`, `agents/` and the folder of auto memory are those of the folder "
                "that it names; `~/.claude/CLAUDE.md` is not loaded",
                read="2026-11-25",
                version="Claude Code 2.1.330",
            ),
        ),
        Fact(
            rule="versions before 2.1.277 leave `AGENTS.md` alone",
            proof=Proof(
                says="reading `AGENTS.md` directly needs v2.1.277 or later",
                page=CLAUDE_DOCS,
                read=_READ,
                version="as others quote it",
            ),
        ),
        Fact(
            rule="imports go four hops deep",
            proof=_claude(
                "Imported files can recursively import other files, with a maximum depth of four "
                "hops."
            ),
        ),
        Fact(
            rule="an imported file stands behind the whole file that imports it",
            proof=_claude_did(
                "`@AGENTS.md` in the first line: the rest of `CLAUDE.md` comes first (its "
                "page says "
                "the opposite)"
            ),
        ),
        Fact(
            rule="an import begins a text of Markdown, and is taken as it stands there",
            proof=_claude_did(
                '`**@a.md**`, `[@a.md](x)` and `_@a.md_` are imports; `(@a.md)`, `"@a.md"` and, '
                "with the stop behind it, `@a.md.` are none"
            ),
        ),
        Fact(
            rule="front matter is taken out of every file: all up to the next `---`",
            proof=_claude_did(
                "also where no key stands in it, and where the `---` stands within a line"
            ),
        ),
        Fact(
            rule="a `MEMORY.md` that is cut is followed by a warning",
            proof=_claude_did("it quotes how the first line that was cut off begins"),
        ),
        Fact(
            rule="blank lines around the text of a `MEMORY.md` count for no limit, nor do front "
            "matter and comments where these are taken out",
            proof=_did_now("of 240 blank lines and 210 others the first 200 others"),
        ),
        Fact(
            rule="in the name of an agent's memory folder all but ASCII letters, digits, `_` and "
            "`-` is a hyphen",
            proof=_did_now("`two words` has `two-words`, `a.b` has `a-b`, `Ünï` has `-n-`"),
        ),
        Fact(
            rule="of skills and commands that are called alike the first is listed",
            proof=_claude_did("a person's before the project's, a skill before a command"),
        ),
        Fact(
            rule="of agents that are called alike the nearest folder's is listed",
            proof=_claude_did("of two in one folder the last; a project's before a person's"),
        ),
        Fact(
            rule="an import from outside the working folder asks for approval",
            proof=_claude(
                "An import in a project-level memory file is external when its path "
                "resolves outside "
                "your working directory"
            ),
        ),
        Fact(
            rule="an import from above the working folder is out until it is approved",
            proof=_claude_did("started in `sub/`, `../CLAUDE.md` loads and its `@i1.md` does not"),
        ),
        Fact(
            rule="a file of more than 4,194,304 bytes is not loaded, nor imported",
            proof=_claude_did("one of 4,194,304 bytes is there, one of 4,194,305 is not"),
        ),
        Fact(
            rule="at most 1,536 characters of a description are listed",
            proof=_claude_did("of 2,007 characters 1,535 and `…`"),
        ),
        Fact(
            rule="agents are listed with description and tools, by name",
            proof=_claude_did("`- pilot: steers boats (Tools: All tools)`; not to a subagent"),
        ),
        Fact(
            rule="`skills` of an agent are loaded whole into its start",
            proof=_claude_did(
                "behind its task, without front matter; one with `disable-model-invocation` is not"
            ),
        ),
        Fact(
            rule="of what a SessionStart hook prints beyond 10,000 characters, 2,000 arrive",
            proof=_claude_did("of 10,100 characters a preview of 2,000 and the path of a file"),
        ),
        Fact(
            rule="comments that stand by themselves are taken out",
            proof=_claude(
                "Block-level HTML comments (`<!-- maintainer notes -->`) in CLAUDE.md files are "
                "stripped before the content is injected into Claude's context."
            ),
        ),
    ),
    "copilot": (
        Fact(
            rule="imports go eight files deep, none out of the checkout, and stay quoted in place",
            proof=_copilot_did(
                '`@a.md` stays, the file follows it; also behind `(`, `"`, `#` or `[`, without the '
                "`.` or `)` that ends a sentence; not in code, not with `~` or `/` in front; in "
                "each file anew"
            ),
        ),
        Fact(
            rule="the files of the top and of the working folder come before those between",
            proof=_copilot_did("then those between, the nearest first, all kinds of one together"),
        ),
        Fact(
            rule="rules for some files stand in a table: globs, path and description",
            proof=Proof(
                says="behind the files: the person's with the whole path, then `.github`'s, then "
                "`.claude`'s, of the top before those of the working folder; the path below its "
                "own folder, blanks of the description as one, `|` behind a backslash",
                read="2026-11-26",
                version="Copilot CLI 1.0.102",
            ),
        ),
        Fact(
            rule="skills are listed by name: the working folder's, those above, a person's",
            proof=_copilot_did(
                "of those that are called alike that of `.github` before `.agents` and `.claude`, "
                "and the project's before a person's; without `description` its first three lines; "
                "not without front matter, nor with `disable-model-invocation`"
            ),
        ),
        Fact(
            rule="the list of skills has 15,000 characters; what comes behind is named alone",
            proof=Proof(
                says="with the marks around each, and 769 of its own two before the commands: at "
                "the first that has no room the list ends, and `Additional skills available "
                "(invoke by name)` names the rest",
                read=_READ_LATER,
                version="Copilot CLI 1.0.102",
            ),
        ),
        Fact(
            rule="a skill or command whose front matter has not the form that it wants is skipped",
            proof=Proof(
                says="no YAML, a key twice, `name`, `description` or `argument-hint` a list or a "
                "number, a switch that is none, a description of more than 1,024 characters, a "
                "name of other signs than letters, digits, `.`, `_`, `:`, `-` and spaces",
                read=_READ_LATER,
                version="Copilot CLI 1.0.102",
            ),
        ),
        Fact(
            rule="agents are listed by name, those of `.claude/agents` too",
            proof=_copilot_did(
                "from the working folder up to the top; a `description` is enough; of those that "
                "are called alike the person's, then that of `.github`"
            ),
        ),
    ),
    "codex": (
        Fact(
            rule="`CODEX_HOME` moves `~/.codex`",
            proof=Proof(
                says="Sets the root for Codex state, including config, auth, logs, sessions, "
                "skills, and standalone package metadata.",
                page="https://developers.openai.com/codex/environment-variables",
                read="2026-11-25",
            ),
        ),
        Fact(
            rule="`AGENTS.md` is that of the folder that `CODEX_HOME` names",
            proof=Proof(
                says="`~/.codex/AGENTS.md` is not loaded then",
                read="2026-11-25",
                version="Codex 0.169.0",
            ),
        ),
        Fact(
            rule="`project_doc_fallback_filenames` of `~/.codex/config.toml`: the first of these "
            "names in a folder without `AGENTS.md`, and its `project_doc_max_bytes`",
            proof=_codex_did(
                "of `TEAM.md` and `CLAUDE.md` the first, also in the folder below; none beside an "
                "`AGENTS.md` that is empty, none that an untrusted project's own settings name"
            ),
        ),
        Fact(
            rule="`project_root_markers` of `~/.codex/config.toml` mark the top of a project",
            proof=_did_now(
                "the nearest folder with one of them counts, for skills, agents and settings "
                "too; without one, the folder that it is started in alone",
                "Codex 0.171.0",
            ),
        ),
        Fact(
            rule="a skill whose file is a link is not listed",
            proof=_did_now(
                "one whose folder is a link is, and those in a `skills` that is one",
                "Codex 0.171.0",
            ),
        ),
        Fact(
            rule="all files of the project together: at most 32,768 bytes",
            proof=Proof(
                says="Codex skips empty files and stops adding files once the combined "
                "size reaches "
                "the limit defined by `project_doc_max_bytes` (32 KiB by default).",
                page=CODEX_DOCS,
                read=_READ,
            ),
        ),
    ),
    "windsurf": (
        Fact(
            rule="it is called Devin Desktop since June 2026",
            proof=Proof(
                says="There are two mechanisms for this in Devin Desktop: Memories, which are "
                "automatically generated by Cascade, and Rules",
                page=DEVIN_DOCS,
                read=_READ,
            ),
        ),
    ),
    "gemini": (
        Fact(
            rule="imports go five files deep, and none leaves the project",
            proof=Proof(
                says="`maxDepth: 5` and `validateImportPath` in `memoryImportProcessor`",
                page="https://www.npmjs.com/package/@google/gemini-cli-core/v/0.61.0",
                read=_READ,
                version="Gemini CLI 0.61.0",
            ),
        ),
        Fact(
            rule="no import leaves the checkout that the first file lies in, or its folder",
            proof=_did_now(
                "`@../mine.md` in `~/.gemini/GEMINI.md` is nothing, nor in `sub/GEMINI.md` "
                "without git",
                "Gemini CLI 0.61.0",
            ),
        ),
    ),
}
"""By the tool's id."""
