"""Decisions while git moves memory under them, and what the history tells of each in the end.

A screen that stays open and commands decide; agents write older texts back; git commits, switches
branches, rebases, merges, resets, stashes and restores; the history is pruned, and a newer and an
older remem write to it. Beside it stands a count of its own: after each step it is seen in the file
which decisions stand, and whoever made the step is who took them away or brought them back.

`python -m tests.hostile.git_torture SEED… ` prints what came of each seed.
"""

from __future__ import annotations

import os
import random
import re
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from tests.hostile.crashing import memory_folder

from remem.base.clock import Clock
from remem.base.errors import RememError
from remem.core.session import Session
from remem.core.settings import Keep, Places
from remem.core.waiting.item import Why
from remem.store.history.journal_records import Door, Logged
from remem.systems.registry import make_known

Who = Literal["git", "writer", "person"]
ENTRIES: Final = 12
ALL: Final = 10**6
STEP: Final = timedelta(seconds=30)
"""Between two steps: no writer is one who had read before the decision."""
_ENTRY: Final = re.compile(
    r'- id: (conv-\d+)\n    rule: "\[e(\d+)\][^"]*"\n    status: (\w+)\n', re.ASCII
)
_SUBJECTS: Final = (
    *("cranes", "lamps", "tides", "ropes", "pilots", "anchors"),
    *("buoys", "winches", "ferries", "nets", "masts", "quays"),
)


@dataclass
class Decision:
    """What a person decided on one entry, and who has it now."""

    change: str
    entry: str
    edition: int | None
    """Of the text that it was given; `None` = it was approved."""
    taken_by: Who | None = None
    """Who took it away last; `None` = it stands."""

    def stands_in(self, said: dict[str, tuple[int, str]]) -> bool:
        edition, status = said.get(self.entry, (-1, ""))
        return status == "confirmed" if self.edition is None else edition == self.edition


@dataclass
class Found:
    """What a run came to."""

    seed: int
    decisions: int = 0
    told: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    unaccounted: list[str] = field(default_factory=list)
    doubted: int = 0
    """Decisions that a writer took away and that are told as git's."""

    def __str__(self) -> str:
        told = ", ".join(f"{count} {what}" for what, count in sorted(self.told.items()))
        steps = ", ".join(f"{count} {what}" for what, count in sorted(self.steps.items()))
        wrong = "".join(f"\n  {each}" for each in self.unaccounted)
        return (
            f"seed {self.seed}: {self.decisions} decisions: {told}; told as git's in doubt "
            f"{self.doubted}; unaccounted {len(self.unaccounted)} ({steps}){wrong}"
        )


