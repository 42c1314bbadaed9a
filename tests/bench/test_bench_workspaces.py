"""What a workspace of many repositories costs: open it, compose for one, check a diff in one."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import median

from tests.bench.measure import Report
from tests.bench.workspaces import project, rule

from remem.code.changed_lines import Changes
from remem.core.checks.gate import comply
from remem.core.repositories import repositories_of, within
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.prompt import Ask
from remem.store.io import Disk
from remem.systems.workspace.rules import rules_of

REPOSITORIES = 20
ENTRIES = 2_000
SHARED = 200
FILES = 200


def cpu(act: Callable[[], object]) -> float:
    """Return the seconds that a processor worked: others share this machine."""
    begin = time.process_time()
    act()
    return time.process_time() - begin


def parsed(root: Path) -> float:
    """Return the seconds of CPU to parse every store below `root`, which nobody gets around."""
    loads = import_module("ryaml").loads
    stores = [path.read_text() for path in root.rglob("*.yaml")]
    return median(cpu(lambda: [loads(each) for each in stores]) for _ in range(5))


def workspace(base: Path) -> Path:
    """Write a workspace with the entries of the goal, a tenth of them shared."""
    root = base / "fleet"
    each = (ENTRIES - SHARED) // REPOSITORIES
    for number in range(REPOSITORIES):
        project(root / "repositories" / f"service-{number:02d}", each, candidates=1)
    (root / "memory").mkdir()
    (root / "workspace.yaml").write_text("name: fleet\n")
    items = (
        f"  - {{id: conv-{n:03d}, rule: {rule(5_000 + n)!r}, detect: {{forbid: 'xyzzy{n}'}}}}\n"
        for n in range(1, SHARED + 1)
    )
    (root / "memory" / "conventions.yaml").write_text("conventions:\n" + "".join(items))
    return root


def test_a_workspace_of_twenty_repositories(report: Report, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    places = Places.of(tmp_path / "home")
    opened: list[Session] = []

    def open_whole() -> None:
        bench = Session.open(root, places, door="cli")
        bench.queue()
        opened[:] = [bench]

    took = cpu(open_whole)

    bench = opened[0]
    assert len(repositories_of(bench.library)) == REPOSITORIES
    assert sum(len(s.entries) for s in bench.library.sources) == ENTRIES
    floor = parsed(root)
    report.plain(
        "open 20 repositories with 2,000 entries, queue included",
        "≤ 2 s", f"{took * 1000:,.0f} ms of CPU", f"{floor * 1000:,.0f} ms: parsing their stores",
    )  # fmt: skip
    assert took <= 150 * floor


def test_composing_for_a_role_in_one_of_twenty(report: Report, tmp_path: Path) -> None:
    bench = Session.open(workspace(tmp_path), Places.of(tmp_path / "home"), door="cli")
    bench.load_counter()
    # Words are counted for the first time once in the life of a process.
    bench.compose(Ask(role="backend-engineer", repository="service-00"))
    ask = Ask(role="backend-engineer", repository="service-07")

    took = cpu(lambda: bench.compose(ask))

    assert "[WORKSPACE]" in bench.compose(ask).text
    floor = parsed(tmp_path / "fleet")
    report.plain(
        "compose for a role in one of 20 repositories, the first time",
        "≤ 200 ms", f"{took * 1000:,.0f} ms of CPU", f"{floor * 1000:,.0f} ms: parsing all stores",
    )  # fmt: skip
    assert took <= 15 * floor


def test_checking_a_diff_of_two_hundred_files(report: Report, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    bench = Session.open(root, Places.of(tmp_path / "home"), door="cli")
    repository = root / "repositories" / "service-03"
    subprocess.run(["git", "-C", str(repository), "init", "--quiet"], check=True)
    for number in range(FILES):
        path = repository / "src" / f"module_{number:03d}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"value_{n} = call(other_{n}, {number})\n" for n in range(100)))
    (repository / "src" / "module_000.py").write_text("xyzzy7\n")

    def check() -> object:
        view = within(bench.library, "service-03")
        found.append(comply(rules_of(view), Changes(Disk(), repository).since_head()))
        return found

    found: list[object] = []
    floor = parsed(root)
    begin = time.perf_counter()
    took = cpu(check)
    elapsed = time.perf_counter() - begin

    (told,) = found
    assert [c.ref for c in told.checks if c.violations] == ["workspace:conv-007"]  # type: ignore[attr-defined]
    report.plain(
        "check a diff of 200 files with 290 rules, 200 of them inherited",
        "≤ 5 s", f"{took:.1f} s of CPU, {elapsed:.1f} s in all",
        f"{floor * 1000:,.0f} ms: parsing all stores",
    )  # fmt: skip
    assert took <= 60 * floor
