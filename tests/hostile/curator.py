"""Somebody who decides as fast as they can while agents write: `python -m tests.hostile.curator`.

Each decision gives one entry a new edition and is noted once it was acknowledged. `--plain` is the
control: the same edits by the usual way, a new file that is renamed over the old one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tests.hostile.agents import Control, at_stage

if TYPE_CHECKING:
    from remem.core.session import Session

RULE: Final = re.compile(r"\[(c\d+) e(\d+)\]")
"""The key and the edition of an entry, in its text."""


SAMPLE: Final = 6
"""Decisions between two looks at what the process holds."""

Decide: TypeAlias = Callable[[str, int], str | None]
"""Gives a key its edition; `None` = it is acknowledged, else why not."""


def key_of(stage: int, number: int) -> str:
    return f"c{stage:03d}{number:02d}"


def text_of(key: str, edition: int) -> str:
    return f"[{key} e{edition}] what was agreed on"


@dataclass
class Curator:
    """Decides, and remembers what was acknowledged."""

    log: Path
    begin: Callable[[int], Decide]
    """Opens the root of a stage."""
    share: range
    """The entries of a stage that are theirs."""
    number: int = 0
    """Of the newest decision, over all restarts."""

    def run(self, control: Control, most: int, pause: float, seed: int) -> dict[str, Any]:
        dice = random.Random(seed)
        taken: list[float] = []
        refused: dict[str, int] = {}
        weights, handles = [kibibytes()], [0]
        stage, decide = control.stage, self.begin(control.stage)
        with self.log.open("a", buffering=1) as log:
            while not control.is_over and len(taken) < most:
                if control.stage != stage:
                    stage = control.stage
                    decide = self.begin(stage)
                key = key_of(stage, self.share[self.number % len(self.share)])
                self.number += 1
                begin = perf_counter()
                why = decide(key, self.number)
                if why is None:
                    taken.append((perf_counter() - begin) * 1_000)
                    if len(taken) % SAMPLE == 0:
                        weights.append(kibibytes())
                        handles.append(len(os.listdir("/proc/self/fd")))  # noqa: PTH208
                    log.write(f"{key} {self.number}\n")
                else:
                    refused[why] = refused.get(why, 0) + 1
                sleep(dice.random() * pause)
        return {
            "edits": len(taken),
            "milliseconds": taken,
            "refused": refused,
            "kibibytes": weights,
            "handles": handles,
        }


def open_bench(root: Path, home: Path, hours: float) -> Session:
    """Open a root as the screens do, with a clock that is so many hours ahead."""
    from remem.base.clock import Clock
    from remem.core.session import Session
    from remem.core.settings import Places
    from remem.systems.registry import make_known

    make_known()
    shift = timedelta(hours=hours)
    clock = Clock(now=lambda: datetime.now(UTC) + shift)
    bench = Session.open(root, Places.of(home), door="tui", clock=clock)
    bench.begin()
    return bench


def with_remem(bench: Session, target: Path) -> Decide:
    """Return how remem decides: through the session, which is refreshed as the screens do."""
    from remem.base.errors import RememError
    from remem.model.entry import Entry, Status

    def entry_of(key: str) -> Entry | None:
        start = f"[{key} "
        for source in bench.library.sources:
            if source.path == target:
                return next((e for e in source.entries if e.title.startswith(start)), None)
        return None

    def decide(key: str, edition: int) -> str | None:
        try:
            bench.refresh({target})
            entry = entry_of(key)
            if entry is None:
                return "missing"
            if entry.status is Status.CANDIDATE:
                bench.apply(bench.intend("approve", [entry]))
                bench.refresh({target})
                entry = entry_of(key)
                if entry is None:
                    return "missing"
            bench.apply(bench.intend("edit", [entry], text=text_of(key, edition)))
        except RememError as error:
            return f"{type(error).__name__}: {str(error)[:60]}"
        return None

    return decide


def plainly(target: Path) -> Decide:
    """Return how most tools do it: read, change, write beside, fsync, rename over."""

    def decide(key: str, edition: int) -> str | None:
        data = target.read_text()
        after = re.sub(rf"\[{key} e\d+\] what was agreed on", text_of(key, edition), data, count=1)
        if f"[{key} " not in after:
            return "missing"
        written = target.with_name(".plain.tmp")
        with written.open("w") as file:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        written.replace(target)
        return None

    return decide


def kibibytes() -> int:
    """Return the resident memory of this process."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=Path)
    parser.add_argument("home", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--entries", type=int, default=60, help="of each stage")
    parser.add_argument("--most", type=int, default=10**9, help="decisions until it ends by itself")
    parser.add_argument("--pause", type=float, default=0.01, help="seconds, the longest")
    parser.add_argument("--hours", type=float, default=0, help="how far its clock is ahead")
    parser.add_argument("--share", default="0/1", help="`1/3` = every third entry from the second")
    parser.add_argument("--plain", action="store_true")
    given = parser.parse_args()
    first, step = map(int, given.share.split("/"))
    log = given.notes / f"decisions-{first}"
    opened: list[Session] = []

    def begin(stage: int) -> Decide:
        target = at_stage(given.target, stage)
        if given.plain:
            return plainly(target)
        for bench in opened:
            bench.close()
        opened[:] = [open_bench(at_stage(given.root, stage), given.home, given.hours)]
        return with_remem(opened[0], target)

    share = range(first, given.entries, step)
    written = log.read_text().split() if log.exists() else []
    curator = Curator(log, begin, share, int(written[-1]) if written else 0)
    (given.notes / "ready").touch()
    done = curator.run(Control(given.notes / "control"), given.most, given.pause, curator.number)
    for bench in opened:
        bench.close()
    (given.notes / "done.json").write_text(json.dumps(done))


if __name__ == "__main__":
    main()
