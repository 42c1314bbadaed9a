"""What a person waits for at the first look: who starts with what, and how it grew."""

from pathlib import Path
from time import perf_counter

from tests.bench.measure import Report
from tests.bench.openings import report_openings
from tests.bench.starting import OWNER, everyones_files, with_history

from remem.core.session import Session
from remem.core.settings import Places


def test_first_useful_frame_of_start_against_an_empty_app(report: Report, tmp_path: Path) -> None:
    root = everyones_files(tmp_path / "root")

    report_openings(report, "2 MB in 200 files", root, tmp_path, OWNER, ("≤ 1.5 ×", "≤ 3 ×"))


def test_growth_over_five_hundred_commits(report: Report, tmp_path: Path) -> None:
    root = with_history(tmp_path / "root", 500)
    bench = Session.open(root, Places.of(tmp_path / "home"), door="tui")
    bench.load_counter()

    begin = perf_counter()
    steps = [(perf_counter() - begin, growth) for growth in bench.growing()]
    bench.close()
    took, growth = steps[-1]

    report.plain(
        "growth over 500 commits",
        "≤ 5 s, with progress",
        f"{took:.2f} s",
        f"{steps[0][0]:.2f} s: the first word of progress",
        f"{growth.done} commits looked at, every {took / len(steps):.2f} s one",
    )
    assert growth.is_whole
    assert growth.done > 10
