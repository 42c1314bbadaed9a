"""Coming back from the shell, in a real terminal: the whole screen is drawn again."""

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
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.demo_files import demo_at

from remem.demo.build import home_of

PATIENCE = 60.0
"""Seconds."""
CONTROL = re.compile(rb"\x1b\[[0-9;?<>=$]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b.")


@dataclass
class Terminal:
    """A program behind a terminal of its own, and all that it has written."""

    child: int
    master: int
    written: bytes = b""

    def read_until(self, *wanted: str) -> str:
        """Return what was written as text, as soon as all of it is there."""
        ends = time.monotonic() + PATIENCE
        while any(each not in self.text for each in wanted):
            assert time.monotonic() < ends, f"{wanted} did not come:\n{self.text[-3000:]}"
            ready, _, _ = select.select([self.master], [], [], 0.1)
            if ready:
                self.written += os.read(self.master, 65_536)
        return self.text

    @property
    def text(self) -> str:
        return CONTROL.sub(b"", self.written).decode(errors="ignore")

    def press(self, key: bytes) -> None:
        os.write(self.master, key)

    def wait_until_stopped(self) -> None:
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            pid, status = os.waitpid(self.child, os.WUNTRACED | os.WNOHANG)
            if pid:
                assert os.WIFSTOPPED(status), status
                return
            self.drain()
        raise AssertionError("it did not stop")

    def wait_until_left(self) -> int:
        """Return the code that it ends with."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            pid, status = os.waitpid(self.child, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            with suppress(OSError):  # its side of the terminal is closed
                self.drain()
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        raise AssertionError("it did not end")

    def drain(self) -> None:
        """Take what is written, or nobody could write more."""
        while select.select([self.master], [], [], 0.05)[0]:
            self.written += os.read(self.master, 65_536)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    project = demo_at(tmp_path / "demo")
    child, master = pty.fork()
    if not child:
        os.chdir(project)
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        home = home_of(project)
        env = {**kept, "HOME": str(home), "TERM": "xterm-256color", "LOGNAME": "somebody"}
        os.execve(sys.executable, [sys.executable, "-m", "remem", str(project)], env)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    yield Terminal(child, master)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(master)


@pytest.mark.slow
def test_ctrl_z_and_fg_draw_the_whole_screen_again(terminal: Terminal) -> None:
    whole = ("Queue", "Review", "Approve", "Help")
    terminal.read_until(*whole)
    terminal.press(b"\x1a")
    terminal.wait_until_stopped()
    terminal.written = b""

    os.kill(terminal.child, signal.SIGCONT)

    terminal.read_until(*whole)
