"""OpenClaw's workspace: the folder whose `SOUL.md`, `USER.md` … it hands to its agent at the start.

Names like `TOOLS.md` are anybody's, so they are its files only where a workspace is: beside
`SOUL.md` stands `AGENTS.md` or `IDENTITY.md`, which `openclaw setup` writes together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from remem.core.system import Ground
from remem.model.layout import LoaderRule
from remem.model.loader import Loads, PlainLayout, Proof, Tool

OPENCLAW_DOCS: Final = "https://docs.openclaw.ai/concepts/agent"
_LAYOUT: Final = "openclaw-workspace"
_FILES: Final = ("SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "MEMORY.md")
_BESIDE: Final = ("AGENTS.md", "IDENTITY.md")
_PROOFS: Final = (
    Proof(
        says="On the first turn of a new session, OpenClaw injects the contents of these files "
        "into the system prompt's Project Context",
        page=OPENCLAW_DOCS,
        read="2026-11-28",
    ),
)
_TOOL: Final = Tool(
    id="openclaw",
    title="OpenClaw",
    loads=(
        Loads(layout="agents-md", is_own=False, proofs=_PROOFS),
        Loads(layout=_LAYOUT, stage=2, proofs=_PROOFS),
    ),
    unseen=(
        "in what order it takes its files, and from which size on it cuts one",
        "`BOOTSTRAP.md` and `HEARTBEAT.md`",
        "skills",
    ),
)


def openclaw(ground: Ground) -> Tool | None:
    """Return OpenClaw where the root is its workspace; `None` = it is none."""
    return _TOOL if _is_workspace(ground) else None


def openclaw_layouts(ground: Ground) -> Iterator[PlainLayout]:
    """Yield the layout of its files where the root is its workspace."""
    if _is_workspace(ground):
        yield PlainLayout(
            name=_LAYOUT,
            tool=_TOOL.title,
            scope="project",
            files=_FILES,
            loader=LoaderRule(),
            archive="{name}-archive.md",
            claim=OPENCLAW_DOCS,
        )


def _is_workspace(ground: Ground) -> bool:
    names = ground.disk.names(ground.root)
    return _FILES[0] in names and any(name in names for name in _BESIDE)
