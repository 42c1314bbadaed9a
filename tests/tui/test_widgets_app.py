"""The shell around the screens: modes, keys, help, palette, messages."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from tests.tui.journey import Journey
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Label

from remem.base.errors import BadConfig, RememError
from remem.core.session import Session
from remem.core.settings import Places
from remem.tui.app import MODES, RememApp
from remem.tui.content import content
from remem.tui.verbs import CLOSE_HELP, HEALTH, HELP, PALETTE, REVIEW
from remem.views.glyphs import ASCII
from remem.views.typed_command import TypedCommand


class NamedScreen(Screen[None]):
    """Says where it is."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._shown = title

    def compose(self) -> ComposeResult:
        yield Label(content(f"this is {self._shown}"))


SCREENS = {mode: partial(NamedScreen, mode) for mode in MODES}


def session(tmp_path: Path, settings: str = "") -> Session:
    places = Places.of(tmp_path / "home")
    places.config.mkdir(parents=True)
    (places.config / "config.yaml").write_text(settings)
    root = tmp_path / "root"
    root.mkdir()
    return Session.open(root, places, door="tui")


async def test_digits_go_to_the_screens(tmp_path: Path) -> None:
    app = RememApp(session(tmp_path), SCREENS, start="browse")
    async with app.run_test(size=(80, 24)) as pilot:
        journey = await Journey(pilot).rest()
        journey.sees("this is browse")

        (await journey.use(REVIEW)).sees("this is review")
        (await journey.use(HEALTH)).sees("this is health")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
async def test_help_opens_over_any_screen_and_keeps_its_keys(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = RememApp(session(tmp_path), SCREENS)
    async with app.run_test(size=size) as pilot:
        journey = await Journey(pilot).use(HELP)
        journey.sees("Help", "Works here")

        await journey.types("2")
        journey.sees("2           Review")  # it narrows, and goes nowhere
        await journey.use(CLOSE_HELP)

        (await journey.use(CLOSE_HELP)).sees("this is start")


async def test_the_palette_finds_a_verb_by_name_and_runs_it(tmp_path: Path) -> None:
    app = RememApp(session(tmp_path), SCREENS)
    async with app.run_test(size=(80, 24)) as pilot:
        journey = await Journey(pilot).use(PALETTE)
        await journey.types("health")
        journey.sees("Show problems and fix them.")

        await pilot.press("enter")

        (await journey.rest()).sees("this is health")


LISTED = TypedCommand("retro list", "[OPTIONS] [REF]", "List retrospectives.", (("--all", "All."),))


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        pytest.param("lsit rtero", "remem retro list", id="misspelt"),
        pytest.param("retro", "remem retro list", id="a command of the shell"),
        pytest.param("told", "remem duplicates", id="what it was called once"),
        pytest.param("exit", "Quit remem.", id="another word"),
        pytest.param("repeat", "on Review", id="what cannot be done here"),
    ],
)
async def test_the_palette_has_every_command_and_shows_keys(
    tmp_path: Path, typed: str, shown: str
) -> None:
    commands = (LISTED, TypedCommand("duplicates", "", "Find rules that are told twice."))
    app = RememApp(session(tmp_path), SCREENS, commands=lambda: commands)
    async with app.run_test(size=(80, 24)) as pilot:
        journey = await Journey(pilot).use(PALETTE)
        journey.sees("Quit                    Quit remem.", " q")

        (await journey.types(typed)).sees(shown)


async def test_the_theme_is_chosen_in_the_palette(tmp_path: Path) -> None:
    app = RememApp(session(tmp_path), SCREENS)
    async with app.run_test(size=(80, 24)) as pilot:
        journey = await Journey(pilot).use(PALETTE)
        await journey.types("theme")
        await pilot.press("enter")
        await journey.types("nord")
        await pilot.press("enter")
        await journey.rest()

        assert app.theme == "nord"


@pytest.mark.slow
async def test_a_command_is_typed_and_run_and_what_it_printed_is_read(tmp_path: Path) -> None:
    where = ("--root", str(tmp_path), "--home", str(tmp_path / "home"))
    app = RememApp(session(tmp_path), SCREENS, commands=lambda: (LISTED,), where=where)
    async with app.run_test(size=(80, 24)) as pilot:
        journey = await Journey(pilot).use(PALETTE)
        await journey.types("retro")
        await pilot.press("enter")
        (await journey.rest()).sees("List retrospectives.", "--all", "enter runs it")

        await journey.types("--nonsense")
        await pilot.press("enter")
        (await journey.rest()).sees("exit code 2", "nonsense")

        await pilot.press("ctrl+u")
        await journey.types("init")
        await pilot.press("enter")
        (await journey.rest()).sees("remem init: done")
        assert (tmp_path / ".sniper" / "memory").is_dir()

        await pilot.press("escape")
        (await journey.rest()).sees("this is start")


async def test_keymap_and_glyphs_come_from_the_settings(tmp_path: Path) -> None:
    app = RememApp(session(tmp_path, "keymap: {screen.review: é}\nglyphs: ascii\n"), SCREENS)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("2")
        journey = await Journey(pilot).rest()
        journey.sees("this is start")

        await pilot.press("é")

        (await journey.rest()).sees("this is review")
        assert app.glyphs is ASCII


@pytest.mark.slow
def test_a_keymap_that_cannot_be_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(BadConfig):
        RememApp(session(tmp_path, "keymap: {undo: j}\n"), SCREENS)


async def test_an_error_is_shown_with_its_hint_and_nothing_in_it_acts(tmp_path: Path) -> None:
    app = RememApp(session(tmp_path), SCREENS)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.show_error(RememError("`[/x]\x1b` is gone", hint="open it again"))
        await pilot.pause()

        (await Journey(pilot).rest()).sees("`[/x]␛` is gone", "open it again")


@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light", "textual-light", "nord"])
async def test_themes_come_from_the_settings(tmp_path: Path, theme: str) -> None:
    app = RememApp(session(tmp_path, f"theme: {theme}\n"), SCREENS)
    async with app.run_test(size=(80, 24)) as pilot:
        (await Journey(pilot).use(HELP)).sees("Works here")

        assert app.theme == theme
