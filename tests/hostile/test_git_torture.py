"""Git moves memory under decisions, and in the end the history tells what became of each of them.

It stands, or a person undid it, or git has it, or it waits as reverted; held against a count that
looks into the file after every step.
"""

from __future__ import annotations

import os
import sys
from typing import Final

import pytest
from tests.hostile.git_torture import tortured

SEEDS: Final = [int(seed) for seed in os.environ.get("REMEM_SEEDS", "1 2").split()]


@pytest.fixture(autouse=True)
def quick_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing crashes here, so durability may be skipped."""
    monkeypatch.setattr("os.fsync", lambda _: None)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_of_every_decision_the_history_tells_who_has_it_whatever_git_did(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found = tortured(seed, steps=150)
    with capsys.disabled():
        sys.stdout.write(f"\n{found}\n")

    assert found.unaccounted == []
    assert found.decisions >= 40
    assert found.told["git's"]
    assert found.told["undone"]