class Harbour:
    """A repository with one store, a screen that is open at it, and a clock that all go by."""

    def __init__(self, base: Path, seed: int) -> None:
        self.dice = random.Random(seed)
        self.found = Found(seed)
        self.root = base / "harbour"
        self.places = Places.of(base / "home")
        self.store = self.root / ".sniper/memory/conventions.yaml"
        self.now = datetime.now(UTC).replace(microsecond=0)
        self.made: list[Decision] = []
        self.edition = 0
        self.agents = 0
        self.earlier: list[str] = []
        """What the file said at other times: agents write it back."""
        self.store.parent.mkdir(parents=True)
        self.store.write_text(
            "conventions:\n"
            + "".join(
                f"  - id: conv-{n:03}\n"
                f'    rule: "[e0] {subject.title()} are looked after by one crew"\n'
                f"    status: {'candidate' if n % 2 else 'confirmed'}\n\n"
                for n, subject in enumerate(_SUBJECTS)
            )
        )
        self.git("init", "--quiet", "--initial-branch", "main")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Begin")
        self.git("branch", "theirs")
        self.screen = self.opened("tui")

    def opened(self, door: Door) -> Session:
        bench = Session.open(self.root, self.places, door=door, clock=Clock(now=lambda: self.now))
        bench.begin()
        return bench

    @contextmanager
    def door(self) -> Iterator[Session]:
        """Give the screen that is open, or what a command opens."""
        if self.dice.random() < 0.6:
            self.screen.refresh()
            yield self.screen
            return
        with closing(self.opened("cli")) as bench:
            yield bench

    def git(self, *arguments: str) -> bool:
        """Let git do something at this moment; false = it refused."""
        moment = f"{int(self.now.timestamp())} +0000"
        identity = ("-c", "user.name=Priya", "-c", "user.email=priya@example.org")
        before = self.stamp()
        done = subprocess.run(
            ["git", *identity, *arguments],
            cwd=self.root,
            capture_output=True,
            check=False,
            env={
                **os.environ,
                "GIT_EDITOR": "true",
                "GIT_COMMITTER_DATE": moment,
                "GIT_AUTHOR_DATE": moment,
            },
        )
        if self.stamp() != before:  # it wrote the file, at the moment that it is
            self.written()
            refresh = ["git", "update-index", "-q", "--refresh"]
            subprocess.run(refresh, cwd=self.root, capture_output=True, check=False)
        return done.returncode == 0

    def stamp(self) -> tuple[int, int]:
        found = self.store.stat()
        return found.st_ino, found.st_mtime_ns

    def written(self) -> None:
        moment = self.now.timestamp()
        os.utime(self.store, (moment, moment))

    def said(self) -> dict[str, tuple[int, str]]:
        """Return edition and status of each entry that stands in the file."""
        found = _ENTRY.findall(self.store.read_text())
        return {name: (int(edition), status) for name, edition, status in found}

    # What can happen

    def decide(self) -> Who:
        """Approve a candidate, or say an entry in other words."""
        with self.door() as bench:
            entry = bench.library.resolve(f"conv-{self.dice.randrange(ENTRIES):03}")
            if entry.status.value == "candidate":
                made = bench.apply(bench.intend("approve", [entry]))
                self.made.append(Decision(made.id, entry.ref.id, None))
            else:
                self.edition += 1
                subject = entry.title.split()[1]
                text = f"[e{self.edition}] {subject} are looked after by one crew"
                made = bench.apply(bench.intend("edit", [entry], text=text))
                self.made.append(Decision(made.id, entry.ref.id, self.edition))
        return "person"

    def undo(self) -> Who:
        with self.door() as bench:
            bench.undo()
        return "person"

    def redo(self) -> Who:
        with self.door() as bench:
            bench.redo()
        return "person"

    def restart(self) -> Who:
        self.screen.close()
        self.screen = self.opened("tui")
        return "person"

    def append(self) -> Who:
        self.agents += 1
        with self.store.open("a") as file:
            file.write(
                f'  - id: conv-9{self.agents:02}\n    rule: "[e0] Agents wrote {self.agents}"\n'
                "    status: confirmed\n\n"
            )
        self.written()
        return "writer"

    def write_back(self) -> Who:
        """Write what the file said at another time, as an agent that had read it then."""
        if self.earlier:
            self.store.write_text(self.dice.choice(self.earlier[-8:]))
            self.written()
        return "writer"

    def write_back_and_commit(self) -> Who:
        self.write_back()
        self.now += STEP
        self.git("commit", "--all", "--quiet", "--message", "Agent")
        return "writer"

    def commit(self) -> Who:
        self.git("commit", "--all", "--quiet", "--message", "Decide")
        return "git"

    def amend(self) -> Who:
        self.git("commit", "--all", "--amend", "--quiet", "--no-edit")
        return "git"

    def switch(self) -> Who:
        """Go to the other branch with all committed; sometimes come back at once."""
        self.commit()
        for _ in range(self.dice.choice((1, 2, 2))):
            self.git("switch", "--quiet", "theirs") or self.git("switch", "--quiet", "main")
            self.screen.refresh()
            self.now += STEP
        return "git"

    def rebase(self) -> Who:
        self.commit()
        if not self.git("rebase", "--quiet", "theirs", "main"):
            self.screen.refresh()
            self.git("rebase", "--abort")
        return "git"

    def merge(self) -> Who:
        self.commit()
        if not self.git("merge", "--quiet", "theirs"):
            self.screen.refresh()
            self.git("merge", "--abort")
        return "git"

    def reset(self) -> Who:
        self.git("reset", "--quiet", "--hard", self.dice.choice(("HEAD", "HEAD~1", "ORIG_HEAD")))
        return "git"

    def restore(self) -> Who:
        self.git("checkout", "--", ".")
        return "git"

    def stash(self) -> Who:
        self.git("stash", "--quiet")
        return "git"

    def pop(self) -> Who:
        if not self.git("stash", "pop", "--quiet"):
            self.git("checkout", "--quiet", "--ours", ".")
            self.git("reset", "--quiet", "--hard")
        return "git"

    def prune(self) -> Who:
        """Keep as little as can be kept."""
        self.screen.journal.prune(Keep(days=400, megabytes=1), self.now)
        return "person"

    def older(self) -> Who:
        """An older remem writes to the history with what it knows of it."""
        if self.made:
            with closing(sqlite3.connect(self.places.state / "journal.db")) as sql:
                sql.execute("UPDATE changes SET superseded = superseded, undone = undone")
                sql.commit()
        return "person"

    def newer(self) -> Who:
        """A newer remem has it for a while, in which nothing is decided here."""
        path = self.places.state / "journal.db"
        if not self.made:
            return "person"
        self.screen.close()
        with closing(sqlite3.connect(path)) as sql:
            (version,) = sql.execute("PRAGMA user_version").fetchone()
            sql.execute(f"PRAGMA user_version = {version + 1}")
        count = len(self.made)
        try:
            with closing(Session.open(self.root, self.places, door="cli")) as bench:
                bench.apply(bench.intend("edit", [bench.library.resolve("conv-000")], text="No"))
            self.found.unaccounted.append("decided into the history of a newer remem")
        except RememError:
            assert len(self.made) == count
        with closing(sqlite3.connect(path)) as sql:
            sql.execute(f"PRAGMA user_version = {version}")
        self.screen = self.opened("tui")
        return "person"

    # What is seen of it

    def step(self, what: Callable[[], Who]) -> None:
        before = {d.change: d.stands_in(self.said()) for d in self.made}
        self.earlier.append(self.store.read_text())
        self.now += STEP
        try:
            who = what()
            self.found.steps[what.__name__] += 1
        except RememError:
            who = "person"
            self.found.steps[f"{what.__name__} refused"] += 1
        self._see(before, who)
        if self.dice.random() < 0.7:
            before = {d.change: d.stands_in(self.said()) for d in self.made}
            self.now += STEP
            self.screen.refresh()
            self._see(before, "person")

    def _see(self, before: dict[str, bool], who: Who) -> None:
        said = self.said()
        for decision in self.made:
            stands = decision.stands_in(said)
            if stands:
                decision.taken_by = None
            elif before.get(decision.change):
                decision.taken_by = who

    def run(self, steps: int) -> Found:
        often = [self.decide] * 14 + [self.append, self.commit, self.write_back] * 3
        seldom = [
            *(self.undo, self.redo, self.restart, self.write_back_and_commit, self.amend),
            *(self.switch, self.switch, self.rebase, self.merge, self.reset, self.restore),
            *(self.stash, self.pop, self.prune, self.older, self.newer),
        ]
        for _ in range(steps):
            self.step(self.dice.choice([*often, *seldom]))
        # Whatever came of the rest, in the end a writer takes back what was committed.
        for what in (self.commit, *[self.decide] * 4, self.commit, self.write_back):
            self.step(what)
        self.now += STEP
        self.screen.close()
        with closing(self.opened("tui")) as bench:
            bench.refresh()
            self._judge(bench)
        return self.found

    def _judge(self, bench: Session) -> None:
        """Hold what the history tells of each decision against what was seen."""
        told = {logged.id: logged for logged in bench.past.changes(ALL)}
        waiting = {(each.change, each.ref.id) for each in bench.library.aside.reverted}
        written = (Why.WRITTEN, Why.REWRITTEN)
        self.rewritten = {each.ref.id for each in bench.queue() if each.reason in written}
        self.found.decisions = len(self.made)
        moved = [each.time for each in bench.past.outside(ALL) if each.cause == "git"]
        self.git_moved = max(moved, default=datetime.min.replace(tzinfo=UTC))
        for entry in sorted({decision.entry for decision in self.made}):
            mine = [decision for decision in self.made if decision.entry == entry]
            waits = [d for d in mine if (d.change, entry) in waiting]
            newest = True
            for decision in reversed(mine):
                logged = told.get(decision.change)
                fate = "missing"
                if logged is not None:
                    fate = self._told(entry, logged, waits=bool(waits), newest=newest)
                self.found.told[fate] += 1
                newest = newest and fate == "undone"
                self._hold(decision, fate)
                if decision in waits:
                    waits = []

    def _told(self, name: str, logged: Logged, *, waits: bool, newest: bool) -> str:
        """Return the fate of a decision, by the history and the queue that is made of it alone."""
        if logged.undone:
            return "undone"
        if logged.settled == "git":
            return "git's"
        if waits:
            return "waiting"
        if not newest:
            return "decided on again"
        if name in self.rewritten:
            return "standing or written over"
        return "standing" if logged.time > self.git_moved else "standing or git's"

    def _hold(self, decision: Decision, fate: str) -> None:
        seen = decision.taken_by
        name = f"{decision.change} on {decision.entry} e{decision.edition}"
        match fate:
            case "missing":
                self.found.unaccounted.append(f"{name} is not in the history")
            case "standing" if seen is not None:
                self.found.unaccounted.append(f"{name} is told to stand; {seen} took it")
            case "standing or git's" if seen == "writer":
                self.found.unaccounted.append(f"{name} is told to stand; {seen} took it")
            case "waiting" if seen in (None, "git"):
                self.found.unaccounted.append(f"{name} waits as reverted; {seen} took it")
            case "git's" if seen is None:
                self.found.unaccounted.append(f"{name} is told to be git's, and stands")
            case "git's" if seen == "writer":
                self.found.doubted += 1
            case _:
                pass


def tortured(seed: int, steps: int) -> Found:
    """Let that many things happen in an order that the seed gives."""
    make_known()
    with TemporaryDirectory(dir=memory_folder()) as base:
        return Harbour(Path(base), seed).run(steps)


if __name__ == "__main__":
    for word in sys.argv[1:]:
        sys.stdout.write(f"{tortured(int(word), 200)}\n")
        sys.stdout.flush()
