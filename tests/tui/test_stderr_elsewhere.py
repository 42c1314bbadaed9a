"""The screens are drawn where a person sits, wherever what goes wrong is written to."""

from __future__ import annotations

import fcntl
import os
import pty
import shlex
import struct
import sys
import termios
from pathlib import Path

import pytest
from tests.demo_files import demo_at
from tests.tui.test_suspend import Terminal

from remem.demo.build import home_of


@pytest.mark.slow
@pytest.mark.parametrize("stderr", ["2>/dev/full", "2>&-", "2>errors"])
def test_the_screens_are_on_the_terminal_and_left_in_order(tmp_path: Path, stderr: str) -> None:
    project = demo_at(tmp_path / "demo")
    command = shlex.join([sys.executable, "-m", "remem", str(project)])
    child, master = pty.fork()
    if not child:
        os.chdir(tmp_path)
        env = {**os.environ, "HOME": str(home_of(project)), "TERM": "xterm-256color"}
        os.execve("/bin/sh", ["sh", "-c", f"exec {command} {stderr}"], env)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    terminal = Terminal(child, master)

    terminal.read_until("Queue", "Review", "Approve", "Help")
    terminal.press(b"q")
    code = terminal.wait_until_left()

    os.close(master)
    assert code == 0
    assert not (tmp_path / "errors").exists() or (tmp_path / "errors").read_bytes() == b""
