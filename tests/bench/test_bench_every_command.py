"""What each command of CLI.md costs on the demo: where nothing is kept yet, and the next time."""

import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from tests.bench.measure import Report

from remem.cli.examples import example_lines
from remem.cli.generate import command_paths
from remem.demo.build import build_demo, home_of

REMEM = str(Path(sys.executable).with_name("remem"))
BEFORE = os.environ.get("REMEM_BEFORE", "")
"""The program of another version, to be run on the same files."""
ELSEWHERE = {
    "mcp": "serves until its client is gone; its own benches time it",
    "screenshot": "opens the screens, whose first frames are timed",
}
LOOKS = ("status", "queue")
"""They read all that there is, and keep what was found in it."""
SHORT = ("compose", "list", "queue", "status")
"""What is timed with `--short`, for all of them take minutes."""


@dataclass(frozen=True)
class Harbour:
    """The demo, made anew after each command that wrote, so that none finds what another wrote."""

    at: Path

    @property
    def root(self) -> Path:
        return self.at / "demo" / "project"

    @property
    def cache(self) -> Path:
        return home_of(self.root) / ".cache"

    def cold(self, program: str, words: list[str]) -> float | None:
        """Return what a command takes where nothing is kept yet."""
        self._make()
        shutil.rmtree(self.cache, ignore_errors=True)
        self._looked.unlink(missing_ok=True)
        return self._run(program, words)

    def warm(self, program: str, words: list[str]) -> float | None:
        """Return what a command takes where others read everything before it."""
        self._make()
        for look in () if self._looked.exists() else LOOKS:
            self._run(program, [look])
        self._looked.touch()
        return self._run(program, words)

    def _make(self) -> None:
        if (self.at / "demo").exists() and self._files() == self._files("kept"):
            return
        shutil.rmtree(self.at / "demo", ignore_errors=True)
        shutil.copytree(self.at / "kept", self.at / "demo", symlinks=True)
        self._looked.unlink(missing_ok=True)

    @property
    def _looked(self) -> Path:
        """Stands where what the looks keep is of the files as they are."""
        return self.at / "looked"

    def _files(self, under: str = "demo") -> dict[str, tuple[int, int]]:
        """Return when each file was written, and its length, but those of the cache."""
        top = self.at / under
        stats = {str(each.relative_to(top)): each.lstat() for each in top.rglob("*")}
        return {
            name: (found.st_mtime_ns, found.st_size)
            for name, found in stats.items()
            if stat.S_ISREG(found.st_mode) and "/.cache/" not in name
        }

    def _run(self, program: str, words: list[str]) -> float | None:
        """Return the milliseconds that a command takes; `None` = the demo lacks what it is for."""
        begin = perf_counter()
        done = subprocess.run(
            [program, *words],
            cwd=self.root,
            env={**os.environ, "REMEM_HOME": str(home_of(self.root))},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        return (perf_counter() - begin) * 1_000 if done.returncode in (0, 1) else None


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Harbour:
    at = tmp_path_factory.mktemp("harbour")
    build_demo(at / "demo", night=True)
    (at / "demo").rename(at / "kept")
    return Harbour(at)


def examples(path: str) -> Iterator[list[str]]:
    """Yield the words of the examples of a command, without what they are piped from."""
    lines = "\n".join(example_lines(path)).replace("\\\n", "").splitlines()
    for line in lines:
        program, *words = shlex.split(re.sub(r"\s+#.*", "", line).rpartition("| ")[2])
        if program == "remem":
            yield ["demo", "--at", "there"] if path == "demo" else words


def test_every_command_cold_and_warm(
    report: Report, harbour: Harbour, pytestconfig: pytest.Config
) -> None:
    is_short = pytestconfig.getoption("short")
    paths = [each for each in command_paths() if each not in ELSEWHERE]
    timed = 0
    for path in SHORT if is_short else paths:
        words = next((each for each in examples(path) if harbour.cold(REMEM, each)), None)
        now = taken(harbour, REMEM, words) if words is not None else ""
        if words is None or not now:
            continue  # the demo has nothing for it: a second folder, an answer in a file
        before = taken(harbour, BEFORE, words, rounds=1) if BEFORE else ""
        floor = f"{before}: the version before" if before else ""
        report.plain(f"`remem {path}` on the demo", "stated", now, floor)
        timed += 1

    assert timed == len(SHORT) if is_short else timed > 80


def taken(harbour: Harbour, program: str, words: list[str], rounds: int = 3) -> str:
    """Return what a command takes, cold and warm; empty where the demo lacks what it is for."""
    cold = [harbour.cold(program, words) for _ in range(rounds)]
    warm = [harbour.warm(program, words) for _ in range(rounds)]
    if None in cold or None in warm:
        return ""
    return f"{_median(cold):.0f} ms cold, {_median(warm):.0f} ms warm"


def _median(found: list[float | None]) -> float:
    return median(each for each in found if each is not None)
