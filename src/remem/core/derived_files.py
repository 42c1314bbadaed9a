"""Derived files, as a summary is: rendered from others when a change is written.

A plan names one only where its bytes would be others, or where it is too long to find out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from remem.core.library import Library
from remem.core.repositories import rendered
from remem.model.change import Derived, Effect
from remem.store.io import Unreadable

_MOST: Final = 256 * 1024
"""Bytes of a file that is rendered for a look; of more, the first look would take a third of a
second, and the lines of 100,000 entries 12 MiB."""


def without_same(
    library: Library, effects: Sequence[Effect], after: Library | None = None
) -> Sequence[Effect]:
    """Return effects without the derived files that come out as they stand.

    Args:
        library: The snapshot that they were planned on.
        effects: A change's.
        after: What they leave, where somebody looked already.
    """
    derived = [each for each in effects if isinstance(each, Derived)]
    if not derived:
        return effects
    after = after or library.preview(effects)
    same = [each for each in derived if _comes_out_the_same(library, after, each)]
    return [each for each in effects if each not in same] if same else effects


def _comes_out_the_same(library: Library, after: Library, derived: Derived) -> bool:
    disk = library.ground.disk
    stamp = disk.stamp(derived.path)
    if stamp is None or stamp.size > _MOST:
        return False
    try:
        stands = disk.read(derived.path)
    except Unreadable:
        return False
    # What this makes stays with the snapshot: a later look at a plan makes only the lines around
    # what changes.
    rendered(library, derived)
    return rendered(after, derived) in (stands, None)
