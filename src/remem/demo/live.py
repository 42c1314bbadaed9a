"""Plays the demo's agents in a process of its own: `python -m remem.demo.live DIR`.

They write as real agents do, without asking remem and without locks: reflections are appended, a
retro is a new file, and now and then a whole file is read, changed and renamed into place. It ends
after a number of steps, or when the process that started it does.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import sleep
from typing import Final

from remem.base.clock import Clock
from remem.demo.build import HOME, PROJECT
from remem.demo.content.live import NOTES, REFLECTIONS, RETROS

EVERY: Final = 3.0
"""Seconds between two steps: slow enough to read, fast enough to notice."""
COUNT: Final = 200
"""Steps until it ends by itself, about ten minutes."""

_FIRST_STORY: Final = 139
_RETRO_STEP: Final = 5
_REWRITE_STEP: Final = 7
_LOOK: Final = 0.2
"""Seconds between two looks at whether the parent lives."""


def start(at: Path, every: float = EVERY) -> subprocess.Popen[bytes]:
    """Start the agents of the demo in `at`; they end with this process at the latest."""
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "remem.demo.live", str(at)),
            *("--every", str(every), "--parent", str(os.getpid())),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def step(at: Path, number: int, clock: Clock) -> Path | None:
    """Do what happens at that step, counted from 1, and return the file that was written."""
    story = f"SLIP-{_FIRST_STORY + number}"
    if number % _RETRO_STEP == 0 and (path := _drop_retro(at)) is not None:
        return path
    if number % _REWRITE_STEP == 0:
        return _rewrite(at, NOTES[number // _REWRITE_STEP % len(NOTES)].format(story=story))
    persona, lessons = REFLECTIONS[number % len(REFLECTIONS)]
    return _reflect(at, persona, [lesson.format(story=story) for lesson in lessons], clock)


def _reflect(at: Path, persona: str, lessons: Sequence[str], clock: Clock) -> Path | None:
    path = at / HOME / f".night-watch/agents/{persona}/memories/{PROJECT}/main.md"
    if not path.is_file():
        return None
    bullets = "".join(f"- {lesson}\n" for lesson in lessons)
    with path.open("ab", buffering=0) as file:
        file.write(f"\n## {clock.today()}\n{bullets}".encode())
    return path


def _drop_retro(at: Path) -> Path | None:
    folder = at / PROJECT / ".sniper/memory/retros"
    for name, text in RETROS:
        path = folder / name
        if folder.is_dir() and not path.exists():
            path.write_bytes(text.encode())
            return path
    return None


def _rewrite(at: Path, line: str) -> Path | None:
    path = at / PROJECT / ".claude/agent-memory/release-captain/MEMORY.md"
    if not path.is_file():
        return None
    written = path.with_name(".MEMORY.md.tmp")
    written.write_bytes(path.read_bytes().rstrip(b"\n") + f"\n{line}\n".encode())
    written.replace(path)
    return path


def _wait(seconds: float, parent: int) -> bool:
    """Wait, and tell whether the parent still lives."""
    for _ in range(max(1, round(seconds / _LOOK))):
        if os.getppid() != parent:
            return False
        sleep(min(seconds, _LOOK))
    return os.getppid() == parent


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the agents until they are done."""
    parser = argparse.ArgumentParser(prog="python -m remem.demo.live", description=__doc__)
    parser.add_argument("at", type=Path, metavar="DIR", help="the folder of a demo")
    parser.add_argument("--every", type=float, default=EVERY, metavar="SECONDS")
    parser.add_argument("--count", type=int, default=COUNT, metavar="N", help="steps to do")
    parser.add_argument("--parent", type=int, default=os.getppid(), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    clock = Clock()
    for number in range(1, options.count + 1):
        if not _wait(options.every, options.parent):
            return
        step(options.at, number, clock)


if __name__ == "__main__":
    main()
