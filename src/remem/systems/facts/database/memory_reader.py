"""Reading a store of verified memory: memories, chains, and what their events add up to.

Nothing here writes, and a store that was never written is empty and stays unmade.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, Final, Self

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    Text,
    bindparam,
    cast,
    exists,
    func,
    literal_column,
    or_,
    select,
    text,
    type_coerce,
)
from sqlalchemy.types import NullType

from remem.base.clock import Clock
from remem.base.errors import UnknownRef
from remem.core.system import (
    SHARED,
)
from remem.model.entry import Status
from remem.store.io import Disk
from remem.systems.facts.database.engine import BUSY_SECONDS, Base
from remem.systems.facts.database.lazy_rows import Memories
from remem.systems.facts.database.row_records import (
    APPLIED,
    CHANGED,
    FAILED,
    JUDGEMENT,
    json_text,
    memory_of,
    stamp_text,
)
from remem.systems.facts.database.tables import EVENTS, MEMORY, PATHS
from remem.systems.facts.database.word_search import matching
from remem.systems.facts.records import (
    JUDGED,
    Event,
    EventName,
    Memory,
    Stats,
    Telemetry,
    Usage,
    known_id,
)

PAGE: Final = 50
"""Memories that an answer holds unless another number is asked for."""
# As text: a partial index is only used where its condition stands in the query word for word.
IS_ACTIVE: Final = text("agent_memory.status = 'active'")


_LONGEST_CHAIN: Final = 200
"""Memories of one chain that are followed."""
_START: Final = re.compile("[0-9a-f-]{4,36}")


def _none(_: str) -> Sequence[str]:
    return ()


class MemoryReader:
    """One store, by path (SQLite) or by address (PostgreSQL); for all threads of a process."""

    def __init__(
        self, base: Base, clock: Clock, tenant: str, also: Callable[[str], Sequence[str]] = _none
    ) -> None:
        self.base = base
        self._also = also
        self._former: dict[str, tuple[str, ...]] = {}
        """By repository: the names it had before, where facts have them."""
        self.tenant = tenant
        self._clock = clock
        self._numbers = count()
        self._lock = Lock()

    @classmethod
    def open(
        cls,
        where: Path | str,
        *,
        tenant: str = SHARED,
        clock: Clock | None = None,
        disk: Disk | None = None,
        busy: float = BUSY_SECONDS,
        also: Callable[[str], Sequence[str]] = _none,
    ) -> Self:
        """Return the store at a path or an address; nothing is touched before it is used.

        Args:
            where: Of a file, or of a server.
            tenant: Whose memories are read, besides everyone's.
            clock: Gives times and ids.
            disk: The seam for files.
            busy: Seconds for which another program that writes is waited for.
            also: Gives the names that a repository had before: facts of these are its own.

        Raises:
            BadStore: The address names no kind of database that can hold it.
        """
        return cls(Base(where, disk or Disk(), tenant, busy), clock or Clock(), tenant, also)

    @property
    def name(self) -> str:
        """How messages call it; never with a password."""
        return self.base.name

    def close(self) -> None:
        """Give every connection back."""
        self.base.close()

    def recent(self, repository: str, limit: int = PAGE) -> tuple[Memory, ...]:
        """Return active memories of a repository, the last refreshed first."""
        query = self._active(repository).limit(limit)
        return self._read(query.order_by(MEMORY.c.refreshed_at.desc(), MEMORY.c.id))

    def search_path(
        self, repository: str, path: str, limit: int | None = PAGE
    ) -> tuple[Memory, ...]:
        """Return active memories that cite a file, the last refreshed first; `None` = all."""
        if self.base.path is not None:
            query = self._known_active(repository).join(PATHS, PATHS.c.memory_id == MEMORY.c.id)
            query = query.where(PATHS.c.path == path)
            order = _unindexed("refreshed_at").desc()
        else:
            citing = select(MEMORY.c.id).where(MEMORY.c.citations.op("@>")([{"path": path}]))
            named = citing.cte("citing").prefix_with("MATERIALIZED", dialect="postgresql")
            query = self._active(repository).where(MEMORY.c.id.in_(select(named.c.id)))
            order = MEMORY.c.refreshed_at.desc()
        return self._read(query.order_by(order, MEMORY.c.id).limit(limit))

    def search(self, repository: str, words: Sequence[str], limit: int) -> tuple[Memory, ...]:
        """Return active memories that hold these words, those that hold all of them first."""
        if not self.base.is_there:
            return ()
        active = self._known_active(repository)
        with self.base.reading() as connection:
            named = matching(connection, active, words, limit)
            rows = connection.execute(active.where(MEMORY.c.id.in_(named))) if named else ()
            found = {each.id: each for each in map(as_memory, rows)}
        return tuple(found[each] for each in named if each in found)

    def chain(self, memory: str) -> tuple[Memory, ...]:
        """Return a memory with all that it took the place of, and what took its, oldest first.

        Raises:
            UnknownRef: There is none.
        """
        first = self.get(memory)
        found, waiting = {first.id: first}, [first]
        while waiting and len(found) < _LONGEST_CHAIN:
            each = waiting.pop()
            near = [name for name in (each.supersedes, each.superseded_by) if name]
            beside = self._every.where(
                or_(MEMORY.c.id.in_(near), MEMORY.c.supersedes_id == each.id)
            )
            new = [other for other in self._read(beside) if other.id not in found]
            found |= {other.id: other for other in new}
            waiting += new
        return tuple(sorted(found.values(), key=lambda each: (str(each.created_at or ""), each.id)))

    def events(self, memories: Sequence[str], limit: int) -> tuple[Event, ...]:
        """Return what became of memories, the last first; that they were only given out is none."""
        if not self.base.is_there:
            return ()
        told = EVENTS.c
        query = (
            select(EVENTS)
            .where(told.memory_id.in_(memories), told.event != EventName.RETRIEVED.value)
            .order_by(told.created_at.desc(), told.id)
            .limit(limit)
        )
        with self.base.reading() as connection:
            return tuple(filter(None, map(_event_of, connection.execute(query))))

    def all(self, repositories: Sequence[str] = ()) -> Memories:
        """Return every memory, oldest first, whatever its status, as a root's file gives them.

        Args:
            repositories: Of these alone, in whatever case; none = of all.
        """
        if not self.base.is_there:
            return Memories()
        told = EVENTS.c
        used = (
            select(
                told.memory_id,
                func.count().filter(told.event == EventName.APPLIED.value).label(APPLIED),
                func.count().filter(told.event == EventName.VERIFIED_INVALID.value).label(FAILED),
            )
            .where(told.event.in_([EventName.APPLIED.value, EventName.VERIFIED_INVALID.value]))
            .group_by(told.memory_id)
            .subquery()
        )
        query = self._every.add_columns(used.c.applied, used.c.failed).outerjoin(
            used, used.c.memory_id == MEMORY.c.id
        )
        if repositories:
            names = [each.casefold() for each in repositories]
            query = query.where(func.lower(MEMORY.c.repo).in_(names))
        with self.base.reading() as connection:
            found = connection.execute(query.order_by(MEMORY.c.created_at, MEMORY.c.id))
            return Memories([tuple(map(_plain, row)) for row in found])

    def every_active(self, repository: str) -> tuple[Memory, ...]:
        """Return all active memories of a repository, the last refreshed first."""
        query = self._active(repository)
        return self._read(query.order_by(MEMORY.c.refreshed_at.desc(), MEMORY.c.id))

    def named(self, text: str) -> Memory:
        """Return the memory that a person means: by its id, its ref, or the start of either.

        Raises:
            UnknownRef: There is none, or there are several.
        """
        start = text.strip().lower().removeprefix("verified:")
        if known_id(start):
            return self.get(start)
        if not _START.fullmatch(start):
            raise unknown(text)
        found = self._read(self._every.where(cast(MEMORY.c.id, Text).startswith(start)).limit(2))
        if len(found) > 1:
            raise UnknownRef(f"several facts match `{text}`", hint="use more characters of the id")
        if not found:
            raise unknown(text)
        return found[0]

    def get(self, memory: str) -> Memory:
        """Return one memory by its id.

        Raises:
            UnknownRef: There is none.
        """
        found = self._find(memory)
        if found is None:
            raise unknown(memory)
        return found

    def _find(self, memory: str) -> Memory | None:
        known = self._known_id(memory)
        found = self._read(self._every.where(MEMORY.c.id == known)) if known else ()
        return found[0] if found else None

    def held(self, memory: str) -> Memory:
        """Return one memory with its row as edits have it.

        Raises:
            UnknownRef: There is none.
        """
        known = self._known_id(memory)
        found = self._rows(self._by_id, memory=known) if known else ()
        if not found:
            raise unknown(memory)
        return found[0]

    def saying(self, repository: str, subject: str, fact: str) -> Memory | None:
        """Return the active memory that says this, with its row as edits have it."""
        for name in self._names(repository):
            said = {"repo": name, "subject": subject, "fact": fact}
            for found in self._rows(self._by_text, **said):
                return found
        return None

    def of_subject(self, repository: str, subject: str, limit: int) -> tuple[Memory, ...]:
        """Return active memories of a subject, however it begins: with a capital or without."""
        called = {subject, subject.lower(), subject[:1].upper() + subject[1:].lower()}
        query = self._active(repository).where(MEMORY.c.subject.in_(sorted(called)))
        # In the order of its index: SQLite, which keeps no statistics, takes that one then and not
        # by chance that of the status, which looks through all of them.
        ordered = query.order_by(MEMORY.c.subject, MEMORY.c.fact)
        return self._read(ordered.limit(limit))

    def _rows(self, query: Select[Any], **values: str) -> tuple[Memory, ...]:
        if not self.base.is_there:
            return ()
        with self.base.reading() as connection:
            found = [row._asdict() for row in connection.execute(query, values)]
        plain = ({name: _plain(value) for name, value in row.items()} for row in found)
        return tuple(memory_of(row, {name: row[name] for name in CHANGED}) for row in plain)

    def active_count(self, repository: str, most: int | None = None) -> int:
        """Return how many memories of a repository are active, counted up to `most`."""
        if not self.base.is_there:
            return 0
        found = select(MEMORY.c.id).where(self._is_of(repository), IS_ACTIVE, self._is_seen())
        query = select(func.count()).select_from(found.limit(most).subquery())
        with self.base.reading() as connection:
            return int(connection.execute(query).scalar_one())

    def stats(self, repository: str) -> Stats:
        """Return what the view `agent_memory_stats` says of a repository."""
        if not self.base.is_there:
            return Stats(repository)
        kept = MEMORY.c
        counts = [
            func.count().filter(kept.status == each.value)
            for each in (Status.ACTIVE, Status.SUPERSEDED, Status.INVALID)
        ]
        is_active = kept.status == Status.ACTIVE.value
        query = select(
            *counts,
            func.avg(kept.verification_count).filter(is_active),
            func.max(kept.refreshed_at).filter(is_active),
            func.min(kept.created_at),
            func.max(kept.created_at),
        ).where(self._is_of(repository), self._is_seen())
        with self.base.reading() as connection:
            active, superseded, invalid, average, *times = connection.execute(query).one()
        return Stats(repository, active, superseded, invalid, float(average or 0), *times)

    def telemetry(self, repository: str) -> Telemetry:
        """Return what the events of a repository's memories add up to."""
        counts = dict.fromkeys(EventName, 0)
        if not self.base.is_there:
            return Telemetry(counts)
        told = EVENTS.c
        is_timed = told.event.in_(
            [EventName.VERIFIED_VALID.value, EventName.VERIFIED_INVALID.value]
        )
        query = (
            select(
                told.event,
                func.count(),
                func.count(told.duration_ms).filter(is_timed),
                func.sum(told.duration_ms).filter(is_timed),
            )
            .join(MEMORY, MEMORY.c.id == told.memory_id)
            .where(self._is_of(repository), self._is_seen())
            .group_by(told.event)
        )
        timed, took = 0, 0
        with self.base.reading() as connection:
            for name, number, with_time, total in connection.execute(query):
                if name in counts:
                    counts[EventName(name)] = number
                timed += with_time
                took += int(total or 0)
        return Telemetry(counts, took / timed if timed else None)

    def applied_in(self, session: str) -> frozenset[str]:
        """Return the ids of the memories that were applied in a session."""
        if not self.base.is_there:
            return frozenset()
        told = EVENTS.c
        applied = told.event == EventName.APPLIED.value
        query = select(told.memory_id).where(applied, told.session_id == session)
        with self.base.reading() as connection:
            return frozenset(map(str, connection.execute(query).scalars()))

    def idle(self, repository: str, limit: int) -> tuple[Memory, ...]:
        """Return active memories that were never applied, the longest unrefreshed first."""
        told = EVENTS.c
        applied = exists().where(
            told.memory_id == MEMORY.c.id, told.event == EventName.APPLIED.value
        )
        query = self._active(repository).where(~applied)
        return self._read(query.order_by(MEMORY.c.refreshed_at, MEMORY.c.id).limit(limit))

    def usage(self, repository: str, limit: int = PAGE) -> tuple[Usage, ...]:
        """Return how active memories have served, the least useful first.

        That is: never applied before applied, then fewer times, then the longest unrefreshed. It is
        also the order in which they would be retired.
        """
        if not self.base.is_there:
            return ()
        told = EVENTS.c
        is_applied = told.event == EventName.APPLIED.value
        served = (
            select(
                told.memory_id,
                func.count().filter(is_applied).label("applied"),
                func.count().filter(told.event == EventName.RETRIEVED.value).label("retrieved"),
                func.max(told.created_at).filter(is_applied).label("last_applied"),
            )
            .where(told.event.in_([EventName.APPLIED.value, EventName.RETRIEVED.value]))
            .group_by(told.memory_id)
            .subquery()
        )
        applied = func.coalesce(served.c.applied, 0)
        query = (
            self._active(repository)
            .add_columns(applied, func.coalesce(served.c.retrieved, 0), served.c.last_applied)
            .outerjoin(served, served.c.memory_id == MEMORY.c.id)
            .order_by(applied, MEMORY.c.refreshed_at, MEMORY.c.id)
            .limit(limit)
        )
        with self.base.reading() as connection:
            return tuple(Usage(as_memory(row), *row[-3:]) for row in connection.execute(query))

    def _read(self, query: Select[Any]) -> tuple[Memory, ...]:
        if not self.base.is_there:
            return ()
        with self.base.reading() as connection:
            return tuple(map(as_memory, connection.execute(query)))

    def _active(self, repository: str) -> Select[Any]:
        return self._every.where(self._is_of(repository), IS_ACTIVE)

    def _is_of(self, repository: str) -> ColumnElement[bool]:
        names = self._names(repository)
        return MEMORY.c.repo.in_(names) if names[1:] else MEMORY.c.repo == repository

    def _names(self, repository: str) -> tuple[str, ...]:
        """Return the names of a repository that facts have; one that none has is not looked for."""
        if repository not in self._former and self.base.is_there:
            also = [*self._also(repository)]
            query = select(MEMORY.c.repo).where(MEMORY.c.repo.in_(also), IS_ACTIVE).distinct()
            with self.base.reading() as connection:
                used = {str(name) for name in connection.execute(query).scalars()} if also else ()
            self._former[repository] = tuple(name for name in also if name in used)
        return (repository, *self._former.get(repository, ()))

    def _known_active(self, repository: str) -> Select[Any]:
        """Select active memories that something else names: SQLite is not to look through all."""
        if self.base.path is None:
            return self._active(repository)
        plain = (("repo", self._names(repository)), ("status", (Status.ACTIVE.value,)))
        return self._every.where(*(_unindexed(name).in_(values) for name, values in plain))

    @cached_property
    def _by_id(self) -> Select[Any]:
        return _RAW.where(MEMORY.c.id == bindparam("memory"), self._is_seen())

    @cached_property
    def _by_text(self) -> Select[Any]:
        kept = MEMORY.c
        says = [column == bindparam(column.name) for column in (kept.repo, kept.subject, kept.fact)]
        return _RAW.where(*says, IS_ACTIVE, self._is_seen())

    @cached_property
    def _every(self) -> Select[Any]:
        """The columns of every memory that is seen; to build it takes as long as to ask it."""
        told = EVENTS.c
        judged = (
            select(told.event)
            .where(told.memory_id == MEMORY.c.id, told.event.in_([each.value for each in JUDGED]))
            .order_by(told.created_at.desc())
            .limit(1)
            .correlate(MEMORY)
            .scalar_subquery()
        )
        return select(*MEMORY.c, judged.label(JUDGEMENT)).where(self._is_seen())

    def _is_seen(self) -> ColumnElement[bool]:
        is_file = self.base.path is not None
        tenant = _unindexed("tenant_id") if is_file else MEMORY.c.tenant_id
        return tenant.in_(sorted({SHARED, self.tenant}))

    def _known_id(self, memory: str) -> str:
        """Return an id as the table writes it; SQLite may hold some of another shape."""
        found = known_id(memory)
        if not found and self.base.path is None:
            raise unknown(memory)
        return found or memory


