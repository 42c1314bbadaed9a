"""What the app does around the screens: no colour, a fatal error, a terminal that is small."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.style import Style
from tests.tui.opened import opened
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter, Monochrome, NoColor
from textual.theme import BUILTIN_THEMES

from remem.tui.contrast import ENOUGH, contrast, readable
from remem.tui.messages import CounterReady
from remem.tui.textual_private import OPENED_WITH, READABLE_AT_FIRST, SilentlyFatal
from remem.tui.verbs import FILTER, HEALTH, LEAVE, OPEN, REVIEW
from remem.tui.widgets.key_bar import KeyBar
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.text_view import TextView
from remem.views.spans import Span, Tone

CURSORS = {
    f"{cursor}-foreground": f"{cursor}-background"
    for cursor in ("block-cursor", "block-cursor-blurred")
}
"""The colours of text on the row under the cursor, and of that row."""


@pytest.mark.parametrize(
    ("theme", "honours"), [("ansi-dark", NoColor), ("textual-light", Monochrome)]
)
async def test_without_colour_the_filter_fits_the_theme_and_follows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theme: str, honours: type[LineFilter]
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(tmp_path, settings=f"theme: {theme}\n", size=(60, 20)) as desk:
        app = desk.journey.sees("Tests of a timetable").pilot.app
        assert [type(each) for each in app._filters if type(each) in BOTH] == [honours]

        app.theme = "ansi-light" if honours is Monochrome else "textual-dark"
        await desk.journey.rest()

        other = next(each for each in BOTH if each is not honours)
        assert [type(each) for each in app._filters if type(each) in BOTH] == [other]


async def test_counting_anew_ends(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        screen = desk.journey.pilot.app.screen
        before = screen._request  # type: ignore[attr-defined]

        desk.journey.pilot.app.post_message(CounterReady())
        await desk.journey.rest()
        await desk.journey.rest()

        assert screen._request == before + 1  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("screen", "never", "counted"),
    [
        pytest.param("start", "no agent and no memory", "0 of 25", id="start"),
        pytest.param("browse", "no entries here", "0 of 341", id="browse"),
        pytest.param("review", "All caught up", "0 of 26 items · 0/26 decided", id="review"),
        pytest.param("health", "no problems found", "0 of 12", id="health"),
    ],
)
async def test_a_filter_that_nothing_matches_is_not_told_as_nothing_being_there(
    tmp_path: Path, screen: str, never: str, counted: str
) -> None:
    async with opened(tmp_path, start=screen, size=(80, 24)) as desk:
        await desk.journey.use(FILTER)
        await desk.journey.types("zzzqq")
        await desk.journey.use(OPEN)

        desk.journey.sees("no matches for the filter", "esc clears it", counted)
        desk.journey.sees_not(never)
        (await desk.journey.use(LEAVE)).sees_not("no matches")


BOTH = (NoColor, Monochrome)


class Failing(SilentlyFatal, App[None]):
    """Fails while it holds a secret."""

    def on_mount(self) -> None:
        entry = "the text of an entry"
        raise KeyError(entry)


async def test_a_fatal_error_shows_neither_locals_nor_the_text_of_an_entry() -> None:
    app = Failing()
    with pytest.raises(KeyError):
        async with app.run_test():
            pass

    told = "".join(str(each) for each in app._exit_renderables)
    assert "the text of an entry" not in told
    assert app.return_code == 1


async def test_keys_go_to_the_list_again_after_another_screen(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.journey.use(OPEN)
        assert not isinstance(desk.app.screen.focused, LineList)

        await desk.journey.use(HEALTH)
        await desk.journey.use(REVIEW)

        assert isinstance(desk.app.screen.focused, LineList)


@pytest.mark.parametrize("theme", BUILTIN_THEMES)
def test_coloured_text_stands_out_on_every_ground_of_every_theme(theme: str) -> None:
    colours = BUILTIN_THEMES[theme].to_color_system().generate()

    found = readable(colours)

    grounds = [Color.parse(colours[name]) for name in ("background", "surface", "panel") if found]
    for name in found.keys() - CURSORS.keys():
        assert min(contrast(Color.parse(found[name]), each) for each in grounds) >= ENOUGH
    assert bool(found) == (not theme.startswith("ansi"))


@pytest.mark.parametrize("theme", [name for name in BUILTIN_THEMES if not name.startswith("ansi")])
def test_text_on_the_row_under_the_cursor_stands_out_in_every_theme(theme: str) -> None:
    colours = BUILTIN_THEMES[theme].to_color_system().generate()

    found = {**colours, **readable(colours)}

    for text, ground in CURSORS.items():
        for below in ("background", "surface"):
            row = Color.parse(found[below]) + Color.parse(found[ground])
            assert contrast(row + Color.parse(found[text]), row) >= ENOUGH, (text, below)


def test_the_first_theme_has_the_colours_that_stand_out() -> None:
    colours = BUILTIN_THEMES[OPENED_WITH].to_color_system().generate()

    assert {**colours, **READABLE_AT_FIRST} == {**colours, **readable(colours)}


@pytest.mark.parametrize("theme", ["gruvbox", "atom-one-dark"])
async def test_coloured_text_of_a_dark_theme_stands_out_where_it_is_drawn(
    tmp_path: Path, theme: str
) -> None:
    async with opened(tmp_path, settings=f"theme: {theme}\n", size=(60, 20)) as desk:
        colours = desk.app.theme_variables

        for name in ("text-error", "text-accent", "text-primary"):
            for ground in ("background", "surface", "panel"):
                both = Color.parse(colours[name]), Color.parse(colours[ground])
                assert contrast(*both) >= ENOUGH, (name, ground)


@pytest.mark.parametrize("theme", ["textual-dark", "gruvbox", "atom-one-dark", "solarized-light"])
@pytest.mark.parametrize("is_focused", [True, False], ids=["focused", "blurred"])
async def test_every_text_on_the_row_under_the_cursor_stands_out_where_it_is_drawn(
    tmp_path: Path, theme: str, is_focused: bool
) -> None:
    async with opened(tmp_path, settings=f"theme: {theme}\n", size=(60, 20)) as desk:
        if not is_focused:
            desk.app.screen.set_focus(None)
            await desk.journey.rest()
        shown = desk.app.screen.query(LineList).first()
        row = shown.draw(
            [Span("text", tone) for tone in Tone], 99, base=shown.cursor_style(), flat=True
        )

        for drawn in (each.style for each in row):
            assert drawn is not None
            assert drawn.color is not None
            assert drawn.bgcolor is not None
            both = Color.from_rich_color(drawn.color), Color.from_rich_color(drawn.bgcolor)
            assert contrast(*both) >= ENOUGH


async def test_the_screens_are_drawn_with_the_colours_that_stand_out(tmp_path: Path) -> None:
    async with opened(tmp_path, settings="theme: textual-light\n", size=(60, 20)) as desk:
        key = desk.app.screen.query_one(KeyBar).tone_style(Tone.KEY).color

        assert key is not None
        ground = Color.parse(desk.app.theme_variables["panel"])
        assert contrast(Color.from_rich_color(key), ground) >= ENOUGH


@pytest.mark.parametrize("size", [(60, 20), (120, 36)])
async def test_tabs_that_one_is_not_on_stand_out_from_a_light_ground(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, settings="theme: textual-light\n", size=size) as desk:
        top, *_ = desk.app.screen._compositor.render_strips()
        (tab,) = [each.style for each in top if "1 Browse" in each.text]

        assert tab is not None
        assert tab.color is not None
        assert tab.bgcolor is not None
        both = (Color.from_rich_color(tab.color), Color.from_rich_color(tab.bgcolor))
        assert contrast(*both) >= ENOUGH


async def test_without_colours_what_is_most_serious_is_not_the_dimmest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(tmp_path, start="health", size=(80, 24)) as desk:
        shown = desk.app.screen.query_one("#where", TextView)

        drawn = shown.draw((Span("bad", Tone.BAD), Span("text")), 7)

        bad, text = (each.style or Style() for each in drawn)
        assert bad.bold
        assert bad.color == text.color
