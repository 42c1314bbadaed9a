"""What a person meets on every screen: jumps, folds, filters, signs, and a review that goes on."""

from __future__ import annotations

import re
import sys
from itertools import count
from pathlib import Path

import pytest
from tests.tui.journey import Journey
from tests.tui.opened import HeadlessApp, Opened, opened
from textual.widgets import Input

from remem.core.session import Session
from remem.core.verbs.verbs import APPROVE, EDIT
from remem.tui.screens.browse import BrowseScreen
from remem.tui.textual_private import screen_text
from remem.tui.verbs import (
    CANCEL_CHOICE,
    CLOSE_HELP,
    EVERYWHERE,
    FILTER,
    HELP,
    LEFT,
    NEXT_GROUP,
    NEXT_SOURCE,
    PALETTE,
    PREVIOUS_GROUP,
    PREVIOUS_SOURCE,
    RIGHT,
    SCREENS,
    UNDO,
)
from remem.tui.widgets.line_list import LineList

RETRO = ".sniper/memory/retros/sprint-5-retro.yaml"
DONE = b"stories_completed: 6"


def headings_above(desk: Opened) -> list[str]:
    """Return the headings that the cursor of the queue stands under, the nearest last."""
    queue = desk.app.screen.query_one(".pane-list", LineList)
    rows = [queue.rows.row(place) for place in range(queue.cursor)]
    found: dict[int, str] = {}
    for row in rows:
        if row.is_header:
            found = {depth: text for depth, text in found.items() if depth < row.depth}
            found[row.depth] = "".join(part.text for part in row.label).strip()
    return [found[depth].split("  ")[0] for depth in sorted(found)]


@pytest.mark.slow
async def test_jumps_go_by_category_and_by_retro_and_back(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(80, 24)) as desk:
        first = desk.cursor
        assert headings_above(desk) == ["sprint-7-retro", "new conventions"]

        await desk.journey.use(NEXT_GROUP)
        assert headings_above(desk) == ["sprint-7-retro", "anti-patterns"]
        await desk.journey.use(NEXT_SOURCE)
        assert headings_above(desk)[0] == "SNPR-20260504-9f3c"

        await desk.journey.use(PREVIOUS_SOURCE)
        assert desk.cursor == first
        await desk.journey.use(NEXT_GROUP, PREVIOUS_GROUP)
        assert desk.cursor == first


@pytest.mark.slow
@pytest.mark.parametrize("start", ["start", "browse", "prompt", "history", "health"])
async def test_every_screen_jumps_and_its_jumps_never_fail(tmp_path: Path, start: str) -> None:
    async with opened(tmp_path, start=start, size=(80, 24)) as desk:
        for _ in range(3):
            await desk.journey.use(NEXT_GROUP, NEXT_SOURCE, PREVIOUS_GROUP, PREVIOUS_SOURCE)
            await desk.journey.pilot.press("tab")
        await desk.journey.pilot.press("alt+down", "alt+up", "alt+shift+down", "alt+shift+up")

        await desk.journey.rest()


async def test_a_group_folds_into_one_line_and_unfolds(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(80, 24)) as desk:
        first = desk.cursor
        desk.journey.sees("▾ sprint-7-retro", "new conventions")

        await desk.journey.use(LEFT)
        desk.journey.sees("▸ sprint-7-retro").sees_not("new conventions  ")

        await desk.journey.use(RIGHT)
        desk.journey.sees("▾ sprint-7-retro")
        assert desk.cursor == first


