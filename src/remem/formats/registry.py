"""Every format that remem reads, one line each; prompts put their layers in this order."""

from typing import Final

from remem.formats.own import Own
from remem.formats.personas.format import Personas
from remem.formats.protocol import Format
from remem.formats.sniper.format import Sniper

FORMATS: Final[tuple[Format, ...]] = (
    Sniper(),
    Personas(),
    Own(),
)

UNREAD: Final = (
    ".shaktra",
    ".sniper-workspace",
    "workspace.yaml",
    ".sniper/memory/learnings",
    ".learnings",
    "CLAUDE.md",
    "AGENTS.md",
)
"""Places below a root that hold memory of systems that no format here reads."""
