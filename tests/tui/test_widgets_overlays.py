"""Help, plan and choice: what they show, and that only a clear yes is a yes."""

from __future__ import annotations

import pytest
from tests.tui.journey import Journey
from textual.app import App

from remem.assets import asset_dir
from remem.tui.document import text_line
from remem.tui.private import screen_text
from remem.tui.screens.choose import Choice, ChooseScreen
from remem.tui.screens.help import HelpScreen
from remem.tui.screens.plan import PlanScreen
from remem.tui.verbs import APPLY_PLAN, CANCEL_PLAN, CLOSE_HELP, DOWN, LAST, UI_VERBS, UNDO

LINES = [text_line(f"- [/foo]\x1b entry {i}") for i in range(60)]


class PlanApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.answers: list[bool | None] = []

    def on_mount(self) -> None:
        self.push_screen(PlanScreen("Archive [/x] 60 entries", LINES), self.answers.append)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
async def test_a_plan_shows_itself_and_waits_on_no(size: tuple[int, int]) -> None:
    async with PlanApp().run_test(size=size) as pilot:
        journey = await Journey(pilot).rest()

        journey.sees("Archive [/x] 60 entries", "- [/foo]␛ entry 0", "No (esc)", "Apply (y)")
        assert pilot.app.focused is not None
        assert pilot.app.focused.id == "no"


async def test_only_yes_applies() -> None:
    for keys, answer in (
        (APPLY_PLAN.key, True),
        ("n", False),
        ("escape", False),
        ("enter", False),
        ("right,enter", True),
    ):
        app = PlanApp()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(*keys.split(","))
            await pilot.pause()

            assert app.answers == [answer], keys


async def test_the_plan_scrolls_while_no_has_the_focus() -> None:
    app = PlanApp()
    async with app.run_test(size=(80, 24)) as pilot:
        journey = await Journey(pilot).use(DOWN)
        journey.sees("entry 1").sees_not("entry 0")

        (await journey.use(LAST)).sees("entry 59")
        await journey.use(CANCEL_PLAN)

        assert app.answers == [False]


class HelpApp(App[None]):
    def on_mount(self) -> None:
        self.push_screen(HelpScreen(UI_VERBS, {UNDO.id}, {UNDO.id: "Z"}))


async def test_help_shows_what_works_here_first_with_the_mapped_key() -> None:
    async with HelpApp().run_test(size=(120, 36)) as pilot:
        journey = await Journey(pilot).rest()

        journey.sees("Works here", "Z", "Take the last change back.", "undo", "Elsewhere")
        shown = screen_text(pilot.app)
        assert shown.index("Works here") < shown.index("Take the last") < shown.index("Elsewhere")

        (await journey.use(CLOSE_HELP)).sees_not("Works here")


@pytest.mark.parametrize("count", [0, 1, 5, 60])
async def test_a_choice_is_no_taller_than_what_there_is_to_choose(count: int) -> None:
    choices = [Choice(str(number), f"choice {number}") for number in range(count)]
    async with App[None](css_path=asset_dir("styles") / "app.tcss").run_test(
        size=(80, 24)
    ) as pilot:
        await pilot.app.push_screen(ChooseScreen("Which", choices))
        journey = await Journey(pilot).rest()

        overlay = pilot.app.screen.query_one(".overlay")
        assert overlay.size.height == (count + 2 if 0 < count < 10 else 18)
        journey.sees("choice 0" if count else "nothing is called that")
