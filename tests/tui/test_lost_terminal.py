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

PATIENCE = 60.0


def drawn(screen: int, text: bytes) -> bytes:
    """Read what is drawn until a text is."""
    found = b""
    while text not in found:
        assert select.select([screen], [], [], PATIENCE)[0], found[-2_000:]
        found += os.read(screen, 65_536)
    return found


@pytest.mark.slow
def test_the_program_ends_with_its_terminal_though_no_signal_reaches_it(tmp_path: Path) -> None:
    root, home = tmp_path / "project", tmp_path / "home"
    for folder in (root, home):
        folder.mkdir()
    (root / "AGENTS.md").write_text("- Tie the boat.\n")
    screen, terminal = pty.openpty()
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
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
        drawn(screen, b"live")

        os.close(screen)

        assert program.wait(PATIENCE) == 128 + 1
    finally:
        program.kill()
        program.wait()
