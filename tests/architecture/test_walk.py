"""How far one walks in the house: what a plan crosses may only get less."""

from __future__ import annotations

from pathlib import Path

from tests.architecture.measure import approval, opened, walking

MODULES = 31
"""The goal is 25."""


def test_the_plan_of_an_approval_crosses_no_more_modules_than_it_did(tmp_path: Path) -> None:
    _, bench = opened(tmp_path)
    intent = approval(bench)
    bench.plan(intent)
    with walking() as walk:
        bench.plan(intent)
    bench.close()
    assert len(walk.modules) <= MODULES, "\n".join(walk.modules.values())
