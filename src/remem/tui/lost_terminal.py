"""Ends the program when the terminal is gone that the screens are drawn on.

Mostly a signal does. Where that is ignored, as behind `nohup`, or reaches nobody, as when a
container is left, Textual goes on: one thread reads nothing again and again, another waits for good
to draw.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from threading import Thread
from typing import Final

_HUNG_UP: Final = 128 + signal.SIGHUP if hasattr(signal, "SIGHUP") else 1
"""What a shell says of a program that the signal ended."""


def end_with_terminal() -> None:
    """End this process as the signal would, once nobody is at the other end of its terminal.

    Nothing is put in order then, as little as after the signal: what is written meanwhile stands
    whole or not at all.
    """
    stdin = sys.__stdin__
    if stdin is None or stdin.closed or not stdin.isatty() or not hasattr(select, "poll"):
        return
    Thread(target=_wait, args=(stdin.fileno(),), name="terminal", daemon=True).start()


def _wait(handle: int) -> None:
    # Asked for nothing, the system tells of a hang-up all the same, and wakes nobody before.
    asked = select.poll()
    asked.register(handle, 0)
    if any(said & select.POLLHUP for _, said in asked.poll()):
        # The thread that runs the screens may wait for a terminal that takes nothing any more.
        os._exit(_HUNG_UP)
