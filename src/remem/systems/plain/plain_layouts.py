"""The plain files that remem knows without being told: where they lie and how they are read."""

from __future__ import annotations

from typing import Final

from remem.model.layout import Base, LoaderRule, Reader
from remem.model.loader import Front, PlainLayout, Where
from remem.model.source import LoaderKind
from remem.systems.plain.tools.further_layouts import (
    FURTHER_LAYOUTS,
    NESTED_AGENTS,
    OPENCODE_SKILLS,
)

ROOT_NAME: Final = "{root}"
"""Stands in a pattern for the root's path as Claude Code writes it: `-home-ana-shop`."""

AGENTS: Final = "agents-md"
CLAUDE_AGENTS: Final = "claude-agents-md"
CLAUDE_OWN: Final = ("claude-md", "claude-dot-md", "claude-local-md")
"""Layouts that make Claude Code leave `AGENTS.md` alone: in the working folder or above it."""

WORK_TREES: Final = "{worktree}"
"""Stands for the path of each other folder under which notes of the same repository lie."""
CLAUDE_DOCS: Final = "https://code.claude.com/docs/en/memory"
CLAUDE_SKILLS: Final = "https://code.claude.com/docs/en/skills"
CODEX_DOCS: Final = "https://developers.openai.com/codex/guides/agents-md"
CODEX_SKILLS: Final = "https://developers.openai.com/codex/skills"
CODEX_MEMORIES: Final = "https://developers.openai.com/codex/memories.md"
CURSOR_DOCS: Final = "https://cursor.com/docs/rules"
COPILOT_DOCS: Final = (
    "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/"
    "add-custom-instructions"
)
COPILOT_AGENTS: Final = (
    "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/"
    "create-custom-agents-for-cli"
)
COPILOT_SKILLS: Final = "https://docs.github.com/en/copilot/concepts/agents/about-agent-skills"
GEMINI_DOCS: Final = "https://geminicli.com/docs/cli/gemini-md"
QWEN_DOCS: Final = "https://qwenlm.github.io/qwen-code-docs/1.x/en/users/context-memory/"
OPENCODE_DOCS: Final = "https://opencode.ai/docs/instructions.md"
SQUAD_DOCS: Final = "https://github.github.io/squad/docs/get-started/first-session/"
VSCODE_DOCS: Final = (
    "https://code.visualstudio.com/docs/agents/reference/custom-instructions-reference"
)
DEVIN_DOCS: Final = "https://docs.devin.ai/desktop/cascade/memories"
WINDSURF_DOCS: Final = "https://docs.windsurf.com/windsurf/cascade/memories"
CLINE_DOCS: Final = "https://docs.cline.bot/customization/cline-rules"
CLINE_WORKFLOWS: Final = "https://docs.cline.bot/customization/overview"
CLINE_CODE: Final = "https://www.npmjs.com/package/@cline/shared/v/0.0.86"
MEMORY_BANK_DOCS: Final = "https://docs.cline.bot/best-practices/memory-bank"
SERENA_DOCS: Final = "https://oraios.github.io/serena/02-usage/045_memories.html"
LEARNINGS_DOCS: Final = "https://www.skills.sh/pskoett/self-improving-agent/self-improvement"

_DEEP: Final = 8
"""As deep as any tool follows imports; how deep each does is its own."""
_WHOLE: Final = LoaderRule()
_ON_REQUEST: Final = LoaderRule(kind=LoaderKind.ON_REQUEST)
_DESCRIBED: Final = LoaderRule(kind=LoaderKind.DESCRIBED)
_NAMES: Final = LoaderRule(kind=LoaderKind.NAMES_ONLY)
_CLAUDE_MEMORY: Final = f".claude/projects/{ROOT_NAME}/memory"
NOTES: Final = frozenset({"claude-memory", "claude-memory-topics"})
MOVED_NOTES: Final = frozenset({"claude-memory-moved", "claude-memory-moved-topics"})
"""The same where `autoMemoryDirectory` puts them elsewhere."""
AUTO_MEMORY: Final = NOTES | MOVED_NOTES
"""Layouts of what Claude Code notes by itself."""
_BESIDE: Final = "{name}-archive.md"


