"""Verified memory as the command line, MCP and the provider use it.

Memories are hypotheses. Nothing is kept whose citations are not there, nothing is given out without
a verdict, and every use is logged. Code is only read, and never run.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Final

from remem.checks.citations import Progress, filled, verify
from remem.clock import Clock
from remem.code.citing import NoText, Reader, plain_path
from remem.code.citing_reader import WORKTREE, reader_of, repository_of
from remem.config import ADDRESS, Config, Places
from remem.disk.generated import put
from remem.disk.io import Disk
from remem.disk.memory_rows import DATABASE, BadMemory, StoreReadOnly, StoreUnavailable
from remem.errors import NotPossible, RememError
from remem.formats.own import IGNORED
from remem.model.citation import Citation, CitationStatus, Verdict, require_place
from remem.model.verified import (
    NOBODY,
    SOFT_LIMIT,
    Actor,
    EventName,
    Memory,
    NewMemory,
    Stats,
    Telemetry,
    Usage,
)
from remem.opening import read_config
from remem.verified.looked import (
    MOST,
    Cited,
    Kept,
    Looked,
    NotHeld,
    event,
    examined,
    judged,
    page,
    require_citations,
    require_clean,
    result,
    unchecked,
    without_secret,
)

if TYPE_CHECKING:
    from remem.disk.memory_store import MemoryStore

_RETIRED: Final = 5
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
    ) -> None:
        """Open nothing yet.

        Args:
            root: The checkout that memories are about.
            places: Where the user's own configuration lies.
            url: Address of the database; `None` = as environment and configuration say.
            config: Read from `places` unless given.
            clock: Tells the time.
            disk: The seam for files.
            environment: The process's own unless given; may name a database and hold a token.
        """
        self.root = root
        self.clock = clock or Clock()
        self.disk = disk or Disk()
        self._environment = os.environ if environment is None else environment
        self._config = config or read_config(self.disk, root, places)[0]
        self._url = url
        self._store: MemoryStore | None = None
        self._lock = RLock()

    @property
    def store(self) -> MemoryStore:
        """The database; opened when it is first used, once for all threads."""
        with self._lock:
            if self._store is None:
                self._store = self._opened()
            return self._store

    def _opened(self) -> MemoryStore:
        from remem.disk.memory_store import MemoryStore

        told = self._url if self._url is not None else self._environment.get(ADDRESS, "")
        where: str | Path = told or self._config.database.url or self.root / DATABASE
        tenant = self._config.database.tenant
        return MemoryStore.open(where, tenant=tenant, clock=self.clock, disk=self.disk)

    @cached_property
    def repository(self) -> str:
        """The `owner/name` of this checkout."""
        return repository_of(self.disk, self.root)

    def called(self, repository: str) -> str:
        """Return the name that a repository's memories are kept under.

        A forge takes no account of case, so that this checkout has one name however it is written.
        """
        is_here = repository.casefold() == self.repository.casefold()
        return self.repository if is_here else repository

    def close(self) -> None:
        """Give the database back if it was opened."""
        with self._lock:
            if self._store is not None:
                self._store.close()

    def keep(self, new: NewMemory, actor: Actor = NOBODY, *, acknowledged: bool = False) -> Kept:
        """Keep a memory whose citations are there; the same fact again refreshes it.

        Args:
            new: Commit, hash and lines of its citations are filled in from the code.
            actor: On whose behalf.
            acknowledged: A person looked at its hidden characters and secrets.

        Raises:
            BadCitation: A cited place is not there.
            BadMemory: There is no citation, or a text that cannot be kept.
            Unacknowledged: It holds hidden characters or a secret.
        """
        require_citations(new.citations)
        findings = examined(new.subject, new.fact, new.reason or "", new.created_by)
        require_clean(findings, acknowledged=acknowledged)
        began = self.clock.now()
        citations = self._filled(new.repository, new.citations)
        timed = replace(actor, duration_ms=self._since(began))
        self._ignore_database()
        new = replace(new, repository=self.called(new.repository), citations=citations)
        return self._beyond_limit(new.repository, Kept(self.store.store(new, timed), findings))

    def try_out(self, new: NewMemory, *, acknowledged: bool = False) -> None:
        """Find out whether a memory would be kept; nothing is written. Raises as `keep`."""
        require_citations(new.citations)
        findings = examined(new.subject, new.fact, new.reason or "", new.created_by)
        require_clean(findings, acknowledged=acknowledged)
        self._filled(new.repository, new.citations)

    def named(self, text: str) -> Memory:
        """Return the memory that a person means; raises `UnknownRef`."""
        return self.store.named(text)

    def recent(
        self, repository: str, limit: int, actor: Actor = NOBODY, ref: str = WORKTREE
    ) -> tuple[Looked, ...]:
        """Return active memories with their verdicts, the last refreshed first; logged."""
        found = self.store.recent(self.called(repository), page(limit))
        return self._given(repository, found, actor, ref)

    def search_path(
        self, repository: str, path: str, limit: int, actor: Actor = NOBODY, ref: str = WORKTREE
    ) -> tuple[Looked, ...]:
        """Return active memories that cite a file, with their verdicts; logged."""
        plain = plain_path(path)
        if not plain:
            raise BadMemory(
                f"`{path}` is not a path inside the repository",
                hint="write it from the top of the repository: `src/app.py`",
            )
        found = self.store.search_path(self.called(repository), plain, page(limit))
        return self._given(repository, found, actor, ref)

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
        """Look at memories and log one verdict for each that could be judged."""
        began = self.clock.now()
        looked = self.look(memories, ref, progress)
        each_ms = self._since(began) // max(len(looked), 1)
        self.store.log(
            judged(each, replace(actor, duration_ms=each_ms))
            for each in looked
            if each.verdict is not CitationStatus.UNCHECKED
        )
        return looked

    def check(
        self,
        repository: str,
        citations: Sequence[Citation],
        ref: str = WORKTREE,
        actor: Actor = NOBODY,
    ) -> tuple[Verdict, ...]:
        """Return a verdict on each citation; logged for active memories that cite just these.

        Raises:
            NotPossible: The repository is not this checkout, and it cannot be read elsewhere.
        """
        began = self.clock.now()
        verdicts = verify(citations, self._reader(repository, ref))
        timed = replace(actor, duration_ms=self._since(began))
        looked = (Looked(memory, verdicts) for memory in self._citing(repository, citations))
        with suppress(StoreReadOnly):
            self.store.log(
                judged(each, timed)
                for each in looked
                if each.verdict is not CitationStatus.UNCHECKED
            )
        return verdicts

    def _citing(self, repository: str, citations: Sequence[Citation]) -> tuple[Memory, ...]:
        """Return the active memories that cite these places and no others."""
        path = plain_path(citations[0].path) if citations else ""
        places = {str(each) for each in citations}
        found = self.store.search_path(self.called(repository), path, MOST) if path else ()
        return tuple(
            memory for memory in found if {str(each) for each in memory.citations} == places
        )

    def refresh(self, memory: str, by: str = "", actor: Actor = NOBODY) -> Memory:
        """Note that a memory held, after looking at it.

        Raises:
            NotHeld: A citation is not valid; that is logged.
            StoreUnavailable: The code could not be read now; nothing is logged.
        """
        began = self.clock.now()
        (looked,) = self.look([self._active(memory)])
        timed = replace(actor, agent=actor.agent or by, duration_ms=self._since(began))
        if looked.verdict is CitationStatus.UNCHECKED:
            why = next((each.error for each in looked.verdicts if each.error), "")
            raise StoreUnavailable(
                f"the memory `{looked.memory.id}` could not be checked: {why}",
                hint="try again when its code can be read",
            )
        if looked.verdict is not CitationStatus.VALID:
            self.store.log([judged(looked, timed)])
            raise NotHeld(looked)
        return self.store.refresh(looked.memory.id, by, timed, **result(looked))

    def invalidate(
        self, memory: str, reason: str = "", by: str = "", actor: Actor = NOBODY
    ) -> Memory:
        """Take a memory out of use; it stays in the store."""
        named = replace(actor, agent=actor.agent or by)
        return self.store.invalidate(memory, reason, by, named)

    def supersede(
        self,
        memory: str,
        fact: str,
        citations: Sequence[Citation] | None = None,
        reason: str | None = None,
        by: str = "",
        actor: Actor = NOBODY,
        *,
        acknowledged: bool = False,
    ) -> str:
        """Put a corrected memory in the place of an active one; return its id.

        Raises:
            BadCitation: A cited place is not there.
            Unacknowledged: The new texts hold hidden characters or a secret.
        """
        old = self._active(memory)
        require_clean(examined(fact, reason or "", by), acknowledged=acknowledged)
        wanted = old.citations if citations is None else tuple(citations)
        require_citations(wanted)
        began = self.clock.now()
        found = self._filled(old.repository, wanted)
        timed = replace(actor, agent=actor.agent or by, duration_ms=self._since(began))
        return self.store.supersede(old.id, fact, found, reason, by, timed)

    def reanchor(self, looked: Looked, actor: Actor = NOBODY) -> str:
        """Put a memory whose citations only moved in the place of itself; return the new id.

        Raises:
            NotPossible: One of its citations is nowhere.
        """
        anew = [verdict.anew for verdict in looked.verdicts]
        found = tuple(without_secret(each) for each in anew if each is not None)
        memory = looked.memory
        if looked.verdict is not CitationStatus.MOVED or len(found) < len(anew):
            raise NotPossible(
                f"the memory `{memory.id}` did not only move", hint="supersede it, or invalidate it"
            )
        return self.store.supersede(memory.id, memory.fact, found, None, actor.agent, actor)

    def log_applied(self, memory: str, actor: Actor = NOBODY) -> int:
        """Log that a memory was used in a task."""
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
        return self.store.stats(self.called(repository))

    def telemetry(self, repository: str) -> Telemetry:
        """Return what the events of a repository's memories add up to."""
        return self.store.telemetry(self.called(repository))

    def usage(self, repository: str, limit: int = MOST) -> tuple[Usage, ...]:
        """Return how active memories have served, the least useful first."""
        return self.store.usage(self.called(repository), limit)

    def _given(
        self, repository: str, memories: Sequence[Memory], actor: Actor, ref: str
    ) -> tuple[Looked, ...]:
        began = self.clock.now()
        try:
            looked = self.look(memories, ref)
        except RememError as error:
            # Another repository, or a forge that gives no answer: given out, and called unchecked.
            looked = tuple(unchecked(each, str(error)) for each in memories)
        timed = replace(actor, duration_ms=self._since(began))
        # Memories of a store that may only be read are still of use.
        with suppress(StoreReadOnly):
            given = [event(each.id, EventName.RETRIEVED, timed) for each in memories]
            self.store.log(given, known=True)
        return looked

    def _verdicts(
        self,
        repository: str,
        citations: Sequence[Citation],
        ref: str,
        progress: Progress | None,
    ) -> tuple[Verdict, ...]:
        return verify(citations, self._reader(repository, ref), progress=progress)

    def _reader(self, repository: str, ref: str) -> Reader:
        other = "" if self.called(repository) == self.repository else repository
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

    def _active(self, memory: str) -> Memory:
        found = self.store.get(memory)
        if found.status != "active":
            hint = f"`{found.superseded_by}` took its place" if found.superseded_by else ""
            raise NotPossible(f"the memory `{found.id}` is {found.status}, not active", hint=hint)
        return found

    def _ignore_database(self) -> None:
        """Keep the file out of git: it is each person's own, and changes with every look."""
        path = self.store.base.path
        if path is None or path != self.root / DATABASE:
            return
        ignored = path.with_name(".gitignore")
        if self.disk.kind(path.parent) is None:
            with suppress(FileExistsError):
                self.disk.mkdir(path.parent)
        if self.disk.kind(ignored) is None:
            put(self.disk, ignored, IGNORED)

    def _beyond_limit(self, repository: str, kept: Kept) -> Kept:
        is_new = kept.stored.status == "created"
        if not is_new or self.store.active_count(repository, SOFT_LIMIT + 1) <= SOFT_LIMIT:
            return kept
        return replace(
            kept,
            warnings=(
                f"`{repository}` has more than {SOFT_LIMIT:,} active memories: "
                "invalidate what serves nobody",
            ),
            retire=self.store.idle(repository, _RETIRED),
        )

    def _since(self, began: datetime) -> int:
        return max(0, round((self.clock.now() - began).total_seconds() * 1000))
