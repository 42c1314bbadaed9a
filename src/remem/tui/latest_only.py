"""Work that is asked for more often than it can be done.

Others may change a file every few milliseconds, and what follows from one change may take seconds.
Done for each of them, the work would pile up, with every old snapshot that it was begun on.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock


class InTurn:
    """Lets one piece of work be done once at a time; asked meanwhile, it is done once more."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_asked = False
        self._is_under_way = False

    def ask(self) -> bool:
        """Ask for the work; true for the one who has to see that `run` is called."""
        with self._lock:
            self._is_asked = True
            is_first = not self._is_under_way
            self._is_under_way = True
        return is_first

    def run(self, work: Callable[[], None]) -> None:
        """Do the work until nobody has asked since it was begun last."""
        try:
            while self._take():
                work()
        except BaseException:
            # Whoever asks next begins it anew.
            with self._lock:
                self._is_under_way = False
            raise

    def _take(self) -> bool:
        # In one step: whoever asks later than the last look finds nobody at work.
        with self._lock:
            asked, self._is_asked = self._is_asked, False
            self._is_under_way = asked
        return asked
