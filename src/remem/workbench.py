"""The one façade that all doors share: open, plan, apply, undo, refresh, subscribe.

It joins the rooms and decides nothing itself. A door holds one workbench and reads snapshots from
it; everything that is written goes through `apply`, `undo` and `redo`. What only deciding and
watching need is imported by them: composing and listing start in three quarters of the time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from remem.clock import Clock
from remem.code import git
from remem.config import Config, Places, load_config
from remem.disk.cached import put_cached
from remem.disk.io import Disk, Unreadable, real_path
from remem.disk.own import OwnWrites
from remem.disk.yaml_read import parse_document
from remem.errors import ChangedOnDisk, NotPossible
from remem.formats.personas.layouts import BUILT_IN
from remem.formats.protocol import Ground
from remem.formats.registry import FORMATS, UNREAD
from remem.library import FileChange, Library, differences, open_library
from remem.model.change import Change, Committed, Derived, Intent, Json, touched_paths
from remem.model.entry import Entry, Problem, Ref, digest_of
from remem.model.layout import Base, Layout
from remem.model.prompt import Ask, Prompt
from remem.prompt.explain import Explanation, explain
from remem.prompt.kept import Prompts
from remem.prompt.loaded import Agent, agents, as_loaded
from remem.prompt.tokens import Counter, Estimate, exact_counter

if TYPE_CHECKING:
    from remem.curation.queue import Item, Like
    from remem.disk.commit import Committer, Recovered, Reverted
    from remem.disk.history import Actor, Door, Logged, Origin
    from remem.disk.journal import Journal
    from remem.disk.preview import FilePreview
    from remem.disk.watch import Watcher
    from remem.prompt.impact import Impact

Listener = Callable[[Library, bool], None]

TRIES: Final = 3
"""How often an intent is planned again on fresher bytes before it is given up (DESIGN §2)."""

OUTSIDE_KEPT: Final = 200
"""Changes from outside that one session remembers."""


@dataclass(frozen=True, slots=True)
class OutsideChange:
    """A change that none of the doors made, as this session saw it."""

    number: int
    """Of this session, from 1."""
    time: datetime
    file: FileChange


class Workbench:
    """Everything that a door can do at one root."""

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
        self.outside: deque[OutsideChange] = deque(maxlen=OUTSIDE_KEPT)
        self._seen = 0
        self._lock = RLock()
        self._own = OwnWrites()
        self._listeners: list[Listener] = []
        self._counter: Counter = Estimate()
        self._prompts = Prompts()
        self._peek: Library | None = None
        """The snapshot that the last derived file was rendered from, until the commit is done."""
        self._knows_who = False
        self.config, self._config_problems = self._load_config()
        self._library = open_library(self._ground(), FORMATS)

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

    @cached_property
    def journal(self) -> Journal:
        from remem.disk.journal import Journal

        return Journal(self.disk, self.places.state)

    @cached_property
    def committer(self) -> Committer:
        from remem.disk.commit import Committer

        return Committer(
            self.disk,
            self.journal,
            self.clock,
            self.places.state,
            own=self._own,
            known=self._read_before,
        )

    def close(self) -> None:
        """Give the history's database back, if it was opened; the next use opens it again."""
        if "journal" in self.__dict__:
            self.journal.close()

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

    def refresh(self, paths: Collection[Path] | None = None) -> Library:
        """Read again what changed and tell the listeners if anything did."""
        with self._lock:
            before = self._library
            after = before.refresh(paths)
            self._library = after
        changed = differences(before, after)
        if not changed and len(before.sources) == len(after.sources):
            return after
        for change in changed:
            if not self._own.is_own(self.disk, change.path):
                self._seen += 1
                self.outside.appendleft(OutsideChange(self._seen, self.clock.now(), change))
        self._tell(after, own=False)
        return after

    def queue(self) -> tuple[Item, ...]:
        """Return all that waits for a decision, grouped, in a steady order."""
        from remem.curation.queue import queue

        return queue(self._library)

    def likes(self, item: Item) -> tuple[Like, ...]:
        """Return the entries that an item resembles or contradicts."""
        from remem.curation.queue import likes

        return likes(self._library, item)

    def item(self, name: str) -> Item:
        """Return what waits under an id, a start of it, or a ref; raises `UnknownRef`."""
        from remem.curation.queue import find_item

        return find_item(self._library, name)

    def intend(self, verb: str, entries: Iterable[Entry], **arguments: Json) -> Intent:
        """Return the intent of one verb on entries as they were shown."""
        return Intent(verb, {entry.ref: entry.digest for entry in entries}, arguments)

    def plan(self, intent: Intent) -> Change:
        """Plan on the newest snapshot; nothing is written."""
        from remem.curation.verbs import plan

        return plan(self._known(), intent)

    def preview(self, change: Change) -> tuple[FilePreview, ...]:
        """Return what a change would write, file by file, derived files last."""
        from remem.disk.preview import previews

        return previews(self.disk, change.effects)

    def impact(self, change: Change, asks: Sequence[Ask]) -> tuple[Impact, ...]:
        """Return what a change does to the prompt of each ask."""
        from remem.prompt.impact import impact

        after = self._library.preview(change.effects)
        return tuple(impact(self.compose(ask), self.compose(ask, library=after)) for ask in asks)

    def apply(self, intent: Intent) -> Committed:
        """Plan and commit; plan again when the files moved meanwhile.

        Raises:
            ChangedOnDisk: They moved each time, or an entry is no longer what was shown.
            NotPossible: There is nothing to do.
        """
        from remem.disk.plan import BaseMoved

        self.recover()
        for _ in range(TRIES):
            change = self.plan(intent)
            try:
                committed = self.committer.commit(change, self._render, self._origin)
            except BaseMoved as moved:
                self.refresh(moved.paths)
                continue
            self._reread(touched_paths(change.effects))
            return committed
        raise ChangedOnDisk(
            f"the files changed {TRIES} times while this was being written",
            hint="wait until the agents are done, then decide again",
        )

    def undo(self, name: str | None = None) -> Reverted:
        """Take back a change: the last one of this kind of actor at this root, or the named one.

        Raises:
            NotPossible: There is nothing to undo.
            ChangedOnDisk: What others did since cannot be told apart from it.
        """
        if name is None:
            last = self.journal.last_to_undo(self.root, self.actor)
            if last is None:
                raise NotPossible("there is nothing to undo", hint="see `remem history`")
            name = last.id
        return self._reverted(self.committer.undo(name, self._render, self._is_sound))

    def redo(self, name: str | None = None) -> Reverted:
        """Do again what was undone last, until a new change was made.

        Raises:
            NotPossible: There is nothing to redo.
            ChangedOnDisk: What others did since stands in its place.
        """
        if name is None:
            last = self.journal.last_to_redo(self.root, self.actor)
            if last is None:
                raise NotPossible("there is nothing to redo", hint="see `remem history`")
            name = last.id
        return self._reverted(self.committer.redo(name, self._render, self._is_sound))

    def history(self, limit: int = 200) -> tuple[Logged, ...]:
        """Return the changes that touched this root, newest first."""
        return self.journal.changes(self.root, limit)

    def diff_of(self, logged: Logged) -> tuple[FilePreview, ...]:
        """Return what a change in the history did, file by file."""
        from remem.disk.preview import step_previews

        return step_previews(self.journal.steps(logged.id))

    def recover(self) -> tuple[Recovered, ...]:
        """Finish or take back what a crash left behind; safe to call any time."""
        found = self.committer.recover()
        if found:
            self.refresh()
        return found

    def pending(self) -> tuple[Logged, ...]:
        """Return the changes that a crash left unfinished; nothing is touched."""
        return self.committer.pending()

    def unread(self) -> tuple[Path, ...]:
        """Return the places at this root whose memory remem does not read."""
        places = (self.root / name for name in UNREAD)
        return tuple(path for path in places if self.disk.kind(path) is not None)

    def left_mode(self) -> str:
        """Return the screen on which the TUI was left at this root; empty when not known."""
        try:
            return self.disk.read(self._left).decode("ascii", "replace").strip()
        except Unreadable:
            return ""

    def leave_mode(self, mode: str) -> None:
        """Note the screen for the next time; a cache, so that failing is no harm."""
        with suppress(OSError):
            put_cached(self.disk, self._left, mode.encode("ascii", "replace"), self.clock)

    def watcher(self) -> Watcher:
        """Return what tells of changes on disk, remem's own writes left out."""
        from remem.disk.watch import Watcher

        bases = {Base.ROOT: self.root, Base.HOME: self.places.home}
        trees = {self.root / name for name in (".sniper", ".remem")}
        for layout in self._layouts:
            files = (*layout.shared, *layout.profiles)
            patterns = (layout.folder, *(file.pattern for file in files))
            trees |= {_fixed_folder(bases[layout.base], pattern) for pattern in patterns}
        return Watcher(
            sorted(trees),
            self.disk,
            self._own,
            polling=self.config.watch.polling,
            ignored=(self.places.state, self.places.cache),
        )

    def compose(self, ask: Ask, *, library: Library | None = None) -> Prompt:
        """Compose a prompt on the newest snapshot, or on the one given."""
        library = library or self._library
        if not ask.budget and self.config.tokens.budget:
            ask = replace(ask, budget=self.config.tokens.budget)
        return self._prompts.of(library, ask, self._counter)

    def as_loaded(self, ask: Ask) -> Prompt:
        """Return what an agent that loads files itself gets at its start."""
        library = self._library
        return as_loaded(library.formats, library.ground, library.sources, ask, self._counter)

    def why(self, ref: Ref, ask: Ask, *, as_loaded: bool = False) -> Explanation:
        """Explain why an entry is in a prompt or not."""
        prompt = self.as_loaded(ask) if as_loaded else self.compose(ask)
        return explain(self._library.entry(ref), prompt)

    def agents(self) -> tuple[Agent, ...]:
        """Return who starts with what."""
        return agents(self._library.ground, self._library.sources, self._counter)

    def roles(self) -> tuple[str, ...]:
        """Return every role of this root, sorted, each once."""
        return self._library.role_names()

    def _load_config(self) -> tuple[Config, tuple[Problem, ...]]:
        user, bad_user = self._settings(self.places.config / "config.yaml")
        root, bad_root = self._settings(self.root / ".remem" / "config.yaml")
        config, problems = load_config(user, root)
        return config, (*bad_user, *bad_root, *problems)

    def _settings(self, path: Path) -> tuple[Mapping[str, Any], tuple[Problem, ...]]:
        if self.disk.kind(path) is None:
            return {}, ()
        try:
            document = parse_document(self.disk.read(path))
        except Unreadable as error:
            return {}, (Problem(error.why, str(error), error.hint, path=path),)
        problems = tuple(replace(problem, path=path) for problem in document.problems)
        if document.value is None or isinstance(document.value, dict):
            return document.value or {}, problems
        wrong = Problem(
            "shape", "settings are `key: value` lines", "write `theme: nord`", path=path
        )
        return {}, (*problems, wrong)

    def _ground(self) -> Ground:
        return Ground(
            root=self.root,
            home=self.places.home,
            disk=self.disk,
            project=self.root.name,
            layouts=self._layouts,
            roles=self.config.roles,
            clock=self.clock,
            night_watch_home=self.places.night_watch,
        )

    def _known(self) -> Library:
        """Return the snapshot, with the name of who decides looked up once."""
        if not self._knows_who:
            by = git.user_name(self.root) or _login_name()
            with self._lock:
                self._library = self._library.on(replace(self._library.ground, by=by))
            self._knows_who = True
        return self._library

    @property
    def _left(self) -> Path:
        return self.places.cache / "left" / digest_of(str(self.root).encode())

    @property
    def _origin(self) -> Origin:
        from remem.disk.history import Origin

        return Origin(self.root, self.actor, self.door)

    @property
    def _layouts(self) -> tuple[Layout, ...]:
        return (*BUILT_IN, *self.config.layouts)

    def _read_before(self, path: Path) -> tuple[bytes, str] | None:
        """Return what the snapshot holds of a file, so that equal bytes need no hashing."""
        found = next((source for source in self._library.sources if source.path == path), None)
        return (found.data, found.digest) if found is not None and found.digest else None

    def _is_sound(self, path: Path, data: bytes) -> bool:
        """Tell whether merged bytes of a source still read without a blocking problem."""
        for source in self._library.sources:
            if source.path == path:
                each = self._library.format(source.format)
                return each.read(replace(source, problems=()), data).is_writable
        return True

    def _reverted(self, reverted: Reverted) -> Reverted:
        from remem.disk.steps import paths_of

        steps = self.journal.steps(reverted.logged.id)
        self._reread(frozenset(path for step in steps for path in paths_of(step)))
        return reverted

    def _render(self, derived: Derived) -> bytes | None:
        """Render a derived file from the bytes that stand now."""
        library = self._peek = self._library.refresh_format(derived.format)
        each = library.format(derived.format)
        return each.render(library.ground, library.of_format(derived.format), derived.path)

    def _reread(self, paths: Collection[Path]) -> None:
        with self._lock:
            self._library = self._library.refresh(paths, peek=self._peek)
            self._peek = None
        self._tell(self._library, own=True)

    def _tell(self, library: Library, *, own: bool) -> None:
        for listener in self._listeners:
            listener(library, own)


def _login_name() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "someone"  # a container's user may have no name at all


def _fixed_folder(base: Path, pattern: str) -> Path:
    """Return the folder below which all that fits a layout's pattern lies."""
    parts = pattern.split("/")
    named = [any(sign in part for sign in "*?[{") for part in parts]
    fixed = parts[: named.index(True)] if True in named else parts[:-1]
    return base.joinpath(*fixed)
