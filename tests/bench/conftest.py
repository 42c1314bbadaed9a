"""Makes every bench a bench, and prints what they found."""

from pathlib import Path

import pytest
from tests.bench.measure import Figure, Report
from tests.bench.workspaces import project

_HERE = Path(__file__).parent
_PAGE = _HERE.parents[1] / "benchmarks.md"
_REPORT = pytest.StashKey[Report]()
_RAN = pytest.StashKey[set[str]]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker("bench")
            config.stash.setdefault(_RAN, set()).add(item.path.name)


@pytest.fixture(scope="session")
def report(pytestconfig: pytest.Config) -> Report:
    made = Report(rounds=3 if pytestconfig.getoption("short") else 9)
    pytestconfig.stash[_REPORT] = made
    return made


@pytest.fixture(scope="session")
def thousand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project of 1,000 entries, all for one role, 50 of them waiting."""
    folder = tmp_path_factory.mktemp("thousand") / "project"
    return project(folder, 1_000, candidates=50, role="backend-engineer")


@pytest.fixture(scope="session")
def ten_thousand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return project(tmp_path_factory.mktemp("ten-thousand") / "project", 10_000)


@pytest.fixture(scope="session")
def hundred_thousand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return project(tmp_path_factory.mktemp("hundred-thousand") / "project", 100_000)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    report = config.stash.get(_REPORT, None)
    if report is None or not report.figures:
        return
    terminalreporter.section("figures of DESIGN §6, each beside its floor")
    terminalreporter.line(report.table())
    if config.getoption("write_benchmarks"):
        ran: set[str] = config.stash.get(_RAN, set())
        is_whole = ran >= {path.name for path in _HERE.glob("test_bench_*.py")}
        kept = [] if is_whole else _figures(_PAGE.read_text())
        measured = {each.what for each in report.figures}
        report.figures[:0] = [each for each in kept if each.what not in measured]
        _PAGE.write_text(_page(report))


def _figures(page: str) -> list[Figure]:
    """Return what a page holds, so that some benches by themselves leave the other rows alone."""
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return [Figure(*([*(cell.strip() for cell in row), ""][:6])) for row in rows[2:]]


def _page(report: Report) -> str:
    return (
        "# Benchmarks\n\n"
        "Written by `python -m pytest tests/bench --write-benchmarks`. Machines differ, so each\n"
        "figure stands beside a floor that was measured in the same run, in turns with it, and\n"
        "is the median of 3 or more. The last column is the load of the machine at the time, of\n"
        f"two processors; where it is empty, nobody wrote it down.\n\n{report.table()}\n"
    )
