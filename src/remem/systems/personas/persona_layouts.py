"""The layouts that remem knows without being told, as data."""

from __future__ import annotations

from typing import Final

from remem.model.layout import Base, Layout, LayoutFile, LoaderRule, Part, Reader
from remem.model.source import LoaderKind

NIGHT_WATCH: Final = "night-watch"
CLAUDE_USER: Final = "claude-user"
SQUAD: Final = "squad"
AI_TEAM: Final = "ai-team"

SHARED_OWNER: Final = "(shared)"
"""Who owns a memory file that lies above the agents' folders."""

_ON_REQUEST: Final = LoaderRule(kind=LoaderKind.ON_REQUEST)
_COMPOSED: Final = LoaderRule(kind=LoaderKind.COMPOSED)
_NEVER: Final = LoaderRule(kind=LoaderKind.NOT_KNOWN)


def _tail(characters: int) -> LoaderRule:
    return LoaderRule(kind=LoaderKind.TAIL, characters=characters)


_NIGHT_WATCH: Final = Layout(
    name=NIGHT_WATCH,
    tool="Night Watch",
    scope="user",
    base=Base.HOME,
    folder=".night-watch/agents/{persona}",
    memory=(
        LayoutFile(
            pattern="memories/{project}/main.md",
            part=Part.MAIN,
            reader=Reader.DATED,
            loader=_tail(8_000),
            budget=2_000,
        ),
        LayoutFile(
            pattern="memories/{project}/core.md",
            part=Part.CORE,
            reader=Reader.DATED,
            loader=_tail(4_000),
            budget=1_000,
        ),
        LayoutFile(
            pattern="memories/{project}/working.md",
            part=Part.WORKING,
            reader=Reader.DATED,
            loader=_tail(8_000),
            budget=2_000,
        ),
        LayoutFile(
            pattern="memories/{project}/archive.md",
            part=Part.ARCHIVE,
            reader=Reader.DATED,
            loader=_NEVER,
        ),
    ),
    profiles=(
        LayoutFile(
            pattern=".night-watch/agents/{persona}/persona.yaml",
            part=Part.PROFILE,
            reader=Reader.DOCUMENT,
            loader=_COMPOSED,
        ),
    ),
    database=".night-watch/state.db",
    archive=".night-watch/agents/.archived/{persona}-{stamp}",
    order=(Part.PROFILE, Part.CORE, Part.WORKING, Part.MAIN),
    composed=True,
    claim="the tool's own code: FORMATS 3",
)

_CLAUDE_MEMORY: Final = (
    LayoutFile(
        pattern="MEMORY.md",
        part=Part.MAIN,
        loader=LoaderRule(kind=LoaderKind.HEAD, lines=200, characters=25_000),
        budget=2_000,
    ),
    LayoutFile(pattern="**/archive.md", part=Part.ARCHIVE, loader=_NEVER),
    LayoutFile(pattern="**/*.md", part=Part.TOPIC, loader=_ON_REQUEST),
)
_SQUAD_CLAIM: Final = "the tool's prompts and code, and its files in the wild: FORMATS 4.2"
_CLAUDE_CLAIM: Final = "the tool's documents, and the 25 KB from newer versions: FORMATS 4.1"


def _claude(name: str, scope: str, base: Base, folder: str) -> Layout:
    definitions = LayoutFile(
        pattern=".claude/agents/{persona}.md",
        part=Part.DEFINITION,
        reader=Reader.DOCUMENT,
        loader=LoaderRule(),
    )
    return Layout(
        name=name,
        tool="Claude Code",
        scope=scope,
        base=base,
        folder=f"{folder}/{{persona}}",
        memory=_CLAUDE_MEMORY,
        shared=(LayoutFile(pattern=f"{folder}/MEMORY.md", part=Part.TEAM, loader=_NEVER),),
        profiles=() if scope == "local" else (definitions,),
        archive=f"{folder}/.archived/{{persona}}-{{stamp}}",
        order=(Part.DEFINITION, Part.MAIN),
        claim=_CLAUDE_CLAIM,
    )


def _squad(name: str, folder: str, claim: str) -> Layout:
    return Layout(
        name=name,
        tool="Squad",
        scope="project",
        base=Base.ROOT,
        folder=f"{folder}/agents/{{persona}}",
        memory=(
            LayoutFile(
                pattern="history.md", part=Part.MAIN, loader=LoaderRule(), budget=2_000, mark=15_000
            ),
            LayoutFile(
                pattern="history-archive*.md", part=Part.ARCHIVE, loader=_NEVER, writable=False
            ),
        ),
        shared=(
            LayoutFile(
                pattern=f"{folder}/decisions.md",
                part=Part.TEAM,
                reader=Reader.DECISIONS,
                loader=LoaderRule(),
                mark=20_000,
            ),
            LayoutFile(
                pattern=f"{folder}/decisions/decisions.md",
                part=Part.TEAM,
                reader=Reader.DECISIONS,
                loader=_NEVER,
            ),
            LayoutFile(
                pattern=f"{folder}/decisions-archive.md",
                part=Part.ARCHIVE,
                reader=Reader.DECISIONS,
                loader=_NEVER,
                writable=False,
            ),
            LayoutFile(
                pattern=f"{folder}/decisions/inbox/*.md",
                part=Part.INBOX,
                reader=Reader.WHOLE,
                loader=_NEVER,
            ),
            LayoutFile(pattern=f"{folder}/identity/wisdom.md", part=Part.TEAM, loader=LoaderRule()),
            LayoutFile(pattern=f"{folder}/identity/now.md", part=Part.TEAM, loader=LoaderRule()),
            LayoutFile(
                pattern=f"{folder}/team.md",
                part=Part.ROSTER,
                reader=Reader.DOCUMENT,
                loader=_ON_REQUEST,
            ),
            LayoutFile(
                pattern=f"{folder}/routing.md",
                part=Part.ROUTING,
                reader=Reader.DOCUMENT,
                loader=_ON_REQUEST,
            ),
            LayoutFile(
                pattern=f"{folder}/casting/registry.json",
                part=Part.REGISTRY,
                reader=Reader.DOCUMENT,
                loader=_ON_REQUEST,
            ),
            LayoutFile(
                pattern=f"{folder}/identity/history-archive.md",
                part=Part.ARCHIVE,
                loader=_NEVER,
                writable=False,
            ),
        ),
        profiles=(
            LayoutFile(
                pattern=f"{folder}/agents/{{persona}}/charter.md",
                part=Part.CHARTER,
                reader=Reader.DOCUMENT,
                loader=LoaderRule(),
                writable=False,
            ),
        ),
        archive=f"{folder}/agents/_alumni/{{persona}}",
        unit_archive="history-archive.md",
        order=(Part.CHARTER, Part.TEAM, Part.MAIN),
        coordinator="coordinator",
        kebab=True,
        claim=claim,
    )


BUILT_IN: Final[tuple[Layout, ...]] = (
    _NIGHT_WATCH,
    _claude("claude-project", "project", Base.ROOT, ".claude/agent-memory"),
    _claude("claude-local", "local", Base.ROOT, ".claude/agent-memory-local"),
    _claude(CLAUDE_USER, "user", Base.HOME, ".claude/agent-memory"),
    _squad(SQUAD, ".squad", f"{_SQUAD_CLAIM}; in `.squad` since its 0.8.18"),
    _squad(AI_TEAM, ".ai-team", f"{_SQUAD_CLAIM}; in `.ai-team` before its 0.8.18"),
)
"""In the order in which people meet them; a place that two of them reach belongs to the first."""
