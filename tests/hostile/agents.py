"""Agents as they are: each a process of its own that writes memory without asking or locking.

Every agent puts marks into the file, one a line, and notes a mark once it has written it.
What an agent destroys by its own stale rewrite is kept beside, so that a lost mark can be
laid at the right door. For that alone they tell each other, by a lock that remem knows nothing of,
when they are between looking and overwriting. Run as `python -m tests.hostile.agents`; only the
standard library is imported, so that many start quickly.
"""

from __future__ import annotations

import argparse
import ctypes
import fcntl
import mmap
import os
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic_ns, sleep
from typing import Final

MARK: Final = re.compile(rb"^(?:- |  - id: )([A-Z]\d+-\d+)\b", re.MULTILINE)
"""How a mark stands in a Markdown list and in a YAML store."""

LAGGING: Final = 0.1
"""Seconds that each agent rests after a line while decisions lag behind."""

_EXCHANGE: Final = 2
_AT_FDCWD: Final = -100


def marks(data: bytes) -> list[bytes]:
    """Return every mark of a file, duplicates too."""
    return MARK.findall(data)


class Control:
    """Three bytes that all processes of a run look at: whether it is over, its stage, who waits.

    Memory files are small. So that many lines can be written, a run goes on to the next root. Where
    decisions lag behind, agents write a few lines each second: a file that grew on and on until
    there are enough decisions would make each of them take longer than the last one.
    """

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(b"\0\0\0")
        self._file = path.open("r+b")
        self._bytes = mmap.mmap(self._file.fileno(), 3)

    @property
    def is_over(self) -> bool:
        return self._bytes[0] != 0

    @property
    def stage(self) -> int:
        return self._bytes[1]

    @property
    def decisions_lag(self) -> bool:
        return self._bytes[2] != 0

    def end(self) -> None:
        self._bytes[0] = 1

    def go_on(self, stage: int) -> None:
        self._bytes[1] = stage
        self._bytes[2] = 0

    def wait_for_decisions(self) -> None:
        """Let agents write slowly until the next stage."""
        self._bytes[2] = 1

    def close(self) -> None:
        self._bytes.close()
        self._file.close()


def at_stage(path: Path, stage: int) -> Path:
    """Return where a path of the first stage lies at another one."""
    return Path(str(path).replace("harbour0", f"harbour{stage}"))


def exchange(one: Path, two: Path) -> None:
    """Swap two names in one step, so that what would be replaced is kept."""
    call = ctypes.CDLL(None, use_errno=True).renameat2
    if call(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(two), _EXCHANGE) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), os.fspath(one), None, os.fspath(two))


class Agent:
    """What all agents know: the file, who they are, where they note what they did."""

    def __init__(self, name: str, target: Path, notes: Path, seed: int, pause: float) -> None:
        self.name = name
        self.target = target
        self.notes = notes
        self.random = random.Random(f"{name} {seed}")
        self.pause = pause
        self.is_yaml = target.suffix == ".yaml"
        self.count = 0
        self.kept = 300
        """Lines that a compaction leaves."""
        self._log = (notes / f"{name}.log").open("ab", buffering=0)
        self._lock = os.open(notes / "between-agents", os.O_RDWR | os.O_CREAT, 0o600)

    def next_line(self, what: str) -> bytes:
        """Return the bytes of one more mark."""
        mark = f"{self.name}-{self.count}"
        if self.is_yaml:
            return f'  - id: {mark}\n    rule: "{what} number {mark}"\n'.encode()
        return f"- {mark} {what}\n".encode()

    def note(self) -> None:
        """Say that the newest mark is written, and go on to the next."""
        self._log.write(f"{self.name}-{self.count}\n".encode())
        self.count += 1

    def rest(self, factor: float = 1.0) -> None:
        if self.pause:
            sleep(self.random.random() * self.pause * factor)

    @contextmanager
    def among_agents(self, how: int) -> Iterator[None]:
        """Keep the other agents from the moment between a look and the overwriting."""
        fcntl.flock(self._lock, how)
        try:
            yield
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_UN)

    def read(self) -> bytes:
        """Read the file while no other agent is in the middle of overwriting it."""
        with self.among_agents(fcntl.LOCK_SH):
            return self.target.read_bytes()

    def keep(self, what: str, data: bytes) -> None:
        (self.notes / what).write_bytes(data)


