"""What the history tells at one root: changes, what others wrote, since when something stands.

A history that cannot be read stops whoever decides (the journal itself refuses), and nobody who
only looks: here its contents are left out, and `spoilt` says so to be told once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from remem.base.errors import WriteFailed
from remem.model.change import Intent, asked_for
from remem.model.entry import Problem

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.model.entry import Entry, Ref
    from remem.store.changes.preview import FilePreview
    from remem.store.changes.steps import Step
    from remem.store.history.external_changes import Outside
    from remem.store.history.journal import Journal
    from remem.store.history.journal_records import Logged
    from remem.store.io import Disk

T = TypeVar("T")


class Past:
    """The history as a door looks at it."""

    def __init__(
        self, journal: Journal, root: Path, disk: Disk, settle: Callable[[], None]
    ) -> None:
        """Look at a history.

        Args:
            journal: It; nothing is made or opened until something is asked.
            root: Where it is looked at from.
            disk: Tells whether other roots are still there.
            settle: Finds out what became of changes of rows, before changes are listed.
        """
        self._journal = journal
        self._root = root
        self._disk = disk
        self._settle = settle
        self._late: tuple[Outside, ...] = ()
        self._late_of: tuple[int, int] | None = None
        """Of which version of the history that is."""
        self.spoilt = ""
        """What of the past cannot be told, and why, where nobody was told yet."""
        self._unread: WriteFailed | None = None
        """Why the history could not be read the last time."""
        self._unlisted: WriteFailed | None = None
        """Why it is not known what was written since a person looked."""

    def read(self, read: Callable[[], T], nothing: T) -> T:
        """Return what the history says; where it cannot be read, that is kept to be told."""
        try:
            return read()
        except WriteFailed as error:
            if error.code != "bad-journal":
                raise
            self.spoilt = f"{error}; its contents are left out"
            self._unread = error
            return nothing

    def give_up_listing(self, error: WriteFailed, told: str) -> None:
        """Keep, to be told, why it is not known what was written since a person looked."""
        self.spoilt = told
        self._unlisted = error

    def can_list(self) -> None:
        """Take back that it is not known: what was damaged lies aside, and a new one was begun."""
        self._unlisted = None

    def need(self) -> None:
        """Go on only where the history could be read: whoever asks for it has no other answer.

        Raises:
            WriteFailed: It could not.
        """
        self._raise(self._unread)

    def need_listing(self) -> None:
        """Go on only where it is known what was written since a person looked.

        Raises:
            WriteFailed: It is not.
        """
        self._raise(self._unlisted)

    def _raise(self, error: WriteFailed | None) -> None:
        if error is not None:
            self.spoilt = ""
            raise error

    def changes(self, limit: int = 200) -> tuple[Logged, ...]:
        """Return the changes that touched this root, newest first."""
        self._settle()
        return self.read(lambda: self._journal.changes(self._root, limit), ())

    def same(self, library: Library, intent: Intent) -> Logged | None:
        """Return the change that was asked for in the very words of an intent and holds still.

        Where it does not, whoever asks again means something else, or cannot get it.
        """
        if not self._journal.exists:
            return None
        none: tuple[Logged, ...] = ()
        for logged in self.read(lambda: self._journal.changes(self._root), none):
            done = logged.intent
            if (
                not logged.undone
                and done.verb == intent.verb
                and done.shown.keys() == intent.shown.keys()
                and asked_for(done) == asked_for(intent)
                and holds(library, logged)
            ):
                return logged
        return None

    def done(self, verb: str, name: str) -> Logged | None:
        """Return the change that stands in which a verb was last done to what had that name.

        Args:
            verb: Its id.
            name: A ref, the id in it, or the id under which something waited.
        """
        if not self._journal.exists or not name:
            return None
        return self.read(lambda: self._journal.last_picking(self._root, verb, name), None)

    def brought(self, refs: Collection[Ref]) -> Mapping[Ref, tuple[Step, ...]]:
        """Return what the newest change did by which each entry came to stand where it does.

        Entries are left out of which there was no such change, or no more than its line is kept.
        """
        found: dict[Ref, tuple[Step, ...]] = {}
        if not self._journal.exists:
            return found
        none: tuple[Logged, ...] = ()
        left = set(refs)
        for logged in self.read(lambda: self._journal.changes(self._root), none):
            if not left:
                break
            here = left.intersection(filter(None, logged.touched.values()))
            if here and not logged.undone and not logged.pruned:
                found |= dict.fromkeys(here, self.steps(logged))
                left -= here
        return found

    def steps(self, logged: Logged) -> tuple[Step, ...]:
        """Return what a change did; nothing where that cannot be read."""
        nothing: tuple[Step, ...] = ()
        return self.read(lambda: self._journal.steps(logged.id), nothing)

    def outside(self, limit: int = 200) -> tuple[Outside, ...]:
        """Return what others wrote at this root, newest first."""
        return self.read(lambda: self._journal.outside(self._root, limit), ())

    def diff_of(self, logged: Logged) -> tuple[FilePreview, ...]:
        """Return what a change in the history did, file by file."""
        from remem.store.changes.preview import step_previews

        return step_previews(self._journal.steps(logged.id))

    def traced(self, library: Library, entry: Entry) -> tuple[str, ...]:
        """Return since when an entry stands as it does, and by whom, in sentences."""
        from remem.core.history.entry_blame import traced

        return self.read(lambda: traced(library, self._journal, entry), ())

    def namesakes(self) -> tuple[Path, ...]:
        """Return other folders of this root's name that were worked on, and are still there.

        What is kept by the name of a project is theirs too.
        """
        none: tuple[Path, ...] = ()
        roots = self.read(self._journal.roots, none) if self._journal.exists else none
        return tuple(
            root
            for root in roots
            if root.name == self._root.name and root != self._root and self._disk.kind(root)
        )

    def problems(self, library: Library) -> Iterator[Problem]:
        """Yield what is wrong with the history, or each file that lacks bytes which came late."""
        damage = self._journal.damage() if self._journal.was_begun else None
        if damage is not None:
            yield Problem("bad-journal", str(damage), damage.hint, self._journal.path)
        else:
            yield from self._left_out(library)

    def _left_out(self, library: Library) -> Iterator[Problem]:
        from remem.store.history.external_changes import LEFT_OUT

        version = self._journal.version()
        if version != self._late_of:
            self._late, self._late_of = self._journal.late(self._root), version
        for path in dict.fromkeys(each.path for each in self._late):
            live = next((each.data for each in library.sources if each.path == path), b"")
            if any(each.is_left_out_of(live) for each in self._late if each.path == path):
                hint = "`remem history` shows it; restore what belongs there"
                yield Problem("late-bytes", LEFT_OUT, hint, path)


def holds(library: Library, logged: Logged) -> bool:
    """Tell whether what a change made of the entries that it touched is so still."""
    has = library.has
    return all(has(new) if new else not has(old) for old, new in logged.touched.items())
