"""What is typed while a plan is made reaches nothing else, and leaving means leaving."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from threading import Event

import pytest
from tests.tui.journey import Journey, until

from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import build_crew, home_of
from remem.model.change import Change, Intent
from remem.tui.app import RememApp
from remem.tui.screens.plan import PlanningScreen, PlanScreen
from remem.tui.textual_private import screen_text

pytestmark = pytest.mark.slow


class Slow(Session):
    """Makes a plan when it may."""

    may_plan: Event
    planned: Event

    def plan(self, intent: Intent, at: datetime | None = None) -> Change:
        self.may_plan.wait(30)
        change = super().plan(intent, at)
        self.planned.set()
        return change


async def test_who_leaves_a_plan_before_it_is_made_is_not_asked_on_another_screen(
    tmp_path: Path,
) -> None:
    root = build_crew(tmp_path / "demo")
    bench = Slow.open(root, Places.of(home_of(root)), door="tui")
    bench.may_plan, bench.planned = Event(), Event()
    app = RememApp(bench, start="start")
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        journey = await Journey(pilot).rest()
        await pilot.press("E")
        await journey.rest()
        await pilot.press("R", "ctrl+u", *"Rook", "enter")
        await until(lambda: isinstance(app.screen, PlanningScreen))
        await until(lambda: "planning what it would write" in screen_text(app))
        # The pilot would wait for the screen below, which waits for the plan.
        for key in ("2", "enter"):
            app.simulate_key(key)
        app.simulate_key("escape")
        await until(lambda: not isinstance(app.screen, PlanningScreen))
        app.simulate_key("2")
        bench.may_plan.set()
        await until(bench.planned.is_set)
        await journey.rest()

        assert not isinstance(app.screen, PlanScreen | PlanningScreen)
        journey.sees_not("Rook")
    assert not bench.past.changes()
    bench.close()


async def test_a_plan_that_took_its_time_is_shown_once_it_is_made(tmp_path: Path) -> None:
    root = build_crew(tmp_path / "demo")
    bench = Slow.open(root, Places.of(home_of(root)), door="tui")
    bench.may_plan, bench.planned = Event(), Event()
    app = RememApp(bench, start="start")
    async with app.run_test(size=(120, 36)) as pilot:
        journey = await Journey(pilot).rest()
        await pilot.press("E")
        await journey.rest()
        await pilot.press("R", "ctrl+u", *"Rook", "enter")
        await until(lambda: isinstance(app.screen, PlanningScreen))
        bench.may_plan.set()
        await until(lambda: isinstance(app.screen, PlanScreen))

        await journey.rest()
        journey.sees("to Rook")
        await pilot.press("escape")
        await until(lambda: not isinstance(app.screen, PlanScreen | PlanningScreen))
    bench.close()
