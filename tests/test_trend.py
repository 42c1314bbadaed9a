"""How starts grew: from git's commits, from the journal, and where neither knows."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from tests.code_files import git
from tests.history_files import DAY, LINE, grown_repository
from tests.workspace_files import conventions, files

from remem.base.clock import Clock
from remem.code.timeline import timeline
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.prompt import Ask
from remem.model.trend import Growth

TODAY = 200
WHO = ("claude-code", "Claude Code")


def day(number: int) -> date:
    return date(1970, 1, 1) + timedelta(days=number)


@contextmanager
def bench_at(root: Path, today: int = TODAY) -> Iterator[Session]:
    clock = Clock(lambda: datetime.fromtimestamp(today * DAY + 3_600, UTC))
    bench = Session.open(root, Places.of(root.parent / "home"), door="tui", clock=clock)
    yield bench
    bench.close()


def grown(root: Path) -> Growth:
    with bench_at(root) as bench:
        return list(bench.growing())[-1]


def test_the_history_of_a_start_is_what_its_files_held_then(tmp_path: Path) -> None:
    root = grown_repository(tmp_path / "root", commits=10, until=TODAY)

    found = grown(root)

    days = [each for each, _ in found.of(WHO)]
    tokens = [each for _, each in found.of(WHO)]
    assert days[0] == day(TODAY - 63)
    assert days[-1] == day(TODAY)
    assert tokens == sorted(tokens)
    assert tokens[0] < tokens[-1]


def test_what_grew_in_a_month_is_told_by_file_and_by_writer(tmp_path: Path) -> None:
    root = grown_repository(tmp_path / "root", commits=10, until=TODAY)

    found = grown(root)

    assert found.since == day(TODAY - 30)
    added = len("".join(LINE.format(number) for number in range(5, 10))) / 4
    assert [each.name for each in found.files] == ["CLAUDE.md"]
    assert abs(found.files[0].tokens - added) <= 2
    assert {each.name for each in found.writers} == {"Ada", "Ben"}
    assert abs(sum(each.tokens for each in found.writers) - added) <= 3


def test_what_is_not_committed_has_no_writer_yet(tmp_path: Path) -> None:
    root = grown_repository(tmp_path / "root", commits=4, until=TODAY)
    with (root / "CLAUDE.md").open("a") as file:
        file.write(LINE.format("new") * 5)

    found = grown(root)

    assert "not committed yet" in {each.name for each in found.writers}
    assert found.points[-1].tokens[WHO] > found.points[-2].tokens[WHO]


def test_progress_comes_with_every_commit_and_what_is_known_stays(tmp_path: Path) -> None:
    root = grown_repository(tmp_path / "root", commits=6, until=TODAY)

    with bench_at(root) as bench:
        steps = list(bench.growing())

    assert [each.done for each in steps] == list(range(steps[-1].planned + 1))
    assert [each.is_whole for each in steps].index(True) == len(steps) - 1
    for early, late in pairwise(steps):
        assert set(map(repr, early.points)) <= set(map(repr, late.points))


def test_stopping_in_the_middle_leaves_no_program_running(tmp_path: Path) -> None:
    root = grown_repository(tmp_path / "root", commits=6, until=TODAY)

    with bench_at(root) as bench:
        steps = bench.growing()
        next(steps)
        next(steps)
        steps.close()  # type: ignore[attr-defined]

    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert str(root) not in listed.stdout


def test_a_long_history_is_sampled_and_keeps_both_ends(tmp_path: Path) -> None:
    root = grown_repository(tmp_path / "root", commits=150, until=TODAY, every=1)

    found = grown(root)

    assert found.done <= 26
    assert found.points[0].day == day(TODAY - 149)
    assert found.points[-1].day == day(TODAY)


def test_stops_lie_evenly_in_time_not_in_commits(tmp_path: Path) -> None:
    root = grown_repository(tmp_path / "root", commits=40, until=100, every=1, late=200)

    found = timeline(root, 5)

    assert found.commits == 41
    assert found.stops[0].day == day(200)
    assert found.stops[-1].day == day(61)
    assert sum(stop.day > day(100) for stop in found.stops) == 1
    assert len(found.stops) <= 6


def _without_commits(root: Path) -> None:
    git(root, "init", "-q", "-b", "main")


@pytest.mark.parametrize(
    ("prepare", "told"),
    [
        pytest.param(lambda root: None, "not a git repository", id="no repository"),
        pytest.param(_without_commits, "no commits yet", id="no commits"),
    ],
)
def test_where_git_tells_nothing_that_is_said_and_today_stands(
    tmp_path: Path, prepare: Callable[[Path], None], told: str
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "CLAUDE.md").write_text("- Count the lamps\n")
    prepare(root)

    found = grown(root)

    assert told in found.note
    assert found.is_whole
    assert [point.day for point in found.points] == [day(TODAY)]


def test_a_shallow_clone_says_that_it_does_not_know_more(tmp_path: Path) -> None:
    whole = grown_repository(tmp_path / "whole", commits=10, until=TODAY)
    root = tmp_path / "root"
    git(tmp_path, "clone", "-q", "--depth", "2", f"file://{whole}", str(root))

    found = grown(root)

    assert "shallow" in found.note
    assert found.points[0].day == day(TODAY - 7)
    assert found.since is None
    assert found.files == ()


def test_of_one_commit_no_growth_is_told(tmp_path: Path) -> None:
    found = grown(grown_repository(tmp_path / "root", commits=1, until=TODAY))

    assert (found.since, found.files, found.writers) == (None, (), ())


def test_without_git_the_journal_tells_what_remem_saw(tmp_path: Path) -> None:
    root = tmp_path / "root"
    memory = root / ".claude" / "agent-memory" / "captain" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_text(LINE.format(0))
    definition = root / ".claude" / "agents" / "captain.md"
    definition.parent.mkdir()
    definition.write_text("---\nname: captain\ndescription: d\nmemory: project\n---\nYou steer.\n")
    with bench_at(root, TODAY - 7) as bench:
        bench.begin()
        memory.write_text("".join(LINE.format(number) for number in range(30)))
        bench.refresh({memory})

    found = grown(root)

    who = next(who for who in found.points[-1].tokens if who[1] == "captain")
    before, now = (tokens for _, tokens in (found.of(who)[0], found.of(who)[-1]))
    assert now - before > 400
    assert "what remem has seen" in found.note
    assert found.files[0].name.endswith("MEMORY.md")


def test_looking_back_writes_nothing(tmp_path: Path) -> None:
    root = grown_repository(tmp_path / "root", commits=4, until=TODAY)
    before = {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in root.rglob("*") if p.is_file()}

    grown(root)

    after = {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in root.rglob("*") if p.is_file()}
    assert after == before


def test_a_role_grows_by_what_the_settings_of_the_day_let_in(tmp_path: Path) -> None:
    root = grown_repository(tmp_path / "root", commits=2, until=TODAY)
    rules = [{"rule": f"Rule {n} is kept", "applies_to": ["qa-engineer"]} for n in range(40)]
    files(root, {".sniper/memory/conventions.yaml": conventions(rules)})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "rules")
    files(root, {".remem/config.yaml": "tokens: {budget: 60}\n"})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "budget")

    with bench_at(root) as bench:
        found = list(bench.growing())[-1]
        now = bench.compose(Ask(role="qa-engineer"))

    *before, today = [tokens for _, tokens in found.of(("role", "qa-engineer"))]
    assert today == now.tokens
    assert max(before) > today