_TEXTS: Final = ("md", "markdown", "txt", "MD", "MARKDOWN", "TXT")


def _texts(*folders: str) -> tuple[str, ...]:
    """Return the patterns of the texts that lie in folders themselves."""
    return tuple(f"{folder}/*.{end}" for folder in folders for end in _TEXTS)


_CLAUDE: Final = (
    PlainLayout(
        name="claude-dot-md",
        tool="Claude Code",
        scope="project",
        where=Where.AROUND,
        files=(".claude/CLAUDE.md",),
        loader=_WHOLE,
        imports=_DEEP,
        archive=_BESIDE,
        claim=CLAUDE_DOCS,
    ),
    PlainLayout(
        name="claude-md",
        tool="Claude Code",
        scope="project",
        where=Where.AROUND,
        files=("CLAUDE.md",),
        loader=_WHOLE,
        imports=_DEEP,
        archive=_BESIDE,
        claim=CLAUDE_DOCS,
    ),
    PlainLayout(
        name="claude-local-md",
        tool="Claude Code",
        scope="local",
        where=Where.AROUND,
        files=("CLAUDE.local.md",),
        loader=_WHOLE,
        imports=_DEEP,
        archive=_BESIDE,
        claim=CLAUDE_DOCS,
    ),
    PlainLayout(
        name="claude-user-md",
        tool="Claude Code",
        scope="user",
        base=Base.HOME,
        files=(".claude/CLAUDE.md",),
        loader=_WHOLE,
        imports=_DEEP,
        archive=".claude/CLAUDE-archive.md",
        claim=CLAUDE_DOCS,
    ),
    PlainLayout(
        name="claude-rules",
        tool="Claude Code",
        scope="project",
        where=Where.AROUND,
        files=(".claude/rules/**/*.md",),
        loader=_WHOLE,
        front=Front.PATHS,
        imports=_DEEP,
        archive=".claude/rules-archive.md",
        claim=CLAUDE_DOCS,
    ),
    PlainLayout(
        name="claude-user-rules",
        tool="Claude Code",
        scope="user",
        base=Base.HOME,
        files=(".claude/rules/**/*.md",),
        loader=_WHOLE,
        front=Front.PATHS,
        imports=_DEEP,
        archive=".claude/rules-archive.md",
        claim=CLAUDE_DOCS,
    ),
    PlainLayout(
        name="claude-skills",
        tool="Claude Code",
        scope="project",
        where=Where.AROUND,
        files=(".claude/skills/*/SKILL.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.SKILL,
        archive=".claude/skills-archive.md",
        claim=CLAUDE_SKILLS,
    ),
    PlainLayout(
        name="claude-user-skills",
        tool="Claude Code",
        scope="user",
        base=Base.HOME,
        files=(".claude/skills/*/SKILL.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.SKILL,
        archive=".claude/skills-archive.md",
        claim=CLAUDE_SKILLS,
    ),
    PlainLayout(
        name="claude-commands",
        tool="Claude Code",
        scope="project",
        where=Where.AROUND,
        files=(".claude/commands/**/*.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.SKILL,
        archive=".claude/commands-archive.md",
        claim=CLAUDE_SKILLS,
    ),
    PlainLayout(
        name="claude-user-commands",
        tool="Claude Code",
        scope="user",
        base=Base.HOME,
        files=(".claude/commands/**/*.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.SKILL,
        archive=".claude/commands-archive.md",
        claim=CLAUDE_SKILLS,
    ),
    PlainLayout(
        name="claude-memory",
        tool="Claude Code",
        scope="user",
        base=Base.HOME,
        files=(f"{_CLAUDE_MEMORY}/MEMORY.md",),
        loader=LoaderRule(kind=LoaderKind.HEAD, lines=200, characters=25_000),
        archive=f"{_CLAUDE_MEMORY}/archive.md",
        claim=CLAUDE_DOCS,
    ),
    PlainLayout(
        name="claude-memory-work-trees",
        tool="Claude Code",
        scope="user",
        base=Base.HOME,
        files=(f".claude/projects/{WORK_TREES}/memory/**/*.md",),
        archive=f"{_CLAUDE_MEMORY}/archive.md",
        claim=CLAUDE_DOCS,
    ),
    PlainLayout(
        name="claude-memory-topics",
        tool="Claude Code",
        scope="user",
        base=Base.HOME,
        files=(f"{_CLAUDE_MEMORY}/**/*.md",),
        loader=_ON_REQUEST,
        archive=f"{_CLAUDE_MEMORY}/archive.md",
        claim=CLAUDE_DOCS,
    ),
)

_AGENTS: Final = (
    PlainLayout(
        name="agents-override-md",
        tool="Codex",
        scope="project",
        where=Where.AROUND,
        files=("AGENTS.override.md",),
        loader=_WHOLE,
        archive="AGENTS-archive.md",
        claim=CODEX_DOCS,
    ),
    PlainLayout(
        name=CLAUDE_AGENTS,
        tool="Claude Code",
        scope="project",
        where=Where.AROUND,
        files=(".claude/AGENTS.md",),
        loader=_WHOLE,
        imports=_DEEP,
        archive=".claude/AGENTS-archive.md",
        claim=CLAUDE_DOCS,
    ),
    PlainLayout(
        name=AGENTS,
        tool="Codex and others",
        scope="project",
        where=Where.AROUND,
        files=("AGENTS.md",),
        loader=_WHOLE,
        imports=_DEEP,
        archive=_BESIDE,
        claim=CODEX_DOCS,
    ),
    PlainLayout(
        name="agents-skills",
        tool="Codex and others",
        scope="project",
        where=Where.AROUND,
        files=(".agents/skills/**/SKILL.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.OPEN_SKILL,
        archive=".agents/skills-archive.md",
        claim=CODEX_SKILLS,
    ),
    PlainLayout(
        name="agents-user-skills",
        tool="Codex and others",
        scope="user",
        base=Base.HOME,
        files=(".agents/skills/**/SKILL.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.OPEN_SKILL,
        archive=".agents/skills-archive.md",
        claim=CODEX_SKILLS,
    ),
    PlainLayout(
        name="codex-skills",
        tool="Codex",
        scope="project",
        where=Where.AROUND,
        files=(".codex/skills/**/SKILL.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.OPEN_SKILL,
        archive=".codex/skills-archive.md",
        claim=CODEX_SKILLS,
    ),
    PlainLayout(
        name="codex-user-skills",
        tool="Codex",
        scope="user",
        base=Base.HOME,
        files=(".codex/skills/**/SKILL.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.OPEN_SKILL,
        archive=".codex/skills-archive.md",
        claim=CODEX_SKILLS,
    ),
    PlainLayout(
        name="codex-user-override",
        tool="Codex",
        scope="user",
        base=Base.HOME,
        files=(".codex/AGENTS.override.md",),
        loader=_WHOLE,
        archive=".codex/AGENTS-archive.md",
        claim=CODEX_DOCS,
    ),
    PlainLayout(
        name="codex-user",
        tool="Codex",
        scope="user",
        base=Base.HOME,
        files=(".codex/AGENTS.md",),
        loader=_WHOLE,
        archive=".codex/AGENTS-archive.md",
        claim=CODEX_DOCS,
    ),
)

_KEPT: Final = (
    PlainLayout(
        name="codex-memory-summary",
        tool="Codex",
        scope="user",
        base=Base.HOME,
        files=(".codex/memories/memory_summary.md",),
        loader=LoaderRule(kind=LoaderKind.ENDS, bytes=10_000),
        archive=".codex/memories-archive.md",
        claim=CODEX_MEMORIES,
    ),
    PlainLayout(
        name="codex-memory",
        tool="Codex",
        scope="user",
        base=Base.HOME,
        files=(".codex/memories/MEMORY.md",),
        loader=_ON_REQUEST,
        archive=".codex/memories-archive.md",
        claim=CODEX_MEMORIES,
    ),
    PlainLayout(
        name="codex-memory-sources",
        tool="Codex",
        scope="user",
        base=Base.HOME,
        files=(".codex/memories/raw_memories.md", ".codex/memories/rollout_summaries/*.md"),
        reader=Reader.DOCUMENT,
        loader=_ON_REQUEST,
        archive=".codex/memories-archive.md",
        claim=CODEX_MEMORIES,
    ),
)
"""What agents remember of everything, in the home folder."""

_EDITORS: Final = (
    PlainLayout(
        name="cursor-rules",
        tool="Cursor",
        scope="project",
        where=Where.BELOW,
        files=(".cursor/rules/**/*.mdc",),
        loader=LoaderRule(kind=LoaderKind.BY_NAME),
        front=Front.CURSOR,
        archive=".cursor/rules-archive.md",
        claim=CURSOR_DOCS,
    ),
    PlainLayout(
        name="cursor-rules-md",
        tool="Cursor",
        scope="project",
        where=Where.BELOW,
        files=(".cursor/rules/**/*.md",),
        archive=".cursor/rules-archive.md",
        claim=CURSOR_DOCS,
    ),
    PlainLayout(
        name="cursorrules",
        tool="Cursor",
        scope="project",
        where=Where.BELOW,
        files=(".cursorrules",),
        loader=_WHOLE,
        archive=".cursorrules-archive.md",
        claim=CURSOR_DOCS,
    ),
    PlainLayout(
        name="copilot-instructions",
        tool="GitHub Copilot",
        scope="project",
        where=Where.AROUND,
        files=(".github/copilot-instructions.md", ".github/Copilot-Instructions.md"),
        loader=_WHOLE,
        imports=_DEEP,
        archive=".github/copilot-instructions-archive.md",
        claim=COPILOT_DOCS,
    ),
    PlainLayout(
        name="copilot-paths",
        tool="GitHub Copilot",
        scope="project",
        where=Where.AROUND,
        files=(".github/instructions/**/*.instructions.md",),
        loader=_WHOLE,
        front=Front.APPLY_TO,
        archive=".github/instructions-archive.md",
        claim=COPILOT_DOCS,
    ),
    PlainLayout(
        name="squad-coordinator",
        tool="Squad coordinator",
        scope="project",
        files=(".github/agents/squad.agent.md",),
        loader=_WHOLE,
        archive=".github/agents-archive.md",
        claim=SQUAD_DOCS,
    ),
    PlainLayout(
        name="squad-skills",
        tool="Squad coordinator",
        scope="project",
        files=tuple(f".{team}/skills/*/SKILL.md" for team in ("squad", "ai-team", "copilot")),
        reader=Reader.DOCUMENT,
        loader=_ON_REQUEST,
        archive=".squad/skills-archive.md",
        claim=SQUAD_DOCS,
    ),
    PlainLayout(
        name="copilot-agents",
        tool="GitHub Copilot",
        scope="project",
        where=Where.AROUND,
        files=(".github/agents/**/*.md",),
        loader=_DESCRIBED,
        archive=".github/agents-archive.md",
        claim=COPILOT_AGENTS,
    ),
    PlainLayout(
        name="github-skills",
        tool="GitHub Copilot",
        scope="project",
        where=Where.AROUND,
        files=(".github/skills/**/SKILL.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.OPEN_SKILL,
        archive=".github/skills-archive.md",
        claim=COPILOT_SKILLS,
    ),
    PlainLayout(
        name="copilot-user-skills",
        tool="GitHub Copilot",
        scope="user",
        base=Base.HOME,
        files=(".copilot/skills/**/SKILL.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.OPEN_SKILL,
        archive=".copilot/skills-archive.md",
        claim=COPILOT_SKILLS,
    ),
    PlainLayout(
        name="claude-skills-below",
        tool="GitHub Copilot",
        scope="project",
        where=Where.AROUND,
        files=(".claude/skills/**/SKILL.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.OPEN_SKILL,
        archive=".claude/skills-archive.md",
        claim=COPILOT_SKILLS,
    ),
    PlainLayout(
        name="copilot-odd-case",
        tool="GitHub Copilot",
        scope="project",
        files=("agents.md", "Agents.md", "claude.md", "Claude.md"),
        loader=_WHOLE,
        imports=_DEEP,
        archive=_BESIDE,
        claim=COPILOT_DOCS,
    ),
    PlainLayout(
        name="copilot-odd-gemini",
        tool="GitHub Copilot",
        scope="project",
        files=("gemini.md", "Gemini.md"),
        loader=_WHOLE,
        archive=_BESIDE,
        claim=COPILOT_DOCS,
    ),
    PlainLayout(
        name="copilot-user",
        tool="GitHub Copilot",
        scope="user",
        base=Base.HOME,
        files=(".copilot/copilot-instructions.md",),
        loader=_WHOLE,
        imports=_DEEP,
        archive=".copilot/copilot-instructions-archive.md",
        claim=COPILOT_DOCS,
    ),
    PlainLayout(
        name="copilot-user-paths",
        tool="GitHub Copilot",
        scope="user",
        base=Base.HOME,
        files=(".copilot/instructions/**/*.instructions.md",),
        loader=_WHOLE,
        front=Front.APPLY_TO,
        archive=".copilot/instructions-archive.md",
        claim=COPILOT_DOCS,
    ),
    PlainLayout(
        name="copilot-user-agents",
        tool="GitHub Copilot",
        scope="user",
        base=Base.HOME,
        files=(".copilot/agents/**/*.md",),
        loader=_DESCRIBED,
        archive=".copilot/agents-archive.md",
        claim=COPILOT_AGENTS,
    ),
    PlainLayout(
        name="windsurf-rules",
        tool="Windsurf",
        scope="project",
        where=Where.BELOW,
        files=(".windsurf/rules/**/*.md",),
        loader=LoaderRule(kind=LoaderKind.NOT_KNOWN),
        front=Front.TRIGGER,
        mark=12_000,
        archive=".windsurf/rules-archive.md",
        claim=WINDSURF_DOCS,
    ),
    PlainLayout(
        name="devin-rules",
        tool="Windsurf",
        scope="project",
        where=Where.BELOW,
        files=(".devin/rules/**/*.md",),
        loader=LoaderRule(kind=LoaderKind.NOT_KNOWN),
        front=Front.TRIGGER,
        mark=12_000,
        archive=".devin/rules-archive.md",
        claim=DEVIN_DOCS,
    ),
    PlainLayout(
        name="windsurfrules",
        tool="Windsurf",
        scope="project",
        files=(".windsurfrules",),
        archive=".windsurfrules-archive.md",
        claim=CLINE_DOCS,
    ),
    PlainLayout(
        name="windsurf-user",
        tool="Windsurf",
        scope="user",
        base=Base.HOME,
        files=(".codeium/windsurf/memories/global_rules.md",),
        loader=_WHOLE,
        mark=6_000,
        archive=".codeium/windsurf/memories/global_rules-archive.md",
        claim=WINDSURF_DOCS,
    ),
)

_OTHERS: Final = (
    PlainLayout(
        name="gemini-md",
        tool="Gemini CLI",
        scope="project",
        where=Where.AROUND,
        files=("GEMINI.md",),
        loader=_WHOLE,
        imports=_DEEP,
        archive=_BESIDE,
        claim=GEMINI_DOCS,
    ),
    PlainLayout(
        name="gemini-skills",
        tool="Gemini CLI",
        scope="project",
        where=Where.AROUND,
        files=(".gemini/skills/*/SKILL.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.OPEN_SKILL,
        archive=".gemini/skills-archive.md",
        claim=GEMINI_DOCS,
    ),
    PlainLayout(
        name="gemini-user",
        tool="Gemini CLI",
        scope="user",
        base=Base.HOME,
        files=(".gemini/GEMINI.md",),
        loader=_WHOLE,
        imports=_DEEP,
        archive=".gemini/GEMINI-archive.md",
        claim=GEMINI_DOCS,
    ),
    PlainLayout(
        name="qwen-user",
        tool="Qwen Code",
        scope="user",
        base=Base.HOME,
        files=(".qwen/QWEN.md",),
        loader=_WHOLE,
        imports=_DEEP,
        archive=".qwen/QWEN-archive.md",
        claim=QWEN_DOCS,
    ),
    PlainLayout(
        name="qwen-md",
        tool="Qwen Code",
        scope="project",
        where=Where.AROUND,
        files=("QWEN.md",),
        loader=_WHOLE,
        imports=_DEEP,
        archive="QWEN-archive.md",
        claim=QWEN_DOCS,
    ),
    PlainLayout(
        name="qwen-skills",
        tool="Qwen Code",
        scope="project",
        where=Where.AROUND,
        files=(".qwen/skills/**/SKILL.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.OPEN_SKILL,
        archive=".qwen/skills-archive.md",
        claim=QWEN_DOCS,
    ),
    PlainLayout(
        name="opencode-user",
        tool="OpenCode",
        scope="user",
        base=Base.HOME,
        files=(".config/opencode/AGENTS.md",),
        loader=_WHOLE,
        archive=".config/opencode/AGENTS-archive.md",
        claim=OPENCODE_DOCS,
    ),
    PlainLayout(
        name="opencode-skills",
        tool="OpenCode",
        scope="project",
        where=Where.AROUND,
        files=(".opencode/skills/**/SKILL.md", ".opencode/skill/**/SKILL.md"),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.OPEN_SKILL,
        archive=".opencode/skills-archive.md",
        claim=OPENCODE_SKILLS,
    ),
    PlainLayout(
        name="cline-rules",
        tool="Cline",
        scope="project",
        where=Where.AROUND,
        files=(".clinerules", *_texts(".clinerules")),
        loader=_WHOLE,
        front=Front.PATHS,
        archive=".clinerules-archive.md",
        claim=CLINE_DOCS,
    ),
    PlainLayout(
        name="cline-dot-rules",
        tool="Cline",
        scope="project",
        where=Where.AROUND,
        files=_texts(".cline/rules"),
        loader=_WHOLE,
        front=Front.PATHS,
        archive=".cline/rules-archive.md",
        claim=CLINE_CODE,
    ),
    PlainLayout(
        name="cline-workflows",
        tool="Cline",
        scope="project",
        files=(".clinerules/workflows/**/*.md",),
        loader=LoaderRule(kind=LoaderKind.BY_NAME),
        archive=".clinerules-archive.md",
        claim=CLINE_WORKFLOWS,
    ),
    PlainLayout(
        name="cline-rules-below",
        tool="Cline",
        scope="project",
        files=(".clinerules/**/*.md", ".clinerules/**/*.txt"),
        archive=".clinerules-archive.md",
        claim=CLINE_DOCS,
    ),
    PlainLayout(
        name="cline-user-agents",
        tool="Cline",
        scope="user",
        base=Base.HOME,
        files=(".agents/AGENTS.md",),
        loader=_WHOLE,
        archive=".agents/AGENTS-archive.md",
        claim=CLINE_DOCS,
    ),
    PlainLayout(
        name="cline-user",
        tool="Cline",
        scope="user",
        base=Base.HOME,
        files=_texts(".cline/rules", "Cline/Rules", "Documents/Cline/Rules"),
        loader=_WHOLE,
        front=Front.PATHS,
        archive="Documents/Cline/Rules-archive.md",
        claim=CLINE_DOCS,
    ),
    PlainLayout(
        name="memory-bank",
        tool="Cline",
        scope="project",
        files=("memory-bank/**/*.md",),
        loader=_ON_REQUEST,
        archive="memory-bank/archive.md",
        claim=MEMORY_BANK_DOCS,
    ),
    PlainLayout(
        name="serena-memories",
        tool="Serena",
        scope="project",
        files=(".serena/memories/**/*.md",),
        loader=_NAMES,
        archive=".serena/memories-archive.md",
        claim=SERENA_DOCS,
    ),
    PlainLayout(
        name="serena-user",
        tool="Serena",
        scope="user",
        base=Base.HOME,
        files=(".serena/memories/global/**/*.md",),
        loader=_NAMES,
        archive=".serena/memories-archive.md",
        claim=SERENA_DOCS,
    ),
    PlainLayout(
        name="learnings-log",
        scope="project",
        files=(".learnings/*.md",),
        reader=Reader.LOG,
        loader=_ON_REQUEST,
        archive=".learnings/archive.md",
        claim=LEARNINGS_DOCS,
    ),
)

PLAIN: Final[tuple[PlainLayout, ...]] = (
    *NESTED_AGENTS,
    *_AGENTS,
    *_CLAUDE,
    *_KEPT,
    *_EDITORS,
    *_OTHERS,
    *FURTHER_LAYOUTS,
)
"""A file that two of them reach belongs to the first; each tool still loads it by its own row."""