async def test_a_review_goes_on_where_it_was_left(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Every change to a fare")
        await desk.journey.use(APPROVE)
        await desk.go_to("Boards show the age")
        await desk.journey.use(APPROVE, UNDO)
        (far,) = re.findall(r"1/\d+ decided", screen_text(desk.app))
        root, places, clock = desk.bench.root, desk.bench.places, desk.bench.clock

    again = Session.open(root, places, door="tui", clock=clock)
    app = HeadlessApp(again, start="review", seconds=count(1.0).__next__)
    async with app.run_test(size=(120, 36)) as pilot:
        (await Journey(pilot).rest()).sees(far)
        assert [done.title[:22] for done in app.desk.done] == ["Every change to a fare"]

        await Journey(pilot).use(PALETTE)
        await Journey(pilot).types("copy review")
        await pilot.press("enter")
        await Journey(pilot).rest()
        assert "- Every change to a fare" in app.clipboard
        # What stood before that decision is not known any more: no table leaves it out.
        assert "| who |" not in app.clipboard
        assert "decided before remem was last opened" in app.clipboard
    again.close()


async def test_a_problem_opens_its_file_at_the_line_where_the_quote_was_not_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told"
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {told}\n')
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    async with opened(tmp_path, start="health", size=(80, 24)) as desk:
        desk.journey.sees("the quote that opens here is not closed", "line 9", "e Open file")

        await desk.journey.use(EDIT)

        line, path = told.read_text().split("\n")[:2]
        assert (line, Path(path).name) == ("+9", Path(RETRO).name)
        assert not desk.bench.past.changes()


async def test_what_is_edited_in_a_file_from_a_problem_is_the_persons_and_undone_first(
    tmp_path: Path,
) -> None:
    editor = tmp_path / "editor"
    editor.write_text(
        "import sys\nfrom pathlib import Path\n"
        "file = Path(sys.argv[-1])\nfile.write_text(file.read_text() + '# seen\\n')\n"
    )
    settings = f"editor: {sys.executable} {editor}\n"
    async with opened(tmp_path, start="health", settings=settings) as desk:
        before = desk.read(RETRO)

        await desk.journey.use(EDIT)

        assert desk.read(RETRO) == before + b"# seen\n"
        (edited,) = desk.bench.past.changes()
        assert (edited.title, edited.origin.actor) == (f"Edit {RETRO}", "person")
        desk.journey.sees("u to undo")

        await desk.journey.use(UNDO)
        assert desk.read(RETRO) == before


async def test_what_was_typed_while_another_wrote_to_the_file_opens_again(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text(
        "import sys\nfrom pathlib import Path\n"
        f"file, live = Path(sys.argv[-1]), Path({str(tmp_path / 'demo')!r})\n"
        "if '# theirs' not in file.read_text():\n"
        "    for each in live.rglob('sprint-5-retro.yaml'):\n"
        f"        each.write_bytes(each.read_bytes().replace({DONE!r}, {DONE!r} + b'  # theirs'))\n"
        "    file.write_text('# mine\\n' + file.read_text())\n"
        f"elif Path({str(tmp_path / 'saves')!r}).exists():\n"
        "    file.write_text(file.read_text())\n"
    )
    settings = f"editor: {sys.executable} {editor}\n"
    async with opened(tmp_path, start="health", settings=settings) as desk:
        before = desk.read(RETRO)

        await desk.journey.use(EDIT)

        theirs = before.replace(DONE, DONE + b"  # theirs")
        assert desk.read(RETRO) == theirs
        desk.journey.sees("changed while you edited it")

        await desk.journey.use(EDIT)
        assert desk.read(RETRO) == theirs
        desk.journey.sees("your text is kept and opens again")

        (tmp_path / "saves").touch()
        await desk.journey.use(EDIT)
        assert desk.read(RETRO) == b"# mine\n" + theirs


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_what_is_written_first_is_in_sight_without_scrolling(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, size=size) as desk:
        await desk.go_to("Every change to a fare")
        if size[0] >= 60:
            desk.journey.sees(" writes ")
        desk.journey.sees("u Undo", "? Help", "0 Start", "[2 Review", "5 Health")


async def test_without_colours_a_reason_does_not_read_as_a_line_that_goes(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(60, 20)) as desk:
        await desk.go_to("Tests of a timetable")

        desk.journey.sees(
            "  + - ref: sprint-7-retro", "  · 6 of 8 stories", "    tide in their name"
        )
        desk.journey.sees_not("  - 6 of 8")


async def test_old_and_new_stand_side_by_side_where_there_is_room(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(200, 50)) as desk:
        await desk.go_to("Tests of a timetable")

        lines = [line for line in screen_text(desk.app).split("\n") if " │ + " in line]

        assert any("- A test of a" in line for line in lines)


async def test_a_filter_is_seen_as_long_as_it_holds(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(80, 24)) as desk:
        await desk.journey.use(FILTER)
        await desk.journey.types("offline scanner")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        desk.journey.sees("/offline scanner · 1 of ", "The scanner never boards")


async def test_all_words_are_found_everywhere_the_best_first_and_files_too(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(80, 24)) as desk:
        await desk.journey.use(EVERYWHERE)
        await desk.journey.types("offline scaner")
        choices = desk.app.screen.query_one("#choices", LineList)
        assert choices.row is not None
        assert "scanner" in choices.row.label[0].text

        desk.app.screen.query_one(Input).value = ""
        await desk.journey.types("retro sprint-7")
        assert choices.row is not None
        assert (
            choices.row.key == f"source {desk.bench.root}/.sniper/memory/retros/sprint-7-retro.yaml"
        )
        await desk.journey.pilot.press("enter")
        (await desk.journey.rest()).sees("[1 Browse]")


@pytest.mark.parametrize(
    ("key", "said"),
    [
        pytest.param("s", "Skip: not here, but on Review", id="a decision"),
        pytest.param("M", "Move: not here, but on Browse", id="a key that does two things"),
        pytest.param("L", "on Browse, Prompt", id="a view"),
        pytest.param("ctrl+b", "", id="no verb's key"),
    ],
)
async def test_a_key_that_does_nothing_here_says_where_it_does(
    tmp_path: Path, key: str, said: str
) -> None:
    async with opened(tmp_path, start="health", size=(80, 24)) as desk:
        await desk.journey.pilot.press(key)
        await desk.journey.rest()

        desk.journey.sees(said) if said else desk.journey.sees_not("not here")


@pytest.mark.slow
async def test_a_key_that_is_bound_and_cannot_be_done_here_says_where_it_can(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="start", size=(80, 24)) as desk:
        await desk.journey.pilot.press("M")
        await desk.journey.rest()

        desk.journey.sees("Move: not here, but on Browse")


async def test_an_entry_that_is_gone_before_the_list_is_filled_anew_stops_nothing(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(80, 24)) as desk:
        screen = desk.app.screen
        assert isinstance(screen, BrowseScreen)
        store = desk.bench.root / ".sniper/memory/conventions.yaml"
        store.write_text("conventions: []\n")
        desk.bench.refresh({store})  # the screen has not heard of it yet

        screen.action_show_why()

        await desk.journey.rest()
        desk.journey.sees("[1 Browse]")


async def test_in_ascii_the_keys_that_scroll_are_no_signs_of_the_legend(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(80, 24), settings="glyphs: ascii\n") as desk:
        await desk.journey.use(HELP)

        desk.journey.sees("esc closes  down up scroll")


@pytest.mark.slow
async def test_in_ascii_nothing_else_is_drawn_on_any_screen(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", size=(120, 36), settings="glyphs: ascii\n") as desk:
        for screen in SCREENS:
            await desk.journey.use(screen)
            assert foreign(desk) == {}, screen.title
            for overlay, leave in (
                (HELP, CLOSE_HELP),
                (PALETTE, CANCEL_CHOICE),
                (EVERYWHERE, CANCEL_CHOICE),
            ):
                await desk.journey.use(overlay)
                assert foreign(desk) == {}, (screen.title, overlay.title)
                await desk.journey.use(leave)
            await desk.journey.use(UNDO)
            assert foreign(desk) == {}, (screen.title, "toast")


def foreign(desk: Opened) -> dict[str, str]:
    """Return what is drawn and is neither ASCII nor a letter, with the line it stands in."""
    return {
        char: line
        for line in screen_text(desk.app).split("\n")
        for char in line
        if not char.isascii() and not char.isalpha()
    }


@pytest.mark.parametrize(
    ("typed", "shown", "not_shown"),
    [
        pytest.param("c", "Keep as candidate", "Archive", id="a-key"),
        pytest.param("n", "new since you looked", "Archive", id="a-key-and-a-sign"),
    ],
)
async def test_one_character_is_looked_up_in_the_help_as_a_key_or_a_sign(
    tmp_path: Path, typed: str, shown: str, not_shown: str
) -> None:
    async with opened(tmp_path, start="review") as desk:
        await desk.journey.use(HELP)
        await desk.journey.types(typed)

        desk.journey.sees(shown)
        desk.journey.sees_not(f"{not_shown} ")
