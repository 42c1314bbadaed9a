"""A root that is open for looking: everything that a door can see, and plan, without writing.

It joins the rooms and decides nothing itself. What only deciding needs is imported by it: composing
and listing start in three quarters of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from remem.clock import Clock
from remem.config import Places
from remem.curation.seen import Seen
from remem.disk.io import Disk, real_path
from remem.disk.own import OwnWrites
from remem.formats.registry import FORMATS, UNREAD
from remem.library import Library, open_library
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Problem, Ref
from remem.model.prompt import Ask, Prompt
from remem.opening import (
    LeftScreen,
    ground_of,
    login_name,
    memory_files,
    memory_server,
    plain_of,
    read_config,
)
from remem.prompt.kept import Prompts
from remem.prompt.tokens import Counter, Estimate, exact_counter
from remem.workspaces import is_whole, repositories_of, repository_of, within, workspaces_of

if TYPE_CHECKING:
    from remem.code.ranges import Ends
    from remem.curation.branch import Branch
    from remem.curation.item import Item, Like
    from remem.disk.history import Actor, Door
    from remem.disk.preview import FilePreview
    from remem.prompt.explain import Explanation
    from remem.prompt.impact import Impact
    from remem.prompt.loaded import Agent
    from remem.revisions import Revisions

Listener = Callable[[Library, bool], None]


class Opened:
    """Everything that a door can see at one root; it changes no file."""

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
        self.root = real_path(root)
        self.places = replace(places, home=real_path(places.home))
        self.door: Door = door
        self.actor: Actor = actor
        self.clock = clock or Clock()
        self.disk = disk or Disk()
        self.seen = Seen()
        self._lock = RLock()
        self._own = OwnWrites()
        self._listeners: list[Listener] = []
        self._counter: Counter = Estimate()
        self._prompts = Prompts()
        self._peek: Library | None = None
        """The snapshot that the last derived file was rendered from, until the commit is done."""
        self._reached: tuple[Change, tuple[tuple[Ask, Impact], ...]] | None = None
        self._knows_who = False
        self._has_begun = False
        self.config, self._config_problems = read_config(self.disk, self.root, self.places)
        given = (self.disk, self.clock, self.root, self.places, self.config)
        self.memory_server = memory_server(*given)
        """What is asked for verified memory; screens ask it once they stand."""
        if self.memory_server is not None and door != "tui":
            self.memory_server.ask()
        ground = ground_of(*given, self.memory_server)
        self._library = open_library(ground, FORMATS)

    @property
    def library(self) -> Library:
        return self._library

    @property
    def counter(self) -> Counter:
        """The exact counter once `load_counter` ran; an estimate before."""
        return self._counter

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with remem's own settings."""
        return self._config_problems

    def load_counter(self) -> Counter:
        """Load the vocabulary; takes a third of a second the first time."""
        if not self._counter.exact:
            self._counter = exact_counter(self.config.tokens.encoding, self.places.cache, self.disk)
        return self._counter

    def subscribe(self, listener: Listener) -> None:
        """Call `listener` with every new snapshot, in the thread that made it.

        It also hears whether this workbench made the change itself.
        """
        self._listeners.append(listener)

    def queue(self) -> tuple[Item, ...]:
        """Return all that waits for a decision, grouped, in a steady order."""
        from remem.curation.queue import queue

        return queue(self._library)

    def likes(self, item: Item) -> tuple[Like, ...]:
        """Return the entries that an item resembles or contradicts."""
        from remem.curation.queue import likes

        whole = self._library
        there = repository_of(whole, item.ref) if whole.has(item.ref) else ""
        return likes(within(whole, there), item)

    def item(self, name: str) -> Item:
        """Return what waits under an id, a start of it, or a ref; raises `UnknownRef`."""
        from remem.curation.queue import find_item

        return find_item(self._library, name)

    def intend(self, verb: str, entries: Iterable[Entry], **arguments: Json) -> Intent:
        """Return the intent of one verb on entries as they were shown."""
        return Intent(verb, {entry.ref: entry.digest for entry in entries}, arguments)

    def plan(self, intent: Intent) -> Change:
        """Plan on the newest snapshot, or raise `Conflict`; nothing is written."""
        from remem.curation.conflict import plan_renewed

        return plan_renewed(self._known(), intent, self.seen.view)

    def preview(self, change: Change) -> tuple[FilePreview, ...]:
        """Return what a change would write, file by file, derived files last."""
        from remem.disk.preview import previews

        return previews(self.disk, change.effects, self._library.shown)

    def impact(self, change: Change, asks: Sequence[Ask]) -> tuple[Impact, ...]:
        """Return what a change does to the prompt of each ask."""
        from remem.prompt.impact import impact

        after = self._library.preview(change.effects)
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
        found = workspaces_of(self._library)
        if not found:
            return ()
        if not is_whole(self._library):
            whole = Opened(found[0].root, self.places, door="cli", clock=self.clock, disk=self.disk)
            whole._counter = self._counter
            try:
                return whole.reach(change)
            finally:
                if whole.memory_server is not None:
                    whole.memory_server.close()
        asks = [
            Ask(repository=each.name, role=role)
            for each in repositories_of(self._library)
            for role in within(self._library, each.name).role_names()
        ]
        return tuple(zip(asks, self.impact(change, asks), strict=True))

    def unread(self) -> tuple[Path, ...]:
        """Return the places at this root whose memory remem does not read."""
        places = (self.root / name for name in UNREAD)
        return tuple(path for path in places if self.disk.kind(path) is not None)

    def limits(self) -> tuple[Problem, ...]:
        """Return what the file systems of this root cannot do for a safe commit."""
        from remem.disk.limits import limits_at

        paths = [source.path for source in self._library.sources]
        found: list[Problem] = []
        for path in memory_files(self._library.ground, paths):
            limits = limits_at(self.disk, path)
            if not limits.is_whole:
                found.append(
                    Problem(
                        "degraded",
                        f"the file system here ({limits.kind or 'unknown'}) cannot "
                        + ("tell who writes" if limits.exchanges else "swap two files in one step"),
                        "decide while no agent is writing, or work on a local disk",
                        path=path,
                    )
                )
        return tuple(found)

    @property
    def left_screen(self) -> LeftScreen:
        """The screen on which the TUI was left at this root."""
        return LeftScreen(self.disk, self.clock, self.places.cache, self.root)

    def compose(self, ask: Ask, *, library: Library | None = None) -> Prompt:
        """Compose a prompt on the newest snapshot, or on the one given."""
        library = within(library or self._library, ask.repository)
        if not ask.budget and self.config.tokens.budget:
            ask = replace(ask, budget=self.config.tokens.budget)
        return self._prompts.of(library, ask, self._counter)

    def as_loaded(self, ask: Ask) -> Prompt:
        """Return what an agent that loads files itself gets at its start."""
        from remem.prompt.loaded import as_loaded

        library = within(self._library, ask.repository)
        return as_loaded(library.formats, library.ground, library.sources, ask, self._counter)

    def why(self, ref: Ref, ask: Ask, *, as_loaded: bool = False) -> Explanation:
        """Explain why an entry is in a prompt or not."""
        from remem.prompt.explain import explain

        prompt = self.as_loaded(ask) if as_loaded else self.compose(ask)
        return explain(self._library.entry(ref), prompt)

    def agents(self) -> tuple[Agent, ...]:
        """Return who starts with what; of a workspace, what its repositories share."""
        from remem.prompt.loaded import agents

        library = within(self._library, "")
        return agents(library.ground, library.sources, self._counter)

    def revisions(self) -> Revisions:
        """Return the past of this root as git has it; raises `NotPossible` without a repository."""
        from remem.revisions import Revisions

        return Revisions(self._library, self.places)

    def branch(self, asked: str) -> tuple[Ends, Branch]:
        """Return what `A..B`, `A...B`, or the work tree since `A`, does to memory.

        Raises:
            NotPossible: There is no repository, or no such commits.
        """
        from remem.curation.branch import branch

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
        from remem.prompt.asks import role_asks

        return role_asks(self._library)

    @property
    def _settings_path(self) -> Path:
        return self.root / ".remem" / "config.yaml"

    def _renew_layouts(self) -> None:
        """Take over which plain files the settings name now; all else counts from the start."""
        config, _ = read_config(self.disk, self.root, self.places)
        plain = plain_of(config)
        if plain != self._library.ground.plain:
            self._library = self._library.on(replace(self._library.ground, plain=plain))

    def _known(self) -> Library:
        """Return the snapshot, with the name of who decides looked up once."""
        if not self._knows_who:
            from remem.code import git

            by = git.user_name(self.root) or login_name()
            with self._lock:
                self._library = self._library.on(replace(self._library.ground, by=by))
            self._knows_who = True
        return self._library

    def _tell(self, library: Library, *, own: bool) -> None:
        for listener in self._listeners:
            listener(library, own)
