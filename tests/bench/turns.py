"""Times commands and the first frame in turns with another remem, by the time that each is at work.

usage: python -m tests.bench.turns OTHER_REMEM [--runs 15] [--entries 10000 | 0] [--only WORD]

`OTHER_REMEM` is the program of an older version in an environment of its own. Both work on copies
of the same folders, and what a command writes is put back before the next run. User and system time
of the processes are added, so that what else the machine does counts for little; the ratio is that
of the medians. Whoever looks for a slow-down of ten percent wants fifteen runs.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

from tests.bench import terminal
from tests.bench.measure import in_turns
from tests.bench.workspaces import MARKER, project

GOAL: Final = 1.10
HERE: Final = str(Path(sys.executable).with_name("remem"))
_COMMIT: Final = (
    *("-c", "user.name=Hill", "-c", "user.email=hill@example.org"),
    *("commit", "-q", "--allow-empty", "-m", "Sail"),
)
LAST: Final = "{last}"
"""Stands for the id of the one candidate of a project."""
COMMANDS: Final[Sequence[tuple[str, Sequence[str]]]] = (
    ("--help", ("--help",)),
    ("list", ("list",)),
    ("status", ("status",)),
    ("queue", ("queue",)),
    ("compose --json", ("compose", "--role", "backend-engineer", "--json")),
    ("check", ("check", "--diff", "HEAD~1..HEAD")),
    ("approve", ("approve", LAST)),
    ("persona list", ("persona", "list")),
    ("show", ("show", LAST)),
    ("add", ("add", "convention", "Buoys are painted before the season", "--role", "qa-engineer")),
)


@dataclass(frozen=True)
class Place:
    """A root and a home folder of one of the two, put back as often as asked."""

    program: str
    top: Path

    def put_back(self) -> None:
        shutil.rmtree(self.top / "live", ignore_errors=True)
        shutil.copytree(self.top / "kept", self.top / "live", symlinks=True)

    @property
    def root(self) -> Path:
        return self.top / "live" / "root"

    @property
    def environment(self) -> dict[str, str]:
        home = str(self.top / "live" / "home")
        return {"HOME": home, "REMEM_HOME": home, "EDITOR": "true"}

    def command(self, words: Sequence[str]) -> float:
        """Return the milliseconds that a command is at work."""
        self.put_back()
        child = subprocess.Popen(
            [self.program, *words],
            cwd=self.root,
            env={**os.environ, **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert child.stdout is not None
        said = child.stdout.read()
        _, status, used = os.wait4(child.pid, 0)
        child.stdout.close()
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode in (0, 1), said[-2_000:].decode(errors="replace")
        return (used.ru_utime + used.ru_stime) * 1_000

    def frame(self, text: str) -> float:
        """Return the milliseconds that the screens are at work until they have drawn `text`."""
        self.put_back()
        program = [self.program, str(self.root)]
        child, screen = terminal._start(program, self.environment)
        drawn, until = bytearray(), monotonic() + terminal.PATIENCE
        try:
            while text.encode() not in drawn:
                assert monotonic() < until, f"`{text}` was not drawn:\n{drawn[-2_000:]!r}"
                if select.select([screen], [], [], 1.0)[0]:
                    drawn += terminal._read(screen)
        finally:
            os.kill(child, signal.SIGKILL)
            _, _, used = os.wait4(child, 0)
            os.close(screen)
        return (used.ru_utime + used.ru_stime) * 1_000


def places(folder: Path, other: str, entries: int) -> tuple[Place, Place]:
    """Build a project of so many entries, or the other one's demo where there are none, twice."""
    kept = folder / "kept"
    if entries:
        project(kept / "root", entries)
    else:
        told = {**os.environ, "HOME": str(folder), "REMEM_HOME": str(folder)}
        subprocess.run(
            [other, "demo", "--at", str(folder / "demo")], env=told, check=True, capture_output=True
        )
        shutil.copytree(folder / "demo" / "project", kept / "root", symlinks=True)
        shutil.copytree(folder / "demo" / "home", kept / "home", symlinks=True)
    (kept / "home").mkdir(exist_ok=True)
    if not (kept / "root" / ".git").exists():
        for git in (("init", "-q"), ("add", "-A"), _COMMIT, _COMMIT):
            subprocess.run(["git", *git], cwd=kept / "root", check=True, capture_output=True)
    made = []
    for name, program in (("other", other), ("here", HERE)):
        place = Place(program, folder / name)
        shutil.copytree(kept, place.top / "kept", symlinks=True)
        last = waiting(place)
        # What is worked out once and kept lies there for both, as on a second day.
        known: Sequence[Sequence[str]] = (("list",), ("status",), ("show", last))
        for words in known:
            subprocess.run(
                [program, *words],
                cwd=place.root,
                env={**os.environ, **place.environment},
                capture_output=True,
                check=False,
            )
        shutil.rmtree(place.top / "kept")
        (place.top / "live").rename(place.top / "kept")
        made.append(place)
    return made[0], made[1]


def waiting(place: Place) -> str:
    """Return the id of a convention that waits in both."""
    place.put_back()
    asked = [place.program, "list", "--status", "candidate", "--json"]
    told = {**os.environ, **place.environment}
    done = subprocess.run(asked, cwd=place.root, env=told, capture_output=True, check=True)
    found = [each for each in json.loads(done.stdout)["entries"] if each["kind"] == "convention"]
    return str(found[0]["ref"]).partition(":")[2]


def main() -> None:
    """Print a line for each command, and what is beyond the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--entries", type=int, default=10_000, help="0 = the other one's demo")
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    beyond: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        other, here = places(Path(folder), asked.other, asked.entries)
        last = waiting(other)
        acts = {
            name: tuple(
                partial(place.command, [last if word == LAST else word for word in words])
                for place in (other, here)
            )
            for name, words in COMMANDS
        }
        if asked.entries:
            shown = MARKER.split()[0]
            both = partial(other.frame, shown), partial(here.frame, shown)
            acts["opening to first frame"] = both
        for name, (one, two) in acts.items():
            if asked.only not in name:
                continue
            one(), two()
            before, now = in_turns(asked.runs, one, two)
            ratio = now / before
            sys.stdout.write(f"{name:24} {before:8.0f} ms {now:8.0f} ms {ratio:6.2f} x\n")
            sys.stdout.flush()
            if ratio > GOAL:
                beyond.append(name)
    sys.stdout.write(f"beyond {GOAL}: {', '.join(beyond) or 'none'}\n")


if __name__ == "__main__":
    main()
