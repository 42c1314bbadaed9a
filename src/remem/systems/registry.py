"""Every format that remem reads, one line each; prompts put their layers in this order."""

from pathlib import Path
from typing import Final

from remem.core.system import Format, Ground
from remem.systems.lazy import Late, LateAddsMany
from remem.systems.personas.format import Personas
from remem.systems.plain.format import Plain
from remem.systems.workspace.found import is_concerned

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


def _workspace() -> Format:
    from remem.systems.workspace.format import Workspaces

    return Workspaces()


def _sniper() -> Format:
    from remem.systems.sniper.format import Sniper

    return Sniper()


def _learnings() -> Format:
    from remem.systems.learnings.format import Learnings

    return Learnings()


def _shaktra() -> Format:
    from remem.systems.shaktra.format import Shaktra

    return Shaktra()


def _verified() -> Format:
    from remem.systems.facts.format import Verified

    return Verified()


def _own() -> Format:
    from remem.systems.own.proposals import Own

    return Own()


FORMATS: Final[tuple[Format, ...]] = (
    LateAddsMany("workspace", _STORED, _workspace, is_concerned),
    LateAddsMany("sniper", _STORED, _sniper, _has_sniper),
    LateAddsMany("learning", ("learning",), _learnings, _may_have_learnings),
    Personas(),
    Plain(),
    Late(
        "shaktra",
        ("principle", "anti_pattern", "procedure"),
        _shaktra,
        _has_shaktra,
    ),
    Late("verified", (), _verified, _has_verified),
    Late("remem", ("proposal",), _own, _has_own),
)

UNREAD: Final[tuple[str, ...]] = ()
"""Places below a root that hold memory of systems that no format here reads."""
