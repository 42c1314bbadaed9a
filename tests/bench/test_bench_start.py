"""What a person waits for at the first look: who starts with what, and how it grew."""

import sys
from functools import partial
from pathlib import Path
from time import perf_counter

from tests.bench.measure import Report, in_turns
from tests.bench.starting import OWNER, everyones_files, with_history
from tests.bench.terminal import until_shown
from tests.bench.workspaces import MARKER

from remem.core.session import Session
from remem.core.settings import Places

REMEM = str(Path(sys.executable).with_name("remem"))
DRIVE = [sys.executable, "-m", "tests.bench.drive"]


def test_first_useful_frame_of_start_against_an_empty_app(report: Report, tmp_path: Path) -> None:
    root = everyones_files(tmp_path / "root")
    home = str(tmp_path / "home")
    # As it is installed: compiled once, whatever the shell of a developer says.
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path / "compiled")}
    first = partial(until_shown, [REMEM, str(root), "--home", home], OWNER, kept)
    bare = partial(until_shown, [*DRIVE, "bare", home, home, home], MARKER.split()[0], kept)
    first(), bare()

    frame, empty = in_turns(max(report.rounds // 2, 1), first, bare)

    what = "first useful frame of Start, 2 MB in 200 files"
    assert report.ratio(what, "≤ 1.3 ×", frame, empty, "empty Textual app") > 0.5


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
