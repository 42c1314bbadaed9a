"""Verified memory as the command line, MCP and the provider use it.

Memories are hypotheses. Nothing is kept whose citations are not there, nothing is given out without
a verdict, and every use is logged. Code is only read, and never run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from itertools import islice, takewhile
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Final, TypeVar

from remem.base.clock import Clock
from remem.base.errors import NotPossible, RememError, reason, remedy
from remem.code.choose_reader import WORKTREE, names_of, reader_of
from remem.code.citations import Progress, filled, verify
from remem.code.code_reader import NoText, Reader, plain_path
from remem.core.own_folder import IGNORED
from remem.core.settings import ADDRESS, Config, Places, read_config
from remem.model.citation import Citation, CitationStatus, Verdict, require_place, together
from remem.model.entry import Status
from remem.store.cache_file import put_cached
from remem.store.io import Disk
from remem.store.unfinished import READERS_WAIT, Unfinished
from remem.systems.facts.database.row_records import (
    DATABASE,
    BadMemory,
    StoreReadOnly,
    StoreUnavailable,
)
from remem.systems.facts.opposed import opposed, saying_the_same
from remem.systems.facts.records import (
    NOBODY,
    SOFT_LIMIT,
    Actor,
    Correction,
    EventName,
    Memory,
    NewMemory,
    Stats,
    Telemetry,
    Usage,
    words_of,
)
from remem.systems.facts.verdicts import (
    MOST,
    Cited,
    History,
    Kept,
    Looked,
    NotHeld,
    event,
    examined,
    judged,
    looked_through,
    page,
    require_citations,
    require_clean,
    result,
    unchecked,
    without_secret,
)

if TYPE_CHECKING:
    from remem.model.change import Change
    from remem.store.changes.commit import Committer
    from remem.store.changes.recovery import Recovered
    from remem.store.history.journal import Journal
    from remem.store.history.journal_records import Actor as HistoryActor
    from remem.store.history.journal_records import Door, SetOff
    from remem.store.write_bounds import Bounds
    from remem.systems.facts.database.memory_store import MemoryStore
    from remem.systems.facts.write_facts import Writing

T = TypeVar("T")
_PATH: Final = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*\.\w+")
"""A file, as people name it in a task."""
_MOST_PATHS: Final = 8
_AT_ONCE: Final = 25
"""Memories that are looked at before it is asked whether they fit."""
_RETIRED: Final = 5
_NEAR: Final = 20
"""Memories of one subject, or citing one file, with which a new one is compared."""
_CITED: Final = 2
"""Files of a new memory of which others that cite them are looked for."""
_OPPOSED: Final = 3
"""Conflicts that are told of a new memory."""
"""Memories that are proposed to be retired at once."""


class VerifiedMemory:
    """All that can be done with verified memory at one root."""

    def __init__(
        self,
        root: Path,
        places: Places,
        *,
        url: str | None = None,
        config: Config | None = None,
        clock: Clock | None = None,
        disk: Disk | None = None,
        environment: Mapping[str, str] | None = None,
        reader: Reader | None = None,
        door: Door = "cli",
        actor: HistoryActor = "person",
        limit: int = SOFT_LIMIT,
    ) -> None:
        """Open nothing yet.

        Args:
            root: The checkout that memories are about.
            places: Where the user's own configuration and the history lie.
            url: Address of the database; `None` = as environment and configuration say.
            config: Read from `places` unless given.
            clock: Tells the time.
            disk: The seam for files.
            environment: The process's own unless given; may name a database and hold a token.
            reader: Reads the code of this checkout; the files at the root unless given.
            door: Through which it is used, for the history.
            actor: Who uses it, for the history.
            limit: Active facts of a repository, beyond which those that served nobody are named.
        """
        self.root = root
        self._limit = limit
        self._places = places
        self._door: Door = door
        self._actor: HistoryActor = actor
        self.clock = clock or Clock()
        self.disk = disk or Disk()
        self._code = reader
        self._environment = os.environ if environment is None else environment
        self._config = config or read_config(self.disk, root, places)[0]
        self._url = url
        self._store: MemoryStore | None = None
        self._history: tuple[Journal, Committer] | None = None
        self._writing: Writing | None = None
        self._lock = RLock()
        self.written = ""
        """The id in the history of what was written last; empty = nothing was."""
        self.unlogged = ""
        """Why the verdicts of the last `verify` could not be logged; empty = they were."""
        self.unfinished = Unfinished(self.disk, places.state, self._settle)
        """What settles, before rows are read, what a crash or another process left undone."""

    @property
    def store(self) -> MemoryStore:
        """The database; opened when it is first used, once for all threads."""
        with self._lock:
            if self._store is None:
                self._store = self._opened()
            return self._store

    @property
    def writing(self) -> Writing:
        """The verbs that write; what they do is in the history."""
        with self._lock:
            if self._writing is None:
                self._writing = self._opened_writing()
            return self._writing

    def _opened_writing(self) -> Writing:
        from remem.store.history.journal_records import Origin
        from remem.systems.facts.write_facts import Writing

        # What a clone brings must not choose which file is written to.
        self._bounds().check([self.store.path])
        journal, committer = self._opened_history()
        set_off: SetOff = "agent" if self._actor == "agent" else "person"
        origin = Origin(self.root, self._actor, self._door, set_off)
        with suppress(RememError):  # what is left over waits for the next one, and nobody for it
            committer.recovery.rows()
            if journal.exists and journal.is_prune_due(self.clock.now()):
                journal.prune(self._config.journal.keep, self.clock.now())

        def carry(change: Change) -> None:
            self.written = committer.commit_rows(change, origin=origin).id

        return Writing(self.store, carry, self.root.name)

    def _opened_history(self) -> tuple[Journal, Committer]:
        from remem.store.changes.commit import Committer
        from remem.store.databases.row_sets import RowSets
        from remem.store.history.journal import Journal

        if self._history is None:
            state, rows = self._places.state, RowSets(self.store)
            journal = Journal(self.disk, state)
            self._history = (
                journal,
                Committer(self.disk, journal, self.clock, state, rows=rows, bounds=self._bounds),
            )
        return self._history

    def _bounds(self) -> Bounds:
        from remem.store.write_bounds import Bounds

        return Bounds((self.root,), self._places.own)

    def _settle(self) -> tuple[Recovered, ...]:
        with self._lock:
            return self._opened_history()[1].recovery.run(READERS_WAIT)

    def _read(self, read: Callable[[MemoryStore], T]) -> T:
        """Return what the store gives while no change is in the middle of being made."""
        return self.unfinished.read(lambda: read(self.store))

    def _opened(self) -> MemoryStore:
        from remem.systems.facts.database.memory_store import MemoryStore

        told = self._url if self._url is not None else self._environment.get(ADDRESS, "")
        where: str | Path = told or self._config.database.url or self.root / DATABASE
        tenant = self._config.database.tenant
        # Only of a root's own file it is known that nobody else means another one by the name.
        also = self._former_names if isinstance(where, Path) else lambda _: ()
        return MemoryStore.open(where, tenant=tenant, clock=self.clock, disk=self.disk, also=also)

    def _former_names(self, repository: str) -> tuple[str, ...]:
        return self._names[1:] if repository == self.repository else ()

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """What facts may call this checkout, first as it is called now."""
        return names_of(self.disk, self.root)

    @cached_property
    def repository(self) -> str:
        """The `owner/name` of this checkout."""
        return self._names[0]

    def called(self, repository: str) -> str:
        """Return the name that a repository's memories are kept under.

        A forge takes no account of case, so that this checkout has one name however it is written;
        and in a root's own file it keeps the facts that it had before it had an origin.
        """
        names = self._names if self.store.base.path is not None else self._names[:1]
        is_here = repository.casefold() in {each.casefold() for each in names}
        return self.repository if is_here else repository

    def close(self) -> None:
        """Give the database and the history back if they were opened."""
        with self._lock:
            if self._history is not None:
                self._history[0].close()
            if self._store is not None:
                self._store.close()

    def keep(
        self, new: NewMemory, actor: Actor = NOBODY, *, acknowledged: Collection[str] = ()
    ) -> Kept:
        """Keep a memory whose citations are there; the same fact again refreshes it.

        What it possibly conflicts with stays as it is, and is named.

        Args:
            new: Commit, hash and lines of its citations are filled in from the code.
            actor: On whose behalf.
            acknowledged: Ids of the `‼` that a person looked at.

        Raises:
            BadCitation: A cited place is not there.
            BadMemory: There is no citation, or a text that cannot be kept.
            Unacknowledged: It holds hidden characters, a secret or a risky instruction.
        """
        findings = looked_through(new, acknowledged)
        began = self.clock.now()
        citations = self._filled(new.repository, new.citations)
        timed = replace(actor, duration_ms=self._since(began))
        writing = self.writing
        self._opened_history()[0].ready()  # where that is refused, no database is made either
        self._ignore_database()
        new = replace(new, repository=self.called(new.repository), citations=citations)
        near = self._near(new)
        same = saying_the_same(new.subject, new.fact, near)
        if same is not None:
            new = replace(new, subject=same.subject, fact=same.fact)
        stored = writing.store(new, timed)
        others = (each for each in near if each.id != stored.id)
        against = tuple(islice(opposed(new.subject, new.fact, others), _OPPOSED))
        return self._beyond_limit(new.repository, Kept(stored, findings, opposed=against))

    def _near(self, new: NewMemory) -> tuple[Memory, ...]:
        """Return active memories that may be about the same: of its subject, or citing a file."""
        paths = dict.fromkeys(each.path for each in new.citations)
        found: dict[str, Memory] = {}
        with suppress(StoreUnavailable):  # it is kept, whoever can read the others
            said = self.store.of_subject(new.repository, new.subject, _NEAR)
            found = {each.id: each for each in said}
            for path in islice(paths, _CITED):
                cited = self.store.search_path(new.repository, path, _NEAR)
                found |= {each.id: each for each in cited}
        return tuple(found.values())

    def try_out(self, new: NewMemory, *, acknowledged: Collection[str] = ()) -> None:
        """Find out whether a memory would be kept; nothing is written. Raises as `keep`."""
        looked_through(new, acknowledged)
        self._filled(new.repository, new.citations)

    def named(self, text: str) -> Memory:
        """Return the memory that a person means; raises `UnknownRef`."""
        return self._read(lambda store: store.named(text))

    def held(self, memory: str) -> Memory:
        """Return a memory by its id, whatever its status; raises `UnknownRef`."""
        return self._read(lambda store: store.get(memory))

    def every_active(self, repository: str = "") -> tuple[Memory, ...]:
        """Return all active memories, the last refreshed first; by default of this checkout."""
        name = self.called(repository or self.repository)
        return self._read(lambda store: store.every_active(name))

    def repositories(self) -> tuple[str, ...]:
        """Return the names of all repositories that have memories."""
        found = self._read(lambda store: store.all())
        return tuple(sorted({each.repository for each in found}))

    def recent(
        self, repository: str, limit: int, actor: Actor = NOBODY, ref: str = WORKTREE
    ) -> tuple[Looked, ...]:
        """Return active memories with their verdicts, the last refreshed first; logged."""
        return self.give(repository, self.found(repository, limit), actor, ref)

    def search_path(
        self, repository: str, path: str, limit: int, actor: Actor = NOBODY, ref: str = WORKTREE
    ) -> tuple[Looked, ...]:
        """Return active memories that cite a file, with their verdicts; logged."""
        return self.give(repository, self.found_by_path(repository, path, limit), actor, ref)

    def search(
        self, repository: str, asked: str, limit: int, actor: Actor = NOBODY, ref: str = WORKTREE
    ) -> tuple[Looked, ...]:
        """Return active memories that hold the words of a question, best first; logged."""
        return self.give(repository, self.found_by_words(repository, asked, limit), actor, ref)

    def for_task(
        self, repository: str, task: str, limit: int, actor: Actor = NOBODY, ref: str = WORKTREE
    ) -> tuple[Looked, ...]:
        """Return active memories for a task, each with its verdict; logged."""
        return self.give(repository, self.found_for_task(repository, task, limit), actor, ref)

    def found(self, repository: str, limit: int) -> tuple[Memory, ...]:
        """Return active memories, the last refreshed first; nobody looked at them yet."""
        name, most = self.called(repository), page(limit)
        return self._read(lambda store: store.recent(name, most))

    def found_by_path(self, repository: str, path: str, limit: int) -> tuple[Memory, ...]:
        """Return active memories that cite a file; nobody looked at them yet.

        Raises:
            BadMemory: It is no path inside a repository.
        """
        plain = plain_path(path)
        if not plain:
            raise BadMemory(
                f"`{path}` is not a path inside the repository",
                hint="write it relative to the repository root: `src/app.py`",
            )
        name, most = self.called(repository), page(limit)
        return self._read(lambda store: store.search_path(name, plain, most))

    def found_by_words(self, repository: str, asked: str, limit: int) -> tuple[Memory, ...]:
        """Return active memories that hold words, best first; nobody looked at them yet.

        Raises:
            BadMemory: There is no word.
        """
        words = words_of(asked)
        if not words:
            raise BadMemory("there is no word to search for", hint="say what it is about")
        name, most = self.called(repository), page(limit)
        return self._read(lambda store: store.search(name, words, most))

    def found_for_task(self, repository: str, task: str, limit: int) -> tuple[Memory, ...]:
        """Return active memories for a task; nobody looked at them yet.

        Those that cite a file which the task names come first, then those that hold its words; the
        last refreshed fill what is left.
        """
        name, most = self.called(repository), page(limit)
        words, paths = words_of(task), _paths_in(task)

        def read(store: MemoryStore) -> dict[str, Memory]:
            looks = (
                *(partial(store.search_path, name, path, most) for path in paths),
                partial(store.search, name, words, most),
                partial(store.recent, name, most),
            )
            found: dict[str, Memory] = {}
            for look in looks:
                if len(found) >= most:  # what comes further down would be cut off
                    break
                found |= {each.id: each for each in look() if each.id not in found}
            return found

        return tuple([*self._read(read).values()][:most])

    def give(
        self,
        repository: str,
        memories: Sequence[Memory],
        actor: Actor = NOBODY,
        ref: str = WORKTREE,
        fits: Callable[[Looked], bool] = lambda _: True,
    ) -> tuple[Looked, ...]:
        """Return memories with their verdicts, and log that they were given out.

        Args:
            repository: That they are about.
            memories: As `found` and its kin return them.
            actor: To whom.
            ref: A commit; by default the files as they are.
            fits: Tells of each whether there is room for it; none behind it is looked at.
        """
        given: list[Looked] = []
        began = self.clock.now()
        for start in range(0, len(memories), _AT_ONCE):
            part = self._looked(memories[start : start + _AT_ONCE], ref)
            fitting = [*takewhile(fits, part)]
            given += fitting
            if len(fitting) < len(part):
                break
        self._log_given(given, replace(actor, duration_ms=self._since(began) // max(len(given), 1)))
        return tuple(given)

    def _looked(self, memories: Sequence[Memory], ref: str) -> tuple[Looked, ...]:
        try:
            return self.look(memories, ref)
        except RememError as error:
            # Another repository, or a forge that gives no answer: given out, and called unchecked.
            return tuple(unchecked(each, str(error)) for each in memories)

    def _log_given(self, looked: Sequence[Looked], timed: Actor) -> None:
        # Memories of a store that may only be read are still of use.
        with suppress(StoreReadOnly):
            given = [event(each.memory.id, EventName.RETRIEVED, timed) for each in looked]
            compared = (each for each in looked if each.verdict is not CitationStatus.UNCHECKED)
            self.store.log([*given, *(judged(each, timed) for each in compared)], known=True)

    def history(self, memory: str) -> History:
        """Return a memory's chain with the verdict on what is active of it; nothing is logged.

        Raises:
            UnknownRef: There is none.
        """
        chain = self._read(lambda store: store.chain(memory))
        active = [each for each in chain if each.status is Status.ACTIVE]
        by_id = {each.memory.id: each for each in self._looked(active, WORKTREE)}
        told = tuple(by_id.get(each.id) or Looked(each, ()) for each in chain)
        ids = [each.id for each in chain]
        return History(told, self._read(lambda store: store.events(ids, MOST)))

    def look(
        self,
        memories: Sequence[Memory],
        ref: str = WORKTREE,
        progress: Progress | None = None,
    ) -> tuple[Looked, ...]:
        """Return memories with their verdicts, in their order; nothing is logged."""
        verdicts: dict[str, tuple[Verdict, ...]] = {}
        for repository in dict.fromkeys(memory.repository for memory in memories):
            these = [memory for memory in memories if memory.repository == repository]
            cited = [citation for memory in these for citation in memory.citations]
            found = iter(self._verdicts(repository, cited, ref, progress))
            for memory in these:
                verdicts[memory.id] = tuple(next(found) for _ in memory.citations)
        return tuple(
            Looked(each, verdicts[each.id], examined(each.subject, each.fact, each.reason))
            for each in memories
        )

    def verify(
        self,
        memories: Sequence[Memory],
        actor: Actor = NOBODY,
        ref: str = WORKTREE,
        progress: Progress | None = None,
    ) -> tuple[Looked, ...]:
        """Look at memories and log one verdict for each that could be judged.

        Where the store may only be read, or its disk is full, `unlogged` says so afterwards.
        """
        began = self.clock.now()
        looked = self.look(memories, ref, progress)
        each_ms = self._since(began) // max(len(looked), 1)
        timed = replace(actor, duration_ms=each_ms)
        self.unlogged = ""
        try:
            self.store.log(
                judged(each, timed)
                for each in looked
                if each.verdict is not CitationStatus.UNCHECKED
            )
        except StoreReadOnly as error:  # a verdict is of use without the note that it was given
            self.unlogged = str(error)
        return looked

    def check(
        self,
        repository: str,
        citations: Sequence[Citation],
        ref: str = WORKTREE,
        actor: Actor = NOBODY,
    ) -> tuple[Verdict, ...]:
        """Return a verdict on each citation; logged for active memories that cite just these.

        What is compared is what was kept: the text that active memories hold of the place, and what
        the citation itself says of it. The worst of these is told, and where nothing was kept the
        citation is unchecked, for a caller who names a place says nothing of what stood there.

        Raises:
            NotPossible: The repository is not this checkout, and it cannot be read elsewhere.
        """
        began = self.clock.now()
        reader = self._reader(repository, ref)
        given = verify(citations, reader)
        memories = self._citing(repository, citations)
        kept = [citation for memory in memories for citation in memory.citations]
        found = dict(zip(kept, verify(kept, reader), strict=True))
        timed = replace(actor, duration_ms=self._since(began))
        places = set(map(_place, citations))
        looked = (
            Looked(memory, tuple(found[each] for each in memory.citations))
            for memory in memories
            if set(map(_place, memory.citations)) == places
        )
        with suppress(StoreReadOnly):
            self.store.log(
                judged(each, timed)
                for each in looked
                if each.verdict is not CitationStatus.UNCHECKED
            )
        of_place: dict[tuple[str, str], list[Verdict]] = {}
        for each in kept:
            of_place.setdefault(_place(each), []).append(found[each])
        return tuple(
            _worst(verdict, of_place.get(_place(asked), []))
            for asked, verdict in zip(citations, given, strict=True)
        )

    def _citing(self, repository: str, citations: Sequence[Citation]) -> tuple[Memory, ...]:
        """Return the active memories that cite one of these places."""
        places = set(map(_place, citations))
        paths = dict.fromkeys(filter(None, (plain_path(each.path) for each in citations)))
        name = self.called(repository)
        by_id = self._read(
            lambda store: {
                each.id: each for path in paths for each in store.search_path(name, path, None)
            }
        )
        return tuple(
            memory
            for memory in by_id.values()
            if not places.isdisjoint(map(_place, memory.citations))
        )

    def refresh(self, memory: str, by: str = "", actor: Actor = NOBODY) -> Memory:
        """Note that a memory held, after looking at it.

        Who refreshes it has read what it cites: where nobody kept those lines they are kept now,
        and compared from then on.

        Raises:
            NotHeld: A citation is not valid; that is logged.
            StoreUnavailable: The code could not be read now; nothing is logged.
        """
        began = self.clock.now()
        (looked,) = self.look([self._active(memory)])
        timed = replace(actor, agent=actor.agent or by, duration_ms=self._since(began))
        if looked.verdict is CitationStatus.UNCHECKED and not looked.is_there:
            why = next((each.error for each in looked.verdicts if each.error), "")
            raise StoreUnavailable(
                f"the fact `{looked.memory.id}` could not be checked: {why}",
                hint="try again when its code can be read",
            )
        if looked.verdict is not CitationStatus.VALID and not looked.is_there:
            self.store.log([judged(looked, timed)])
            raise NotHeld(looked)
        anchored = tuple(without_secret(each.anchored) for each in looked.verdicts)
        return self.writing.refresh(looked.memory, by, timed, anchored, **result(looked))

    def invalidate(
        self, memory: str, reason: str = "", by: str = "", actor: Actor = NOBODY
    ) -> Memory:
        """Take a memory out of use; it stays in the store, and one that is out of use as it is."""
        named, held = replace(actor, agent=actor.agent or by), self._held(memory)
        if held.status is Status.INVALID:
            return held
        return self.writing.invalidate(held, reason, by, named)

    def supersede(
        self,
        memory: str,
        fact: str,
        citations: Sequence[Citation] | None = None,
        reason: str | None = None,
        by: str = "",
        actor: Actor = NOBODY,
        *,
        acknowledged: Collection[str] = (),
    ) -> str:
        """Put a corrected memory in the place of an active one; return its id.

        Raises:
            BadCitation: A cited place is not there.
            NotHeld: No citations were given, and those of the old one do not hold.
            Unacknowledged: The new texts hold a `‼` that nobody looked at.
        """
        old = self._active(memory)
        require_clean(examined(fact, reason or "", by), acknowledged)
        began = self.clock.now()
        if citations is None:
            found = self.inherited(old)
        else:
            require_citations(citations)
            found = self._filled(old.repository, citations)
        timed = replace(actor, agent=actor.agent or by, duration_ms=self._since(began))
        return self.writing.supersede(old, Correction(fact, found, reason, by), timed)

    def inherited(self, old: Memory) -> tuple[Citation, ...]:
        """Return the citations of a memory for the one that takes its place.

        What moved is cited where it stands now.

        Raises:
            NotHeld: One of them does not say what it said, or nobody knows what it said.
        """
        (looked,) = self.look([old])
        if looked.verdict not in (CitationStatus.VALID, CitationStatus.MOVED):
            raise NotHeld(looked, hint="cite the lines that prove the new fact")
        anew = (verdict.anew for verdict in looked.verdicts if not verdict.is_there)
        found = tuple(without_secret(each) for each in anew if each is not None)
        if len(found) < len(old.citations):
            raise NotHeld(looked, hint="cite the lines that prove the new fact")
        return found

    def reanchor(self, looked: Sequence[Looked], actor: Actor = NOBODY) -> Mapping[str, str]:
        """Put memories whose citations only moved in the place of themselves, in one change.

        Returns:
            Old id → new id.

        Raises:
            NotPossible: A citation of one of them is nowhere.
        """
        anew = {each.memory.id: self._anew(each) for each in looked}
        return self.writing.reanchor(anew, actor.agent, actor)

    def _anew(self, looked: Looked) -> tuple[Citation, ...]:
        anew = [verdict.anew for verdict in looked.verdicts]
        found = tuple(without_secret(each) for each in anew if each is not None)
        if looked.verdict is not CitationStatus.MOVED or len(found) < len(anew):
            raise NotPossible(
                f"the fact `{looked.memory.id}` did more than move",
                hint="supersede it, or invalidate it",
            )
        return found

    def log_applied(self, memory: str, actor: Actor = NOBODY) -> int:
        """Log that a fact was used."""
        return self.store.log([event(memory, EventName.APPLIED, actor)])

    def record(self, memories: Sequence[str], session: str, agent: str = "") -> int:
        """Log that memories were applied in a session, each once; return how many were new."""
        done = self.store.applied_in(session)
        actor = Actor(agent, session)
        new = [each for each in dict.fromkeys(memories) if each not in done]
        return self.store.log(event(each, EventName.APPLIED, actor) for each in new)

    def read_citation(self, repository: str, citation: Citation, ref: str = WORKTREE) -> Cited:
        """Return what stands at a cited place.

        Raises:
            BadCitation: Its lines can be those of no file.
            NotPossible: The repository is not this checkout, and it cannot be read elsewhere.
        """
        require_place(citation)
        reader = self._reader(repository, ref)
        if citation.is_claim:  # where it is seen now, if it holds
            citation = filled([citation], reader)[0]
        text = reader.texts([citation.path])[citation.path]
        if isinstance(text, NoText):
            return Cited(citation, None, reader.commit(), text.why)
        lines = text.lines[citation.line_start - 1 : citation.line_end]
        error = ""
        if citation.line_end > len(text.lines):
            error = f"the file has {len(text.lines):,} lines"
        return Cited(citation, "\n".join(lines) if lines else None, reader.commit(), error)

    def stats(self, repository: str) -> Stats:
        """Return how many memories a repository has, by status."""
        name = self.called(repository)
        return self._read(lambda store: store.stats(name))

    def telemetry(self, repository: str) -> Telemetry:
        """Return what the events of a repository's memories add up to."""
        name = self.called(repository)
        return self._read(lambda store: store.telemetry(name))

    def usage(self, repository: str, limit: int = MOST) -> tuple[Usage, ...]:
        """Return how active memories have served, the least useful first."""
        name = self.called(repository)
        return self._read(lambda store: store.usage(name, limit))

    def _verdicts(
        self,
        repository: str,
        citations: Sequence[Citation],
        ref: str,
        progress: Progress | None,
    ) -> tuple[Verdict, ...]:
        return verify(citations, self._reader(repository, ref), progress=progress)

    def _reader(self, repository: str, ref: str) -> Reader:
        self.unfinished.settle()  # code too may be memory that a change rewrites
        other = "" if self.called(repository) == self.repository else repository
        if self._code is not None and not other and ref == WORKTREE:
            return self._code
        return reader_of(
            self.disk,
            self.root,
            other,
            ref,
            environment=self._environment,
            api=self._config.github.api,
        )

    def _filled(self, repository: str, citations: Sequence[Citation]) -> tuple[Citation, ...]:
        found = filled(citations, self._reader(repository, WORKTREE))
        return tuple(map(without_secret, found))

    def _held(self, memory: str) -> Memory:
        return self._read(lambda store: store.held(memory))

    def _active(self, memory: str) -> Memory:
        found = self._held(memory)
        if found.status != "active":
            hint = f"`{found.superseded_by}` superseded it" if found.superseded_by else ""
            raise NotPossible(f"the fact `{found.id}` is {found.status}, not active", hint=hint)
        return found

    def _ignore_database(self) -> None:
        """Keep the file out of git: it is each person's own, and changes with every look."""
        path = self.store.base.path
        if path is None or path != self.root / DATABASE:
            return
        ignored = path.with_name(".gitignore")
        if self.disk.kind(ignored) is not None:
            return
        try:
            put_cached(self.disk, ignored, IGNORED, self.clock)
        except OSError as error:
            message = (
                f"`{ignored}`, which keeps facts out of git, could not be created: {reason(error)}"
            )
            raise StoreUnavailable(message, hint=remedy(error)) from error

    def _beyond_limit(self, repository: str, kept: Kept) -> Kept:
        if kept.stored.status != "created":
            return kept
        with suppress(StoreUnavailable):  # it is kept, whoever can count the others
            if self.store.active_count(repository, self._limit + 1) > self._limit:
                told = (
                    f"`{repository}` has more than {self._limit:,} active facts: "
                    "invalidate those nobody uses"
                )
                return replace(kept, warnings=(told,), retire=self.store.idle(repository, _RETIRED))
        return kept

    def _since(self, began: datetime) -> int:
        return max(0, round((self.clock.now() - began).total_seconds() * 1000))


def _paths_in(task: str) -> list[str]:
    """Return the files that a task names."""
    named = (plain_path(each.removeprefix("./")) for each in _PATH.findall(task))
    return [*dict.fromkeys(filter(None, named))][:_MOST_PATHS]


def _place(citation: Citation) -> tuple[str, str]:
    return plain_path(citation.path), citation.place


def _worst(given: Verdict, kept: Sequence[Verdict]) -> Verdict:
    """Return what becomes of a place: the worst of what memories keep of it, and what was given."""
    cited = given.citation
    says_what_stood = cited.known_hash or cited.commit or cited.is_claim
    told = [*kept, given] if says_what_stood or not kept else [*kept]
    compared = [each for each in told if not each.is_there] or told
    status = together(compared)
    return next(each for each in compared if each.status is status)