def append(agent: Agent) -> None:
    """Open for appending and write one line; a fifth of them hold the handle a little first."""
    handle = os.open(agent.target, os.O_WRONLY | os.O_APPEND)
    try:
        if agent.random.random() < 0.2:
            sleep(agent.random.random() * 0.004)
        with agent.among_agents(fcntl.LOCK_SH):
            os.write(handle, agent.next_line("a lesson learnt"))
    finally:
        os.close(handle)
    agent.note()
    if agent.random.random() < 0.5:
        agent.rest()


def read_modify_rename(agent: Agent) -> None:
    """Read, think, write a new file and rename it over; what was replaced is kept as it ends."""
    data = agent.read()
    agent.rest()
    _rename_over(agent, data + agent.next_line("a lesson rewritten"))
    agent.note()
    agent.rest(10)


def read_truncate_write(agent: Agent) -> None:
    """Read, think, then open, truncate and write: the file is empty or torn for a moment."""
    data = agent.read()
    agent.rest()
    after = data + agent.next_line("a file written anew")
    handle = os.open(agent.target, os.O_RDWR)
    try:
        with agent.among_agents(fcntl.LOCK_EX):
            victim = _all_of(handle)
            os.ftruncate(handle, 0)
            os.pwrite(handle, after, 0)
            name = f"{monotonic_ns():020d}-{agent.name}.{os.fstat(handle).st_ino}"
    finally:
        os.close(handle)
    agent.keep(f"{name}.victim", victim)
    agent.keep(f"{name}.written", after)
    agent.note()
    agent.rest(10)


def compact(agent: Agent) -> None:
    """Move the oldest lines into the archive beside, by way of a rename; now and then."""
    agent.rest(200)
    data = agent.read()
    lines = data.splitlines(keepends=True)
    old = [line for line in lines if MARK.match(line)][: -agent.kept]
    if not old:
        return
    with agent.target.with_name("archive.md").open("ab", buffering=0) as archive:
        archive.write(b"".join(old))
    going = set(old)
    _rename_over(agent, b"".join(line for line in lines if line not in going))


def write_slowly(agent: Agent) -> None:
    """Append one line in small pieces, with a breath between them."""
    handle = os.open(agent.target, os.O_WRONLY | os.O_APPEND)
    try:
        line = agent.next_line("a line that takes its time")
        for start in range(0, len(line), 9):
            os.write(handle, line[start : start + 9])
            agent.rest()
    finally:
        os.close(handle)
    agent.note()


def hold(agent: Agent) -> None:
    """Keep a handle open for one to two seconds before the line comes."""
    handle = os.open(agent.target, os.O_WRONLY | os.O_APPEND)
    try:
        sleep(1 + agent.random.random())
        os.write(handle, agent.next_line("a line that came late"))
    finally:
        os.close(handle)
    agent.note()


def make_again(agent: Agent) -> None:
    """Make the folder of the file anew if it is gone, as those do that know only its old name."""
    agent.target.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(agent.target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(handle, agent.next_line("a line under the old name"))
    finally:
        os.close(handle)
    agent.note()
    agent.rest(10)


WAYS: Final[dict[str, Callable[[Agent], None]]] = {
    "A": append,
    "B": read_modify_rename,
    "W": read_truncate_write,
    "C": compact,
    "S": write_slowly,
    "H": hold,
    "G": make_again,
}


def _rename_over(agent: Agent, after: bytes) -> None:
    """Put a new file in the place of the target; what was replaced is kept as it will end."""
    victim = agent.notes / f"{agent.name}.coming"
    victim.write_bytes(after)
    victim.chmod(agent.target.stat().st_mode & 0o777)
    name = f"{monotonic_ns():020d}-{agent.name}"
    exchange(victim, agent.target)
    victim.rename(agent.notes / f"{name}.victim")
    agent.keep(f"{name}.written", after)


def _all_of(handle: int) -> bytes:
    return os.pread(handle, os.fstat(handle).st_size + 1, 0)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("name", help="a letter of WAYS and a number")
    parser.add_argument("target", type=Path)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pause", type=float, default=0.001, help="seconds, the longest")
    parser.add_argument("--most", type=int, default=10**9, help="lines until it ends by itself")
    given = parser.parse_args()
    control = Control(given.notes / "control")
    agent = Agent(given.name, given.target, given.notes, given.seed, given.pause)
    work = WAYS[given.name[0]]
    while not control.is_over and agent.count < given.most:
        agent.target = at_stage(given.target, control.stage)
        try:
            work(agent)
        except FileNotFoundError:
            sleep(0.001)  # the folder has another name now, or not yet
        if control.decisions_lag:
            sleep(LAGGING)


if __name__ == "__main__":
    main()
