"""Finds where a remembered text went: asks the journal and git what took it out of memory.

It only reads, in bounded time, and decides nothing: what is lost is a value of
`core/history/removed.py`, which also plans how it comes back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Final

from remem.base.errors import NotPossible, UnknownRef, WriteFailed
from remem.base.frozen import dataclass
from remem.code import pickaxe
from remem.core.history.removed import LONGEST, SHORTEST, Lost, lost_in, plain
from remem.core.library import Library
from remem.edit.patch import patches_between
from remem.model.entry import digest_of
from remem.model.layout import Base
from remem.store.changes.steps import Edited, Moved, Removed, place_after
from remem.store.history.external_changes import BY, NAMED, Outside
from remem.store.history.journal import Journal
from remem.store.history.journal_records import Logged

LOOKED_AT: Final = 400
"""Changes, and changes from outside, that are looked through, newest first."""
SECONDS: Final = timedelta(seconds=3)
"""How long the history may be looked through."""
_KNOWN: Final = (".sniper", ".shaktra", ".remem", ".sniper-workspace")
"""Where memory lies that no layout describes."""


@dataclass(frozen=True, slots=True)
class FoundInHistory:
    """What was found."""

    lost: tuple[Lost, ...]
    """Newest first."""
    is_whole: bool = True
    """False: not all could be looked through."""
    why_not: str = "the search stopped early: the history is too long"
    """What to say where it was not."""

    def and_in(self, other: FoundInHistory) -> FoundInHistory:
        """Return what was found here and elsewhere."""
        why = self.why_not if not self.is_whole else other.why_not
        is_whole = self.is_whole and other.is_whole
        return FoundInHistory((*self.lost, *other.lost), is_whole, why)


UNREAD: Final = FoundInHistory(
    (), is_whole=False, why_not="the history was not searched: it cannot be read"
)
"""What is found in a history that cannot be read."""


class HistorySearch:
    """Looks into the past of one root."""

    def __init__(self, root: Path, journal: Journal, library: Library) -> None:
        self._root = root
        self._journal = journal
        self._library = library

    def in_history(self, phrase: str) -> FoundInHistory:
        """Return what changes of remem, and of others while it watched, took out."""
        if not is_searched(phrase):
            return FoundInHistory(())
        try:
            changes = self._journal.changes(self._root, LOOKED_AT)
            others = self._journal.outside(self._root, LOOKED_AT)
        except WriteFailed:
            return UNREAD
        past: list[Logged | Outside] = [*changes, *others]
        past.sort(key=lambda each: each.time, reverse=True)
        clock = self._library.ground.given.clock
        until = clock.now() + SECONDS
        found: list[Lost] = []
        for each in past:
            if clock.now() > until:
                return FoundInHistory(tuple(found), is_whole=False)
            if isinstance(each, Logged):
                found += self._of_change(each, phrase)
            else:
                found += self._of_outside(each, phrase)
        return FoundInHistory(tuple(found), max(len(changes), len(others)) < LOOKED_AT)

    def in_git(self, phrase: str, seconds: float = pickaxe.SECONDS) -> FoundInHistory:
        """Return what commits took out of the files that memory lies in."""
        if not is_searched(phrase):
            return FoundInHistory(())
        below = self._below()
        commits = pickaxe.commits_with(self._root, phrase, below, seconds)
        found = [lost for each in commits.found for lost in self._of_commit(each, phrase)]
        return FoundInHistory(tuple(found), commits.is_whole)

    def by_name(self, name: str, phrase: str) -> tuple[Lost, ...]:
        """Return what one change, change from outside or commit took out.

        Args:
            name: An id as `remem history` and `remem search` print it, or a commit.
            phrase: Only what had this text; empty = everything.

        Raises:
            UnknownRef: Nothing is called that.
            NotPossible: It took out nothing like that.
        """
        found = self._named(name, phrase)
        if not found:
            what = f"`{phrase}`" if phrase else "no memory"
            raise NotPossible(
                f"`{name}` did not remove {what}" if phrase else f"`{name}` removed {what}",
                hint="find it with `remem search TEXT --everywhere`",
            )
        return tuple(found)

    def _named(self, name: str, phrase: str) -> list[Lost]:
        if name.startswith(NAMED):
            others = self._journal.outside(self._root, LOOKED_AT)
            named = [each for each in others if each.name == name]
            return [lost for each in named for lost in self._of_outside(each, phrase)]
        try:
            logged = self._journal.get(name)
        except UnknownRef:
            commit = pickaxe.commit_named(self._root, name)
            if commit is None:
                raise
            return list(self._of_commit(commit, phrase))
        return list(self._of_change(logged, phrase, named=True))

    def _of_change(self, logged: Logged, phrase: str, *, named: bool = False) -> Iterator[Lost]:
        if logged.undone or (logged.pruned and not named):
            return
        steps = self._journal.steps(logged.id)
        for lost in lost_in("change", logged.id, logged.time, logged.title, steps, phrase):
            yield self._where_it_lies(lost)

    def _of_outside(self, outside: Outside, phrase: str) -> Iterator[Lost]:
        if isinstance(outside.step, Edited | Removed):
            title = f"{BY[outside.cause]} {outside.does} {outside.path.name}"
            steps = (outside.step,)
            for lost in lost_in("outside", outside.name, outside.time, title, steps, phrase):
                yield self._where_it_lies(lost)

    def _of_commit(self, commit: pickaxe.Commit, phrase: str) -> Iterator[Lost]:
        name, time, subject = commit.name, commit.time, commit.subject
        for each in pickaxe.versions(self._root, name, self._below()):
            if each.before is None:
                continue
            step: Edited | Removed = Removed(each.path, each.before, None)
            if each.after is not None:
                patches = patches_between(each.before, each.after)
                step = Edited(each.path, digest_of(each.before), len(each.before), patches)
            for lost in lost_in("commit", name, time, subject, (step,), phrase):
                yield self._where_it_lies(lost)

    def _where_it_lies(self, lost: Lost) -> Lost:
        """Return what is lost with the place that its file was moved to since."""
        later = [move for time, move in self._moves if time > lost.time]
        path = place_after(lost.path, later)
        return lost if path == lost.path else replace(lost, step=replace(lost.step, path=path))

    @cached_property
    def _moves(self) -> list[tuple[datetime, Moved]]:
        """The folders of personas that changes moved, oldest first."""
        found: list[tuple[datetime, Moved]] = []
        for logged in reversed(self._journal.changes(self._root, LOOKED_AT)):
            if logged.intent.verb.startswith("persona.") and not (logged.undone or logged.pruned):
                steps = self._journal.steps(logged.id)
                found += ((logged.time, step) for step in steps if isinstance(step, Moved))
        return found

    def _below(self) -> tuple[str, ...]:
        """Return the names in the root that memory lies below, or lay below once."""
        names = {*_KNOWN}
        for layout in self._library.ground.layouts:
            if layout.base is Base.ROOT:
                names.add(layout.folder.split("/")[0])
        for source in self._library.sources:
            if source.path.is_relative_to(self._root):
                names.add(source.path.relative_to(self._root).parts[0])
        return tuple(sorted(names))


def is_searched(phrase: str) -> bool:
    """Tell whether a phrase says enough, and not too much, to be looked for in the past."""
    return len(plain(phrase)) >= SHORTEST and len(phrase) <= LONGEST
