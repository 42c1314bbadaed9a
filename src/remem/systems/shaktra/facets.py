"""What Shaktra's memory is, told without loading it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from remem.core.system import Facets
from remem.model.entry import Problem
from remem.model.source import Source


def _unread(sources: Sequence[Source]) -> tuple[Problem, ...]:
    from remem.systems.shaktra.documents import unread_among

    return unread_among(sources)


FACETS: Final = Facets(warns=("anti_pattern",), unfollowed=("observation",), unread=_unread)
