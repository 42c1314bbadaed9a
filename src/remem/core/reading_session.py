"""The reading half of a session: everything that a door can see at a root, and plan.

It joins the rooms and decides nothing itself. What only deciding needs is imported by it: composing
and listing start in three quarters of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from os import fspath, sep
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Final, Self, TypeVar

from remem.base.clock import Clock, planned_at
from remem.core.library import Library, open_library
from remem.core.registered import all_systems, own, plug_ins
from remem.core.repositories import repositories_of, repository_of, within, workspaces_of
from remem.core.settings import Config, Places, read_config, settings_files
from remem.core.setup import (
    ground_of,
    memory_files,
    moved_of,
    plain_of,
    row_server,
    shut_folders,
    trees_of,
    unread_of,
)
from remem.model.change import Change, Intent, Json, touched_paths
from remem.model.entry import Entry, Problem, Ref, Status
from remem.model.prompt import Ask, Prompt
from remem.model.source import KnowsSpans
from remem.store.cache import Cache
from remem.store.io import Disk, real_path
from remem.store.write_bounds import Bounds, LedOut

if TYPE_CHECKING:
    from remem.code.commit_ranges import Ends
    from remem.core.history.revisions import Branch, Revisions
    from remem.core.last_look import Look
    from remem.core.prompt.agents import Agent, Sharing
    from remem.core.prompt.compose import Prompts
    from remem.core.prompt.counter import Counter
    from remem.core.prompt.impact import Impact
    from remem.core.prompt.why import Explanation
    from remem.core.still_as_shown import Seen
    from remem.core.waiting.item import Item, Like
    from remem.store.cache_file import KeptText
    from remem.store.changes.preview import FilePreview
    from remem.store.history.journal_records import Actor, Door
    from remem.store.own_writes import OwnWrites

T = TypeVar("T")
Listener = Callable[[Library, bool], None]
_FEW: Final = 128_000
"""Bytes of memory up to which all that one command counts takes less time than loading tiktoken."""


class ReadingSession:
    """Everything that a door can see at one root; it changes no file."""

    _library: Library

    def __init__(
        self,
        root: Path,
        places: Places,
        *,
        door: Door,
        actor: Actor = "person",
        clock: Clock | None = None,
        disk: Disk | None = None,
    ) -> None:
        """Say what is to be opened, and by whom. It reads nothing: `open` does."""
        self.root = real_path(root)
        self.places = replace(places, home=real_path(places.home))
        self._own_folders = self.places.own
        self.door: Door = door
        self.actor: Actor = actor
        self.clock = clock or Clock()
        self._opened_at = self.clock.now()
        self.disk = disk or Disk()
        self._lock = RLock()
        self._queue: tuple[int, tuple[Item, ...]] = (-1, ())
        self._queue_lock = RLock()
        self._listeners: list[Listener] = []
        self._peek: tuple[Library, str] | None = None
        """The snapshot that the last derived file was rendered from, until the commit is done, and
        the format that is up to date in it."""
        self._reached: tuple[Change, tuple[tuple[Ask, Impact], ...]] | None = None
        self._knows_who = False
        self._head: str | None = None
        """While several changes are one decision: the first of them; empty before it is made."""
        self._has_begun = False
        self.cache = Cache(self.disk, self.places.cache, self._opened_at.toordinal())
        """What was worked out before, by whichever process."""
        self.config = Config()
        self._config_problems: tuple[Problem, ...] = ()
        self._settings = frozenset(settings_files(self.root, self.places).values())
        """Remem's own settings files, the team's and the user's."""

    @classmethod
    def open(
        cls,
        root: Path,
        places: Places,
        *,
        door: Door,
        actor: Actor = "person",
        clock: Clock | None = None,
        disk: Disk | None = None,
        is_for_gate: bool = False,
    ) -> Self:
        """Return a root with its settings and all of its memory read.

        For the gate that is rules and what it knows of their places; nothing can be written.
        """
        opened = cls(root, places, door=door, actor=actor, clock=clock, disk=disk)
        opened._open(is_for_gate=is_for_gate)
        return opened

    def _open(self, *, is_for_gate: bool = False) -> None:
        self.config, self._config_problems = read_config(self.disk, self.root, self.places)
        given = (self.disk, self.clock, self.root, self.places, self.config)
        systems = own().gated if is_for_gate else all_systems()
        self._config_problems += moved_of(self.places, systems)[1]
        self.server = None if is_for_gate else row_server(*given, systems)
        """What is asked for rows that lie on a server; screens ask it once they stand."""

        def read() -> Library:
            if self.server is not None and self.door != "tui":
                self.server.ask()
            ground = ground_of(
                *given,
                systems,
                server=self.server,
                problems=self._config_problems,
                cache=self.cache,
            )
            return open_library(ground, systems)

        self._library = self._read_whole(read)

    def _read_whole(self, read: Callable[[], T]) -> T:
        """Return what is read; doors that can settle what is unfinished do so first."""
        return read()

    @property
    def library(self) -> Library:
        return self._library

    @cached_property
    def _own(self) -> OwnWrites:
        """What this process wrote, which is no change from outside."""
        from remem.store.own_writes import OwnWrites

        return OwnWrites()

    @cached_property
    def seen(self) -> Seen:
        """What was shown lately, the base of every conflict."""
        from remem.core.still_as_shown import Seen

        return Seen()

    @cached_property
    def _counter(self) -> Counter:
        from remem.core.prompt.counter import Estimate

        return Estimate()

    @cached_property
    def _prompts(self) -> Prompts:
        from remem.core.prompt.compose import Prompts

        return Prompts()

    @property
    def counter(self) -> Counter:
        """The exact counter once `load_counter` ran; an estimate before."""
        return self._counter

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with remem's own settings, and with plug-ins."""
        loaded = plug_ins()
        return self._config_problems + (() if loaded is None else loaded.problems)

    def load_counter(self) -> Counter:
        """Load the vocabulary; takes a third of a second the first time.

        A command, where memory is small, does without most of it.
        """
        if not self._counter.exact:
            from remem.core.prompt.tokens import exact_counter, known_counts

            encoding = self.config.tokens.encoding
            known = known_counts(self.cache, encoding, self.root)
            few = self.door == "cli" and sum(len(s.data) for s in self._library.sources) <= _FEW
            self._counter = exact_counter(encoding, self.places.cache, self.disk, known, few=few)
        return self._counter

    def keep(self) -> None:
        """Keep what was dear to work out for whoever opens next; call it when nobody waits."""
        if "_counter" in self.__dict__ and self._counter.exact:
            from remem.core.prompt.tokens import keep_counts

            keep_counts(self.cache, self._counter, self.root)
        self.keep_entries()

    def keep_entries(self) -> None:
        """Keep what was read of large stores for whoever opens next; call it when nobody waits."""
        sources = self._library.sources if "_library" in self.__dict__ else ()
        for source in sources:
            if isinstance(source.entries, KnowsSpans):
                source.entries.keep()
        self.cache.keep()

    def count_with(self, counter: Counter) -> None:
        """Take over a counter that was loaded elsewhere."""
        self._counter = counter

    def subscribe(self, listener: Listener) -> None:
        """Call `listener` with every new snapshot, in the thread that made it.

        It also hears whether this session made the change itself.
        """
        self._listeners.append(listener)

    def queue(self) -> tuple[Item, ...]:
        """Return all that needs a decision, grouped, in a steady order; found once."""
        from remem.core.waiting.queue import queue

        with self._queue_lock:
            library = self._library
            if self._queue[0] != library.number:
                self._queue = library.number, queue(library)
            return self._queue[1]

    def first_queue(self) -> tuple[Item, ...]:
        """Return of the queue what shows at a glance; what has to be searched for is missing."""
        from remem.core.waiting.queue import at_a_glance

        return at_a_glance(self._library)

    def likes(self, item: Item) -> tuple[Like, ...]:
        """Return the entries that an item resembles or contradicts."""
        from remem.core.waiting.queue import likes

        whole = self._library
        there = repository_of(whole, item.ref) if whole.has(item.ref) else ""
        return likes(within(whole, there), item)

    def told_of(self, item: Item) -> tuple[str, ...]:
        """Return all that a card tells of an item, a sentence each: what conflicts first."""
        from remem.core.waiting.queue import told

        whole = self._library
        there = repository_of(whole, item.ref) if whole.has(item.ref) else ""
        return told(within(whole, there), item)

    def opposed(self, item: Item) -> tuple[Ref, ...]:
        """Return what in force may say otherwise than an item, the likest first."""
        from remem.core.waiting.queue import opposed

        whole = self._library
        there = repository_of(whole, item.ref) if whole.has(item.ref) else ""
        return opposed(within(whole, there), item)

    def conflicts(self, entry: Entry) -> tuple[str, ...]:
        """Return what in force may say otherwise than a candidate, each text whole."""
        if entry.status is not Status.CANDIDATE:
            return ()
        from remem.core.relation.in_force import conflicts
        from remem.core.waiting.item import is_said_already

        whole = self._library
        if is_said_already(whole, entry.ref):
            return ()
        return conflicts(within(whole, repository_of(whole, entry.ref)), entry)

    def item(self, name: str) -> Item:
        """Return what waits under an id, a start of it, or a ref; raises `UnknownRef`."""
        from remem.core.waiting.queue import find_item

        return find_item(self._library, name)

    def intend(self, verb: str, entries: Iterable[Entry], **arguments: Json) -> Intent:
        """Return the intent of one verb on entries as they were shown."""
        return Intent(verb, {entry.ref: entry.digest for entry in entries}, arguments)

    def plan(self, intent: Intent, at: datetime | None = None) -> Change:
        """Plan on the newest snapshot, or raise `Conflict`; nothing is written.

        Args:
            intent: What is asked.
            at: The time that names in it are made of, for a plan that is shown and then written.
        """
        from remem.core.verbs.verbs import RESTORE, plan

        library = self._known()
        if not library.has_as_drawn(intent.drawn()):
            from remem.core.still_as_shown import renewed

            intent = renewed(library, intent, self.seen.view)
        with planned_at(at) if at is not None else nullcontext():
            change = plan(library, intent)
        if intent.verb == RESTORE.id:
            change = self.restored(change)
        self.bounds().check(sorted(touched_paths(change.effects)))
        return change if at is None else replace(change, planned_at=at)

    def restored(self, change: Change) -> Change:
        """Return a restoring change with each text where it stood, as far as anything tells it."""
        return change

    def bounds(self) -> Bounds:
        """Return the folders that nothing which is written leads out of."""
        # What a crash left is settled before anything is read.
        is_whole = "_library" in self.__dict__ and self._library.is_whole
        repositories = [each.path for each in repositories_of(self._library)] if is_whole else []
        return Bounds(tuple(dict.fromkeys((self.root, *repositories))), self._own_folders)

    def preview(self, change: Change, after: Library | None = None) -> tuple[FilePreview, ...]:
        """Return what a change would write, file by file; what comes out as it stands is not told.

        Args:
            change: Planned on what stands.
            after: What it leaves, where somebody looked already.
        """
        from remem.core.derived_files import without_same
        from remem.store.changes.preview import previews

        bounds = self.bounds()
        effects = without_same(self._library, change.effects, after)
        found = previews(self.disk, effects, self._library.shown)
        return tuple(each.seen_through(bounds) for each in found)

    def impact(
        self, change: Change, asks: Sequence[Ask], after: Library | None = None
    ) -> tuple[Impact, ...]:
        """Return what a change does to the prompt of each ask.

        Args:
            change: Planned on what stands.
            asks: For whom.
            after: What it leaves, where somebody looked already.
        """
        from remem.core.prompt.impact import impact

        after = after or self._library.preview(change.effects)
        return tuple(
            impact(self.compose(ask), self.compose(ask, library=after), change.stands)
            for ask in asks
        )

    def reach(self, change: Change) -> tuple[tuple[Ask, Impact], ...]:
        """Return what a change does to every role of every repository that shares the workspace.

        Opened in one of them, the others are read for it; () where there is no workspace.
        """
        if self._reached is None or self._reached[0] is not change:
            self._reached = change, self._reach(change)
        return self._reached[1]

    def _reach(self, change: Change) -> tuple[tuple[Ask, Impact], ...]:
        from remem.core.prompt.asks import role_asks

        found = workspaces_of(self._library)
        if not found:
            return ()
        if not self._library.is_whole:
            whole = ReadingSession.open(
                found[0].root, self.places, door="cli", clock=self.clock, disk=self.disk
            )
            whole.count_with(self._counter)
            try:
                return whole.reach(change)
            finally:
                if whole.server is not None:
                    whole.server.close()
        after = self._library.preview(change.effects)
        asks = role_asks(self._library, after)
        return tuple(zip(asks, self.impact(change, asks, after), strict=True))

    def passed_over(self) -> Mapping[str, str]:
        """Return the folders that were not looked into, by their path below the root, and why.

        Of one that a tool names by its path, what lies there for the tool was read all the same.
        """
        library, root = self._library, self._library.ground.root
        told: dict[str, str] = {}
        for each in library.formats:
            if each.facets.passed_over is not None:
                told |= each.facets.passed_over(library.ground)
        paths = [fspath(source.path) for source in library.sources] if told else []
        starts = {place: f"{root / place}{sep}" for place in told}
        are_read = {
            place
            for place, start in starts.items()
            if any(path.startswith(start) for path in paths)
        }
        but = "; what tools load from there is read"
        return {place: f"{why}{but if place in are_read else ''}" for place, why in told.items()}

    def shut_folders(self) -> tuple[Problem, ...]:
        """Return a problem for each folder of memory that may not be read: it seems empty."""
        return shut_folders(self._library.ground, self._library.formats)

    def limits(self) -> tuple[Problem, ...]:
        """Return what cannot be read here, and what the file systems lack for a safe commit."""
        from remem.store.file_systems import limits_at

        paths = [source.path for source in self._library.sources]
        found = [*self.shut_folders(), *self._led_out(paths)]
        for path in memory_files(self._library.ground, paths):
            limits = limits_at(self.disk, path)
            if not limits.is_whole:
                found.append(
                    Problem(
                        "degraded",
                        f"the file system here ({limits.kind or 'unknown'}) cannot "
                        + ("detect other writers" if limits.exchanges else "swap files atomically"),
                        "decide while no agent is writing, or use a local disk",
                        path=path,
                    )
                )
        return tuple(found)

    def _led_out(self, paths: Iterable[Path]) -> Iterator[Problem]:
        """Yield each link through which what is read here cannot be written."""
        bounds, told = self.bounds(), set[Path]()
        places = [tree / "x" for tree in trees_of(self._library.ground, self._library.formats)]
        by_folder = {path.parent: path for path in (*paths, *places)}
        for path in by_folder.values():
            try:
                bounds.check([path])
            except LedOut as led:
                if led.link not in told:
                    told.add(led.link)
                    yield Problem("leads-out", str(led), led.hint, path=led.link)

    def looked_last(self) -> Look | None:
        """Return the last look at this root from any door; `None` = there was none."""
        from remem.core.last_look import last_look

        given = (self.disk, self.places.cache, self.root)
        return last_look(*given, is_named=True, environment=self.places.environment)

    def note_look(self, kept: str = "") -> None:
        """Note what is to review, for `status --short`, or that a snapshot was made."""
        from remem.core.last_look import LOOKED, note_look
        from remem.core.setup import single_files

        library = self._library
        files = {source.path for source in library.sources}
        files |= {
            path
            for path in single_files(library.ground, library.sources, library.formats)
            if self.disk.kind(path) is not None
        }
        decided = self.root / ".remem"
        files |= {decided / name for name in self.disk.names(decided)}
        if kept:
            files |= {tree / "x" for tree in trees_of(library.ground, library.formats)}
        review = 0 if kept else len(self.queue())
        given = (self.disk, self.clock, self.places.cache, self.root)
        variables = {name for each in library.formats for name in each.facets.moved_by}
        told = {name: self.places.environment.get(name, "") for name in sorted(variables)}
        note_look(*given, review, files, kept or LOOKED, told)

    @property
    def left_screen(self) -> KeptText:
        """The screen on which the TUI was left at this root."""
        from remem.store.cache_file import KeptText

        return KeptText(self.disk, self.clock, self.places.cache / "left", self.root)

    @property
    def left_review(self) -> KeptText:
        """What was decided in the review that was left at this root."""
        from remem.store.cache_file import KeptText

        return KeptText(self.disk, self.clock, self.places.state / "review", self.root)

    def compose(self, ask: Ask, *, library: Library | None = None) -> Prompt:
        """Compose a prompt on the newest snapshot, or on the one given."""
        library = within(library or self._library, ask.repository)
        return self._prompts.of(library, self._budgeted(ask), self._counter)

    def _budgeted(self, ask: Ask) -> Ask:
        if ask.budget or not self.config.tokens.budget:
            return ask
        return replace(ask, budget=self.config.tokens.budget)

    def may_differ(self, asks: Iterable[Ask], after: Library) -> tuple[Ask, ...]:
        """Return the asks that are offered something else afterwards; the others get the same."""
        library = self._library
        return tuple(
            ask
            for ask in asks
            if self._prompts.differ(
                within(library, ask.repository), within(after, ask.repository), self._budgeted(ask)
            )
        )

    def as_loaded(self, ask: Ask, among: Sharing | None = None) -> Prompt:
        """Return what an agent that loads files itself gets at its start.

        Args:
            ask: Who it is.
            among: Of `sharing`, where several agents are asked for.
        """
        from remem.core.prompt.agents import as_loaded

        library = within(self._library, ask.repository)
        return as_loaded(library, ask, self._counter, among)

    def sharing(self) -> Sharing:
        """Return what gathers what several of `agents` are given alike."""
        from remem.core.prompt.agents import sharing

        return sharing(within(self._library, ""), self._counter)

    def why(self, ref: Ref, ask: Ask, *, as_loaded: bool = False) -> Explanation:
        """Explain why an entry is in a prompt or not."""
        from remem.core.prompt.why import explain

        prompt = self.as_loaded(ask) if as_loaded else self.compose(ask)
        return explain(self._library.entry(ref), prompt, self._library.source_of(ref).owner)

    def agents(self) -> tuple[Agent, ...]:
        """Return who starts with what; of a workspace, what its repositories share."""
        from remem.core.prompt.agents import agents

        library = within(self._library, "")
        return agents(library, self._counter)

    def revisions(self) -> Revisions:
        """Return the past of this root as git has it; raises `NotPossible` without a repository."""
        from remem.core.history.revisions import Revisions

        return Revisions(self._library, self.places)

    def branch(self, asked: str) -> tuple[Ends, Branch]:
        """Return what `A..B`, `A...B`, or the work tree since `A`, does to memory.

        Raises:
            NotPossible: There is no repository, or no such commits.
        """
        from remem.core.history.revisions import branch

        past = self.revisions()
        ends = past.ends(asked)
        with past.reading():
            after, now = past.at(ends.new) if ends.new else (self._library, self.config)
            # All of it is compared; what is read first need not be read again of the other one.
            for _ in after.complete():
                pass
            before, then = past.at(ends.old)
            budgets = (then.tokens.budget, now.tokens.budget)
            return ends, branch(before, after, self._counter, budgets)

    def roles(self) -> tuple[str, ...]:
        """Return every role of this root, sorted, each once."""
        return self._library.role_names()

    def asks(self) -> tuple[Ask, ...]:
        """Return an ask for every role, in a workspace for those of each repository."""
        from remem.core.prompt.asks import role_asks

        return role_asks(self._library)

    def _renew_settings(self) -> None:
        """Take over which plain files and roles settings name now, and whether they can be read.

        All else counts from the start.
        """
        config, problems = read_config(self.disk, self.root, self.places)
        ground = self._library.ground
        plain = plain_of(config, self._library.formats)
        renewed = replace(ground, plain=plain, unread=unread_of(problems), roles=config.roles)
        if renewed != ground:
            self._library = self._library.on(renewed)

    def _known(self) -> Library:
        """Return the snapshot, with the name of who decides looked up once."""
        if not self._knows_who:
            from remem.code import git

            by = git.person_at(self.root)
            with self._lock:
                self._library = replace(self._library, by=by)
            self._knows_who = True
        return self._library

    def _tell(self, library: Library, *, own: bool) -> None:
        for listener in self._listeners:
            listener(library, own)
