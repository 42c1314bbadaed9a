"""A person among sources and entries, by keys alone."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from pathlib import Path

import pytest
from tests.tui.opened import MEMORY, Opened, opened

from remem.core.verbs.verbs import ADD, ARCHIVE, RESTORE
from remem.model.entry import Entry, Ref, Status
from remem.systems.personas.persona_verbs import PERSONA_RENAME
from remem.systems.personas.team.people import Persona
from remem.tui.screens.browse import BrowseScreen
from remem.tui.verbs import (
    APPLY_PLAN,
    BACK,
    CANCEL_PLAN,
    COPY,
    DOWN,
    FILTER,
    HIDDEN,
    LEAVE,
    LEFT,
    NEXT_PANE,
    OPEN,
    ORDER,
    PREVIOUS_PANE,
    RIGHT,
    UNDO,
)
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.text_view import TextView
from remem.tui.widgets.tree_list import TreeList
from remem.views.entries.entry_list import SOON

BROKEN = f"{MEMORY}/retros/sprint-5-retro.yaml"

CONVENTIONS = f"{MEMORY}/conventions.yaml"


def files(folder: Path) -> Mapping[str, bytes]:
    """Return every file that is memory; caches and the journal are remem's own.

    A database gets its rows back, and not its bytes.
    """
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".db"
        if not {".cache", ".local"} & set(path.parts)
    }


def tree_of(desk: Opened) -> TreeList:
    return desk.journey.pilot.app.screen.query_one(TreeList)


def detail_of(desk: Opened) -> TextView:
    return desk.journey.pilot.app.screen.query_one("#entry", TextView)


async def stand_on(desk: Opened, key: Hashable) -> None:
    """Go to the sources and put the cursor on one of them."""
    if not tree_of(desk).has_focus:
        await desk.journey.use(PREVIOUS_PANE)
    assert tree_of(desk).move_to(key), key
    await desk.journey.rest()


@pytest.mark.slow
async def test_a_persona_is_renamed_after_its_plan_and_undone_to_the_byte(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", size=(140, 40)) as desk:
        before = files(tmp_path)
        await stand_on(desk, ("persona", "Tomasz", ""))

        await desk.journey.use(PERSONA_RENAME)
        desk.journey.sees("rename Tomasz to")
        await desk.journey.types("Tomaszzo")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        desk.journey.sees("Rename Tomasz to Tomaszzo", "Cancel (esc)")
        assert files(tmp_path) == before

        await desk.journey.use(APPLY_PLAN)

        assert any("/Tomaszzo/" in name for name in files(tmp_path))
        assert not any("/Tomasz/" in name for name in files(tmp_path))
        row = tree_of(desk).row
        assert row is not None
        assert row.key == ("persona", "Tomaszzo", "")

        await desk.journey.use(UNDO)

        desk.journey.sees("Undone: Rename Tomasz to Tomaszzo")
        assert files(tmp_path) == before


@pytest.mark.slow
async def test_a_persona_is_archived_and_restored_from_the_tree_with_a_receipt(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(140, 40)) as desk:
        before = files(tmp_path)
        await stand_on(desk, ("persona", "Ines", ""))

        await desk.journey.use(ARCHIVE)
        desk.journey.sees("Archive Ines", "0 lost")
        await desk.journey.use(APPLY_PLAN)

        folder = next(p.folder for p in _personas(desk) if p.name == "Ines" and p.archived)
        assert not any(p.units for p in _personas(desk) if p.name == "Ines" and not p.archived)

        await stand_on(desk, ("persona", "Ines", folder))
        await desk.journey.use(ARCHIVE)
        desk.journey.sees("already archived")
        await desk.journey.use(RESTORE)
        await desk.journey.use(APPLY_PLAN)

        assert files(tmp_path) == before


def _personas(desk: Opened) -> tuple[Persona, ...]:
    screen = desk.journey.pilot.app.screen
    assert isinstance(screen, BrowseScreen)
    return screen._personas


async def test_a_filter_narrows_by_field_and_counts_and_is_left_step_by_step(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse") as desk:
        entries = list(desk.bench.library.entries())
        wanted = [
            entry
            for entry in entries
            if entry.kind == "convention" and entry.status is not Status.CANDIDATE
        ]

        await desk.journey.use(FILTER)
        await desk.journey.types("kind:convention !status:candidate")

        desk.journey.sees(f"{len(wanted):,} of {len(entries):,}")

        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        pane = desk.journey.pilot.app.screen.query_one("#entries", LineList)
        assert len(pane.rows) == len(wanted)

        await desk.journey.use(LEAVE)

        assert len(pane.rows) == len(entries)


@pytest.mark.slow
async def test_a_filter_finds_by_persona_and_role(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        pane = desk.journey.pilot.app.screen.query_one("#entries", LineList)

        await desk.journey.use(FILTER)
        await desk.journey.types("persona:ines")

        owned = [s for s in desk.bench.library.sources if s.owner == "Ines"]
        assert len(pane.rows) == sum(len(source.entries) for source in owned) > 0


async def test_an_agent_that_appends_while_a_filter_is_typed_does_not_disturb_it(
    tmp_path: Path,
) -> None:
    path = ".squad/agents/dunlin/history.md"
    async with opened(tmp_path, start="browse") as desk:
        pane = desk.journey.pilot.app.screen.query_one("#entries", LineList)
        await desk.journey.use(FILTER)
        await desk.journey.types("kiosk")
        shown = len(pane.rows)

        await desk.write(path, lambda data: data + b"- The kiosk of Velhas has a new door\n")
        await desk.journey.rest()
        await desk.journey.types(" ")

        desk.journey.sees("kiosk")
        assert len(pane.rows) == shown + 1


@pytest.mark.slow
async def test_the_sources_of_a_persona_are_an_outline_beside_the_document(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", size=(100, 30)) as desk:
        path = desk.bench.root / ".squad/agents/dunlin/history.md"
        await stand_on(desk, ("source", path))

        desk.journey.sees("Sources", "dunlin/history.md", "# ")
        desk.journey.sees_not("by file")
        assert not next(line for line in detail_of(desk).lines if line.text[:1] == "|").wraps

        rows = len(tree_of(desk).rows)
        await desk.journey.use(LEFT)
        assert len(tree_of(desk).rows) < rows
        await desk.journey.use(RIGHT)
        assert len(tree_of(desk).rows) == rows

        await desk.journey.use(DOWN, OPEN)
        desk.journey.sees("by file")


@pytest.mark.slow
async def test_a_section_scrolls_the_document_to_its_heading(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", size=(100, 24)) as desk:
        path = desk.bench.root / ".claude/agent-memory/release-captain/MEMORY.md"
        last = [key for key in _sections(desk) if key[1] == path][-1]
        await stand_on(desk, ("source", path))
        await desk.journey.use(RIGHT)

        await stand_on(desk, last)

        assert detail_of(desk).scroll_offset.y > 50
        desk.journey.sees(str(last[2]).rpartition(" › ")[2])


def _sections(desk: Opened) -> list[tuple[object, ...]]:
    return [
        node.key
        for group in tree_of(desk)._roots
        for persona in group.children
        for source in persona.children
        for node in source.children
        if isinstance(node.key, tuple)
    ]


async def test_a_broken_file_is_shown_at_the_line_and_column_that_stop_it(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        source = next(s for s in desk.bench.library.sources if s.path.name in BROKEN)
        problem = source.problems[0]

        await stand_on(desk, ("source", source.path))

        lines = detail_of(desk).lines
        place = next(i for i, line in enumerate(lines) if line.number == problem.line)
        assert lines[place + 1].text.index("^") == problem.column - 1
        desk.journey.sees(f"(line {problem.line},", "^ the quote")


async def test_verbs_on_entries_do_nothing_while_the_person_is_among_the_sources(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse") as desk:
        before = files(tmp_path)
        await stand_on(desk, ("format", "sniper"))

        await desk.journey.use(ARCHIVE)

        assert files(tmp_path) == before


@pytest.mark.slow
async def test_a_lesson_is_archived_with_a_receipt_and_undone_to_the_byte(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        before = files(tmp_path)
        lesson = await stand_on_a_lesson(desk)

        await desk.journey.use(ARCHIVE)

        assert lesson not in [e.title for e in _live(desk, "dunlin")]
        assert files(tmp_path) != before
        await desk.journey.use(UNDO)
        assert files(tmp_path) == before


async def stand_on_a_lesson(desk: Opened) -> str:
    """Put the cursor on a lesson of Dunlin and return its text."""
    entry = _live(desk, "dunlin")[-1]
    assert desk.journey.pilot.app.screen.query_one("#entries", LineList).move_to(entry.ref)
    await desk.journey.rest()
    return entry.title


def _live(desk: Opened, owner: str) -> list[Entry]:
    return [
        entry
        for source in desk.bench.library.sources
        if source.owner.lower() == owner
        for entry in source.entries
        if entry.status is Status.ACTIVE
    ]


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["browse", "prompt"])
async def test_what_a_format_cannot_archive_is_removed_after_its_plan(
    tmp_path: Path, screen: str
) -> None:
    async with opened(tmp_path, start=screen, size=(140, 40)) as desk:
        before = desk.read(CONVENTIONS)
        desk.journey.sees_not("x Archive")

        (await desk.journey.use(ARCHIVE)).sees("Remove", "conventions.yaml")
        await desk.journey.use(CANCEL_PLAN)
        assert desk.read(CONVENTIONS) == before

        await desk.journey.use(ARCHIVE)
        await desk.journey.use(APPLY_PLAN)
        assert desk.read(CONVENTIONS) != before
        await desk.journey.use(UNDO)
        assert desk.read(CONVENTIONS) == before


async def test_an_entry_is_added_with_its_kind_and_text(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        await desk.journey.use(ADD)
        desk.journey.sees("What to add", "anti-pattern")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        await desk.journey.types("Lamps are counted once")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        assert b"Lamps are counted once" in desk.read(f"{MEMORY}/conventions.yaml")


@pytest.mark.slow
async def test_the_order_goes_round_and_likeness_begins_with_the_entry_at_hand(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse") as desk:
        pane = desk.journey.pilot.app.screen.query_one("#entries", LineList)
        entries = list(desk.bench.library.entries())
        await desk.journey.use(DOWN, DOWN)
        here = desk.cursor

        await desk.journey.use(ORDER)
        desk.journey.sees("by tokens")
        counts = [desk.bench.counter.count(desk.bench.library.entry(k).title) for k in _keys(pane)]
        assert counts == sorted(counts, reverse=True)

        await desk.journey.use(ORDER)
        desk.journey.sees("by date")
        dates = [desk.bench.library.entry(key).date for key in _keys(pane)]
        assert dates == sorted(dates, reverse=True)

        await desk.journey.use(ORDER)
        desk.journey.sees("by likeness")
        assert desk.cursor == here
        assert _keys(pane)[0] == here
        assert len(_keys(pane)) == len(entries)

        await desk.journey.use(ORDER)
        assert _keys(pane) == [entry.ref for entry in entries]


def _keys(pane: LineList) -> list[Ref]:
    return [key for row in pane.rows if isinstance(key := row.key, Ref)]


async def test_documents_without_entries_are_hidden_until_they_are_asked_for(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(140, 50)) as desk:
        tree = tree_of(desk)
        before = [row.key for row in tree.rows]

        await desk.journey.use(HIDDEN)

        assert len([row.key for row in tree.rows]) > len(before)
        desk.journey.sees("config.yaml")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ends", "told"), [(0, "into tmux's buffer"), (1, "over OSC 52, which tmux may ignore")]
)
async def test_inside_tmux_its_buffer_takes_what_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: int, told: str
) -> None:
    taken, program = tmp_path / "taken", tmp_path / "bin/tmux"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" > {taken}\ncat >> {taken}\nexit {ends}\n')
    program.chmod(0o755)
    monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    async with opened(tmp_path / "world", start="browse") as desk:
        await desk.journey.use(COPY)
        desk.journey.sees(told)

        assert taken.read_text().startswith("load-buffer -w -\n- id: conv-001\n")


@pytest.mark.slow
async def test_copying_gives_the_entry_as_it_stands(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        await desk.journey.use(COPY)

        copied = desk.journey.pilot.app.clipboard
        assert copied.startswith("- id: conv-001\n")
        assert copied.encode() in desk.read(f"{MEMORY}/conventions.yaml")


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 20), (50, 16)])
async def test_one_narrow_screen_shows_every_pane_in_turn(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, start="browse", size=size) as desk:
        seen = set()
        for _ in range(3):
            focused = desk.journey.pilot.app.screen.focused
            assert focused is not None
            assert focused.size.height > 2
            seen.add(focused.id)
            await desk.journey.use(NEXT_PANE)

        assert seen == {"tree", "entries", "entry"}


@pytest.mark.slow
async def test_backspace_leads_back_to_where_the_person_was(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        desk.journey.sees("problems")
        await desk.journey.use(OPEN)
        desk.journey.sees("Sources")

        await desk.journey.use(BACK)

        desk.journey.sees("problems")


@pytest.mark.slow
async def test_a_large_store_is_filtered_and_ordered_without_reading_it_for_the_first_frame(
    tmp_path: Path,
) -> None:
    rules = "".join(
        f"  - id: conv-{n:04d}\n    rule: Case {n} keeps its lamp lit\n" for n in range(SOON + 50)
    )
    async with opened(tmp_path, start="review") as desk:
        await desk.write(f"{MEMORY}/conventions.yaml", lambda _: f"conventions:\n{rules}".encode())
        await desk.journey.pilot.press("1")
        await desk.journey.rest()
        pane = desk.journey.pilot.app.screen.query_one("#entries", LineList)

        await desk.journey.use(FILTER)
        await desk.journey.types("case 2007")

        assert len(pane.rows) == 1

        await desk.journey.use(LEAVE, LEAVE, ORDER)
        desk.journey.sees("by tokens")


async def test_a_filter_typed_among_the_sources_narrows_them_and_keeps_the_focus(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(120, 36)) as desk:
        await desk.journey.use(PREVIOUS_PANE)
        tree = tree_of(desk)
        whole = len(tree.rows)

        await desk.journey.use(FILTER)
        desk.journey.sees("filter sources")
        await desk.journey.types("tomasz")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        assert tree.has_focus
        assert tree.row is not None
        assert tree.row.key == ("persona", "Tomasz", "")
        assert len(tree.rows) < whole
        desk.journey.sees_not("Wanjiru  QA")
        await desk.journey.use(LEAVE)
        assert len(tree.rows) == whole


async def test_among_the_sources_the_detail_is_of_the_row_there_and_its_persona_verbs_come_first(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(120, 36)) as desk:
        await desk.journey.use(PREVIOUS_PANE)
        assert detail_of(desk).border_title == "everything"

        await stand_on(desk, ("persona", "Tomasz", ""))

        assert detail_of(desk).border_title == "Tomasz"
        desk.journey.sees("m Merge")
        await desk.journey.use(NEXT_PANE)
        assert detail_of(desk).border_title == "Entry"


@pytest.mark.parametrize(
    ("size", "stays"),
    [
        pytest.param((200, 50), True, id="side-by-side"),
        pytest.param((60, 20), False, id="one-over-the-other"),
    ],
)
async def test_escape_leaves_the_sources_only_where_they_cover_the_entries(
    tmp_path: Path, size: tuple[int, int], stays: bool
) -> None:
    async with opened(tmp_path, start="browse", size=size) as desk:
        await desk.journey.use(PREVIOUS_PANE)
        assert isinstance(desk.app.focused, TreeList)

        await desk.journey.use(LEAVE)

        assert isinstance(desk.app.focused, TreeList) is stays


async def test_escape_goes_from_entries_back_to_the_source_they_were_entered_from(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(80, 24)) as desk:
        await stand_on(desk, ("source", desk.bench.root / ".squad/agents/dunlin/history.md"))
        await desk.journey.use(OPEN)
        assert not isinstance(desk.app.focused, TreeList)

        await desk.journey.use(LEAVE)

        assert isinstance(desk.app.focused, TreeList)
        assert tree_of(desk).row is not None


async def test_undoing_what_was_done_to_a_section_stays_on_its_row(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", size=(120, 36)) as desk:
        path = desk.bench.root / ".squad/agents/dunlin/history.md"
        before = path.read_bytes()
        await stand_on(desk, ("source", path))
        await desk.journey.use(RIGHT)
        section = next(key for key in _sections(desk) if key[1] == path)
        await stand_on(desk, section)

        await desk.journey.use(ARCHIVE)
        await desk.journey.rest()
        if path.read_bytes() == before:
            await desk.journey.use(APPLY_PLAN)
        assert path.read_bytes() != before
        await desk.journey.use(UNDO)
        await desk.journey.rest()

        assert path.read_bytes() == before
        assert isinstance(desk.app.focused, TreeList)


async def test_an_entry_that_is_gone_to_behind_a_filter_takes_it_out_of_the_title_too(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse") as desk:
        await desk.journey.use(FILTER)
        await desk.journey.types("kind:convention")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("/kind:convention")
        screen = desk.app.screen
        assert isinstance(screen, BrowseScreen)
        hidden = next(e for e in desk.bench.library.entries() if e.kind != "convention")

        screen.go_to_entry(hidden.ref)
        await desk.journey.rest()

        assert desk.cursor == hidden.ref
        desk.journey.sees_not("/kind:convention")


async def test_the_order_is_not_offered_where_no_entry_is_shown(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", size=(80, 24)) as desk:
        await desk.journey.use(PREVIOUS_PANE)

        await desk.journey.use(ORDER)

        desk.journey.sees("open them first").sees_not(", Order")
