"""The team on Start: switched to, ordered, marked, and decided on together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.tui.opened import Opened, opened
from tests.tui.test_reflecting_journeys import settings, until
from textual.widgets._toast import Toast

from remem.core.verbs.verbs import ARCHIVE, MERGE
from remem.systems.personas.persona_verbs import PERSONA_COMPACT, PERSONA_RENAME
from remem.tui.screens.plan import PlanScreen
from remem.tui.verbs import (
    APPLY_PLAN,
    ARCHIVE_OLD,
    FILTER,
    HEALTH,
    LAST,
    LEAVE,
    OPEN,
    ORDER,
    PACK_EXPORT,
    REDO,
    TAKE_IN,
    TEAM,
    UNDO,
    UP,
)
from remem.tui.widgets.line_list import LineList

AGENTS = ".squad/agents"


async def _on(desk: Opened, *names: str) -> LineList:
    """Mark some of the team, and leave the cursor on the last."""
    who = desk.journey.pilot.app.screen.query_one("#who", LineList)
    who.focus()
    await desk.journey.rest()
    for name in names:
        assert who.move_to(("persona", name, ""))
        if names[1:]:
            await desk.journey.pilot.press("space")
    await desk.journey.rest()
    return who


@pytest.mark.slow
async def test_two_of_the_team_are_archived_in_four_keys_and_one_undo(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start") as desk:
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        desk.journey.sees("by name", "tokens", "written")
        await _on(desk, "Dunlin", "Petrel")

        await desk.journey.use(ARCHIVE)
        desk.journey.sees("Archive 2 personas")
        await desk.journey.use(APPLY_PLAN)
        assert not (desk.bench.root / AGENTS / "dunlin").exists()
        assert (desk.bench.root / AGENTS / "_alumni/petrel").exists()

        await desk.journey.use(UNDO)
        assert (desk.bench.root / AGENTS / "dunlin/history.md").exists()
        assert (desk.bench.root / AGENTS / "petrel/history.md").exists()


@pytest.mark.slow
async def test_marks_of_one_filter_stay_for_what_the_next_one_finds(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start") as desk:
        await desk.journey.use(TEAM)
        for name in ("dunlin", "petrel"):
            await desk.journey.use(FILTER)
            await desk.journey.types(name)
            await desk.journey.pilot.press("enter", "space")
            await desk.journey.use(LEAVE)

        who = desk.journey.pilot.app.screen.query_one("#who", LineList)
        assert [key[1] for key in who.marked if isinstance(key, tuple)] == ["Dunlin", "Petrel"]
        await desk.journey.use(LEAVE)
        assert who.marked == ()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_esc_goes_back_to_the_team_from_the_persona_it_led_to(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, start="start", size=size) as desk:
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        await _on(desk, "Dunlin")
        await desk.journey.use(OPEN)
        assert desk.app.current_mode == "browse"

        await desk.journey.use(LEAVE)

        assert desk.app.current_mode == "start"


@pytest.mark.slow
async def test_the_team_is_ordered_and_one_of_it_renamed(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start") as desk:
        await desk.journey.use(ORDER)
        desk.journey.sees("only the team table can be sorted")
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        await _on(desk, "Dunlin")
        await desk.journey.use(ORDER)
        desk.journey.sees("Sort the team by", "name      from A to Z", "+/week    tokens a week")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("by tokens")
        await desk.journey.use(ORDER)
        await desk.journey.pilot.press("up", "up", "enter")
        await desk.journey.rest()
        desk.journey.sees("by name")
        await _on(desk, "Dunlin")

        await desk.journey.use(PERSONA_RENAME)
        for _ in "Dunlin":
            await desk.journey.pilot.press("backspace")
        await desk.journey.types("Tern")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        await desk.journey.use(APPLY_PLAN)

        assert (desk.bench.root / AGENTS / "tern/history.md").exists()
        who = desk.journey.pilot.app.screen.query_one("#who", LineList)
        for back, name in ((UNDO, "Dunlin"), (REDO, "Tern"), (UNDO, "Dunlin")):
            await desk.journey.use(back)
            await desk.journey.rest()
            assert who.row is not None
            assert who.row.key == ("persona", name, "")
            assert who.is_settled
        await desk.journey.use(ARCHIVE)
        desk.journey.sees("Archive Dunlin")
        desk.journey.sees_not("changed meanwhile")


@pytest.mark.slow
async def test_who_was_written_since_the_last_look_is_marked_and_filtered(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", crew=True) as desk:
        told = b"- What an agent wrote meanwhile\n"
        for name in ("petra", "zelda"):
            await desk.write(f"{AGENTS}/{name}/history.md", lambda data: data + told)
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        who = desk.journey.pilot.app.screen.query_one("#who", LineList)

        await desk.journey.use(FILTER)
        await desk.journey.types("new")
        await desk.journey.rest()

        rows = [who.rows.row(at) for at in range(len(who.rows))]
        assert [row.key for row in rows] == [
            ("head", "team"),
            ("persona", "Petra", ""),
            ("persona", "Zelda", ""),
        ]
        assert all("1 new" in "".join(span.text for span in row.label) for row in rows[1:])
        assert all(row.glyph.text.strip() for row in rows[1:])
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        assert who.row is not None
        assert who.row.key == ("persona", "Petra", "")


@pytest.mark.slow
async def test_sections_of_several_before_a_day_are_archived_together(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start") as desk:
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        await _on(desk, "Dunlin", "Petrel")

        await desk.journey.use(ARCHIVE_OLD)
        desk.journey.sees("Archive sections dated before", "2026-04-04")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        await desk.journey.use(APPLY_PLAN)

        assert (desk.bench.root / AGENTS / "dunlin/history-archive.md").exists()


@pytest.mark.slow
async def test_the_table_takes_the_cursor_and_the_room_of_what_is_worth_a_look(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="start") as desk:
        screen = desk.journey.pilot.app.screen
        await desk.journey.use(TEAM)
        await desk.journey.rest()

        who = screen.query_one("#who", LineList)
        assert who.has_focus
        assert who.row is not None
        assert who.row.key[0] == "persona"  # type: ignore[index]
        assert not screen.query_one("#worth").display
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        assert screen.query_one("#worth").display


@pytest.mark.slow
async def test_the_marked_of_the_team_are_exported_into_one_file(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start") as desk:
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        await _on(desk, "Dunlin", "Petrel")

        await desk.journey.use(PACK_EXPORT)
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        desk.journey.sees("exported to squad-export.json, which `u` does not remove: 2 personas")
        assert not desk.journey.pilot.app.screen.query_one("#who", LineList).marked
        manifest = json.loads((desk.bench.root / "squad-export.json").read_text())
        assert set(manifest["agents"]) == {"dunlin", "petrel"}


@pytest.mark.slow
async def test_the_marked_of_the_team_are_compacted_under_one_receipt(tmp_path: Path) -> None:
    says = (
        "lines = [l for l in sys.stdin.read().splitlines() if l.startswith('- ')]\n"
        "print('\\n'.join(lines[-6:]))"
    )
    config = settings(tmp_path, says).replace("lines: 40", "lines: 10")
    async with opened(tmp_path, start="start", crew=True, settings=config) as desk:
        agents = desk.bench.root / AGENTS
        before = {path: path.read_bytes() for path in agents.rglob("*") if path.is_file()}
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        await _on(desk, "Zelda", "Yusuf")

        await desk.journey.use(PERSONA_COMPACT)
        await until(desk, PlanScreen)
        await desk.journey.rest()
        desk.journey.sees("Compact 2 memories")
        await desk.journey.use(APPLY_PLAN)

        for name in ("zelda", "yusuf"):
            assert (agents / name / "history-archive.md").exists()
        await desk.journey.use(UNDO)
        assert {path: path.read_bytes() for path in agents.rglob("*") if path.is_file()} == before


@pytest.mark.slow
async def test_the_names_of_the_columns_stay_while_one_scrolls(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", size=(80, 24), crew=True) as desk:
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        await desk.journey.use(LAST)

        desk.journey.sees("by name", "written", "X Restore")
        who = desk.journey.pilot.app.screen.query_one("#who", LineList)
        while who.row is not None and who.cursor > 1:
            await desk.journey.use(UP)
            drawn = [str(line.text) for line in map(who.render_line, range(who.size.height))]
            assert "by name" in drawn[0]
            assert sum(str(who.row.label[0].text).strip() in line for line in drawn[1:]) >= 1


@pytest.mark.slow
async def test_old_decisions_of_the_team_are_archived_from_their_row_in_three_keys(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="start", size=(80, 24), crew=True) as desk:
        log = desk.bench.root / ".squad/decisions.md"
        before = log.read_bytes()
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        who = await _on(desk)
        log_row = next(row for row in who.rows if row.key[0] == "decisions")  # type: ignore[index]
        assert who.move_to(log_row.key)
        await desk.journey.rest()
        desk.journey.sees("decisions", "25 old")

        await desk.journey.use(ARCHIVE)
        desk.journey.sees("works on personas; O archives old decisions")
        await desk.journey.use(ARCHIVE_OLD)
        desk.journey.sees("Archive decisions dated before")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("30 units of decisions.md = 5 here + 25 in decisions-archive.md")
        await desk.journey.use(APPLY_PLAN)

        assert log.with_name("decisions-archive.md").exists()
        await desk.journey.use(UNDO)
        assert log.read_bytes() == before


@pytest.mark.slow
async def test_a_rename_in_the_table_offers_to_rewrite_the_mentions_in_prose(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="start", size=(80, 24)) as desk:
        history = desk.bench.root / AGENTS / "petrel/history.md"
        history.write_text(f"{history.read_text()}- Ask Dunlin before a release\n")
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        await _on(desk, "Dunlin")

        await desk.journey.use(PERSONA_RENAME)
        for _ in "Dunlin":
            await desk.journey.pilot.press("backspace")
        await desk.journey.types("Tern")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("[ ] Rewrite references too")
        await desk.journey.use(TAKE_IN)
        await desk.journey.rest()
        desk.journey.sees("[x] Rewrite references too")
        await desk.journey.use(APPLY_PLAN)

        assert "- Ask Tern before a release\n" in history.read_text()


@pytest.mark.slow
async def test_the_next_pane_of_the_team_is_one_that_can_be_seen(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", size=(80, 24)) as desk:
        await desk.journey.use(TEAM)
        await desk.journey.rest()

        await desk.journey.pilot.press("tab")
        await desk.journey.rest()

        focused = desk.journey.pilot.app.screen.focused
        assert focused is not None
        assert (focused.id, focused.display) == ("files", True)
        desk.journey.sees("Details", "kept in")


async def test_what_defines_an_agent_is_loaded_wherever_its_memory_lies(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", size=(160, 36)) as desk:
        await desk.journey.use(TEAM)
        await _on(desk, "pier-tester")
        await desk.journey.rest()

        desk.journey.sees("claude-local", "agents/pier-tester.md", "tokens · whole")
        desk.journey.sees_not("not loaded")


@pytest.mark.slow
async def test_the_team_comes_from_every_screen_and_says_how_to_go_back(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health", crew=True) as desk:
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        desk.journey.sees("Team · E back to agents", "by name", "Amadi")

        await desk.journey.use(HEALTH, TEAM)
        await desk.journey.rest()
        desk.journey.sees("Team · E back to agents")
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        desk.journey.sees("Context at startup")


@pytest.mark.slow
async def test_the_row_of_the_decisions_stands_where_its_tokens_say(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", crew=True) as desk:
        await desk.journey.use(TEAM, ORDER)
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        who = desk.journey.pilot.app.screen.query_one("#who", LineList)
        keys = [row.key for row in who.rows if not row.is_header]
        assert who.row is not None
        assert who.row.key == keys[0] == ("persona", "Petra", "")
        at = next(place for place, key in enumerate(keys) if key[0] == "decisions")  # type: ignore[index]
        assert keys[at - 1] == ("persona", "Ronja", "")


@pytest.mark.slow
async def test_a_heading_is_left_out_with_its_column_where_there_is_no_room(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", size=(60, 20), crew=True) as desk:
        await desk.journey.use(TEAM)
        await desk.journey.rest()

        who = desk.journey.pilot.app.screen.query_one("#who", LineList)
        heading, amadi = (str(who.render_line(at).text) for at in (0, 1))
        assert heading.split() == ["by", "name", "tokens", "units", "written", "status"]
        assert amadi.split()[1:] == ["Amadi", "≈8,531", "236", "2026-05-04"]
        assert heading.index("written") + len("written") == amadi.index("2026-05-04") + 10


@pytest.mark.slow
async def test_archived_units_are_told_apart_from_those_in_force(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", crew=True) as desk:
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        await _on(desk, "Amadi")

        await desk.journey.use(ARCHIVE_OLD)
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        await desk.journey.use(APPLY_PLAN)
        await desk.journey.rest()

        member = next(each for each in desk.app.screen._members if each.name == "Amadi")  # type: ignore[attr-defined]
        assert member.units + member.persona.put_away == 236
        assert member.persona.put_away > 200
        desk.journey.sees(f"{member.units} · {member.persona.put_away} archived")
        desk.journey.sees("archive, never")


@pytest.mark.slow
async def test_what_a_pass_removed_is_called_removed(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", night=True) as desk:
        await desk.journey.use(TEAM)
        await desk.journey.rest()

        desk.journey.sees("15 removed", "2 new")
        desk.journey.sees_not("15 new")


@pytest.mark.slow
async def test_one_of_the_team_takes_the_memory_of_another_and_undo_brings_both_back(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="start") as desk:
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        await _on(desk, "Dunlin", "Petrel")
        before = (desk.bench.root / AGENTS / "petrel/history.md").read_bytes()

        await desk.journey.use(MERGE)
        desk.journey.sees("Dunlin into Petrel", "Petrel into Dunlin")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        await desk.journey.use(APPLY_PLAN)
        await desk.journey.rest()
        assert not (desk.bench.root / AGENTS / "dunlin").exists()
        assert (desk.bench.root / AGENTS / "petrel/history.md").read_bytes() != before

        await desk.journey.use(UNDO)
        assert (desk.bench.root / AGENTS / "dunlin/history.md").exists()
        assert (desk.bench.root / AGENTS / "petrel/history.md").read_bytes() == before


@pytest.mark.slow
async def test_where_no_agent_can_be_asked_to_compact_the_way_by_hand_is_named(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="start", crew=True) as desk:
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        await _on(desk, "Amadi")

        await desk.journey.use(PERSONA_COMPACT)
        await desk.journey.rest()

        desk.journey.sees("no agent command is configured")
        desk.journey.sees("--prompt-only")
        toast = desk.app.screen.query_one(Toast)
        assert toast.size.height <= 2


@pytest.mark.slow
async def test_two_places_of_one_are_merged_from_the_team_too(tmp_path: Path) -> None:
    def twice(root: Path) -> None:
        here = root / ".claude/agent-memory/port-scribe/MEMORY.md"
        here.parent.mkdir(parents=True)
        here.write_text("- Only in the project\n")

    async with opened(tmp_path, start="start", prepare=twice) as desk:
        await desk.journey.use(TEAM)
        await desk.journey.rest()
        await _on(desk, "port-scribe")

        await desk.journey.use(MERGE)

        desk.journey.sees("claude-project → claude-user", "port-scribe into Tomasz")
