"""The private Textual calls still do what they are used for."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.screen import ModalScreen
from textual.widgets import Label

from remem.tui.private import refit_no_color, screen_text


class PlainApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Label("below")


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
