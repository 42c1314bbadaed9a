"""Plain files of the tools of `further_tools.py`, and agents and commands that others list."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from remem.model.layout import Base, LoaderRule, Reader
from remem.model.loader import Front, PlainLayout, Where
from remem.model.source import LoaderKind

QWEN_COMMANDS: Final = "https://qwenlm.github.io/qwen-code-docs/en/users/features/commands/"
QWEN_AGENTS: Final = "https://qwenlm.github.io/qwen-code-docs/en/users/features/sub-agents/"
OPENCODE_AGENTS: Final = "https://opencode.ai/v1/docs/agents"
GEMINI_AGENTS: Final = "https://geminicli.com/docs/core/subagents"
CODEX_AGENTS: Final = "https://developers.openai.com/codex/subagents"
GEMINI_SKILLS: Final = "https://geminicli.com/docs/cli/using-agent-skills/"
QWEN_MEMORY: Final = "https://qwenlm.github.io/qwen-code-docs/en/users/features/memory/"
QWEN_SKILLS: Final = "https://qwenlm.github.io/qwen-code-docs/1.x/en/users/skills/"
OPENCODE_SKILLS: Final = "https://opencode.ai/docs/skills/"
AIDER_DOCS: Final = "https://aider.chat/docs/usage/conventions.html"
AMP_DOCS: Final = "https://ampcode.com/manual"
ZED_DOCS: Final = "https://zed.dev/docs/ai/instructions"
JUNIE_DOCS: Final = "https://www.jetbrains.com/help/junie/customize-guidelines.html"
JUNIE_README_DOCS: Final = "https://github.com/JetBrains/junie-guidelines"
KIRO_DOCS: Final = "https://kiro.dev/docs/steering/"
ROO_DOCS: Final = "https://docs.roocode.com/features/custom-instructions"
CONTINUE_DOCS: Final = "https://docs.continue.dev/customize/deep-dives/rules"
GOOSE_DOCS: Final = "https://goose-docs.ai/docs/guides/context-engineering/using-goosehints"
WARP_DOCS: Final = "https://docs.warp.dev/agent-platform/capabilities/rules/"
HERMES_DOCS: Final = "https://hermes-agent.nousresearch.com/docs/user-guide/features/memory"
HERMES_CODE: Final = (
    "https://github.com/NousResearch/hermes-agent/blob/main/agent/prompt_builder.py"
)
CRUSH_HOME: Final = "https://github.com/charmbracelet/crush"

AGENT: Final = "agent-md"
_WHOLE: Final = LoaderRule()
_DESCRIBED: Final = LoaderRule(kind=LoaderKind.DESCRIBED)


def _users(name: str, tool: str, *files: str, archive: str, claim: str) -> PlainLayout:
    return PlainLayout(
        name=name,
        tool=tool,
        scope="user",
        base=Base.HOME,
        files=files,
        loader=_WHOLE,
        archive=archive,
        claim=claim,
    )


def _skills(name: str, tool: str, folder: str, claim: str, *, is_users: bool) -> PlainLayout:
    return PlainLayout(
        name=name,
        tool=tool,
        scope="user" if is_users else "project",
        base=Base.HOME if is_users else Base.ROOT,
        where=Where.HERE if is_users else Where.AROUND,
        files=(f"{folder}/*/SKILL.md",),
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.OPEN_SKILL,
        archive=f"{folder}-archive.md",
        claim=claim,
    )


NESTED_AGENTS: Final[tuple[PlainLayout, ...]] = (
    PlainLayout(
        name="junie-agents",
        tool="Junie",
        scope="project",
        files=(".junie/AGENTS.md",),
        loader=_WHOLE,
        archive=".junie/AGENTS-archive.md",
        claim=JUNIE_README_DOCS,
    ),
    PlainLayout(
        name="kiro-steering",
        tool="Kiro",
        scope="project",
        files=(".kiro/steering/**/*.md",),
        loader=_WHOLE,
        front=Front.INCLUSION,
        archive=".kiro/steering-archive.md",
        claim=KIRO_DOCS,
    ),
)
"""What may hold an `AGENTS.md` of its own, which is more than one of any folder."""


def _described(name: str, tool: str, claim: str, *files: str, is_users: bool) -> PlainLayout:
    folder = files[0].partition("/**")[0].partition("/*")[0]
    return PlainLayout(
        name=name,
        tool=tool,
        scope="user" if is_users else "project",
        base=Base.HOME if is_users else Base.ROOT,
        where=Where.HERE if is_users else Where.AROUND,
        files=files,
        reader=Reader.DOCUMENT,
        loader=_DESCRIBED,
        front=Front.SKILL,
        archive=f"{folder}-archive.md",
        claim=claim,
    )


def _qwen(name: str, kind: str, claim: str, pattern: str, *, is_users: bool) -> PlainLayout:
    return _described(name, "Qwen Code", claim, f".qwen/{kind}/{pattern}", is_users=is_users)


_AGENTS_AND_COMMANDS: Final = (
    replace(
        _described(
            "codex-agents", "Codex", CODEX_AGENTS, ".codex/agents/**/*.toml", is_users=False
        ),
        front=Front.NONE,
    ),
    replace(
        _described(
            "codex-user-agents", "Codex", CODEX_AGENTS, ".codex/agents/**/*.toml", is_users=True
        ),
        front=Front.NONE,
    ),
    _qwen("qwen-commands", "commands", QWEN_COMMANDS, "**/*.md", is_users=False),
    _qwen("qwen-user-commands", "commands", QWEN_COMMANDS, "**/*.md", is_users=True),
    _qwen("qwen-agents", "agents", QWEN_AGENTS, "*.md", is_users=False),
    _qwen("qwen-user-agents", "agents", QWEN_AGENTS, "*.md", is_users=True),
    _described(
        "opencode-agents",
        "OpenCode",
        OPENCODE_AGENTS,
        ".opencode/agent/**/*.md",
        ".opencode/agents/**/*.md",
        is_users=False,
    ),
    _described(
        "opencode-user-agents",
        "OpenCode",
        OPENCODE_AGENTS,
        ".config/opencode/agent/**/*.md",
        ".config/opencode/agents/**/*.md",
        ".opencode/agent/**/*.md",
        ".opencode/agents/**/*.md",
        is_users=True,
    ),
    _described("gemini-agents", "Gemini CLI", GEMINI_AGENTS, ".gemini/agents/*.md", is_users=False),
    _described(
        "gemini-user-agents", "Gemini CLI", GEMINI_AGENTS, ".gemini/agents/*.md", is_users=True
    ),
)

_QWEN_NOTES: Final = ".qwen/projects/{root}/memory"
_QWEN_INDEX: Final = LoaderRule(kind=LoaderKind.HEAD, lines=200, characters=25_000)
_ON_REQUEST: Final = LoaderRule(kind=LoaderKind.ON_REQUEST)


def _qwens(name: str, files: str, folder: str, loader: LoaderRule, front: Front) -> PlainLayout:
    return PlainLayout(
        name=name,
        tool="Qwen Code",
        scope="user",
        base=Base.HOME,
        files=(files,),
        loader=loader,
        front=front,
        archive=f"{folder}-archive.md",
        claim=QWEN_MEMORY,
    )


_QWEN_KEEPS: Final = (
    PlainLayout(
        name="qwen-local-md",
        tool="Qwen Code",
        scope="project",
        where=Where.AROUND,
        files=(".qwen/QWEN.local.md",),
        loader=_WHOLE,
        imports=5,
        archive=".qwen/QWEN-archive.md",
        claim=QWEN_MEMORY,
    ),
    PlainLayout(
        name="qwen-rules",
        tool="Qwen Code",
        scope="project",
        where=Where.AROUND,
        files=(".qwen/rules/**/*.md",),
        loader=_WHOLE,
        front=Front.PATHS,
        archive=".qwen/rules-archive.md",
        claim=QWEN_MEMORY,
    ),
    _qwens("qwen-user-rules", ".qwen/rules/**/*.md", ".qwen/rules", _WHOLE, Front.PATHS),
    _qwens("qwen-memories", ".qwen/memories/MEMORY.md", ".qwen/memories", _QWEN_INDEX, Front.NONE),
    _qwens("qwen-memory", f"{_QWEN_NOTES}/MEMORY.md", _QWEN_NOTES, _QWEN_INDEX, Front.NONE),
    _qwens(
        "qwen-memories-topics",
        ".qwen/memories/**/*.md",
        ".qwen/memories",
        _ON_REQUEST,
        Front.NONE,
    ),
    _qwens("qwen-memory-topics", f"{_QWEN_NOTES}/**/*.md", _QWEN_NOTES, _ON_REQUEST, Front.NONE),
)

_HERMES: Final = (
    PlainLayout(
        name="hermes-md",
        tool="Hermes",
        scope="project",
        where=Where.AROUND,
        files=(".hermes.md", "HERMES.md"),
        loader=_WHOLE,
        archive="{name}-archive.md",
        claim=HERMES_CODE,
    ),
    _users(
        "hermes-soul",
        "Hermes",
        ".hermes/SOUL.md",
        archive="{name}-archive.md",
        claim=HERMES_CODE,
    ),
    PlainLayout(
        name="hermes-memory",
        tool="Hermes",
        scope="user",
        base=Base.HOME,
        files=(".hermes/memories/MEMORY.md",),
        reader=Reader.PARTED,
        loader=_WHOLE,
        mark=2_200,
        archive=".hermes/memories-archive.md",
        claim=HERMES_DOCS,
    ),
    PlainLayout(
        name="hermes-user",
        tool="Hermes",
        scope="user",
        base=Base.HOME,
        files=(".hermes/memories/USER.md",),
        reader=Reader.PARTED,
        loader=_WHOLE,
        mark=1_375,
        archive=".hermes/memories-archive.md",
        claim=HERMES_DOCS,
    ),
)

FURTHER_LAYOUTS: Final[tuple[PlainLayout, ...]] = (
    *_HERMES,
    PlainLayout(
        name=AGENT,
        tool="Amp and others",
        scope="project",
        where=Where.AROUND,
        files=("AGENT.md",),
        loader=_WHOLE,
        archive="{name}-archive.md",
        claim=AMP_DOCS,
    ),
    _users(
        "amp-user",
        "Amp",
        ".config/amp/AGENTS.md",
        archive=".config/amp/AGENTS-archive.md",
        claim=AMP_DOCS,
    ),
    _users(
        "config-agents",
        "Amp and Crush",
        ".config/AGENTS.md",
        archive=".config/AGENTS-archive.md",
        claim=AMP_DOCS,
    ),
    PlainLayout(
        name="zed-rules",
        tool="Zed",
        scope="project",
        files=(".rules",),
        loader=_WHOLE,
        archive=".rules-archive.md",
        claim=ZED_DOCS,
    ),
    _users(
        "zed-user",
        "Zed",
        ".config/zed/AGENTS.md",
        archive=".config/zed/AGENTS-archive.md",
        claim=ZED_DOCS,
    ),
    PlainLayout(
        name="junie-guidelines",
        tool="Junie",
        scope="project",
        files=(".junie/guidelines.md",),
        loader=_WHOLE,
        archive=".junie/guidelines-archive.md",
        claim=JUNIE_DOCS,
    ),
    PlainLayout(
        name="kiro-user",
        tool="Kiro",
        scope="user",
        base=Base.HOME,
        files=(".kiro/steering/**/*.md",),
        loader=_WHOLE,
        front=Front.INCLUSION,
        archive=".kiro/steering-archive.md",
        claim=KIRO_DOCS,
    ),
    PlainLayout(
        name="roo-rules",
        tool="Roo Code",
        scope="project",
        files=(".roo/rules/**/*.md", ".roo/rules/**/*.txt"),
        loader=_WHOLE,
        archive=".roo/rules-archive.md",
        claim=ROO_DOCS,
    ),
    PlainLayout(
        name="roorules",
        tool="Roo Code",
        scope="project",
        files=(".roorules",),
        loader=_WHOLE,
        archive=".roorules-archive.md",
        claim=ROO_DOCS,
    ),
    PlainLayout(
        name="roo-mode-rules",
        tool="Roo Code",
        scope="project",
        files=(".roo/rules-*/**/*.md", ".roo/rules-*/**/*.txt"),
        archive=".roo/mode-rules-archive.md",
        claim=ROO_DOCS,
    ),
    _users(
        "roo-user",
        "Roo Code",
        ".roo/rules/**/*.md",
        ".roo/rules/**/*.txt",
        archive=".roo/rules-archive.md",
        claim=ROO_DOCS,
    ),
    PlainLayout(
        name="continue-rules",
        tool="Continue",
        scope="project",
        where=Where.AROUND,
        files=(".continue/rules/**/*.md",),
        loader=_WHOLE,
        front=Front.CONTINUE,
        archive=".continue/rules-archive.md",
        claim=CONTINUE_DOCS,
    ),
    PlainLayout(
        name="continue-user",
        tool="Continue",
        scope="user",
        base=Base.HOME,
        files=(".continue/rules/**/*.md",),
        loader=_WHOLE,
        front=Front.CONTINUE,
        archive=".continue/rules-archive.md",
        claim=CONTINUE_DOCS,
    ),
    PlainLayout(
        name="codex-md",
        tool="Continue",
        scope="project",
        files=("CODEX.md",),
        loader=_WHOLE,
        archive="{name}-archive.md",
        claim=CONTINUE_DOCS,
    ),
    _skills("continue-skills", "Continue", ".continue/skills", CONTINUE_DOCS, is_users=False),
    _skills("continue-user-skills", "Continue", ".continue/skills", CONTINUE_DOCS, is_users=True),
    _users(
        "qwen-user-agents-md",
        "Qwen Code",
        ".qwen/AGENTS.md",
        archive=".qwen/AGENTS-archive.md",
        claim=QWEN_SKILLS,
    ),
    _skills("gemini-user-skills", "Gemini CLI", ".gemini/skills", GEMINI_SKILLS, is_users=True),
    replace(
        _skills("qwen-user-skills", "Qwen Code", ".qwen/skills", QWEN_SKILLS, is_users=True),
        files=(".qwen/skills/**/SKILL.md",),
    ),
    replace(
        _skills(
            "opencode-user-skills",
            "OpenCode",
            ".config/opencode/skills",
            OPENCODE_SKILLS,
            is_users=True,
        ),
        files=tuple(
            f"{folder}/{name}/**/SKILL.md"
            for folder in (".config/opencode", ".opencode")
            for name in ("skills", "skill")
        ),
    ),
    PlainLayout(
        name="aider-conventions",
        tool="Aider",
        scope="project",
        files=("CONVENTIONS.md",),
        loader=LoaderRule(kind=LoaderKind.BY_NAME),
        archive="{name}-archive.md",
        claim=AIDER_DOCS,
    ),
    PlainLayout(
        name="goosehints",
        tool="Goose",
        scope="project",
        where=Where.AROUND,
        files=(".goosehints",),
        loader=_WHOLE,
        archive=".goosehints-archive.md",
        claim=GOOSE_DOCS,
    ),
    _users(
        "goose-user",
        "Goose",
        ".config/goose/AGENTS.md",
        ".config/goose/.goosehints",
        archive=".config/goose/hints-archive.md",
        claim=GOOSE_DOCS,
    ),
    PlainLayout(
        name="warp-md",
        tool="Warp",
        scope="project",
        where=Where.AROUND,
        files=("WARP.md",),
        loader=_WHOLE,
        archive="{name}-archive.md",
        claim=WARP_DOCS,
    ),
    PlainLayout(
        name="crush-md",
        tool="Crush",
        scope="project",
        where=Where.AROUND,
        files=("CRUSH.md", "CRUSH.local.md"),
        loader=_WHOLE,
        archive="CRUSH-archive.md",
        claim=CRUSH_HOME,
    ),
    _users(
        "crush-user",
        "Crush",
        ".config/crush/CRUSH.md",
        archive=".config/crush/CRUSH-archive.md",
        claim=CRUSH_HOME,
    ),
    _skills("crush-skills", "Crush", ".crush/skills", CRUSH_HOME, is_users=False),
    *_QWEN_KEEPS,
    *_AGENTS_AND_COMMANDS,
)
