"""The one façade that all doors share: what can be seen at a root, and the one way to disk.

A door holds one session and reads snapshots from it; everything that is written goes through
`apply`, `undo` and `redo`, and what others do to it afterwards is followed here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, ChangedOnDisk, NotPossible, RememError, WriteFailed
from remem.core.library import FileChange, Library, differences, together
from remem.core.reading_session import ReadingSession, T
from remem.core.repositories import rendered, repositories_of
from remem.core.setup import single_files, watched_trees
from remem.model.change import Change, Committed, Derived, Intent, touched_paths
from remem.model.entry import Problem, Ref, digest_of

if TYPE_CHECKING:
    from remem.core.history.history_at_root import Past
    from remem.core.history.search_history import HistorySearch
    from remem.core.inbox.inbox import Inbox
    from remem.core.observer import Observer
    from remem.core.shown_plan import ShownPlan
    from remem.model.done_by_others import Aside
    from remem.model.trend import Growth
    from remem.store.changes.commit import Committer, Render, Reverted, Reverting
    from remem.store.changes.recovery import Recovered
    from remem.store.changes.undo import Sound
    from remem.store.history.external_changes import Outside
    from remem.store.history.journal import Journal
    from remem.store.history.journal_records import Logged, Origin, SetOff
    from remem.store.unfinished import Unfinished
    from remem.store.watch import Watcher

HELD: Final = 3
"""How often what was reverted at once is put right in a row."""

TRIES: Final = 12
"""How often an intent is planned again on fresher bytes before it is given up.

