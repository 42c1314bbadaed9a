"""Verified memory on a server: asked in the background, held in between, written in one go.

Nobody who draws or composes waits for a server: they get what it held when it was asked last, and
the problem there was. It does not import SQLAlchemy before it asks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from remem.base.clock import Clock
from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.model.change import RowEdit
from remem.model.entry import Problem
from remem.store.databases.row_sets import place_of
from remem.store.io import Disk
from remem.systems.facts.database.lazy_rows import Memories
from remem.systems.facts.database.row_records import StoreUnavailable

if TYPE_CHECKING:
    from remem.systems.facts.database.server_query import Served

T = TypeVar("T")
LOOK_SECONDS: Final = 6.0
"""After so long without an answer a server counts as gone; what it says later is thrown away."""
WRITE_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class Held:
    """What a server held when it was asked last."""

    memories: Memories = field(default_factory=Memories)
    problem: Problem | None = None
    """Why it could not be queried; the memories are those of the time before."""
    is_known: bool = False
    """It was asked once, and it answered."""


class MemoryServer:
    """The memories of one repository on a server; for all threads of a process."""

    def __init__(
        self,
        url: str,
        tenant: str,
        repositories: Callable[[], Sequence[str]],
        *,
        disk: Disk | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Ask nothing yet.

        Args:
            url: The address; its password is never shown.
            tenant: Whose memories are read, besides everyone's.
            repositories: Gives the names that memories may call this checkout by.
            disk: The seam for files.
            clock: Tells when it was asked.
        """
        self.path = place_of(url)
        self._url = url
        self._tenant = tenant
        self._repositories = repositories
        self._disk = disk or Disk()
        self._clock = clock or Clock()
        self._held = Held()
        self._mark: object = None
        self._served: Served | None = None
        self._asking = Lock()
        self.patience = LOOK_SECONDS
        """Seconds for which an answer to a question is waited for."""

    @property
    def held(self) -> Held:
        """What is known now; waits for nobody."""
        return self._held

    def close(self) -> None:
        """Give every connection back."""
        if self._served is not None:
            self._served.close()

    def ask(self) -> bool:
        """Ask whether anything changed and read it; tell whether other things are held now."""
        with self._asking:
            before = self._held
            try:
                self._held = self._within(self.patience, self._asked)
            except RememError as error:
                self._held = replace(before, problem=self._problem(error, before))
            return self._held != before

    def stand(self, edits: Sequence[RowEdit]) -> bool:
        """Tell whether every row is as its edit has it before.

        Raises:
            StoreUnavailable: The server cannot be asked.
        """
        return self._within(self.patience, lambda served: served.stand(edits))

    def write(self, edits: Sequence[RowEdit]) -> tuple[RowEdit, ...]:
        """Carry out all edits in one transaction, or none; what is held follows.

        Returned are the edits with what their loose columns held.

        Raises:
            ChangedOnDisk: A row is not what it was shown as; nothing was written.
            StoreUnavailable: The server gave no answer; what became of it is not known.
        """
        done = self._within(WRITE_SECONDS, lambda served: served.write(edits))
        self.ask()
        return done

    def _asked(self, served: Served) -> Held:
        repositories = self._repositories()
        mark = served.mark(repositories)
        if mark == self._mark and self._held.is_known:
            return replace(self._held, problem=None)
        memories = served.memories(repositories)
        self._mark = mark
        return Held(memories, is_known=True)

    def _within(self, seconds: float, act: Callable[[Served], T]) -> T:
        """Return what `act` gives; a server that accepts and never answers must not hold us up."""
        served = self._opened()
        call = _Call(lambda: act(served))
        call.thread.start()
        call.thread.join(seconds)
        if call.leave(served.close):
            self._served = None  # the next question goes by a connection of its own
            raise StoreUnavailable(
                f"`{self.path}` did not answer within {seconds:.0f} s",
                hint="check that the server runs and can be reached",
            )
        if not call.found:
            raise call.error or StoreUnavailable(
                f"`{self.path}` could not be queried", hint="report the printed error"
            )
        return call.found[0]

    def _opened(self) -> Served:
        served = self._served
        if served is None:
            from remem.systems.facts.database.server_query import Served

            served = Served(self._url, self._tenant, self._disk, self._clock)
            self._served = served
        return served

    def _problem(self, error: RememError, before: Held) -> Problem:
        if before.problem is not None and before.problem.hint == error.hint:
            return before.problem  # the time in it says since when
        told = str(error)
        if before.is_known:
            told = f"{told}; showing data from before {self._clock.now():%H:%M} UTC"
        return Problem(error.code, told, error.hint, path=self.path, blocks_writing=True)


class _Call(Generic[T]):
    """A question that is asked in a thread of its own, which nobody waits for at the end."""

    def __init__(self, act: Callable[[], T]) -> None:
        self._act = act
        self._lock = Lock()
        self._clears_up: Callable[[], None] | None = None
        self._is_done = False
        self.found: list[T] = []
        self.error: Exception | None = None
        self.thread = Thread(target=self._run, daemon=True, name="remem-server")

    def leave(self, clears_up: Callable[[], None]) -> bool:
        """Tell whether there is no answer yet; then `clears_up` is called when it comes."""
        with self._lock:
            if not self._is_done:
                self._clears_up = clears_up
            return not self._is_done

    def _run(self) -> None:
        try:
            self.found.append(self._act())
        except (RememError, OSError) as error:
            self.error = error
        with self._lock:
            self._is_done = True
        if self._clears_up is not None:
            self._clears_up()
