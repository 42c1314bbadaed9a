"""The first look at a root: who starts with what, and what is worth a look."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.journey import Journey
from tests.tui.opened import opened

from remem.config import Places
from remem.tui.app import RememApp
from remem.tui.screens.health import HealthScreen
from remem.tui.screens.prompt import PromptScreen
from remem.tui.verbs import COPY, FILTER, HEALTH, OPEN
from remem.tui.widgets.line_list import LineList
from remem.workbench import Workbench


async def test_every_agent_stands_there_once_under_its_tool(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", size=(100, 60)) as desk:
        pane = desk.journey.pilot.app.screen.query_one("#who", LineList)
        keys = [row.key for row in pane.rows if not row.is_header]

        assert len(keys) == len(set(keys))
        agents = {("agent", agent.layout, agent.name) for agent in desk.bench.agents()}
        assert agents <= set(keys)
        desk.journey.sees("Claude Code · 4 agents", "Night Watch · 4 agents", "Squad · 2 agents")


async def test_file_names_and_tokens_are_readable_in_eighty_columns(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", size=(80, 60)) as desk:
        captain = next(a for a in desk.bench.agents() if a.name == "release-captain")

        desk.journey.sees(f"{captain.tokens:,}", "release-captain.md, MEMORY.md", " never")


async def test_there_are_at_most_five_findings_and_enter_goes_to_the_very_one(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="start") as desk:
        pane = desk.journey.pilot.app.screen.query_one("#who", LineList)
        worth = [row.key for row in pane.rows if isinstance(row.key, tuple) and "worth" in row.key]
        assert 1 < len([key for key in worth if key[0] == "worth"]) <= 5
        cut = next(row for row in pane.rows if "never loads" in row.label[0].text)
        pane.move_to(cut.key)
        await desk.journey.rest()

        await desk.journey.use(OPEN)

        assert isinstance(desk.journey.pilot.app.screen, HealthScreen)
        problems = desk.journey.pilot.app.screen.query_one("#problems", LineList)
        assert problems.row is not None
        assert problems.row.label[0].text == cut.label[0].text


async def test_the_digit_of_a_finding_goes_to_it_too(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start") as desk:
        pane = desk.journey.pilot.app.screen.query_one("#who", LineList)
        cut = next(row for row in pane.rows if "never loads" in row.label[0].text)
        pane.move_to(cut.key)
        await desk.journey.rest()

        await desk.journey.use(HEALTH)

        problems = desk.journey.pilot.app.screen.query_one("#problems", LineList)
        assert problems.row is not None
        assert problems.row.label[0].text == cut.label[0].text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("release-captain", "Release captain", id="loads files itself"),
        pytest.param("Bastien", "Bastien", id="composed persona"),
    ],
)
async def test_an_agent_opens_on_what_it_gets(tmp_path: Path, name: str, shown: str) -> None:
    async with opened(tmp_path, start="start") as desk:
        pane = desk.journey.pilot.app.screen.query_one("#who", LineList)
        agent = next(a for a in desk.bench.agents() if a.name == name)
        pane.move_to(("agent", agent.layout, agent.name))

        await desk.journey.use(OPEN)

        assert isinstance(desk.journey.pilot.app.screen, PromptScreen)
        desk.journey.sees(shown)


async def test_copying_gives_a_markdown_table_of_everyone(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start") as desk:
        await desk.journey.use(COPY)

        copied = desk.journey.pilot.app.clipboard
        rows = [line for line in copied.splitlines() if line.startswith("| ")]
        assert len(rows) == 1 + len(desk.bench.agents()) + len(desk.bench.roles())
        assert "never loads" in copied


async def test_a_filter_narrows_who_is_shown(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", size=(100, 60)) as desk:
        await desk.journey.use(FILTER)
        await desk.journey.types("wanj")

        desk.journey.sees("Wanjiru")
        desk.journey.sees_not("Bastien")


async def _on(tmp_path: Path, files: dict[str, str], *shown: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    for name, text in files.items():
        (root / name).write_text(text)
    app = RememApp(Workbench(root, Places.of(tmp_path / "home"), door="tui"))
    async with app.run_test(size=(80, 24)) as pilot:
        journey = await Journey(pilot).rest()
        journey.sees(*shown)
        for mode in ("browse", "review", "prompt", "history", "health", "start"):
            app.go_to_mode(mode)
            await journey.rest()
    assert {path.name for path in root.iterdir()} == set(files)


async def test_a_repository_with_only_a_claude_file_says_what_is_there(tmp_path: Path) -> None:
    await _on(
        tmp_path,
        {"CLAUDE.md": "# Rules\n\nCount the lamps.\n"},
        "CLAUDE.md is here, and remem does not read it yet",
        "Count the lamps.",
    )


async def test_an_empty_folder_says_so_and_what_to_press(tmp_path: Path) -> None:
    await _on(tmp_path, {}, "no agent and no memory was found here", "adds a first entry")
