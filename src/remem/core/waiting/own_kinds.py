"""The kinds of core's own: what waits for the same reason in every system."""

from __future__ import annotations

from collections.abc import Sequence

from remem.core.library import Library
from remem.core.waiting.candidate import Candidate
from remem.core.waiting.kinds import Waiting
from remem.core.waiting.reverted import Removed, RevertedDecision


def own_kinds(library: Library) -> Sequence[Waiting]:
    """Return what can wait here whichever systems there are."""
    found: list[Waiting] = [RevertedDecision(), Removed(), Candidate()]
    if library.aside.unreviewed:
        from remem.core.waiting.unreviewed import WrittenSince

        found.append(WrittenSince())
    return found
