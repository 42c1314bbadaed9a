"""Checking citations: how much code that moved is found out, and what a thousand of them cost."""

from pathlib import Path
from random import Random

import pytest
from tests.bench.measure import Report, in_turns, seconds
from tests.hostile.moving_code import Moving, Tally, git, real, synthetic
from tests.hostile.test_citations_in_a_moving_repository import judge, whole_history

from remem.code.blobs import Blobs
from remem.code.citations import filled, verify
from remem.code.worktree import Worktree
from remem.model.citation import Citation
from remem.store.io import Disk

MANY = 1_000


def test_verdicts_beside_the_truth(report: Report, tmp_path: Path) -> None:
    made, history = Tally(), Tally()

    for cases, top in synthetic(tmp_path / "moving", files=200, seed=7):
        judge(made, cases, Worktree(Disk(), top))
    keep(report, "code that moves", made)
    clone = whole_history(tmp_path)
    commits = git(clone, "rev-list", "--first-parent", "HEAD").split()
    for number, share in enumerate((0.1, 0.5, 0.9)):
        old = commits[int((len(commits) - 1) * share)]
        judge(history, real(clone, old, "HEAD", places=1_000, seed=number), Blobs(clone))
    keep(report, "history of remem", history)

    assert made.places > 2_000
    assert history.places > 2_000


def keep(report: Report, name: str, tally: Tally) -> None:
    """Keep the shares, and the confusion table a line for each truth."""
    report.plain(
        f"citations, {name}: found out; false alarms; moved found",
        "> 99 %; < 1 %; > 95 %",
        f"{tally.detected:.2%}; {tally.false_alarms:.2%}; {tally.moved_found:.2%}",
        f"{tally.places:,} places",
    )
    head, *rows = tally.table().split("\n")
    columns = head.split("truth")[1].split("  ")
    names = [column.strip() for column in columns if column.strip()]
    for row in rows:
        truth, *numbers = row.split()
        cells = ", ".join(f"{number} {n}" for n, number in zip(names, numbers, strict=True))
        report.plain(f"citations, {name}: truth `{truth}` was called", "stated", cells, "the truth")


@pytest.mark.parametrize("moved", [False, True], ids=["as they were", "all of them moved"])
def test_a_thousand_citations(report: Report, tmp_path: Path, moved: bool) -> None:
    moving = Moving(tmp_path / "code", Random(3))
    moving.top.mkdir()
    git(moving.top, "init", "-q")
    moving.fill(200, 300)
    moving.write("first")
    places = [Citation(p, at, at + 4) for p in sorted(moving.files) for at in range(5, 300, 60)]
    citations = filled(places[:MANY], Worktree(Disk(), moving.top))
    if moved:
        for name, lines in moving.files.items():
            lines[0:0] = [moving.new_line(name[name.rindex(".") :])]
        moving.write("moved")

    checking, reading = in_turns(
        report.rounds,
        lambda: seconds(lambda: verify(citations, Worktree(Disk(), moving.top))) * 1_000,
        lambda: seconds(lambda: [p.read_bytes() for p in moving.top.glob("src/*/*")]) * 1_000,
    )

    name = "all of them moved" if moved else "as they were"
    report.ratio(f"verify 1,000 citations, {name}", "≤ 1 s", checking, reading, "reading the files")
    assert checking < 1_000 if not moved else checking > 0