def _unindexed(column: str) -> ColumnElement[str]:
    """Name a column so that SQLite, which keeps no statistics, does not begin with its index."""
    return literal_column(f"+agent_memory.{column}", Text())


def as_memory(row: Row[Any]) -> Memory:
    """Read a row of `MemoryReader`'s own query."""
    return memory_of(row._asdict())


def _event_of(row: Row[Any]) -> Event | None:
    """Read an event; one of a name that others gave it is none of ours."""
    if row.event not in {each.value for each in EventName}:
        return None
    result = row.verification_result
    return Event(
        str(row.memory_id),
        EventName(row.event),
        row.agent_id or "",
        row.session_id or "",
        result if isinstance(result, dict) else None,
        row.duration_ms,
        row.created_at,
    )


_AS_IT_IS: Final[Sequence[Any]] = [
    type_coerce(each, NullType()).label(each.name) for each in MEMORY.c
]
_RAW: Final = select(*_AS_IT_IS)
"""The columns as the database gives them: a text that others wrote in a form of their own, too."""


def _plain(value: Any) -> Any:
    """Return a value as a SQLite file would have it."""
    if isinstance(value, datetime):
        return stamp_text(value)
    if isinstance(value, list | dict):
        return json_text(value)
    return value if value is None or isinstance(value, int | float | str | bytes) else str(value)


def unknown(memory: str) -> UnknownRef:
    """Return the error for an id that no memory has."""
    return UnknownRef(f"no fact `{memory}`", hint="see `remem memory recent`")
