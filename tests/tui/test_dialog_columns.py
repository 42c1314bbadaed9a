"""In a list of a dialog each thing that is told stands in one place, with what it counts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.tui.journey import Journey
from tests.tui.opened import opened
from textual.app import App
from textual.widgets._toast import Toast

from remem.base.assets import asset_dir
from remem.core.relation.who_gets import Cell, Listener, Rule
from remem.core.verbs.verbs import ARCHIVE
from remem.tui.screens.choose import ChooseScreen
from remem.tui.textual_private import screen_text
from remem.tui.verbs import AGENT, APPLY_PLAN, COMPARE, EVERYWHERE, PALETTE, WHO
from remem.views.glyphs import UNICODE
from remem.views.list_rows import Choice
from remem.views.prompts.who_gets import _FEW, heads_of, signs_of

SMALL = (80, 24)
EDGES = "│ ▌▁▂▃▄▅▆▇█"


def places(lines: Iterable[str], *wanted: str) -> set[int]:
    """Return the cells at which any of some texts begins in the lines that have it."""
    return {line.index(each) for line in lines for each in wanted if each in line}


async def chosen_among(choices: list[Choice], size: tuple[int, int]) -> list[str]:
    """Return the rows of a dialog in which one is chosen."""
    async with App[None](css_path=asset_dir("styles") / "app.tcss").run_test(size=size) as pilot:
        await pilot.app.push_screen(ChooseScreen("Which", choices))
        await Journey(pilot).rest()
        lines = screen_text(pilot.app).splitlines()
        return [line for line in lines if any(each.name[:9] in line for each in choices)]


async def test_what_is_said_of_short_names_begins_in_one_place_behind_them() -> None:
    choices = [Choice("1", "architect-a", "role"), Choice("2", "qa-engineer-of-boards", "role")]

    rows = await chosen_among(choices, SMALL)

    assert len(places(rows, "role")) == 1
    assert rows[0].index("role") < 40


LONG = [
    Choice("1", "Kick-off: who works on what, and the first decisions", "Nadia", "2026-01-26 6a"),
    Choice("2", "Take in the retro", "Ines Carvalho", "2026-02-09 de"),
    Choice("3", "sprint-7-retro", "date of a retro", "2026-05-04   "),
]


async def test_what_is_said_of_long_names_stands_in_columns_at_the_right() -> None:
    rows = await chosen_among(LONG, SMALL)

    assert len(places(rows, "Nadia", "Ines Carvalho", "date of a retro")) == 1
    assert len(places(rows, "2026-")) == 1


async def test_where_there_is_no_room_for_both_the_date_stays_and_not_the_author() -> None:
    rows = await chosen_among(LONG, (50, 20))

    assert not places(rows, "Nadia", "Ines Carvalho")
    assert [line for line in rows if "2026-" in line] == rows


async def test_every_role_and_agent_that_can_be_chosen_has_its_tokens(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt", size=SMALL) as desk:
        await desk.journey.use(AGENT)
        lines = screen_text(desk.app).splitlines()
        shown = [line.strip(EDGES) for line in lines if "  role" in line or "Claude Code" in line]

        assert len(shown) > 10
        assert [each for each in shown if re.search(r" ≈?[\d,]+ tokens$", each)] == shown
        assert any(each.startswith("architect") and each.endswith(" 521 tokens") for each in shown)


async def test_days_of_commits_and_of_retros_stand_below_each_other(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt", size=SMALL) as desk:
        await desk.journey.use(COMPARE)
        lines = screen_text(desk.app).splitlines()

        assert any("sprint-7-retro" in line for line in lines)
        assert any("Kick-off" in line for line in lines)
        assert len(places(lines, " 2026-")) == 1


async def test_places_of_finds_are_a_column_and_refs_keep_their_ends(tmp_path: Path) -> None:
    async with opened(tmp_path, size=SMALL) as desk:
        await desk.journey.use(EVERYWHERE)
        desk.journey.sees(" entries, files and changes")
        await desk.journey.types("tide")
        lines = [line for line in screen_text(desk.app).splitlines() if line.startswith("│")]
        heading, rows = lines[0], [line for line in lines[2:-1] if line.strip("│ ")]
        assert "type to find   enter opens   ctrl+r puts back   esc closes" in lines[-1]

        assert re.search(r"  \d+ matches", heading)
        where = rows[0].index("sniper:")
        assert all(row[where - 1] == " " != row[where] for row in rows)
        cut = [row[where:].strip(EDGES) for row in rows if row[where] == "‹"]
        assert cut
        assert all(re.search(r"#[0-9a-f]{6}|/\d+$", each) for each in cut)


async def test_what_commands_do_begins_in_one_place(tmp_path: Path) -> None:
    async with opened(tmp_path, size=SMALL) as desk:
        await desk.journey.use(PALETTE)
        lines = screen_text(desk.app).splitlines()

        assert len(places(lines, "Show the context", "Show an agent", "Go back.", "Theme.")) == 1


@pytest.mark.parametrize(("many", "heads"), [(3, "1 2 3"), (_FEW + 1, "12345 6789a bcdef gh")])
def test_heads_of_columns_do_not_read_as_one_number(many: int, heads: str) -> None:
    listeners = [Listener(str(place), "tool", exact=True) for place in range(many)]
    rule = Rule((), 1, 1, is_opposed=False, is_own=False, cells=(Cell(),) * many)

    assert heads_of(listeners) == heads
    assert len(signs_of(rule, UNICODE)) == len(heads)


@pytest.mark.parametrize("size", [(60, 20), SMALL])
async def test_who_gets_it_has_its_keys_in_a_line_of_their_own(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, start="prompt", size=size) as desk:
        await desk.journey.use(WHO)
        lines = screen_text(desk.app).splitlines()

        assert lines[-2].strip("│ ") == "enter opens   esc closes"
        assert any(line.strip("│ ").endswith("≠ differ") for line in lines)


@pytest.mark.parametrize("size", [(60, 20), SMALL])
async def test_the_signs_of_who_gets_a_rule_stand_below_their_heads(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, start="prompt", size=size) as desk:
        await desk.journey.use(WHO)
        rows = screen_text(desk.app).splitlines()
        place = next(at for at, row in enumerate(rows) if row.strip("│ ").startswith("rule "))
        heads = rows[place].strip("│ ").removeprefix("rule").strip()
        signs = [row.strip("│ ")[-len(heads) :] for row in rows[place + 1 : place + 5]]

        assert len(heads.replace(" ", "")) > _FEW
        assert [[*map(str.isspace, each)] for each in signs] == [[*map(str.isspace, heads)]] * 4


async def test_nothing_of_the_line_below_a_toast_is_left_beside_it(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt", size=SMALL) as desk:
        await desk.journey.use(ARCHIVE)
        await desk.journey.use(APPLY_PLAN)
        toast = desk.app.screen.query_one(Toast)

        assert toast.region.x == 0
        assert toast.region.width == SMALL[0]
