"""A person goes through time: changes of their own, of other doors and from outside."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.journey import until
from tests.tui.opened import MEMORY, Opened, opened

from remem.model.entry import Status
from remem.store.history.external_changes import Outside
from remem.tui.verbs import (
    DIFF,
    DOWN,
    EVERYWHERE,
    FILTER,
    HISTORY,
    LAST,
    LEAVE,
    OPEN,
    REDO,
    RESTORE_FOUND,
    UNDO,
)
from remem.tui.widgets.line_list import LineList

CONVENTIONS = f"{MEMORY}/conventions.yaml"


async def decide(desk: Opened) -> tuple[bytes, bytes, bytes]:
    """Approve two entries one after the other and return the store's three states."""
    states = [desk.read(CONVENTIONS)]
    for name in ("conv-018", "conv-019"):
        desk.bench.apply(desk.bench.intend("approve", [desk.bench.library.resolve(name)]))
        states.append(desk.read(CONVENTIONS))
    await desk.journey.rest()
    return states[0], states[1], states[2]


async def write_from_outside(desk: Opened, line: bytes) -> None:
    """Add a line as an agent does, and note it as whoever watches does."""
    before = desk.read(CONVENTIONS)
    path, time = desk.bench.root / CONVENTIONS, desk.bench.clock.now()
    gone = {"ref": "sniper:conv-404"}
    change = Outside.of(time, desk.bench.root, path, "writer", before, before + line, [gone])
    desk.bench.journal.note(change)
    await desk.write(CONVENTIONS, lambda data: data + line)
    await desk.journey.rest()


@pytest.mark.slow
async def test_the_change_under_the_cursor_is_undone_and_done_again(tmp_path: Path) -> None:
    async with opened(tmp_path, start="history") as desk:
        _, _, both = await decide(desk)
        desk.journey.sees("Approve sniper:conv-018", "Approve sniper:conv-019")
        await desk.journey.use(DOWN)

        await desk.journey.use(UNDO)

        desk.journey.sees('Undone: Approve sniper:conv-018 "Feature flags', "(undone)")
        library = desk.bench.library
        assert library.resolve("conv-018").status is Status.CANDIDATE
        assert library.resolve("conv-019").status is Status.ACTIVE

        await desk.journey.use(REDO)

        assert desk.read(CONVENTIONS) == both


@pytest.mark.slow
async def test_undo_goes_on_to_the_change_before_and_redo_takes_what_was_undone_last(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="history") as desk:
        first, second, both = await decide(desk)

        await desk.journey.use(UNDO)
        assert desk.read(CONVENTIONS) == second
        await desk.journey.use(UNDO)
        assert desk.read(CONVENTIONS) == first
        await desk.journey.use(REDO)
        assert desk.read(CONVENTIONS) == second
        await desk.journey.use(REDO)

        assert desk.read(CONVENTIONS) == both


async def test_redo_takes_what_was_undone_last_with_the_cursor_on_another_programs_change(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="history") as desk:
        _, second, both = await decide(desk)
        await desk.journey.use(UNDO)
        await write_from_outside(desk, b"# a stranger was here\n")
        await desk.journey.use(LAST)
        desk.journey.sees("external change: another program")

        await desk.journey.use(REDO)

        assert desk.read(CONVENTIONS) == both + b"# a stranger was here\n" != second


async def test_a_change_shows_its_reason_and_its_diff(tmp_path: Path) -> None:
    async with opened(tmp_path, start="history") as desk:
        waiting = next(desk.bench.library.waiting())
        desk.bench.apply(desk.bench.intend("reject", [waiting], reason="a lamp is no convention"))
        await desk.journey.rest()

        desk.journey.sees("a lamp is no convention", CONVENTIONS, "status: candidate")


async def test_a_change_from_outside_is_shown_and_never_taken_back(tmp_path: Path) -> None:
    async with opened(tmp_path, start="history") as desk:
        await decide(desk)
        await write_from_outside(desk, b"# a stranger was here\n")
        after = desk.read(CONVENTIONS)
        changes = desk.journey.pilot.app.screen.query_one("#changes", LineList)
        outside = next(row for row in changes.rows if "outside" in str(row.key))
        changes.move_to(outside.key)
        await desk.journey.rest()
        desk.journey.sees("external change: another program", "a stranger was here")
        desk.journey.sees("1 entry removed", "removed: sniper:conv-404")

        await desk.journey.use(UNDO)

        assert desk.read(CONVENTIONS) == after


