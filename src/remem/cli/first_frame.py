"""Shows the first frame before the screens are loaded, where it is known what they will draw.

From then on the terminal is ours: keys are not echoed and wait for the screens, which take over
what stands there; whoever comes not so far gives it back. Neither click nor Textual is imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

_VALUES: Final = frozenset({"--root", "--home"})
_OPEN: Final = "\x1b[?1049h\x1b[?25l"
_CLOSE: Final = "\x1b[0m\x1b[?25h\x1b[?1049l"


class Taken:
    """The terminal, from when it shows a frame until the screens have it."""

    attributes: list[Any]
    """How the keyboard was set before."""
    is_ours = False
    """It shows a frame and waits for the screens."""

    def show(self, frame: str) -> None:
        """Show a frame; raises `OSError` where that cannot be."""
        import termios

        keyboard = sys.stdin.fileno()
        try:
            self.attributes, ours = termios.tcgetattr(keyboard), termios.tcgetattr(keyboard)
            # As the screens will have it, but ctrl+c still ends what may take long.
            ours[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL)
            ours[0] &= ~(termios.INLCR | termios.IGNCR)
            ours[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN)
            ours[6][termios.VMIN] = 1
            # First, so that whoever interrupts what follows gives it back.
            self.is_ours = True
            termios.tcsetattr(keyboard, termios.TCSANOW, ours)
        except termios.error as error:
            raise OSError from error
        _write(f"{_OPEN}{frame}\x1b[0m")

    def hand_over(self) -> None:
        """Leave it to the screens from now on."""
        self.is_ours = False

    def give_back(self) -> None:
        """Let it be as it was, unless the screens have it."""
        if not self.is_ours:
            return
        import termios

        self.is_ours = False
        with suppress(OSError, termios.error):
            _write(_CLOSE)
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self.attributes)


def show_first_frame(asked: tuple[str, Path | None], terminal: Taken) -> None:
    """Show the frame that the screens will draw first, if that is known.

    Args:
        asked: What `asked_for` returned.
        terminal: Where; `is_ours` tells whether it is shown.
    """
    if not _is_at_a_terminal():
        return
    from remem.base.clock import Clock
    from remem.core.first_frame import Opening, kept_frame
    from remem.store.io import Disk

    folder, home = asked
    try:
        opening = Opening.of(folder, home, os.environ, os.get_terminal_size(sys.stdin.fileno()))
        frame = kept_frame(Disk(), Clock(), opening)
        if frame is not None:
            terminal.show(frame)
    except (OSError, ValueError, RuntimeError):
        terminal.give_back()


def asked_for(arguments: Sequence[str]) -> tuple[str, Path | None] | None:
    """Return the folder and the other home that the screens are asked for with.

    `None`: it is something else, or there is more to it, which the command line understands.
    """
    told: dict[str, str] = {}
    rest = [*arguments]
    while rest:
        name, is_joined, value = rest.pop(0).partition("=")
        if name in _VALUES and (is_joined or rest):
            told[name] = value if is_joined else rest.pop(0)
        elif name.startswith(("/", ".", "~")) and not is_joined and "" not in told:
            told[""] = name
        else:
            return None
    home = told.get("--home", "") or os.environ.get("REMEM_HOME", "")
    folder = told.get("") or told.get("--root", "")
    return folder, Path(home).expanduser().absolute() if home else None


def _is_at_a_terminal() -> bool:
    """Tell whether the screens would be drawn on the terminal that the keys come from."""
    if os.name != "posix" or os.environ.get("TEXTUAL_DRIVER"):
        return False
    return all(each is not None and each.isatty() for each in (sys.stdin, sys.stdout, sys.stderr))


def _write(text: str) -> None:
    sys.stderr.buffer.write(text.encode("utf-8", "replace"))
    sys.stderr.buffer.flush()
