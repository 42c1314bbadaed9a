"""Starts the server: it introduces itself first, and loads what calls need right after that."""

from __future__ import annotations

import gc
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING

from remem.base.clock import Clock
from remem.base.errors import RememError
from remem.core.settings import Places

if TYPE_CHECKING:
    from remem.mcp.server_state import ServerState


class Opening:
    """The state of a server, whose loading begins when a client has its first answer.

    Two threads that load modules at once take longer than one after the other.
    """

    def __init__(self, root: Path, places: Places) -> None:
        self._root = root
        self._places = places
        self._lock = Lock()
        self._thread = Thread(target=self._open, daemon=True)
        self._has_begun = False
        self._opened: ServerState | None = None

    def begin(self) -> None:
        """Begin to load in the background, once."""
        with self._lock:
            if not self._has_begun:
                self._has_begun = True
                self._thread.start()

    @property
    def state(self) -> ServerState:
        """What all calls work on; waits until it is there."""
        self.begin()
        self._thread.join()
        return self._opened or self._made()

    def close(self) -> None:
        """Let go of what was opened."""
        if self._has_begun:
            self._thread.join()
        if self._opened is not None:
            self._opened.close()

    def _open(self) -> None:
        try:
            with suppress(RememError, OSError):  # the call itself says what is wrong
                self._made().warm_up()
        finally:
            # Loading made hardly any garbage; what is there by now is never looked at again.
            gc.freeze()
            gc.enable()

    def _made(self) -> ServerState:
        # The calls come next; loaded now, the first of them does not wait for it.
        import remem.mcp.calls  # noqa: F401
        from remem.mcp.server_state import ServerState

        with self._lock:
            self._opened = self._opened or ServerState(
                self._root, self._places, Clock().new_id()[:12]
            )
            return self._opened


def serve(root: Path, places: Places) -> None:
    """Answer the tools' calls until the client goes away."""
    gc.disable()
    from remem.mcp.server import answer_calls

    answer_calls(Opening(root, places))
