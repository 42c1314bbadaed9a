"""What a workspace is to its repositories, told without loading it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from remem.model.change import Intent
from remem.model.entry import Entry

if TYPE_CHECKING:
    from remem.core.checks.problem import Worry
    from remem.core.library import Library


def rises(library: Library, entry: Entry) -> bool:
    """Tell whether the level above an entry is the workspace."""
    from remem.systems.workspace import promotion_verbs

    return promotion_verbs.rises(library, entry)


def lifted(library: Library, intent: Intent) -> Intent:
    """Return an intent by the verb that it means where workspaces are concerned."""
    from remem.systems.workspace.promotion_verbs import as_promotion

    return as_promotion(library, intent)


def worries(library: Library) -> Iterable[Worry]:
    """Find what the levels of memory say against each other."""
    from remem.systems.workspace.levels import level_worries

    return level_worries(library)
