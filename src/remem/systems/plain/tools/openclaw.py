"""OpenClaw's workspace: the folder whose `SOUL.md`, `USER.md` … its agent gets at the start.

Names like `USER.md` are anybody's, so they are its files only where a workspace is: beside
`SOUL.md` stands `AGENTS.md` or `IDENTITY.md`, which `openclaw setup` writes together, or the folder
lies where OpenClaw puts its workspaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from remem.base.lazy_pattern import lazy_pattern
from remem.core.system import Ground
from remem.model.layout import LoaderRule, Reader
from remem.model.loader import Fact, Front, Keeps, Loads, PlainLayout, Proof, Tool
from remem.model.source import LoaderKind
from remem.systems.plain.tools.openclaw_settings import with_settings

OPENCLAW_DOCS: Final = "https://docs.openclaw.ai/concepts/system-prompt"
_WORKSPACE_DOCS: Final = "https://docs.openclaw.ai/concepts/agent-workspace"
_SETTINGS_DOCS: Final = "https://docs.openclaw.ai/gateway/config-agents/workspace-and-bootstrap"
_GONE: Final = "OpenClaw loads it no more since 2026.8.1"
_NOT_SENT: Final = (
    "it is not in the first request; the code of 2026.7.1 names it among its files, that of "
    "2026.8.1 does not"
)
_SOUL: Final = "SOUL.md"
_BESIDE: Final = ("AGENTS.md", "IDENTITY.md")
_PLACE: Final = lazy_pattern(r".*/\.openclaw(?:-[^/]+)?/workspace(?:-[^/]+)?")
"""The path of a workspace where OpenClaw puts it."""
_ANY: Final = 20_000
_OF_USER: Final = 4_000
_TOGETHER: Final = 60_000
_VERSION: Final = "OpenClaw 2026.9.6"
_RUN: Final = "2026-11-28"
_MARKED: Final = ("AGENTS.md", _SOUL, "IDENTITY.md")
"""Files for which a note takes room where they are missing, before all that may be cut for it."""
_BOOTSTRAP: Final = "BOOTSTRAP.md"
"""A note on this one takes room, though it is not sent."""


def _layout(name: str, *files: str, archive: str = "{name}-archive.md") -> PlainLayout:
    is_log = files[0].startswith("memory/")
    return PlainLayout(
        name=f"openclaw-{name}",
        tool="OpenClaw",
        scope="project",
        files=files,
        loader=LoaderRule(kind=LoaderKind.ON_REQUEST) if is_log else LoaderRule(),
        archive=archive,
        claim=OPENCLAW_DOCS,
    )


OPENCLAW_LAYOUTS: Final = (
    _layout("workspace", _SOUL, "IDENTITY.md"),
    _layout("user", "USER.md"),
    _layout("bootstrap", "BOOTSTRAP.md"),
    _layout("memory", "MEMORY.md"),
    _layout("daily", "memory/**/*.md", archive="memory-archive.md"),
    _layout("tools", "TOOLS.md"),
    _layout("heartbeat", "HEARTBEAT.md"),
    _layout("boot", "BOOT.md"),
    PlainLayout(
        name="openclaw-skills",
        tool="OpenClaw",
        scope="project",
        files=("skills/**/SKILL.md",),
        reader=Reader.DOCUMENT,
        loader=LoaderRule(kind=LoaderKind.DESCRIBED),
        front=Front.OPEN_SKILL,
        archive="skills-archive.md",
        claim=OPENCLAW_DOCS,
    ),
)


def _seen(says: str) -> Proof:
    return Proof(says=says, read=_RUN, version=_VERSION)


def _read(says: str, page: str = OPENCLAW_DOCS) -> Proof:
    return Proof(says=says, page=page, read=_RUN, version=_VERSION)


_PROOFS: Final[Mapping[str, tuple[Proof, ...]]] = {
    "agents-md": (
        _seen("first of all its files; of the workspace's own folder alone"),
        _seen(
            "of one with more than 20,000 characters the first 9,000, up to 7,000 of lines that "
            "read like rules (headings, list items, *must*, *never* …) in the order of the file, "
            "and at most the last 3,000; urgent ones first where not all fit"
        ),
    ),
    "openclaw-workspace": (
        _seen("behind `AGENTS.md`: `SOUL.md`, then `IDENTITY.md`"),
        _seen("of one that is too long three quarters of the room are its beginning"),
    ),
    "openclaw-user": (
        _seen("behind `IDENTITY.md`; of 8,800 characters 4,000, with the note on what is cut"),
        _read(
            "`USER.md` has a fixed 4,000-character cap; this setting can only lower it for "
            "`USER.md`, never raise it.",
            _SETTINGS_DOCS,
        ),
    ),
    "openclaw-bootstrap": (
        _seen("behind `USER.md`, with `skipBootstrap` set"),
        _seen(
            "without it, beside a `SOUL.md` that is no longer its template: deleted at the start"
        ),
    ),
    "openclaw-memory": (
        _seen("last; not in a group, a channel, a cron job or a subagent"),
        _read(
            "Only load `MEMORY.md` in the main, private session (not shared/group contexts).",
            _WORKSPACE_DOCS,
        ),
    ),
    "openclaw-daily": (
        _read(
            "`memory/*.md` daily files are **not** part of the normal bootstrap Project Context. "
            "On ordinary turns they are accessed on demand via `memory_search` / `memory_get`"
        ),
        _seen("none of them is in the first request"),
    ),
    "openclaw-tools": (_seen(_NOT_SENT),),
    "openclaw-heartbeat": (_seen(_NOT_SENT),),
    "openclaw-boot": (_seen("it is not in the first request"),),
    "openclaw-skills": (
        _seen(
            "name, description and path of each are listed by name, called after its folder where "
            "it has no name; not without a description, nor with `disable-model-invocation`"
        ),
        _seen("a folder that is a skill itself hides those below it"),
    ),
    "agents-skills": (_seen("listed among those in `skills/`"),),
}


def _row(
    layout: str,
    stage: int,
    most: int = _ANY,
    *,
    is_own: bool = True,
    never: str = "",
    unknown: str = "",
) -> Loads:
    return Loads(
        layout=layout,
        stage=stage,
        is_own=is_own,
        most_characters=most,
        keeps=Keeps.TIDIED,
        no_links=True,
        never=never,
        unknown=unknown,
        proofs=_PROOFS[layout],
    )


OPENCLAW: Final = Tool(
    id="openclaw",
    title="OpenClaw",
    loads=(
        _row("agents-md", 1, is_own=False),
        _row("openclaw-workspace", 2),
        _row("openclaw-user", 3, _OF_USER),
        _row(
            "openclaw-bootstrap",
            4,
            unknown="OpenClaw takes it until the workspace is set up, and then deletes it",
        ),
        _row("openclaw-memory", 5),
        _row("openclaw-daily", 6, 0),
        _row(
            "openclaw-tools",
            6,
            0,
            never=f"{_GONE}; `openclaw doctor --fix` moves it into `AGENTS.md`",
        ),
        _row("openclaw-heartbeat", 6, 0, never=_GONE),
        _row("openclaw-skills", 7, 0),
        _row("agents-skills", 7, 0, is_own=False),
        _row("openclaw-boot", 6, 0, never="for the start of its gateway, with the hook `boot-md`"),
    ),
    file_bytes=2_097_152,
    most_characters=_TOGETHER,
    facts=(
        Fact(
            rule="each file stands under `# Project Context` below `## ` and its whole path",
            proof=_seen(
                "`## /home/ann/.openclaw/workspace/SOUL.md`, and above the first one a "
                "sentence each on `SOUL.md`, `MEMORY.md` and `USER.md`"
            ),
        ),
        Fact(
            rule="of several blank lines one is left, and none at the end of a file",
            proof=_seen("blank lines of a file with carriage returns stay, without these"),
        ),
        Fact(
            rule="an empty file is not there; front matter, comments and a byte order mark are",
            proof=_seen("`IDENTITY.md` without a byte has no heading"),
        ),
        Fact(
            rule="a missing `AGENTS.md`, `SOUL.md`, `IDENTITY.md` is written from its template, or "
            "with `skipBootstrap` told of as missing; a missing `USER.md`, `MEMORY.md` is not",
            proof=_seen("`[MISSING] Expected at: ` and the path"),
        ),
        Fact(
            rule="a link, or a file with a second hard link, is told of as unreadable",
            proof=_seen("`[UNREADABLE: symlink path component not allowed]`"),
        ),
        Fact(
            rule="what is cut says so, within its characters",
            proof=_seen("`[...truncated, read SOUL.md for full content...]`"),
        ),
        Fact(
            rule="a subagent starts with `AGENTS.md` alone",
            proof=_seen("session `agent:main:subagent:…`"),
        ),
        Fact(
            rule="a cron job starts without `BOOTSTRAP.md` and `MEMORY.md`, a group or a channel "
            "without `MEMORY.md`",
            proof=_seen(
                "sessions `agent:main:cron:…`, `…:telegram:group:…`, `…:discord:channel:…`"
            ),
        ),
        Fact(
            rule="an entry of `MEMORY.md` or `USER.md` with `<!-- project: … -->` comes only while "
            "the agent works on that project",
            proof=_seen("an entry begins with `- ` or a heading"),
        ),
    ),
    unseen=(
        "what its hooks add to these files",
        "its own skills, and of those that are here which its gates let through",
    ),
)


def openclaw(ground: Ground) -> Tool | None:
    """Return OpenClaw where the root is its workspace; `None` = it is none."""
    if not _is_workspace(ground):
        return None
    names = ground.disk.names(ground.root)
    missing = [name for name in _MARKED if name not in names]
    taken = sum(_note(ground, name) for name in missing)
    before_memory = 0 if _BOOTSTRAP in names else _note(ground, _BOOTSTRAP)
    tool = replace(
        OPENCLAW,
        loads=tuple(
            replace(row, noted=taken + before_memory * (row.layout == "openclaw-memory"))
            for row in OPENCLAW.loads
        ),
        unseen=(*OPENCLAW.unseen, *(f"that `{name}` is missing" for name in missing)),
    )
    return with_settings(ground, tool)


def _note(ground: Ground, name: str) -> int:
    return len(f"[MISSING] Expected at: {ground.root / name}")


def openclaw_layouts(ground: Ground) -> Iterator[PlainLayout]:
    """Yield the layouts of its files where the root is its workspace."""
    if _is_workspace(ground):
        yield from OPENCLAW_LAYOUTS


def _is_workspace(ground: Ground) -> bool:
    names = ground.disk.names(ground.root)
    is_known = _SOUL in names and any(name in names for name in _BESIDE)
    return is_known or _PLACE.fullmatch(str(ground.root)) is not None
