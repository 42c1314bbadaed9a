"""What is wrong, where, and the key that mends it or leads there."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from tests.tui.opened import MEMORY, Opened, opened

from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import ARCHIVE, REJECT, RESTORE
from remem.model.change import Intent
from remem.model.entry import FileSpan
from remem.tui.screens.browse import BrowseScreen
from remem.tui.screens.prompt import PromptScreen
from remem.tui.textual_private import screen_text
from remem.tui.verbs import APPLY_PLAN, COPY, FILTER, FIX, MARK, OPEN, UNDO, ZOOM
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.text_view import TextView
from remem.views.spans import Span, Tone

DEED = re.compile(r" (e|F|enter) [A-Z][a-z]+( [a-z]+)? *.?┃$")
LINE = re.compile(r"  line +\d+(?=  )")
STORE = f"{MEMORY}/conventions.yaml"
ALUMNI = ".squad/agents/_alumni/gannet/history.md"
GONE = b"- Velhas: power from the ticket office, not from the lamp post\n"
REMOVED = "removed by another program"
WRONG = b"\n  - id: conv-990\n    rule: Lamps\n    status: shining\n"


def problems_of(desk: Opened) -> LineList:
    return desk.journey.pilot.app.screen.query_one("#problems", LineList)


@pytest.mark.slow
async def test_what_stops_writing_comes_first_and_every_row_carries_a_key(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        rows = [row for row in problems_of(desk).rows if not row.is_header]

        assert rows[0].glyph.text == "‼"
        assert all(row.right[0].text for row in rows)
        heads = [row.label[0].text for row in problems_of(desk).rows if row.is_header]
        assert heads[0] == f"{MEMORY}/retros/sprint-5-retro.yaml"
        assert len(heads) == len(set(heads))


async def test_a_broken_file_opens_at_its_line(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health", size=(80, 24)) as desk:
        desk.journey.sees(" 9       evidence", "^ the quote")

        await desk.journey.use(OPEN)

        assert isinstance(desk.journey.pilot.app.screen, BrowseScreen)
        desk.journey.sees("sprint-5-retro", " 9       evidence", "^ the quote")


async def test_a_problem_of_an_entry_leads_to_the_entry(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        await desk.write(f"{MEMORY}/conventions.yaml", lambda data: data.rstrip() + WRONG)
        await desk.journey.rest()
        row = next(row for row in problems_of(desk).rows if "shining" in row.label[0].text)
        problems_of(desk).move_to(row.key)
        await desk.journey.rest()
        assert Span("e", Tone.KEY) in row.right
        desk.journey.sees("conv-990", "status: shining")

        await desk.journey.use(OPEN)

        assert isinstance(desk.journey.pilot.app.screen, BrowseScreen)
        assert str(desk.cursor).endswith("conv-990")


async def test_a_role_without_room_leads_to_its_prompt(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        row = next(row for row in problems_of(desk).rows if "over the budget" in row.label[0].text)
        problems_of(desk).move_to(row.key)

        await desk.journey.use(OPEN)

        assert isinstance(desk.journey.pilot.app.screen, PromptScreen)
        desk.journey.sees(row.label[0].text.split(":")[0])


async def test_a_folder_that_no_tool_loads_is_read_as_notes_by_the_key_of_its_row(
    tmp_path: Path,
) -> None:
    def prepare(root: Path) -> None:
        folder = root / ".claude/skills/logs"
        folder.mkdir(parents=True)
        (folder / "ports.md").write_text("- Ports close at night\n")
        (root / "CLAUDE.md").write_text("- Ropes are dry\n")

    async with opened(tmp_path, start="health", prepare=prepare) as desk:
        await desk.journey.rest()
        (row,) = [r for r in problems_of(desk).rows if "claude/skills/" in r.label[0].text]
        problems_of(desk).move_to(row.key)

        await desk.journey.use(FIX)
        await desk.journey.rest()
        await desk.journey.use(APPLY_PLAN)
        await desk.journey.rest()

        assert not problems_of(desk).rows.holds(row.key)
        assert "Ports close at night" in {e.title for e in desk.bench.library.entries()}
        await desk.journey.use(UNDO)
        await desk.journey.rest()
        assert problems_of(desk).rows.holds(row.key)


async def test_settings_that_are_wrong_are_shown_too(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health", settings="theme: 7\nlamps: yes\n") as desk:
        desk.journey.sees("settings", "`lamps` is not a setting")


async def test_a_file_beyond_its_loader_is_named_with_what_is_lost(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health", size=(140, 36)) as desk:
        captain = next(a for a in desk.bench.agents() if a.name == "release-captain")
        cut = next(file for file in captain.files if file.is_cut)

        desk.journey.sees(f"never loads ≈{cut.total - cut.tokens:,} of ≈{cut.total:,} tokens")


@pytest.mark.slow
async def test_a_filter_and_a_copy_hold_the_same_problems(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        await desk.journey.use(FILTER)
        await desk.journey.types("never")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        await desk.journey.use(COPY)

        copied = desk.journey.pilot.app.clipboard
        assert copied.count("- ") == len(problems_of(desk).rows) == 1


async def test_a_fix_says_that_it_works_on_one_problem_where_two_are_marked(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        await desk.journey.use(MARK, MARK)

        await desk.journey.use(FIX)

        desk.journey.sees("works on one problem at a time")
        assert not desk.bench.past.changes()


@pytest.mark.parametrize("asked", [FIX, ARCHIVE, REJECT])
async def test_nothing_is_done_to_the_row_under_the_cursor_while_another_one_is_marked(
    tmp_path: Path, asked: Verb
) -> None:
    async with opened(tmp_path, start="health") as desk:
        await desk.journey.use(MARK)

        await desk.journey.use(asked)

        desk.journey.sees("works on one problem at a time")
        assert not desk.bench.past.changes()


async def take_out(desk: Opened) -> None:
    """Take a lesson out of the archive of who is gone, which nobody is asked to review."""
    await desk.write(ALUMNI, lambda data: data.replace(GONE, b""))
    await desk.journey.rest()


async def test_what_waits_in_review_as_removed_is_no_problem_as_well(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        rows = len(problems_of(desk).rows)
        at = desk.bench.library.resolve("conv-004").at
        assert isinstance(at, FileSpan)

        await desk.write(STORE, lambda data: data[: at.start - 4] + data[at.end :])
        await desk.journey.rest()

        assert len(problems_of(desk).rows) == rows
        assert [each for each in desk.bench.queue() if "A hold on deck space" in each.title]


@pytest.mark.slow
async def test_what_another_writer_took_out_is_put_back_by_one_key(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        before = desk.read(ALUMNI)
        await take_out(desk)
        row = next(r for r in problems_of(desk).rows if REMOVED in r.label[0].text)
        problems_of(desk).move_to(row.key)
        await desk.journey.rest()
        assert row.right[0].text == "F"
        desk.journey.sees("power from the ticket office", "Restore")

        await desk.journey.use(RESTORE)

        assert desk.read(ALUMNI) == before
        assert not [r for r in problems_of(desk).rows if REMOVED in r.label[0].text]
        await desk.journey.use(UNDO)
        assert GONE not in desk.read(ALUMNI)


async def test_what_vanished_is_let_go_with_a_reason(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        await take_out(desk)
        row = next(r for r in problems_of(desk).rows if REMOVED in r.label[0].text)
        problems_of(desk).move_to(row.key)
        await desk.journey.rest()

        await desk.journey.use(REJECT)
        await desk.journey.types("old")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        assert GONE not in desk.read(ALUMNI)
        assert b"reason: old" in desk.read(".remem/rejected.yaml")
        assert not [r for r in problems_of(desk).rows if REMOVED in r.label[0].text]


@pytest.mark.slow
async def test_a_ghost_is_merged_after_its_plan_was_shown(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        squad = desk.bench.root / ".squad/agents"
        folder = next(path for path in squad.iterdir() if (path / "history.md").exists())
        rename = Intent("persona.rename", arguments={"persona": folder.name, "to": "woods"})
        await asyncio.to_thread(desk.bench.apply, rename)
        folder.mkdir()
        (folder / "history.md").write_text("## Learnings\n\n- Nets dry in the sun\n")
        await asyncio.to_thread(desk.bench.refresh)
        await desk.journey.rest()
        row = next(r for r in problems_of(desk).rows if "recreated it" in r.label[0].text)
        problems_of(desk).move_to(row.key)
        await desk.journey.rest()
        assert row.right[0].text == "F"

        await desk.journey.use(FIX)
        desk.journey.sees("Merge recreated folder", "units 1 = 1 in woods/history.md")
        await desk.journey.use(APPLY_PLAN)

        assert "- Nets dry in the sun\n" in (squad / "woods/history.md").read_text()
        assert not (folder / "history.md").exists()
        assert not [r for r in problems_of(desk).rows if "recreated it" in r.label[0].text]


async def test_verbs_of_the_lost_say_why_they_do_nothing_elsewhere(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        before = desk.read(STORE)

        await desk.journey.use(FIX)
        desk.journey.sees("no automatic fix")
        await desk.journey.use(REJECT)

        assert desk.read(STORE) == before


async def test_a_secret_and_hidden_characters_stand_on_health_without_their_text(
    tmp_path: Path,
) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"
    told_to_all = f"- The crane opens with {token}\n- Ropes are\N{ZERO WIDTH SPACE}coiled\n"
    async with opened(tmp_path, start="health") as desk:
        (desk.bench.root / "CLAUDE.md").write_bytes(b"")
        await desk.write("CLAUDE.md", lambda _: told_to_all.encode())
        await desk.journey.rest()

        told = [row.label[0].text for row in problems_of(desk).rows if not row.is_header]

        assert any("a GitHub token" in each for each in told), told
        assert any("hidden character" in each for each in told), told
        assert token not in "".join(told)


async def test_a_key_of_an_older_record_is_renamed_by_the_fix_on_its_row(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        rows = problems_of(desk).rows
        row = next(row for row in rows if "rename key `created`" in row.label[0].text)
        problems_of(desk).move_to(row.key)
        await desk.journey.rest()

        await desk.journey.use(FIX)
        desk.journey.sees("created_at")
        await desk.journey.use(APPLY_PLAN)
        await desk.journey.rest()

        desk.journey.sees_not("rename key `created`")


@pytest.mark.slow
async def test_a_problem_has_the_same_sign_in_the_list_and_in_the_detail(tmp_path: Path) -> None:
    def prepare(project: Path) -> None:
        store = project / MEMORY / "conventions.yaml"
        store.write_text(store.read_text().replace("enforcement: both", "enforcement: often", 1))

    async with opened(tmp_path, start="health", prepare=prepare) as desk:
        problems = problems_of(desk)
        row = next(row for row in problems.rows if "enforcement" in row.label[0].text)
        problems.move_to(row.key)
        await desk.journey.rest()

        assert row.glyph.text == "!"
        lines = desk.app.screen.query_one("#where", TextView).lines
        told = [line.text for line in lines if "`enforcement` is `often`" in line.text]
        signs = [text[:2] for text in told if text.startswith(("! ", "‼ "))]
        assert signs == ["! "]


async def test_a_filter_finds_what_mends_a_problem(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health") as desk:
        problems = problems_of(desk)
        shown = {r.key: " ".join(s.text for s in (*r.label, *r.right)) for r in problems.rows}
        mended = [row for row in problems.rows if "Open file" in shown[row.key]]
        assert mended
        assert not any("open file" in row.label[0].text.casefold() for row in mended)

        await desk.journey.use(FILTER)
        await desk.journey.types("open file")

        assert [row.key for row in problems.rows if not row.is_header] == [r.key for r in mended]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
async def test_what_mends_stands_in_one_column_of_the_whole_table(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, start="health", size=size) as desk:
        await desk.journey.use(ZOOM)
        shown = screen_text(desk.app)
        rows = [line for line in shown.splitlines() if DEED.search(line)]

        begins = {found.start() for line in rows if (found := DEED.search(line))}
        ends = {found.end() for line in rows if (found := LINE.search(line))}
        assert len(begins) == 1, shown
        assert len(ends) == 1, shown
        assert any(LINE.search(line) for line in rows), shown
        assert not all(LINE.search(line) for line in rows), shown


async def test_a_line_number_takes_no_more_room_than_it_has_digits(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health", night=True) as desk:
        rows = [row for row in problems_of(desk).rows if not row.is_header]

    lines = [row.right[0].text for row in rows if row.right[0].text.startswith("line")]
    assert {len(line) for line in lines} > {len("line 9  "), len("line 14  ")}
    assert not [line for line in lines if "line  " in line]
    assert all(row.right[0].text.strip() for row in rows)
