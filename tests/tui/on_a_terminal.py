"""A program on a terminal of its own, and what a person sees there at any time."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from rich.cells import cell_len

PATIENCE = 60.0
"""Seconds."""
COLUMNS, ROWS = 120, 36
REMEM = "from remem.cli.entry_point import main; main()"
HELD = f"""
import signal, sys

class Held:
    # A loader that is asked for nothing else: it waits until it is told to go on.
    def find_spec(self, name, path, target=None):
        if name == "remem.cli.main":
            while not signal.sigtimedwait([signal.SIGUSR1], 0.05):
                pass

signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
sys.meta_path.insert(0, Held())
{REMEM}
"""
"""The same, but the screens are not loaded before the process hears `SIGUSR1`."""
_PART = re.compile(
    r"\x1b\[([0-9;?<>=$]*)[ -/]*([@-~])|\x1b\][^\x07]*\x07|\x1b[^\[\]]|\x1b$|\x1b[\[\]][^@-~]*$|.",
    re.DOTALL,
)


class Seen:
    """The letters that a terminal shows; of controls it knows what remem draws with."""

    def __init__(self) -> None:
        self._cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self._row = self._column = 0
        self._rest = ""
        self.painted: set[int] = set()
        """Rows that something was written to."""

    @property
    def rows(self) -> list[str]:
        return ["".join(row).rstrip() for row in self._cells]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    def feed(self, text: str) -> None:
        whole, self._rest = self._rest + text, ""
        for part in _PART.finditer(whole):
            if part.end() == len(whole) and part[0].startswith("\x1b") and part[2] is None:
                self._rest = part[0]
            elif part[2] == "H":
                row, _, column = part[1].partition(";")
                self._row, self._column = int(row or 1) - 1, int(column or 1) - 1
            elif part[0] == "\x1b[?1049h":
                self._cells = [[" "] * COLUMNS for _ in range(ROWS)]
            elif part[0].isprintable():
                self._put(part[0])

    def _put(self, letter: str) -> None:
        if self._column < COLUMNS:
            self._cells[self._row][self._column] = letter
            self.painted.add(self._row)
        self._column += cell_len(letter)


class Terminal:
    """Python in a terminal, with what it has drawn so far."""

    def __init__(self, code: str, *arguments: str, home: Path) -> None:
        self.seen = Seen()
        self._written = b""
        self.child, self._screen = pty.fork()
        if not self.child:
            kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
            env = {**kept, "HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
            select.select([0], [], [], PATIENCE)  # until the terminal has its size
            termios.tcflush(0, termios.TCIFLUSH)
            # In the background of a shell it is ignored, also by what is started there.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execve(sys.executable, [sys.executable, "-c", code, *arguments], env)
        size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
        fcntl.ioctl(self._screen, termios.TIOCSWINSZ, size)
        self.attributes_before = self.attributes
        os.write(self._screen, b"\n")

    @property
    def attributes(self) -> list[Any]:
        return termios.tcgetattr(self._screen)

    @property
    def written(self) -> str:
        return self._written.decode("utf-8", "ignore")

    def read(self) -> str:
        """Return what came within a tenth of a second, and draw it."""
        if not select.select([self._screen], [], [], 0.1)[0]:
            return ""
        before = len(self.written)
        with suppress(OSError):  # its side of the terminal is closed
            self._written += os.read(self._screen, 65_536)
        return self.written[before:]

    def until(self, is_so: Callable[[], bool]) -> None:
        told = self.comes(is_so, PATIENCE)
        assert told, f"it was never so:\n{self.seen.text}\n{self.written[-300:]}"

    def comes(self, is_so: Callable[[], bool], seconds: float) -> bool:
        """Tell whether it is so within that time."""
        ends = monotonic() + seconds
        while not is_so():
            if monotonic() > ends:
                return False
            self.seen.feed(self.read())
        return True

    def until_shown(self, *texts: str) -> None:
        self.until(lambda: all(each in self.seen.text for each in texts))

    def press(self, keys: bytes) -> None:
        os.write(self._screen, keys)

    def until_left(self) -> int:
        """Return the code that the program ends with."""
        left: list[int] = []

        def is_left() -> bool:
            pid, status = os.waitpid(self.child, os.WNOHANG)
            left.extend([status] if pid else [])
            return bool(left)

        self.until(is_left)
        self.child = 0
        return os.waitstatus_to_exitcode(left[0])

    def close(self) -> None:
        if self.child:
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        os.close(self._screen)
