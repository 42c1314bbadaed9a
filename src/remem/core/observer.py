"""What comes after: what others wrote is noted, and it is told which decisions they took back.

Invariant: a change of another program is noted once, with its cause, and never taken for one of
remem's. Whether it is remem's is told by bytes: a run of remem says how it left each file, so a
file that is as a run left it, and that nobody has written over since as far as was seen, is
remem's. When the commit that git stands on moved between two looks, git is the cause, and nothing
counts as vanished, for a person checked something out. What git took back is not called reverted:
it is noted in the history as git's until git brings it back.

What was reverted within two seconds came of a writer who had read before the decision and could not
know of it: `early` gives those back, to be done again. Later ones wait for a person.

It reads the history and the library and writes notes into the journal alone; what has to be written
to memory again it hands to the session.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain, groupby
from pathlib import Path
from typing import Final

from remem.base.clock import Clock
from remem.base.effects import Create
from remem.base.errors import NotPossible, WriteFailed
from remem.code import git
from remem.core.history.followup import Checked, reverted, stands
from remem.core.history.removed_by_others import is_unsound, still_gone, vanished
from remem.core.library import FileChange, Library, together
from remem.model.change import Intent
from remem.model.done_by_others import Aside, Reverted, Vanished, intent_again
from remem.model.entry import Ref, digest_of
from remem.model.source import Source
from remem.store.changes.steps import Moved, paths_of
from remem.store.history.external_changes import Cause, Outside
from remem.store.history.journal import Journal
from remem.store.history.journal_records import MOVED, Logged, Running, moment_of
from remem.store.io import Disk

_BETWEEN: Final = " "
"""Between the tokens of a change that touched several repositories."""
_ASKED: Final = 200
"""Changed files about which git is asked, file by file."""
LISTED: Final = 200
"""Entries that vanished, the newest, of which it is told whether they are still gone."""


class Observer:
    """Follows, at one root, what becomes of decisions once they are written."""

    def __init__(
        self,
        root: Path,
        disk: Disk,
        journal: Journal,
        clock: Clock,
        repositories: Callable[[], Sequence[Path]] = tuple,
        *,
        opened: datetime | None = None,
    ) -> None:
        """Say where to look.

        Args:
            root: Where memory is followed.
            disk: Read, never written.
            journal: The history.
            clock: Tells the time.
            repositories: Those below the root, which have a git of their own.
            opened: Since when files are followed; `None` = now.
        """
        self._root = root
        self._repositories = repositories
        self._disk = disk
        self._journal = journal
        self._clock = clock
        self._checked: Checked | None = None
        self._git = {folder: git.state(disk, folder) for folder in (root, *repositories())}
        self._git_logs = {folder: git.logs_of(disk, folder) for folder in self._git}
        self._sound: dict[Path, Source] = {}
        """Files as they were when they last said something, while they say nothing."""
        self._opened = moment_of(opened or clock.now())
        self._half_seen: list[FileChange] = []
        """What was seen of changes that were under way."""
        self._taken: dict[Path, int] = {}
        """Up to which number of what runs left a file was looked at."""
        self._seen_runs = 0
        self._read: tuple[int, int] | None = None
        self._standing: tuple[Logged, ...] = ()
        self._settled_at: str | None = None
        """Where git stood when it was looked last for what it brought back."""
        self._of_writers: dict[tuple[str, Ref], str] = {}
        """What writers took back, with the digest of the file."""
        self._lost: tuple[Vanished, ...] = ()
        """What vanished, the newest first, as far as the history was read for it."""

    def git_state(self, paths: Iterable[Path] = ()) -> str:
        """Return the token of where git stands now, of every repository that has these files."""
        folders = dict.fromkeys(map(self._checkout, paths)) or {self._root: None}
        tokens = dict.fromkeys(git.state(self._disk, folder) for folder in folders)
        return _BETWEEN.join(token for token in tokens if token)

    def _checkout(self, path: Path) -> Path:
        """Return the innermost repository that a file lies in, else the root."""
        around = [each for each in self._repositories() if path.is_relative_to(each)]
        return max(around, key=lambda each: len(each.parts), default=self._root)

    def note(self, before: Library, after: Library, changed: Sequence[FileChange]) -> None:
        """Write down what others did to files, and which entries went with it.

        What another process of remem left stands in the history as what it is. Of a change that is
        under way nothing is noted before it has ended: it may be rolled back.
        """
        under_way = self._under_way()
        every = together(self._half_seen, changed)
        self._half_seen = [each for each in every if each.path in under_way]
        changed = [each for each in every if each.path not in under_way]
        with suppress(WriteFailed):
            changed = [each for each in changed if not self._is_of_remem(each)]
        folders = {each.path: self._checkout(each.path) for each in changed}
        # Asked once for all files of one look: a checkout moves many at once.
        now = {folder: git.state(self._disk, folder) for folder in folders.values()}
        moved = {folder for folder, token in now.items() if token != self._git.get(folder, token)}
        moved -= {each for each in moved if self._has_only_committed(each)}
        self._git |= now
        self._git_logs |= {folder: git.logs_of(self._disk, folder) for folder in now}
        by_git: set[Path] = set()
        for folder in moved:
            by_git |= self._may_be_of_git(folder, [c for c in changed if folders[c.path] == folder])
        notes = [self._note(before, after, c, moved=c.path in by_git) for c in changed]
        with suppress(WriteFailed):  # a history that cannot be written stops no one from looking
            self._journal.note(*notes)

    @staticmethod
    def _may_be_of_git(folder: Path, changed: Sequence[FileChange]) -> frozenset[Path]:
        """Return the files that git may have moved: what is there and it does not keep, it did not.

        Of very many files that changed at one stroke, nobody wrote a single one by hand.
        """
        every = frozenset(each.path for each in changed)
        names = {os.path.relpath(each.path, folder): each.path for each in changed if each.after}
        if not names or len(names) > _ASKED:
            return every
        kept = {names[name] for name in git.tracked_below(folder, *names) if name in names}
        return every - (set(names.values()) - kept)

    def _has_only_committed(self, folder: Path) -> bool:
        """Tell whether git moved by commits alone: what is committed at once, somebody wrote."""
        return git.only_committed(self._disk, folder, self._git_logs.get(folder, (0, 0)))

    def _under_way(self) -> frozenset[Path]:
        """Return the paths of changes that remem is making, or that a crash cut in two."""
        every = (running for _, running in self._journal.running() if isinstance(running, Running))
        return frozenset(path for each in every for step in each.steps for path in paths_of(step))

    def _is_of_remem(self, change: FileChange) -> bool:
        """Tell whether a run of another process left a file as it is now.

        Told by bytes, and only by runs that nobody has written over since as far as was seen: a
        stranger who brings back what remem once wrote is a stranger. Runs that came after the one
        that left it so are still to be seen: a change and its undo may both have ended before the
        first of the two is looked at.
        """
        path = change.path
        last, newest = self._taken.get(path, 0), self._journal.last_left()
        now = "" if change.after is None else digest_of(change.after)
        found = self._journal.left((path, *path.parents), self._opened)
        own = [
            number
            for number, left in found
            if number > last and (left.how == MOVED or (left.path == path and left.how == now))
        ]
        self._taken[path] = max(own, default=newest)
        return bool(own)

    def made(self, library: Library) -> frozenset[Path]:
        """Return what other processes of remem wrote since the last time that it has no source of.

        What they decided may stand in a file that was not there: a finding's rejection for one.
        """
        with suppress(WriteFailed):
            self._seen_runs, paths = self._journal.written(self._seen_runs, self._opened)
            return paths - {source.path for source in library.sources}
        return frozenset()

    def look(self, library: Library, *, writing: bool) -> Aside:
        """Return what was reverted, vanished or made again.

        Args:
            library: The newest snapshot.
            writing: It is noted which changes git moved over, and which of them it brought back.
        """
        # The history is read before the library is judged by it, never the other way round.
        followed = self._followed()
        checked = self._check(library, followed)
        told = {(each.change, each.ref) for each in library.aside.reverted}
        if not told.issuperset((each.change, each.ref) for each in checked.reverted):
            # The history has a change before the snapshot has it, above all another process's.
            library = library.refresh()
            checked = self._check(library, followed)
        by_id = {logged.id: logged for logged in followed}
        found = [
            each
            for each in checked.reverted
            if not self._is_of_git(library, each, by_id[each.change])
        ]
        still = {(each.change, each.ref) for each in found}
        self._of_writers = {k: v for k, v in self._of_writers.items() if k in still}
        if writing:
            self._settle(library, followed, checked, {each.change for each in found})
        standing = self._stands()
        gone = still_gone(library, self._vanished(), now=self._clock.now())
        made = (each.facets.recreated for each in library.formats)
        recreated = [find(library, standing, self._moves) for find in made if find is not None]
        return Aside(tuple(found), gone, tuple(chain.from_iterable(recreated)))

    def _settle(
        self, library: Library, followed: Sequence[Logged], checked: Checked, of_writers: set[str]
    ) -> None:
        """Note which changes git moved over; those that it brought back are followed again."""
        over = {each.change: each.ref for each in checked.reverted if each.change not in of_writers}
        gone = {each.change for each in checked.found}
        now = self.git_state([self._root, *self._repositories()])
        has_moved, self._settled_at = now != self._settled_at, now
        taken: set[Ref] = set()
        for logged in reversed(followed):
            if logged.id in over:
                taken.add(over[logged.id])
            # What was decided later on the same entry went with it.
            is_gits = logged.id in over or not taken.isdisjoint(logged.touched)
            if is_gits and not logged.settled:
                self._journal.settle(logged.id, "git")
            if is_gits or not logged.settled:
                continue
            may_be_back = has_moved and logged.id not in gone
            is_back = may_be_back and stands(library, logged, mtime=self._mtime)
            if is_back or logged.id in of_writers:
                self._journal.settle(logged.id, "")

    def _check(self, library: Library, standing: Sequence[Logged]) -> Checked:
        self._checked = reverted(library, standing, mtime=self._mtime, checked=self._checked)
        return self._checked

    def early(self, aside: Aside) -> Iterator[tuple[str, Intent]]:
        """Yield each change that was reverted at once, and the intent that does it again."""
        early = [each for each in aside.reverted if each.early]
        for change, found in groupby(early, lambda each: each.change):
            with suppress(NotPossible):
                yield change, intent_again(tuple(found))

    def _note(self, before: Library, after: Library, change: FileChange, *, moved: bool) -> Outside:
        now, path = self._clock.now(), change.path
        cause: Cause = "git" if moved else "writer"
        was = self._sound.pop(path, None)
        source = next((s for s in after.sources if s.path == path), None)
        # While a file is half written, the last whole version is what it is compared with later.
        if source is not None and (is_unsound(source) or not source.data):
            last = was or next((s for s in before.sources if s.path == path), None)
            if last is not None:
                self._sound[path] = last
        gone: tuple[Vanished, ...] = ()
        if not moved:
            standing = self._stands()
            gone = vanished(before, after, change, time=now, standing=standing, was=was)
        # A file that git's index has seen came out of a checkout that did not move HEAD.
        if gone and change.after is not None and self._is_checked_out(path, change.after):
            cause, gone = "git", ()
        listed = [each.to_json() for each in gone]
        return Outside.of(now, self._root, path, cause, change.before, change.after, listed)

    def _is_checked_out(self, path: Path, data: bytes) -> bool:
        return git.knows(self._checkout(path), data) and git.wrote(self._disk, path)

    def _is_of_git(self, library: Library, found: Reverted, logged: Logged) -> bool:
        """Tell whether git took a decision back: then a person moved it, and nobody is told.

        In doubt it was git. It was not where git did not put the file there and the commit that it
        stands on has the decision; nor where HEAD was only moved by commits made here, which write
        no file.
        """
        path = found.path
        now = self.git_state([path] if path is not None else ())
        if path is None or not now:
            return now not in logged.git.split(_BETWEEN)
        settled = self._disk.read_settled(path, 0) if self._is_file(path) else None
        data = b"" if settled is None else settled.data
        # Once it was a writer it stays one, whatever is written after it, until git writes.
        key, digest = (logged.id, found.ref), digest_of(data)
        known = self._of_writers.get(key)
        is_known = known == digest or (known is not None and not self._is_checked_out(path, data))
        if not is_known and self._took_back(library, found, logged, path, data, now):
            return True
        self._of_writers[key] = digest
        return False

    def _took_back(
        self, library: Library, found: Reverted, logged: Logged, path: Path, data: bytes, now: str
    ) -> bool:
        folder, since = self._checkout(path), found.time.timestamp()
        if git.has_log(self._disk, folder):
            has_moved = git.moved_over(self._disk, folder, since)
        else:
            has_moved = now not in logged.git.split(_BETWEEN)
        name = os.path.relpath(path, folder)
        if self._is_checked_out(path, data):
            committed = None if has_moved else git.committed_at(folder, name, data)
            written = self._mtime(path)
            return committed is None or written is None or written >= committed
        if self._has_in_head(library, found, logged, git.at_head(folder, name)):
            return False
        return logged.settled == "git" or has_moved

    def _has_in_head(
        self, library: Library, found: Reverted, logged: Logged, data: bytes | None
    ) -> bool:
        """Tell whether a decision stands in what the commit that git stands on has as its file."""
        if data is None or found.path is None:
            return False
        before = library.preview([Create(found.path, data)])
        return stands(before, logged, found.ref, mtime=self._mtime)

    def _is_file(self, path: Path) -> bool:
        return self._disk.kind(path) == "file"

    def _mtime(self, path: Path) -> float | None:
        stamp = self._disk.stamp(path)
        return None if stamp is None else stamp.mtime_ns / 1e9

    def _moves(self, change: str) -> Sequence[tuple[Path, Path]]:
        try:
            steps = self._journal.steps(change)
        except NotPossible:
            return ()  # so old that only its line was kept
        return [(step.source, step.target) for step in steps if isinstance(step, Moved)]

    def _vanished(self) -> tuple[Vanished, ...]:
        """Return what vanished last; the history is only read for what was noted since."""
        since = self._lost[0].outside if self._lost else 0
        came: list[Vanished] = []
        for outside in self._journal.with_vanished(self._root, LISTED, since=since):
            for values in outside.vanished:
                with suppress(ValueError):
                    came.append(Vanished.from_json(values, outside.number))
        self._lost = (*came, *self._lost)[:LISTED]
        return self._lost

    def _stands(self) -> tuple[Logged, ...]:
        """Return the changes that stand and that git did not move over."""
        return tuple(logged for logged in self._followed() if not logged.settled)

    def _followed(self) -> tuple[Logged, ...]:
        """Return the changes that stand, read again only when the history was written to."""
        version = self._journal.version()
        if version != self._read:
            self._standing = self._journal.standing(self._root, with_git=True)
            self._read = version
        return self._standing
