"""Uses the screens in a terminal while others write, and prints how much memory they take.

usage: python -m tests.bench.watching [--minutes 30] [--seed 1] [--entries 10000]

Keys are random and go from screen to screen, into filters and details; nothing is decided. Beside
them somebody appends a line every half second, and swaps the file for its first bytes now and then.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tests.bench import terminal
from tests.bench.workspaces import project

GOAL = 0.15
"""Mebibytes a minute, over the last third."""
EVERY = 0.5
"""Seconds between two appended lines, and about as many between two keys."""
SWAP = 50
"""Lines after which the file is swapped for what it was."""
KEYS = (
    *(b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"8", b"j", b"k", b"j", b"k", b"\t", b"\x1b"),
    *(b"\x1b[A", b"\x1b[B", b"\x1b[5~", b"\x1b[6~", b"g", b"G", b"/", b"w", b"?", b"\x1b", b"\r"),
)


@dataclass(frozen=True)
class Weighed:
    """What a process took at one moment."""

    minute: float
    mebibytes: float


def slope(weighed: Sequence[Weighed]) -> float:
    """Return by how many mebibytes a minute a process grew, by least squares."""
    middle = sum(each.minute for each in weighed) / len(weighed)
    mean = sum(each.mebibytes for each in weighed) / len(weighed)
    spread = sum((each.minute - middle) ** 2 for each in weighed)
    together = sum((e.minute - middle) * (e.mebibytes - mean) for e in weighed)
    return together / spread if spread else 0.0


def last_third(weighed: Sequence[Weighed]) -> Sequence[Weighed]:
    """Return what was weighed in the last third of the time."""
    since = weighed[-1].minute * 2 / 3
    return [each for each in weighed if each.minute >= since]


def watch(folder: Path, minutes: float, seed: int, entries: int) -> list[Weighed]:
    """Use the screens for so long and return what they weighed, at least six times a minute."""
    chance = random.Random(seed)
    root = project(folder, entries)
    store = root / ".sniper" / "memory" / "conventions.yaml"
    first = store.read_bytes()
    environment = {
        "HOME": str(folder / "home"),
        "REMEM_HOME": str(folder / "home"),
        "EDITOR": "true",
    }
    child, screen = terminal._start([sys.executable, "-m", "remem", str(root)], environment)
    weighed: list[Weighed] = []
    begin, written, next_write, next_weigh = perf_counter(), 0, 5.0, 10.0
    next_key = 5.0
    try:
        while (now := perf_counter() - begin) < minutes * 60:
            if select.select([screen], [], [], 0.05)[0]:
                assert terminal._read(screen), "the screens ended"
            if now >= next_key:
                os.write(screen, chance.choice(KEYS))
                next_key = now + chance.uniform(0.2, 0.8)
            if now >= next_write:
                written += 1
                _write(store, first, written)
                next_write = now + EVERY
            if now >= next_weigh:
                weighed.append(Weighed(now / 60, _weight(child)))
                next_weigh = now + min(10.0, minutes * 60 / 30)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(screen)
    return weighed


def _write(store: Path, first: bytes, number: int) -> None:
    if number % SWAP == 0:
        beside = store.with_suffix(".new")
        beside.write_bytes(first)
        beside.replace(store)
        return
    with store.open("ab") as file:
        file.write(
            f"  - id: conv-x{number:05d}\n"
            f'    rule: "Late rule {number} of the harbour"\n'
            "    applies_to: [backend-engineer]\n".encode()
        )


def _weight(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    return (
        next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        / 1024
    )


def main() -> None:
    """Print a line a minute, and the slope of the last third."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--entries", type=int, default=10_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        weighed = watch(Path(folder), given.minutes, given.seed, given.entries)
    for each in weighed[:: max(1, len(weighed) // 30)]:
        sys.stdout.write(f"{each.minute:5.1f} min  {each.mebibytes:7.1f} MiB\n")
    grown = slope(last_third(weighed))
    sys.stdout.write(f"{grown:+.2f} MiB/min over the last third; the goal is {GOAL}\n")


if __name__ == "__main__":
    main()
