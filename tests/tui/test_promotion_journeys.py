"""Promotion to the workspace from the keyboard, and what the gate found in Review."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
from tests.gate_files import CONVENTIONS, PRINTS, bench_at, record, shop_at, tree
from tests.tui.journey import Journey
from tests.workspace_files import SHARED, workspace

from remem.core.session import Session
from remem.core.verbs.verbs import APPROVE, PROMOTE, REJECT
from remem.tui.app import RememApp
from remem.tui.verbs import APPLY_PLAN, CANCEL_PLAN, UNDO

RULE = "Every queue consumer is idempotent"


@asynccontextmanager
async def at(
    bench: Session, start: str, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[Journey]:
    app = RememApp(bench, start=start, seconds=count(1.0).__next__)
    async with app.run_test(size=size, notifications=True) as pilot:
        yield await Journey(pilot).rest()
    bench.close()


def acme(tmp_path: Path) -> Path:
    roles = {"applies_to": ["qa"]}
    rules = {"api": [{"rule": RULE, **roles}], "web": [{"rule": RULE, **roles}]}
    return workspace(tmp_path, [], rules)


@pytest.mark.slow
async def test_what_two_repositories_say_is_lifted_after_its_plan_and_u_brings_it_back(
    tmp_path: Path,
) -> None:
    root = acme(tmp_path)
    before = tree(root)

    async with at(bench_at(root), "review") as journey:
        journey.sees("2 repositories say the same", "Promote to workspace")
        (await journey.use(APPROVE)).sees(
            "1 entry added to the workspace", "qa · web", "Cancel (esc)"
        )
        await journey.use(CANCEL_PLAN)
        assert tree(root) == before
        await journey.use(APPROVE)
        await journey.use(APPLY_PLAN)
        journey.sees("All caught up", "Promoted sniper@api:conv-001")
        assert RULE in (root / SHARED).read_text()
        await journey.use(UNDO)
        journey.sees("2 repositories say the same")

    assert tree(root) == before


@pytest.mark.slow
async def test_p_in_a_repository_shows_whom_it_reaches_on_a_small_screen(tmp_path: Path) -> None:
    root = acme(tmp_path)

    api = bench_at(root / "repositories/api", home=tmp_path / "home")

    async with at(api, "browse", (80, 24)) as journey:
        (await journey.use(PROMOTE)).sees("to the workspace", "qa · api", "1 removed below")
        await journey.use(APPLY_PLAN)

    assert RULE in (root / SHARED).read_text()
    assert RULE not in (root / "repositories/api" / CONVENTIONS).read_text()
    assert RULE in (root / "repositories/web" / CONVENTIONS).read_text()


@pytest.mark.slow
async def test_a_proposal_that_is_turned_down_asks_why_and_goes(tmp_path: Path) -> None:
    root = acme(tmp_path)

    async with at(bench_at(root), "review") as journey:
        await journey.use(REJECT)
        await journey.types("they differ")
        await journey.pilot.press("enter")
        (await journey.rest()).sees("Left sniper@api:conv-001")

    assert "they differ" in (root / ".remem/rejected.yaml").read_text()


@pytest.mark.slow
async def test_what_the_gate_found_shows_its_places_and_a_counts_them(tmp_path: Path) -> None:
    bench = shop_at(tmp_path)
    record(bench, {"sniper:conv-001": PRINTS})
    before = (bench.root / CONVENTIONS).read_bytes()

    async with at(bench, "review", (140, 40)) as journey:
        await journey.pilot.press("j")
        await journey.rest()
        journey.sees('src/a.py:2 print("a")', "`sniper:conv-001` violated in", "2 places")
        await journey.use(APPROVE)
        assert b"places: [" in (bench.root / CONVENTIONS).read_bytes()
        await journey.use(UNDO)

    assert (bench.root / CONVENTIONS).read_bytes() == before
