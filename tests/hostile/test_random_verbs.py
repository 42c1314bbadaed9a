"""Whatever a person does, undoing all of it gives back the first bytes, and redoing it the last.

In the ordinary suite a few verbs of one seed; under `slow` 300 of each seed in `REMEM_SEEDS`.
"""

from __future__ import annotations

import os
import sys
from typing import Final

import pytest
from tests.hostile.random_verbs import ran

SEEDS: Final = [int(seed) for seed in os.environ.get("REMEM_SEEDS", "1 2").split()]
"""`REMEM_SEEDS="$(seq 1 20)"` takes most of an hour."""


@pytest.fixture(autouse=True)
def quick_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing crashes here, so durability may be skipped."""
    monkeypatch.setattr("os.fsync", lambda _: None)


def test_undoing_all_that_a_person_did_gives_back_the_first_bytes_and_redoing_the_last() -> None:
    assert ran(seed=1, verbs=20).wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_300_verbs_are_undone_to_the_first_bytes_and_redone_to_the_last(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found = ran(seed, verbs=300)
    with capsys.disabled():
        sys.stdout.write(f"\n{found}\n")
    assert found.wrong == [], found
