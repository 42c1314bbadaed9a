"""What a branch does to memory, and which rules are told twice: how long it takes to find out."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time

import pytest
from tests.bench.measure import Report, in_turns, seconds
from tests.code_files import commit, git

from remem.core.relation.alike_in_library import rules_in_force
from remem.core.relation.duplicates import duplicate_rules
from remem.core.relation.normal_form import norm
from remem.core.session import Session
from remem.core.settings import Places
from remem.store.io import Disk

CHANGED = 50
FILES = 200
UNITS = 10_000
WORDS = (
    *("the", "a", "never", "always", "must", "retry", "queue", "consumer", "handler", "deploy"),
    *("fixture", "clock", "migration", "index", "column", "cache", "session", "token", "header"),
    *("payload", "schema", "board", "harbour", "gangway", "ticket", "manifest", "tide", "crew"),
    *("timer", "window", "rollback", "flag", "metric", "trace", "worker", "batch", "cursor"),
    *("backoff", "lease", "shard", "replica"),
)


def rule(random: Random) -> str:
    own = "".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=6))
    return " ".join((*random.choices(WORDS, k=random.randint(6, 14)), own))


def rules(random: Random, many: int) -> str:
    return "# Rules\n\n" + "".join(f"- {rule(random)}\n" for _ in range(many))


def memory_files() -> list[str]:
    """Return where 200 files of memory lie: of Claude Code, of its agents, of a squad."""
    own = ["CLAUDE.md", "AGENTS.md", *(f".claude/rules/rule-{n:03}.md" for n in range(98))]
    agents = [f".claude/agent-memory/agent-{n:02}/MEMORY.md" for n in range(30)]
    named = [f".claude/agents/agent-{n:02}.md" for n in range(30)]
    squad = [f".squad/agents/member-{n:02}/history.md" for n in range(40)]
    return [*own, *agents, *named, *squad][:FILES]


@pytest.fixture(scope="module")
def branch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository whose branch changes 50 of 200 files of memory."""
    root = tmp_path_factory.mktemp("branch") / "shop"
    random = Random(11)
    for name in memory_files():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        head = (
            f"---\nname: {path.stem}\ndescription: d\nmemory: project\n---\n"
            if "/agents/agent" in name
            else ""
        )
        path.write_text(head + rules(random, 40))
    git(root, "init", "-q", "-b", "main")
    commit(root, "before")
    git(root, "checkout", "-q", "-b", "work")
    for name in random.sample(memory_files(), CHANGED):
        path = root / name
        path.write_text(f"{path.read_text()}- {rule(random)}\n- {rule(random)}\n")
    commit(root, "after")
    return root


def test_the_diff_of_a_branch_with_fifty_changed_files(report: Report, branch: Path) -> None:
    home = branch.parent / "home"
    command = [sys.executable, "-m", "remem", "--root", str(branch), "--home", str(home)]

    def ours() -> float:
        return seconds(lambda: subprocess.check_output([*command, "diff", "main..work"]))

    def floor() -> float:
        named = ("diff", "--stat", "main..work")
        return seconds(lambda: git(branch, *named))

    taken, gits = in_turns(report.rounds, ours, floor)

    total = sum((branch / name).stat().st_size for name in memory_files())
    report.plain(
        f"`remem diff` over {CHANGED} changed of {FILES} memory files, {total // 1000:,} kB",
        "≤ 2 s",
        f"{taken:.2f} s",
        f"{gits * 1000:.0f} ms: git lists them",
    )
    assert taken > 0


def cpu(act: Callable[[], object]) -> float:
    """Return the processor time that one call takes."""
    begin = process_time()
    act()
    return process_time() - begin


@pytest.mark.parametrize("what", ["all", "one more"])
def test_ten_thousand_units_are_looked_through(report: Report, tmp_path: Path, what: str) -> None:
    random = Random(5)
    every = [rule(random) for _ in range(UNITS - 100)]
    every += random.sample(every, 100)
    root = tmp_path / "shop"
    (root / ".claude" / "rules").mkdir(parents=True)
    for number in range(20):
        part = every[number * UNITS // 20 : (number + 1) * UNITS // 20]
        text = "".join(f"- {each}\n" for each in part)
        (root / ".claude" / "rules" / f"r{number:02}.md").write_text(text)
    bench = Session.open(root, Places.of(tmp_path / "home"), door="cli", disk=Disk())
    for source in bench.library.complete():
        assert source.entries

    if what == "one more":
        duplicate_rules(bench.library)
        (root / ".claude" / "rules" / "r00.md").write_text(f"- {rule(random)}\n- {every[700]}\n")
        bench.refresh()
    texts = cpu(lambda: rules_in_force(bench.library))
    told = cpu(lambda: duplicate_rules(bench.library))
    floor = cpu(lambda: [norm(entry.title) for entry in bench.library.entries()])
    found = len(duplicate_rules(bench.library))

    report.plain(
        f"told twice among {UNITS:,} units, {what}: alike; with who pays",
        "< 1 s",
        f"{texts * 1000:.0f} ms; {(texts + told) * 1000:.0f} ms CPU, {found} found",
        f"{floor * 1000:.0f} ms: every text in normal form",
    )
    assert found >= 95
