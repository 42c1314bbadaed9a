"""How long files were before each change that the journal knows, ours and those from outside.

Where no git tells how memory grew, this does, as far back as remem has watched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Final

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.store.journal import Journal
from remem.store.steps import Edited, Made, Removed, Step

_CHANGES: Final = 500
"""Changes that are looked at, newest first."""


@dataclass(frozen=True, slots=True)
class Before:
    """How long a file was until a change."""

    time: datetime
    path: Path
    bytes: int


def sizes_before(journal: Journal, root: Path) -> tuple[Before, ...]:
    """Return what files at a root were before they changed, oldest change first."""
    if not journal.exists:
        return ()
    try:
        return tuple(sorted(_all(journal, root), key=lambda each: each.time))
    except RememError:
        return ()  # a journal that cannot be read is told of elsewhere, and tells nothing here


def bytes_on(day: date, changes: tuple[Before, ...], now: Mapping[Path, int]) -> dict[Path, int]:
    """Return how long files were when a day ended.

    Args:
        day: The day.
        changes: What `sizes_before` returned.
        now: Path → bytes today.
    """
    sizes = dict(now)
    for each in reversed(changes):
        if each.time.date() <= day:
            break
        if each.path in sizes:
            sizes[each.path] = each.bytes
    return sizes


def _all(journal: Journal, root: Path) -> Iterator[Before]:
    for outside in journal.outside(root, _CHANGES):
        if outside.step is not None:
            yield from _of(outside.step, outside.time)
    for logged in journal.changes(root, _CHANGES):
        if not logged.pruned and not logged.undone:
            for step in journal.steps(logged.id):
                yield from _of(step, logged.time)


def _of(step: Step, time: datetime) -> Iterator[Before]:
    match step:
        case Edited(path=path, size=size):
            yield Before(time, path, size)
        case Made(path=path):
            yield Before(time, path, 0)
        case Removed(path=path, data=data):
            yield Before(time, path, len(data))
        case _:
            return
