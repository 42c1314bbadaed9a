"""A terminal that goes away under the screens, where no signal tells of it."""

import os
import pty
import subprocess
import sys

PATIENCE = 60.0
WAITS = (
    "from threading import Event; from remem.tui.lost_terminal import end_with_terminal; "
    "end_with_terminal(); print('ready', flush=True); Event().wait()"
)


def test_the_program_ends_with_its_terminal_though_no_signal_reaches_it() -> None:
    screen, terminal = pty.openpty()
    program = subprocess.Popen(
        (sys.executable, "-c", WAITS),
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    try:
        assert os.read(screen, 5) == b"ready"

        os.close(screen)

        assert program.wait(PATIENCE) == 128 + 1
    finally:
        program.kill()
        program.wait()
