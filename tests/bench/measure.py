"""Takes times, keeps figures beside their floors, and prints them as one table."""

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter, thread_time


@dataclass(frozen=True)
class Figure:
    """One line of DESIGN §6, as it was measured."""

    what: str
    goal: str
    measured: str
    floor: str
    """What it is held against, measured in the same run."""
    result: str
    """The ratio or difference that the goal speaks of."""
    load: str = field(default_factory=lambda: f"{os.getloadavg()[0]:.1f}")
    """How many processes wanted the processors in the minute before it; empty = nobody knows."""


@dataclass
class Report:
    """All figures of one run."""

    rounds: int
    """How often something is measured; the median counts."""
    figures: list[Figure] = field(default_factory=list)

    def ratio(
        self, what: str, goal: str, measured: float, floor: float, floor_is: str, unit: str = "ms"
    ) -> float:
        """Keep a figure whose goal is a multiple of its floor, and return that multiple."""
        ratio = measured / floor
        self.figures.append(
            Figure(
                what,
                goal,
                f"{shown(measured)} {unit}",
                f"{shown(floor)} {unit}: {floor_is}",
                f"{ratio:.2f} ×",
            )
        )
        return ratio

    def plain(self, what: str, goal: str, measured: str, floor: str, result: str = "") -> None:
        """Keep a figure whose goal is a number of its own."""
        self.figures.append(Figure(what, goal, measured, floor, result or measured))

    def table(self) -> str:
        head = ("what", "goal", "measured", "floor in the same run", "result", "load")
        rows = [(f.what, f.goal, f.measured, f.floor, f.result, f.load) for f in self.figures]
        widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
        lines = [_line(row, widths) for row in (head, *rows)]
        return "\n".join([lines[0], _line(["-" * width for width in widths], widths), *lines[1:]])


def shown(number: float) -> str:
    return (
        f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 1 else f"{number:.2f}"
    )


def seconds(act: Callable[[], object]) -> float:
    """Return how long one call takes."""
    begin = perf_counter()
    act()
    return perf_counter() - begin


def worked(act: Callable[[], object]) -> float:
    """Return how long this thread is at work on one call, whatever else the machine does."""
    begin = thread_time()
    act()
    return thread_time() - begin


def in_turns(rounds: int, *acts: Callable[[], float]) -> list[float]:
    """Return the median of what each act gives, taken in turns so that all see the same weather."""
    taken: list[list[float]] = [[] for _ in acts]
    for _ in range(rounds):
        for act, results in zip(acts, taken, strict=True):
            results.append(act())
    return [statistics.median(results) for results in taken]


def p95(numbers: Sequence[float]) -> float:
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


def process(arguments: Sequence[str], cwd: os.PathLike[str] | None = None) -> float:
    """Return the milliseconds that a process takes from start to end."""
    begin = perf_counter()
    done = subprocess.run(arguments, cwd=cwd, capture_output=True, text=True, check=False)
    taken = perf_counter() - begin
    assert done.returncode == 0, (done.stdout + done.stderr)[-2_000:]
    return taken * 1_000


def process_cpu(arguments: Sequence[str]) -> float:
    """Return the milliseconds that a process and those that it starts are at work."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process(arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1_000


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "| " + " | ".join(f"{c:<{w}}" for c, w in zip(cells, widths, strict=True)) + " |"
