"""Entries that are alike stand in Health, and are merged after their plan was seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.journey import until
from tests.tui.opened import MEMORY, opened

from remem.core.verbs.verbs import KEEP_BOTH, MERGE, SUPERSEDE
from remem.tui.screens.plan import PlanScreen
from remem.tui.verbs import APPLY_PLAN, UNDO
from remem.tui.widgets.line_list import LineList
from remem.views.list_rows import Row

STORE = f"{MEMORY}/conventions.yaml"
TWINS = (
    b"\n  - id: conv-990\n    rule: Lamps are lit before dusk\n    rationale: the fog of May\n"
    b"  - id: conv-991\n    rule: lamps are lit before dusk.\n    rationale: the fall of June\n"
)


@pytest.mark.slow
async def test_two_equal_entries_are_merged_after_a_look_and_undone(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        await desk.write(STORE, lambda data: data.rstrip() + TWINS)
        await desk.journey.rest()
        before = desk.read(STORE)
        problems = desk.journey.pilot.app.screen.query_one("#problems", LineList)
        await until(lambda: any("conv-990" in row.label[0].text for row in problems.rows))
        row = next(row for row in problems.rows if "conv-990" in row.label[0].text)
        problems.move_to(row.key)
        await desk.journey.rest()
        desk.journey.sees("duplicate of", "the fog of May", "the fall of June")

        await desk.journey.use(MERGE)
        assert isinstance(desk.journey.pilot.app.screen, PlanScreen)
        assert desk.read(STORE) == before
        await desk.journey.use(APPLY_PLAN)

        assert b"conv-991" not in desk.read(STORE)
        assert b"the fall of June" in desk.read(STORE)
        await desk.journey.use(UNDO)
        assert desk.read(STORE) == before


AGAINST = """
  - id: conv-992
    rule: Throw errors in the code of the ferry desk
  - id: conv-993
    rule: Never throw errors in the code of the ferry desk
"""


@pytest.mark.slow
async def test_of_two_that_contradict_each_other_the_one_that_is_chosen_stays(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="health") as desk:
        await desk.write(STORE, lambda data: data.rstrip() + AGAINST.encode())
        await desk.journey.rest()
        before = desk.read(STORE)
        problems = desk.journey.pilot.app.screen.query_one("#problems", LineList)
        await until(lambda: any("conv-992" in row.label[0].text for row in problems.rows))
        row = next(row for row in problems.rows if "conv-992" in row.label[0].text)
        problems.move_to(row.key)
        await desk.journey.rest()

        await desk.journey.use(SUPERSEDE)
        desk.journey.sees("Which one to keep")
        await desk.journey.types("conv-993")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("Supersede sniper:conv-992 by sniper:conv-993")
        assert desk.read(STORE) == before
        await desk.journey.use(APPLY_PLAN)

        assert b"conv-992" not in desk.read(STORE)
        assert b"conv-993" in desk.read(STORE)
        await desk.journey.use(UNDO)
        assert desk.read(STORE) == before


@pytest.mark.slow
async def test_two_that_contradict_each_other_are_both_kept_and_leave_health(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="health") as desk:
        await desk.write(STORE, lambda data: data.rstrip() + AGAINST.encode())
        await desk.journey.rest()
        before = desk.read(STORE)
        problems = desk.journey.pilot.app.screen.query_one("#problems", LineList)

        def rows() -> list[Row]:
            return [row for row in problems.rows if "conv-992" in row.label[0].text]

        await until(lambda: bool(rows()))
        problems.move_to(rows()[0].key)
        await desk.journey.rest()

        await desk.journey.use(KEEP_BOTH)
        await desk.journey.reason("1")
        await desk.journey.rest()
        desk.journey.sees("Keep sniper:conv-993 beside sniper:conv-992")
        await desk.journey.use(APPLY_PLAN)

        await until(lambda: not rows())
        assert desk.read(STORE) == before
        await desk.journey.use(UNDO)
        await until(lambda: bool(rows()))


async def test_what_went_while_it_was_shown_is_read_again_and_nobody_is_thrown_out(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="health", size=(80, 24)) as desk:
        app, bench = desk.app, desk.bench
        entry = next(iter(bench.library.of_kind("convention")))
        (bench.root / STORE).write_bytes(b"conventions: []\n")

        bench.refresh({bench.root / STORE})
        app.screen.call_later(lambda: bench.library.source_of(entry))
        await desk.journey.rest()

        assert app.is_running
        desk.journey.sees("problems")
