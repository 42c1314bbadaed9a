"""The accent means one thing: where one is, what waits for a decision, and what is suggested."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tui.opened import opened

from remem.tui.widgets.key_bar import KeyHint, key_line
from remem.tui.widgets.text_view import TextView
from remem.views.glyphs import UNICODE
from remem.views.spans import LAYER_TONES, Tone, token_bar

PICTURES = Path(__file__).parent / "__snapshots__" / "test_snapshots"
SCREENS = sorted(
    path
    for path in PICTURES.glob("test_it_looks_like_this_in_*.svg")
    if path.stem.startswith("test_it_looks_like_this_in_the_dark")
    or "textual-light" in path.stem
    or "ansi" in path.stem
)
MOST = 3
"""Words in the accent's colour: the tab one is on, what waits, and one more that is suggested or
warned of. A fourth would be a rival of the one thing that a person is to do here."""
LONGEST_SIGN = 1
"""Cells: the signs before rows tell each row apart, and are not read as one emphasis."""

_STYLE = re.compile(r"\.(terminal-r\d+) \{ fill: (#[0-9a-f]{6})", re.IGNORECASE)
_RUN = re.compile(r'<text class="([^" ]+)"[^>]*>(.*?)</text>')
_TAB = re.compile(r"\[\d \w+")


@pytest.mark.parametrize("picture", SCREENS, ids=lambda path: path.stem.partition("[")[2])
def test_few_words_of_a_screen_have_the_accent(picture: Path) -> None:
    runs = list(_runs(picture.read_text()))
    accent = next(colour for colour, text in runs if _TAB.match(text))

    told = [text for colour, text in runs if colour == accent and len(text) > LONGEST_SIGN]

    assert len(told) <= MOST, told


def test_there_is_a_picture_of_every_theme_with_colours() -> None:
    assert len(SCREENS) > 60


def test_of_the_keys_only_the_suggested_one_has_the_accent() -> None:
    hints = (
        KeyHint("a", "a", "Approve", "decide"),
        KeyHint("m", "m", "Merge", "decide", is_suggested=True),
    )

    line = key_line(hints, (KeyHint("u", "u", "Undo", "pinned"),), 60, UNICODE)

    assert [part.text for part in line if part.tone is Tone.ACCENT] == ["›m"]
    assert [part.text for part in line if part.tone is Tone.KEY] == ["a", "u"]


def test_a_bar_has_a_colour_only_over_its_budget() -> None:
    assert {part.tone for part in token_bar(790, 800, 12)} == {Tone.DIM}
    assert Tone.BAD in {part.tone for part in token_bar(801, 800, 12)}


def _runs(picture: str) -> Iterator[tuple[str, str]]:
    """Yield the colour and the text of every run that is not blank."""
    colours = {name: colour.lower() for name, colour in _STYLE.findall(picture)}
    for name, text in _RUN.findall(picture):
        told = html.unescape(text).replace("\N{NO-BREAK SPACE}", " ").strip()
        if told and name in colours:
            yield colours[name], told


async def test_without_colours_no_layer_stands_out_by_its_letter(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt", size=(80, 24)) as desk:
        layers = desk.app.screen.query_one(TextView)

        assert not any(layers.tone_style(tone).bold for tone in LAYER_TONES)


async def test_in_sixteen_colours_what_is_asked_for_is_not_told_in_the_green_of_good(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, settings="theme: ansi-dark\n", size=(80, 24)) as desk:
        await desk.journey.pilot.press("r")
        asked = desk.app.screen.query_one("#prompt-label").rich_style.color
        good = desk.app.screen.query_one(TextView).tone_style(Tone.GOOD).color

        assert asked != good
