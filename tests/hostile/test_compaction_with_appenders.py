"""Agents go on writing while their memory is compacted, and lock nothing: every line survives."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from threading import Event, Thread
from time import monotonic

import pytest
from tests.reflecting import LESSONS, MEMORY, Desk, desk

from remem.systems.personas.compacting.compact_memory import compactable

GOOD = ("Update barrel files with every module", "Prefer contract tests for the billing client")
APPENDER = """\
import os, sys, time
handle = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
number = 0
while not os.path.exists(sys.argv[2]):
    os.close(handle)
    handle = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
    os.write(handle, b"- A%d-%d came meanwhile\\n" % (os.getpid(), number))
    number += 1
    with open(sys.argv[3], "w") as file:
        file.write(str(number))
    time.sleep(0.01)
"""


def lines_of(path: Path) -> Counter[str]:
    return Counter(path.read_text().splitlines())


def compact(found: Desk) -> None:
    base = compactable(found.bench.refresh(), "Rosa").base
    found.bench.apply(found.compact(*GOOD, base=base, accept=[0, 1]))


def test_lines_that_an_agent_appends_during_compaction_survive(tmp_path: Path) -> None:
    done = Event()
    written: list[str] = []

    def append(path: Path) -> None:
        while not done.is_set() and len(written) < 5_000:
            line = f"- A-{len(written)} came meanwhile"
            handle = os.open(path, os.O_WRONLY | os.O_APPEND)
            os.write(handle, f"{line}\n".encode())
            os.close(handle)
            written.append(line)

    with desk(tmp_path) as found:
        base = compactable(found.bench.library, "Rosa").base
        agent = Thread(target=append, args=(found.memory,))
        agent.start()
        until = monotonic() + 120
        while not written and monotonic() < until:
            pass
        found.bench.apply(found.compact(*GOOD, base=base))
        done.set()
        agent.join()
        found.bench.settle()

        now = lines_of(found.memory)
        assert written
        assert {line: now[line] for line in written} == dict.fromkeys(written, 1)
        assert all(now[f"- {line}"] == 1 for line in GOOD)
        assert MEMORY in found.archive.read_text()


@pytest.mark.slow
def test_several_agents_lose_nothing_to_many_compactions_and_undos(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        over = tmp_path / "over"
        counts = [tmp_path / f"count-{number}" for number in range(3)]
        agents = [
            subprocess.Popen([sys.executable, "-S", "-c", APPENDER, found.memory, over, count])
            for count in counts
        ]
        until = monotonic() + 120
        while not all(count.exists() for count in counts) and monotonic() < until:
            pass
        try:
            for turn in range(12):
                compact(found)
                if turn % 3 == 0:
                    found.bench.undo()
        finally:
            over.touch()
            for agent in agents:
                agent.wait(20)
        found.bench.settle()

        kept = lines_of(found.memory) + lines_of(found.archive)
        told = [
            (agent.pid, int(count.read_text())) for agent, count in zip(agents, counts, strict=True)
        ]
        lost = [
            f"- A{pid}-{number} came meanwhile"
            for pid, total in told
            for number in range(total)
            if not kept[f"- A{pid}-{number} came meanwhile"]
        ]
        assert lost == []
        assert sum(total for _, total in told) > 30
        assert all(kept[f"- {lesson}"] for lesson in LESSONS)
