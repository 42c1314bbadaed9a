"""By which way a text reached the clipboard, where that is not the terminal's alone.

Inside tmux, tmux itself takes the text and hands it on. As it is set up by default it ignores what
programs inside it copy (`set-clipboard external`: tmux(1) of tmux 3.3a, "set-clipboard"), and tells
nobody. Its own `load-buffer -w`, from 3.2 on, always works.
"""

from __future__ import annotations

import os
import subprocess
from typing import Final

_SECONDS: Final = 2.0


def way_of(text: str) -> str:
    """Return how a text that was copied over OSC 52 went, with a blank before; empty = as usual.

    Inside tmux it is put into tmux's buffer by this.
    """
    if os.environ.get("TMUX"):
        return " into tmux's buffer" if _load(text) else " over OSC 52, which tmux may ignore"
    return " over OSC 52" if "SSH_CONNECTION" in os.environ else ""


def _load(text: str) -> bool:
    command = ["tmux", "load-buffer", "-w", "-"]
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=_SECONDS, cwd="/"
        )
    except (OSError, subprocess.SubprocessError):
        return False  # none is here, or it hangs
    return done.returncode == 0