@pytest.mark.slow
async def test_enter_goes_to_the_diff_where_it_is_not_seen_beside_the_list(tmp_path: Path) -> None:
    async with opened(tmp_path, start="history", size=(70, 30)) as desk:
        await write_from_outside(desk, b"# a stranger was here\n")

        await desk.journey.use(OPEN)

        desk.journey.sees("a stranger was here")
        await desk.journey.use(LEAVE, DIFF)
        desk.journey.sees("a stranger was here")


async def test_a_change_that_is_not_kept_any_more_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path, start="history") as desk:
        await decide(desk)
        with desk.bench.journal.database.transaction() as sql:
            sql.execute("DELETE FROM done")
        await desk.write(CONVENTIONS, lambda data: data + b"# seen\n")
        await desk.journey.rest()
        desk.journey.sees("no longer kept", "journal.keep")

        await desk.journey.use(UNDO)

        desk.journey.sees("Undo: its details are no longer kept")


@pytest.mark.slow
async def test_a_filter_finds_changes_by_title_and_door(tmp_path: Path) -> None:
    async with opened(tmp_path, start="history") as desk:
        await decide(desk)
        changes = desk.journey.pilot.app.screen.query_one("#changes", LineList)

        await desk.journey.use(FILTER)
        await desk.journey.types("conv-019")

        assert len(changes.rows) == 1
        desk.journey.sees("1 of 2")


@pytest.mark.slow
async def test_find_everywhere_reaches_archives_and_the_journal(tmp_path: Path) -> None:
    async with opened(tmp_path, start="review") as desk:
        await decide(desk)
        await desk.journey.use(EVERYWHERE)
        await desk.journey.types("first bookings")
        archived = [e for s in desk.bench.library.sources if s.archived for e in s.entries]
        assert archived
        for _ in "first bookings":
            await desk.journey.pilot.press("backspace")
        await desk.journey.types("approve sniper:conv-018")
        desk.journey.sees("history")

        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        changes = desk.journey.pilot.app.screen.query_one("#changes", LineList)
        assert changes.row is not None
        assert changes.row.label[0].text.startswith('Approve sniper:conv-018 "Feature flags')


@pytest.mark.slow
async def test_a_change_that_took_nothing_out_is_undone_in_history(tmp_path: Path) -> None:
    async with opened(tmp_path, start="review") as desk:
        await decide(desk)
        before = desk.read(CONVENTIONS)
        await desk.journey.use(EVERYWHERE)
        await desk.journey.types("approve sniper:conv-018")

        await desk.journey.use(RESTORE_FOUND)

        desk.journey.sees("no entry: enter goes to the change, and u undoes it")
        assert desk.read(CONVENTIONS) == before


@pytest.mark.slow
async def test_find_everywhere_goes_to_an_archived_entry(tmp_path: Path) -> None:
    async with opened(tmp_path, start="review") as desk:
        source = next(s for s in desk.bench.library.sources if s.archived and len(s.entries))
        entry = source.entries[0]
        await desk.journey.use(EVERYWHERE)
        await desk.journey.types(entry.title[:30].lower())

        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        assert desk.cursor == entry.ref


@pytest.mark.slow
async def test_find_everywhere_finds_what_only_a_field_says(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.journey.use(EVERYWHERE)
        await desk.journey.types("no coverage at low tide")

        desk.journey.sees("sniper:conv-012")


@pytest.mark.slow
async def test_enter_on_a_lost_text_shows_the_change_that_took_it_and_writes_nothing(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        entry = desk.bench.library.resolve("conv-012")
        removed = desk.bench.apply(desk.bench.intend("remove", [entry]))
        await desk.journey.rest()
        after = desk.read(CONVENTIONS)
        await desk.journey.use(EVERYWHERE)
        await desk.journey.types(entry.title.lower())
        found = desk.journey.pilot.app.screen.query_one("#choices", LineList)
        await until(lambda: bool(_lost(found)))
        assert found.move_to(_lost(found))

        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        changes = desk.journey.pilot.app.screen.query_one("#changes", LineList)
        assert (changes.row is not None and changes.row.key) == removed.id
        assert desk.read(CONVENTIONS) == after


def _lost(found: LineList) -> str:
    """Return the first row of what is lost; empty as long as the past was not looked through."""
    keys = (str(found.rows.key(place)) for place in range(len(found.rows)))
    return next((key for key in keys if key.startswith("lost ")), "")


@pytest.mark.slow
async def test_history_is_empty_in_words(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start") as desk:
        await desk.journey.use(HISTORY)

        desk.journey.sees("no changes here yet")
        desk.journey.sees_not("Redo")

        await desk.journey.use(REDO)

        desk.journey.sees("Redo: nothing to redo")
