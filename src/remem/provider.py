"""Verified memory for Python agent frameworks, by the rules of every other door.

It has each method twice: `recent` waits, `arecent` is awaited while a thread does the work. Every
type and error that it gives out is exported by `remem`, and nothing else is promised.

Code may be read elsewhere than on this disk, by a `Reader`; facts that live elsewhere are judged
and given out beside its own, from a `FactStore`. `docs/agents.md` has an example of both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

from remem.code.code_reader import Reader
from remem.core.prompt.tokens import exact_counter
from remem.core.settings import Places
from remem.model.citation import Citation, CitationStatus, Verdict, citation_of, parse_place
from remem.store.io import real_path
from remem.systems.facts.layer import prompt_block, rank
from remem.systems.facts.records import Actor, Memory, NewMemory, Stats, Stored, words_of
from remem.systems.facts.service import VerifiedMemory
from remem.systems.facts.verdicts import Cited as CitedLines
from remem.systems.facts.verdicts import History, Looked

Cited = Citation | Mapping[str, Any] | str
"""A place: as a record, as JSON has it, or as people write it: `src/app.py:3-9`."""
Answer = TypeVar("Answer")

ENCODING: Final = "o200k_base"
"""By which budgets are counted, unless somebody counts for themselves."""
SHOWN: Final = 20
"""Memories that a prompt gets."""
PAGE: Final = 50
"""Recent memories of which those are the best."""


class FactStore(Protocol):
    """Facts that live elsewhere: read, judged and given out, never written or logged."""

    def active(self, repository: str) -> Iterable[Memory]:
        """Return the facts of a repository that are in force, the best first."""
        ...


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
        reader: Reader | None = None,
        stores: Sequence[FactStore] = (),
    ) -> None:
        """Open nothing yet; the database is opened when it is first used.

        Args:
            root: The checkout that memories are about.
            repository: `owner/name`; empty = that of its `origin`, else the folder's name.
            url: A `postgresql://` address; `None` = as environment and configuration say.
            agent: On whose behalf, for the log of what happened.
            session: The run that it happened in.
            home: Another home folder than the user's own.
            reader: Reads the code; the files at `root` unless given.
            stores: Facts that live elsewhere, given out beside those kept here.
        """
        self._places = Places.of(home)
        self._service = VerifiedMemory(
            real_path(Path(root)),
            self._places,
            url=url,
            reader=reader,
            door="provider",
            actor="agent",
        )
        self._stores = tuple(stores)
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

        What it may conflict with stays as it is: `conflicts` has its ids.

        Raises:
            BadCitation: A cited place is not there.
            BadMemory: There is no citation, or a text that cannot be kept.
            Unacknowledged: It holds hidden characters, a secret or a risky instruction.
        """
        cited = tuple(map(_citation, citations))
        new = NewMemory(self.repository, subject, fact, cited, reason, self._actor.agent)
        kept = self._service.keep(new, self._actor)
        return replace(kept.stored, conflicts=tuple(each.memory.id for each in kept.opposed))

    def get(self, memory: str) -> Looked:
        """Return one memory by its id, with the verdict of a look just now.

        Raises:
            UnknownRef: There is none.
        """
        return self._service.look([self._service.held(memory)])[0]

    def recent(self, limit: int = SHOWN) -> tuple[Looked, ...]:
        """Return the last refreshed memories, each with the verdict of a look just now."""
        found = self._service.recent(self.repository, limit, self._actor)
        return self._with_others(found, limit)

    def search_path(self, path: str, limit: int = SHOWN) -> tuple[Looked, ...]:
        """Return memories that cite a file, each with its verdict.

        Raises:
            BadMemory: It is no path inside a repository.
        """
        found = self._service.search_path(self.repository, path, limit, self._actor)
        return self._with_others(
            found, limit, lambda each: any(cited.path == path for cited in each.citations)
        )

    def search(self, query: str, limit: int = SHOWN) -> tuple[Looked, ...]:
        """Return memories that hold words, the best first, each with its verdict.

        Raises:
            BadMemory: There is no word in it.
        """
        found = self._service.search(self.repository, query, limit, self._actor)
        return self._with_others(found, limit, _speaks_of(query))

    def usable(self, limit: int = SHOWN, *, task: str = "") -> tuple[Memory, ...]:
        """Return memories that hold; nothing else is to be used.

        Args:
            limit: At most.
            task: What is to be done: what fits it comes first. Empty = the best of the recent ones.
        """
        most = max(limit, PAGE)
        if not task.strip():
            looked = self.recent(most)
            held = [each.memory for each in looked if each.verdict is CitationStatus.VALID]
            return tuple(sorted(held, key=rank)[:limit])
        own = self._service.for_task(self.repository, task, most, self._actor)
        told = self._with_others(own, most, _speaks_of(task))
        return tuple(each.memory for each in told if each.verdict is CitationStatus.VALID)[:limit]

    def for_prompt(
        self, limit: int = SHOWN, *, budget_tokens: int | None = None, task: str = ""
    ) -> str:
        """Return the section of a prompt with the memories that hold (FORMATS 6.5).

        Args:
            limit: At most so many.
            budget_tokens: At most so long, in whole memories, by `o200k_base`.
            task: What is to be done: what fits it comes first.
        """
        chosen = self.usable(limit, task=task)
        if budget_tokens is None:
            return prompt_block(chosen)
        count = exact_counter(ENCODING, self._places.cache, self._service.disk).count
        kept: list[Memory] = []
        for each in chosen:
            if count(prompt_block([*kept, each])) <= budget_tokens:
                kept.append(each)
        return prompt_block(kept)

    def history(self, memory: str) -> History:
        """Return what a memory took the place of, what took its, and what happened to them.

        Raises:
            UnknownRef: There is none.
        """
        return self._service.history(memory)

    def read_citation(self, citation: Cited, ref: str = "HEAD") -> CitedLines:
        """Return the lines of a cited place, or why there are none.

        Raises:
            BadCitation: It names no place, or claims what is not so.
        """
        return self._service.read_citation(self.repository, _citation(citation), ref)

    def reanchor(self, memories: Iterable[str] | None = None) -> Mapping[str, str]:
        """Put memories whose lines only moved in the place of themselves, in one change.

        Args:
            memories: Their ids; those of which more than that happened are left as they are. `None`
                = all active ones.

        Returns:
            Old id → new id.

        Raises:
            UnknownRef: One of them is not there.
        """
        chosen = (
            self._service.every_active(self.repository)
            if memories is None
            else [self._service.held(each) for each in memories]
        )
        looked = self._service.look(chosen)
        moved = [each for each in looked if each.verdict is CitationStatus.MOVED]
        return self._service.reanchor(moved, self._actor)

    def judge(self, memories: Iterable[Memory]) -> tuple[Looked, ...]:
        """Return memories from anywhere with their verdicts; nothing is logged."""
        return self._service.look([*memories])

    def _with_others(
        self,
        found: tuple[Looked, ...],
        limit: int,
        fits: Callable[[Memory], bool] = lambda _: True,
    ) -> tuple[Looked, ...]:
        """Return what was found here, and behind it what fits of other stores."""
        known = {each.memory.id for each in found}
        others = [
            each
            for store in self._stores
            for each in store.active(self.repository)
            if each.id not in known and fits(each)
        ]
        room = max(limit - len(found), 0)
        return (*found, *self.judge(others[:room])) if others and room else found

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

    async def aget(self, memory: str) -> Looked:
        """Return one memory; as `get`."""
        return await _awaited(partial(self.get, memory))

    async def arecent(self, limit: int = SHOWN) -> tuple[Looked, ...]:
        """Return memories with their verdicts; as `recent`."""
        return await _awaited(partial(self.recent, limit))

    async def asearch_path(self, path: str, limit: int = SHOWN) -> tuple[Looked, ...]:
        """Return memories that cite a file; as `search_path`."""
        return await _awaited(partial(self.search_path, path, limit))

    async def asearch(self, query: str, limit: int = SHOWN) -> tuple[Looked, ...]:
        """Return memories that hold words; as `search`."""
        return await _awaited(partial(self.search, query, limit))

    async def ausable(self, limit: int = SHOWN, *, task: str = "") -> tuple[Memory, ...]:
        """Return memories that hold; as `usable`."""
        return await _awaited(partial(self.usable, limit, task=task))

    async def afor_prompt(
        self, limit: int = SHOWN, *, budget_tokens: int | None = None, task: str = ""
    ) -> str:
        """Return the section of a prompt; as `for_prompt`."""
        return await _awaited(
            partial(self.for_prompt, limit, budget_tokens=budget_tokens, task=task)
        )

    async def ahistory(self, memory: str) -> History:
        """Return a memory's chain; as `history`."""
        return await _awaited(partial(self.history, memory))

    async def aread_citation(self, citation: Cited, ref: str = "HEAD") -> CitedLines:
        """Return the lines of a place; as `read_citation`."""
        return await _awaited(partial(self.read_citation, citation, ref))

    async def areanchor(self, memories: Iterable[str] | None = None) -> Mapping[str, str]:
        """Follow lines that moved; as `reanchor`."""
        chosen = None if memories is None else [*memories]
        return await _awaited(partial(self.reanchor, chosen))

    async def ajudge(self, memories: Iterable[Memory]) -> tuple[Looked, ...]:
        """Return memories with their verdicts; as `judge`."""
        return await _awaited(partial(self.judge, [*memories]))

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


def _speaks_of(asked: str) -> Callable[[Memory], bool]:
    """Tell of a fact whether it holds a word of a question."""
    words = set(words_of(asked))
    return lambda each: not words.isdisjoint(words_of(f"{each.subject} {each.fact} {each.reason}"))


def _citation(given: Cited) -> Citation:
    if isinstance(given, Citation):
        return given
    return parse_place(given) if isinstance(given, str) else citation_of(dict(given))
