"""A person in a repository that has only plain files."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.plain_files import Repo
from tests.tui.journey import Journey, until
from tests.tui.opened import HeadlessApp, Opened

from remem.core.session import Workbench
from remem.core.settings import Places
from remem.core.verbs.verbs import ARCHIVE, MERGE
from remem.tui.verbs import AGENT, BROWSE, DOWN, HEALTH, PROMPT, UNDO
from remem.tui.widgets.text_view import TextView

pytestmark = pytest.mark.slow
FILES = {
    "CLAUDE.md": "# Shop\n\n- use tabs\n- never push\n",
    "web/CLAUDE.md": "- no inline styles\n",
    ".cursor/rules/css.mdc": "---\nglobs: *.css\n---\n- variables only\n",
    "lessons-learned/a.md": "- the cache lies\n",
}


@asynccontextmanager
async def at(tmp_path: Path, start: str) -> AsyncIterator[Opened]:
    repo = Repo(tmp_path).write(FILES)
    bench = Workbench(repo.root, Places.of(repo.home), door="tui")
    app = HeadlessApp(bench, start=start)
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        yield Opened(await Journey(pilot).rest(), bench, app)
    bench.close()


async def test_the_prompt_shows_lines_with_numbers_and_files_that_are_left_out(
    tmp_path: Path,
) -> None:
    async with at(tmp_path, "prompt") as desk:
        desk.journey.sees("Claude Code · as loaded", "- use tabs", "web/CLAUDE.md", "no inline")
        view = desk.app.screen.query_one("#prompt", TextView)
        assert [line.number for line in view.lines[:4]] == [1, 2, 3, 4]

        await desk.journey.use(AGENT)
        await desk.journey.types("in web/")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("Claude Code in web/ · as loaded")

        await desk.journey.use(AGENT)
        await desk.journey.types("cursor")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        desk.journey.sees("Cursor · as loaded", "3 tokens · loaded only when the agent works")


async def test_archiving_a_rule_takes_it_out_of_the_start_and_undo_brings_it_back(
    tmp_path: Path,
) -> None:
    async with at(tmp_path, "browse") as desk:
        before = desk.read("CLAUDE.md")
        await desk.journey.use(ARCHIVE)

        assert desk.read("CLAUDE.md") == b"# Shop\n\n- never push\n"
        assert b"- use tabs\n" in desk.read("CLAUDE-archive.md")
        await desk.journey.use(PROMPT)
        desk.journey.sees("- never push").sees_not("- use tabs")

        await desk.journey.use(BROWSE, UNDO)

        assert desk.read("CLAUDE.md") == before


async def test_health_adds_a_layout_for_a_folder_that_looks_like_memory(tmp_path: Path) -> None:
    async with at(tmp_path, "browse") as desk:
        await desk.journey.use(HEALTH)
        desk.journey.sees("`lessons-learned/` looks like memory", "m Add a layout")
        for _ in range(9):
            if "lessons-learned" in str(desk.cursor):
                break
            await desk.journey.use(DOWN)

        await desk.journey.use(MERGE)
        desk.journey.sees("Read lessons-learned/ as notes", ".remem/config.yaml  creates")
        await desk.journey.pilot.press("y")
        await desk.journey.rest()

        await desk.journey.use(BROWSE)
        desk.journey.sees("the cache lies")


async def test_what_an_agent_writes_into_its_file_comes_to_the_screen(tmp_path: Path) -> None:
    async with at(tmp_path, "browse") as desk:
        await until(lambda: "live" in str(desk.app._watching))
        path = desk.bench.root / "web" / "CLAUDE.md"

        await asyncio.to_thread(path.write_text, "- no inline styles\n- dark first\n")

        await until(lambda: any(e.title == "dark first" for e in desk.bench.library.entries()))
        await desk.journey.rest()
        desk.journey.sees("dark first")