DESIGN asks for three. Agents that write every few milliseconds need more, each costs as little, and
a person waits two seconds at most.
"""

_MOST_UNFOLLOWED: Final = 4
"""Changes of others that wait one by one."""


class NothingToDo(Already):
    """It is as it was asked to be already."""

    def __init__(self, change: Change) -> None:
        super().__init__(change.notes[0])
        self.change = change
        """What was planned; it has no effects, and its notes say why."""


class Session(ReadingSession):
    """Everything that a door can do at one root."""

    @cached_property
    def _unfollowed(self) -> deque[tuple[Library, Library, Sequence[FileChange]]]:
        """What others wrote, before and after, that nobody looked after yet."""
        return deque()

    @cached_property
    def _unlooked(self) -> deque[Library]:
        """Snapshots that a change left and a screen shows, till `follow` looks after decisions."""
        return deque()

    @cached_property
    def journal(self) -> Journal:
        from remem.store.history.journal import Journal

        return Journal(self.disk, self.places.state)

    @cached_property
    def past(self) -> Past:
        """What the history tells of this root."""
        from remem.core.history.history_at_root import Past

        def settle() -> None:
            settled = self.committer.recovery.rows()
            self.unfinished.tell([each for each in settled if each.outcome != "pending"])

        return Past(self.journal, self.root, self.disk, settle)

    def restored(self, change: Change) -> Change:
        from remem.core.history.old_places import in_old_places

        return in_old_places(self._library, change, self.past.brought)

    @cached_property
    def committer(self) -> Committer:
        from remem.store.changes.commit import Committer
        from remem.store.databases.row_sets import RowSets

        return Committer(
            self.disk,
            self.journal,
            self.clock,
            self.places.state,
            own=self._own,
            known=self._read_before,
            rows=RowSets(self.server),
            bounds=self.bounds,
        )

    @cached_property
    def observer(self) -> Observer:
        from remem.core.observer import Observer

        def below() -> Sequence[Path]:
            return [each.path for each in repositories_of(self._library)]

        return Observer(
            self.root, self.disk, self.journal, self.clock, below, opened=self._opened_at
        )

    @cached_property
    def inbox(self) -> Inbox:
        """What agents wrote since a person looked."""
        from remem.core.inbox.inbox import Inbox

        places = self.places
        return Inbox(self.root, places.home, places.state, self.disk, self.clock)

    def close(self) -> None:
        """Let go of what was replaced, and of the history's database if it was opened."""
        self.follow()
        if self._has_begun:
            with suppress(RememError, OSError):
                self._settle(leaving=True)
        self.keep()
        self.cache.close()
        if "journal" in self.__dict__:
            self.journal.close()
        if "inbox" in self.__dict__:
            self.inbox.versions.close()
        if self.server is not None:
            self.server.close()

    def refresh(self, paths: Collection[Path] | None = None) -> Library:
        """Read again what changed, tell the listeners if anything did, and follow it up."""
        self.take_in(paths)
        self.follow()
        return self._library

    def take_in(self, paths: Collection[Path] | None = None) -> None:
        """Read again what changed and tell the listeners, who may show it before `follow`."""
        self._ask_server(paths)
        self._take_in(paths)

    @property
    def unfollowed(self) -> int:
        """How many times others wrote something that `follow` did not look after yet."""
        return len(self._unfollowed)

    def follow(self) -> None:
        """Note what others wrote, and look after the decisions that it may concern.

        So it does after what was done here and was shown first. A history that cannot be used stops
        whoever decides, and no one from looking.
        """
        if self._unlooked:
            with suppress(RememError):
                self.look()
        while True:
            try:
                before, after, foreign = self._unfollowed.popleft()
            except IndexError:
                return  # nothing is left, or another thread has it
            with suppress(RememError):
                self.observer.note(before, after, foreign)
                if self._has_begun:
                    self._settle(fresh=True)
                self.look(writing=self._has_begun)

    def _take_in(self, paths: Collection[Path] | None) -> None:
        with self._lock:
            before = self._library
            if paths is None or not self._settings.isdisjoint(paths):
                self._renew_settings()
            after = self._read_whole(lambda: before.refresh(paths))
            self._library = after
        changed = differences(before, after)
        if not changed and before.sources == after.sources:
            return
        foreign = [each for each in changed if not self._own.is_own(self.disk, each.path)]
        if foreign:
            self._leave_to_follow(before, after, foreign)
        self._tell(after, own=False)

    def _leave_to_follow(
        self, before: Library, after: Library, foreign: Sequence[FileChange]
    ) -> None:
        """Keep what others wrote until `follow` has time for it.

        Each holds two snapshots. When many wait, what follows at once on the newest becomes one
        with it: what was written is noted as a whole, and nothing of it is missing.
        """
        with self._lock:
            if len(self._unfollowed) >= _MOST_UNFOLLOWED:
                with suppress(IndexError):  # `follow` takes from the other end
                    first, then, earlier = self._unfollowed.pop()
                    # Between them lies nothing else, above all nothing that was done here.
                    if then.sources == before.sources:
                        before, foreign = first, together(earlier, foreign)
                    else:
                        self._unfollowed.append((first, then, earlier))
            if foreign:
                self._unfollowed.append((before, after, foreign))

    def ask_server(self) -> None:
        """Ask the server that keeps verified memory, if there is one, and take in what is new."""
        server = self.server
        if server is not None and server.ask():
            self._take_in(frozenset({server.path}))
            self.follow()

    def _ask_server(self, paths: Collection[Path] | None) -> None:
        """Let a server's rows be looked at with the rest; screens ask it in their own time."""
        server = self.server
        if server is not None and (self.door != "tui" if paths is None else server.path in paths):
            server.ask()

    def _read_whole(self, read: Callable[[], T]) -> T:
        return self.unfinished.read(read)

    @cached_property
    def unfinished(self) -> Unfinished:
        """What settles, before anything is read, what a crash or another process left undone."""
        from remem.store.unfinished import READERS_WAIT, Unfinished

        return Unfinished(
            self.disk, self.places.state, lambda: self.committer.recovery.run(READERS_WAIT)
        )

    def begin(self) -> tuple[Recovered, ...]:
        """Finish what was begun earlier: what a crash left, what came late, what was reverted.

        For doors that write; those that only read ask `look`.
        """
        found = self.recover()
        self._has_begun = True
        self._settle()
        if self.door == "tui":
            self._begin_inbox()
        self.look(writing=True)
        self._prune()
        self._known()  # asked of git now, so that the first plan does not wait for it
        return found

    def settle(self) -> None:
        """Look again at files that were replaced a while ago: others may still write to them."""
        if self._has_begun:
            self._settle()
            self._prune()

    def look(self, *, writing: bool = False) -> None:
        """Find out what others reverted, took out or made again since it was decided.

        Args:
            writing: What was reverted at once, by someone who had read before, is put right.
        """
        held = 0
        for _ in range(TRIES):
            self._look_at_shown()
            library = self._library
            aside = self.past.read(
                lambda now=library: self.observer.look(now, writing=writing),  # type: ignore[misc]
                library.aside,
            )
            aside = self._with_unreviewed(library, aside)
            if writing and held < HELD and self._hold(aside):
                held += 1
            elif self._lay_aside(library, aside):
                return

    def _look_at_shown(self) -> None:
        """Keep each version that a change left, where somebody wrote over it since."""
        with self._lock:
            while self._unlooked:
                library = self._unlooked.popleft()
                if library.sources != self._library.sources:
                    self._with_unreviewed(library, library.aside)

    def look_at_reviews(self) -> None:
        """Look anew at what is unreviewed, where another process marked some of it as reviewed."""
        if self.has_reviews_elsewhere:
            self.look()

    @property
    def has_reviews_elsewhere(self) -> bool:
        """Tell whether another process did; it costs a look at one folder."""
        return self._has_begun and "inbox" in self.__dict__ and self.inbox.is_behind

    @property
    def _has_inbox(self) -> bool:
        """Tell whether it is known what a person has seen at this root."""
        from remem.store.history.dated_versions import exists_in

        return exists_in(self.disk, self.places.state) and self.inbox.is_begun

    def writers(self, outside: Sequence[Outside]) -> Mapping[str, str]:
        """Return in words who wrote what came from outside, by its name."""
        return self.inbox.writers(outside)

    def begin_inbox(self, by: str = "") -> None:
        """Take what stands as seen where this root was never opened, and find what is not seen.

        Args:
            by: Who wrote what is new, as a hook that knows it says.
        """
        self.inbox.by = by
        self._begin_inbox()
        self.look()

    def _begin_inbox(self) -> None:
        for _ in range(2):  # what is damaged is put aside, and it begins anew
            try:
                self.inbox.begin(self._library)
            except WriteFailed as error:
                self.past.give_up_listing(error, f"{error}; {error.hint}")
            else:
                self.past.can_list()
                return

    def _with_unreviewed(self, library: Library, aside: Aside) -> Aside:
        """Add what was written since a person looked, where that can be told."""
        try:
            if self._has_inbox:
                from remem.core.inbox.inbox import by_ref

                found = self.inbox.look(library)
                return replace(
                    aside,
                    unreviewed=by_ref(library, (e for e in found if not e.is_passed_over)),
                    passed_over=tuple(each for each in found if each.is_passed_over),
                    reviewed=self.inbox.reviewed,
                )
        except WriteFailed as error:
            self.past.give_up_listing(error, f"{error}; nothing can be shown as unreviewed")
        return replace(aside, unreviewed={}, passed_over=(), reviewed=None)

    def told(self) -> tuple[str, ...]:
        """Return, once, what was settled, mended or cannot be read of the past, in sentences."""
        found = [*self.unfinished.told()]
        if "journal" in self.__dict__:
            found += self.journal.told
            self.journal.told.clear()
        if "past" in self.__dict__ and self.past.spoilt:
            found.append(self.past.spoilt)
            self.past.spoilt = ""
        return tuple(found)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with remem's own settings, and with its history."""
        return (*super().problems, *self.past.problems(self._library))

    def _lay_aside(self, library: Library, aside: Aside) -> bool:
        """Put beside a snapshot what was found on it, unless there is a newer one by now."""
        with self._lock:
            if self._library is not library:
                return False
            self._library = after = library.with_aside(aside)
        if after is not library:
            self._tell(after, own=False)
        return True

    def apply(self, intent: Intent, shown: ShownPlan | None = None) -> Committed:
        """Plan and commit; plan again when the files moved meanwhile.

        Args:
            intent: What is asked.
            shown: The plan that a person saw and said yes to.

        Raises:
            Conflict: An entry reads otherwise than it was shown.
            PlanChanged: A file that would be edited is gone, or the plan does something else by now
                than what was shown.
            ChangedOnDisk: The files moved each time.
            NothingToDo: It is so already.
        """
        from remem.core.own_folder import OWN
        from remem.core.shown_plan import check_none_went, plan_of
        from remem.store.changes.effects_to_steps import BaseMoved

        if self.disk.kind(self.root) is None:
            raise NotPossible(
                f"the folder `{self.root}` no longer exists",
                hint="restore it, or open remem in its new location",
            )
        self._begin_once()
        # What a decision rests on is more than what it writes to, and only that is compared when it
        # is committed: whoever took the finding away, or turned it down, wrote to other files.
        made = {
            path
            for path in self.observer.made(self._library)
            if not self._own.is_own(self.disk, path)
        }
        first: Change | None = None
        if moved := self._library.moved(OWN) | made:
            self.seen.note(self._library, intent.shown)
            if any(self.disk.kind(path) is None for path in moved):
                # What is not possible even so is told of the plan that counts.
                with suppress(RememError):
                    first = self.plan(intent)
            self.refresh(moved)
        for _ in range(TRIES):
            change = self.plan(intent, shown.at if shown is not None else None)
            if not change.effects and change.notes:
                raise NothingToDo(change)
            self._need_waiting(intent)
            first = first or change
            check_none_went(first.effects, change.effects)
            if shown is not None:
                shown.check(plan_of(self, change))
            planned_on = self._library
            try:
                committed = self._commit(change)
            except BaseMoved as moved:
                self.seen.note(self._library, intent.shown)
                self.refresh(moved.paths)
                continue
            if self._head == "":
                self._head = committed.id
            self._reread(touched_paths(change.effects), made=(committed, planned_on))
            return committed
        raise _busy()

    def write_file(self, path: Path, before: bytes, after: bytes) -> Committed:
        """Commit what a person made of a whole file in their editor.

        Raises:
            ChangedOnDisk: Somebody wrote to the file meanwhile; nothing was written.
        """
        from remem.core.verbs.verbs import EDIT
        from remem.edit.patch import splice_to
        from remem.store.changes.effects_to_steps import BaseMoved

        self._begin_once()
        planned_on = self._library
        name = planned_on.ground.shown(path)
        effects = splice_to(path, before, after, digest_of(before))
        try:
            committed = self._commit(Change(Intent(EDIT.id), f"Edit {name}", effects))
        except BaseMoved as moved:
            raise ChangedOnDisk(
                f"`{name}` changed while you edited it; nothing was written",
                hint="press the key again: it opens with what you typed",
            ) from moved
        self._reread({path}, made=(committed, planned_on))
        return committed

    def _need_waiting(self, intent: Intent) -> None:
        """Let nothing through that was settled since it was drawn.

        The same verb might mean something else of it by now: what repositories share is no longer
        proposed, and can be promoted all the same.
        """
        if intent.items and not {item.id for item in self.queue()}.issuperset(intent.items):
            names = [self._library.short(ref) for ref in intent.shown]
            what = f"`{names[0]}`" if len(names) == 1 else "some of it"
            raise NotPossible(
                f"{what} no longer needs the decision you saw",
                hint="it was settled meanwhile; check the queue again",
            )

    def decided_alike(self, intent: Intent) -> Mapping[Ref, Logged]:
        """Return of what an intent is about what somebody decided so already, and by which change.

        It was decided on the very text that was shown, and what came of it stands.
        """
        from remem.core.history.decided_alike import decided_alike

        wait = {item.ref for item in self.queue() if item.id in intent.items}
        found = decided_alike(self._library, self.past, intent)
        return {ref: logged for ref, logged in found.items() if ref not in wait}

    def undo(self, name: str | None = None) -> Reverted:
        """Take back a change and what followed from it: the named one, or a person's last.

        Without a name it is the last change at this root that a person set off, by any door, and
        that still stands.

        Raises:
            NotPossible: There is nothing to undo, or a review was taken as seen for good.
            ChangedOnDisk: What others did since cannot be told apart from it.
        """
        if name is None:
            # What a crash left is not the last change, and is settled before it is asked for.
            name = self._last(self.journal.last_to_undo, "undo")
        else:
            self._begin_once()
        with self._saying_what_was_let_go(name):
            return self._again(self.committer.undo, name)

    def would_undo(self, name: str | None = None) -> Reverting:
        """Return what `undo` would do now; it raises what that raises."""
        name = self._last(self.journal.last_to_undo, "undo") if name is None else name
        with self._saying_what_was_let_go(name):
            return self.committer.would_revert(name, self._is_sound, back=True)

    def would_redo(self, name: str | None = None) -> Reverting:
        """Return what `redo` would do now; it raises what that raises."""
        name = self._last(self.journal.last_to_redo, "redo") if name is None else name
        return self.committer.would_revert(name, self._is_sound, back=False)

    @contextmanager
    def _saying_what_was_let_go(self, name: str) -> Iterator[None]:
        """Say of an old review that nothing is left to take back, and not that it was changed."""
        try:
            yield
        except ChangedOnDisk:
            if self._has_let_go(name):
                raise NotPossible(
                    "this review is more than 30 days old: what it marked counts as seen for good",
                    hint="edit, archive or remove the entries themselves; "
                    "`remem undo ID` takes back another change of `remem history`",
                ) from None
            raise

    def _has_let_go(self, name: str) -> bool:
        """Tell whether a change marked something as reviewed that became what counts as seen."""
        from remem.store.changes.steps import paths_of

        paths = [
            path
            for each in self.journal.steps(self.journal.get(name).id)
            for path in paths_of(each)
        ]
        mine = [path for path in paths if path.parent == self.inbox.reviewed]
        return bool(mine) and all(self.disk.kind(path) is None for path in mine)

    def redo(self, name: str | None = None) -> Reverted:
        """Do again what was undone last, until a new change was made.

        Raises:
            NotPossible: There is nothing to redo.
            ChangedOnDisk: What others did since stands in its place.
        """
        if name is None:
            name = self._last(self.journal.last_to_redo, "redo")
        else:
            self._begin_once()
        return self._again(self.committer.redo, name)

    def growing(self) -> Iterator[Growth]:
        """Yield how much everyone started with over time, again after every step of looking."""
        from remem.core.history.trend import growing

        budget = self.config.tokens.budget
        return growing(self._library, self.places, self._counter, self.journal, budget=budget)

    @property
    def history_search(self) -> HistorySearch:
        """What looks for text that changes or commits took out of memory."""
        from remem.core.history.search_history import HistorySearch

        return HistorySearch(self.root, self.journal, self._library)

    def recover(self) -> tuple[Recovered, ...]:
        """Finish or take back what a crash left behind; safe to call any time."""
        found = self.committer.recovery.run()
        if found:
            self.unfinished.tell(found)
            self.refresh()
        return found

    def pending(self) -> tuple[Logged, ...]:
        """Return the changes that a crash left unfinished; nothing is touched."""
        return self.committer.recovery.pending()

    def watcher(self) -> Watcher:
        """Return what tells of changes on disk, remem's own writes left out."""
        from remem.store.watch import Watcher

        return Watcher(
            watched_trees(self._library.ground, self._library.formats),
            self.disk,
            self._own,
            polling=self.config.watch.polling,
            ignored=(self.places.state, self.places.cache),
            files=self._single_files,
        )

    def _single_files(self) -> set[Path]:
        library = self._library
        return {*single_files(library.ground, library.sources, library.formats)}

    def _begin_once(self) -> None:
        """Begin if this session only read so far.

        What another process left by a crash, or marked as reviewed, is always minded.
        """
        self.follow()
        start = self.recover if self._has_begun else self.begin
        try:
            start()
        except WriteFailed:
            if not self.committer.recovery.make_sound():
                raise
            start()
        self.look_at_reviews()

    def _last(self, which: Callable[[Path], Logged | None], verb: str) -> str:
        """Return the id of the change that undo or redo without a name is about.

        Raises:
            NotPossible: There is none.
            WriteFailed: The history was damaged, and what is left of it may name another one.
        """
        told = self.committer.recovery.make_sound()
        self._begin_once()
        if told:
            raise WriteFailed(told, hint=f"see `remem history`, then {verb} by id")
        found = which(self.root)
        if found is None:
            raise Already(f"nothing to {verb}", hint="the history tells what was done")
        return found.id

    def _settle(self, *, fresh: bool = False, leaving: bool = False) -> None:
        made = self.committer.settle(
            self._render, self._origin, self._is_sound, fresh=fresh, leaving=leaving
        )
        for committed in made:
            self._reread(touched_paths(committed.change.effects))

    def _prune(self) -> None:
        if self.journal.exists and self.journal.is_prune_due(self.clock.now()):
            self.journal.prune(self.config.journal.keep, self.clock.now())
            self.inbox.prune()

    def _hold(self, aside: Aside) -> bool:
        """Carry out again what was reverted at once; tell whether anything was."""
        held = False
        for change, intent in self.observer.early(aside):
            # What cannot be done again on what stands now waits in the queue instead.
            with suppress(RememError):
                planned = self.plan(intent)
                self.committer.hold(change, planned, self._render)
                self._reread(touched_paths(planned.effects))
                held = True
        return held

    def _commit(self, change: Change) -> Committed:
        from remem.store.changes.effects_to_steps import BaseMoved, is_of_rows

        self._peek = None  # one that failed may have left its own
        touched = touched_paths(change.effects)
        state = self.observer.git_state(touched)
        if not is_of_rows(change.effects):
            return self.committer.commit(change, self._render, self._origin, state)
        try:
            return self.committer.commit_rows(change, self._origin, state, looks=True)
        except BaseMoved:
            raise
        except ChangedOnDisk as moved:
            raise BaseMoved(*touched) from moved

    def _again(self, act: Callable[[str, Render, Sound], Reverted], name: str) -> Reverted:
        from remem.store.changes.effects_to_steps import BaseMoved

        for _ in range(TRIES):
            try:
                return self._reverted(act(name, self._render, self._is_sound))
            except BaseMoved as moved:
                self.refresh(moved.paths)
        raise _busy()

    @property
    def _origin(self) -> Origin:
        from remem.store.history.journal_records import Origin

        set_off: SetOff = "agent" if self.actor == "agent" else "person"
        return Origin(self.root, self.actor, self.door, set_off, self._head or "")

    @contextmanager
    def as_one(self) -> Iterator[None]:
        """Let the changes that are made meanwhile be one decision: they follow from the first."""
        self._head = ""
        try:
            yield
        finally:
            self._head = None

    def _read_before(self, path: Path) -> tuple[bytes, str] | None:
        """Return what the snapshot holds of a file, so that equal bytes need no hashing."""
        found = next((source for source in self._library.sources if source.path == path), None)
        return (found.data, found.digest) if found is not None and found.digest else None

    def _is_sound(self, path: Path, data: bytes) -> bool:
        """Tell whether merged bytes of a source still read without a blocking problem."""
        for source in self._library.sources:
            if source.path == path:
                each = self._library.format(source.format)
                return each.reader.read(replace(source, problems=()), data).is_writable
        return True

    def _note_own(self, made: Committed, before: Library) -> None:
        change = made.change
        with suppress(WriteFailed):
            if not self._has_inbox:
                return
            asked, effects = change.intent, change.effects
            if self.actor == "person":
                self.inbox.note_own(made.id, asked, effects, before, self._library)
            else:
                by = f"{self.actor} through remem ({self.door})"
                self.inbox.note_written(self._library, effects, by)

    def _reverted(self, reverted: Reverted) -> Reverted:
        from remem.store.changes.steps import paths_of

        changes = (reverted.logged, *reverted.with_it)
        steps = [step for each in changes for step in self.journal.steps(each.id)]
        paths = frozenset(path for step in steps for path in paths_of(step))
        if self._has_inbox:
            self.inbox.set_undone({each.id: each.undone for each in changes}, paths)
        self._reread(paths, looks=True)
        return reverted

    def _render(self, derived: Derived) -> bytes | None:
        """Render a derived file from the bytes that stand now.

        Raises:
            WriteFailed: A file that was read before cannot be read now.
        """
        before = {each.key for each in self._library.of_format(derived.format) if each.digest}
        library = self._library.refresh_format(derived.format)
        self._peek = library, derived.format
        sources = library.of_format(derived.format)
        for source in sources:
            if not source.digest and source.key in before:
                raise WriteFailed(
                    f"`{source.path}` can no longer be read, and "
                    f"`{derived.path.name}` is generated from it",
                    hint="nothing was written; try again",
                )
        return rendered(library, derived)

    def _reread(
        self,
        paths: Collection[Path],
        *,
        looks: bool = False,
        made: tuple[Committed, Library] | None = None,
    ) -> None:
        """Read what was just written; what stood beside it may have been answered by it.

        Args:
            paths: Of files that were written.
            looks: Look after decisions though nothing stands beside memory.
            made: A change, and the snapshot that it was planned on: the watcher may have read what
                it wrote already.
        """
        with self._lock:
            if not self._settings.isdisjoint(paths):
                self._renew_settings()
            peek, name = self._peek or (None, "")
            # One change renders when the rest of it stands. Of several, as when a decision and what
            # followed are undone, a later one may have written what decides which sources exist.
            found = name if made is not None else ""
            self._library = self._library.refresh(paths, peek=peek, found=found)
            self._peek = None
            if made is not None:
                self._note_own(*made)
            if made is not None and self._is_shown_first(paths, made[0].change.intent):
                self._unlooked.append(self._library)
            elif self._has_begun and (looks or self._library.has_aside):
                aside = self.observer.look(self._library, writing=False)
                aside = self._with_unreviewed(self._library, aside)
                self._library = self._library.with_aside(aside)
        self._tell(self._library, own=True)

    def _is_shown_first(self, paths: Collection[Path], intent: Intent) -> bool:
        """Tell whether a screen shows a change before it is looked what became of decisions.

        Nothing that was found lies in what it wrote.
        """
        return self.door == "tui" and not self._library.aside.concerns(paths, intent.shown)


def _busy() -> ChangedOnDisk:
    return ChangedOnDisk(
        f"the files kept changing ({TRIES} attempts)",
        hint="wait until the agents are done, then try again",
    )
