"""Verified memory for Python agent frameworks, by the rules of every other door.

It has each method twice: `recent` waits, `arecent` is awaited while a thread does the work.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from remem.core.settings import Places
from remem.model.citation import Citation, CitationStatus, Verdict, citation_of, parse_place
from remem.store.io import real_path
from remem.systems.facts.layer import prompt_block, rank
from remem.systems.facts.records import Actor, Memory, NewMemory, Stats, Stored
from remem.systems.facts.service import VerifiedMemory
from remem.systems.facts.verdicts import Looked

Cited = Citation | Mapping[str, Any] | str
"""A place: as a record, as JSON has it, or as people write it: `src/app.py:3-9`."""
Answer = TypeVar("Answer")

SHOWN: Final = 20
"""Memories that a prompt gets."""
PAGE: Final = 50
"""Recent memories of which those are the best."""


class VerifiedMemoryProvider:
    """Keeps and gives out memories of one repository, checked against its code each time.

    ```python
    with VerifiedMemoryProvider(".", agent="reviewer") as memory:
        prompt = memory.for_prompt()
        memory.store(
            "API version", "It stands in two files.", ["sdk/version.ts:3", "api/routes.go:8"]
        )
    ```
    """

    def __init__(
        self,
        root: str | Path = ".",
        *,
        repository: str = "",
        url: str | None = None,
        agent: str = "",
        session: str = "",
        home: Path | None = None,
    ) -> None:
        """Open nothing yet; the database is opened when it is first used.

        Args:
            root: The checkout that memories are about.
            repository: `owner/name`; empty = that of its `origin`, else the folder's name.
            url: A `postgresql://` address; `None` = as environment and configuration say.
            agent: On whose behalf, for the log of what happened.
            session: The run that it happened in.
            home: Another home folder than the user's own.
        """
        self._service = VerifiedMemory(
            real_path(Path(root)), Places.of(home), url=url, door="provider", actor="agent"
        )
        self._actor = Actor(agent, session)
        self._given = repository

    @property
    def repository(self) -> str:
        """The `owner/name` that everything here is about."""
        return self._given or self._service.repository

    def close(self) -> None:
        """Give the database back."""
        self._service.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def store(
        self, subject: str, fact: str, citations: Iterable[Cited], reason: str | None = None
    ) -> Stored:
        """Keep a memory, or refresh the one that says the same.

        Raises:
            BadCitation: A cited place is not there.
            BadMemory: There is no citation, or a text that cannot be kept.
            Unacknowledged: It holds hidden characters, a secret or a risky instruction.
        """
        cited = tuple(map(_citation, citations))
        new = NewMemory(self.repository, subject, fact, cited, reason, self._actor.agent)
        return self._service.keep(new, self._actor).stored

    def recent(self, limit: int = SHOWN) -> tuple[Looked, ...]:
        """Return the last refreshed memories, each with the verdict of a look just now."""
        return self._service.recent(self.repository, limit, self._actor)

    def search_path(self, path: str, limit: int = SHOWN) -> tuple[Looked, ...]:
        """Return memories that cite a file, each with its verdict."""
        return self._service.search_path(self.repository, path, limit, self._actor)

    def usable(self, limit: int = SHOWN) -> tuple[Memory, ...]:
        """Return the best of the recent memories that hold; nothing else is to be used."""
        looked = self.recent(max(limit, PAGE))
        held = [each.memory for each in looked if each.verdict is CitationStatus.VALID]
        return tuple(sorted(held, key=rank)[:limit])

    def for_prompt(self, limit: int = SHOWN) -> str:
        """Return the section of a prompt with the memories that hold (FORMATS 6.5)."""
        return prompt_block(self.usable(limit))

    def verify(self, citations: Iterable[Cited], ref: str = "HEAD") -> tuple[Verdict, ...]:
        """Return a verdict on each citation; `HEAD` = the files as they lie there."""
        return self._service.check(self.repository, tuple(map(_citation, citations)), ref)

    def refresh(self, memory: str) -> Memory:
        """Note that a memory was of use, after looking at it once more.

        Raises:
            NotHeld: Its citations do not hold.
        """
        return self._service.refresh(memory, self._actor.agent, self._actor)

    def invalidate(self, memory: str, reason: str = "") -> Memory:
        """Take a memory out of use."""
        return self._service.invalidate(memory, reason, self._actor.agent, self._actor)

    def supersede(
        self,
        memory: str,
        fact: str,
        citations: Iterable[Cited] | None = None,
        reason: str | None = None,
    ) -> str:
        """Put a corrected memory in the place of another; return its id."""
        cited = None if citations is None else tuple(map(_citation, citations))
        by = self._actor.agent
        return self._service.supersede(memory, fact, cited, reason, by, self._actor)

    def log_applied(self, memory: str) -> None:
        """Log that a memory was used in the task at hand."""
        self._service.log_applied(memory, self._actor)

    def use(self, memory: str) -> Memory:
        """Refresh a memory on its use and log that it was applied.

        Raises:
            NotHeld: Its citations do not hold; it is not to be used.
        """
        found = self.refresh(memory)
        self.log_applied(found.id)
        return found

    def stats(self) -> Stats:
        """Return how many memories there are, by status."""
        return self._service.stats(self.repository)

    async def astore(
        self, subject: str, fact: str, citations: Iterable[Cited], reason: str | None = None
    ) -> Stored:
        """Keep a memory; as `store`."""
        return await _awaited(partial(self.store, subject, fact, [*citations], reason))

    async def arecent(self, limit: int = SHOWN) -> tuple[Looked, ...]:
        """Return memories with their verdicts; as `recent`."""
        return await _awaited(partial(self.recent, limit))

    async def asearch_path(self, path: str, limit: int = SHOWN) -> tuple[Looked, ...]:
        """Return memories that cite a file; as `search_path`."""
        return await _awaited(partial(self.search_path, path, limit))

    async def ausable(self, limit: int = SHOWN) -> tuple[Memory, ...]:
        """Return memories that hold; as `usable`."""
        return await _awaited(partial(self.usable, limit))

    async def afor_prompt(self, limit: int = SHOWN) -> str:
        """Return the section of a prompt; as `for_prompt`."""
        return await _awaited(partial(self.for_prompt, limit))

    async def averify(self, citations: Iterable[Cited], ref: str = "HEAD") -> tuple[Verdict, ...]:
        """Return verdicts; as `verify`."""
        return await _awaited(partial(self.verify, [*citations], ref))

    async def arefresh(self, memory: str) -> Memory:
        """Note that a memory was of use; as `refresh`."""
        return await _awaited(partial(self.refresh, memory))

    async def ainvalidate(self, memory: str, reason: str = "") -> Memory:
        """Take a memory out of use; as `invalidate`."""
        return await _awaited(partial(self.invalidate, memory, reason))

    async def asupersede(
        self,
        memory: str,
        fact: str,
        citations: Sequence[Cited] | None = None,
        reason: str | None = None,
    ) -> str:
        """Put a corrected memory in the place of another; as `supersede`."""
        return await _awaited(partial(self.supersede, memory, fact, citations, reason))

    async def alog_applied(self, memory: str) -> None:
        """Log that a memory was used; as `log_applied`."""
        await _awaited(partial(self.log_applied, memory))

    async def ause(self, memory: str) -> Memory:
        """Refresh a memory on its use; as `use`."""
        return await _awaited(partial(self.use, memory))

    async def astats(self) -> Stats:
        """Return how many memories there are; as `stats`."""
        return await _awaited(self.stats)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await _awaited(self.close)


async def _awaited(call: Callable[[], Answer]) -> Answer:
    return await asyncio.to_thread(call)


def _citation(given: Cited) -> Citation:
    if isinstance(given, Citation):
        return given
    return parse_place(given) if isinstance(given, str) else citation_of(dict(given))
