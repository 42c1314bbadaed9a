"""What is copied inside tmux: tmux itself takes it, and hands it on to the terminal's clipboard.

As tmux is set up by default it ignores what programs inside it copy (`set-clipboard external`:
tmux(1) of tmux 3.3a, "set-clipboard"), and tells nobody. Its own `load-buffer -w`, from 3.2 on,
always works.
"""

from __future__ import annotations

import subprocess
from typing import Final

_SECONDS: Final = 2.0


def load_tmux_buffer(text: str) -> bool:
    """Put a text into tmux's buffer and on the clipboard; tell whether tmux took it."""
    command = ["tmux", "load-buffer", "-w", "-"]
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0
