"""Others write while a person reads: no false alarm, and no key acts on what nobody pointed at."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

import pytest
from tests.tui.journey import Journey
from tests.tui.opened import MEMORY, HeadlessApp, Opened, opened
from tests.tui.test_browse_journeys import files, stand_on, tree_of
from textual.widgets._toast import Toast

from remem.base.errors import RememError
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import APPROVE, ARCHIVE, EDIT, PROMOTE, REJECT
from remem.demo.build import home_of
from remem.model.change import Intent
from remem.model.entry import Ref
from remem.systems.personas.persona_verbs import PERSONA_RENAME
from remem.tui.screens.base import RememScreen
from remem.tui.verbs import APPLY_PLAN, DOWN, FIRST, LAST, NEXT_PANE, OPEN, REDO, UNDO
from remem.tui.widgets.line_list import LineList

pytestmark = pytest.mark.slow

DUNLIN = ".squad/agents/dunlin/history.md"
STORE = f"{MEMORY}/conventions.yaml"


def entries_of(desk: Opened) -> LineList:
    return desk.app.screen.query_one("#entries", LineList)


def toasts(desk: Opened) -> list[str]:
    """Return what every toast says that is on the screen."""
    return [str(toast.render()) for toast in desk.app.screen.query(Toast)]


async def open_file(desk: Opened, path: str) -> None:
    """Choose a file among the sources and go to its entries."""
    await stand_on(desk, ("source", desk.bench.root / path))
    await desk.journey.use(OPEN)
    assert entries_of(desk).has_focus


async def append(desk: Opened, path: str, line: bytes) -> None:
    await desk.write(path, lambda data: data + line)
    await desk.journey.rest()


async def test_a_lesson_appended_to_the_chosen_file_raises_no_alarm_on_any_row(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(140, 40)) as desk:
        await open_file(desk, DUNLIN)
        for place in range(len(entries_of(desk).rows)):
            key = desk.cursor
            await append(desk, DUNLIN, b"- The kiosk of Velhas has door %d\n" % place)

            assert desk.cursor == key
            assert toasts(desk) == []
            await desk.journey.use(DOWN)


async def test_the_sources_raise_no_alarm_when_an_agent_writes_into_the_file_under_their_cursor(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(140, 40)) as desk:
        await stand_on(desk, ("source", desk.bench.root / DUNLIN))

        await append(desk, DUNLIN, b"- The kiosk of Velhas has a new door\n")

        assert toasts(desk) == []
        assert tree_of(desk).is_settled


async def test_ones_own_edit_raises_no_alarm(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", size=(140, 40)) as desk:
        await open_file(desk, DUNLIN)

        await desk.journey.use(ARCHIVE)

        assert not any("changed meanwhile" in said for said in toasts(desk)), toasts(desk)
        assert not any("row is gone" in said for said in toasts(desk)), toasts(desk)


async def test_the_cursor_stays_on_what_was_edited_though_its_text_is_its_address(
    tmp_path: Path,
) -> None:
    script = tmp_path / "editor"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfile = Path(sys.argv[1])\n"
        "lines = file.read_text().splitlines()\n"
        "lines = [x.replace('Boards', 'Signs', 1) if x.startswith('text:') else x for x in lines]\n"
        "file.write_text('\\n'.join(lines))\n"
    )
    settings = f"editor: {sys.executable} {script}\n"
    async with opened(tmp_path, start="browse", size=(140, 40), settings=settings) as desk:
        await open_file(desk, DUNLIN)
        await desk.journey.use(FIRST)
        before = desk.bench.library.entry(entry_at(desk)).title

        await desk.journey.use(EDIT)

        after = desk.bench.library.entry(entry_at(desk)).title
        assert after == before.replace("Boards", "Signs", 1) != before


def entry_at(desk: Opened) -> Ref:
    row = entries_of(desk).row
    assert row is not None
    assert isinstance(row.key, Ref)
    return row.key


async def test_an_entry_that_is_written_anew_under_the_cursor_is_told_once_in_one_line(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(140, 40)) as desk:
        await open_file(desk, STORE)
        await desk.journey.use(FIRST)
        title = entries_of(desk).row

        for word in (b"Every", b"Each", b"Any"):
            await retitle(desk, word)

        assert entries_of(desk).row != title
        assert toasts(desk) == ["this row changed meanwhile; move the cursor before you decide"]
        toast = desk.app.screen.query_one(Toast)
        assert toast.size.height == 1


async def retitle(desk: Opened, word: bytes) -> None:
    """Write another first word into the entry under the cursor, as an agent does."""
    title = desk.bench.library.entry(desk.cursor).title.encode()
    new = word + b" " + title.partition(b" ")[2]
    await desk.write(STORE, lambda data: data.replace(title, new))
    await desk.journey.rest()


async def test_a_change_in_a_pane_without_the_focus_says_nothing_and_still_holds_its_verbs(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(140, 40)) as desk:
        await open_file(desk, DUNLIN)
        await desk.journey.use(LAST)
        await desk.journey.pilot.press("shift+tab")

        await desk.write(DUNLIN, lambda data: data.rstrip().rpartition(b"\n")[0] + b"\n")
        await desk.journey.rest()
        assert toasts(desk) == []
        after = files(tmp_path)
        await desk.journey.use(NEXT_PANE, ARCHIVE)

        desk.journey.sees("move the cursor before you decide")
        assert files(tmp_path) == after


async def test_a_file_that_is_emptied_and_written_again_gives_the_cursor_its_row_back(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(140, 40)) as desk:
        await open_file(desk, DUNLIN)
        await desk.journey.use(LAST)
        key, held = desk.cursor, (desk.bench.root / DUNLIN).read_bytes()

        await desk.write(DUNLIN, lambda _: b"")
        await desk.journey.rest()
        assert desk.cursor != key
        await desk.write(DUNLIN, lambda _: held + b"- The kiosk of Velhas has a new door\n")
        await desk.journey.rest()

        assert desk.cursor == key
        assert toasts(desk) == []
        assert entries_of(desk).is_settled


async def test_after_the_undo_of_a_rename_the_next_key_means_the_persona_that_came_back(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(140, 40)) as desk:
        before = files(tmp_path)
        await stand_on(desk, ("persona", "Tomasz", ""))
        await desk.journey.use(PERSONA_RENAME)
        await desk.journey.types("zo")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        await desk.journey.use(APPLY_PLAN)
        assert tree_of(desk).has_focus

        await desk.journey.use(UNDO)

        row = tree_of(desk).row
        assert row is not None
        assert row.key == ("persona", "Tomasz", "")
        assert tree_of(desk).has_focus
        await desk.journey.use(ARCHIVE)
        desk.journey.sees("Archive Tomasz", "0 lost")
        assert files(tmp_path) == before


async def test_an_undo_elsewhere_goes_to_the_entry_that_it_brought_back(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", size=(140, 40)) as desk:
        await open_file(desk, DUNLIN)
        await desk.journey.use(DOWN, ARCHIVE)
        archived = desk.bench.past.changes()[0].intent.shown
        await stand_on(desk, ("persona", "Tomasz", ""))

        await desk.journey.use(UNDO)

        assert desk.cursor in archived
        assert entries_of(desk).has_focus


async def test_where_a_redo_takes_the_row_away_verbs_wait_for_the_next_movement(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(140, 40)) as desk:
        await open_file(desk, DUNLIN)
        await desk.journey.use(ARCHIVE, UNDO, REDO)
        after = files(tmp_path)

        await desk.journey.use(ARCHIVE)

        desk.journey.sees("another row came under the cursor; move the cursor before you decide")
        assert files(tmp_path) == after
        await desk.journey.use(DOWN)
        assert entries_of(desk).is_settled


async def test_two_screens_and_three_commands_decide_one_item_once_and_the_others_say_so(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk, AsyncExitStack() as stack:
        root = desk.bench.root
        others = [
            Session.open(root, Places.of(home_of(root)), door=door) for door in ("tui", "cli")
        ]
        others += [Session.open(root, Places.of(home_of(root)), door="cli") for _ in range(2)]
        second = HeadlessApp(others[0], start="review", seconds=count(1.0).__next__)
        pilot = await stack.enter_async_context(second.run_test(size=(120, 36), notifications=True))
        beside = Opened(await Journey(pilot).rest(), others[0], second)
        await desk.go_to("Feature flags")
        await beside.go_to("Feature flags")
        item = next(i for i in desk.bench.queue() if "Feature flags" in i.title)
        asked = [Intent(each.id, {item.ref: item.digest}, {}) for each in (APPROVE, PROMOTE)]
        asked.append(Intent(REJECT.id, {item.ref: item.digest}, {"reason": "too specific"}))

        commands = [
            asyncio.create_task(asyncio.to_thread(bench.apply, intent))
            for bench, intent in zip(others[1:], asked, strict=True)
        ]
        await desk.journey.pilot.press(APPROVE.key)
        await pilot.press(APPROVE.key)
        done = await asyncio.gather(*commands, return_exceptions=True)
        await desk.journey.rest()
        await beside.journey.rest()

        refused = [each for each in done if isinstance(each, BaseException)]
        assert all(isinstance(each, RememError) for each in refused), refused
        winners = len(done) - len(refused)
        for screen in (desk, beside):
            told = toasts(screen)
            assert told or not isinstance(screen.app.screen, RememScreen)
            winners += any("u to undo" in said for said in told)
        assert winners == 1
        assert len(desk.bench.past.changes()) == 1
        for bench in others:
            bench.close()
