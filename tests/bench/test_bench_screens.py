"""What a person waits for at the screens, in a real terminal, against an empty Textual app."""

import json
import statistics
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.bench.drive import DECISIONS
from tests.bench.measure import Report, in_turns, p95, shown
from tests.bench.openings import DRIVE, REMEM, opened_before
from tests.bench.terminal import until_ended, until_shown
from tests.bench.workspaces import MARKER, project

FLOOR = [sys.executable, "-m", "tests.bench.floor"]
FIRST_WORD = MARKER.split()[0]
"""Terminals are told to draw word by word where styles change."""


def driven(what: str, root: Path, folder: Path) -> Any:
    """Let `drive` do something in a terminal and return what it wrote down."""
    answer = folder / f"{what}.json"
    until_ended([*DRIVE, what, str(root), str(folder / "home"), str(answer)], {})
    return json.loads(answer.read_text())


@pytest.fixture(params=[10_000, 100_000])
def store(request: pytest.FixtureRequest) -> tuple[int, Path]:
    """Return a number of entries and the project that holds as many."""
    name = {10_000: "ten_thousand", 100_000: "hundred_thousand"}[request.param]
    return request.param, request.getfixturevalue(name)


def test_first_useful_frame_against_an_empty_app(
    report: Report, store: tuple[int, Path], tmp_path: Path
) -> None:
    entries, root = store
    home = str(tmp_path / "home")
    goal = "≤ 1.25 ×" if entries == 10_000 else "≤ 1.5 ×"
    opened_before(root, tmp_path / "home")

    opening = [REMEM, str(root), "--home", home]
    numbers = count()

    def first_ever() -> float:
        home = tmp_path / f"home-{next(numbers)}"
        return until_shown([REMEM, str(root), "--home", str(home)], FIRST_WORD, {})

    frame, first, anew, empty, floor, bare, imported = in_turns(
        report.rounds if entries == 10_000 else report.rounds // 3,
        lambda: until_shown(opening, FIRST_WORD, {}),
        first_ever,
        # In an environment that was never there, no frame is known.
        lambda: until_shown(opening, FIRST_WORD, {"BENCH": str(next(numbers))}),
        lambda: until_shown([*DRIVE, "bare", home, home, home], FIRST_WORD, {}),
        lambda: until_shown([*FLOOR, str(root)], FIRST_WORD, {}),
        lambda: until_shown([*FLOOR, str(root), "--first"], FIRST_WORD, {}),
        lambda: until_shown([*FLOOR, str(root), "--first", "--modules"], FIRST_WORD, {}),
    )

    what = f"first useful frame, {entries:,} entries, second opening"
    assert report.ratio(what, goal, frame, empty, "empty Textual app") > 0.1
    report.ratio(f"{what}, something changed", "stated", anew, empty, "empty Textual app")
    report.ratio(f"{what}: what cannot be left out", "stated", floor, empty, "empty Textual app")
    goal = "≤ 1.7 ×" if entries == 10_000 else "≤ 3.5 ×"
    what = f"first useful frame, {entries:,} entries, first ever"
    assert report.ratio(what, goal, first, empty, "empty Textual app") > 0.5
    report.ratio(f"{what}: what cannot be left out", "stated", bare, empty, "empty Textual app")
    what = f"{what}: and its modules"
    report.ratio(what, "stated", imported, empty, "empty Textual app")


def test_a_key_in_a_filter_over_a_hundred_thousand(
    report: Report, hundred_thousand: Path, tmp_path: Path
) -> None:
    took = driven("keys", hundred_thousand, tmp_path)
    keys, counted = took["keys"], took["counted"]
    bare = driven("bare-keys", hundred_thousand, tmp_path)["keys"]

    report.plain(
        "key to frame, filter over 100,000",
        "≤ 16 ms at p95, none over 50 ms",
        f"{shown(p95(keys))} ms at p95",
        f"median {shown(statistics.median(keys))} ms of {len(keys)} keys",
        f"longest {shown(max(keys))} ms",
    )
    report.plain(
        "the same rows for the same keys, without remem",
        "stated",
        f"{shown(p95(bare))} ms at p95",
        f"median {shown(statistics.median(bare))} ms",
        f"longest {shown(max(bare))} ms",
    )
    report.plain(
        "until all that the filter leaves is counted",
        "stated",
        f"{shown(p95(counted))} ms at p95",
        "from the key",
        f"median {shown(statistics.median(counted))} ms",
    )
    assert keys


def test_a_change_on_disk_until_it_is_visible(
    report: Report, ten_thousand: Path, tmp_path: Path
) -> None:
    took = driven("changes", ten_thousand, tmp_path)

    report.plain(
        "change on disk to visible, 10,000 entries",
        "≤ 50 ms at p95",
        f"{shown(p95(took['visible']))} ms at p95",
        f"{shown(p95(took['noticed']))} ms at p95: the watcher alone",
        f"median {shown(statistics.median(took['visible']))} ms",
    )
    assert took["visible"]


def test_a_key_that_decides_until_the_next_item_is_drawn(report: Report, tmp_path: Path) -> None:
    root = project(tmp_path / "project", 10_000, candidates=30)

    took = driven("decisions", root, tmp_path)

    report.plain(
        "key that approves to the next item drawn, among 10,000",
        "stated",
        f"{shown(p95(took['drawn']))} ms at p95",
        f"median {shown(statistics.median(took['stands']))} ms: it stands on the disk",
        f"median {shown(statistics.median(took['drawn']))} ms",
    )
    assert len(took["drawn"]) == DECISIONS


def test_memory_with_everything_open(
    report: Report, store: tuple[int, Path], tmp_path: Path
) -> None:
    entries, root = store
    goal = "≤ 150 MiB" if entries == 10_000 else "≤ 400 MiB"

    weight = driven("weight", root, tmp_path)["mebibytes"]
    bare = driven("bare-weight", root, tmp_path)["mebibytes"]
    held = driven("held-weight", root, tmp_path)["mebibytes"]
    modules = driven("held-modules", root, tmp_path)["mebibytes"]

    report.plain(
        f"memory, {entries:,} entries, tokenizer loaded",
        goal,
        f"{weight:.0f} MiB",
        f"{bare:.0f} MiB: empty Textual app, tokenizer loaded",
    )
    report.plain(
        f"memory, {entries:,} entries: what cannot be left out",
        "stated",
        f"{held:.0f} MiB",
        "store, entries, tokens, rows",
        f"{modules:.0f} MiB with its modules",
    )
    assert weight > bare
