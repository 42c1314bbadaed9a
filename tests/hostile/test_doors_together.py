"""Two terminals and the command line decide at one root at once, while an agent appends to it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from time import monotonic

import pytest
import yaml
from tests.hostile.agents import Control
from tests.hostile.traffic import Place, id_of, litter, outcome, start_agent, start_curator, until

from remem.core.session import Session
from remem.core.settings import Places

REMEM = str(Path(sys.executable).with_name("remem"))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, "store", entries=24).build()


def statuses(place: Place) -> dict[str, str]:
    document = yaml.safe_load(place.target.read_bytes())
    known = {id_of(key) for key in place.keys}
    return {each["id"]: each["status"] for each in document["conventions"] if each["id"] in known}


ALREADY = -1
"""The item was decided before: nothing was done, which is no failure."""


def approve_by_command(place: Place, ids: list[str]) -> list[int]:
    """Approve one after the other, each in a process of its own, and return how they ended."""
    options = ["--root", str(place.root), "--home", str(place.home)]
    ended = [
        subprocess.run(
            [REMEM, "approve", id_, *options], capture_output=True, text=True, timeout=60
        )
        for id_ in ids
    ]
    return [
        ALREADY if not each.returncode and "nothing was written" in each.stderr else each.returncode
        for each in ended
    ]


def history(place: Place) -> list[str]:
    bench = Session.open(place.root, Places.of(place.home), door="cli")
    titles = [logged.title for logged in bench.past.changes()]
    bench.close()
    return titles


def test_two_that_decide_and_the_command_line_lose_nothing_of_each_other(place: Place) -> None:
    control = Control(place.notes / "control")
    # Each its own half of the entries, so that all editions are to be found in the end.
    hands = [start_curator(place, "--most", "12", "--share", f"{n}/2") for n in range(2)]
    hands.append(start_agent(place, "A0", most=400))

    codes = [hand.wait(timeout=300) for hand in hands]
    control.close()

    found = outcome(place)
    assert codes == [0, 0, 0]
    assert found.losses.written == 400
    assert not found.losses.by_others
    assert not found.edits_lost
    assert not found.entries_missing
    assert not found.entries_twice
    assert len([title for title in history(place) if title.startswith("Edit")]) == 24


@pytest.mark.slow
def test_the_same_decision_at_two_doors_at_once_is_made_once(place: Place) -> None:
    waiting = [id_ for id_, status in statuses(place).items() if status == "candidate"][:3]

    with ThreadPoolExecutor(2) as doors:
        one, two = doors.map(lambda _: approve_by_command(place, waiting), range(2))

    after = statuses(place)
    assert [after[id_] for id_ in waiting] == ["confirmed"] * 3
    assert all(0 in codes for codes in zip(one, two, strict=True))
    assert set(one + two) <= {0, ALREADY, 2, 3}
    assert len(history(place)) == [*one, *two].count(0) == 3


@pytest.mark.slow
def test_two_terminals_and_the_command_line_approve_all_that_waits(place: Place) -> None:
    waiting = [id_ for id_, status in statuses(place).items() if status == "candidate"]
    # It ends by itself: what it writes waits as well, and to look at all of it takes its time.
    agent = start_agent(place, "A0", pause=0.2, most=400)

    with (
        ended(agent),
        terminal(place) as one,
        terminal(place) as two,
        ThreadPoolExecutor(1) as commands,
    ):
        codes = commands.submit(approve_by_command, place, waiting[-4:])
        end = monotonic() + 300
        for screen in (one, two):
            # not what the agent writes meanwhile, which waits as well
            screen.press("/agreed\r")
        keys = cycle(["ja", "ja", "ka", "ka"])
        while "candidate" in statuses(place).values() and monotonic() < end:
            for screen in (one, two):
                screen.press(next(keys))
        answers = codes.result(timeout=300)

    found = outcome(place)
    assert set(statuses(place).values()) == {"confirmed"}
    assert set(answers) <= {0, ALREADY, 2, 3}
    assert not found.losses.by_others
    assert not found.entries_missing
    assert not found.entries_twice
    titles = [title for title in history(place) if title.startswith("Approve sniper:conv-")]
    assert len(titles) == len(set(titles)) == len(waiting), titles
    assert not [name for name in litter(place) if name.suffix != ".old"]


@contextmanager
def ended(agent: subprocess.Popen[bytes]) -> Iterator[None]:
    """Let an agent write to its end; stop it where the block fails."""
    try:
        yield
        agent.wait(timeout=300)
    finally:
        agent.kill()
        agent.wait()


@dataclass(frozen=True, slots=True)
class Terminal:
    """The screens in a terminal of their own, as a person at its keys has them."""

    child: int
    handle: int
    drawn: bytearray = field(default_factory=bytearray)
    """What was drawn since somebody looked."""

    def press(self, keys: str) -> None:
        """Press keys one after the other and read what is drawn."""
        for key in keys:
            os.write(self.handle, key.encode())
            self.read()

    def has_left(self) -> bool:
        # After the escape of what is open, as one with which a letter that follows is read.
        self.press("\x1b")
        self.read(0.3)
        self.press("q")
        self.read(0.5)
        return os.waitpid(self.child, os.WNOHANG)[0] != 0

    def shows(self, words: bytes) -> bool:
        self.read()
        return words in self.drawn

    def read(self, quiet: float = 0.05) -> None:
        """Read what is drawn until nothing is for a while; what agents write is drawn always."""
        end = monotonic() + 4 * quiet
        while monotonic() < end and select.select([self.handle], [], [], quiet)[0]:
            try:
                self.drawn.extend(os.read(self.handle, 65_536))
            except OSError:  # what Linux says when the other side is closed
                return


@contextmanager
def terminal(place: Place) -> Iterator[Terminal]:
    """Run the screens in a terminal of their own until the block ends."""
    command = [REMEM, str(place.root), "--home", str(place.home)]
    child, handle = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
        os.execve(command[0], command, {**os.environ, "TERM": "xterm-256color"})
    screens = Terminal(child, handle)
    try:
        until(lambda: screens.shows(b"candidate"))
        yield screens
        until(screens.has_left)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    finally:
        os.close(handle)
