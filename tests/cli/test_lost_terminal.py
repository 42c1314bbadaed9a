"""A terminal that goes away under the screens, where no signal tells of it."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from remem.cli.process import HUNG_UP

PATIENCE = 120.0


@pytest.mark.slow
def test_the_screens_end_with_their_terminal_though_no_signal_reaches_them(tmp_path: Path) -> None:
    root, home = tmp_path / "project", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    (root / "AGENTS.md").write_text("- Tie the boat.\n")
    screen, terminal = pty.openpty()
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    # In a session of its own it has no terminal that the system would signal for.
    program = subprocess.Popen(
        (sys.executable, "-m", "remem", str(root), "--home", str(home)),
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm-256color"},
        start_new_session=True,
    )
    os.close(terminal)
    try:
        drawn = b""
        while b"AGENTS.md" not in drawn:
            assert select.select([screen], [], [], PATIENCE)[0], drawn[-2_000:]
            drawn += os.read(screen, 65_536)

        os.close(screen)

        assert program.wait(PATIENCE) == HUNG_UP
    finally:
        program.kill()
        program.wait()
