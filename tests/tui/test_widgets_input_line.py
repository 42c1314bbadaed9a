"""The typing line: what `enter` and `esc` mean, and that typed text is never lost."""

from __future__ import annotations

import pytest
from tests.tui.journey import Journey
from textual.app import App, ComposeResult
from textual.message import Message
from textual.messages import Layout, Update
from textual.screen import Screen
from textual.widgets import Input

from remem.tui.textual_private import screen_text
from remem.tui.widgets.input_line import AZERTY_STOCK_KEYS, InputLine, Purpose, Question

REASONS = ("already covered", "too specific", "wrong")
WHY = Question(Purpose.REASON, "why reject conv-001?", "conv-001", stock=REASONS)
FILTER = Question(Purpose.FILTER, "filter")
NAME = Question(Purpose.NAME, "new name", "hill", initial="Hill")


class LineApp(App[None]):
    def __init__(self, *, stock_keys: str = "12345") -> None:
        super().__init__()
        self.line = InputLine(stock_keys=stock_keys)
        self.heard: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.line

    def on_input_line_changed(self, message: InputLine.Changed) -> None:
        self.heard.append(f"changed {message.text}")

    def on_input_line_answered(self, message: InputLine.Answered) -> None:
        self.heard.append(f"answered {message.text}")

    def on_input_line_left(self, message: InputLine.Left) -> None:
        self.heard.append(f"left {message.question.purpose}")


async def test_a_filter_is_live_and_enter_keeps_it() -> None:
    app = LineApp()
    async with app.run_test(size=(60, 6)) as pilot:
        app.line.ask(FILTER)
        journey = await Journey(pilot).types("zo")
        await pilot.press("enter")
        assert app.heard == ["changed z", "changed zo", "answered zo"]

        app.line.ask(FILTER)

        (await journey.rest()).sees("filter", "zo")


async def test_a_filter_that_is_opened_again_is_typed_anew_or_kept_by_an_arrow() -> None:
    app = LineApp()
    async with app.run_test(size=(60, 6)) as pilot:
        app.line.ask(FILTER)
        journey = await Journey(pilot).types("zo")
        await pilot.press("enter")

        app.line.ask(FILTER)
        await pilot.press("end")
        await journey.types("d")
        assert app.line.text == "zod"
        await pilot.press("enter")

        app.line.ask(FILTER)
        await journey.types("bay")
        assert app.line.text == "bay"


async def test_escape_clears_a_filter() -> None:
    app = LineApp()
    async with app.run_test(size=(60, 6)) as pilot:
        app.line.ask(FILTER)
        await Journey(pilot).types("zod")
        await pilot.press("escape")
        await pilot.pause()
        assert app.heard[-1] == "left filter"
        assert app.line.question is None

        app.line.ask(FILTER)

        assert app.line.text == ""


async def test_a_digit_fills_in_a_stock_reason_only_while_the_line_is_empty() -> None:
    app = LineApp()
    async with app.run_test(size=(80, 6)) as pilot:
        app.line.ask(WHY)
        journey = await Journey(pilot).rest()
        journey.sees("why reject conv-001?", "1 already covered", "2 too specific")
        await journey.types("2")
        assert app.line.text == "too specific"
        await pilot.press("enter")
        await pilot.pause()
        assert app.heard[-1] == "answered too specific"

        app.line.ask(WHY)
        await journey.types("x2")
        journey.sees_not("already covered")
        await pilot.press("enter")
        await pilot.pause()

        assert app.heard[-1] == "answered x2"


async def test_a_reason_may_begin_with_the_digit_of_a_stock_reason() -> None:
    app = LineApp()
    async with app.run_test(size=(80, 6)) as pilot:
        app.line.ask(WHY)
        journey = await Journey(pilot).rest()
        await journey.types("2 apps need it")
        assert app.line.text == "2 apps need it"

        await pilot.press("enter")
        await pilot.pause()

        assert app.heard[-1] == "answered 2 apps need it"


async def test_what_a_digit_filled_in_can_be_edited_or_cleared() -> None:
    app = LineApp()
    async with app.run_test(size=(80, 6)) as pilot:
        app.line.ask(WHY)
        journey = await Journey(pilot).rest()
        await journey.types("2")
        await pilot.press("right")
        await journey.types(", 1 app")
        assert app.line.text == "too specific, 1 app"

        await pilot.press("ctrl+u")
        await journey.types("1")

        assert app.line.text == "already covered"


async def test_a_digit_without_a_reason_is_text() -> None:
    app = LineApp()
    async with app.run_test(size=(80, 6)) as pilot:
        app.line.ask(WHY)
        await Journey(pilot).types("5 tools do it")

        assert app.line.text == "5 tools do it"


