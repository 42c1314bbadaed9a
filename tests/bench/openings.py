"""A repository that was opened before, and one that never was, beside an empty Textual app."""

import sys
from itertools import count
from pathlib import Path

from tests.bench.measure import Report, in_turns
from tests.bench.terminal import until_kept, until_shown
from tests.bench.workspaces import MARKER

REMEM = str(Path(sys.executable).with_name("remem"))
DRIVE = [sys.executable, "-m", "tests.bench.drive"]


def opened_before(root: Path, home: Path) -> None:
    """Leave what a first opening keeps for the next one."""
    frames = home / ".cache" / "remem" / "frames"
    until_kept([REMEM, str(root), "--home", str(home)], frames, {})


def report_openings(
    report: Report, what: str, root: Path, folder: Path, word: str, goals: tuple[str, str]
) -> None:
    """Time how long it takes until a word is shown, at a second opening and at the first ever.

    Args:
        report: What takes the figures.
        what: The name of what is opened.
        root: The repository.
        folder: For homes.
        word: Stands in the first useful frame, and nowhere before it.
        goals: Of the second opening and of the first, in times of an empty app.
    """
    home, numbers = str(folder / "home"), count()
    opened_before(root, Path(home))

    def first_ever() -> float:
        new = str(folder / f"home-{next(numbers)}")
        return until_shown([REMEM, str(root), "--home", new], word, {})

    second, first, empty = in_turns(
        max(report.rounds // 2, 1),
        lambda: until_shown([REMEM, str(root), "--home", home], word, {}),
        first_ever,
        lambda: until_shown([*DRIVE, "bare", home, home, home], MARKER.split()[0], {}),
    )

    for opening, took, goal in (("second", second, goals[0]), ("first ever", first, goals[1])):
        named = f"first useful frame, {what}, {opening}"
        assert report.ratio(named, goal, took, empty, "empty Textual app") > 0.1
