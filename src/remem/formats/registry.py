"""Every format that remem reads, one line each; prompts put their layers in this order."""

from pathlib import Path
from typing import Final

from remem.formats.late import Late, LateAddsMany
from remem.formats.personas.format import Personas
from remem.formats.plain.format import Plain
from remem.formats.protocol import Format, Ground
from remem.formats.workspace.found import is_concerned

_STORED: Final = ("convention", "anti_pattern", "decision")
_SNIPER: Final = Path(".sniper")
_OWN: Final = Path(".remem")
_LEARNINGS: Final = frozenset({"learnings", "archive", "signals", "velocity.yaml"})
_SHAKTRA: Final = Path(".shaktra")
_VERIFIED: Final = Path(".remem", "memory.db")


def _has_sniper(ground: Ground) -> bool:
    return ground.disk.kind(ground.root / _SNIPER) == "folder"


def _has_own(ground: Ground) -> bool:
    return ground.disk.kind(ground.root / _OWN) == "folder"


def _may_have_learnings(ground: Ground) -> bool:
    return not _LEARNINGS.isdisjoint(ground.disk.names(ground.root / ".sniper" / "memory"))


def _has_shaktra(ground: Ground) -> bool:
    return ground.disk.kind(ground.root / _SHAKTRA) == "folder"


def _has_verified(ground: Ground) -> bool:
    return ground.memory_server is not None or ground.disk.kind(ground.root / _VERIFIED) == "file"


FORMATS: Final[tuple[Format, ...]] = (
    LateAddsMany("workspace", _STORED, "workspace.format:Workspaces", is_concerned),
    LateAddsMany("sniper", _STORED, "sniper.format:Sniper", _has_sniper),
    LateAddsMany("learning", ("learning",), "learnings.format:Learnings", _may_have_learnings),
    Personas(),
    Plain(),
    Late(
        "shaktra",
        ("principle", "anti_pattern", "procedure"),
        "shaktra.format:Shaktra",
        _has_shaktra,
    ),
    Late("verified", (), "verified.format:Verified", _has_verified),
    Late("remem", ("proposal",), "own:Own", _has_own),
)

UNREAD: Final[tuple[str, ...]] = ()
"""Places below a root that hold memory of systems that no format here reads."""
