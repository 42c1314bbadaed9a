"""The demo's agents write as agents do, and end when nobody watches."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from remem.base.clock import Clock
from remem.demo.build import build_demo
from remem.demo.live import COUNT, start, step

NOON = Clock(now=lambda: datetime(2026, 5, 6, 12, tzinfo=UTC))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    build_demo(tmp_path)
    return tmp_path


def test_a_reflection_is_appended_and_nothing_before_it_moves(place: Path) -> None:
    path = place / "home/.night-watch/agents/Ines/memories/project/main.md"
    before = path.read_bytes()

    written = step(place, 1, NOON)

    added = path.read_bytes().removeprefix(before).decode()
    assert written == path
    assert path.read_bytes().startswith(before)
    assert added.startswith("\n## 2026-05-06\n- SLIP-140")


def test_after_a_while_a_retro_appears(place: Path) -> None:
    written = [path for number in range(1, 11) if (path := step(place, number, NOON))]

    retros = [path for path in written if path.parent.name == "retros"]
    assert [path.name for path in retros] == ["sprint-8-retro.yaml", "sprint-9-retro.yaml"]
    assert [yaml.safe_load(path.read_text())["sprint"] for path in retros] == [8, 9]


def test_some_agent_writes_its_whole_file_anew(place: Path) -> None:
    path = place / "project/.claude/agent-memory/release-captain/MEMORY.md"
    before = path.read_text()
    inode = path.stat().st_ino

    step(place, 7, NOON)

    assert path.read_text().startswith(before)
    assert path.stat().st_ino != inode
    assert not list(path.parent.glob("*.tmp"))


def test_every_step_writes_one_file_of_the_demo(place: Path) -> None:
    written = [step(place, number, NOON) for number in range(1, 41)]

    assert all(path is not None and path.is_relative_to(place) for path in written)
    assert COUNT <= 1_000


def test_a_persona_that_is_gone_is_not_made_again(place: Path) -> None:
    agents = place / "home/.night-watch/agents"
    (agents / "Ines").rename(agents / "Irene")

    written = step(place, 1, NOON)

    assert written is None
    assert not (agents / "Ines").exists()


def test_it_ends_after_its_count(place: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "remem.demo.live", str(place), "--every", "0", "--count", "5"],
        timeout=60,
        check=False,
    )

    assert done.returncode == 0
    assert (place / "project/.sniper/memory/retros/sprint-8-retro.yaml").is_file()


def test_it_ends_when_the_one_who_started_it_is_gone(place: Path) -> None:
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True
    )
    parent = gone.stdout.decode().strip()

    done = subprocess.run(
        [sys.executable, "-m", "remem.demo.live", str(place), "--parent", parent],
        timeout=60,
        check=False,
    )

    assert done.returncode == 0
    assert not (place / "project/.sniper/memory/retros/sprint-8-retro.yaml").exists()


def test_the_command_line_starts_and_ends_it(place: Path) -> None:
    agents = start(place, every=60)

    running = agents.poll() is None
    agents.terminate()

    assert running
    assert agents.wait(timeout=60) == -15
    assert agents.pid != os.getpid()
