"""Says where a Squad keeps what its agents remember, when that is not below the team's folder.

Squad can keep histories and decisions on a branch, in notes of git, or in another folder. What lies
there is not read; that it does is told.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from remem.core.system import Ground
from remem.model.entry import Problem
from remem.model.layout import Part
from remem.store.io import Unreadable
from remem.systems.personas.source import PersonaSource

_ON_A_BRANCH: Final = frozenset({"orphan", "two-layer", "git-notes"})
"""Values of `stateBackend` with which nothing is written below the team's folder."""
_OUTSIDE: Final = "external"


def kept_elsewhere(
    ground: Ground, found: Sequence[PersonaSource]
) -> Iterator[tuple[Path, Problem]]:
    """Yield for each Squad whose settings keep its memory elsewhere what is not read, and why."""
    teams: dict[str, PersonaSource] = {}
    for source in found:
        if Part.CHARTER in source.rules.order and not source.archived:
            teams.setdefault(source.layout, source)
    for source in teams.values():
        name = source.rules.folder.partition("/")[0]
        folder = next(each for each in source.path.parents if each.name == name)
        where = _where(ground, folder / "config.json")
        if where:
            yield (
                source.path,
                Problem(
                    "kept-elsewhere",
                    f"the team's settings keep its memory {where}, which remem does not read",
                    "what stands here may be older than what its agents are given",
                    path=folder / "config.json",
                ),
            )


def _where(ground: Ground, path: Path) -> str:
    if ground.disk.kind(path) != "file":
        return ""
    try:
        settings = json.loads(ground.disk.read(path).decode("utf-8-sig"))
    except (Unreadable, ValueError, RecursionError):
        return ""
    if not isinstance(settings, dict):
        return ""
    backend, team = settings.get("stateBackend"), settings.get("teamRoot")
    if backend in _ON_A_BRANCH:
        return f"on a branch of git (`stateBackend: {backend}`)"
    if _OUTSIDE in (backend, settings.get("stateLocation")):
        return "outside of the repository"
    return f"in `{team}` (`teamRoot`)" if isinstance(team, str) and team else ""
