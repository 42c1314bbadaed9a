"""What else a decision settles: what waits for the same reason is joined with it, or is done."""

from __future__ import annotations

from collections.abc import Collection

from remem.core.library import Library
from remem.core.waiting.item import Item
from remem.model.change import Change, touched_paths


def settled_with(
    change: Change, library: Library, before: Collection[Item], after: Collection[Item]
) -> tuple[Item, ...]:
    """Return what waited, was not decided on by name, and waits no more because of a change.

    What another program took out or rewrote meanwhile is not counted.

    Args:
        change: What was written.
        library: After it.
        before: All that waited.
        after: All that waits now.
    """
    paths = touched_paths(change.effects)
    ids, refs = {each.id for each in after}, {each.ref for each in after}
    gone = (each for each in before if each.id not in ids and each.ref not in refs)

    def is_by_it(item: Item) -> bool:
        if library.has(item.ref) and library.entry(item.ref).digest == item.digest:
            return True
        return item.stands_by in paths

    return tuple(each for each in gone if each.ref not in change.intent.shown and is_by_it(each))
