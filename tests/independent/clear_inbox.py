"""Clears the inbox of any repository by keys, in the real program, as a person at a terminal.

It shares no code with remem: it starts the command in a terminal of its own, reads the screen that
`pyte` (to be installed beside the project) makes of it, and presses keys. What agents wrote is made
up: while remem is closed, entries of the repository's memory files are added, reworded and removed.

usage: python -m tests.independent.clear_inbox REPOSITORY [--size 80x24] [--files 4] [--show]
"""

from __future__ import annotations

import argparse
import fcntl
import importlib
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path
from typing import Any, Final

MEMORY: Final = re.compile(r"(^|/)(CLAUDE|AGENTS|GEMINI|MEMORY|history|decisions|charter)\.md$")
QUIET, PATIENCE = 0.35, 30.0  # seconds without a byte, and those waited for more
MOST: Final = 400  # turns after which nobody would go on


class Terminal:
    """A program at a terminal, and what stands on its screen."""

    def __init__(self, command: list[str], size: tuple[int, int], home: Path, at: Path) -> None:
        pyte: Any = importlib.import_module("pyte")
        self.turns: list[str] = []
        self._stream = pyte.ByteStream(screen := pyte.Screen(*size))
        self._screen = screen
        self._child, self._file = pty.fork()
        if self._child == 0:
            os.chdir(at)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
            drop = ("REMEM_HOME", "NO_COLOR", "PYTHONDONTWRITEBYTECODE")
            kept = {name: each for name, each in os.environ.items() if name not in drop}
            settings = {**kept, "HOME": str(home), "TERM": "xterm-256color"}
            os.execvpe(command[0], command, settings)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display)

    def rest(self) -> str:
        """Read until nothing new is drawn."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends and select.select([self._file], [], [], QUIET)[0]:
            try:
                self._stream.feed(os.read(self._file, 65_536))
            except OSError:  # the other side is closed
                break
        return self.text

    def until(self, *words: str) -> str:
        ends = time.monotonic() + PATIENCE
        while not any(word in self.rest() for word in words):
            assert time.monotonic() < ends, f"none of {words} is shown:\n{self.text}"
        return self.text

    def press(self, key: str) -> str:
        self.turns.append(key)
        os.write(self._file, {"enter": "\r", "esc": "\x1b", "down": "j"}.get(key, key).encode())
        return self.rest()

    def end(self) -> str:
        said = self.press("q")
        os.waitpid(self._child, 0)
        return said


def work_as_agents_do(root: Path, files: int) -> list[str]:
    """Add an entry, reword one and remove one in each of the longest memory files."""
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True).stdout
    found = [root / name for name in listed.splitlines() if MEMORY.search(name)]
    found = sorted(filter(Path.is_file, found), key=lambda p: -p.stat().st_size)[:files]
    for path in found:
        lines = path.read_text("utf-8").split("\n")
        points = [n for n, line in enumerate(lines) if re.match(r"- \S.{20,}", line)]
        if len(points) > 3:
            lines[points[1]] += " Seen again last night."
            del lines[points[2]]
        lines += ["- The nightly pass found that builds of the docs take nine minutes.", ""]
        path.write_text("\n".join(lines), "utf-8")
    return [str(path.relative_to(root)) for path in found]


def group_of(screen: str) -> tuple[str, int]:
    """Return the group under the cursor of the queue, and how many of it are left."""
    above = screen.split("▌")[0] if "▌" in screen else ""
    heads = re.findall(r"▾ (.+?)\s+(\d+)/(\d+) ", above)
    return (heads[-1][0], int(heads[-1][2]) - int(heads[-1][1])) if heads else ("", 0)


def clear(terminal: Terminal, show: bool) -> None:
    """Go from Start to an empty inbox: suggestions by group, then what is left one by one."""
    terminal.until("Start")
    screen, tried = terminal.press("2"), set[str]()
    while "All caught up" not in screen and len(terminal.turns) < MOST:
        while "being planned" in screen:
            screen = terminal.rest()
        name, left = group_of(screen)
        key = "A" if left > 1 and name not in tried else "a"
        tried |= {name} if key == "A" else set()
        before, screen = screen, terminal.press(key)
        while "(enter)" in screen:
            screen = terminal.press("enter")
        if show:
            sys.stdout.write(f"--- {key}\n{screen}\n")
        if screen == before and key == "a":
            screen = terminal.rest()
            screen = terminal.press("down") if screen == before else screen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--size", default="80x24")
    parser.add_argument("--files", type=int, default=4)
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    width, height = map(int, asked.size.split("x"))
    remem = str(Path(sys.executable).with_name("remem"))
    with tempfile.TemporaryDirectory() as made:
        root, home = Path(made, "home", "project"), Path(made, "home")
        shutil.copytree(asked.repository, root, symlinks=True)
        first = Terminal([remem], (width, height), home, root)
        first.until("Start")
        while not any(home.rglob("versions.db")) or "looking for" in first.rest():
            first.rest()  # what is there now counts as seen
        first.end()
        sys.stdout.write(f"written: {', '.join(work_as_agents_do(root, asked.files))}\n")
        second = Terminal([remem], (width, height), home, root)
        clear(second, asked.show)
        told = f"{len(second.turns)} keys: {' '.join(second.turns)}"
        sys.stdout.write(f"{second.text}\n{second.end()}\n{told}\n")


if __name__ == "__main__":
    main()
