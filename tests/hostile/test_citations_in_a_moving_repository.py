"""Citations against code that moves: what no longer holds is found out, what holds is believed.

Every place is judged twice, by the check and by who moved the code; the goals are shares of the
places of one run. `tests/bench` prints the whole table.
"""

import subprocess
from pathlib import Path

import pytest
from tests.hostile.moving_code import Case, Tally, git, real, synthetic

from remem.code.blobs import Blobs
from remem.code.citations import verify
from remem.code.code_reader import Reader
from remem.code.worktree import Worktree
from remem.store.io import Disk

REPOSITORY = Path(__file__).resolve().parents[2]
LEAST_COMMITS = 12
"""Of a history that is worth asking; a shallow clone has one."""


def judge(tally: Tally, cases: list[Case], reader: Reader) -> None:
    verdicts = verify([case.citation for case in cases], reader)
    for case, verdict in zip(cases, verdicts, strict=True):
        tally.add(case, verdict)


def assert_goals(tally: Tally) -> None:
    assert tally.detected > 0.99, "\n".join(tally.wrong)
    assert tally.false_alarms < 0.01, "\n".join(tally.wrong)
    assert tally.moved_found > 0.95, tally.table()


def whole_history(folder: Path) -> Path:
    """Return a clone of this repository; skip where it is none, or has no past."""
    clone = folder / "clone"
    command = ["git", "clone", "-q", "--shared", str(REPOSITORY), str(clone)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("this is not a checkout")
    if len(git(clone, "rev-list", "--first-parent", "HEAD").split()) < LEAST_COMMITS:
        pytest.skip("this checkout has no history to speak of")
    return clone


def test_a_few_hundred_places_in_code_that_moves(tmp_path: Path) -> None:
    tally = Tally()

    for cases, top in synthetic(tmp_path / "moving", files=20, seed=11):
        judge(tally, cases, Worktree(Disk(), top))

    assert tally.places > 200
    assert_goals(tally)


def test_the_work_tree_and_the_commit_of_it_are_judged_alike(tmp_path: Path) -> None:
    for cases, top in synthetic(tmp_path / "moving", files=4, seed=5):
        citations = [case.citation for case in cases]

        assert verify(citations, Worktree(Disk(), top)) == verify(citations, Blobs(top))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_two_thousand_places_in_code_that_moves(tmp_path: Path, seed: int) -> None:
    tally = Tally()

    for cases, top in synthetic(tmp_path / "moving", files=200, seed=seed):
        judge(tally, cases, Worktree(Disk(), top))

    assert tally.places > 2_000
    assert_goals(tally)


@pytest.mark.slow
def test_two_thousand_places_in_the_history_of_this_repository(tmp_path: Path) -> None:
    clone = whole_history(tmp_path)
    commits = git(clone, "rev-list", "--first-parent", "HEAD").split()
    tally = Tally()

    for number, share in enumerate((0.1, 0.25, 0.5, 0.75, 0.9)):
        old = commits[int((len(commits) - 1) * share)]
        judge(tally, real(clone, old, "HEAD", places=600, seed=number), Blobs(clone))

    assert tally.places > 2_000
    assert_goals(tally)
