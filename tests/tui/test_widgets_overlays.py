"""Help, plan and choice: what they show, and that only a clear yes is a yes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest
from tests.tui.journey import Journey
from textual.app import App

from remem.base.assets import asset_dir
from remem.tui.screens.choose import ChooseScreen
from remem.tui.screens.help import HelpScreen
from remem.tui.screens.plan import QUIET_SECONDS, PlanScreen, Rested
from remem.tui.textual_private import screen_text
from remem.tui.usable_verbs import Offer
from remem.tui.verbs import CANCEL_PLAN, CLOSE_HELP, DOWN, LAST, UI_VERBS, UNDO
from remem.views.list_rows import Choice
from remem.views.long_text import text_line

LINES = [text_line(f"- [/foo]\x1b entry {i}") for i in range(60)]


class PlanApp(App[None]):
    """Asks one thing; a second goes by between two looks at the clock, if it is not given."""

    def __init__(
        self, *, careful: bool = False, seconds: Callable[[], float] | None = None
    ) -> None:
        super().__init__()
        self.answers: list[bool | None] = []
        clock = seconds or count(1.0).__next__
        self.plan = PlanScreen(
            "Archive [/x] 60 entries", LINES, apply="Archive", careful=careful, seconds=clock
        )

    def on_mount(self) -> None:
        self.push_screen(self.plan, self.answers.append)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
async def test_a_plan_shows_itself_and_which_key_does_it(size: tuple[int, int]) -> None:
    async with PlanApp().run_test(size=size) as pilot:
        journey = await Journey(pilot).rest()

        journey.sees(
            "Archive [/x] 60 entries", "- [/foo]␛ entry 0", "Cancel (esc)", "Archive (enter)"
        )
        assert pilot.app.focused is not None
        assert pilot.app.focused.id == "yes"


async def test_a_plan_without_a_diff_begins_in_the_column_of_all_plans() -> None:
    told = text_line("retired: unused")
    begins = set()
    for lines in ([told], [told, replace(text_line("was"), sign="-")]):
        async with App[None]().run_test(size=(80, 24)) as pilot:
            await pilot.app.push_screen(PlanScreen("Retire", lines))
            await Journey(pilot).rest()
            shown = screen_text(pilot.app).splitlines()
            begins |= {line.index(told.text) for line in shown if told.text in line}

    assert len(begins) == 1


@pytest.mark.parametrize("is_careful", [False, True])
async def test_enter_applies_what_leaves_does_not_and_no_letter_answers(is_careful: bool) -> None:
    for keys, answer in (
        ("escape", False),
        ("enter", not is_careful),
        ("left,enter", False),
        ("right,enter", True),
        ("space,enter", True),
        ("space,space,enter", not is_careful),
        ("y,n,a,r,escape", False),
    ):
        app = PlanApp(careful=is_careful)
        async with app.run_test(size=(80, 24)) as pilot:
            await Journey(pilot).rest()
            await pilot.press(*keys.split(","))
            await pilot.pause()

            assert app.answers == [answer], keys


async def test_an_enter_that_is_held_or_pressed_twice_is_no_yes_until_it_was_let_go() -> None:
    now = [10.0]
    app = PlanApp(seconds=lambda: now[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await Journey(pilot).rest()

        for _ in range(30):
            now[0] += QUIET_SECONDS / 10
            await pilot.press("enter")
        assert app.answers == []

        now[0] += QUIET_SECONDS
        await pilot.press("enter")
        assert app.answers == [True]


async def test_a_key_that_comes_before_the_plan_was_drawn_is_no_yes() -> None:
    app = PlanApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await Journey(pilot).rest()
        app.plan._rested = Rested(lambda: 0.0)  # as it is until the first frame

        await pilot.press("enter")

        assert app.answers == []


async def test_the_plan_scrolls_while_a_button_has_the_focus() -> None:
    app = PlanApp()
    async with app.run_test(size=(80, 24)) as pilot:
        journey = await Journey(pilot).use(DOWN)
        journey.sees("entry 1").sees_not("entry 0")

        (await journey.use(LAST)).sees("entry 59")
        await journey.use(CANCEL_PLAN)

        assert app.answers == [False]


class HelpApp(App[None]):
    def on_mount(self) -> None:
        offers = [Offer(UNDO), *(Offer(verb, "not here") for verb in UI_VERBS if verb is not UNDO)]
        self.push_screen(HelpScreen(offers, {UNDO.id: "Z"}))


async def test_help_shows_what_works_here_first_with_the_mapped_key() -> None:
    async with HelpApp().run_test(size=(120, 36)) as pilot:
        journey = await Journey(pilot).rest()

        journey.sees("Works here", "Z", "Undo the last change;", "Signs")
        shown = screen_text(pilot.app)
        assert shown.index("Works here") < shown.index("Undo the last") < shown.index("Signs")

        (await journey.use(CLOSE_HELP)).sees_not("Works here")


@pytest.mark.parametrize(
    ("typed", "shown", "gone"),
    [
        pytest.param("filter", "Filter this list.", "Undo the last", id="a word"),
        pytest.param("nudo", "Undo the last change;", "Filter this", id="misspelt"),
        pytest.param("take back", "Undo the last change;", "Filter this", id="two words"),
        pytest.param("hidden text", "‼", "Undo the last", id="a sign"),
        pytest.param("+/week", "tokens that a memory grew", "Undo the last", id="a column"),
        pytest.param("show.why", "not here", "Undo the last", id="an id"),
        pytest.param("nobody says this", "no matches", "Undo the last", id="nothing"),
    ],
)
async def test_help_narrows_to_what_is_typed(typed: str, shown: str, gone: str) -> None:
    async with HelpApp().run_test(size=(120, 36)) as pilot:
        journey = await Journey(pilot).types(typed)
        journey.sees(shown).sees_not(gone)

        (await journey.use(CLOSE_HELP)).sees("Works here")  # clears what was typed
        (await journey.use(CLOSE_HELP)).sees_not("Works here")


async def test_a_choice_of_nothing_says_why_until_something_is_typed() -> None:
    async with App[None](css_path=asset_dir("styles") / "app.tcss").run_test(
        size=(80, 24)
    ) as pilot:
        await pilot.app.push_screen(ChooseScreen("When", [], typed=True, none="type a path"))
        journey = await Journey(pilot).rest()

        journey.sees("type a path").sees_not("no matches")


@pytest.mark.parametrize("many", [0, 1, 5, 60])
async def test_a_choice_is_no_taller_than_what_there_is_to_choose(many: int) -> None:
    choices = [Choice(str(number), f"choice {number}") for number in range(many)]
    async with App[None](css_path=asset_dir("styles") / "app.tcss").run_test(
        size=(80, 24)
    ) as pilot:
        await pilot.app.push_screen(ChooseScreen("Which", choices))
        journey = await Journey(pilot).rest()

        overlay = pilot.app.screen.query_one(".overlay")
        assert overlay.size.height == (many + 3 if 0 < many < 10 else 18)
        journey.sees("choice 0" if many else "no matches")
        journey.sees("type to filter   enter chooses   esc cancels")
