"""What a workspace is to its repositories, told without loading it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from remem.model.change import Intent
from remem.model.entry import Entry
from remem.model.prompt import Offer
from remem.model.source import Source
from remem.model.workspace import Workspace
from remem.systems.workspace import discover

if TYPE_CHECKING:
    from remem.core.checks.issue import Issue
    from remem.core.library import Library
    from remem.core.system import Ground


def rises(library: Library, entry: Entry) -> bool:
    """Tell whether the level above an entry is the workspace."""
    from remem.systems.workspace import workspace_verbs

    return workspace_verbs.rises(library, entry)


def lifted(library: Library, intent: Intent) -> Intent:
    """Return an intent by the verb that it means where workspaces are concerned."""
    from remem.systems.workspace.workspace_verbs import as_promotion

    return as_promotion(library, intent)


def issues(library: Library) -> Iterable[Issue]:
    """Find what the levels of memory say against each other."""
    from remem.systems.workspace.override import level_issues

    return level_issues(library)


def joined(inherited: Offer, own: Offer | None, sources: Sequence[Source]) -> Offer:
    """Return a repository's layer of a prompt with what it inherits."""
    from remem.systems.workspace.layer import joined

    return joined(inherited, own, sources)


class Finder:
    """Finds workspaces of both shapes."""

    def at(self, ground: Ground) -> tuple[Workspace, ...]:
        return discover.workspaces(ground)

    def is_one(self, ground: Ground) -> bool:
        return discover.is_workspace(ground)

    def sets_bounds(self, path: Path) -> bool:
        return discover.sets_bounds(path)
