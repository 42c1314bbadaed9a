"""Makes every bench a bench, and prints what they found."""

from pathlib import Path

import pytest
from tests.bench.measure import Report
from tests.bench.workspaces import project

_HERE = Path(__file__).parent
_PAGE = _HERE.parents[1] / "benchmarks.md"
_REPORT = pytest.StashKey[Report]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker("bench")


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
        _PAGE.write_text(_page(report))


def _page(report: Report) -> str:
    return (
        "# Benchmarks\n\n"
        "Written by `python -m pytest tests/bench --write-benchmarks`. Machines differ, so each\n"
        "figure stands beside a floor that was measured in the same run, in turns with it, and\n"
        f"is the median of {report.rounds} or more.\n\n{report.table()}\n"
    )