async def test_enter_on_nothing_gives_no_reason() -> None:
    app = LineApp()
    async with app.run_test(size=(80, 6)) as pilot:
        app.line.ask(WHY)
        await pilot.press("enter")
        await pilot.pause()

        assert app.heard == ["answered "]


async def test_french_keyboards_take_reasons_without_shift() -> None:
    app = LineApp(stock_keys=AZERTY_STOCK_KEYS)
    async with app.run_test(size=(80, 6)) as pilot:
        app.line.ask(WHY)
        journey = await Journey(pilot).types("&")
        assert app.line.text == "already covered"
        await pilot.press("ctrl+u")
        await journey.types("états")

        assert app.line.text == "états"


async def test_a_half_typed_reason_waits_for_its_own_subject() -> None:
    app = LineApp()
    async with app.run_test(size=(80, 6)) as pilot:
        app.line.ask(WHY)
        journey = await Journey(pilot).types("not tr")
        await pilot.press("escape")
        await journey.rest()

        app.line.ask(Question(Purpose.REASON, "why?", "conv-002", stock=REASONS))
        assert app.line.text == ""

        app.line.ask(WHY)
        assert app.line.text == "not tr"


async def test_a_name_begins_with_the_old_one_and_is_never_empty() -> None:
    app = LineApp()
    async with app.run_test(size=(80, 6)) as pilot:
        app.line.ask(NAME)
        assert app.line.text == "Hill"

        await pilot.press("ctrl+u", "enter")
        await pilot.pause()

        assert app.line.question == NAME
        assert [said for said in app.heard if said.startswith("answered")] == []


@pytest.mark.parametrize("text", ["\x1b]0;t\x07", "\u202ename", "[/foo] [@click=app.quit]x[/]"])
async def test_hostile_names_and_labels_are_drawn_and_do_nothing(text: str) -> None:
    app = LineApp()
    async with app.run_test(size=(80, 6)) as pilot:
        app.line.ask(Question(Purpose.NAME, text, initial=text))
        app.line.say(text)
        await pilot.pause()

        shown = screen_text(app)
        assert app.is_running
        assert all(c.isprintable() or c == "\n" for c in shown)
        assert app.query_one(Input).value.isprintable()


class Hearing(Screen[None]):
    """Notes what reaches it, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def compose(self) -> ComposeResult:
        yield InputLine()

    def post_message(self, message: Message) -> bool:
        asks = isinstance(message, Update | Layout) and isinstance(message.widget, Input)
        if asks or isinstance(message, InputLine.Changed):
            self.heard.append("frame" if asks else "change")
        return super().post_message(message)


async def test_a_screen_hears_of_a_change_before_the_line_asks_for_its_frame() -> None:
    """Else the letter and what it leaves of the list come in two frames, one after the other."""
    app = App[None]()
    async with app.run_test() as pilot:
        screen = Hearing()
        await app.push_screen(screen)
        screen.query_one(InputLine).ask(Question(Purpose.FILTER, "filter"))
        await pilot.pause()
        screen.heard.clear()

        await pilot.press("a")

        assert screen.heard[0] == "change"
        assert screen.heard.count("change") == 1
        assert "frame" in screen.heard


async def test_what_a_line_is_asked_with_is_no_change() -> None:
    app = App[None]()
    async with app.run_test() as pilot:
        screen = Hearing()
        await app.push_screen(screen)
        line = screen.query_one(InputLine)

        line.ask(Question(Purpose.NAME, "name", 1, "first"))
        await pilot.pause()
        line.ask(Question(Purpose.NAME, "name", 2, "second"))
        await pilot.pause()

        assert "change" not in screen.heard
        assert line.text == "second"


async def test_a_reason_to_choose_is_never_broken_over_two_lines() -> None:
    stock = ("already covered", "too specific", "wrong", "outdated", "the linter does it")
    app = LineApp()
    async with app.run_test(size=(80, 6)) as pilot:
        app.line.ask(Question(Purpose.REASON, "why?", stock=stock))
        await pilot.pause()
        shown = screen_text(app).split("\n")
        assert " 5 the linter does it" in shown

        await pilot.resize_terminal(100, 6)
        await pilot.pause()

        shown = screen_text(app).split("\n")
        assert any("1 already covered" in line and "5 the linter does it" in line for line in shown)


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("wrong", ["", "there is somebody of that name in this team already"])
async def test_a_name_that_is_typed_can_be_read_in_a_narrow_terminal(
    width: int, wrong: str
) -> None:
    app = LineApp()
    async with app.run_test(size=(width, 6)) as pilot:
        app.line.ask(Question(Purpose.NAME, "rename backend-engineer to", "hill", initial="Hill"))
        journey = await Journey(pilot).types("Valerie")
        if wrong:
            app.line.say(wrong)
        (await journey.rest()).sees("rename backend-engineer to", "Valerie")
