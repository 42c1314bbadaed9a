"""What a plan that was shown does to each file, and whether a later plan still does the same.

Between the look and the yes others write. Where they wrote beside it, the plan has only moved.
Where a file went that was to be edited, or other lines would change, the person has not seen what
would happen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import PlanChanged
from remem.base.frozen import dataclass
from remem.core.own_folder import FOLDER
from remem.model.change import Change, Create, Delete, Effect, Move, Splice
from remem.store.changes.preview import FilePreview, previews

if TYPE_CHECKING:
    from remem.core.session import Session

GONE: Final = "it no longer exists, and would be made anew"
MADE: Final = "it exists by now"
OTHER_LINES: Final = "other lines would change"
_COUNTED: Final = re.compile(r"\b[0-9a-f]{4,}\b|[0-9]+")
"""Numbers of entries, times, and what is made up for a name: a later plan has others."""


@dataclass(frozen=True, slots=True)
class _File:
    does: type[Effect]
    planned_on: str
    """Digest of the file; empty = it is made."""
    lines: Mapping[tuple[str, str], int]
    """`-` or `+` and a line, what is only counted in it left out → how often."""


@dataclass(frozen=True, slots=True)
class ShownPlan:
    """What a change does to files, as a person saw it."""

    files: Mapping[Path, _File]
    at: datetime | None = None
    """When it was planned: what is made up for a name is made up of that again."""

    def check(self, now: ShownPlan) -> None:
        """Raise `PlanChanged` where a later plan does something else to a file."""
        for path, was in self.files.items():
            _check(path, was, now.files.get(path))
        for path, new in now.files.items():
            if path not in self.files and new.planned_on:
                raise PlanChanged(path, "it would be written too")


def shown_plan(change: Change, previews: Iterable[FilePreview], apart: Path) -> ShownPlan:
    """Return what a change does to files.

    Args:
        change: The plan.
        previews: Its own.
        apart: The folder in which it is kept what was reviewed.
    """
    found = {each.path: each for each in previews}
    return ShownPlan(
        {
            path: _File(type(effect), _planned_on(effect), _lines(found.get(path)))
            for path, effect in _by_path(change.effects).items()
            if not path.is_relative_to(apart)
        },
        change.planned_at,
    )


def plan_of(session: Session, change: Change) -> ShownPlan:
    """Return what a change does to files, to compare a later plan of its intent with."""
    found = previews(session.disk, change.effects, session.library.shown)
    return shown_plan(change, found, session.inbox.reviewed)


def check_none_went(first: Collection[Effect], now: Collection[Effect]) -> None:
    """Raise `PlanChanged` where a file would be made that was edited when it was first planned."""
    was, is_now = _by_path(first), _by_path(now)
    for path, effect in is_now.items():
        if isinstance(effect, Create) and path in was and not isinstance(was[path], Create):
            raise PlanChanged(path, GONE)


def _check(path: Path, was: _File, now: _File | None) -> None:
    if not was.planned_on:
        # Lists of remem's own are begun by whichever decision comes first.
        if now is not None and now.planned_on and path.parent.name != FOLDER.name:
            raise PlanChanged(path, MADE)
        return
    if now is None:
        raise PlanChanged(path, "nothing in it would change any more")
    if now.does is Create:
        raise PlanChanged(path, GONE)
    if now.planned_on != was.planned_on and (now.does, now.lines) != (was.does, was.lines):
        raise PlanChanged(path, OTHER_LINES)


def _by_path(effects: Iterable[Effect]) -> dict[Path, Splice | Create | Delete | Move]:
    """Return what happens first to each file; what moves, by its name before."""
    found: dict[Path, Splice | Create | Delete | Move] = {}
    for effect in effects:
        match effect:
            case Splice(path=path) | Create(path=path) | Delete(path=path) | Move(source=path):
                found.setdefault(path, effect)
            case _:
                pass
    return found


def _planned_on(effect: Splice | Create | Delete | Move) -> str:
    return "" if isinstance(effect, Create) else effect.planned_on


def _lines(preview: FilePreview | None) -> Mapping[tuple[str, str], int]:
    found: Counter[tuple[str, str]] = Counter()
    for hunk in preview.hunks if preview is not None else ():
        found.update(("-", _COUNTED.sub("0", line)) for line in hunk.before)
        found.update(("+", _COUNTED.sub("0", line)) for line in hunk.after)
    return found
