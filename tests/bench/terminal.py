"""Runs a program in a terminal of its own and reads what it draws."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

COLUMNS, ROWS = 120, 36
PATIENCE = 120.0
"""Seconds after which a program that shows nothing is given up."""


def until_shown(command: Sequence[str], text: str, environment: Mapping[str, str]) -> float:
    """Return the milliseconds from the start of the program until it has drawn `text`."""
    begin = perf_counter()
    child, screen = _start(command, environment)
    drawn = bytearray()
    try:
        while text.encode() not in drawn:
            left = PATIENCE - (perf_counter() - begin)
            assert left > 0, f"`{text}` was not drawn:\n{drawn[-2_000:]!r}"
            if not select.select([screen], [], [], left)[0]:
                continue
            drawn += _read(screen)
        return (perf_counter() - begin) * 1_000
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(screen)


def until_kept(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], leave: bytes = b"q"
) -> None:
    """Let a program keep a file in a folder, and end it with a key."""
    child, screen = _start(command, environment)
    end, is_left = perf_counter() + PATIENCE, False
    while perf_counter() < end:
        if not is_left and any(not path.suffix for path in folder.glob("*")):
            is_left = bool(os.write(screen, leave))
        if select.select([screen], [], [], 0.1)[0] and not _read(screen):
            break
    _, status = os.waitpid(child, 0)
    os.close(screen)
    assert status == 0


def until_ended(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Run a program that ends by itself, and read away what it draws."""
    child, screen = _start(command, environment)
    drawn = bytearray()
    while part := _read(screen):
        drawn += part
    _, status = os.waitpid(child, 0)
    os.close(screen)
    assert status == 0, drawn[-4_000:].decode(errors="replace")


def _start(command: Sequence[str], environment: Mapping[str, str]) -> tuple[int, int]:
    size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
    settings = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment}
    child, screen = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, size)
        os.chdir(Path(__file__).resolve().parents[2])
        os.execvpe(command[0], list(command), settings)
    return child, screen


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 65_536)
    except OSError:  # what Linux says when the other side is closed
        return b""
