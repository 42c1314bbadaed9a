"""The lock that all processes of a user share, and what its holder may rely on.

Whoever holds it is alone among those who take it, has a history that can be used (a damaged one is
put aside first, and what can be read of it goes on), and knows the bounds as they are by then.
Programs that know nothing of remem take no lock: their writes are kept by `swap` and `fold`.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from remem.base.clock import Clock
from remem.base.errors import WriteFailed, write_failed
from remem.store.changes.parked import ParkedFiles
from remem.store.history.journal import Journal
from remem.store.history.journal_database import BadJournal
from remem.store.io import Disk
from remem.store.write_bounds import PresentBounds


class UserLock:
    """Lets one process of a user at a time change files."""

    def __init__(
        self,
        disk: Disk,
        journal: Journal,
        parked: ParkedFiles,
        clock: Clock,
        state: Path,
        bounds: PresentBounds,
    ) -> None:
        self._disk = disk
        self._journal = journal
        self._parked = parked
        self._clock = clock
        self._state = state
        self._bounds = bounds

    @contextmanager
    def held(self, wait: float = 2.0, *, is_damaged: bool = False) -> Iterator[None]:
        """Hold the lock.

        Args:
            wait: Seconds for which another process may be at work.
            is_damaged: The history was found damaged.

        Raises:
            WriteFailed: Another process is at work and does not end, or the history turned out
                to be damaged: then it was put aside, and what was asked can be repeated.
        """
        try:
            self._journal.prepare()
        except BadJournal as error:
            if not error.is_damaged:
                raise
            is_damaged = True
        self._bounds.look()
        with ExitStack() as held:
            try:
                self._parked.prepare()
                held.enter_context(self._disk.lock(self._state / "lock", wait))
            except OSError as error:
                raise write_failed("the change", error) from error
            # Looked at again: whoever held the lock until now may have put it aside already.
            if is_damaged and self._journal.damage() is not None:
                self._mend()
            try:
                yield
            except BadJournal as error:
                if not error.is_damaged:
                    raise
                told = self._mend()
                raise WriteFailed(
                    f"{error}; {told}", hint="check the files, then repeat the change"
                ) from error

    def _mend(self) -> str:
        told = self._journal.mend(self._clock.now())
        self._journal.prepare()
        return told
