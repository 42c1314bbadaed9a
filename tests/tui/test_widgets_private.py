"""The private Textual calls still do what they are used for."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import ClassVar
from weakref import ref

import pytest
from tests.tui.journey import until
from textual import work
from textual._styles_cache import StylesCache
from textual.app import App, ComposeResult
from textual.css.stylesheet import Stylesheet
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.widgets import Label, Static

from remem.tui.textual_private import (
    DrawsAfterBatches,
    ForgetsWidgets,
    ForgetsWork,
    ParsesOnce,
    StyledLate,
    StyledOnce,
    refit_no_color,
    screen_text,
)


class PlainApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Label("below")


class Lines(Static):
    """Counts how often it was drawn."""

    drawn = 0

    def render_line(self, y: int) -> Strip:
        self.drawn += 1
        return super().render_line(y)


class Filled(StyledOnce):
    """Shows what it has to wait for."""

    def compose(self) -> ComposeResult:
        self.take_width()
        yield Lines("nothing")

    async def on_mount(self) -> None:
        await asyncio.to_thread(self.query_one(Lines).update, "there")
        await asyncio.sleep(0)


class Parsing(ParsesOnce, App[None]):
    """An app with nothing but that."""


class DrawingApp(DrawsAfterBatches, App[None]):
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (15, "-wide")]  # noqa: RUF012 - a field of Textual

    def __init__(self, screen: type[Screen[None]]) -> None:
        super().__init__()
        self.first = screen

    def get_default_screen(self) -> Screen[None]:
        return self.first()


async def test_a_screen_is_drawn_once_before_it_is_shown_and_has_the_class_of_its_width() -> None:
    app = DrawingApp(Filled)
    async with app.run_test(size=(20, 1)) as pilot:
        await pilot.pause()

        assert screen_text(app) == "there"
        assert app.screen.has_class("-wide")
        assert app.screen.query_one(Lines).drawn == 1

        await pilot.resize_terminal(10, 1)
        await until(lambda: app.screen.has_class("-narrow"))

        assert not app.screen.has_class("-wide")


class Above(ModalScreen[None]):
    def compose(self) -> ComposeResult:
        yield Label("above")


async def test_the_text_of_the_screen_holds_overlays_and_ends_lines_without_spaces() -> None:
    app = PlainApp()
    async with app.run_test(size=(20, 3)) as pilot:
        assert screen_text(app) == "below\n\n"

        await app.push_screen(Above())
        await pilot.pause()

        assert screen_text(app).startswith("above")


@pytest.mark.parametrize(
    ("themes", "is_default"),
    [
        pytest.param(("ansi-dark",), True, id="to ansi"),
        pytest.param(("ansi-dark", "nord"), False, id="and back"),
    ],
)
async def test_without_colour_the_text_differs_from_its_ground_in_every_theme(
    monkeypatch: pytest.MonkeyPatch, themes: tuple[str, ...], is_default: bool
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = PlainApp()
    async with app.run_test(size=(20, 3)) as pilot:
        for theme in themes:
            app.theme = theme
            refit_no_color(app)
        await pilot.pause()

        drawn = app.screen._compositor.render_strips()[0]
        styles = [segment.style for segment in drawn if segment.text.strip() and segment.style]
        assert styles
        for style in styles:
            assert style.color is not None
            assert style.color.is_default == is_default
            assert is_default or style.color != style.bgcolor


class Ground(Screen[None]):
    def compose(self) -> ComposeResult:
        yield Label("ground")


class Heights(Screen[None]):
    def compose(self) -> ComposeResult:
        yield Label("heights")


async def test_sheets_are_not_parsed_again_for_a_screen_and_its_own_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sheet = tmp_path / "heights.tcss"
    sheet.write_text("Heights { background: #102030; } Heights Label { color: #405060; }")
    monkeypatch.setattr(Heights, "CSS_PATH", sheet)
    parsed: list[Stylesheet] = []
    parse_all = Stylesheet.reparse

    def counted(sheets: Stylesheet) -> None:
        parsed.append(sheets)
        parse_all(sheets)

    monkeypatch.setattr(Stylesheet, "reparse", counted)
    app = Parsing()
    app.add_mode("ground", Ground)
    app.add_mode("heights", Heights)
    async with app.run_test() as pilot:
        await app.switch_mode("ground")
        await app.switch_mode("heights")
        await pilot.pause()

        assert parsed == []
        assert app.screen.styles.background.hex == "#102030"
        assert app.screen.query_one(Label).styles.color.hex == "#405060"

        app.theme = "nord"
        await pilot.pause()

        assert len(parsed) == 1


class Lamps(StyledLate):
    COMPONENT_CLASSES = {"lamps--lit", "lamps--dark"}  # noqa: RUF012 - Textual declares it so
    DEFAULT_CSS = "Lamps > .lamps--lit { color: $primary; }"

    def render_line(self, y: int) -> Strip:
        return Strip.blank(1, self.get_component_rich_style("lamps--lit"))


async def test_a_component_class_is_styled_when_it_is_drawn_and_follows_the_theme() -> None:
    class Harbour(App[None]):
        def compose(self) -> ComposeResult:
            yield Lamps()

    app = Harbour()
    async with app.run_test() as pilot:
        await pilot.pause()
        lamps = app.query_one(Lamps)
        before = lamps.get_component_rich_style("lamps--lit")

        app.theme = "nord"
        await pilot.pause()

        assert lamps.get_component_rich_style("lamps--lit") != before
        assert set(lamps._component_styles) == {"lamps--lit"}
        with pytest.raises(KeyError):
            lamps.get_component_styles("lamps--none")


class ForgettingApp(ForgetsWidgets, PlainApp):
    """The plain one, but that it forgets."""


async def test_nothing_stays_of_what_a_dialog_drew_once_it_is_closed() -> None:
    app = ForgettingApp()
    async with app.run_test(size=(20, 3)) as pilot:
        drawn: list[ref[StylesCache]] = []
        for _ in range(3):
            above = Above()
            await app.push_screen(above)
            await pilot.pause()
            drawn.append(ref(above.query_one(Label)._styles_cache))
            del above
            await app.pop_screen()
        await pilot.pause()
        await pilot.pause()
        gc.collect()

        assert drawn
        assert not [each for each in drawn if each() is not None]


async def test_the_lines_of_a_dialog_go_with_it_before_anybody_looks_for_garbage() -> None:
    app = ForgettingApp()
    async with app.run_test(size=(20, 3)) as pilot:
        above = Above()
        await app.push_screen(above)
        await pilot.pause()
        lines = above.query_one(Label)._styles_cache._cache
        assert lines

        await app.pop_screen()
        await pilot.pause()
        await pilot.pause()

        assert not lines


class Failing(ForgetsWork, App[None]):
    """Works on something in a thread, and falls over in the middle."""

    held: ClassVar[list[ref[Held]]] = []

    @work(thread=True, exit_on_error=False)
    def fall(self) -> None:
        held = Held()
        self.held.append(ref(held))
        raise KeyError("lamp")


class Held:
    """What the work was about."""


async def test_work_that_fell_over_holds_nothing_of_what_it_was_about() -> None:
    app = Failing()
    async with app.run_test() as pilot:
        often = gc.get_threshold()
        gc.set_threshold(0)
        try:
            worker = app.fall()
            await until(lambda: worker.is_finished)
            await pilot.pause()
            await pilot.pause()

            assert isinstance(worker.error, KeyError)
            assert [each() for each in app.held] == [None]
        finally:
            gc.set_threshold(*often)
